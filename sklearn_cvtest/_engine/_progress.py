"""An optional progress bar."""

import contextlib

__all__ = ["progress_bar"]


@contextlib.contextmanager
def progress_bar(shown, total, unit):
    """Yield a function to call with the number of units done; silent unless `shown`.

    A second argument of it is the number of units that there are in addition.
    """
    if not shown:
        yield lambda n_done, n_more=0: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError(
            'A progress bar needs tqdm: pip install "sklearn_cvtest[progress]".'
        ) from None
    with tqdm(total=total, unit=unit) as bar:

        def advance(n_done, n_more=0):
            bar.total += n_more
            bar.update(n_done)

        yield advance
