"""The papers: every number is that of the committed results; sections as asked for."""

import re

import pytest
from quoted import ROOT, by_test, numbers, of_cases, rows_of, study, text_of
from test_shown_tables import tables  # noqa: F401  a fixture

pytestmark = pytest.mark.lint

# Each as in paper/methods.md, with the name of each number in its place.
QUOTED = (
    "We measured the size and power of {cases[tests]} combinations of test and "
    "design of the splits in {cases[n]} cases from {cases[populations]} "
    "populations",
    "Two runs of 5-fold cross-validation with a p-value averaged over ρ reject "
    "{default[size]:.1f}% of true hypotheses at the 5% level and find "
    "{default[power]:.0f}% of differences of two standard deviations, against "
    "{nadeau[power]:.0f}% for the corrected t test on ten folds, which costs as "
    "many fits.",
    "Where ρ is above 0.6, all tests but two on disjoint halves of the sample are"
    " liberal; the same test rejects {default[large]:.0f}% there.",
    "The {cases[populations]} populations",
    "There are {cases[n]}, of which {cases[alone]} are about the loss of one "
    "learner; {cases[losses][0]} use the zero-one loss, {cases[losses][1]} the "
    "absolute and {cases[losses][2]} the squared error.",
    "{cases[halves][0]} cases",
    "{cases[halves][1]} cases",
    "the {cases[n]} cases",
    "The t test with ρ = 0.7 on ten folds rejects {conservative[size]:.1f}% of "
    "true hypotheses and finds {conservative[power]:.0f}% of differences of two "
    "standard deviations.",
    "SHARP's score test, which estimates ρ from pairs of halves, is over 6% in "
    "{sharp[over]:.1f}% of the cases, and finds {sharp[power]:.0f}% with six "
    "times as many fits as a 10-fold.",
    "Random subsamples of 10% with the corrected t test are over 6% in "
    "{subsamples[over]:.0f}% of the cases, subsamples of 20% in "
    "{large_subsamples[over]:.0f}%.",
    "Three runs of 10-fold with the corrected t test have "
    "{repeated_ten[power]:.0f}% power, but are over 6% in "
    "{repeated_ten[over]:.0f}% of the cases.",
    "SHARP's REML variant rejects {reml[size]:.0f}% of true hypotheses on average.",
    "On ten folds, the integrated test has the size of the corrected t test "
    "({ten[size]:.1f} and {nadeau[size]:.1f}%) and finds {ten[power]:.0f}% "
    "instead of {nadeau[power]:.0f}%",
    "Two runs of 5-fold cost as many fits and find {default[power]:.0f}%, at a "
    "size of {default[size]:.1f}%.",
    "They have more power than the integrated test on a 10-fold in "
    "{wins[ten]:.0f}% of the cases, and more than the corrected t test on it in "
    "{wins[nadeau]:.0f}%.",
    "with a tree in the pair {default_trees[power]:.0f}% instead of "
    "{ten_trees[power]:.0f}%, without one {default_others[power]:.0f}% instead of"
    " {ten_others[power]:.0f}%.",
    "the default has sizes of {default_decide[size]:.1f} and "
    "{default_verify[size]:.1f}%, is over 6% in {default_decide[over]:.1f} and "
    "{default_verify[over]:.1f}% of the cases, and has a power of "
    "{default_decide[power]:.0f} and {default_verify[power]:.0f}%.",
    "Quartiles of ρ are {cases[quantiles][0]:.2f}, {cases[quantiles][1]:.2f} and "
    "{cases[quantiles][2]:.2f}; ρ is at most 0 in {cases[bands][0]} of the "
    "{cases[n]} cases and above 0.5 in {cases[above_half]}, and the largest is "
    "{cases[most]:.2f}",
    "Size follows ρ closely (right): for the integrated test on ten folds, the "
    "rank correlation is {cases[rank_correlation]:.2f}.",
    "ρ is above 0.6 in {cases[bands][4]} cases.",
    "There the default rejects {default[large]:.0f}%, the corrected t test on ten"
    " folds {nadeau[large]:.0f}% and the t test with ρ = 0.7, "
    "{conservative[large]:.0f}%; the tests of halves, which share no example, "
    "{halves[large]:.1f}% and {sharp[large]:.1f}%.",
    "More runs add little power: {three[power]:.0f}% with three runs, "
    "{six[power]:.0f}% with six, {twenty[power]:.0f}% with twenty.",
    "at a difference of two standard deviations two seeds disagree in "
    "{default[differ]:.0f}% of samples with two runs, in {three[differ]:.0f}% "
    "with three and in {six[differ]:.0f}% with six; on one 10-fold in "
    "{ten[differ]:.0f}% with the integrated and {nadeau[differ]:.0f}% with the "
    "corrected t test.",
    "{tails[cells]} cells (population, pair of learners, sample size) of "
    "{tails[populations]} populations",
    "There the default rejects {decide_tails[size][2]:.0f}% of true hypotheses "
    "about the squared error on the half of the populations that the threshold "
    "was chosen on, and {verify_tails[size][2]:.0f}% on the other, and "
    "{decide_tails[light]:.1f} and {verify_tails[light]:.1f}% elsewhere",
    "On the second half the absolute error and Huber's loss keep the level "
    "({verify_tails[size][0]:.1f} and {verify_tails[size][1]:.1f}%); on the first"
    " they do not ({decide_tails[size][0]:.0f} and {decide_tails[size][1]:.0f}%)",
    "A warning based on this L-skewness came in {decide_tails[told]:.0f} and "
    "{verify_tails[told]:.0f}% of the false rejections in cells with a size above"
    " 8%.",
    "In {classes[cells][0]} cells in which fewer than ten of 1000 examples were "
    "predicted to be positive and are, they rejected {classes[sizes][0]:.0f}% of "
    "true hypotheses, and {classes[sizes][1]:.1f}% in the {classes[cells][1]} "
    "others",
    "If rows in groups are taken for independent rows, splits that tear groups "
    "apart and tests of single rows have sizes of up to {ignored[1]:.0f}%",
    "With groups kept whole and as the units of the test, the sizes of these "
    "models are {lines[0]:.1f} to {lines[1]:.1f}%, and those of trees, alone "
    "and against linear models, {grouped[0]:.1f} to {grouped[1]:.1f}%",
    "Over {covered[cells]} cells (population, learner, measure, sample size) on "
    "ten folds, 95% intervals hold the truth in {covered[mean]:.1f}%; intervals "
    "that take folds for independent, in {naive[mean]:.1f}%.",
    "below 0.1 the coverage is {covered[bands][0]:.1f}%, to 0.3 "
    "{covered[bands][1]:.1f}%, to 0.45 {covered[bands][2]:.1f}%, and above "
    "{covered[bands][3]:.1f}%.",
    "Analysis of variance with Tukey's test on five runs of 5-fold, as "
    "recommended for drug discovery [@ash2025], finds a difference in {tukey[0]} "
    "of samples for naive Bayes and in {tukey[1]} for trees",
    "in {ranks[0]} and {ranks[1]}",
    "in {usual[0]} and {usual[1]}",
    "in {ours[0]} and {ours[1]}",
    "They differ from the published ones by at most {published:.1f} percentage points",
)
LABELS = {
    "IntegratedRhoTest()": "integrated",
    "KFoldTTest()": r"t, $\rho = 0.7$",
    'KFoldTTest("nadeau-bengio")': "corrected t",
    "CorrectedRepeatedKFoldTTest()": "corrected t",
    "CorrectedResampledTTest()": "corrected t",
    "SharpTest()": "SHARP, score",
    'SharpTest("reml")': "SHARP, REML",
    "PairedHalvesTTest()": "t of paired halves",
}
# What no file says: levels, definitions, the sizes of designs.
GIVEN = {"5%", "6%", "7%", "8%", "10%", "20%", "95%"}


