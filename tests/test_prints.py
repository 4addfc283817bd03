"""Random prints: short, and each decision in them the one that was made.

What is printed is read back, and held against the frame, the best set, JSON and the
tables for papers.
"""

import re

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    EquivalenceTest,
    HoldoutTTest,
    RepeatedSubsample,
    compare_cv_results,
    compare_estimators,
    compare_predictions,
    compare_scores,
)

LIMITS = {2: 12, 8: 20}  # lines
WIDTH, WORDS = 88, 120
P = re.compile(r"\s(?:[<≤] ?)?(\d\.\d{3}|\d\.\de-\d\d)$")


def predictions(names, better, rng, options):
    y = rng.integers(0, 2, 200)
    right = {name: rng.random(200) < 0.7 + 0.25 * gain for name, gain in better}
    given = {name: np.where(is_right, y, 1 - y) for name, is_right in right.items()}
    return compare_predictions(y, given, **options)


def examples(names, better, rng, options):
    base = rng.normal(size=100)
    noise = {name: 0.2 * rng.normal(size=100) + 0.1 * gain for name, gain in better}
    return compare_scores({n: base + e for n, e in noise.items()}, **options)


def folds(names, better, rng, options):
    scores = {n: 0.8 + 0.05 * gain + 0.02 * rng.normal(size=10) for n, gain in better}
    return compare_cv_results(scores, cv=10, **options)


def fits(names, better, rng, options):
    X = rng.normal(size=(80, 4))
    y = X[:, 0] + rng.normal(size=80)
    models = {name: Ridge(10 ** (4 * gain)) for name, gain in better}
    cv = BlockKFold(5, n_repeats=int(rng.integers(1, 4)), random_state=0)
    return compare_estimators(models, X, y, cv=cv, **options)


def drawn(seed):
    """Return a random comparison of two to eight models."""
    rng = np.random.default_rng(seed)
    names = [f"m{i}" for i in range(rng.integers(2, 9))]
    options = {"reference": "m0"} if rng.random() < 0.3 else {}
    if rng.random() < 0.3:
        adjustments = "holm", "bonferroni", "max-t", None
        options["p_adjust"] = adjustments[rng.integers(4)]
    gains = rng.choice([0, 0.3, 1.0]) * rng.random(len(names))
    how = (predictions, examples, folds, fits)[rng.integers(4)]
    return how(names, list(zip(names, gains, strict=True)), rng, options)


def marked(lines):
    """Return {model: whether its line has a dagger, the line}."""
    found = {}
    for line in lines:
        name = re.search(r"\bm\d\b", line)
        if name and name[0] not in found:
            found[name[0]] = "†" in line or "dag" in line, line.rstrip()
    return found


def check(result):
    text, names = str(result), result.estimator_names
    lines = text.splitlines()
    n_lines = {k: n for k, n in LIMITS.items() if k >= len(names)}
    assert len(lines) <= min(n_lines.values()), text
    said = result.to_dict()
    first, table, *_ = text.split("\n\n")
    frame = result.to_frame()
    if len(names) == 2:
        is_significant = bool(frame["significant"][0])
        assert ("is better than" in first) == is_significant
        assert bool(said["better"]) == is_significant
        return
    shown = marked(table.splitlines()[2:])
    assert set(shown) == set(names)
    if said["family"] == "best set":
        tied = set(result.best_set().names)
    else:
        pairs = zip(frame["first"], frame["second"], frame["significant"], strict=True)
        reference = {*said["tied"], *said["better"], *said["worse"]}
        tied = {n for pair in pairs if not pair[2] for n in pair[:2] if n in reference}
        if result.reference is None:
            tied = {*said["tied"], result.best}
    for name, (is_marked, line) in shown.items():
        is_tied = name in tied and name != result.reference
        assert is_marked == is_tied, text
        p = P.search(line) if name != result.reference else None
        if p and line.count(" to ") > 1:
            assert (float(p[1]) > result.alpha) == is_tied, text
    for paper in (result.to_markdown(), result.to_latex()):
        body = re.split(r"\n\|[-:| ]+\n|\\midrule", paper)[1]
        for name, (is_marked, _) in marked(body.splitlines()).items():
            assert is_marked == shown[name][0], paper
    worse = [name for name in names if name not in tied and name != result.reference]
    assert set(worse) <= {*said["worse"], *said["better"]}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", [25, pytest.param(1000, marks=pytest.mark.slow)])
