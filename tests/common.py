"""Registries: everything public of a kind, for the tests that hold for all of it."""

import inspect

import sklearn_cvtest
from sklearn_cvtest import simulation
from sklearn_cvtest._inference import BaseCVTest

PUBLIC = [getattr(sklearn_cvtest, name) for name in sklearn_cvtest.__all__]
ALL_TESTS = [
    item
    for item in PUBLIC
    if inspect.isclass(item)
    and issubclass(item, BaseCVTest)
    and not inspect.isabstract(item)
]
ALL_SPLITTERS = [item for item in PUBLIC if hasattr(item, "split")]
ALL_DISPLAYS = [
    item
    for item in PUBLIC
    if isinstance(item, type) and item.__name__.endswith("Display")
]
REFIT_RULES = [sklearn_cvtest.NotSignificantlyWorse]
ALL_POPULATIONS = [
    item
    for item in map(simulation.__dict__.get, simulation.__all__)
    if hasattr(item, "sample")
]
SIMULATION_SPLITTERS = [simulation.IndependentHoldouts]  # of whole multiples only
