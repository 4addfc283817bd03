"""Damaged files: an error that names the path, or the original; never code.

"Another answer" is excluded as far as a checksum can: each member of an archive has
a CRC, and the header a digest of all that was saved. Whoever recomputes both has made
a new file, not damaged one; of those it is only asked that they load or are refused.
"""

import io
import json
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from common import digest_of, stored_files
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    KFoldTTest,
    cross_val_losses,
)
from sklearn_cvtest.simulation import (
    GaussianLinearPopulation,
    replicate_losses,
)

X, Y = (part[::5] for part in load_iris(return_X_y=True))


def constant(label):
    return DummyClassifier(strategy="constant", constant=label)


def losses_of(seed, **options):
    cv = BlockKFold(3, random_state=seed)
    models = {"zero": constant(0), "one": constant(1)}
    return cross_val_losses(models, X, Y, cv=cv, **options)


def replications_of(seed):
    return replicate_losses(
        {"linear": LinearRegression(), "other": LinearRegression(positive=True)},
        GaussianLinearPopulation(2),
        n_samples=12,
        cv=BlockKFold(3),
        n_replications=5,
        random_state=seed,
    )


MAKERS = {
    "losses": losses_of,
    "scores": lambda seed: losses_of(seed, scoring="accuracy"),
    "comparison": lambda seed: Comparison(losses_of(seed), test=KFoldTTest(rho=0.5)),
    "replications": replications_of,
}


