"""Tables for a paper: whole, escaped, and valid LaTeX and Markdown."""

import re
import shutil
import subprocess

import numpy as np
import pytest

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    compare_cv_results,
    compare_over_datasets,
)

HOSTILE = "50% & more_$#{}~^\\ <b>|[x](y)`*"
LONG = "HistGradientBoostingClassifier(learning_rate=0.{}, max_depth=3)"


def compared(*names, scale=1, metric="accuracy"):
    rng = np.random.default_rng(3)
    means = scale * np.linspace(0.9, 0.6, len(names))
    noise = scale * rng.normal(0, 0.02, (len(names), 10))
    scores = {n: m + e for n, m, e in zip(names, means, noise, strict=True)}
    return compare_cv_results(scores, metric=metric, cv=10, n_train=90, n_test=10)


HARD = compared("a_1", HOSTILE, "c")
MANY = compared(*map(LONG.format, range(12)))
RESULTS = {
    "two": compared("a", "b"),
    "hostile": HARD,
    "many": MANY,
    "large numbers": compared(
        "a", "b", "c", scale=-1e3, metric="neg_mean_absolute_error"
    ),
    "powers of ten": compared("a", "b", "c", scale=-1e-7, metric="neg_log_loss"),
    "reference": HARD.retest(reference=HOSTILE),
    "posterior": HARD.retest(BayesianCorrelatedTTest(0.01)),
    "best set": MANY.best_set(),
    "gate": HARD.gate(0.05, "c"),
    "sentence": compared("a", "b").gate(0.05, "a"),
    "winner": HARD.winner_interval(),
    "data sets": compare_over_datasets({f"d {i}_%": HARD.losses for i in range(4)}),
}
every_result = pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)


def test_markdown_has_the_rows_of_the_print_and_says_what_marks_mean():
    lines = HARD.to_markdown().splitlines()
    assert lines[2].startswith(r"| a\_1 † | 89.8 |")
    assert re.fullmatch(r"\| c \| .* \| \\< 0\.001 \|", lines[4])
    assert "† not significantly worse than the best" in lines[-1]


@every_result
def test_markdown_cells_hold_no_markup(result):
    table = [line for line in result.to_markdown().splitlines() if line[:1] == "|"]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) <= 1
    for line in [*table[:1], *table[2:]]:
        assert not re.search(r"(?<!\\)[<>*_`\[\]]", re.sub(r"\\.", "", line)), line


@every_result
def test_latex_is_balanced_and_has_all_columns(result):
    text = result.to_latex(caption="50%", label="tab:a")
    assert text.startswith("\\begin{table}")
    assert r"\caption{50\%}" in text
    assert r"\label{tab:a}" in text
    rows = re.findall(r"^(.*) \\\\$", text, re.M)
    assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) <= 1
    plain = re.sub(r"\\[{}]", "", text)
    assert plain.count("{") == plain.count("}")
    if HOSTILE in str(result):
        assert r"50\% \& more\_\$\#\{\}\textasciitilde{}" in text


@pytest.mark.full
@every_result
def test_latex_is_accepted(result, tmp_path):
    if not (shutil.which("pdflatex") and shutil.which("kpsewhich")):
        pytest.skip("needs pdflatex")
    if subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True).returncode:
        pytest.skip("needs booktabs")
    page = (
        r"\documentclass{article}\usepackage{booktabs}\begin{document}"
        rf"{result.to_latex()}\end{{document}}"
    )
    (tmp_path / "a.tex").write_text(page, encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "a.tex"]
    found = subprocess.run(command, cwd=tmp_path, timeout=60, capture_output=True)
    assert found.returncode == 0, found.stdout.decode(errors="replace")