def test_prints_are_short_and_contradict_nothing(number):
    for seed in range(number):
        check(drawn(seed))


# Hard ones ---------------------------------------------------------------------------

LONG = "Pipeline(steps=[('scale', StandardScaler()), ('model', Model(depth={}))])"
EXAMPLES = HoldoutTTest()
OF_PREDICTIONS = [
    {"reference": 0},
    {"test": HoldoutTTest(alternative="greater")},
    {"test": HoldoutTTest(popmean=0.02)},
    {"test": EquivalenceTest(EXAMPLES, margin=0.1)},
    {"test": EquivalenceTest(EXAMPLES, margin=0.03, alternative="greater")},
    {"test": EquivalenceTest(EXAMPLES, margin=0.05), "groups": True, "reference": 0},
    {"groups": True, "alpha": 0.00123},
]
OF_FITS = [
    {"cv": RepeatedSubsample(15, random_state=0)},  # another design finds more
    {"cv": BlockKFold(4, n_repeats=3, random_state=0), "groups": np.arange(120) // 10},
    {"cv": 4, "groups": np.arange(120) // 15},  # few groups
    {"cv": BlockKFold(5, random_state=0), "loss": "squared_error"},
    {"test": BayesianCorrelatedTTest(rope=0.02)},
    {"scoring": ["accuracy", "roc_auc", "f1"]},
]
NAMES = [[name.format(i) for i in range(8)] for name in ("m{}", LONG)]


def named(names):
    return pytest.mark.parametrize("names", names, ids=["short", "long"])


def check_limits(result, n_models):
    """Hold a print to its lines and their length, and a report to its words."""
    names = getattr(result, "estimator_names", ())
    is_long = any(name in NAMES[1] for name in names)
    for shown in (result, *parts(result)):
        lines = str(shown).splitlines()
        most = LIMITS[n_models] * (1 + is_long)  # sentences hold whole names
        assert len(lines) <= most, str(shown)
        assert max(map(len, lines)) <= WIDTH, str(shown)
    if n_models == 2 and hasattr(result, "losses"):
        text = result.report()
        for name in names:
            text = text.replace(name, "name")
        assert len(text.split()) <= WORDS, text


def parts(result):
    """Yield what else a comparison says, of what it can say."""
    if not hasattr(result, "losses"):
        return
    calls = ("best_set",), ("winner_interval",), ("plan", 0.05)
    gate = "gate", 0.02, result.estimator_names[0]
    for name, *args in (*calls, gate):
        try:
            yield getattr(result, name)(*args)
        except (TypeError, ValueError):  # not of this test or design
            continue


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", OF_PREDICTIONS, ids=str)
@pytest.mark.parametrize("n_models", [2, 8])
@named(NAMES)
def test_hard_prints_of_predictions_are_short(options, n_models, names):
    rng, names = np.random.default_rng(0), names[:n_models]
    options = dict(options)
    if options.pop("groups", False):
        options["groups"] = rng.integers(0, 60, 240)
    if "reference" in options:
        options["reference"] = names[0]
    y = np.arange(240) // 200  # of which the most frequent class is right in 83%
    right = [rng.random(240) < 0.8 + 0.02 * i for i in range(n_models)]
    given = dict(zip(names, np.where(right, y, 1 - y), strict=True))
    check_limits(compare_predictions(y, given, **options), n_models)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", OF_FITS, ids=lambda options: "-".join(options))
@pytest.mark.parametrize("n_models", [2, 8])
@named(NAMES)
def test_hard_prints_of_fits_are_short(options, n_models, names):
    X = np.random.default_rng(1).normal(size=(120, 3))
    y = (X.sum(axis=1) > 1.4).astype(int)
    models = {
        name: DecisionTreeClassifier(max_depth=i + 1, random_state=0)
        for i, name in enumerate(names[:n_models])
    }
    check_limits(compare_estimators(models, X, y, **options), n_models)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n_models", [2, 8])
@named(NAMES)
def test_hard_prints_of_runs_are_short(n_models, names):
    rng = np.random.default_rng(0)
    base = rng.normal(size=(3, 80))
    runs = {n: base + 0.3 * rng.normal(size=(3, 80)) for n in names[:n_models]}
    result = compare_scores(runs)
    check_limits(result, n_models)
    check_limits(result.variance_table(), n_models)
