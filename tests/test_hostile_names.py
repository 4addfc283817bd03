"""No name, of code or of a file, is obeyed by a terminal or forges a line."""

import csv
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from sklearn_cvtest import (
    BlockKFold,
    Ledger,
    compare_candidates,
    compare_estimators,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    compare_table,
    cross_val_interval,
)
from sklearn_cvtest.simulation import ArrayPopulation, replicate_losses

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


class Columns(dict):
    columns = property(list)


def proposed():
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(os.path.join(folder, "ledger"), X, Y, loss=loss)
        for name, model in MODELS.items():
            ledger.propose(name, model)
        ledger.champion()
        return ledger.history()


def benchmark():
    rows = [("d" + END, 0.8, 0.9), ("e" + END, 0.7, 0.75), ("f", 0.6, 0.7)]
    names, *values = zip(*rows, strict=True)
    table = {"dataset": names, "a" + END: values[0], "b" + END: values[1]}
    return compare_over_datasets(Columns(table), score="points" + END)


RESULTS = {
    "LedgerHistory": proposed,
    "gate": lambda: compared(loss=loss).gate(0.1, reference="a" + END),
    "plan": lambda: compared(loss=loss).plan(0.5),
    "benchmark": benchmark,
    "CVLosses": lambda: compared(loss=loss).losses,
    "CVResiduals": lambda: compared(loss=loss).losses.residuals(*TWO),
    "Comparison": lambda: compared(loss=loss),
    "of two": lambda: compared(TWO, loss=loss),
    "of scores": lambda: compared(TWO, scoring=score),
    "with a reference": lambda: compared(loss=loss, reference="a" + END),
    "MultiMetricComparison": lambda: compared(scoring=SEVERAL),
    "CrossValInterval": lambda: cross_val_interval(MODELS, X, Y, cv=FOLDS, loss=loss),
    "of metrics": lambda: cross_val_interval(MODELS, X, Y, cv=FOLDS, scoring=SEVERAL),
    "BestSet": lambda: compared(loss=loss).best_set(),
    "WinnerInterval": lambda: compared(loss=loss).winner_interval(),
    "by label": lambda: compared(loss=loss).by(np.array(["m" + END, "n"] * 30)),
    "CandidateComparison": candidates,
    "of predictions": predicted,
    "DatasetComparison": over_datasets,
    "ranks": lambda: over_datasets().ranks(),
    "Replications": replicated,
    "ReplicatedResiduals": lambda: replicated().residuals(*TWO),
}
TEXTS = {
    "repr": repr,
    "str": str,
    "report": lambda result: result.report(),
    "markdown": lambda result: result.to_markdown(),
    "latex": lambda result: result.to_latex(),
    "html": lambda result: result._repr_html_(),
}
METHODS = {
    "report": "report",
    "markdown": "to_markdown",
    "latex": "to_latex",
    "html": "_repr_html_",
}


def is_forged(text):
    """Whether a line begins with the word, and not because the one before is full."""
    lines = text.split("\n")
    return any(
        line.lstrip().startswith(WORD) and len(before) + len(line.split()[0]) < 88
        for before, line in zip(["", *lines], lines, strict=False)
    )


@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
@pytest.mark.filterwarnings("ignore")
def test_names_are_printed_on_their_line_and_visibly(make, tmp_path):
    results = [make()]
    if hasattr(results[0], "save") and not getattr(results[0], "no_file", ""):
        results[0].save(tmp_path / "file")
        results.append(type(results[0]).load(tmp_path / "file"))
    for result in results:
        for kind, text_of in TEXTS.items():
            if hasattr(result, METHODS.get(kind, "__repr__")):
                text = text_of(result)
                assert not set("\x1b\u202e\0\x85\u2028") & set(text), kind
                assert not is_forged(text), kind


class Fails(Ridge):
    def fit(self, X, y):
        raise ValueError("no" + END[1:])  # which may have lines of its own


SAID = {
    "failed fit": lambda: compared(MODELS | {"f" + END: Fails()}),
    "all fits failed": lambda: compared({"f" + END: Fails(), "g" + END: Fails()}),
    "unknown reference": lambda: compared(reference="r" + END),
    "unknown loss": lambda: compared(loss="l" + END),
    "no column": lambda: compare_table({"m" + END: [1.0, 2.0]}, score="s" + END),
    "duplicate rows": lambda: compare_table(
        {"model": ["a" + END] * 2, "fold": ["1", "1"], "score": [0.1, 0.2]}
    ),
    "no number": lambda: compare_scores({"a" + END: ["x" + END, 1], "b": [1, 2]}),
    "unknown label": lambda: predicted().gate(0.1, reference="r" + END),
}


@pytest.mark.parametrize("call", SAID.values(), ids=SAID)
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
        assert not set("\x1b\u202e\0\x85\u2028") & set(text), text
        assert not is_forged(text)


def test_the_command_prints_names_on_their_line(tmp_path):
    path = tmp_path / "table.csv"
    rows = [["model", "fold", "score"]]
    names = ["a" + END.replace("\0", ""), "b"]
    rows += [[name, str(k), str(0.5 + 0.1 * k)] for name in names for k in range(3)]
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    for options in ([], ["--reference", "x\x1b"], ["--score", "y\u202e"]):
        command = [sys.executable, "-m", "sklearn_cvtest", "compare", str(path)]
        done = subprocess.run([*command, *options], capture_output=True, text=True)
        for text in (done.stdout, done.stderr):
            assert not set("\x1b\u202e\x85\u2028") & set(text)
            assert not is_forged(text)
