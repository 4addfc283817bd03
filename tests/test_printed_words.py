"""What people read has no infinity, no code and no wrong plural, and no cut name."""

import re
from itertools import islice

import numpy as np
import pytest
from interfaces import quiet
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier
from test_texts import CANDIDATES, DATA_SETS, MANY, PAIRS
from texts_catalogue import comparisons

from sklearn_cvtest import (
    BlockKFold,
    FiveByTwoFTest,
    compare_candidates,
    compare_cv_results,
    compare_estimators,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    cross_val_interval,
)

MOST_CASES = 100  # of results, which are small
pd = pytest.importorskip("pandas")
EVERY = 23  # of how many results of the catalogue one is read
WRONG = {
    "a number that is none": r"(?<![\w-])[-−]?(?:inf|nan)(?![\w-])",
    "a name of code": r"\bneg_|<lambda>|\btest_score\b",
    "a cut name": "…",
    "a plural of one": r"(?<![\d.,–-])\b1 (?:more )?(?:example|group|model|estimator|"
    r"candidate|pair|repeat|label|proposal|split|run|comparison|positive|metric)s\b",
    "one other": r"\bthe other 1\b",
    "a long p": r"\bp [=≤<] 0\.\d{5}",
}
RNG = np.random.default_rng(4)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60)
CLASSES = (Y > 0.9).astype(int)
FOLDS = BlockKFold(3, random_state=0)
PIPE = "Pipeline(steps=[('scale', StandardScaler()), ('model', {}(alpha={}))])"
LONG = {
    "parameters": [PIPE.format("Ridge", k) for k in (1, 10, 100, 1000)],
    "modules": [f"weka.classifiers.{k}" for k in ("bayes.NaiveBayes", "trees.J48")],
    "nothing in common": ["x" * 50, "a name of many words that goes on and on", "y"],
    "words": ["mean", "none", "other", "0.5"],
}


def words_in(text):
    """Return the sentences and the tables of a text, each on one line."""
    return " ".join(text.split())


def texts_of(result):
    """Yield what a result prints and reports, and what it says when it is asked."""
    yield str(result)
    yield result.report()
    if not hasattr(result, "winner_interval"):
        return
    reference = result.estimator_names[0]
    calls = {
        "best_set": (),
        "winner_interval": (),
        "plan": (1e-6,),
        "gate": (0.02, reference),
        "pairs": (),
    }
    for name, arguments in calls.items():
        try:
            found = getattr(result, name)(*arguments)
        except (TypeError, ValueError):  # not of this test or design
            continue
        yield from map(str, found.values() if isinstance(found, dict) else [found])


def check(result):
    for text in map(words_in, texts_of(result)):
        for what, pattern in WRONG.items():
            assert not re.search(pattern, text), (what, text)


def fitted(names, **options):
    models = {name: Ridge(10.0**k) for k, name in enumerate(names)}
    return compare_estimators(models, X, Y, cv=FOLDS, **options)


def of_classes(**options):
    models = {
        "tree": DecisionTreeClassifier(random_state=0),
        "mean": DummyClassifier(),
    }
    return compare_estimators(models, X, CLASSES, cv=FOLDS, **options)


def searched():
    model = DecisionTreeClassifier(random_state=0)
    grid = {"min_samples_leaf": [1, 50], "max_depth": [1, 8], "criterion": ["gini"]}
    return GridSearchCV(model, grid, cv=3, scoring="neg_log_loss").fit(X, CLASSES)


def searched_models():
    models = [LogisticRegression(C=10.0**k, max_iter=7 + k) for k in range(2)]
    models += [DecisionTreeClassifier(max_depth=3, random_state=0)]
    results = {"params": [{"model": model, "seed": 1} for model in models]}
    scores = RNG.normal(size=(3, 4))
    results |= {f"split{k}_test_score": scores[:, k] for k in range(4)}
    return compare_candidates(results, n_train=45, n_test=15)


def of_scores(n):
    scores = {name: RNG.normal(0.8, 0.02, n) for name in "abc"}
    return {name: {"test_score": values} for name, values in scores.items()}


def benchmark():
    """Return a table of results in which the models rank alike on all data sets."""
    numbers = np.arange(4) + np.arange(3)[:, np.newaxis] ** 1.1
    return pd.DataFrame(dict(zip("xyz", numbers, strict=True)), index=list("abcd"))


