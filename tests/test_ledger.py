"""Ledger: what is kept, what it costs, and what a kill or another process leaves."""

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import joblib
import numpy as np
import pytest
from common import main
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_cvtest import IntegratedRhoTest, Ledger, cross_val_losses
from sklearn_cvtest._ledger._rule import is_promising, level_of
from sklearn_cvtest.results import LedgerHistory

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 4))
Y = X[:, 0] + 0.5 * X[:, 1] + 0.3 * RNG.normal(size=150)
FIRST_COLUMN = X[:, 0].tolist()
SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import test_ledger
print("ready", flush=True)
test_ledger.series({path!r}, {log!r}, {pause!r}, {shifts!r})
"""


class Shifted(RegressorMixin, BaseEstimator):
    """Predicts the first column with an error; notes each fit in a file."""

    def __init__(self, shift=0.0, log=None, pause=0.0, fault=None):
        self.shift = shift
        self.log = log
        self.pause = pause
        self.fault = fault

    def fit(self, X, y):
        time.sleep(self.pause)
        if self.fault == "raise":
            raise RuntimeError("no good")
        if self.log:
            with open(self.log, "a") as file:
                file.write(f"{self.shift:g}\n")
        return self

    def predict(self, X):
        y_pred = X[:, 0] + self.shift
        return np.full(len(X), np.nan) if self.fault == "nan" else y_pred


def series(path, log, pause, shifts):
    ledger = Ledger(path, X, Y)
    for shift in shifts:
        ledger.propose(f"shift {shift:g}", Shifted(shift, log, pause))


@pytest.fixture(name="path")
def path_of_ledger(tmp_path):
    return str(tmp_path / "my.ledger")


def decisions(ledger):
    return [entry.decision for entry in ledger.history().entries]


# The rule ---------------------------------------------------------------------


def test_levels_add_up_to_alpha():
    # 5/(5·6) = 1/6 of alpha for the first; after m, m/(m + 5) of alpha are spent
    assert_allclose(level_of(0, 0.06), 0.01)
    levels = level_of(np.arange(1000), 0.05)
    assert_allclose(levels.sum(), 0.05 * 1000 / 1005)


def test_the_look_asks_for_standard_errors_beyond_the_margin():
    gains = np.array([1.0, 2.0, 3.0])  # mean 2, standard error 1/√3 = 0.577
    assert is_promising(gains, 1.5)  # 0.87 standard errors, above 0.84
    assert not is_promising(gains, 1.6)
    assert not is_promising(np.zeros(3))


def test_the_first_is_kept_and_then_what_is_better(path):
    ledger = Ledger(path, X, Y)
    first = ledger.propose("mean", DummyRegressor())
    assert (first.decision, first.champion, first.n_fits) == ("keep", None, 10)
    better = ledger.propose("line", LinearRegression())
    assert (better.decision, better.champion, better.n_fits) == ("keep", "mean", 10)
    worse = ledger.propose("shift", Shifted(3.0))
    assert (worse.decision, worse.champion, worse.n_fits) == ("discard", "line", 2)
    assert worse.shown_gain < 0
    assert ledger.history().spent == 0  # what is kept, or not tested, costs nothing


def test_what_is_tested_and_not_kept_costs_its_level(path):
    ledger = Ledger(path, X, Y, alpha=0.06)
    ledger.propose("first", Shifted(0.0))
    for number, name in enumerate(["a", "b"]):
        entry = ledger.propose(name, Oracle.of(ledger, 0.1 + 0.1 * number))
        assert (entry.decision, entry.n_fits) == ("undecided", 10)
        assert_allclose(entry.level, level_of(number, 0.06))
    assert_allclose(ledger.history().spent, 0.06 * 2 / 7)


class Oracle(RegressorMixin, BaseEstimator):
    """Knows part of the target of some rows, and nothing of others: it overfits."""

    def __init__(self, known, bonus):
        self.known = known
        self.bonus = bonus

    @classmethod
    def of(cls, ledger, bonus):
        """Return one that knows the shown rows of a ledger."""
        trials = ledger._trials
        shown = np.concatenate([test for _, test in trials.splits[: trials.n_shown]])
        return cls(trials.parts[0][shown, 0].tolist(), bonus)

    def fit(self, X, y):
        return self

    def predict(self, X):
        known = np.isin(X[:, 0], self.known)
        truth = dict(zip(FIRST_COLUMN, Y, strict=True))
        target = np.array([truth[x] for x in X[:, 0]])
        return np.where(known, X[:, 0] + self.bonus * (target - X[:, 0]), X[:, 0])


def test_the_p_value_is_that_of_the_test_on_the_sealed_folds(path):
    ledger = Ledger(path, X, Y, reserve=0.0, cv=5)
    trials, models = ledger._trials, {"mean": DummyRegressor(), "ridge": Ridge(500.0)}
    fits = {
        name: dict(trials.fit(trials.plan(name, model), range(5), None))
        for name, model in models.items()
    }
    losses = cross_val_losses(models, X, Y, cv=trials.splits)
    e = losses.residuals("mean", "ridge").values.reshape(5, 30)
    test = IntegratedRhoTest(alternative="greater", popmean=0.1).fit(e[1:])
    found = trials.pvalue(fits["mean"], fits["ridge"], 0.1)
    assert_allclose(found, test.pvalue_)


def test_a_margin_is_asked_for(path):
    ledger = Ledger(path, X, Y, margin=100.0)
    ledger.propose("mean", DummyRegressor())
    assert ledger.propose("line", LinearRegression()).decision == "discard"


def test_the_reserve_is_in_no_split_and_groups_stay_whole(path):
    groups = np.arange(150) // 3
    ledger = Ledger(path, X, Y, groups=groups)
    trials = ledger._trials
    parts = [trials.open[test] for _, test in trials.splits] + [trials.reserve]
    assert sorted(np.concatenate(parts).tolist()) == list(range(150))
    of_parts = [set(groups[part]) for part in parts]
    assert sum(map(len, of_parts)) == len(set().union(*of_parts))
    ledger.propose("mean", DummyRegressor())
    assert ledger.propose("line", LinearRegression()).decision == "keep"


def test_scores_keep_their_sign(path):
    ledger = Ledger(path, X, Y, scoring="neg_root_mean_squared_error", n_jobs=2)
    with joblib.parallel_config("threading"):
        ledger.propose("mean", DummyRegressor())
        entry = ledger.propose("line", LinearRegression())
    assert entry.decision == "keep"
    assert -1 < entry.shown_value < 0
    assert entry.shown_gain > 0
    low, high = ledger.champion().interval_
    assert -1 < low < high < 0


# What a program in a loop does wrong ------------------------------------------


def test_the_same_proposal_is_not_fitted_again(path, tmp_path):
    log = tmp_path / "log"
    ledger = Ledger(path, X, Y)
    entry = ledger.propose("a", Shifted(0.0, str(log)))
    n_fits = len(log.read_text().split())
    assert ledger.propose("a", Shifted(0.0, str(log))) == entry
    assert ledger.propose("other name", Shifted(0.0, str(log))) == entry
    assert len(log.read_text().split()) == n_fits == 10
    assert decisions(ledger) == ["keep"]


def test_a_name_stands_for_one_proposal(path):
    ledger = Ledger(path, X, Y)
    ledger.propose("a", Shifted(0.0))
    with pytest.raises(ValueError, match="`name` must be a new name; got 'a'"):
        ledger.propose("a", Shifted(1.0))


@pytest.mark.parametrize(
    ("fault", "reason"), [("raise", "no good"), ("nan", "(?i)finite|nan")]
)
def test_what_fails_costs_nothing_and_may_be_tried_again(path, fault, reason):
    ledger = Ledger(path, X, Y)
    assert ledger.propose("bad first", Shifted(0.0, fault=fault)).decision == "failed"
    ledger.propose("a", Shifted(1.0))
    entry = ledger.propose("bad", Shifted(1.0, fault=fault))
    assert (entry.decision, entry.level) == ("failed", 0)
    assert re.search(reason, entry.reason)
    assert ledger.history().champion == "a"
    assert ledger.propose("bad", Shifted(1.0, fault=fault)).seconds != entry.seconds
    assert "failed" in str(ledger.history())


def test_other_data_splits_loss_or_levels_are_refused(path):
    Ledger(path, X, Y)
    others = {"cv": 5, "alpha": 0.1, "margin": 0.1, "budget": 3, "random_state": 1}
    others |= {"loss": "absolute_error", "groups": np.arange(150) // 3}
    for name, value in others.items():
        parameter = "cv" if name == "random_state" else name
        with pytest.raises(ValueError, match=f"`{parameter}` must be as in the ledger"):
            Ledger(path, X, Y, **{name: value})
    with pytest.raises(ValueError, match="`X` must be"):
        Ledger(path, X + 1, Y)
    with pytest.raises(ValueError, match="`y` must be"):
        Ledger(path, X, Y + 1)
    Ledger(path, X.copy(), Y.copy())


@pytest.mark.parametrize("cv", ["shuffle split", "repeated", 2])
def test_only_one_run_of_folds_is_taken(path, cv):
    from sklearn.model_selection import RepeatedKFold, ShuffleSplit

    cv = {"shuffle split": ShuffleSplit(5), "repeated": RepeatedKFold()}.get(cv, cv)
    with pytest.raises(ValueError, match="`cv` must be a K-fold of at least 3 folds"):
        Ledger(path, X, Y, cv=cv)


def test_changes_of_parameters_are_named(path):
    ledger = Ledger(path, X, Y)
    ledger.propose("ridge", Ridge(1.0))
    entry = ledger.propose("less", Ridge(0.5, max_iter=9))
    assert entry.changed == ("alpha: 1.0 → 0.5", "max_iter: None → 9")
    entry = ledger.propose("line", LinearRegression())
    assert entry.changed == ("Ridge → LinearRegression",)


def test_changes_of_parts_are_named_once(path):
    ledger = Ledger(path, X, Y)
    ledger.propose("a", make_pipeline(StandardScaler(), Ridge(1.0)))
    changes = [
        ledger.propose(f"{number}", make_pipeline(*steps)).changed
        for number, steps in enumerate(
            [(StandardScaler(), Ridge(2.0)), (StandardScaler(), Lasso()), (Ridge(),)]
        )
    ]
    assert changes == [
        ("ridge__alpha: 1.0 → 2.0",),
        ("lasso: – → Lasso", "ridge: Ridge → –"),
        ("standardscaler: StandardScaler → –",),
    ]


# The reserve ------------------------------------------------------------------


def test_looks_at_the_reserve_are_few_and_wider(path):
    ledger = Ledger(path, X, Y, budget=1)
    with pytest.raises(ValueError, match="has no champion yet"):
        ledger.champion()
    ledger.propose("mean", DummyRegressor())
    look = ledger.champion()
    assert look.confidence_level == 0.95
    again = Ledger(path, X, Y, budget=1).champion()  # free, and without the estimator
    assert again.interval_ == look.interval_
    trials = ledger._trials
    found = (Y[trials.reserve] - Y[trials.open].mean()) ** 2
    assert_allclose(look.estimate_, found.mean())
    ledger.propose("line", LinearRegression())
    with pytest.raises(ValueError, match="`budget` must be large enough"):
        ledger.champion()


def test_the_champion_of_another_process_must_be_given(path):
    Ledger(path, X, Y).propose("ridge", Ridge())
    ledger = Ledger(path, X, Y)
    with pytest.raises(TypeError, match="`estimator` must be the champion, 'ridge'"):
        ledger.champion()
    with pytest.raises(ValueError, match="`estimator` must be the champion"):
        ledger.champion(Ridge(2.0))
    assert ledger.champion(Ridge()).confidence_level == 0.99


def test_without_a_reserve_there_is_no_look(path):
    ledger = Ledger(path, X, Y, reserve=0)
    ledger.propose("mean", DummyRegressor())
    with pytest.raises(ValueError, match="`reserve` must be above 0"):
        ledger.champion()
    assert "no reserve" in str(ledger.history())


# Kills, damage, several processes ---------------------------------------------


def start(path, log, pause, shifts):
    code = SCRIPT.format(
        tests=os.path.dirname(__file__),
        path=path,
        log=str(log),
        pause=pause,
        shifts=shifts,
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    return process


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_kill_loses_no_fit_and_what_is_torn_does_not_count(path, tmp_path):
    log = tmp_path / "log"
    process = start(path, log, 0.05, [0.0, 1.0])
    wait_for(lambda: log.exists() and len(log.read_text().split()) >= 4)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    n_before = len(log.read_text().split())
    with open(path, "ab") as file:
        file.write(b"0123456789abcdef {torn")
    series(path, str(log), 0.05, [0.0, 1.0])
    ledger = Ledger(path, X, Y)
    assert decisions(ledger) == ["keep", "discard"]
    # 12 fits in all, and the one that the kill may have kept from being written down
    assert n_before >= 4
    assert 12 <= len(log.read_text().split()) <= 13


def test_every_torn_end_is_read(path):
    Ledger(path, X, Y).propose("mean", DummyRegressor())
    with open(path, "rb") as file:
        whole = file.read()
    lines = whole.splitlines(keepends=True)
    ends = np.cumsum([len(line) for line in lines])
    for end in [0, 1, *ends[:-1], *(ends - 1), *(ends - 40)]:
        with open(path, "wb") as file:
            file.write(whole[:end])
        ledger = Ledger(path, X, Y)
        assert ledger.propose("mean", DummyRegressor()).decision == "keep"


@pytest.mark.parametrize("place", [40, 0.5, -40])
def test_what_was_changed_is_refused(path, place):
    Ledger(path, X, Y).propose("mean", DummyRegressor())
    with open(path, "rb") as file:
        content = bytearray(file.read())
    place = int(place * len(content)) if isinstance(place, float) else place
    content[place] ^= 1
    with open(path, "wb") as file:
        file.write(content)
    with pytest.raises(ValueError, match="must be an intact ledger file"):
        Ledger(path, X, Y)


def test_files_that_are_no_ledgers_are_refused(path, tmp_path, capsys):
    with open(path, "w") as file:
        file.write("model,fold,score\na,0,1\n")
    with pytest.raises(ValueError, match="must be an intact ledger file"):
        Ledger(path, X, Y)
    assert main(["ledger", path]) == 2
    assert main(["ledger", str(tmp_path / "none")]) == 2
    assert "No such file" in capsys.readouterr().err
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(ValueError, match="must be an intact ledger file"):
        Ledger(tmp_path / "fifo", X, Y)


def test_two_processes_take_turns(path, tmp_path):
    log, shifts = tmp_path / "log", [0.0, 0.5, 1.0, 1.5]
    processes = [start(path, log, 0.002, shifts[::way]) for way in (1, -1)]
    assert [process.wait(60) for process in processes] == [0, 0]
    for process in processes:
        process.stdout.close()
    entries = Ledger(path, X, Y).history().entries
    assert [entry.number for entry in entries] == [1, 2, 3, 4]
    assert {entry.name for entry in entries} == {f"shift {s:g}" for s in shifts}


def test_threads_with_the_same_and_other_proposals(path):
    ledger = Ledger(path, X, Y)
    ledger.propose("first", Shifted(0.0))
    jobs = [(f"shift {n % 4}", Shifted(1.0 + n % 4)) for n in range(16)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda job: ledger.propose(*job), jobs))
    assert len({entry.number for entry in found}) == 4
    assert [e.number for e in ledger.history().entries] == [1, 2, 3, 4, 5]
    assert len(Ledger(path, X, Y).history().entries) == 5


def test_a_ledger_can_be_sent_to_workers(path):
    ledger = Ledger(path, X, Y)
    ledger.propose("first", Ridge())
    sent = pickle.loads(pickle.dumps(ledger))
    assert sent.propose("second", Ridge(50.0)).number == 2
    assert ledger.propose("third", Ridge(500.0)).number == 3


# What is shown ----------------------------------------------------------------


def test_all_readers_show_the_same(path, tmp_path, capsys):
    ledger = Ledger(path, X, Y)
    with pytest.raises(ValueError, match="Nothing was proposed"):
        ledger.history()
    for number, model in enumerate(
        [DummyRegressor(), LinearRegression(), Shifted(1.0)]
    ):
        ledger.propose(f"m{number}", model)
    ledger.champion()
    history = ledger.history()
    assert isinstance(history, LedgerHistory)
    frame = history.to_frame()
    assert frame["decision"].tolist() == ["keep", "keep", "discard"]
    text = str(history)
    assert text.startswith("The champion is m1, proposal 2 of 3: 2 kept, 1 discarded")
    page, numbers = tmp_path / "page.html", tmp_path / "numbers.json"
    options = ["--html", str(page), "--json", str(numbers)]
    assert main(["ledger", path, *options]) == 1  # the last was discarded
    assert capsys.readouterr().out == f"{text}\n"
    content = json.loads(numbers.read_text())
    assert content["champion"] == "m1"
    assert [row["name"] for row in content["proposals"]] == ["m0", "m1", "m2"]
    assert page.read_text().count("<img") == 1
    assert "m1" in history.to_latex()
    assert "3 models were proposed" in history.report()
    ax = history.plot()
    assert_allclose(ax.lines[0].get_ydata()[:2], frame["shown_value"][:2])


def test_nothing_of_the_sealed_rows_is_shown(path):
    """Two targets that differ on sealed rows only give the same entry."""
    found = []
    ledger = Ledger(path, X, Y)
    sealed = np.concatenate([test for _, test in ledger._trials.splits[2:]])
    for number in range(2):
        y = Y.copy()
        y[ledger._trials.open[sealed]] += 0.05 * number * np.sin(np.arange(len(sealed)))
        other = Ledger(f"{path}{number}", X, y)
        other.propose("first", Shifted(0.0))
        entry = other.propose("same", Oracle.of(other, 0.1))
        found.append((entry.decision, entry.shown_gain, entry.level, entry.reason))
    assert found[0] == found[1]
    assert found[0][0] == "undecided"


def test_a_file_of_somebody_else_is_not_touched(tmp_path):
    other = tmp_path / "config.json"
    for text in ('{"a": 1}', "deadbeef", "two\nlines"):
        other.write_text(text)
        with pytest.raises(ValueError, match="intact ledger"):
            Ledger(other, X, Y)
        assert other.read_text() == text


def test_a_file_that_is_gone_or_shorter_ends_the_call(path):
    ledger, path = Ledger(path, X, Y), Path(path)
    ledger.propose("a", Shifted(1.0))
    whole = path.read_bytes()
    path.write_bytes(whole[:40])
    with pytest.raises(ValueError, match="shorter"):
        ledger.propose("b", Shifted(0.5))
    assert path.read_bytes() == whole[:40]
    path.unlink()
    with pytest.raises(ValueError, match="no longer there"):
        ledger.propose("b", Shifted(0.5))
    assert not path.exists()


def test_a_last_line_without_its_end_counts(path):
    Ledger(path, X, Y).propose("a", Shifted(1.0))
    path = Path(path)
    path.write_bytes(path.read_bytes()[:-1])
    ledger = Ledger(path, X, Y)
    assert ledger.history().champion == "a"
    ledger.propose("b", Shifted(2.0))
    assert [entry.name for entry in Ledger(path, X, Y).history().entries] == ["a", "b"]


def test_data_changed_by_the_caller_change_no_score(path):
    rows, y = X.copy(), Y.copy()
    ledger = Ledger(path, rows, y)
    ledger.propose("a", Shifted(1.0))
    expected = Ledger(path, X, Y).champion(Shifted(1.0)).rows()[0]["estimate"]
    y[:] = 0
    rows[:] = 0
    assert ledger.champion().rows()[0]["estimate"] == expected
