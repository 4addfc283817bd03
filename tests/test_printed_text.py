"""What people read: short, in words, and each decision in it the one that was made.

No infinity, no code, no wrong plural and no cut name is printed. What is printed is
read back, and held against the frame, the best set, JSON, papers and the picture.
"""

import re
from dataclasses import replace

import numpy as np
import pytest
from interfaces import (
    DIGITS,
    check_numbers,
    compared,
    data_of,
    drawn_forest,
    ends,
    html_tables,
    latex_tables,
    markdown_tables,
    new_axes,
    number,
    numbers_in,
    quiet,
    random_designs,
    shows,
    some_of,
    text_tables,
)
from printed_results import CANDIDATES, DATA_SETS, MANY, PAIRS, all_comparisons
from scipy.optimize import brentq
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    Comparison,
    EquivalenceTest,
    HoldoutTTest,
    KFoldTTest,
    RepeatedSubsample,
    compare_candidates,
    compare_cv_results,
    compare_estimators,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    cross_val_interval,
)

MOST_CASES = 1000  # their number of designs says what is quick
WRONG = {
    "a number that is none": r"(?<![\w-])[-−]?(?:inf|nan)(?![\w-])",
    "a name of code": r"\bneg_|<lambda>|\btest_score\b",
    "a cut name": "…",
    "a plural of one": r"(?<![\d.,–-])\b1 (?:more )?(?:example|group|model|estimator|"
    r"candidate|pair|repeat|label|proposal|split|run|comparison|positive|metric)s\b",
    "one other": r"\bthe other 1\b",
    "a long p": r"\bp [=≤<] 0\.\d{5}",
    "less than nothing": r"(?:ahead|behind|better) by [-−]",
    "a cut sentence": r"[a-z]$",
}
RNG = np.random.default_rng(4)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60)
CLASSES = (Y > 0.9).astype(int)
FOLDS = BlockKFold(3, random_state=0)
CALLS = {
    "best_set": lambda result: result.best_set(),
    "winner_interval": lambda result: result.winner_interval(),
    "plan": lambda result: result.plan(),
    "gate": lambda result: result.gate("5%", result.losses.names[0]),
    "gate of a number": lambda result: result.gate(0.02, result.losses.names[0]),
}


def words_in(text):
    """Return the sentences and the tables of a text, each on one line."""
    return " ".join(text.split())


def verdict_of(result):
    """Return the first paragraph of what is printed."""
    return words_in(str(result).split("\n\n")[0])


def answers(result):
    """Yield what a comparison answers when it is asked."""
    for call in CALLS.values():
        if isinstance(result, Comparison):
            try:
                yield call(result)
            except (TypeError, ValueError):  # not of this test, metric or design
                continue


def fitted(names="ab", **options):
    models = {name: Ridge(10.0**k) for k, name in enumerate(names)}
    return compare_estimators(models, X, Y, cv=FOLDS, **options)


def searched_models():
    models = [LogisticRegression(C=10.0**k, max_iter=7 + k) for k in range(2)]
    models += [DecisionTreeClassifier(max_depth=3, random_state=0)]
    results = {"params": [{"model": model, "seed": 1} for model in models]}
    scores = np.random.default_rng(2).normal(size=(3, 4))
    results |= {f"split{k}_test_score": scores[:, k] for k in range(4)}
    return compare_candidates(results, n_train=45, n_test=15)


def tiny():
    base = np.random.default_rng(3).normal(size=(2, 200))
    return compare_scores({"a": base[0], "b": base[0] + 1 + 0.1 * base[1]})


