"""Numbers and tables as text and HTML."""

import re
from html import escape

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import FitFailedWarning
from sklearn_cvtest._report._as_html import html_table, html_text
from sklearn_cvtest._report._as_text import text_table
from sklearn_cvtest._report._format import (
    about,
    at_most,
    format_number,
    format_pvalue,
    format_rho_alpha,
)
from sklearn_cvtest._report._metric_format import MetricFormat
from sklearn_cvtest._report._printed_names import cut_names, in_sentence, short_forms

from sklearn_cvtest import compare_estimators, cross_val_losses
from sklearn_cvtest._validation import one_line
from sklearn_cvtest.losses import make_loss


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (1.0, "1.000"),
        (-12.3456, "-12.35"),
        (0.000012345, "1.234e-05"),
        (123456.7, "123457"),
        (1234567.0, "1.235e+06"),
        (-2.5e-300, "-2.500e-300"),
        (np.inf, "inf"),
        (-np.inf, "-inf"),
        (np.nan, "nan"),
        (np.float64(0.5), "0.5000"),
        (np.int64(3), "3.000"),
        ("text", "text"),
    ],
)
def test_format_number(value, text):
    assert format_number(value) == text


@pytest.mark.parametrize("value", 10.0 ** np.arange(-3, 6) * 1.23456)
def test_format_number_is_close_to_the_value(value):
    assert abs(float(format_number(value)) - value) <= 5e-4 * value + 5e-5


@pytest.mark.parametrize("value", [0.00123456, 0.000512345])
def test_format_number_keeps_significant_digits_of_small_values(value):
    assert abs(float(format_number(value)) / value - 1) < 0.01


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.000"),
        (0.0, "0"),
        (0.05, "0.050"),
        (0.001, "0.001"),
        (0.00099, "9.9e-04"),
        (1e-300, "1.0e-300"),
    ],
)
def test_format_pvalue(value, text):
    assert format_pvalue(value) == text


TABLE = ["name", "x"], [["a", "1.5"], ["longer", "-12.25"]], "<>"


def test_text_table_aligns_columns():
    assert text_table(*TABLE).splitlines() == [
        "name         x",
        "------  ------",
        "a          1.5",
        "longer  -12.25",
    ]


def test_text_table_without_rows_is_its_header():
    assert text_table(["a", "bb"], [], "<>") == "a  bb\n-  --"


def test_html_table_holds_every_cell():
    html = html_table(*TABLE)
    assert html.count("<tr>") == 3
    assert html.count("<td") == 4
    assert html.count("<th ") == 2
    assert html.count("text-align: right") == 3


@pytest.mark.parametrize("hostile", ["<script>x</script>", "a&b", "\"q\" 'r'", "</td>"])
def test_html_table_escapes_every_cell(hostile):
    assert html_table([hostile], [[hostile]], "<").count(escape(hostile)) == 2


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand  more ", "two lines and more"),
        ("\x00\x1b[0m", "\\u0000\\u001b[0m"),
        ("\u202eturned\u2069", "\\u202eturned\\u2069"),
        ("\ud800", "\\ud800"),
        ("שלום é 漢字", "שלום é 漢字"),
        (3, "3"),
    ],
)
def test_one_line_shows_everything(text, shown):
    assert one_line(text) == shown
    assert html_text(text) == escape(shown)


HARMFUL = {
    "\x1b[2J": r"\u001b[2J",
    "a\x00b": r"a\u0000b",
    "a\rb": "a b",
    "a\nb\x0bc\x85d\u2028e": "a b c d e",
    "\u202egnp": r"\u202egnp",
    "\ud800": r"\ud800",
    "a\u200bb": r"a\u200bb",
    "\ufeffa": r"\ufeffa",
    "\U000e0041": r"\U000e0041",
    "\uffff": r"\uffff",
    "\x9b1m": r"\u009b1m",
    "ρ 日本 é 👩\u200d🔬": "ρ 日本 é 👩\u200d🔬",
}


@pytest.mark.parametrize(("text", "shown"), HARMFUL.items(), ids=ascii)
def test_what_a_terminal_would_obey_is_shown(text, shown):
    assert one_line(text) == shown
    assert html_text(text) == escape(shown)
    assert text_table([text], [[text]], "<").splitlines()[::2] == [shown] * 2


def test_results_of_many_show_what_a_terminal_would_obey():
    models = {f"{text}{i}": DummyRegressor() for text in HARMFUL for i in "ab"}
    y = np.arange(40.0) + 9.0 * (np.arange(40) % 2)
    worst = DummyRegressor(strategy="constant", constant=99.0)
    result = compare_estimators(models | {"worst": worst}, np.zeros((40, 1)), y, cv=4)
    labels = np.where(np.arange(40) % 2, "\x1b[2J", "\u202ea\nb")
    shown = [str(result), str(result.by(labels)), repr(result), result.report()]
    hidden = set("".join(shown)) & set("\x1b\0\r\x0b\x85\u2028\u202e\ud800\u200b\x9b")
    assert not hidden


