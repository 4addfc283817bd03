"""Tests of single examples, or of groups that may weigh the same in the mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ._base_test import BaseCVTest
from ._joint import single_rows
from ._parameters import one_of
from ._traits import class_traits

WEIGHTS = one_of("examples", "groups")


@dataclass(eq=False, repr=False, kw_only=True)
class _WeighedTest(BaseCVTest):
    """A test of single examples, or of groups that may weigh the same in the mean."""

    weights: Literal["examples", "groups"] = field(default="examples", metadata=WEIGHTS)

    needs_examples = True
    vectorised = True
    equal_groups = "weights='groups'"

    @property
    def traits(self):
        """What the test is and how it is spoken of; see :class:`BaseCVTest`."""
        return class_traits(type(self), weighs_groups=self.weights == "groups")

    def deviation_rows(self, residuals):
        """Return the deviations of examples or groups; see :class:`BaseCVTest`."""
        return single_rows(residuals, self.weights)
