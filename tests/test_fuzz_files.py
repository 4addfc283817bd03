"""Damaged files: an error that names the path, or the original; never code.

And tables as people write them: an answer is about all models and units, or is asked.

A saved comparison has a digest of all that is in it; whoever makes another digest has
made a new file, of which it is only asked that it loads or is refused.
"""

import hashlib
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from common import stored_files
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    KFoldTTest,
    compare_file,
    cross_val_losses,
    load,
)

X, Y = (part[::5] for part in load_iris(return_X_y=True))


def losses_of(seed, **options):
    models = {
        name: DummyClassifier(strategy="constant", constant=label)
        for name, label in (("zero", 0), ("one", 1))
    }
    cv = BlockKFold(3, random_state=seed)
    return cross_val_losses(models, X, Y, cv=cv, **options)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A comparison and the bytes of its file."""
    path = tmp_path_factory.mktemp("files") / "saved"
    comparison = Comparison(losses_of(0), test=KFoldTTest(rho=0.5))
    comparison.save(path)
    return comparison, path.read_bytes()


def span(data, rng):
    start = int(rng.integers(len(data)))
    return start, start + int(rng.integers(1, 40))


def flip(data, rng):
    data = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        data[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
    return bytes(data)


def truncate(data, rng):
    return data[: rng.integers(len(data))]


def insert(data, rng):
    start, stop = span(data, rng)
    return data[:start] + rng.bytes(stop - start) + data[start:]


def remove(data, rng):
    start, stop = span(data, rng)
    return data[:start] + data[stop:]


def repeat(data, rng):
    start, stop = span(data, rng)
    return data[:stop] + data[start:]


BYTES = [flip, truncate, insert, remove, repeat]


def load_or_message(data, path):
    """Return what is loaded and "", or None and the message of the error."""
    path.write_bytes(data)
    try:
        return load(path), ""
    except ValueError as error:
        return None, str(error)


@pytest.mark.parametrize(
    ("seed", "number"), [(0, 300), pytest.param(1, 5000, marks=pytest.mark.slow)]
)
def test_damaged_bytes_are_refused_or_harmless(saved, tmp_path, seed, number):
    rng = np.random.default_rng(seed)
    for _ in range(number):
        mutate = BYTES[rng.integers(len(BYTES))]
        loaded, message = load_or_message(mutate(saved[1], rng), tmp_path / "file")
        if loaded is None:
            assert "`path` must be the intact file of a Comparison" in message
        else:
            assert loaded.to_json() == saved[0].to_json()


# Another digest ---------------------------------------------------------------------

WRONG = [None, True, -1, 0, 10**30, 1.5, "", "x", [], [None], {}, {"a": 1}, [[1]]]
WRONG += ["k-fold", ["zero", "zero"], "\x00", "ρ" * 99]


def slots(value, path=()):
    """Yield the paths of all values in nested dicts and lists."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        yield (*path, key)
        if isinstance(part, (dict, list)):
            yield from slots(part, (*path, key))


def changed(content, rng):
    """Change, remove or add a value somewhere."""
    paths = list(slots(content))
    *path, key = paths[rng.integers(len(paths))]
    part = content
    for one in path:
        part = part[one]
    value = WRONG[rng.integers(len(WRONG))]
    if rng.integers(6) == 0:
        del part[key]
    elif rng.integers(6) == 1 and isinstance(part, dict):
        part[f"{key}x"] = value
    else:
        part[key] = value
    return content


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
def test_files_made_anew_load_or_are_refused(saved, tmp_path):
    rng, path = np.random.default_rng(6), tmp_path / "file"
    for _ in range(150):
        content = json.loads(saved[1])
        content.pop("sha256")
        content = changed(content, rng)
        digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
        text = json.dumps(content | {"sha256": digest})
        loaded, message = load_or_message(text.encode(), path)
        assert loaded is not None or "`path` must be the intact file" in message


