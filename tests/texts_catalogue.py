"""Every sentence that a result can print, with its numbers, to be read.

`python tests/texts_catalogue.py [file]` writes them, each kind of sentence once. The
checks of test_texts_catalogue.py hold for all.
"""

import functools
import re
import sys
from functools import partial
from itertools import chain, product

import numpy as np
from interfaces import CASES, SPLITTERS, Data, Recorded, data_of, quiet
from sklearn.base import clone

import sklearn_cvtest as cvtest

DIRECTED = ("KFoldTTest", "KFoldZTest, repeated", "FiveByTwoTTest")
SIZES = {"same": 1.0, "near": 1.1, "far": 3.0}


def designed(rng, n_models, size, classes=False):
    """Return data on which the later models are worse by some factor."""
    if classes:
        return data_of(rng, n_models, 60, classes)
    sizes = size ** np.arange(n_models)
    X = rng.standard_normal((48, n_models)) * sizes
    X += 0.3 * rng.standard_normal((48, 1))
    return Data(X, np.zeros(48), {f"m{i}": Recorded(i) for i in range(n_models)})


@functools.cache
def losses_of(case, n_models, size):
    """Return losses for the test of a case."""
    test, design = CASES[case]
    classes = isinstance(test, cvtest.McNemarTest)
    data = designed(np.random.default_rng(len(case)), n_models, SIZES[size], classes)
    return data.losses(SPLITTERS[design](1))


def of_tests():
    """Yield names and comparisons: every test, two or four models, three sizes."""
    for case, n_models, size in product(CASES, (2, 4), SIZES):
        test, _ = CASES[case]
        pivot = "a" if isinstance(test, cvtest.McNemarTest) else "m1"
        tests = [test]
        if case in DIRECTED:
            sides = ("less", "greater")
            tests += [clone(test).set_params(alternative=side) for side in sides]
        for reference, some in product([None, pivot][: n_models // 2], tests):
            name = f"{case}, {n_models} models, {size}, {some.alternative}, {reference}"
            yield (
                name,
                partial(
                    lambda key, **options: cvtest.Comparison(
                        losses_of(*key), **options
                    ),
                    (case, n_models, size),
                    test=some,
                    reference=reference,
                ),
            )


def of_equivalence():
    """Yield names and comparisons: margins, regions and centres, on either side."""
    sides, centres = ("two-sided", "less", "greater"), (0.0, -0.5)
    tests = [
        cvtest.EquivalenceTest(
            cvtest.KFoldTTest(0.3), margin, **{"alternative": side, "popmean": popmean}
        )
        for margin, side, popmean in product((0.3, 3.0), sides, centres)
    ]
    tests += [
        cvtest.BayesianCorrelatedTTest(rope, popmean=popmean, alternative=side)
        for rope, popmean, side in product((0.0, 3.0), centres, sides[:2])
    ]
    for size, test, n_models in product(SIZES, tests, (2, 3)):
        key = "KFoldTTest", n_models, size
        yield (
            f"{' '.join(str(test).split())}, {size}, {n_models}",
            partial(
                lambda key, test: cvtest.Comparison(losses_of(*key), test=test),
                key,
                test,
            ),
        )


def of_options():
    """Yield names and comparisons: weights, groups, metrics, adjustments, several."""
    rng = np.random.default_rng(3)
    options = {
        "weights": {"score_params": {"sample_weight": rng.uniform(0.5, 2, 48)}},
        "groups": {"groups": np.arange(48) // 3},
        "auto": {"cv": cvtest.BlockKFold(4, n_repeats="auto", random_state=0)},
        "stratified": {"cv": cvtest.BlockKFold(4, stratify=True, random_state=0)},
        "accuracy": {"scoring": "accuracy"},
        "f1": {"scoring": "f1_macro"},
        "r2": {"scoring": "r2"},
        "zero-one": {"loss": "zero_one"},
        "several": {"test": [cvtest.KFoldTTest(), cvtest.KFoldZTest()]},
        "bayes": {"test": [cvtest.KFoldTTest(), cvtest.BayesianCorrelatedTTest(0.1)]},
        **{
            f"p_adjust {how}": {"p_adjust": how}
            for how in ("bonferroni", "hochberg", "fdr_bh", "max-t", None)
        },
        "alpha": {"alpha": 0.01},
    }
    for name, size, n_models in product(options, SIZES, (2, 4)):
        makes = partial(compared_with, name, options[name], size, n_models)
        yield f"{name}, {size}, {n_models}", makes


def compared_with(name, options, size, n_models):
    """Compare models with the options of a name, on repeats or one K-fold."""
    cv = SPLITTERS["k-fold"](1)
    if name in ("accuracy", "r2", "groups") and n_models == 2:
        cv = cvtest.BlockKFold(4, n_repeats=2, random_state=1)
    data = designed(np.random.default_rng(8), n_models, SIZES[size])
    if name in ("accuracy", "f1", "zero-one", "stratified"):
        data = data_of(np.random.default_rng(len(size)), n_models, 48, True)
    return data.compare(**{"cv": cv} | options)


def of_others():
    """Yield names and other results."""
    from test_texts import CANDIDATES, DATA_SETS, MANY, PAIRS

    data = designed(np.random.default_rng(2), 3, 1.6)
    losses = data.losses(SPLITTERS["repeated k-fold"](1))
    result = cvtest.Comparison(losses)
    yield "labels", result.by(np.arange(48) % 2)
    for difference in (0.01, 0.5, 5.0):
        yield f"plan {difference}", result.plan(difference)
    yield "interval", cvtest.cross_val_interval(data.models, data.X, data.y, cv=5)
    for kind in (CANDIDATES, DATA_SETS, PAIRS, MANY):
        for name, make in kind.items():
            yield name, make()


def comparisons():
    """Yield names and comparisons of all kinds, in functions that make them."""
    return chain(of_tests(), of_equivalence(), of_options())


def kind_of(sentence):
    """Return a sentence without its numbers and names."""
    text = re.sub(r"\b(m\d|[a-d]|model [a-t]|candidate \d+)\b", "X", sentence)
    return re.sub(r"[-−]?\d[\d.,e−-]*", "#", text)


def sentences(result):
    """Return what a result prints, cut into lines and sentences, without tables."""
    text = str(result).split("\n\n")
    said = [" ".join(part.split()) for part in text if "----" not in part]
    if hasattr(result, "report"):
        said += result.report().split("\n")
    return said


def main(path):
    seen = set()
    with open(path, "w", encoding="utf-8") as file, quiet():
        made = ((name, make()) for name, make in comparisons())
        for name, result in chain(made, of_others()):
            new = [s for s in sentences(result) if kind_of(s) not in seen]
            seen |= set(map(kind_of, new))
            if new:
                print(f"##### {name}", *new, "", sep="\n", file=file)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "/dev/stdout")