@pytest.mark.parametrize("text", HARMFUL, ids=ascii)
def test_warnings_and_errors_show_what_a_terminal_would_obey(text):
    class Failing(DummyRegressor):
        def predict(self, X):
            raise RuntimeError(text)

    models = {text: Failing(), "fine": DummyRegressor()}
    with pytest.warns(FitFailedWarning) as told:
        cross_val_losses(models, np.zeros((9, 1)), np.arange(9.0), cv=3)
    with pytest.raises(ValueError, match="`cv` must be") as raised:
        cross_val_losses(models, np.zeros((9, 1)), np.arange(9.0), cv=10**9)
    loss = make_loss(lambda y_true, y_pred: 0, name=text)
    with pytest.raises(ValueError, match="`loss` must return") as wrong:
        loss.evaluate(np.zeros(2), np.zeros(2))
    for message in (told[0].message, raised.value, wrong.value):
        hidden = set(str(message)) & set("\x1b\0\r\x0b\x85\u2028\u202e\ud800\u200b\x9b")
        assert not hidden


@pytest.mark.parametrize(
    ("value", "text"), [(0.53, "0.530"), (-0.1, "none"), (-np.inf, "none")]
)
def test_no_rho_is_called_none(value, text):
    assert format_rho_alpha(value) == text


def test_a_difference_that_is_rounding_is_shown_as_zero():
    texts = MetricFormat("error", True, 1).numbers(1e-17, -0.06398878484, 0.06398878484)
    assert texts == ["0.0", "−6.4", "6.4"]


PIPE = "Pipeline(steps=[('scale', StandardScaler()), ('model', {})])"


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["a", "tree"], ["a", "tree"]),
        (
            ["weka.classifiers.bayes.NaiveBayes", "weka.classifiers.trees.J48"],
            ["bayes.NaiveBayes", "trees.J48"],
        ),
        (
            [PIPE.format(f"Ridge(alpha={k})") for k in (1, 10)],
            ["alpha=1", "alpha=10"],
        ),
        ([PIPE.format(m) for m in ("Ridge()", "SVR(C=2)")], ["Ridge()", "SVR(C=2)"]),
        (
            [f"forest(depth={k}, leaf=5, trees=500)" for k in (2, 3)],
            ["depth=2", "depth=3"],
        ),
        # a number is no part, neither are words of a sentence
        (
            [f"logistic regression, alpha 0.{k}" for k in (15, 17)],
            ["alpha 0.15", "alpha 0.17"],
        ),
        (["a forest of many deep trees", "a forest of many small and shallow trees"],)
        * 2,
        (["x" * 40 + "a", "x" * 40 + "b"],) * 2,
        (["weka.classifiers.bayes.NaiveBayes", "mine"],) * 2,
    ],
)
def test_long_names_lose_what_all_of_them_share(names, short):
    assert short_forms(names) == tuple(short)


@pytest.mark.parametrize("name", ["mean", "None", "0.5", "-1e-3", "Other"])
def test_a_name_that_reads_as_a_word_is_quoted(name):
    assert in_sentence(name) == f"'{name}'"


def test_names_are_cut_in_pictures_only_and_stay_different():
    twins = ["x" * 30 + "a" + "y" * 30, "x" * 30 + "b" + "y" * 30]
    shown = cut_names(twins, 20)
    assert len(set(shown)) == 2
    assert max(map(len, shown)) <= 20


def test_a_table_wraps_names_and_keeps_numbers():
    names = ["weka.classifiers.bayes.NaiveBayes †", "tree, " * 30]
    rows = [[name, "1.5 to 2.5", "9" * 40] for name in names]
    table = text_table(["model", "95% CI", "p"], rows, "<>>")
    assert max(map(len, table.splitlines())) <= 88
    whole = re.sub(r"\s+", "", table)
    assert whole.count("1.5to2.5") == 2 == whole.count("9" * 40)
    first = "".join(line[:30] for line in table.splitlines()).replace(" ", "")
    assert "weka.classifiers.bayes.NaiveBayes†" in first
    assert first.count("tree,") == 30


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([0.012, 0.00001], "p ≤ 0.012"),
        ([0.0121, 0.0001], "p ≤ 0.013"),
        ([0.049996, 0.01], "p < 0.05"),
        ([0.05, 0.01], "p ≤ 0.05"),
        ([1e-5, 1e-9], "p < 0.001"),
        ([0.0, 0.0], "p < 0.001"),
        ([0.033], "p = 0.033"),
        ([1e-5], "p < 0.001"),
    ],
)
def test_a_list_of_p_values_is_its_largest_rounded_up_to_two_digits(values, text):
    assert at_most("p", values, 0.05) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (129_690_330, "130 million"),
        (1_290_000, "1.3 million"),
        (961_202_510_338, "960 billion"),
        (10_331, "10,000"),
        (87, "87"),
        (1, "1"),
    ],
)
def test_an_estimated_number_has_two_digits(number, text):
    assert about(number) == text
