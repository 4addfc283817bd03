"""The tests of this package, by name and by the design they are the default for."""

from ._traits import Traits, declared_traits

__all__ = ["default_test", "package_test", "register", "test_names"]

_TESTS = {}  # of this package, by name


def register(kind):
    """Take note of a class of tests, if it is a public one of this package."""
    is_ours = kind.__module__.partition(".")[0] == __name__.partition(".")[0]
    if is_ours and not kind.__name__.startswith("_"):
        _TESTS[kind.__name__] = kind


def package_test(name):
    """Return a test class of this package by its name, None if there is none."""
    return _TESTS.get(name)


def test_names():
    """Return the names of all test classes."""
    return list(_TESTS)


def default_test(design, per_example):
    """Return the class of the test for a design, None if there is none.

    Of those that declare themselves for it, the one that uses single examples if there
    are such.
    """
    classes = [(Traits(**declared_traits(kind)), kind) for kind in _TESTS.values()]
    for traits, kind in sorted(classes, key=lambda pair: not pair[0].needs_examples):
        fits = design.kind in vars(kind).get("default_for", ())
        fits = fits and (not design.base or traits.base_design in (None, design.base))
        if fits and (per_example or not traits.needs_examples):
            return kind
    return None
