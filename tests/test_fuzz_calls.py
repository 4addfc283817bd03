"""Some random calls of the public API; `make fuzz` makes 2000, others each time."""

from fuzz_calls import public, run

import sklearn_cvtest


def test_random_calls_give_sane_results_or_say_what_is_wrong():
    wrong = run(range(60), seed=0)
    assert not wrong, "\n\n".join(wrong)


def test_functions_and_their_parameters_are_found():
    functions = {name for name in sklearn_cvtest.__all__ if name[0].islower()}
    assert functions <= public().keys()
