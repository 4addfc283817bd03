"""Numbers and tables as text and HTML."""

from html import escape

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import FitFailedWarning

from sklearn_cvtest import compare_estimators, cross_val_losses
from sklearn_cvtest._report._format import (
    format_pvalue,
    format_rho_alpha,
    html_table,
    html_text,
    one_line,
    short_names,
    text_table,
)
from sklearn_cvtest._report._measure import Measure, format_number
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


@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.HeavyTailedResidualsWarning"
)
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
    texts = Measure("error", True, 1).numbers(1e-17, -0.06398878484, 0.06398878484)
    assert texts == ["0.0", "−6.4", "6.4"]


def test_long_names_are_shortened_to_what_differs():
    names = [f"make_pipeline(StandardScaler(), SVC(C={c}, gamma=0.1))" for c in (1, 20)]
    ends = ["…C=1, gamma=0.1))", "…C=20, gamma=0.1))", "tree"]
    assert short_names([*names, "tree"], 20) == ends
    twins = ["x" * 30 + "a" + "y" * 30, "x" * 30 + "b" + "y" * 30]
    shown = short_names(twins, 20)
    assert len(set(shown)) == 2
    assert max(map(len, shown)) <= 20
