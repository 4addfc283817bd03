"""No table is misread: columns permuted, renamed and missing, beside others.

A table is made of scores whose models, design and direction are known. The command may
ask; where it answers, models, design and the order of the models must be right.
"""

import csv
import json

import numpy as np
import pytest
from common import main

SCORES = ("accuracy", "Test Accuracy", "auc", "F1", "r2", "kappa", "acc (val)")
LOSSES = ("rmse", "error", "Log Loss", "MAE", "test_mse", "brier_score")
NEITHER = ("value", "y", "out", "measure", "v1")
SYNONYMS = {
    "model": ("Model", "classifier", "estimator", "method", "algorithm", "framework"),
    "fold": ("Fold", "cv_fold", "split", "fold_id"),
    "repeat": ("rep", "Repeat", "repetition"),
    "run": ("seed", "random_seed", "run", "init"),
    "example": ("id", "doc_id", "question", "sample"),
    "dataset": ("Dataset", "data set", "task", "dataset_name", "problem"),
}
ODD = ("x1", "grp", "kind", "who", "zz", "b", "note")
NAMES = ("rf", "svm", "knn", "ridge", "A", "B", "C", "F1", "tree 2", "model-3", "old")


class Table:
    """A table, and what is true of it: None where nothing can be tested."""

    def __init__(self, rng):
        self.rng = rng
        n_models = rng.integers(2, 4)
        self.models = [str(name) for name in rng.choice(NAMES, n_models, replace=False)]
        self.skill = dict(
            zip(self.models, rng.permutation([0.6, 0.7, 0.8])[:n_models], strict=True)
        )
        self.direction = rng.choice(["score", "loss", "unknown"], p=[0.5, 0.3, 0.2])
        names = {"score": SCORES, "loss": LOSSES, "unknown": NEITHER}[self.direction]
        self.metric = str(rng.choice(names))
        self.header, self.rows, self.design = [], [], None

    def value(self, model, is_binary=False):
        """Return a score of a model, or a loss, of which the best is the smallest."""
        if is_binary:
            return int(self.rng.random() < self.skill[model])
        value = self.skill[model] + self.rng.normal(0, 0.01)
        return round(value if self.direction != "loss" else 1 - value, 5)

    def name(self, role):
        """Return what a column is called: mostly so that one may know it."""
        if self.rng.random() < 0.1:
            return str(self.rng.choice(ODD))
        return str(self.rng.choice(SYNONYMS[role]))

    def long(self, design, **levels):
        """Fill in a row for each model and cell."""
        roles = [*levels, "model"]
        self.header = [*map(self.name, roles), self.metric]
        cells = np.stack(np.meshgrid(*map(np.arange, levels.values()), indexing="ij"))
        for cell in cells.reshape(len(levels), -1).T.tolist():
            labels = [
                f"set {n}" if role == "dataset" else n
                for role, n in zip(levels, cell, strict=True)
            ]
            for model in self.models:
                is_binary = "example" in levels
                self.rows.append([*labels, model, self.value(model, is_binary)])
        self.design = design

    def wide(self, design, role, n):
        """Fill in a row for each cell and a column for each model."""
        self.header = [self.name(role), *self.models]
        for number in range(n):
            label = f"set {number}" if role == "dataset" else number
            self.rows.append([label, *map(self.value, self.models)])
        self.design, self.direction = design, "unknown"

    def turned(self, n):
        """Fill in a row for each model and a column for each fold."""
        start = self.rng.integers(0, 2)
        self.header = [self.name("model"), *(f"fold{k + start}" for k in range(n))]
        for model in self.models:
            self.rows.append([model, *(self.value(model) for _ in range(n))])
        self.design, self.direction = f"{n}-fold", "unknown"

    def features(self):
        """Fill in data to learn from, which nothing can be tested of."""
        n = self.rng.integers(20, 60)
        names = ["age", "income", "height", "petal", "x3"]
        target = str(self.rng.choice(["y", "target", "label", "class"]))
        self.header = [*names, target]
        for _ in range(n):
            self.rows.append(
                [*self.rng.normal(size=5).round(3), int(self.rng.integers(0, 3))]
            )

    def single(self):
        """Fill in one number for each model, with others."""
        self.header = [self.name("model"), self.metric, f"{self.metric}_std", "n"]
        self.rows = [[m, self.value(m), 0.01, 1000] for m in self.models]

    def add_summaries(self):
        """Add rows of means and deviations, which are no folds."""
        for model in self.models:
            values = [row[-1] for row in self.rows if row[-2] == model]
            for word, number in (("Mean", np.mean(values)), ("Std", np.std(values))):
                self.rows.append([word, model, round(float(number), 5)])

    def add_columns(self):
        """Add columns that say nothing of models."""
        noise = {
            "fit_time": lambda: self.rng.random(),
            "param_C": lambda: int(self.rng.integers(1, 4)),
            "std_score": lambda: 0.01,
            "rank_test_score": lambda: int(self.rng.integers(1, 4)),
            "duration": lambda: self.rng.random() * 100,
            "comment": lambda: "ok",
        }
        for name in self.rng.choice(
            list(noise), self.rng.integers(0, 3), replace=False
        ):
            self.header.append(str(name))
            self.rows = [[*row, noise[name]()] for row in self.rows]

    def disturb(self):
        """Permute rows and columns, and drop a column now and then."""
        order = self.rng.permutation(len(self.header)).tolist()
        if self.rng.random() < 0.25 and len(order) > 2:
            order.pop()
        rows = self.rng.permutation(len(self.rows)).tolist()
        self.header = [self.header[k] for k in order]
        self.rows = [[self.rows[row][k] for k in order] for row in rows]

    def write(self, path):
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([self.header, *self.rows])


