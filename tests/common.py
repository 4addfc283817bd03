"""Registries: everything public of a kind, for the tests that hold for all of it."""

import inspect
from importlib.metadata import entry_points

import sklearn_cvtest
from sklearn_cvtest import adapters, exceptions, losses, results, simulation

(_command,) = entry_points(group="console_scripts", name="sklearn-cvtest")
main = _command.load()  # the command `sklearn-cvtest`, of its arguments

MODULES = (sklearn_cvtest, adapters, exceptions, losses, results, simulation)
PUBLIC = {name: getattr(module, name) for module in MODULES for name in module.__all__}
ALL_TESTS = [
    item
    for item in PUBLIC.values()
    if inspect.isclass(item)
    and issubclass(item, results.BaseCVTest)
    and not inspect.isabstract(item)
]
SIMULATION_SPLITTERS = [simulation.IndependentHoldouts]  # of whole multiples only
ALL_SPLITTERS = [
    item
    for item in PUBLIC.values()
    if hasattr(item, "split") and item not in SIMULATION_SPLITTERS
]
ALL_DISPLAYS = [
    item
    for item in PUBLIC.values()
    if isinstance(item, type) and item.__name__.endswith("Display")
]
SEARCHES = [sklearn_cvtest.RacingSearchCV]
REFIT_RULES = [sklearn_cvtest.NotSignificantlyWorse]
ALL_POPULATIONS = [
    item
    for item in map(simulation.__dict__.get, simulation.__all__)
    if hasattr(item, "sample")
]
