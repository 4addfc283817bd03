"""Arrays of results, which nothing may write to."""

import numpy as np

__all__ = ["ReadOnlyArrays", "read_only"]


def read_only(array):
    """Return a view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


class ReadOnlyArrays:
    """Makes the array fields of a frozen dataclass read-only views."""

    def __post_init__(self):
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, read_only(value))

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.__post_init__()
