"""Tables for a paper."""

import re
import shutil
import subprocess
from itertools import chain

import numpy as np
import pytest
from matplotlib.figure import Figure

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    compare_cv_results,
    compare_over_datasets,
)

FOLDS = np.random.default_rng(0).normal(0, 0.01, (10, 3))
HOSTILE = "50% & more_$#{}~^\\"
SCORES = {"a_1": 0.9 + FOLDS[:, 0], HOSTILE: 0.9 + FOLDS[:, 1], "c": FOLDS[:, 2] + 0.7}
RESULT = compare_cv_results(SCORES, metric="accuracy", cv=10)


def test_markdown_marks_the_best_and_the_tied():
    lines = RESULT.to_markdown().splitlines()
    best, tied, worse = lines[2:5]
    assert best.startswith("| **")
    assert " † |" in tied
    assert worse.startswith("| c | ")
    assert "| < 0.001 |".replace("<", "\\<") in worse
    assert "†" in lines[-1]


@pytest.mark.parametrize("test", [None, BayesianCorrelatedTTest(0.01)])
def test_latex_is_balanced_and_escaped(test, tmp_path):
    text = RESULT.retest(test, reference="c").to_latex(caption="50%", label="tab:a")
    assert r"50\% \& more\_\$\#\{\}\textasciitilde{}" in text.replace(
        r"\allowbreak{}", ""
    )
    rows = text.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert len({row.replace(r"\&", "").count("&") for row in rows}) == 1
    if shutil.which("pdflatex"):
        page = r"\documentclass{article}\usepackage{booktabs,graphicx}\begin{document}"
        (tmp_path / "a.tex").write_text(page + text + r"\end{document}")
        command = ["pdflatex", "-halt-on-error", "a.tex"]
        assert subprocess.run(command, cwd=tmp_path, timeout=60).returncode == 0


def test_frame_has_posteriors_and_what_could_be_found():
    frame = RESULT.retest(BayesianCorrelatedTTest(0.01)).to_frame()
    columns = {"prob_less", "prob_rope", "prob_greater", "pvalue_adjusted", "better"}
    assert columns <= set(frame)
    assert np.all(
        frame["detectable_difference"]
        == RESULT.retest(BayesianCorrelatedTTest(0.01)).detectable_difference()
    )


# As wide as it may be -----------------------------------------------------------------


def compared(n_models, name="model {}", scale=1, metric="accuracy", n_datasets=0):
    """Compare models, or over data sets, with names of a form."""
    rng = np.random.default_rng(3)

    def scores():
        means = scale * np.linspace(0.9, 0.6, n_models)
        return {
            name.format(i): {f"test_{metric}": mean + scale * noise}
            for i, mean, noise in zip(
                range(n_models), means, rng.normal(0, 0.02, (n_models, 10)), strict=True
            )
        }

    options = {"metric": f"test_{metric}", "cv": 10, "n_train": 90, "n_test": 10}
    if n_datasets:
        parts = {
            f"a data set, number {i}": compare_cv_results(scores(), **options).losses
            for i in range(n_datasets)
        }
        return compare_over_datasets(parts)
    return compare_cv_results(scores(), **options)


LONG = "HistGradientBoostingClassifier(learning_rate=0.{}, max_depth=3)"
WITHOUT_BREAKS = "estimatorwithoutasinglesignatwhichalinecouldend{}"
WIDE = {
    "three": lambda: compared(3),
    "long names": lambda: compared(12, LONG),
    "no place to break": lambda: compared(4, WITHOUT_BREAKS),
    "large numbers": lambda: compared(4, LONG, -1e3, "neg_mean_absolute_error"),
    "powers of ten": lambda: compared(4, LONG, -1e-7, "neg_log_loss"),
    "reference": lambda: compared(5, LONG).retest(reference=LONG.format(2)),
    "posterior": lambda: compared(4, LONG).retest(BayesianCorrelatedTTest(0.01)),
    "data sets": lambda: compared(9, LONG, n_datasets=4),
    "best set": lambda: compared(5, LONG).best_set(),
}


@pytest.mark.parametrize("case", WIDE)
def test_latex_for_a_column_has_all_columns_and_rows(case):
    """Those of the page; what is too wide is scaled down."""
    result = WIDE[case]()
    page, column = (result.to_latex(width=width) for width in ("page", "column"))
    assert page.startswith(r"\begin{table*}")
    assert column.startswith(r"\begin{table}")
    shown = []
    for text in (page, column):
        parts = text.split(r"\toprule")[1:]
        rows = [re.findall(r"^(.*) \\\\$", part, re.M) for part in parts]
        assert len(set(map(len, rows))) == 1
        cells = [[re.split(r"(?<!\\) & ", row)[1:] for row in part] for part in rows]
        shown.append([list(chain(*row)) for row in zip(*cells, strict=True)][1:])
    assert shown[0] == shown[1]


def test_width_of_latex_is_a_column_or_the_page():
    with pytest.raises(ValueError, match="`width` must be one of 'column', 'page'"):
        RESULT.to_latex(width="wide")


def in_latex(kind, body, folder):
    """Return what LaTeX says of a document."""
    page = (
        rf"\documentclass{kind}{{article}}\usepackage{{booktabs,graphicx}}"
        rf"\begin{{document}}{body}Text.\end{{document}}"
    )
    (folder / "a.tex").write_text(page, encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "a.tex"]
    found = subprocess.run(command, cwd=folder, timeout=60, capture_output=True)
    said = found.stdout.decode(errors="replace")
    assert found.returncode == 0, said
    return said


def has_latex():
    """Whether there are LaTeX and booktabs."""
    if not (shutil.which("pdflatex") and shutil.which("kpsewhich")):
        return False
    found = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True)
    return found.returncode == 0


@pytest.mark.full
@pytest.mark.parametrize("case", WIDE)
def test_latex_fits_where_it_has_to(case, tmp_path):
    if not has_latex():
        pytest.skip("needs pdflatex with booktabs")
    result = WIDE[case]()
    for kind, width in (("[twocolumn]", "column"), ("", "page"), ("", "column")):
        said = in_latex(kind, result.to_latex(width=width), tmp_path)
        assert "Overfull" not in said, (kind, width)


@pytest.mark.full
def test_paper_in_two_columns_holds_tables_and_figures(tmp_path):
    """Each in one column, and nothing is wider than that."""
    if not has_latex():
        pytest.skip("needs pdflatex with booktabs")
    parts = []
    for number, case in enumerate(("three", "long names", "reference", "data sets")):
        result = WIDE[case]()
        ax = Figure(figsize=(3.15, 3)).subplots()
        result.plot(ax=ax)
        ax.figure.savefig(tmp_path / f"f{number}.pdf")
        parts += [
            result.to_latex(width="column", caption=f"Number {number}."),
            rf"\begin{{figure}}\includegraphics{{f{number}.pdf}}\end{{figure}}",
            "Text between them. " * 40,
        ]
    assert "Overfull" not in in_latex("[twocolumn]", "\n\n".join(parts), tmp_path)
