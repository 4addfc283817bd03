"""One guard for a class of defects: entry points and writers are found, not listed.

Rows that are labelled in another order are told at every entry point that takes two
objects with rows, and every file is written through one function.
"""

import ast
import inspect
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
import signatures
from sklearn.linear_model import LogisticRegression

import sklearn_cvtest as package
from sklearn_cvtest import (
    Ledger,
    RacingSearchCV,
    compare_cv_results,
    compare_estimators,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    corrected_ttest,
    cross_val_interval,
    cross_val_losses,
    prediction_interval,
)
from sklearn_cvtest.losses import concordance_index
from sklearn_cvtest.simulation import ArrayPopulation, loss_jackknife_residuals

pd = pytest.importorskip("pandas")
OF_ROWS = {
    *("X", "y", "groups", "group", "sample_weight"),
    *("a", "b", "scores", "predictions", "y_true", "y_pred"),
    *("params", "score_params", "results"),  # dicts of them
}
SEVERAL = {"results", "scores", "predictions"}  # dicts of two at least
N = 80
RNG = np.random.default_rng(0)
INDEX = pd.Index([f"row {i}" for i in range(N)])
ROWS = {
    "X": pd.DataFrame(RNG.normal(size=(N, 3)), INDEX),
    "y": pd.Series(np.arange(N) % 2, INDEX),
    "groups": pd.Series(np.arange(N) // 2, INDEX),
    "a": pd.Series(RNG.normal(size=N), INDEX),
    "b": pd.Series(RNG.normal(size=N), INDEX),
    "w": pd.Series(RNG.uniform(0.5, 2.0, N), INDEX),
}
MODELS = {"one": LogisticRegression(), "other": LogisticRegression(C=0.01)}
ONE = LogisticRegression()


def predicted(y, groups, a, b, w):
    given = {"one": (a > 0).astype(int), "other": (b > 0).astype(int)}
    options = {"groups": groups, "sample_weight": w}
    return compare_predictions(y, given, **options)


def scored(y, groups, a, b):
    given = {"one": (a > 0).astype(int), "other": (b > 0).astype(int)}
    return compare_scores(given, y_true=y, group=groups, scoring="accuracy")


def predicted_alone(y, groups, a, w):
    labels = (a > 0).astype(int)
    return prediction_interval(y, labels, groups=groups, sample_weight=w)


ENTRY_POINTS = {
    "compare_estimators": lambda X, y, groups, w: compare_estimators(
        MODELS, X, y, groups=groups, cv=4, score_params={"sample_weight": w}
    ),
    "cross_val_losses": lambda X, y, groups: cross_val_losses(
        MODELS, X, y, groups=groups, cv=4
    ),
    "cross_val_interval": lambda X, y, groups, w: cross_val_interval(
        ONE, X, y, groups=groups, cv=4, params={"sample_weight": w}
    ),
    "compare_over_datasets": lambda X, y, groups: compare_over_datasets(
        {"one": (X, y, groups), "other": (ROWS["X"], ROWS["y"])}, MODELS, cv=4
    ),
    "loss_jackknife_residuals": lambda X, y, groups, w: loss_jackknife_residuals(
        MODELS, X, y, groups=groups, params={"sample_weight": w}
    ),
    "ArrayPopulation": lambda X, y: ArrayPopulation(X, y),
    "RacingSearchCV.fit": lambda X, y, groups, w: RacingSearchCV(
        ONE, {"C": [0.1, 1.0]}, cv=5
    ).fit(X, y, groups=groups, sample_weight=w),
    "Ledger": lambda X, y, groups: Ledger("ledger", X, y, groups=groups),
    "compare_predictions": predicted,
    "prediction_interval": predicted_alone,
    "compare_scores": scored,
    "compare_cv_results": lambda a, b: compare_cv_results({"one": a, "other": b}, cv=N),
    "concordance_index": lambda y, a, w: concordance_index(y, a, sample_weight=w),
    "corrected_ttest": lambda a, b: corrected_ttest(a, b, n_train=90, n_test=10),
}


def found_entry_points():
    """Yield what is public and takes two objects with rows at least."""
    for name, item in signatures.public_callables():
        try:
            taken = OF_ROWS & set(inspect.signature(item).parameters)
        except (TypeError, ValueError):
            continue
        if len(taken) > 1 or taken & SEVERAL:
            yield name


def test_every_entry_point_is_held_by_this_test():
    assert set(found_entry_points()) == ENTRY_POINTS.keys()


def said_of(call, rows):
    """Return what an entry point says of another order, as a warning or an error."""
    Path("ledger").unlink(missing_ok=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call(**rows)
            texts = [str(w.message) for w in caught]
        except ValueError as error:
            texts = [str(error)]
    return [text for text in texts if "another order" in text]


@pytest.mark.parametrize("call", ENTRY_POINTS.values(), ids=ENTRY_POINTS)
def test_rows_in_another_order_are_told(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = {name: ROWS[name] for name in inspect.signature(call).parameters}
    assert not said_of(call, rows)
    for part in list(rows)[1:]:  # the first would be all others
        assert said_of(call, rows | {part: rows[part].sample(frac=1, random_state=0)})


WRITERS = {"write_text", "write_bytes", "save", "savez", "savez_compressed", "dump"}
ALLOWED = {
    "_store/_array_files.py": "the one function, and that which opens for appending",
    "_ledger/_trials.py": "in a temporary folder",
    "_display/_page_pictures.py": "into memory",
}


def writes(tree):
    """Yield calls that open a file for writing, or write one."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        modes = [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "mode")]
        mode = "".join(str(getattr(m, "value", "")) for m in modes)
        if name in ("open", "fdopen") and re.fullmatch("[rwaxbt+]*[wax+][bt+]*", mode):
            yield name
        if name in {"savefig", "tofile", "touch", *WRITERS} - {"save", "dump"}:
            yield name
        owner = getattr(getattr(node.func, "value", None), "id", "")
        if name in ("save", "dump") and owner in ("np", "json", "joblib", "pickle"):
            yield name


def test_every_file_is_written_by_one_function():
    folder = Path(package.__file__).parent
    found = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if list(writes(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert found <= ALLOWED.keys()
    assert "_store/_array_files.py" in found


def saved(path):
    compare_scores({"a": [1.0, 2, 3, 5], "b": [2.0, 2, 4, 4]}).save(path)


def as_page(path):
    compare_scores({"a": [1.0, 2, 3, 5], "b": [2.0, 2, 4, 4]}).to_html(path)


def as_json(path):
    compare_scores({"a": [1.0, 2, 3, 5], "b": [2.0, 2, 4, 4]}).to_json(path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("write", [saved, as_page, as_json])
def test_a_file_of_another_kind_is_not_replaced(write, tmp_path):
    path = tmp_path / "file"
    path.write_text("fold,score\n0,0.5\n")
    with pytest.raises(ValueError, match="something else"):
        write(path)
    assert path.read_text() == "fold,score\n0,0.5\n"
    path.write_text("")
    write(path)
    write(path)
    assert path.stat().st_size > 20
    assert [item.name for item in tmp_path.iterdir()] == ["file"]
