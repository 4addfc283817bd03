"""No name, of code or of a file, is obeyed by a terminal or forges a line."""

import csv
import inspect
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from bad_input_calls import CALLS
from bad_input_table import CASES, Bad
from common import main
from sklearn.linear_model import Ridge
from test_bad_input import call_with

from sklearn_cvtest import (
    BlockKFold,
    compare_candidates,
    compare_cv_results,
    compare_estimators,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    compare_table,
    cross_val_interval,
)
from sklearn_cvtest import results as package_results
from sklearn_cvtest.simulation import ArrayPopulation, replicate_losses

MOST_CASES = 50  # that the suite runs of a test, see conftest.py
WORD = "FORGED"
END = f"\n{WORD}\x1b[31m\u202e\x00\x85\u2028"
FOLDS = BlockKFold(4, random_state=0)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60)
MODELS = {"a" + END: Ridge(1.0), "b" + END: Ridge(30.0), "c": Ridge(300.0)}
TWO = {name: MODELS[name] for name in list(MODELS)[:2]}


def loss(y_true, y_pred):
    return (y_true - y_pred) ** 2


def score(estimator, X, y):
    return -float(np.mean((estimator.predict(X) - y) ** 2))


loss.__name__ = "loss" + END
score.__name__ = "score" + END
SEVERAL = {"s" + END: score, "r2" + END: "r2"}


def compared(models=MODELS, **options):
    return compare_estimators(models, X, Y, cv=FOLDS, **options)


def candidates():
    metric = "r2" + END
    results = {"params": [{"k" + END: value} for value in "xyz"]}
    scores = RNG.normal(size=(3, 4))
    results |= {f"split{k}_test_{metric}": scores[:, k] for k in range(4)}
    options = {"metric": metric, "n_train": 45, "n_test": 15}
    return compare_candidates(results, **options)


def predicted():
    given = {name: Y + RNG.normal(size=60) for name in MODELS}
    return compare_predictions(Y, given, loss=loss)


def over_datasets():
    return compare_over_datasets({n + END: compared(loss=loss).losses for n in "de"})


def replicated():
    population = ArrayPopulation(X, Y)
    options = {"n_samples": 30, "n_replications": 2, "random_state": 0}
    return replicate_losses(TWO, population, cv=FOLDS, loss=loss, **options)


def benchmark():
    rows = [("d" + END, 0.8, 0.9), ("e" + END, 0.7, 0.75), ("f", 0.6, 0.7)]
    names, *values = zip(*rows, strict=True)
    table = {"dataset": names, "a" + END: values[0], "b" + END: values[1]}
    return compare_over_datasets(pd.DataFrame(table), score="points" + END)


def of_runs():
    return compare_scores({name: RNG.normal(size=(5, 60)) for name in MODELS})


def of_cv_results():
    given = {name: {"test_s" + END: RNG.random(5)} for name in MODELS}
    return compare_cv_results(given, metric="s" + END, cv=5)


RESULTS = {
    "of runs": of_runs,
    "of cv results": of_cv_results,
    "pairs": lambda: compared(loss=loss).pairs(),
    "gate": lambda: compared(loss=loss).gate(0.1, reference="a" + END),
    "plan": lambda: compared(loss=loss).plan(0.5),
    "benchmark": benchmark,
    "CVLosses": lambda: compared(loss=loss).losses,
    "CVResiduals": lambda: compared(loss=loss).losses.residuals(*TWO),
    "Comparison": lambda: compared(loss=loss),
    "of two": lambda: compared(TWO, loss=loss),
    "of scores": lambda: compared(TWO, scoring=score),
    "with a reference": lambda: compared(loss=loss, reference="a" + END),
    "of metrics": lambda: compared(scoring=SEVERAL),
    "CrossValInterval": lambda: cross_val_interval(MODELS, X, Y, cv=FOLDS, loss=loss),
    "IntervalsByMetric": lambda: cross_val_interval(
        MODELS, X, Y, cv=FOLDS, scoring=SEVERAL
    ),
    "BestSet": lambda: compared(loss=loss).best_set(),
    "WinnerInterval": lambda: compared(loss=loss).winner_interval(),
    "by label": lambda: compared(loss=loss).by(np.array(["m" + END, "n"] * 30)),
    "of candidates": candidates,
    "of predictions": predicted,
    "DatasetComparison": over_datasets,
    "ranks": lambda: over_datasets().ranks(),
    "replicated": lambda: replicated()[0],
}
HIDDEN = set("\x1b\u202e\0\x85\u2028")


def check_text(text):
    """Check that a name is visible, and begins no line but where it is wrapped."""
    assert not HIDDEN & set(text), text
    lines = text.split("\n")
    for before, line in zip(["", *lines], lines, strict=False):
        is_full = len(before) + len(line.partition(" ")[0]) >= 88
        assert is_full or not line.startswith(WORD), text


