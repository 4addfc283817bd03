"""Numbers that pages and the paper quote are those of the committed results."""

import runpy

import numpy as np
import pytest
from quoted import (
    MAX_TAIL,
    MIN_HITS,
    REGULAR,
    ROOT,
    by_test,
    cases,
    coverage,
    is_over,
    mean,
    of_cases,
    of_classes,
    of_few_groups,
    of_seeds,
    of_stops,
    of_tails,
    practices,
    published_difference,
    rates,
    rows_of,
    text_of,
    with_error,
)

from sklearn_cvtest._engine import _thresholds
from sklearn_cvtest._inference import _problems

pytestmark = pytest.mark.lint

QUOTED = [
    (
        "docs/trust.rst",
        "of true hypotheses on average (standard errors over populations), and "
        "significantly more than 6% in {default[over]:.0f}% of the cases",
    ),
    (
        "docs/faq.rst",
        "it detects {default[power]:.0f}% of differences of two standard deviations, "
        "one 10-fold {ten[power]:.0f}%. Three runs detect "
        "{three[power]:.0f}%, twenty {twenty[power]:.0f}%",
    ),
    (
        "docs/faq.rst",
        "power rises from {default[power]:.0f} to {twenty[power]:.0f}%",
    ),
    (
        "docs/coming_from/nestkit.rst",
        "it found {five[power]:.0f}% of differences of two",
    ),
    (
        "docs/coming_from/sharp_cv.rst",
        "it found {sharp[power]:.0f}% of differences of two standard deviations and "
        ":class:`~sklearn_cvtest.IntegratedRhoTest` with ten fits "
        "{default[power]:.0f}%; what SHARP buys is its level: it was over 6% in "
        "{sharp[over]:.0f}% of the cases instead of {default[over]:.0f}%",
    ),
    (
        "paper/paper.md",
        "It has a mean size of {default[size]:.1f}% at the 5% level and finds "
        "{default[power]:.0f}% of differences of two standard deviations; one 10-fold "
        "with the same number of fits finds {ten[power]:.0f}%, and with the corrected "
        "t test {nadeau[power]:.0f}%. Where $\\rho$ is above 0.6, it rejects "
        "{default[large]:.0f}% of true hypotheses",
    ),
]


@pytest.mark.parametrize(("page", "words"), QUOTED)
def test_quoted_numbers_of_the_study_are_the_measured_ones(page, words):
    assert words.format(**rates()) in text_of(page)


def test_numbers_of_cases_are_those_of_the_study():
    found = of_cases()
    words = (
        "Of the {} cases, {} have ρ at most 0, {} have more, up to 0.3, {} up to 0.5, "
    )
    words += "{} up to 0.6, and {} have"
    trust = text_of("docs/trust.rst")
    assert words.format(found["n"], *found["bands"]) in trust
    assert f"on {found['populations']} other populations" in trust
    paper = text_of("paper/paper.md")
    assert f"{found['n']} cases of {found['populations']} populations" in paper
    assert f"{found['tests']} combinations of design and test" in paper


def test_quoted_probabilities_of_other_seeds_are_the_measured_ones():
    page, errors = text_of("docs/calibration.md"), of_seeds("verify", 0.99)
    most = max(errors["Brier score"], errors["absolute error"])
    words = (
        f"by more than {most:.1f} points for Brier scores and absolute errors, "
        f"{errors['zero-one']:.1f} for zero-one losses, {errors['log loss']:.1f} for "
        f"log losses and {errors['squared error']:.1f} for squared errors"
    )
    assert words in page
    top = {
        row["loss"]: 100 * float(row["was"])
        for row in rows_of("seed_stability.csv")
        if (row["half"], row["from"]) == ("verify", "0.999")
        if row["compared with"] == "another seed"
    }
    zeros, squared = top.pop("log loss, p = 0"), top.pop("squared error")
    assert f"was {squared:.1f}% for squared errors and {min(top.values()):.1f}%" in page
    assert f"More than 0.999 was {zeros:.1f}% there" in page


def test_quoted_early_stops_are_the_measured_ones():
    page, changed = text_of("docs/calibration.md"), of_stops("verify")
    (zeros,) = of_stops("verify", with_zeros=True).values()
    few = max(changed[name] for name in ("zero-one", "absolute error", "Brier score"))
    squared = f"{changed['squared error']:.1f}%"
    assert f"at most {few:.1f}% of the decisions on the verifying half" in page
    assert f"losses {changed['log loss']:.1f}% ({zeros:.1f}% with" in page
    assert f"and for squared errors {squared}" in page
    words = f"changed {changed['zero-one']:.1f}% of the decisions of 20 repeats"
    designs = text_of("docs/guide/designs.rst")
    assert f"{words} by error rates and {squared} of those by squared" in designs


def test_quoted_difference_from_published_rates_is_the_measured_one():
    words = f"published ones by at most {published_difference():.1f} percentage points"
    assert words in text_of("paper/paper.md")