RESULTS = {
    "several metrics": lambda: compare_estimators(
        {"tree": DecisionTreeClassifier(random_state=0), "mean": DummyClassifier()},
        X,
        CLASSES,
        cv=FOLDS,
        scoring=["accuracy", "neg_log_loss"],
    ),
    "without variance": lambda: cross_val_interval(
        {"constant": DummyClassifier()}, X, CLASSES, cv=FOLDS, scoring="neg_log_loss"
    ),
    "a lambda": lambda: fitted(loss=lambda t, p: (t - p) ** 2),
    "a scorer": lambda: fitted(scoring=lambda m, X, y: m.score(X, y)),
    "two equal models": lambda: compare_predictions(Y, {"a": Y + 1, "b": Y + 1}),
    "two equal ones of three": lambda: compare_estimators(
        {"a": Ridge(), "b": Ridge(), "c": Ridge(100.0)}, X, Y, cv=FOLDS
    ),
    "two of few groups": lambda: fitted(groups=np.arange(60) // 12),
    "candidates that are models": searched_models,
    "two folds": lambda: compare_cv_results({"a": [0.1, 0.2], "b": [0.2, 0.4]}, cv=2),
    "tiny": tiny,
    "ranks": lambda: DATA_SETS["best"]().ranks(),
    **{
        f"{kind}: {name}": make
        for kind, makes in {
            "candidates": CANDIDATES,
            "data sets": DATA_SETS,
            "many": MANY,
            "pairs": PAIRS,
        }.items()
        for name, make in makes.items()
    },
}


def check_words(result):
    for each in (result, *answers(result)):
        for text in (words_in(str(each)), words_in(each.report())):
            for what, pattern in WRONG.items():
                assert not re.search(pattern, text), (what, text)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_people_read_words(make):
    check_words(make())


EVERY = dict(all_comparisons())


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", some_of(EVERY, 30))
def test_verdicts_agree_with_their_tables_whatever_the_options(name):
    """Who is better, by how much in the unit of the user, interval and p."""
    result = EVERY[name]()
    check_words(result)
    frame, said = result.to_frame(), verdict_of(result)
    losses = result.losses
    if losses.n_groups:
        assert f"in {losses.n_groups} groups" in words_in(str(result))
    assert not losses.cv_words or losses.cv_words in words_in(result.report())
    if len(frame) > 1 or "posterior" in str(result) or result.test.popmean:
        return
    (row,) = frame.to_dict("records")
    better = re.match(r"'?(\w+)'? is better than", said)
    if not isinstance(result.test, (EquivalenceTest, BayesianCorrelatedTTest)):
        assert (better and better[1]) == row["better"], said
        assert bool(better) == row["significant"] == (row["pvalue_adjusted"] <= 0.05)
    scale = 100 if losses.metric.is_share else 1
    amount = re.search(rf"by ({DIGITS}) (?:in|points?)\b", said)
    if amount and "within" not in said:
        assert shows(amount[1], abs(row["estimate"]), scale), said
    interval = re.search(rf"95% CI ({DIGITS}) to ({DIGITS})(?! higher)", said)
    if interval and "%" not in interval[0][4:]:
        sides = sorted(map(abs, (row["ci_low"], row["ci_high"])))
        texts = sorted((text.strip("-−") for text in interval.groups()), key=float)
        for text, side in zip(texts, sides, strict=True):
            assert shows(text, side, scale), said
    pvalue = re.search(rf"p (= {DIGITS}|< 0.001)", said)
    if pvalue:
        assert shows(pvalue[1].removeprefix("= "), row["pvalue_adjusted"]), said


# Random prints -----------------------------------------------------------------------

LIMITS = {2: 12, 8: 20}  # lines
WIDTH, WORDS = 88, 120


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
        adjustments = "holm", "bonferroni", None
        options["p_adjust"] = adjustments[rng.integers(3)]
    gains = rng.choice([0, 0.3, 1.0]) * rng.random(len(names))
    how = (predictions, examples, folds, fits)[rng.integers(4)]
    return how(names, list(zip(names, gains, strict=True)), rng, options)


ALPHA = 0.05


def is_outside(text):
    """Whether 0 is outside an interval that is printed."""
    low, high = (side_of_zero(end) for end in ends(text))
    return not low <= 0 <= high


def side_of_zero(end):
    """Return a printed number; of one too near 0 for its decimals, its side alone."""
    if end[0] in "<>":
        return 1.0 if end[0] == "<" else -1.0
    return float(end.replace("−", "-").removesuffix("%"))


def is_small(text):
    """Whether a printed p-value is significant."""
    return float(text.strip("<≤ ")) <= ALPHA  # after a sign of a bound


def check_table(table):
    """Check the last interval of each row against its p-value; return the rows."""
    (p,) = (n for n, head in enumerate(table.headers) if head == "p")
    interval = max(n for n in range(p) if "CI" in table.headers[n])
    for row in table.rows:
        if row[p] and row[interval] != "–":
            assert is_outside(row[interval]) == is_small(row[p]), row
    return [[re.sub(r"[ †*]", "", cell) for cell in row] for row in table.rows]


def check_all_that_is_shown(result):
    """Hold print, page, papers, picture, frame and JSON against each other."""
    printed = text_tables(str(result))[0]
    rows = check_table(printed)
    for tables in (
        html_tables(result._repr_html_()),
        latex_tables(result.to_latex()),
        markdown_tables(result.to_markdown()),
    ):
        assert check_table(tables[0]) == rows
    content, frame = result.to_dict(), result.to_frame()
    decisions = content["decisions"]
    is_significant = {"better": True, "worse": True, "not significant": False}
    shown = {row[0]: row for row in rows}
    assert set(shown) == set(decisions)
    marked = {row[0].split()[0] for row in printed.rows if "†" in row[0]}
    bases = [n for n, d in decisions.items() if d not in is_significant]
    tied = [n for n, d in decisions.items() if d == "not significant"]
    best = bases if result.reference is None else []
    assert marked == ({*tied, *best} if len(decisions) > 2 else set())
    drawn = {row.label: row for row in drawn_forest(result.plot(new_axes()))}
    assert not {*bases} & {*drawn}
    for name, decision in decisions.items():
        if name in bases:
            continue
        assert is_small(shown[name][5]) == is_significant[decision]
        assert drawn[name].is_filled == is_significant[decision]
        numbers = [drawn[name].estimate]
        texts = [shown[name][3]]
        if shown[name][4] != "–":
            numbers += drawn[name].intervals[0]
            texts += ends(shown[name][4].replace("to", " to "))
        for value, text in zip(numbers, texts, strict=True):
            text = text.removesuffix("%").replace("−", "-")
            assert text[0] in "<>" or shows(text, value), (name, text, value)
        assert drawn[name].texts.popitem()[1] == {"<0.001": "< 0.001"}.get(
            shown[name][5], shown[name][5]
        )
    assert len(content["rows"]) == len(frame)
    for row, of_frame in zip(content["rows"], frame.to_dict("records"), strict=True):
        for key in ("estimate", "pvalue", "pvalue_adjusted", "ci_low", "ci_high"):
            value = of_frame[key]
            assert row[key] == (value if np.isfinite(value) else None)
        assert row["significant"] == (of_frame["pvalue_adjusted"] <= result.alpha)
        if "ci_low_simultaneous" in row:
            low, high = row["ci_low_simultaneous"], row["ci_high_simultaneous"]
            is_out = (low or 0) > 0 or (high or 0) < 0  # None is no end
            assert row["significant"] == is_out
    is_about_set = "all pairs of models" in words_in(str(result))
    if is_about_set:
        assert [*best, *tied] == list(result.best_set().names)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "seeds",
    [range(25), pytest.param(range(25, 1000), marks=pytest.mark.slow)],
    ids=["few", "many"],
)
def test_prints_are_short_and_all_that_is_shown_agrees(seeds):
    for seed in seeds:
        result = drawn(seed)
        most = LIMITS[2 if len(result.losses.names) == 2 else 8]
        assert len(str(result).splitlines()) <= most, str(result)
        check_all_that_is_shown(result)


