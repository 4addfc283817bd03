"""The way to the checks, which may be deleted: then nothing is warned of."""


def installed_checks():
    """Return the module with the entry to all checks; None where it was deleted."""
    try:
        from .._checks import _all_checks
    except ModuleNotFoundError as error:
        if not str(error.name).endswith("._checks"):
            raise  # of something that a check imports
        return None
    return _all_checks
