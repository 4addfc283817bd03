"""The table of data sets by estimators: wins, ties and losses against a baseline."""

import re

import numpy as np

from sklearn_cvtest import compare_over_datasets, compare_table

RNG = np.random.default_rng(0)
MEANS = {"glass": (0.25, 0.31), "wine": (0.14, 0.12), "iris": (0.4, 0.4)}


def compared():
    rows = [
        {"dataset": dataset, "model": model, "fold": fold, "loss": mean + noise}
        for dataset, means in MEANS.items()
        for model, mean in zip(("ridge", "tree"), means, strict=True)
        for fold, noise in enumerate(RNG.normal(0, 0.001, 10))
    ]
    table = {name: [row[name] for row in rows] for name in rows[0]}
    sizes = {"n_train": 90, "n_test": 10}
    return compare_over_datasets(compare_table(table, dataset="dataset", **sizes))


def test_marks_and_their_sums_by_hand():
    lines = compared().wins_table("ridge").splitlines()
    cells = {line.split()[0]: line.split() for line in lines[2:5]}
    assert lines[0].split() == ["ridge", "tree"]
    assert cells["glass"][-1] == "*"
    assert cells["wine"][-1] == "o"
    assert len(cells["iris"]) == 3
    assert lines[5].split() == ["(o/", "/*)", "(1/1/1)"]
    assert re.search(r"\bo .*\* .*ridge", lines[6])  # what marks are, against whom


def test_marks_turn_with_the_baseline():
    lines = compared().wins_table("tree").splitlines()
    assert lines[2].split()[-1] == "o"
    assert lines[3].split()[-1] == "*"


def test_a_table_for_a_paper_has_the_same_marks():
    latex = compared().to_latex(baseline="ridge")
    glass, wine = (
        next(line for line in latex.splitlines() if line.startswith(name))
        for name in ("glass", "wine")
    )
    assert r"$\bullet$" in glass
    assert r"$\circ$" in wine
    assert latex.count(r"\midrule") == 2