class Planted:
    """Writes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (Path.touch, (Path(self.path),))


def test_no_pickle_is_ever_run(tmp_path):
    marker, path = tmp_path / "marker", tmp_path / "file"
    plain = pickle.dumps(Planted(marker))
    pickle.loads(plain)
    assert marker.exists()
    marker.unlink()
    path.write_bytes(plain)
    with pytest.raises(ValueError, match="file"):
        load(path)
    assert not marker.exists()


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:.* is damaged:UserWarning")
def test_damaged_results_in_memory_are_computed_again(tmp_path):
    memory = tmp_path / "memory"
    expected = losses_of(0, memory=memory)
    rng = np.random.default_rng(7)
    path = stored_files(memory)[0]
    original = path.read_bytes()
    for number in range(60):
        path.write_bytes(BYTES[number % len(BYTES)](original, rng))
        again = losses_of(0, memory=memory)
        np.testing.assert_array_equal(again.values, expected.values)
        assert not again.errors


# Tables as people write them ---------------------------------------------------------

MODELS = [
    ["rf", "svm", "knn"],
    ["N-BEATS", "TFT"],
    ["1.1", "1.10", "007"],
    ["VAR", "ETS"],
]
MODELS += [["o3-mini", "o3-mini-high"], ["RankNet", "Best-of-5"], ["Mean", "Ridge"]]
METRICS = ["accuracy", "F1 macro", "val_loss", "Fehlerrate", "ndcg@10", "WER"]
LOSSES = {"val_loss", "Fehlerrate", "WER"}
SUMMARIES = {
    np.mean: ["Mean", "Ø", "Durchschnitt", "moy.", "среднее", "متوسط"],
    np.median: ["Median", "mediana"],
    np.max: ["Best", "Maximum"],
    np.std: ["Std. Dev.", "écart-type", "σ"],
}
MARKS = ["{}", "{}", "{}†", "**{}**", "{} (0.02)", "{} ± 0.01"]


def table_of_people(rng):
    """Return the text of a table, its models, metric and losses."""
    models = MODELS[rng.integers(len(MODELS))]
    metric = METRICS[rng.integers(len(METRICS))]
    values = rng.uniform(0.5, 0.9, (8, 1)) + rng.normal(0, 0.03, (8, len(models)))
    values = values.round(4)
    units = [[f"Fold{k}" for k in range(8)], [*"abcdefgh"]][rng.integers(2)]
    unit = "fold" if "Fold1" in units else "dataset"
    rows = [[MARKS[rng.integers(6)].format(v) for v in row] for row in values]
    for summary, names in SUMMARIES.items():
        if rng.random() < 0.3:
            units = [*units, str(rng.choice(names))]
            rows.append([f"{v:.4f}" for v in summary(values, axis=0)])
    if rng.random() < 0.5:
        header = [unit, *models]
        lines = [[name, *row] for name, row in zip(units, rows, strict=True)]
    else:
        header = ["model", unit, metric]
        cells = zip(units, rows, strict=True)
        lines = [
            [m, u, v] for u, row in cells for m, v in zip(models, row, strict=True)
        ]
    separator = str(rng.choice([",", ";", "\t"]))
    text = "\n".join(separator.join(line) for line in [header, *lines])
    return text, models, metric, values


@pytest.mark.parametrize("seed", range(60))
def test_tables_of_people_are_compared_in_full_or_asked_about(tmp_path, seed):
    text, models, metric, values = table_of_people(np.random.default_rng(seed))
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    kind = "loss" if metric in LOSSES else "score"
    options = {kind: metric}
    if {"VAR", "Best-of-5", "Mean"} & set(models):
        with pytest.raises(ValueError, match="is called as a summary"):
            compare_file(path, **options)
        options["ignore"] = ["NONE"]
    frame = compare_file(path, **options).to_frame()
    n_pairs = len(models) * (len(models) - 1) // 2
    assert len(frame) == n_pairs
    for row in frame.itertuples():
        first, second = (values[:, models.index(n)] for n in (row.first, row.second))
        difference = np.mean(first - second) * (1 if kind == "loss" else -1)
        assert row.estimate == pytest.approx(difference, abs=1e-9)