@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
@pytest.mark.filterwarnings("ignore")
def test_names_are_printed_on_their_line_and_visibly(make, tmp_path):
    result = make()
    texts = [str(result), repr(result)]
    # what it gives without being asked for more
    for name, method in inspect.getmembers(type(result), inspect.isfunction):
        _, *parameters = inspect.signature(method).parameters.values()
        is_asked = any(
            p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
            for p in parameters
        )
        is_private = name.startswith("_") and name != "_repr_html_"
        if is_private or is_asked or name in ("plot", "to_dict", "letters"):
            continue
        try:
            answer = getattr(result, name)()
        except (TypeError, ValueError) as error:
            answer = str(error)
        answers = answer.values() if isinstance(answer, dict) else [answer]
        texts += [text for text in answers if isinstance(text, str)]
    if hasattr(result, "to_html"):
        result.to_html(tmp_path / "page.html")
        texts.append((tmp_path / "page.html").read_text(encoding="utf-8"))
    if hasattr(result, "save"):
        result.save(tmp_path / "file")
        loaded = type(result).load(tmp_path / "file")
        texts += [str(loaded), repr(loaded)]
    for text in texts:
        check_text(text)


@pytest.mark.filterwarnings("ignore")
def test_every_kind_of_result_is_printed():
    made = {type(make()).__name__ for make in RESULTS.values()}
    # what has no names, or gives them as data
    without = {"BaseCVTest", "ConfidenceInterval", "CorrectedTTest", "Design"}
    without |= {"Evaluation", "ModelIntervals", "PairTable"}
    assert set(package_results.__all__) - made == without


def test_every_function_escapes_the_names_that_it_is_given(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    calls = []
    for function, working in CALLS.values():
        for name, value in working.items():
            if isinstance(value, dict):
                others = [{f"{key}{END}": item for key, item in value.items()}]
            elif isinstance(value, str):
                others = [value + END]
            elif isinstance(value, list) and value and isinstance(value[0], str):
                others = [[item + END for item in value]]
            else:
                others = []
            calls += [partial(function, **working | {name: other}) for other in others]
    word = "x" + END
    for name, parameters in CASES.items():
        # numpy and scikit-learn refuse these, by what they say
        theirs = {"random_state", "rng", "test_size", "train_size"}
        for parameter in set(parameters) - theirs:
            for value in (word, [word], {word: word}, (word, word)):
                calls.append(partial(call_with, name, parameter, Bad(value)))
    texts = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for call in calls:
            try:
                result = call()
                texts += [str(result), repr(result)]
            except Exception as error:
                texts.append(str(error))
    texts += [str(warning.message) for warning in caught]
    assert len(texts) > 1000
    for text in [*texts, *capsys.readouterr()]:
        check_text(text)


class Fails(Ridge):
    def fit(self, X, y):
        raise ValueError("no" + END[1:])  # which may have lines of its own


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda: compared(MODELS | {"f" + END: Fails()}), id="failed fit"),
        pytest.param(
            lambda: compared({"f" + END: Fails(), "g" + END: Fails()}),
            id="all fits failed",
        ),
        pytest.param(lambda: compared(reference="r" + END), id="unknown reference"),
        pytest.param(lambda: compared(loss="l" + END), id="unknown loss"),
        pytest.param(
            lambda: compare_table({"m" + END: [1.0, 2.0]}, score="s" + END),
            id="no column",
        ),
        pytest.param(
            lambda: compare_table(
                {"model": ["a" + END] * 2, "fold": ["1", "1"], "score": [0.1, 0.2]}
            ),
            id="duplicate rows",
        ),
        pytest.param(
            lambda: compare_scores({"a" + END: ["x" + END, 1], "b": [1, 2]}),
            id="no number",
        ),
        pytest.param(
            lambda: predicted().gate(0.1, reference="r" + END), id="unknown label"
        ),
    ],
)
def test_errors_and_warnings_are_on_their_line_and_visible(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call()
            texts = []
        except (TypeError, ValueError) as error:
            texts = [str(error)]
    texts += [str(warning.message) for warning in caught]
    assert texts
    for text in texts:
        check_text(text)


def test_the_command_prints_names_on_their_line(tmp_path, capsys):
    path = tmp_path / "table.csv"
    rows = [["model", "fold", "score"]]
    names = ["a" + END.replace("\0", ""), "b"]
    rows += [[name, str(k), str(0.5 + 0.1 * k)] for name in names for k in range(3)]
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    for options in ([], ["--reference", "x\x1b"], ["--score", "y\u202e"]):
        main(["compare", str(path), *options])
        for text in capsys.readouterr():
            check_text(text)


def test_names_in_sentences_are_whole_and_apart_from_their_neighbours():
    y = np.tile([0, 1], 100)
    names = ["forest ", "the forest that was grown with 500 trees of depth 20"]
    result = compare_predictions(y, {names[0]: y, names[1]: np.where(y, y, 1)})
    for text in (str(result), result.report()):
        sentence = " ".join(text.split())
        assert f"forest is better than '{names[1]}' by" in sentence