MAKERS = (
    lambda t: t.long("5-fold", fold=5),
    lambda t: t.long("10-fold", fold=10),
    lambda t: t.long("asked", fold=20),
    lambda t: t.long("repeated", repeat=3, fold=5),
    lambda t: t.long("runs", run=5),
    lambda t: t.long("examples", example=40),
    lambda t: t.long("crossed", run=3, example=30),
    lambda t: t.long("data sets", dataset=8),
    lambda t: t.long("data sets", dataset=5, fold=5),
    lambda t: t.long("data sets", dataset=5, run=3),
    lambda t: (t.long("5-fold", fold=5), t.add_summaries()),
    lambda t: t.wide("5-fold", "fold", 5),
    lambda t: t.wide("runs", "run", 5),
    lambda t: t.wide("data sets", "dataset", 8),
    lambda t: t.turned(5),
    lambda t: t.features(),
    lambda t: t.single(),
)
DESIGNS = {
    "5-fold": "5-fold cross-validation",
    "10-fold": "10-fold cross-validation",
    "repeated": "5-fold cross-validation repeated 3 times",
    "runs": "5 runs on one test set",
    "examples": "one train-test split",
    "crossed": "3 runs on one test set",
    "asked": "asked",
}


def faults_of(table, answer):
    """Yield what is wrong with an answer to a table that nobody explained."""
    if table.design is None or table.direction == "unknown":
        yield "it cannot be known"
        return
    models = {pair[side] for pair in answer["rows"] for side in ("first", "second")}
    if models != set(table.models):
        yield f"models {models}"
    if table.design == "data sets":
        if "n_datasets" not in answer:
            yield "no data sets"
        return
    design = answer.get("design")
    expected = DESIGNS[table.design]
    if table.design == "crossed" and not set(SYNONYMS["run"]) & set(table.header):
        expected = DESIGNS["examples"]  # rows that nothing tells apart are averaged
    if design != expected:
        yield f"design {design}"
    better = max if answer["greater_is_better"] else min
    best = better(answer["means"], key=answer["means"].get)
    if table.design not in ("examples", "crossed") and best != max(
        table.skill, key=table.skill.get
    ):
        yield f"best {best}"


def check_tables(seeds, tmp_path, capsys):
    """Compare tables, and return how many were answered."""
    n_answers = 0
    path = tmp_path / "table.csv"
    for seed in seeds:
        table = Table(np.random.default_rng(seed))
        MAKERS[seed % len(MAKERS)](table)
        table.add_columns()
        table.disturb()
        table.write(path)
        status = main(["compare", str(path), "--json", "-"])
        said = capsys.readouterr()
        assert status in (0, 2), said.err
        if status == 0:
            n_answers += 1
            faults = list(faults_of(table, json.loads(said.out)))
            assert not faults, (seed, faults, table.header, table.rows[:3], said.err)
    return n_answers


def test_no_generated_table_is_misread(tmp_path, capsys):
    assert check_tables(range(170), tmp_path, capsys) > 30


@pytest.mark.full
def test_none_of_many_generated_tables_is_misread(tmp_path, capsys):
    assert check_tables(range(1000, 4000), tmp_path, capsys) > 600