N = 120


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"groups": np.arange(N) // 4, "splits": np.arange(N) // 4 % 5},
        {"reference": "m1"},
        {"p_adjust": "bonferroni"},
        {"test": KFoldTTest(0.3)},
    ],
    ids=lambda options: "-".join(options) or "best",
)
@pytest.mark.parametrize("n_models", [2, 5, 8])
@random_designs(few=1, many=3)
def test_zero_is_outside_of_an_interval_exactly_if_significant(n_models, options, seed):
    rng = np.random.default_rng([seed, n_models])
    y = rng.normal(size=N)
    models = {f"m{i}": y + (1 + 0.12 * i) * rng.normal(size=N) for i in range(n_models)}
    options = {"loss": "absolute_error", "splits": np.arange(N) % 5} | options
    result = compare_predictions(y, models, **options)
    check_all_that_is_shown(result)
    check_table(text_tables(str(result.pairs("all")))[0])


# Hard prints ------------------------------------------------------------------------

PIPELINE = "Pipeline(steps=[('scale', StandardScaler()), ('model', Model(depth={}))])"
NAMES = [[name.format(i) for i in range(8)] for name in ("m{}", PIPELINE)]
every_name = pytest.mark.parametrize("names", NAMES, ids=["short", "long"])


def check_limits(result, n_models):
    """Hold a print to its lines and their length, and a report to its words."""
    is_long = "Pipeline" in str(result)
    for shown in (result, *answers(result)):
        lines = str(shown).splitlines()
        most = LIMITS[n_models] + 6 * n_models * is_long  # names are whole
        assert len(lines) <= most, str(shown)
        assert is_long or max(map(len, lines)) <= WIDTH, str(shown)
    if n_models == 2 and not is_long:
        assert len(result.report().split()) <= WORDS, result.report()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "options",
    [
        {"reference": 0},
        {"test": HoldoutTTest(alternative="greater")},
        {"test": HoldoutTTest(popmean=0.02)},
        {"test": EquivalenceTest(HoldoutTTest(), margin=0.1)},
        {"test": EquivalenceTest(HoldoutTTest(), margin=0.03, alternative="greater")},
        {"groups": True, "alpha": 0.00123},
    ],
    ids=str,
)
@pytest.mark.parametrize("n_models", [2, 8])
@every_name
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
@pytest.mark.parametrize(
    "options",
    [
        {"cv": RepeatedSubsample(15, random_state=0)},
        {
            "cv": BlockKFold(4, n_repeats=3, random_state=0),
            "groups": np.arange(120) // 10,
        },
        {"cv": 4, "groups": np.arange(120) // 15},  # few groups
        {"cv": BlockKFold(5, random_state=0), "loss": "squared_error"},
        {"test": BayesianCorrelatedTTest(rope=0.02)},
        {"scoring": ["accuracy", "roc_auc", "f1"]},
    ],
    ids=lambda options: "-".join(options),
)
@pytest.mark.parametrize("n_models", [2, 8])
def test_hard_prints_of_fits_are_short(options, n_models):
    X = np.random.default_rng(1).normal(size=(120, 3))
    y = (X.sum(axis=1) > 1.4).astype(int)
    models = {
        f"m{i}": DecisionTreeClassifier(max_depth=i + 1, random_state=0)
        for i in range(n_models)
    }
    check_limits(compare_estimators(models, X, y, **options), n_models)


# Sentences --------------------------------------------------------------------------


@pytest.mark.parametrize("reference", ["a", None])
@random_designs(few=3, many=20)
def test_what_is_not_significant_over_data_sets_has_no_small_p(reference, seed):
    rng = np.random.default_rng(seed)
    parts = {f"d{k}": data_of(rng, 4).compare(5) for k in range(4)}
    result = compare_over_datasets(parts, reference=reference)
    for text in map(words_in, (str(result), result.report())):
        clauses = re.findall(r"[^;.]*not significantly[^;.]*", text)
        assert clauses
        assert not re.search(r"p [=<≤]", " ".join(clauses)), clauses


@pytest.mark.parametrize("pvalue", [0.0504, 0.0496, 0.05004])
@random_designs(few=1, many=10)
def test_a_p_value_is_shown_on_its_side_of_the_level(pvalue, seed):
    data = data_of(np.random.default_rng(seed), 2)
    losses = data.losses(6)

    def shifted(by):
        return Comparison(replace(losses, values=losses.values + np.array([0.0, by])))

    found = losses.mean_losses
    tie, spread = found[0] - found[1], np.ptp(losses.values)
    result = shifted(brentq(lambda c: shifted(c).pvalue_ - pvalue, tie, tie + spread))
    assert result.pvalue_ == pytest.approx(pvalue, rel=1e-4)
    for text in map(words_in, (str(result), result.report())):
        (shown, *_) = re.findall(rf"\bp = ({DIGITS})", text)
        assert (number(shown)[0] <= 0.05) == (pvalue <= 0.05), text
        assert shown not in ("0.050", "0.05")


@random_designs(few=2, many=20)
def test_a_difference_is_that_of_the_means_beside_it(seed):
    result = compared("FiveByTwoTTest", np.random.default_rng(seed), 2)
    first, second = result.losses.mean_losses
    amount = re.search(rf"by ({DIGITS})(?: in| points)", verdict_of(result))
    shown, half = number(amount[1])
    is_first_split = "first split" in verdict_of(result)
    assert is_first_split or abs(shown - abs(first - second)) <= half + 1e-9


@pytest.mark.parametrize("popmean", [0.2, -0.2])
def test_another_value_than_zero_is_not_called_better(popmean):
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(0.9, 0.02, 10) for name in "abc"}
    for names in ("ab", "abc"):
        given = {name: scores[name] for name in names}
        result = compare_cv_results(given, cv=10, test=KFoldTTest(popmean=popmean))
        said = verdict_of(result)
        assert "better" not in said
        assert f"tested against {popmean}".replace("-", "−") in said
        assert "significant" in said


