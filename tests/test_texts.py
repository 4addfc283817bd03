"""Whole texts of results, word for word: one file in tests/texts for each kind.

After a change of words, `python tests/test_texts.py` writes the files again; read what
changed. Whether the numbers are right is for the tests of what computes them.
"""

import re
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from matplotlib.figure import Figure
from printed_results import (
    CANDIDATES,
    DATA_SETS,
    INTERVALS,
    MANY,
    PAIRS,
    SHAKEN,
    errors,
    losses_of,
)
from searches import TREE
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import (
    RhoSensitivityDisplay,
    compare_estimators,
    compare_scores,
    corrected_ttest,
)

TEXTS = Path(__file__).with_name("texts")
RUNS = np.random.default_rng(3).normal(size=(2, 4, 40)).round(3)


def joined(texts):
    """Return texts as one, each after its name, without versions of libraries."""
    text = "".join(f"##### {key}\n{each.rstrip()}\n\n" for key, each in texts.items())
    versions = r"Software:\ssklearn_cvtest\s[^<,]+,\sscikit-learn\s[\w.]+"
    return re.sub(versions, "Software: ...", text)


def check(kind, texts):
    assert joined(texts) == (TEXTS / f"{kind}.txt").read_text(encoding="utf-8")


def write(kind, texts):
    (TEXTS / f"{kind}.txt").write_text(joined(texts), encoding="utf-8")


@pytest.fixture
def agree():
    """Return what a test calls with its texts; the main block has `write` instead."""
    return check


def texts_of(show, cases, *names):
    """Return what a function makes of the results of cases, by their names."""
    return {name: show(cases[name]()) for name in names or cases}


def frame(result):
    return result.to_frame().to_csv(float_format="%.4g", index=False)


def test_prints(agree):
    agree("pairs", texts_of(str, PAIRS))
    agree("many", texts_of(str, MANY))
    agree("candidates", texts_of(str, CANDIDATES))
    agree("data_sets", texts_of(str, DATA_SETS))
    agree("intervals", texts_of(str, INTERVALS))


def test_reports(agree):
    def report(result):
        return result.report()[:2000]  # the first pairs of many

    agree(
        "reports",
        texts_of(report, PAIRS, "tied", "subsamples", "one-sided, behind", "posterior")
        | texts_of(report, MANY, "reference", "failed fits", "F of 5x2")
        | texts_of(report, MANY, "many, reference")
        | texts_of(report, INTERVALS, "loss")
        | texts_of(report, DATA_SETS, "pair, tied", "best"),
    )


def test_frames(agree):
    agree(
        "frames",
        texts_of(frame, PAIRS, "tied", "t of 5x2")
        | texts_of(frame, MANY, "failed fits", "posterior")
        | texts_of(frame, CANDIDATES, "given", "pairs")
        | texts_of(frame, INTERVALS, "loss")
        | texts_of(frame, DATA_SETS, "best"),
    )


def test_pages_of_notebooks(agree):
    def page(result):
        return result._repr_html_().replace("<tr>", "\n<tr>").replace("<p>", "\n<p>")

    agree(
        "pages",
        texts_of(page, PAIRS, "loss")
        | texts_of(page, MANY, "failed fits", "posterior")
        | texts_of(page, CANDIDATES, "given", "pairs")
        | texts_of(page, INTERVALS, "scores")
        | texts_of(page, DATA_SETS, "best"),
    )


def test_tables_for_papers(agree):
    agree(
        "paper_tables",
        texts_of(lambda r: r.to_latex(), PAIRS, "loss", "behind")
        | texts_of(lambda r: r.to_latex(), MANY, "failed fits", "posterior, reference")
        | texts_of(lambda r: r.to_markdown(), MANY, "reference", "posterior")
        | texts_of(lambda r: r.to_latex(), DATA_SETS, "best"),
    )


def test_web_pages(agree):
    texts = {}
    with TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        for name in ("tied", "posterior"):
            PAIRS[name]().to_html(path)
            texts[name] = path.read_text(encoding="utf-8")
    agree("web_pages", texts)


