"""One word, one meaning: what a parameter of this name is, wherever there is one."""

import re

import pytest
from signatures import table

SAME = "object"  # "as in" another function, which is checked
# The name of a column, and what the package passes.
OTHERS = {
    ("loss", "compare_table"),
    ("metric", "BaseCVTest.check_metric"),
}
TABLE = table()


@pytest.mark.parametrize(
    ("parameter", "meaning"),
    [
        ("groups", "array-like"),
        ("metric", "str"),  # the name of a score
        ("alpha", "float"),
        ("confidence_level", "float"),
        ("cv", "int, splitter|BlockKFold|object"),
        ("sample_weight", "array-like"),
        ("reference", 'str|"best"'),
        ("test", "test"),
        ("p_adjust", r'str|\{"holm"'),
        ("loss", "str"),
        ("scoring", "str, callable, list or dict"),
        ("random_state", "int"),
        ("n_train", "int"),
        ("n_test", "int"),
        ("margin", "float"),
        ("rope", "float"),
        ("percent", "bool"),
        ("n_jobs", "int"),
        ("ax", "matplotlib"),
        ("path", "str or os.PathLike"),
        ("estimators", "estimator|list|dict"),
    ],
)
def test_a_parameter_means_the_same_everywhere(parameter, meaning):
    assert TABLE[parameter], "no public callable has it"
    strays = [
        (name, kind)
        for kind, names in TABLE[parameter].items()
        for name in names
        if not (re.match(meaning, kind) or kind.startswith(SAME))
        and (parameter, name) not in OTHERS
    ]
    assert not strays