def test_quoted_false_findings_are_the_measured_ones():
    rates = practices()
    tukey = rates["ANOVA and Tukey's HSD", "5 x 5-fold"]
    ranks = rates["Friedman and Nemenyi", "5 x 5-fold"]
    usual = rates["paired t, Bonferroni", "10-fold"]
    ours = rates["IntegratedRhoTest(), Holm", "2 x 5-fold"]
    autorank = rates["autorank()", "5 x 5-fold"]
    page = text_of("docs/coming_from/autorank.rst")
    assert f"in {autorank[0]} of samples for naive Bayes and in {autorank[1]}" in page
    paper = text_of("paper/paper.md")
    assert f"in {tukey[0]} of samples for naive Bayes and in {tukey[1]} for" in paper
    assert f"found one in {ranks[0]} and {ranks[1]} when folds" in paper
    assert f"Bonferroni's adjustment, in {usual[0]} and {usual[1]}." in paper
    assert f"did so in {ours[0]} and {ours[1]}." in paper
    low, high = sorted(rate.rstrip("%") for rate in ranks)
    faq = text_of("docs/faq.rst")
    assert f"found a difference in {low} to {high}% of samples" in faq


def test_agreement_with_other_packages_is_current(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    script = runpy.run_path(str(ROOT / "benchmarks" / "agreement.py"))
    measured = script["measure"]()
    assert measured
    assert list(script["differences"](measured, script["stored"]())) == []


def test_quoted_agreement_is_the_measured_one():
    rows = rows_of("agreement.csv")
    packages = {row["package"] for row in rows}
    assert f"agreement with {len(packages)} other packages" in text_of("README.md")
    same = [row for row in rows if not row["right"]]
    exact = sum(row["digits"] == "12" for row in same)
    assert min(int(row["digits"]) for row in same) >= 5
    assert max(int(row["digits"]) for row in rows if row["right"]) < 5
    paper = text_of("paper/paper.md")
    assert f"in {exact} of {len(same)} comparisons to 12 digits or more" in paper


def test_versions_of_peers_are_those_that_were_tried():
    (row, *_) = rows_of("peer_behaviour.csv")
    page = text_of("docs/comparison.rst")
    apart = "scipy", "scikit-learn", "statsmodels", "dieboldmariano"
    names = [f"{r['package']} {r['version']}" for r in rows_of("agreement.csv")]
    names = [name for name in names if not name.startswith(apart)]
    rates = [
        row for row in rows_of("peer_rates.csv") if row["package"] != "this package"
    ]
    names += [f"{r['package']} {r['version']}" for r in rates]
    assert {row["samples"] for row in rates} == {"1000", "200"}  # as the page says
    assert [name for name in [*list(row)[1:-1], *names] if name not in page] == []


def cases_of_study(test, design, above=-float("inf")):
    return [row for row in by_test()[test, design] if float(row["rho"]) > above]


def test_sizes_where_rho_is_high():
    tests = {
        "PairedHalvesTTest()": ("6 pairs of halves, 5-fold", "1.7%"),
        "IntegratedRhoTest()": ("2 x 5-fold", "13.5%"),
        "KFoldTTest()": ("10-fold", "6.5%"),
    }
    for test, (design, quoted) in tests.items():
        rows = cases_of_study(test, design, above=0.55)
        assert len(rows) == 11
        mean = sum(float(row["size"]) for row in rows) / len(rows)
        assert f"{100 * mean:.1f}%" == quoted
        assert quoted in text_of("docs/guide/rho.rst")


def test_what_is_called_heavy_and_few_is_what_the_package_warns_of():
    assert (MAX_TAIL, MIN_HITS) == (_problems.MAX_TAIL, _thresholds.MIN_HITS)


def test_what_is_said_of_heavy_tails():
    page = text_of("docs/guide/losses.rst")
    decide, verify = of_tails("decide"), of_tails("verify")
    absolute, huber, squared = verify["size"]
    assert f"{absolute:.1f} and {huber:.1f}% in place of {squared:.1f}%" in page
    assert f"in {decide['told']:.0f}% of the samples" in page
    assert f"(in {verify['told']:.0f}% on the populations kept apart)" in page
    assert f"in {decide['alarms']:.1f}% ({verify['alarms']:.1f}%) of the" in page
    n_heavy, n_cells = (decide[k] + verify[k] for k in ("heavy", "cells"))
    assert f"({n_heavy} of {n_cells}; the" in page
    populations = {row["population"] for row in rows_of("heavy_tails.csv")}
    assert f"samples of {len(populations)} populations" in page
    assert len(populations & REGULAR) == 12


def test_what_is_said_of_classes_that_are_hardly_ever_predicted():
    page = text_of("docs/guide/metrics.rst")
    found = of_classes()
    sizes, told, (n_few, n_others) = found["sizes"], found["told"], found["cells"]
    assert f"rejected {sizes[0]:.1f}% of true hypotheses, and up to 99%" in page
    assert f"in the {n_few} cells" in page
    assert f"and {sizes[1]:.1f}% in the {n_others} others ({sizes[2]:.1f}%" in page
    assert f"{told[1]:.0f}% of the false rejections" in page
    assert f"({told[0]:.0f}% with optical digits)" in page
    assert f"and {found['alarms']:.1f}% of all samples in cells" in page


def test_what_is_said_of_tails_measured_last():
    page = text_of("docs/guide/losses.rst")
    found = of_tails("fresh", "fresh_tails.csv", "tails")
    assert f"a warning comes in {found['told']:.0f}% of such samples" in page
    assert f"and in {found['alarms']:.1f}% of the samples of five populations" in page


def test_what_is_said_of_laws_of_squared_errors():
    page, of_laws = text_of("docs/calibration.md"), {}
    for row in rows_of("tail_laws.csv"):
        kind = "gross" if float(row["kurtosis"]) >= 60 else row["half"]
        of_laws.setdefault(row["law"], {}).setdefault(kind, []).append(row)

    def power(law):
        usual = of_laws[law]["decide"] + of_laws[law]["verify"]
        return " · ".join(f"{mean(usual, p):.1f}" for p in ("power_2sd", "power_3sd"))

    sizes = [
        mean(of_laws[law]["verify"], "size") for law in ("Hall", "none", "tails (15)")
    ]
    assert f"it rejected {sizes[0]:.1f}% where no correction at all" in page
    assert f"rejects {sizes[1]:.1f}%" in page
    assert f"instead: {sizes[2]:.1f}%" in page
    assert f"power is {power('tails (15)')} where it was {power('Hall')}" in page
    assert f"{len(of_laws)} laws that were compared" in page
    assert min(mean(of["gross"], "size") for of in of_laws.values()) > 7
    assert f"None of {len(of_laws)} laws holds 7%" in text_of("docs/trust.rst")


def test_what_is_said_of_squared_errors():
    page, rows = text_of("docs/trust.rst"), rows_of("squared_errors.csv")
    gross = [row for row in rows if float(row["kurtosis"]) >= 60]
    usual = [row for row in rows if float(row["kurtosis"]) < 60]
    n_populations = len({row["population"] for row in usual})
    assert f"On {n_populations} other populations of wages" in page

    def cells(half, loss="squared", found=usual):
        return [row for row in found if (row["half"], row["loss"]) == (half, loss)]

    made_on, others = cells("decide"), cells("verify")
    absolute = with_error(cells("verify", "absolute"))
    assert f"rejected {absolute} for absolute errors and" in page
    assert f"{with_error(others)} for squared errors. **It fails" in page
    assert f"sizes are {mean(made_on, 'size'):.1f}% on the half" in page
    counts = [
        (sum(map(is_over, some)), len(some))
        for found in (made_on, others)
        for some in (found, [row for row in found if float(row["told"]) < 0.5])
    ]
    (a, b), (silent, n_silent), (c, d), (other_silent, n_other) = counts
    assert f"{a} of {b} and {c} of {d} cells are significantly above" in page
    assert f"{silent} of {n_silent} and {other_silent} of {n_other}." in page
    assert silent + other_silent < 0.06 * (n_silent + n_other)
    by_population = {
        name: mean([row for row in others if row["population"] == name], "size")
        for name in {row["population"] for row in others}
    }
    high = sorted(size for size in by_population.values() if size > 5.5)
    assert f"on {len(high)} of {len(by_population)} such populations" in page
    assert f"rejected {high[0]:.0f} to {high[-1]:.0f}%" in page
    size = with_error([row for row in gross if row["loss"] == "squared"], digits=0)
    assert f"outliers decide, {size}" in page
    high = f"{high[0]:.0f} to {high[-1]:.0f}% on {len(high)} of {len(by_population)}"
    assert f"({high} populations; {size} where outliers decide" in text_of("README.md")
    assert f"of 60 to 150 rows {absolute})" in text_of("README.md")


def test_the_summaries_say_where_it_fails_with_standard_errors():
    pages = readme, page = text_of("README.md"), text_of("docs/trust.rst")
    study = cases()
    assert f"{with_error(study)} of true hypotheses ({len(study)} cases" in readme
    assert f"rejected {with_error(study)} of true hypotheses on average" in page
    rare = [with_error(few_positives(f"{k}_classes.csv"), digits=0) for k in KINDS]
    assert (
        f"F1 on at most 30 positives: {rare[0]}, and {rare[1]} where classes" in readme
    )
    assert f"(at most 30: {rare[0]} on ordinary populations, {rare[1]} on hard" in page
    groups = sorted(
        (100 * float(row["size"]), int(row["samples"]))
        for row in rows_of("calibration_groups.csv")
        if (row["groups_are"], row["rows"]) == ("ignored", "10")
        and row["test"] == "IntegratedRhoTest()"
        and float(row["icc"]) > 0
    )
    ends = " to ".join(
        f"{size:.0f} ± {np.sqrt(size * (100 - size) / n):.0f}"
        for size, n in (groups[0], groups[-1])
    )
    for text, words in zip(
        pages, ("ten rows a patient", "groups of ten rows"), strict=True
    ):
        assert f"{words}: {ends}%" in text


def test_what_is_said_of_the_bound_of_stability_for_log_losses():
    gaps = {}
    for row in rows_of("seed_bounds.csv"):
        said, was = float(row["said"]), float(row["was"])
        is_asked = (row["half"], row["compared with"]) == ("fresh", "another seed")
        if is_asked and float(row["from"]) >= 0.98 and said < 1:  # 1: no run differs
            gaps.setdefault(row["loss"], {}).setdefault(row["repeats"], []).append(
                100 * (said - was)
            )
    smooth, zeros = gaps["log loss"], gaps["log loss, p = 0"]
    two, four = max(smooth["2"]), max(smooth["4"])
    most = max(max(zeros["2"]), max(zeros["4"]))
    page, trust = text_of("docs/calibration.md"), text_of("docs/trust.rst")
    assert (
        f"was up to {two:.1f} points too high for two runs and {four:.1f} for" in page
    )
    assert f"with probabilities of 0 up to {most:.1f} (" in page
    assert f"up to {two:.1f} points too high for log losses, {most:.1f} where" in trust


def test_what_is_said_of_intervals_of_few_skewed_groups():
    page, ends = text_of("docs/calibration.md"), {}
    for row in rows_of("skewed_groups.csv"):
        if row["intervals"] == "20" and row["law"] != "normal":
            ends.setdefault(row["method"], []).append(float(row["above"]))
    hall, t, cut = (
        f"{min(found):.1f} to {max(found):.1f}%"
        for found in (ends["Hall"], ends["t"], ends["cut"])
    )
    assert f"on that side in {hall} of intervals at the level of one of 20" in page
    assert f"Without the correction it is {t}, and {cut} if intervals are cut" in page


def test_what_is_said_of_warnings_that_are_right():
    page = text_of("docs/trust.rst")

    def size_where_warned(rows, sign):
        warned = [float(row[sign]) * int(row["samples"]) for row in rows]
        sizes = [float(row["size"]) for row in rows]
        return 100 * np.average(sizes, weights=warned)

    sizes = {}
    for name, *of_hard, _, _, of_ordinary in map(
        dict.values, rows_of("shown/signs.csv")
    ):
        for of, shown in (("hard", of_hard[-1]), ("ordinary", of_ordinary)):
            sizes[name, of] = float(shown.partition(" ")[0] or "inf")
    low = [name for name, size in sizes.items() if size <= 6]
    assert low == [("HeavyTailedResidualsWarning, squared errors", "ordinary")]
    found = []
    for half in ("decide", "verify"):
        rows = [
            row
            for row in rows_of("squared_errors.csv")
            if (row["half"], row["loss"]) == (half, "squared")
            and float(row["kurtosis"]) < 60
        ]
        found += [mean(rows, "warned"), size_where_warned(rows, "warned")]
    assert f"came in {found[0]:.0f}% ({found[2]:.0f}% on the half" in page
    assert f"sizes are {found[1]:.1f}% ({found[3]:.1f}%)" in page


def test_what_is_said_of_series():
    page, rows = text_of("docs/guide/time.rst"), rows_of("calibration_series.csv")
    short = {"independent", "average of 4"} | {f"autoregressive 0.{k}" for k in (3, 6)}

    def rows_with(**values):
        return [r for r in rows if all(r[k] in v for k, v in values.items())]

    def sizes(found):
        return [100 * float(row["size"]) for row in found]

    default, horizons = {"DieboldMarianoTest()"}, {row["test"] for row in rows}
    horizons -= default
    regular = sizes(rows_with(test=default, series=short))
    assert f"rejected in {min(regular):.1f} to {max(regular):.1f}%" in page
    lasting = rows_with(test=default, series={"autoregressive 0.9"}, times={"60"})
    assert {f"{size:.0f}" for size in sizes(lasting)} == {"9"}
    warned = {f"{100 * float(row['warned']):.0f}" for row in lasting}
    assert f"60 times are too few: 9%, with a warning in {warned.pop()}%" in page
    five = sizes(rows_with(test=default, test_sets={"5"}, times={"200", "1000"}))
    assert f"at most {max(five):.1f}% from 200 times on" in page
    hidden = [
        max(
            sizes(rows_with(test=default, series={"autoregressive 0.9 and noise"}, **t))
        )
        for t in ({"times": {"60"}}, {"times": {"200"}})
    ]
    assert "up to {:.0f}% of 60 times and {:.0f}% of 200".format(*hidden) in page
    shifted = rows_with(test=default, series={"shifted test sets"}, times={"1000"})
    array, *told = (f"{size:.0f}%" for size in sizes(shifted))
    assert f"up to {array}, the same series with its test sets in {told[0]}." in page
    assert told[0] == told[1]
    assert f"rejects in up to {max(sizes(rows_with(test=horizons))):.0f}%" in page
    told = []
    for times in ("60", "200", "1000"):
        found = rows_with(test=horizons, times={times})
        found = [row for row in found if float(row["size"]) > 0.08]
        share = [float(row["false_warned"]) for row in found]
        told.append(100 * np.average(share, weights=sizes(found)))
    words = "in {:.0f}% of the false rejections of 60 times, in {:.0f}% of 200 and in"
    assert f"{words.format(*told)} {told[2]:.0f}% of 1000." in page


def test_what_is_said_of_few_groups():
    page, default = text_of("docs/guide/groups.rst"), "IntegratedRhoTest()"
    few, many = (4, 6, 8), (10, 15, 20, 30, 40)
    tests = default, f"{default}, ρ as for rows"
    ours, rows = (of_few_groups(many, test=test) for test in tests)
    words = (
        f"is {np.mean(ours):.1f}%, and at most {max(ours):.1f}% in any of {len(ours)}"
    )
    assert f"{words} cells." in page
    assert f"would be {np.mean(rows):.1f} and {max(rows):.1f}%, and" in page
    found = [np.mean(of_few_groups(many, "power_2sd", test=test)) for test in tests]
    assert f"and {found[1]:.0f}% of differences of two" in page
    assert f"in place of {found[0]:.0f}." in page
    sizes = [f"{np.mean(of_few_groups((n,))):.1f}" for n in few]
    assert "groups, {}, {} and {}% are rejected".format(*sizes) in page
    wages = of_few_groups(few, population="wages by man")
    assert max(wages) == max(of_few_groups(few))
    assert f"for the wages of men up to {max(wages):.0f}%" in page
    unequal = of_few_groups((15, 30), unequal="yes", test=default)
    assert f"15 or 30 of them: {np.mean(unequal):.1f}%" in page
    tails = of_few_groups(many, tails=True, test=default)
    most = max(tails + of_few_groups(few, tails=True))
    assert f"{np.mean(tails):.1f}% from ten groups on, and up to {most:.0f}%" in page
    missed = [
        np.mean(of_few_groups(groups, tails=heavy, is_pair=False))
        for heavy in (False, True)
        for groups in (many, few)
    ]
    words = "loss in {:.1f}% of samples from ten groups on and in {:.1f}%"
    assert words.format(*missed[:2]) in page
    assert "tails in {:.1f} and {:.1f}% (60".format(*missed[2:]) in page
    planned = np.array(
        of_few_groups(many, "planned_power", half="decide", test=default)
    )
    within = 100 * np.mean(np.abs(planned - 80) <= 5)
    assert f"found with {planned.mean():.0f}% on average" in page
    assert f"with 75 to 85% in {within:.0f}% of its cells" in page


def test_what_is_said_of_nested_coverage():
    page, (alone, pairs, grouped, both) = (
        text_of("docs/calibration.md"),
        (coverage(pair, groups) for groups in (False, True) for pair in (False, True)),
    )
    words = "{:.1f}% ({:.0f} to {:.0f})"
    assert f"{words.format(*alone[1:])} on average over {alone[0]} cells" in page
    assert f"{words.format(*pairs[1:])} over {pairs[0]} differences of two" in page
    assert f"sizes of 0 to {100 - pairs[2]:.0f}%; with 20 or 30 groups" in page
    found = f"groups {words.format(*grouped[1:])} and {words.format(*both[1:])} over"
    assert f"{found} {grouped[0]} and {both[0]}." in page
    ends = [
        [coverage(pair, groups, tails=True)[2:] for pair in (False, True)]
        for groups in (False, True)
    ]
    diamonds, pharmacy = ((np.min(of), np.max(of)) for of in ends)
    assert "{:.0f} to {:.0f}% for prices of diamonds".format(*diamonds) in page
    assert "{:.0f} to {:.0f}% for numbers of pharmacy".format(*pharmacy) in page
    said = f"coverage is {alone[1]:.1f}% over {alone[0]}"
    guide = text_of("docs/guide/metrics.rst")
    assert said in guide
    assert f"and {grouped[1]:.1f}% with 20 or 30 groups" in guide


def test_what_is_said_of_metrics_that_are_the_same_in_all_folds():
    page, rows = text_of("docs/calibration.md"), rows_of("constant_metrics.csv")
    worst = max(float(row["missed"]) for row in rows)
    said = f"at most in {100 * worst:.1f}% of samples for each of"
    assert f"{said} {len({row['metric'] for row in rows})} metrics" in page


def test_what_is_said_of_probabilities_of_one_and_another_seed():
    page, same = text_of("docs/calibration.md"), {}
    for row in rows_of("seed_signs.csv"):
        if row["models"] != "smooth" and row["said"] == "(0.999, 1.0]":
            same[row["half"], row["shows"]] = 100 * float(row["same"])
    decide, verify = (f"{same[half, 'zero']:.0f}%" for half in ("decide", "verify"))
    assert f"was {decide} (on the populations to decide on) and {verify} there" in page
    seen = [f"{same[half, 'clipped']:.0f}" for half in ("decide", "verify")]
    assert "(to verify), against {} and {}% where".format(*seen) in page


def predicted_classes(file="hard_classes.csv"):
    words = "half", "population", "first", "second", "metric"
    return [
        {k: v if k in words else float(v) for k, v in row.items()}
        for row in rows_of(file)
    ]


def told(rows):
    """Return in how many percent of the false rejections there was a warning."""
    found = sum(r["rejections"] * r["warned_rejections"] for r in rows)
    return 100 * found / sum(r["rejections"] for r in rows)


def mean_of(rows, column):
    return 100 * sum(row[column] for row in rows) / len(rows)


KINDS = "regular", "hard"


def few_positives(file):
    """Return the cells of metrics of labels with at most 30 positives."""
    return [
        row
        for row in rows_of(file)
        if row["metric"] != "accuracy"
        and round(int(row["n"]) * min(share := float(row["positives"]), 1 - share))
        <= 30
    ]


def test_what_is_said_of_few_positives():
    page = text_of("docs/guide/metrics.rst")
    for file, stated in (
        ("hard_classes.csv", "rejected {:.0f}% of true hypotheses in populations"),
        ("regular_classes.csv", "and {:.0f}% in ordinary ones"),
    ):
        rows = few_positives(file)
        assert stated.format(mean(rows, "size")) in page
        assert f"{len(rows):,} cells of `docs/data/{file}`" in page


def test_what_is_said_of_predicted_classes():
    page, rows = text_of("docs/guide/metrics.rst"), predicted_classes()
    populations = {row["population"] for row in rows}
    assert f"measured on {len(populations)} populations" in page
    assert f"{len(rows):,} cells" in page
    metrics = [row for row in rows if row["metric"] != "accuracy"]
    few = [row for row in metrics if row["hits"] < MIN_HITS]
    others = [row for row in metrics if row["hits"] >= MIN_HITS]
    crowded = [row for row in others if row["shift"] > _thresholds.MAX_SHIFT]
    assert f"rejected {mean_of(few, 'size'):.1f}% of true hypotheses in the" in page
    assert f"in the {len(few):,} cells" in page
    size = mean_of(others, "size")
    assert f"and {size:.1f}% in the {len(others):,} others" in page
    assert f"{mean_of(crowded, 'size'):.1f}% where the threshold matters" in page
    assert f"a standard error ({len(crowded)} cells)" in page
    liberal = [row for row in rows if row["size"] > 0.08]
    apart = [row for row in liberal if row["half"] == "verify"]
    assert f"{told(liberal):.0f}% of the false rejections come with" in page
    assert f"({told(apart):.0f}% on the populations" in page
    level = [row for row in rows if row["size"] <= 0.06]
    assert f"are raised in {mean_of(level, 'warned'):.0f}% of samples in cells" in page


def test_what_is_said_of_alarms_where_all_is_well():
    page, rows = (
        text_of("docs/guide/metrics.rst"),
        predicted_classes("regular_classes.csv"),
    )
    populations = {row["population"] for row in rows}
    assert f"On the {len(populations)} populations with two classes of the" in page
    sizes = [row["n"] for row in rows]
    assert f"{min(sizes):.0f} to {max(sizes):,.0f} examples" in page
    level = [row for row in rows if row["size"] <= 0.06]
    apart = [row for row in level if row["half"] == "verify"]
    alarms = mean_of(level, "threshold"), mean_of(apart, "threshold")
    said = f"comes in {alarms[0]:.1f}% of samples of the {len(level):,} cells"
    assert said in page
    assert f"({alarms[1]:.1f}% on populations that no default" in page
    assert max(alarms) <= 5


def test_what_is_said_of_the_rho_that_runs_show():
    page = text_of("docs/guide/rho.rst")
    rows = [row for row in predicted_classes() if row["metric"] == "accuracy"]
    bins = [
        [row for row in rows if low < row["rho"] <= low + 0.1]
        for low in (0.5, 0.6, 0.7, 0.8, 0.9)
    ]
    seen = [f"{np.median([row['seen_rho'] for row in of]):.2f}" for of in bins]
    true = [f"{np.mean([row['rho'] for row in of]):.2f}" for of in bins]
    for shown in (seen, true):
        assert f"was {', '.join(shown[:4])} and {shown[4]}" in page
    level = [row for row in rows if row["size"] <= 0.06]
    assert f"in {mean_of(level, 'high_rho'):.1f}% of samples in cells" in page
    assert f"in {mean_of(bins[4], 'high_rho'):.0f}% if ρ is above 0.9" in page


def test_searches_quote_what_was_measured_of_races():
    page = text_of("docs/guide/searches.rst")
    names = ("population", "splits", "way")
    rows = {tuple(row[name] for name in names): row for row in rows_of("racing.csv")}
    dropped = []
    optuna = ["Optuna, " + name for name in ("Median", "SuccessiveHalving", "Wilcoxon")]
    for way in ("RacingSearchCV", *(f"{name}Pruner" for name in optuna)):
        row = rows["all", "10", way]
        near = round(float(row["pick within half a s.e."]) * int(row["runs"]))
        name = way.replace("Optuna, ", "Optuna's ")
        cells = page.partition(f" * - {name}, ")[2].split(" - ")[1:3]
        share = f"{100 * float(row['fits']):.0f}%"
        assert cells[0] == share
        assert cells[1].startswith(f"{near} of {row['runs']} ")
        dropped.append(f"{100 * float(row['best dropped']):.0f}%")
    assert dropped[0] == "0%"
    said = "{} (median), {} (successive halving) and {} (Wilcoxon)"
    assert said.format(*dropped[1:]) in page


@pytest.mark.parametrize("k", [10, 50, 200, 1000])
def test_searches_quote_what_was_measured_of_winners(k):
    page = text_of("docs/guide/searches.rst")
    rows = [row for row in rows_of("winner.csv") if row["k"] == str(k)]
    names = ("mean of the best", "`winner_interval`", "BBC")
    for method, name in zip(("naive", "winner_interval", "BBC"), names, strict=True):
        found = [r for r in rows if (r["method"], r["truth"]) == (method, "ties")]
        bias = sorted(float(row["bias"]) for row in found)
        covered = sorted(100 * float(row["coverage"]) for row in found)
        cells = f"- {k:,} - {bias[0]:.2f} to {bias[-1]:.2f} - ".replace("-0.", "−0.")
        cells += f"{covered[0]:.0f}–{covered[-1]:.0f}%"
        assert cells in page.partition(f"* - {name}")[2]


def test_searches_quote_the_worst_that_was_measured_of_winners():
    rows = [row for row in rows_of("winner.csv") if row["method"] == "winner_interval"]
    assert len(rows) == 90
    bias = [abs(float(row["bias"])) for row in rows]
    assert round(max(bias), 2) == 0.18
    assert sum(value > 0.15 for value in bias) == 3
    low = [row for row in rows if float(row["coverage"]) < 0.94]
    assert [(row["truth"], row["coverage"][:4]) for row in low] == [
        ("clear", "0.93")
    ] * 2
    clear = [float(row["width"]) for row in rows if row["truth"] == "clear"]
    assert max(clear) < 1.01


def test_pages_quote_what_was_measured_of_winners_with_heavy_tails():
    rows, kinds = rows_of("winner_tails.csv"), {"normal": [], "tailed": [], "far": []}
    names = {"normal": "normal", "uniform": "normal", "t3": "tailed"}
    names |= {"counts": "tailed", "incomes": "tailed"}
    for row in rows:
        kinds[names.get(row["population"], "far")].append(row)

    def span(kind, column):
        values = [100 * float(row[column]) for row in kinds[kind]]
        return f"{min(values):.0f} to {max(values):.0f}"

    page = text_of("docs/guide/searches.rst")
    covered = [span(kind, "coverage") for kind in kinds]
    assert f"in {covered[0]}% of samples with normal errors" in page
    assert f"in {covered[1]}% with skewed or heavy-tailed targets" in page
    assert f"{covered[2]}% where models of high degree" in page
    told = [span(kind, "warned") for kind in kinds]
    assert f"in {told[0]}, {told[1]} and {told[2]}% of these samples" in page
    said = f"is {covered[2]}%, with a warning in {told[2]}% of samples"
    assert said in text_of("docs/trust.rst")
    for row in kinds["far"]:
        assert float(row["coverage_others"]) < float(row["coverage_warned"])


def test_searches_quote_what_was_measured_of_real_winners():
    page = text_of("docs/guide/searches.rst")

    def ends(column, method, *values, scale=1):
        rows = [row for row in rows_of("winner_real.csv") if row["method"] == method]
        found = [float(row[column]) for row in rows if row["values"] in values]
        return scale * min(found), scale * max(found)

    low, high = ends("bias", "naive", "splits", "examples")
    assert f"the best was {low:.2f} to {high:.2f} standard errors too high" in page
    for values, between in (("examples", "it covered in"), ("splits", "covered in")):
        low, high = ends("bias", "winner_interval", values)
        said = f"{low:.2f} to {high:.2f}, and {between} ".replace("-", "−")
        low, high = ends("coverage", "winner_interval", values, scale=100)
        assert f"{said}{low:.0f} to {high:.0f}%" in page
    low, high = ends("coverage", "naive", "splits", "examples", scale=100)
    assert f"(the interval of the mean in {low:.0f} to {high:.0f}%)" in page


def test_what_is_said_of_intervals_of_heavy_tails():
    page, rows = text_of("docs/calibration.md"), rows_of("interval_tails.csv")
    light = {"normal", "Laplace", "Poisson", "t with 5", "t with 8"}

    def covered(names):
        found = [100 * float(r["coverage"]) for r in rows if r["errors"] in names]
        return f"{min(found):.0f} to {max(found):.0f}% where"

    assert f"{covered(light)} errors are normal" in page
    assert f"{covered({'log-normal', 't with 3'})} they are log-normal" in page
    (normal,) = [r for r in rows if (r["errors"], r["n"]) == ("normal", "100")]
    assert float(normal["skewed_misses"]) < float(normal["skewed"])
    assert f"{100 * float(normal['skewed']):.0f}% have the skewness" in page


def kind_of_interval(row):
    if float(row["few_examples"]) >= 0.5:
        return "few"
    if float(row["threshold"]) >= 0.5:
        return "threshold"
    return "bayes" if row["learner"] == "bayes" else "others"


def misses_told(rows):
    """Return in how many percent of the misses there was a warning."""
    misses = [int(row["misses"]) for row in rows]
    return 100 * np.average([float(r["told_misses"]) for r in rows], weights=misses)


def test_what_is_said_of_intervals_where_classes_are_hard():
    page, rows = text_of("docs/calibration.md"), rows_of("hard_intervals.csv")
    assert f"({sizes_of(rows)} examples; {len(rows):,} cells, 100" in page
    assert {row["samples"] for row in rows} == {"100"}
    of = {
        kind: [row for row in rows if kind_of_interval(row) == kind]
        for kind in ("few", "threshold", "bayes", "others")
    }
    mean = {kind: mean_of(as_numbers(some), "coverage") for kind, some in of.items()}
    assert f"hold the truth in {mean['few']:.1f}% of samples where" in page
    assert f"FewExamplesWarning comes ({len(of['few'])} cells)" in page
    assert f"in {mean['threshold']:.1f}% where ThresholdWarning comes" in page
    assert f"in most samples ({len(of['threshold'])} cells)" in page
    said = f"in {mean['bayes']:.1f}% for naive Bayes elsewhere ({len(of['bayes'])}"
    assert said in page
    assert f"in {mean['others']:.1f}% in the other {len(of['others'])}." in page
    low = [row for row in rows if float(row["coverage"]) < 0.9]
    untold = [row for row in low if float(row["told_misses"]) < 0.5]
    n_bayes = sum(row["learner"] == "bayes" for row in untold)
    assert f"Of the {len(low)} cells below 90%, {len(untold)} raise no" in page
    assert f"that miss, {n_bayes} of these naive Bayes" in page
    assert f"in all {len(low)}, {misses_told(low):.0f}% of the misses" in page
    apart = [row for row in low if row["half"] == "verify"]
    assert f"({misses_told(apart):.0f}% on the populations that no" in page
    within = sum(0.9 <= float(row["coverage"]) <= 0.98 for row in rows)
    above = sum(float(row["coverage"]) > 0.98 for row in rows)
    shares = 100 * within / len(rows), 100 * above / len(rows)
    assert "{:.0f}% of all cells are within 90 to 98%, {:.0f}%".format(*shares) in page


def as_numbers(rows):
    keys = {"coverage", "size", "default_size", "power_2sd", "power_3sd"}
    keys |= {"default_power_2sd", "default_power_3sd", "default_hits"}
    return [row | {k: float(row[k]) for k in keys & set(row)} for row in rows]


def sizes_of(rows):
    sizes = sorted({int(row["n"]) for row in rows})
    return " and ".join(f"{n:,}" for n in sizes)


def test_what_is_said_of_the_f_test_where_classes_are_hard():
    page, rows = text_of("docs/calibration.md"), as_numbers(rows_of("hard_f_tests.csv"))
    told = [row for row in rows if float(row["default_threshold"]) >= 0.5]
    others = [row for row in rows if float(row["default_threshold"]) < 0.5]
    sizes = []
    for is_few in False, True:
        for column in "size", "default_size":
            for half in "decide", "verify":
                found = [
                    row
                    for row in told
                    if row["half"] == half
                    and is_few
                    == (row["default_hits"] < MIN_HITS and row["metric"] != "accuracy")
                ]
                sizes.append(mean_of(found, column))
    crowded, default, few, few_default = (
        "{:.1f} and {:.1f}".format(*sizes[k : k + 2]) for k in (0, 2, 4, 6)
    )
    assert f"it rejects in {crowded}% (on populations" in page
    assert f"the default test in {default}%; where hardly any" in page
    assert f"are found, {few} against {few_default}%." in page
    assert f"it rejects in {mean_of(others, 'size'):.1f}%, with a power" in page
    powers = [
        " · ".join(f"{mean_of(others, f'{of}power_{k}sd'):.0f}" for k in (2, 3))
        for of in ("", "default_")
    ]
    said = "a power of {} at 2 and 3 standard deviations where the default test has {}."
    assert said.format(*powers) in page
