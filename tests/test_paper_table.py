"""Tables for a paper."""

import shutil
import subprocess

import numpy as np
import pytest

from sklearn_cvtest import BayesianCorrelatedTTest, compare_cv_results

FOLDS = np.random.default_rng(0).normal(0, 0.01, (10, 3))
HOSTILE = "50% & more_$#{}~^\\"
SCORES = {"a_1": 0.9 + FOLDS[:, 0], HOSTILE: 0.9 + FOLDS[:, 1], "c": FOLDS[:, 2] + 0.7}
RESULT = compare_cv_results(SCORES, metric="accuracy", cv=10)


def test_markdown_marks_the_best_and_the_tied():
    lines = RESULT.to_markdown().splitlines()
    assert lines[0].startswith("| Estimator | Mean accuracy (%) | Difference from the")
    best, tied, worse = lines[2:5]
    assert best.startswith("| **")
    assert " † |" in tied
    assert worse.startswith("| c | ")
    assert "| < 0.001 |".replace("<", "\\<") in worse
    assert "† may be the best, too, at the 5% level" in lines[-1]


def test_differences_are_signed_as_the_score():
    row = RESULT.to_markdown().splitlines()[4]
    assert float(row.split("|")[3].replace("−", "-")) < -10


@pytest.mark.parametrize("test", [None, BayesianCorrelatedTTest(0.01)])
def test_latex_is_balanced_and_escaped(test, tmp_path):
    text = RESULT.retest(test, reference="c").to_latex(caption="50%", label="tab:a")
    assert r"50\% \& more\_\$\#\{\}\textasciitilde{}" in text
    rows = text.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert len({row.replace(r"\&", "").count("&") for row in rows}) == 1
    if shutil.which("pdflatex"):
        page = r"\documentclass{article}\usepackage{booktabs}\begin{document}"
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
