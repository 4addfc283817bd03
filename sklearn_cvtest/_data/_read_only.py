"""Arrays of results, which nothing may write to, and labels, which are only printed."""

import numpy as np

from .._validation import one_line

__all__ = ["ReadOnlyArrays", "read_only"]


def read_only(array):
    """Return a view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


# Fields that nothing is looked up by; code and files may give them any text.
LABELS = "cv_description", "labels_from", "loss_name"


class ReadOnlyArrays:
    """Makes array fields of a frozen dataclass read-only, and labels printable."""

    def __post_init__(self):
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, read_only(value))
            elif name in LABELS and isinstance(value, str):
                object.__setattr__(self, name, one_line(value))

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.__post_init__()
