"""Ledger: what is kept, what it costs, and what a kill or another process leaves."""

import dataclasses
import errno
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
import warnings
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import joblib
import numpy as np
import pytest
from common import main
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge

from sklearn_cvtest import KFoldZTest, Ledger, cross_val_losses
from sklearn_cvtest._ledger._history import read_history
from sklearn_cvtest._ledger._log import (
    Log,
    Stage,
    is_due,
    level_of,
    n_shown_of,
    standing,
)
from sklearn_cvtest._ledger._trials import ahead_of, pvalue_of
from sklearn_cvtest.results import LedgerHistory

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 4))
Y = X[:, 0] + 0.5 * X[:, 1] + 0.3 * RNG.normal(size=150)
DATA = X, Y
FIRST_COLUMN = X[:, 0].tolist()
PARTS = "shown", "sealed"
SCRIPT = """
import sys
sys.path[:0] = {tests!r}
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


@pytest.fixture(autouse=True)
def _same_seed(monkeypatch):
    monkeypatch.setattr("secrets.randbits", lambda n: 7)


@pytest.fixture(name="path")
def path_of_ledger(tmp_path):
    return str(tmp_path / "my.ledger")


def decisions(ledger):
    return [entry.decision for entry in ledger.history().entries]


# The rule ---------------------------------------------------------------------


def test_levels_add_up_to_the_budget():
    # 5/(5·6) = 1/6 of the budget for the first; after m, m/(m + 5) are spent
    assert_allclose(level_of(0, 0.06), 0.01)
    levels = level_of(np.arange(1000), 0.05)
    assert_allclose(levels.sum(), 0.05 * 1000 / 1005)


def test_the_level_of_a_confirmation_is_the_budget_of_what_follows():
    stage = Stage(0.06)
    assert_allclose(stage.level, 0.01)
    failed = stage.after(1.7, False)
    assert_allclose(failed.level, 0.06 * 5 / 42)
    assert failed.ahead == 1.7
    follows = stage.after(1.7, True)
    assert_allclose(follows.level, 0.01 / 6)
    assert follows.ahead == -np.inf


def budget_of_all(stage, depth):
    """Return the largest sum of levels of tests whose confirmation is an error.

    Each test has either a true null hypothesis, and counts with its level, or a false
    one, and what follows its confirmation counts.
    """
    if depth == 0:
        return 0.0
    at_this = max(stage.level, budget_of_all(stage.after(2.0, True), depth - 1))
    return at_this + budget_of_all(stage.after(2.0, False), depth - 1)


def test_no_series_of_hypotheses_has_more_than_the_budget():
    assert 0.03 < budget_of_all(Stage(0.05), 12) <= 0.05


def test_a_test_is_due_at_one_and_a_half_and_then_further_ahead():
    assert is_due(1.5, -np.inf)
    assert not is_due(1.4, -np.inf)
    assert not is_due(2.1, 1.7)
    assert is_due(2.2, 1.7)
    assert [n_shown_of(k) for k in (3, 5, 10)] == [1, 2, 4]


def test_standing_is_in_standard_errors_beyond_the_margin():
    gains = np.array([1.0, 2.0, 3.0])  # mean 2, standard error 1/√3 = 0.577
    assert_allclose(standing(gains), 2 * 3**0.5)
    assert_allclose(standing(gains, 1.5), 0.5 * 3**0.5)
    assert standing(np.zeros(3)) == 0
    assert standing(np.full(3, 0.1)) == np.inf
    assert standing(np.full(3, -0.1)) == -np.inf


def test_the_first_is_confirmed_and_then_what_is_better(path):
    ledger = Ledger(path, X, Y)
    assert ledger.working_ is None
    first = ledger.propose("mean", DummyRegressor())
    assert (first.decision, first.level) == ("confirmed", 0)
    better = ledger.propose("line", LinearRegression())
    assert better.decision == "confirmed"
    assert_allclose(better.level, level_of(0, 0.05))
    worse = ledger.propose("shift", Shifted(3.0))
    assert worse.decision == "discarded"
    assert worse.shown_gain < 0
    assert worse.level == 0
    assert ledger.working_ == ledger.confirmed_ == better
    assert_allclose(ledger.history().stage.level, better.level / 6)


def test_what_is_better_on_shown_rows_only_is_working(path):
    """It is tested again only when it is half a standard error further ahead."""
    ledger = Ledger(path, X, Y, alpha=0.06)
    first = ledger.propose("first", Shifted(0.0))
    a = ledger.propose("a", Oracle.of(ledger, 0.1))
    assert a.decision == "working"
    assert_allclose(a.level, level_of(0, 0.06))
    again = ledger.propose("hardly more", Oracle.of(ledger, 0.101))
    assert (again.decision, again.level) == ("working", 0)
    assert 1.5 < again.ahead < a.ahead + 0.5
    assert ledger.working_ == again
    assert ledger.confirmed_ == first


class Oracle(RegressorMixin, BaseEstimator):
    """Knows part of the target of some rows, and nothing of others: it overfits."""

    def __init__(self, known, bonus):
        self.known = known
        self.bonus = bonus

    @classmethod
    def of(cls, ledger, bonus):
        """Return one that knows the shown rows of a ledger."""
        return cls(X[rows_of(ledger, "shown"), 0].tolist(), bonus)

    def fit(self, X, y):
        return self

    def predict(self, X):
        known = np.isin(X[:, 0], self.known)
        truth = dict(zip(FIRST_COLUMN, Y, strict=True))
        target = np.array([truth[x] for x in X[:, 0]])
        return np.where(known, X[:, 0] + self.bonus * (target - X[:, 0]), X[:, 0])


def rows_of(ledger, part):
    return np.concatenate([test for _, test in ledger._trials.splits[part]])


def losses_of(ledger, part, *models):
    return [ledger._trials.losses(part, "m", model) for model in models]


def test_the_p_value_is_that_of_the_test_on_the_sealed_folds(path):
    ledger = Ledger(path, X, Y, reserve=0.0, cv=5, loss="absolute_error")
    models = {"mean": DummyRegressor(), "ridge": Ridge(500.0)}
    splits = ledger._trials.splits["shown"] + ledger._trials.splits["sealed"]
    losses = cross_val_losses(models, X, Y, cv=splits, loss="absolute_error")
    e = losses.residuals("mean", "ridge").values.reshape(5, 30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of heavy tails, as the ledger is silent
        test = KFoldZTest(alternative="greater", popmean=0.1).fit(e[2:])
    shown, sealed = (losses_of(ledger, p, *models.values()) for p in PARTS)
    assert_allclose(pvalue_of(*sealed, 0.1), test.pvalue_)
    assert_allclose(ahead_of(*shown, 0.1), standing(e[:2].ravel(), 0.1))


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.DependentRowsWarning")
def test_groups_count_in_the_test_and_in_the_look(path):
    """Rows that are there three times, as groups, are no more than once."""
    whole, y, groups = np.repeat(X, 3, axis=0), np.repeat(Y, 3), np.arange(450) // 3
    ledger = Ledger(path, whole, y, groups=groups, reserve=0.3)
    found, looks = [], []
    for given in (groups, None):
        ledger._trials.arguments["groups"] = given
        models = DummyRegressor(), Ridge(500.0)
        shown, sealed = (losses_of(ledger, part, *models) for part in PARTS)
        found.append([ahead_of(*shown), pvalue_of(*sealed, 0.0)])
        looks.append(ledger._trials.look("m", DummyRegressor(), 0.95))
    assert found[1][0] > 1.6 * found[0][0]  # √3, of three times as many rows
    assert found[1][1] < 0.5 * found[0][1]
    assert looks[0].standard_error_ > 1.5 * looks[1].standard_error_


def test_a_margin_is_asked_for_by_the_test(path):
    ledger = Ledger(path, X, Y, margin=100.0)
    ledger.propose("mean", DummyRegressor())
    entry = ledger.propose("line", LinearRegression())
    assert (entry.decision, entry.level) == ("working", 0)
    assert entry.ahead < 0


def test_rounding_is_no_gain(path):
    (losses,) = losses_of(Ledger(path, X, Y), "sealed", Ridge())
    other = dataclasses.replace(losses, losses=losses.losses * (1 + 1e-15))
    assert ahead_of(other, losses) == 0
    assert pvalue_of(other, losses, 0.0) == 1


def test_the_reserve_is_in_no_split_and_groups_stay_whole(path):
    groups = np.arange(150) // 3
    ledger = Ledger(path, X, Y, groups=groups)
    splits = [s for part in ledger._trials.splits.values() for s in part]
    parts = [test for _, test in splits]
    assert sorted(np.concatenate(parts).tolist()) == list(range(150))
    assert not any(set(train) & set(parts[-1]) for train, _ in splits)
    of_parts = [set(groups[part]) for part in parts]
    assert sum(map(len, of_parts)) == len(set().union(*of_parts))
    ledger.propose("mean", DummyRegressor())
    assert ledger.propose("line", LinearRegression()).decision == "confirmed"


def test_scores_keep_their_sign(path):
    ledger = Ledger(path, X, Y, scoring="neg_root_mean_squared_error")
    with joblib.parallel_config("threading", n_jobs=2):
        ledger.propose("mean", DummyRegressor())
        entry = ledger.propose("line", LinearRegression())
    assert entry.decision == "confirmed"
    assert 0 < entry.shown_value < 1  # the RMSE, as it is printed
    assert entry.shown_gain > 0
    low, high = ledger.champion().interval_
    assert -1 < low < high < 0


def test_classes_are_stratified_and_scores_of_splits_rows_of(path):
    labels = np.quantile(Y, 0.8) < Y
    ledger = Ledger(path, X, labels, cv=5, scoring=lambda m, X, y: m.score(X, y))
    folds = ledger._trials.splits["shown"] + ledger._trials.splits["sealed"]
    assert {labels[test].sum() for _, test in folds} <= {4, 5}
    ledger.propose("none", DummyClassifier())
    entry = ledger.propose("line", LogisticRegression())
    assert entry.decision in ("working", "confirmed")
    assert entry.shown_value > 0.7


def test_the_seed_is_drawn_and_kept(path, monkeypatch):
    monkeypatch.undo()
    one, again, other = (
        rows_of(Ledger(f"{path}{n}", X, Y), "reserve").tolist() for n in (1, 1, 2)
    )
    assert one == again
    assert one != other
    assert "seed" not in json.dumps(proposed(path).to_dict())


def proposed(path):
    ledger = Ledger(path, X, Y)
    ledger.propose("first", Ridge(alpha=0.123))
    return ledger.history()


def test_values_of_parameters_are_not_in_the_file(path):
    proposed(path)
    assert "0.123" not in Path(path).read_text()
    (entry,) = read_history(path).entries
    assert entry.params.keys() == {"estimator", *Ridge().get_params()}
    assert os.stat(path).st_mode & 0o777 == 0o600


# What a program in a loop does wrong ------------------------------------------


def test_the_same_proposal_is_not_fitted_again(path, tmp_path):
    log = tmp_path / "log"
    ledger = Ledger(path, X, Y)
    entry = ledger.propose("a", Shifted(0.0, str(log)))
    n_fits = len(log.read_text().split())
    assert ledger.propose("a", Shifted(0.0, str(log))) == entry
    assert ledger.propose("other name", Shifted(0.0, str(log))) == entry
    assert len(log.read_text().split()) == n_fits == 10
    assert decisions(ledger) == ["confirmed"]


def test_a_name_stands_for_one_proposal(path):
    ledger = Ledger(path, X, Y)
    ledger.propose("a", Shifted(0.0))
    with pytest.raises(ValueError, match="`name` must be a new name"):
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
    assert re.search(reason, entry.advice)
    assert ledger.confirmed_.name == "a"
    assert ledger.propose("bad", Shifted(1.0, fault=fault)).number == 4
    assert "failed" in str(ledger.history())


def test_an_estimator_with_another_loss_is_refused(path):
    labels = np.round(Y)
    ledger = Ledger(path, X, labels)
    ledger.propose("numbers", Ridge())
    with pytest.raises(TypeError, match="`estimator` has another loss, 'zero_one'"):
        ledger.propose("labels", DummyClassifier())
    assert decisions(ledger) == ["confirmed"]


def test_other_data_splits_loss_or_levels_are_refused(path):
    Ledger(path, X, Y)
    others = {"cv": 5, "alpha": 0.1, "margin": 0.1, "budget": 3}
    others |= {"loss": "absolute_error", "groups": np.arange(150) // 3}
    for name, value in others.items():
        with pytest.raises(ValueError, match=f"`{name}` must be as in the ledger"):
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


def test_hashes_show_which_parameters_differ(path):
    ledger, models = Ledger(path, X, Y), [Ridge(1.0), Ridge(0.5, max_iter=9), Lasso()]
    old, new, other = (ledger.propose(f"{model}", model).params for model in models)
    assert {name for name in old if old[name] != new[name]} == {"alpha", "max_iter"}
    assert other["estimator"] != old["estimator"] == new["estimator"]


# The reserve ------------------------------------------------------------------


def test_looks_at_the_reserve_are_few_and_wider(path):
    ledger = Ledger(path, X, Y, budget=1)
    with pytest.raises(ValueError, match="has no champion yet, or no `reserve`"):
        ledger.champion()
    ledger.propose("mean", DummyRegressor())
    look = ledger.champion()
    assert look.confidence_level == 0.95
    again = Ledger(path, X, Y, budget=1).champion()  # free, and without the estimator
    assert again.interval_ == look.interval_
    ((seen, unseen),) = ledger._trials.splits["reserve"]
    found = (Y[unseen] - Y[seen].mean()) ** 2
    assert_allclose(look.estimate_, found.mean())
    ledger.propose("line", LinearRegression())
    with pytest.raises(ValueError, match="`budget` must be larger"):
        ledger.champion()


def test_the_champion_of_another_process_must_be_proposed_again(path, tmp_path):
    log = tmp_path / "log"
    Ledger(path, X, Y).propose("a", Shifted(0.0, str(log)))
    ledger = Ledger(path, X, Y)
    with pytest.raises(ValueError, match="Propose 'a' again"):
        ledger.champion()
    ledger.propose("a", Shifted(0.0, str(log)))
    assert len(log.read_text().split()) == 10
    assert ledger.champion().confidence_level == 0.99


def test_without_a_reserve_there_is_no_look(path):
    ledger = Ledger(path, X, Y, reserve=0)
    ledger.propose("mean", DummyRegressor())
    with pytest.raises(ValueError, match="no champion yet, or no `reserve`"):
        ledger.champion()


# Kills, damage, several processes ---------------------------------------------


def start(path, log, pause, shifts):
    code = SCRIPT.format(
        tests=[str(parent) for parent in Path(__file__).parents[:2]],
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


@pytest.mark.full
def test_a_kill_loses_a_part_at_most_and_what_is_torn_does_not_count(path, tmp_path):
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
    assert decisions(ledger)[0] == "confirmed"
    assert len(decisions(ledger)) == 2
    # 14 fits in all, and those of a part that the kill kept from being written down
    assert n_before >= 4
    assert 14 <= len(log.read_text().split()) <= 20


@pytest.fixture(name="log")
def log_of_records(path):
    return written(path, [{"a": number} for number in range(3)])


def written(path, records):
    log = Log(path, defaultdict(lambda: lambda **record: None))
    for record in records:
        with log.locked():
            log.append(**{"kind": "a"} | record)
    return log


def read(path):
    found = []
    with Log(path, {"a": lambda **record: found.append(record)}).locked("rb"):
        return found


def test_a_file_cut_at_any_byte_holds_the_whole_lines(path, log):
    """Also if a line lacks its newline; and what is written next is read, too."""
    whole = Path(path).read_bytes()
    first, *ends = [n for n, byte in enumerate(whole) if byte == ord("\n")]
    for end in range(first, len(whole) + 1):
        Path(path).write_bytes(whole[:end])
        n_lines = sum(end >= place for place in ends)
        assert read(path) == [{"a": number} for number in range(n_lines)]
        written(path, [{"b": end}])
        assert read(path)[n_lines:] == [{"b": end}]
        assert Path(path).read_bytes().count(b"\n") == n_lines + 2
    for end in range(1, first):  # a first line that is none of ours
        Path(path).write_bytes(whole[:end])
        with pytest.raises(ValueError, match="must be an intact ledger file"):
            written(path, [{"b": 0}])
        assert Path(path).read_bytes() == whole[:end]


def test_a_ledger_cut_in_any_line_goes_on(path):
    ledger = Ledger(path, X, Y, cv=3)
    ledger.propose("mean", DummyRegressor())
    whole = Path(path).read_bytes()
    ends = np.cumsum([len(line) for line in whole.splitlines(keepends=True)])
    for end in [0, *ends[:-1], *(ends - 1), *(ends[1:] - 40)]:
        Path(path).write_bytes(whole[:end])
        ledger = Ledger(path, X, Y, cv=3)
        assert ledger.propose("mean", DummyRegressor()).decision == "confirmed"


def copied(path):
    other = path.with_suffix(".copy")
    other.write_bytes(path.read_bytes())
    other.replace(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-40]),
        lambda path: path.write_bytes(b"x" * len(path.read_bytes())),
        lambda path: path.write_bytes(path.read_bytes() + b"more\n"),
        copied,
        lambda path: path.rename(f"{path}2"),
        lambda path: path.unlink(),
    ],
    ids=["shorter", "overwritten", "longer", "replaced", "moved", "gone"],
)
def test_a_file_that_is_another_one_ends_the_call(path, change):
    ledger, path = Ledger(path, X, Y), Path(path)
    ledger.propose("a", Shifted(1.0))
    change(path)
    left = path.read_bytes() if path.exists() else None
    for call in (
        lambda: ledger.propose("b", Shifted(0.5)),
        lambda: ledger.champion(),
        lambda: ledger.working_,
    ):
        with pytest.raises((ValueError, FileNotFoundError), match="ledger"):
            call()
    assert (path.read_bytes() if path.exists() else None) == left


def test_a_full_disk_is_an_error_of_the_file(path, monkeypatch):
    """Half a line is written; it costs the proposal nothing, and it is tried again."""
    ledger = Ledger(path, X, Y)
    ledger.propose("a", Shifted(0.0))
    before = Path(path).read_bytes()
    append = Log.append

    class Full:
        def __init__(self, file):
            self.file, self.room = file, 100

        def __getattr__(self, name):
            return getattr(self.file, name)

        def write(self, data):
            if not self.room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            n_written, self.room = self.file.write(data[: self.room]), 0
            return n_written

    def append_to_full(log, **record):
        log._file = Full(log._file)
        append(log, **record)

    monkeypatch.setattr(Log, "append", append_to_full)
    with pytest.raises(OSError, match="No space left"):
        ledger.propose("b", Shifted(1.0))
    monkeypatch.undo()
    assert Path(path).read_bytes().startswith(before)  # and then half a line
    assert ledger.propose("b", Shifted(1.0)).decision == "discarded"
    assert [e.name for e in Ledger(path, X, Y).history().entries] == ["a", "b"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_what_is_no_regular_file_is_refused():
    with pytest.raises(ValueError, match="must be the path of a regular file"):
        Ledger("/dev/full", X, Y)


START = {"kind": "start", "seed": 1, "alpha": 0.05}
ENTRY = {"kind": "entry", "key": "k", "params": {}, "number": 1, "name": "a"}


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([{"kind": "_class__"}], id="other kind"),
        pytest.param([{"kind": "start"}], id="a setting too few"),
        pytest.param([START | {"alpha": "much"}], id="a word for a number"),
        pytest.param([START, ENTRY | {"code": ""}], id="an entry of other fields"),
        pytest.param(
            [
                START,
                {"kind": "found", "part": "shown", "key": "k", "saved": [{}, {}]},
            ],
            id="losses",
        ),
    ],
)
def test_forged_ledgers_are_refused(path, records, capsys):
    written(path, records)
    with pytest.raises(ValueError, match="must be an intact ledger file"):
        read_history(path)
    assert main(["ledger", path]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(ValueError, match="must be"):
        Ledger(path, X, Y)


def test_deep_json_is_refused(path):
    log, text = written(path, []), b"[" * 100_000
    with log.locked():
        line = text + b" " + log._chained(text)
    Path(path).write_bytes(Path(path).read_bytes() + b"\n" + line + b"\n")
    with pytest.raises(ValueError, match="must be an intact ledger file"):
        read_history(path)


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
    with pytest.raises(ValueError, match="must be the path of a regular file"):
        Ledger(tmp_path / "fifo", X, Y)


def test_two_processes_take_turns(path, tmp_path):
    log, shifts = tmp_path / "log", [0.0, 0.5, 1.0, 1.5]
    other = start(path, log, 0.002, shifts)
    series(path, str(log), 0.002, shifts[::-1])
    assert other.wait(60) == 0
    other.stdout.close()
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
    nothing = ledger.history()
    assert nothing.entries == []
    assert "no proposal worked" in str(nothing)
    assert all(len(line.get_ydata()) == 0 for line in nothing.plot().lines)
    with pytest.raises(ValueError, match="nothing was proposed"):
        read_history(path)
    models = [DummyRegressor(), LinearRegression(), Shifted(1.0)]
    for number, model in enumerate(models):
        ledger.propose(f"m{number}", model)
    ledger.champion()
    history = ledger.history()
    assert isinstance(history, LedgerHistory)
    frame = history.to_frame()
    assert frame["decision"].tolist() == ["confirmed", "confirmed", "discarded"]
    page, numbers = tmp_path / "page.html", tmp_path / "numbers.json"
    options = ["--html", str(page), "--json", str(numbers)]
    assert main(["ledger", path, *options]) == 0
    assert capsys.readouterr().out == f"{history}\n"
    assert main(["ledger", path, "--fail-unless-confirmed"]) == 1  # the last
    content = json.loads(numbers.read_text())
    assert content["confirmed"] == content["working"] == "m1"
    assert content["level_next"] == history.stage.level
    assert [row["name"] for row in content["proposals"]] == ["m0", "m1", "m2"]
    assert page.read_text().count("<img") == 1
    assert all(f"m{n}" in history.to_latex() for n in range(3))
    lines = history.plot().lines
    assert_allclose(lines[0].get_ydata()[:2], frame["shown_value"][:2])
    assert_allclose(lines[2].get_ydata(), frame["shown_value"][2:])


def test_an_entry_says_what_to_do_next(path):
    ledger = Ledger(path, X, Y)
    ledger.propose("mean", DummyRegressor())
    assert str(ledger.propose("line", Ridge())).startswith("confirmed: ")
    assert str(ledger.propose("off", Shifted(3.0))).endswith("go back to line")
    failed = ledger.propose("bad", Shifted(fault="raise"))
    assert str(failed).startswith("failed: RuntimeError: no good")


class FailsOn(Shifted):
    """Fails where a value is in the training set."""

    def fit(self, X, y):
        if self.shift not in X:
            raise ValueError(f"without {self.shift}")
        return self

    def predict(self, X):
        return X[:, 0]


def test_an_error_on_sealed_rows_is_known_by_its_kind(path):
    ledger = Ledger(path, X, Y)
    trials = ledger._trials
    ledger.propose("mean", DummyRegressor())
    texts = []
    for part in PARTS:
        value = float(X[trials.splits[part][0][1][0], 1])
        texts.append(ledger.propose(part, FailsOn(value)).advice)
    assert texts[0].startswith("ValueError: without")
    assert texts[1] == "ValueError"


def test_nothing_of_the_sealed_rows_is_shown(path):
    """Two targets that differ on sealed rows only give the same entry."""
    sealed, found = rows_of(Ledger(path, X, Y), "sealed"), []
    for number in range(2):
        y = Y.copy()
        y[sealed] += 0.05 * number * np.sin(np.arange(len(sealed)))
        other = Ledger(f"{path}{number}", X, y)
        other.propose("first", Shifted(0.0))
        entry = other.propose("same", Oracle.of(other, 0.1))
        found.append((str(entry), other.history().to_frame().to_csv()))
    assert found[0] == found[1]
    assert entry.level > 0
    assert entry.decision == "working"


def test_a_file_of_somebody_else_is_not_touched(tmp_path):
    other = tmp_path / "config.json"
    for text in ('{"a": 1}', "deadbeef", "two\nlines", "\n"):
        other.write_text(text)
        with pytest.raises(ValueError, match="intact ledger"):
            Ledger(other, X, Y)
        assert other.read_text() == text


def test_a_refused_argument_leaves_a_file_that_can_be_used(path):
    with pytest.raises(ValueError, match="`cv`"):
        Ledger(path, X, Y, cv=2)
    assert Ledger(path, X, Y, cv=3).working_ is None


def test_data_changed_by_the_caller_change_no_score(path):
    rows, y = X.copy(), Y.copy()
    ledger = Ledger(path, rows, y)
    ledger.propose("a", Shifted(1.0))
    expected = np.mean((X[:, 0] + 1 - Y)[rows_of(ledger, "reserve")] ** 2)
    y[:] = rows[:] = 0
    assert_allclose(ledger.champion().estimate_, expected)


def test_no_fit_is_made_under_the_lock(path):
    ledger = Ledger(path, X, Y)
    entries = []

    class Asks(Shifted):
        def fit(self, X, y):
            entries.append(Ledger(path, *DATA).confirmed_)
            return self

    ledger.propose("asks", Asks())
    ledger.champion()
    assert len(entries) == 11
    assert entries[-1].name == "asks"


def test_a_target_of_mixed_types_is_refused_by_name(tmp_path):
    y = np.array([1, "a", None] * 50, dtype=object)
    with pytest.raises((TypeError, ValueError), match="`y` must be"):
        Ledger(tmp_path / "mixed", X, y)


def test_a_record_with_an_integer_that_no_float_holds_is_refused(tmp_path):
    def write_and_read():
        log = Log(tmp_path / "log", {"number": lambda value: None})
        with log.locked():
            log.append(kind="number", value=10**400)
        with Log(tmp_path / "log", {"number": lambda value: None}).locked():
            pass

    with pytest.raises(ValueError, match="an integer of 401 digits"):
        write_and_read()


@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_equal_gains_show_no_more_than_so_many_can(margin):
    X, y = np.zeros((12, 1)), np.zeros(12)
    champion, proposal = (
        cross_val_losses(
            {"model": DummyRegressor(strategy="constant", constant=constant)},
            X, y, cv=3, loss="absolute_error",
        )
        for constant in (1.0, 0.0)
    )  # fmt: skip
    assert pvalue_of(champion, proposal, margin) == 1
    known = dataclasses.replace(champion, value_range=(0.0, 1.0))
    share = (1 - margin) / 2  # of other examples that a gain of the margin takes
    assert pvalue_of(known, proposal, margin) == pytest.approx((1 - share) ** 12)
    assert pvalue_of(champion, champion, margin) == 1


@pytest.mark.parametrize(
    ("n_proposals", "heading"), [(10, None), (12, "The last 10 proposals")]
)
def test_a_long_history_says_that_it_shows_the_last(tmp_path, n_proposals, heading):
    ledger = Ledger(tmp_path / "ledger", X, Y)
    for number in range(n_proposals):
        model = DummyRegressor(strategy="constant", constant=-1.0 - number)
        ledger.propose(f"constant {number}", model)
    history = ledger.history()
    shown, whole = str(history), history.report()
    assert ("The last" in shown) == (heading is not None)
    assert (heading or "") in shown
    assert "The last" not in whole
    assert ("constant 1 " in shown) == (heading is None)