def test_a_tiny_number_does_not_lengthen_the_others():
    result = tiny()
    moved = result.gate(abs(result.to_frame()["ci_low"][0]) * (1 - 1e-9), "b")
    assert not re.search(r"\d\.\d{5}", str(moved))


def squared(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=80)
    guesses = {name: y + rng.normal(size=80) for name in "abcdefgh"}
    return compare_predictions(y, guesses, scoring="neg_mean_absolute_error")


def labels(seed, **options):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 150)
    guesses = {name: np.where(rng.random(150) < 0.2, 1 - y, y) for name in "abcdef"}
    return compare_predictions(y, guesses, **options)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("make", "unit"),
    [(squared, 1), (labels, 100), (lambda s: labels(s, scoring="accuracy"), 100)],
    ids=["errors", "error rates", "accuracies"],
)
@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("seed", range(3))
def test_the_sentence_of_a_winner_shows_its_attributes(make, unit, alpha, seed):
    result = make(seed)
    won = result.winner_interval(alpha=alpha)
    said, means = verdict_of(won), result.losses.mean_losses
    assert won.name == result.losses.names[np.argmin(means)]
    ends_of = sorted(map(abs, (won.ci_low, won.ci_high)))
    values = [abs(won.estimate), abs(won.mean), *ends_of]
    for value in values:
        assert any(shows(n, value, unit) for n in numbers_in(said)), (value, said)
    check_numbers(said, [*(unit * v for v in values), len(means), 100 * (1 - alpha)])
    assert ends_of[0] < abs(won.estimate) < ends_of[1]
    (table,) = text_tables(str(won))
    own = sorted(map(abs, (won.mean_low, won.mean_high)))
    rows = zip(table.rows, (won.mean, won.estimate), (own, ends_of), strict=True)
    for (_, mean, cell), value, interval in rows:
        assert shows(mean.rstrip("%"), abs(value), unit)
        for text, end in zip(cell.split(" to "), interval, strict=True):
            assert shows(text.rstrip("%"), end, unit)