def tiny():
    base = RNG.normal(size=200)
    return compare_scores({"a": base, "b": base + 1 + RNG.normal(0, 0.1, 200)})


RESULTS = {
    "several metrics": lambda: of_classes(scoring=["accuracy", "neg_log_loss"]),
    "several metrics of intervals": lambda: cross_val_interval(
        {"l": LogisticRegression()}, X, CLASSES, cv=3, scoring=["f1", "neg_log_loss"]
    ),
    "without variance": lambda: cross_val_interval(
        {"constant": DummyClassifier()}, X, CLASSES, cv=FOLDS, scoring="neg_log_loss"
    ),
    "one split": lambda: cross_val_interval(
        {"r": Ridge()}, X, Y, cv=BlockKFold(2), scoring="neg_median_absolute_error"
    ),
    "a lambda": lambda: fitted("ab", loss=lambda t, p: (t - p) ** 2),
    "a scorer": lambda: fitted("ab", scoring=lambda m, X, y: m.score(X, y)),
    "two equal ones of three": lambda: compare_estimators(
        {"a": Ridge(), "b": Ridge(), "c": Ridge(100.0)}, X, Y, cv=FOLDS
    ),
    "ranks": lambda: compare_over_datasets(benchmark(), score="points").ranks(),
    "two equal models": lambda: compare_predictions(Y, {"a": Y + 1, "b": Y + 1}),
    "two candidates": lambda: compare_candidates(searched()),
    "candidates that are models": searched_models,
    "F of 5x2": lambda: compare_cv_results(
        of_scores(10), cv="5x2", test=FiveByTwoFTest(), reference="best"
    ),
    "two folds": lambda: compare_cv_results(of_scores(2), cv=2),
    "tiny": tiny,
    **{f"long: {name}": lambda names=n: fitted(names) for name, n in LONG.items()},
    **{
        f"long, reference: {name}": lambda names=n: fitted(names, reference=names[0])
        for name, n in LONG.items()
    },
    "long, data sets": lambda: compare_over_datasets(
        {k: fitted(LONG["parameters"]).losses for k in ("first.long.name", "d", "e")}
    ),
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


@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_people_read_words(make):
    with quiet():
        check(make())


def test_people_read_words_in_the_catalogue():
    with quiet():
        for _, make in islice(comparisons(), 5, None, EVERY):
            check(make())


@pytest.mark.full
def test_people_read_words_in_the_whole_catalogue():
    with quiet():
        for _, make in comparisons():
            check(make())


@pytest.mark.parametrize(
    ("kind", "short"),
    [
        ("parameters", ["alpha=1", "alpha=10", "alpha=100", "alpha=1000"]),
        ("modules", ["bayes.NaiveBayes", "trees.J48"]),
        ("nothing in common", LONG["nothing in common"]),
    ],
)
def test_sentences_and_tables_have_the_same_names_and_whole_ones(kind, short):
    with quiet():
        result = fitted(LONG[kind], reference=LONG[kind][0])
    said, table, how = str(result).split("\n\n")
    _, rule, *lines = table.splitlines()
    cells = "".join(line[: rule.index(" ")] for line in lines)
    for name in short:
        assert name in words_in(said) or "the other 3" in said, said
        assert name.replace(" ", "") in cells.replace(" ", ""), table
    is_short = short != LONG[kind]
    assert ("without the parts that all of them share" in words_in(how)) == is_short
    frame = result.to_frame()
    assert {*frame["first"], *frame["second"]} == set(LONG[kind])
    assert {*result.to_dict()["better"], *result.to_dict()["worse"]} <= set(LONG[kind])


@pytest.mark.parametrize("word", ["mean", "0.5"])
def test_a_name_that_reads_as_a_word_is_quoted_in_sentences_alone(word):
    with quiet():
        result = fitted([word, "ridge"])
    said, table, *_ = str(result).split("\n\n")
    assert f"'{word}'" in said
    assert f"'{word}'" not in table
    assert result.to_dict()["tied"] or word in result.to_dict()["better"]


def test_a_tiny_number_does_not_lengthen_the_others():
    result = tiny()
    low = result.table.ci_low[0]
    moved = result.gate(abs(low) * (1 - 1e-9), "b")
    assert not re.search(r"\d\.\d{5}", str(moved))