def saved_bytes(saved, folder):
    path = folder / "saved"
    saved.save(path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two results of each kind, and the bytes of their files."""
    folder = tmp_path_factory.mktemp("files")
    made = {kind: (make(0), make(1)) for kind, make in MAKERS.items()}
    return {
        kind: (pair, [saved_bytes(one, folder) for one in pair])
        for kind, pair in made.items()
    }


def contents(saved):
    """Return all that a file holds, comparable."""
    if isinstance(saved, Comparison):
        options = saved.p_adjust, saved.alpha, saved.reference, saved.pvalue_
        return contents(saved.losses), options, repr(saved.tests)
    fields = {}
    for name in saved.__dataclass_fields__.keys() - {"errors"}:  # not saved
        value = getattr(saved, name)
        if isinstance(value, np.ndarray):
            value = value.dtype.str, value.shape, value.tobytes()
        fields[name] = value
    return fields


# Mutations of bytes -----------------------------------------------------------


def flip(data, rng):
    data = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        data[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
    return bytes(data)


def truncate(data, rng):
    return data[: rng.integers(len(data))]


def span(data, rng):
    start = int(rng.integers(len(data)))
    return start, start + int(rng.integers(1, 40))


def insert(data, rng):
    start, stop = span(data, rng)
    return data[:start] + rng.bytes(stop - start) + data[start:]


def remove(data, rng):
    start, stop = span(data, rng)
    return data[:start] + data[stop:]


def blank(data, rng):
    start, stop = span(data, rng)
    return data[:start] + bytes(len(data[start:stop])) + data[stop:]


def repeat(data, rng):
    start, stop = span(data, rng)
    return data[:stop] + data[start:]


def move(data, rng):
    start, stop = span(data, rng)
    rest = data[:start] + data[stop:]
    to = int(rng.integers(len(rest)))
    return rest[:to] + data[start:stop] + rest[to:]


# Mutations of the archive, with checksums that fit -------------------------------


def members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(pairs):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in pairs:
            archive.writestr(name, data)
    return file.getvalue()


def swap_members(data, rng, other):
    found = members(data)
    one, two = rng.choice(list(found), 2, replace=False)
    return zipped((found | {one: found[two], two: found[one]}).items())


def member_of_other(data, rng, other):
    found, name = members(data), rng.choice(list(members(data)))
    return zipped((found | {name: members(other)[name]}).items())


def drop_member(data, rng, other):
    found = members(data)
    del found[rng.choice(list(found))]
    return zipped(found.items())


def rename_member(data, rng, other):
    found = members(data)
    name = rng.choice(list(found))
    return zipped([(f"x{key}" if key == name else key, found[key]) for key in found])


@pytest.mark.filterwarnings("ignore:Duplicate name")
def double_member(data, rng, other):
    name = str(rng.choice(list(members(data))))
    both = [*members(data).items(), ("?" * len(name), members(other)[name])]
    return zipped(both).replace(b"?" * len(name), name.encode())


def change_number(data, rng, other):
    """Change one byte of an array, and its CRC."""
    found = members(data)
    name = rng.choice([key for key in found if key != "header.npy"])
    content = bytearray(found[name])
    content[rng.integers(128, len(content))] ^= 1 << int(rng.integers(8))
    return zipped((found | {name: bytes(content)}).items())


BYTES = [flip, truncate, insert, remove, blank, repeat, move]
ARCHIVE = [swap_members, member_of_other, drop_member, rename_member, double_member]
ARCHIVE.append(change_number)


def load(kind, data, path):
    """Return what is loaded and "", or None and the message of the error."""
    path.write_bytes(data)
    try:
        return kind.load(path), ""
    except ValueError as error:
        return None, str(error)


def check(saved, data, path):
    """Load what was made of a file: the same, or an error with the path."""
    loaded, message = load(type(saved), data, path)
    if loaded is None:
        assert f"`path` must be an intact {type(saved).__name__} file" in message
        assert repr(str(path)) in message
    else:
        assert contents(loaded) == contents(saved)


def fuzz(files, kind, mutations, number, path, seed):
    (saved, _), (data, other) = files[kind]
    rng = np.random.default_rng(seed)
    for _ in range(number):
        mutate = mutations[rng.integers(len(mutations))]
        more = (other,) if mutate in ARCHIVE else ()
        check(saved, mutate(data, rng, *more), path)


every_kind = pytest.mark.parametrize("kind", MAKERS)


@every_kind
def test_damaged_bytes_are_refused_or_harmless(kind, files, tmp_path):
    fuzz(files, kind, BYTES, 70, tmp_path / "file", 0)


@pytest.mark.full
@every_kind
def test_rearranged_archives_are_refused_or_harmless(kind, files, tmp_path):
    fuzz(files, kind, ARCHIVE, 40, tmp_path / "file", 1)


@pytest.mark.full
@pytest.mark.slow
@every_kind
@pytest.mark.parametrize("seed", range(2, 7))
def test_many_damaged_files_are_refused_or_harmless(kind, seed, files, tmp_path):
    fuzz(files, kind, BYTES + ARCHIVE, 480, tmp_path / "file", seed)


@every_kind
@pytest.mark.parametrize("mutate", ARCHIVE, ids=lambda mutate: mutate.__name__)
def test_archives_with_other_members_are_refused(kind, mutate, files, tmp_path):
    """Of these, each changes what is said, if it changes anything at all."""
    (saved, _), (data, other) = files[kind]
    mutated = mutate(data, np.random.default_rng(5), other)
    if members(mutated) == members(data) and len(mutated) <= len(data):
        mutated = drop_member(data, np.random.default_rng(5), other)
    (tmp_path / "file").write_bytes(mutated)
    with pytest.raises(ValueError, match="`path` must be an intact"):
        type(saved).load(tmp_path / "file")


# Headers ------------------------------------------------------------------------

WRONG = [None, True, -1, 0, 10**30, float("nan"), 1.5, "", "x", [], [None], {}]
WRONG += [{"a": 1}, [[1]], "k-fold", ["zero", "zero"], 1e400, "\x00", "ρ" * 99]


def npy(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def slots(value, path=()):
    """Yield the paths of all values in nested dicts and lists."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        yield (*path, key)
        if isinstance(part, (dict, list)):
            yield from slots(part, (*path, key))


def header_of(data):
    with np.load(io.BytesIO(data)) as archive:
        arrays = {name: archive[name] for name in archive.files}
    return json.loads(str(arrays.pop("header"))), arrays


def mutate_header(header, rng):
    """Change, remove or add a value somewhere."""
    paths = list(slots(header))
    *path, key = paths[rng.integers(len(paths))]
    part = header
    for one in path:
        part = part[one]
    value = WRONG[rng.integers(len(WRONG))]
    action = rng.integers(6)
    if action == 0:
        del part[key]
    elif action == 1 and isinstance(part, dict):
        part[f"{key}x"] = value
    else:
        part[key] = value
    return header


def with_header(data, header):
    found = members(data)
    return zipped((found | {"header.npy": npy(np.array(json.dumps(header)))}).items())


@pytest.mark.full
@every_kind
def test_headers_with_other_values_are_refused(kind, files, tmp_path):
    (saved, _), (data, _) = files[kind]
    rng = np.random.default_rng(6)
    for _ in range(30):
        header, _ = header_of(data)
        check(saved, with_header(data, mutate_header(header, rng)), tmp_path / "file")


@every_kind
def test_digests_are_those_of_all_versions(kind, files):
    (_, _), (data, _) = files[kind]
    header, arrays = header_of(data)
    assert header["digest"] == digest_of(header, arrays)


def test_tests_within_tests_are_damage(files, tmp_path):
    """Not a RecursionError: a test holds one other at most."""
    (saved, _), (data, _) = files["comparison"]
    header, arrays = header_of(data)
    tests = header["comparison"]["tests"]
    (name,) = tests
    for _ in range(400):
        params = {"test": tests[name], "margin": 0.1}
        tests[name] = {"class": "EquivalenceTest", "params": params}
    header["digest"] = digest_of(header, arrays)
    loaded, message = load(type(saved), with_header(data, header), tmp_path / "file")
    assert loaded is None
    assert "`path` must be an intact Comparison file" in message


@pytest.mark.filterwarnings("ignore::UserWarning")
@every_kind
@pytest.mark.parametrize("number", [60, pytest.param(150, marks=pytest.mark.slow)])
def test_headers_made_anew_load_or_are_refused(kind, number, files, tmp_path):
    """With a digest that fits them: the arrays are those of the file, or an error."""
    (saved, _), (data, _) = files[kind]
    rng, path = np.random.default_rng(number), tmp_path / "file"
    for _ in range(number):
        header, arrays = header_of(data)
        header = mutate_header(header, rng)
        data_anew = with_header(data, header | {"digest": digest_of(header, arrays)})
        loaded, message = load(type(saved), data_anew, path)
        if loaded is None:
            assert "`path` must be an intact" in message, header
            continue
        loaded = loaded.losses if kind == "comparison" else loaded
        for name, array in arrays.items():
            np.testing.assert_array_equal(getattr(loaded, name), array)


# Code and memory ------------------------------------------------------------------


class Planted:
    """Writes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (Path.touch, (Path(self.path),))


@every_kind
def test_no_pickle_is_ever_run(kind, files, tmp_path):
    (saved, _), (data, _) = files[kind]
    marker, path = tmp_path / "marker", tmp_path / "file"
    planted = np.array([Planted(marker)], dtype=object)
    plain = pickle.dumps(Planted(marker))
    pickle.loads(plain)
    assert marker.exists()
    marker.unlink()
    for name in members(data):
        for content in (npy(planted), plain, npy(planted)[:-1]):
            path.write_bytes(zipped((members(data) | {name: content}).items()))
            with pytest.raises(ValueError, match="`path` must be an intact"):
                type(saved).load(path)
    more = [*members(data).items(), ("more.npy", npy(planted))]
    for content in (zipped(more), plain, npy(planted)):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="`path` must be an intact"):
            type(saved).load(path)
    assert not marker.exists()


# Results that `memory` keeps ----------------------------------------------------------


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:.* is damaged:UserWarning")
def test_damaged_results_in_memory_are_computed_again(tmp_path):
    memory = tmp_path / "memory"
    expected = losses_of(0, memory=memory)
    rng = np.random.default_rng(7)
    path = stored_files(memory)[0]
    original = path.read_bytes()
    for number in range(60):
        mutate = BYTES[number % len(BYTES)]
        path.write_bytes(mutate(original, rng))
        again = losses_of(0, memory=memory)
        np.testing.assert_array_equal(again.losses, expected.losses)
        assert not again.fit_failed.any()
