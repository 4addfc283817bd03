"""An optional progress bar."""

import contextlib

__all__ = ["progress_bar"]


@contextlib.contextmanager
def progress_bar(shown, total, unit):
    """Yield a function to call with the number of units done; silent unless `shown`."""
    if not shown:
        yield lambda n_done: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError(
            'A progress bar needs tqdm: pip install "sklearn_cvtest[progress]".'
        ) from None
    with tqdm(total=total, unit=unit) as bar:
        yield bar.update
