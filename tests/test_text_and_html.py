"""Names and numbers in print: names break between words, p-values are rounded up."""

import re

import numpy as np
import pytest

from sklearn_cvtest import compare_cv_results

LONG = {
    "pipelines": [
        f"Pipeline(steps=[('scale', StandardScaler()), ('model', Ridge(alpha={a}))])"
        for a in (1, 10, 100)
    ],
    "words": ["a forest of many deep trees, " * 3 + end for end in ("x", "y", "z")],
    "no break": ["x" * 60 + end for end in "abc"],
}


def compared(names, **options):
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(0.8, 0.02, 10) for name in names}
    return compare_cv_results(scores, cv=10, **options)


@pytest.mark.parametrize("reference", [None, 0])
@pytest.mark.parametrize("names", LONG.values(), ids=LONG)
def test_names_break_at_blanks_commas_and_equals_never_in_a_word(names, reference):
    options = {} if reference is None else {"reference": names[reference]}
    result = compared(names, **options)
    said, table, _ = str(result).split("\n\n")
    _, rule, *lines = table.splitlines()
    width = rule.index(" ")
    cells = [line[:width].strip() for line in lines]
    assert "".join(cells).replace(" ", "").count("†") <= len(names)
    for name in names:
        assert name.replace(" ", "") in "".join(cells).replace(" ", "")
        assert " ".join(name.split()) in " ".join(said.split()) or "other" in said
    pieces = {piece for name in names for piece in re.split(r"(?<=[ ,=])", name)}
    for cell in cells:
        for piece in re.split(r"(?<=[ ,=])", cell.removesuffix("†").strip()):
            assert piece.strip() in {each.strip() for each in pieces} | {"", "†"}
    if "x" * 60 not in table:
        assert max(map(len, table.splitlines())) <= 88
    numbers = re.findall(r"\d\d?\.\d", "".join(line[width:] for line in lines))
    assert len(numbers) >= 3 * len(names)


@pytest.mark.parametrize("word", ["mean", "None", "0.5", "-1e-3", "Other", "two words"])
def test_a_name_that_reads_as_words_is_quoted_in_sentences_alone(word):
    said, table, _ = str(compared([word, "ridge"])).split("\n\n")
    assert f"'{word}'" in " ".join(said.split())
    assert f"'{word}'" not in table
    assert word in table


def test_tables_are_aligned():
    _, table, _ = str(compared(["a", "longer", "b c"])).split("\n\n")
    head, rule, *lines = table.splitlines()
    starts = [match.start() for match in re.finditer("-+", rule)]
    ends = [match.end() for match in re.finditer("-+", rule)]
    for line in [head, *lines]:
        padded = line.ljust(len(rule))
        for start in starts[1:]:
            assert padded[start - 2 : start] == "  "
        for start, end in zip(starts[1:], ends[1:], strict=True):
            cell = padded[start:end]
            assert not cell.strip() or cell[-1] != " "


@pytest.mark.parametrize("seed", range(12))
def test_p_of_several_models_is_that_of_the_largest_rounded_up(seed):
    rng = np.random.default_rng(seed)
    scores = {name: rng.normal(0.9, 0.02, 10) for name in "ab"}
    for name, gap in zip("cdef", rng.uniform(0.02, 0.1, 4), strict=True):
        scores[name] = rng.normal(0.9 - gap, 0.02, 10)
    result = compare_cv_results(scores, cv=10, reference="a")
    said = " ".join(str(result).split("\n\n")[0].split())
    (clause,) = re.findall(r"significantly worse \(adjusted p (.*?)\)", said)[:1] or [
        ""
    ]
    frame = result.to_frame()
    pvalues = frame.loc[frame["better"] == "a", "pvalue_adjusted"].to_numpy()
    if not len(pvalues):
        assert not clause
        return
    sign, shown = clause.split(" ")
    assert float(shown) >= pvalues.max() or sign == "="
    if sign == "≤":
        assert float(shown) < pvalues.max() * 1.11
        assert len(shown.strip("0.")) <= 2
    if sign == "=":
        assert len(pvalues) == 1
        assert abs(float(shown) - pvalues[0]) <= 0.0005