def test_labels(agree):
    sites = np.repeat(["x", "y", "z"], [24, 30, 6])
    with pytest.warns(UserWarning, match="Too few examples or groups"):
        one = errors(0.0, 0.1).by(sites)
    several = errors(0.0, 0.1, 0.9).by(np.arange(60) % 2 > 0, p_adjust=None)
    results = {"one pair": one, "several": several}
    texts = {name: f"{each}\n\n{frame(each)}" for name, each in results.items()}
    agree("labels", texts)


@pytest.mark.filterwarnings("ignore")
def test_small_results(agree):
    several = errors(0.0, 0.02, 0.9)
    rng = np.random.default_rng(0)
    hits = {name: rng.random(60) < share for name, share in (("a", 0.8), ("b", 0.7))}
    results = {
        "gate": errors(0.0, 0.1).gate(0.05, "model b"),
        "gate of several": several.gate(0.05, "model a"),
        "best set": several.best_set(),
        "winner": several.winner_interval(),
        "scores": corrected_ttest(SHAKEN[0, 0], SHAKEN[1, 0], 90, 10),
        "plan": several.plan("5%"),
        "plan of two": compare_scores(hits, score="accuracy").plan(0.0175),
        "runs": compare_scores({"old": RUNS[0], "new": RUNS[1]}),
        "ranks": DATA_SETS["best"]().ranks(),
        "pairs": MANY["best"]().pairs(),
    }
    # groups of unequal sizes, so that a difference is not that of the means of splits
    groups = np.repeat(np.arange(12), [2] * 8 + [30] * 4)
    x = groups + rng.normal(size=len(groups))
    y = x + 2 * rng.normal(size=len(groups)) > np.median(x)
    models = {"bayes": GaussianNB(), "none": DummyClassifier(), "tree": TREE}
    unequal = compare_estimators(models, x[:, None], y, cv=4, groups=groups)
    texts = {name: str(each) for name, each in results.items()}
    agree("small", texts | {"unequal": unequal.report()})


def test_words_of_pictures(agree):
    best, on_data = MANY["best"](), DATA_SETS["best"]()
    pictures = {
        "better": PAIRS["better"]().plot,
        "loss": PAIRS["loss"]().plot,
        "one-sided": PAIRS["one-sided"]().plot,
        "many": best.plot,
        "reference": MANY["reference"]().plot,
        "posterior": MANY["posterior"]().plot,
        "equivalence": MANY["equivalence"]().plot,
        "pairs": best.pairs().plot,
        "rho": lambda ax: RhoSensitivityDisplay.from_comparison(
            PAIRS["loss, tied"](), ax=ax
        ),
        "data sets": on_data.plot,
        "ranks": on_data.ranks().plot,
        "labels": errors(0.0, 0.1).by(np.arange(60) % 2).plot,
        "intervals": INTERVALS["loss"]().plot,
        "winner": best.winner_interval().plot,
    }
    texts = {}
    for name, draw in pictures.items():
        ax = Figure(layout="constrained").subplots()
        draw(ax)
        lines = [ax.get_title(), ax.get_xlabel(), ax.get_ylabel()]
        if name != "rho":
            lines.append(" | ".join(label.get_text() for label in ax.get_yticklabels()))
        if ax.get_legend() is not None:
            lines += [label.get_text() for label in ax.get_legend().get_texts()]
        lines += [text.get_text() for text in ax.texts]
        texts[name] = "\n".join(line for line in lines if line)
    agree("pictures", texts)


def test_results_in_brief(agree):
    comparison, on_data = MANY["best"](), DATA_SETS["best"]()
    results = [
        comparison,
        comparison.best_set(),
        comparison.winner_interval(),
        CANDIDATES["given"](),
        on_data,
        on_data.ranks(),
        errors(0.0, 0.1).by(np.arange(60) % 2),
        losses_of(0.0, 0.5),
    ]
    agree("in_brief", {str(number): repr(each) for number, each in enumerate(results)})


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test(write)