def lines():
    return (ROOT / "paper/methods.md").read_text(encoding="utf-8").splitlines()


def table(label):
    """Return the rows of the table above a label, as lists of cells."""
    end = next(k for k, line in enumerate(lines()) if rf"\label{{tab:{label}}}" in line)
    end = max(k for k in range(end) if lines()[k].startswith("|"))
    start = max(k for k in range(end) if not lines()[k].startswith("|")) + 1
    rows = lines()[start + 2 : end + 1]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]


def labelled(test, design):
    return [LABELS[test], design.removesuffix(", 5-fold")]


@pytest.mark.parametrize("words", QUOTED)
def test_quoted_numbers_are_the_measured_ones(words):
    assert words.format(**numbers()) in text_of("paper/methods.md")


def test_every_rate_is_quoted():
    prose = " ".join(line for line in lines() if not line.startswith("|"))
    prose = " ".join(prose.split())
    for words in QUOTED:
        prose = prose.replace(words.format(**numbers()), "")
    prose = re.sub(r"\{width=\d+%\}", "", prose)
    assert set(re.findall(r"\d[\d.]*%", prose)) <= GIVEN


def test_table_of_rates_is_that_of_the_study():
    expected = []
    for (test, design), rows in by_test().items():
        rates = study(rows)
        differ = "" if rates["differ"] != rates["differ"] else f"{rates['differ']:.0f}"
        cells = [f"{rates[name]:.1f}" for name in ("size", "over")]
        cells += [f"{rates[name]:.0f}" for name in ("power", "power3")]
        expected.append([*labelled(test, design), rows[0]["fits"], *cells, differ])
    assert sorted(expected) == sorted(table("rates"))


def test_table_of_sizes_by_rho_is_that_of_the_study(tables):  # noqa: F811
    rows = tables.sizes_by_rho(rows_of("study.csv"))
    expected = [
        [*labelled(test.split("`")[1].partition(" <")[0], design), *sizes]
        for test, design, *sizes in rows
    ]
    *found, cases = table("rho")
    assert [row for row in found if row not in expected] == []
    assert cases[1:] == ["", *map(str, of_cases()["bands"])]


# The paper about the software, as the journal asks for it ----------------------------

SECTIONS = [
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "AI usage disclosure",
    "Acknowledgements",
    "References",
]


def test_paper_has_the_sections_and_the_length_that_are_asked_for():
    text = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^# (.*)$", text) == SECTIONS
    words = text.partition("# Summary")[2].split()
    assert 750 <= len(words) <= 1750


def test_what_people_have_to_say_is_left_to_them():
    text = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
    assert text.count("> **To be completed by the authors before submission.**") == 2


@pytest.mark.parametrize("name", ["paper", "methods"])
def test_all_that_is_cited_is_in_the_bibliography(name):
    text = (ROOT / f"paper/{name}.md").read_text(encoding="utf-8")
    known = set(re.findall(r"@\w+\{(\w+),", (ROOT / "paper/paper.bib").read_text()))
    cited = set(re.findall(r"(?<![\w`])@([a-z]\w+)", text))
    assert cited
    assert cited <= known
