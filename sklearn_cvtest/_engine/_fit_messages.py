"""Why fits fail or are refused, and what is stored: each text whole in one function.

Whether there is something to say is decided in the modules that call these.
"""


def cannot_be_cloned(name, error):
    """Return why an estimator is refused that scikit-learn cannot clone."""
    return (
        f"{name!r} cannot be cloned: {error}. What its `fit` also takes, such as "
        "CatBoost's cat_features, can be given in `params`."
    )


def failed_fits(n_failed, n_fits, names, n_splits, reasons):
    """Return how many fits failed, of which estimators, and why."""
    return (
        f"{n_failed} of {n_fits} fits failed, by estimator: {names} (of {n_splits} "
        f"splits):\n{reasons}\nPass error_score='raise' for the traceback of the first."
    )


def foreign_array(array):
    """Return why an array of another library may have made a fit fail."""
    return (
        f". `X` is {array}, which an estimator must take as it is where scikit-learn's "
        "array_api_dispatch is on. If it does not, pass X and y as arrays of numpy, or "
        "switch that off."
    )


def fits_are_lost(n_done, n_fits):
    """Return which fits are done where none is stored."""
    return (
        f"{n_done} of {n_fits} fits are done. They are lost unless `losses` of this "
        "exception is kept; with `memory=` they would be stored."
    )


def fits_are_stored(n_done, n_fits, folder):
    """Return which fits are done where they are stored."""
    return (
        f"{n_done} of {n_fits} fits are stored in {folder!r}. The same call goes on "
        "from there."
    )


def same_validation_rows(parameter):
    """Warn of rows to stop early by that are the same in all fits."""
    return (
        f"Rows of params[{parameter!r}] are the same in all fits. If they are rows of "
        "X, models stop early by rows that they are tested on, and losses are too "
        "small. Take them from each training set: see the guide's page 'LightGBM, "
        "XGBoost and CatBoost' (docs/guide/boosting.md)."
    )