@pytest.mark.parametrize("kind", ["errors", "scores"])
@pytest.mark.parametrize("n_models", [1, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_sentence_of_a_gate_shows_its_frame(kind, n_models, seed):
    rng = np.random.default_rng(seed)
    if kind == "errors":
        y = rng.integers(0, 2, 200)
        rates = [*[0.15] * n_models, rng.uniform(0.1, 0.5)]
        wrong = {f"m{k}": rng.random(200) < rate for k, rate in enumerate(rates)}
        given = {name: np.where(flip, 1 - y, y) for name, flip in wrong.items()}
        result, margin, unit = compare_predictions(y, given), 0.08, 100
    else:
        given = {"m0": rng.normal(size=60)}
        for k in range(n_models):
            change = rng.normal(rng.normal(0, 0.4), 1, 60)
            given[f"m{k + 1}"] = given["m0"] + change
        result, margin, unit = compare_scores(given), 0.25, 1
    with quiet():
        gate = result.gate(margin, "m0")
    frame = gate.to_frame().set_index("model")
    sentences = gate.sentences()
    assert list(frame.index) == list(sentences)
    for name, text in sentences.items():
        row = frame.loc[name]
        assert row["decision"] == gate.decisions[name]
        pvalue = row["pvalue_worse" if row["decision"] == "refuted" else
                     "pvalue_not_worse"]  # fmt: skip
        values = [unit * row[key] for key in ("estimate", "low", "high")]
        found = numbers_in(text)
        for value in [*values, unit * margin]:
            assert any(shows(n, abs(value)) for n in found), (value, text)
        assert pvalue < 0.001 or any(shows(n, pvalue) for n in found), text
        counts = [row[c] for c in ("right_to_wrong", "wrong_to_right") if c in row]
        check_numbers(text, [*values, unit * margin, pvalue, *counts, 90, 0.001])


@pytest.mark.filterwarnings("ignore")
def test_a_mark_is_explained_wherever_it_stands():
    """Where one of three failed, two are left, of which none is marked."""
    y = np.arange(60) % 2
    models = {"a": DummyClassifier(), "b": GaussianNB(), "bad": GaussianNB(priors=[2])}
    X = np.random.default_rng(0).normal(size=(60, 2))
    text = str(compare_estimators(models, X, y, error_score=np.nan))
    assert "†" not in text
    assert "Left out: bad" in words_in(text)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_equal_models_have_no_interval_among_pairs_either():
    y = np.arange(60) % 2
    a, c = y.copy(), y.copy()
    a[:5], c[:20] = 1 - a[:5], 1 - c[:20]
    result = compare_predictions(y, {"a": a, "b": a, "c": c}, splits=y.cumsum() % 5)
    for text in (str(result), str(result.pairs("all"))):
        rows = text_tables(text)[0].rows
        (row,) = [row for row in rows if "0.0" in row]
        assert "–" in row
