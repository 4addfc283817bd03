"""Names for the types of arguments and results, as docstrings describe them."""

import os
from collections.abc import Callable
from collections.abc import Iterable as Iterable
from collections.abc import Iterator as Iterator
from collections.abc import Mapping as Mapping
from collections.abc import Sequence as Sequence
from typing import TYPE_CHECKING, Literal
from typing import Any as Any
from typing import Self as Self

import numpy as np
from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame
else:
    Axes = DataFrame = Any

Alternative = Literal["two-sided", "less", "greater"]
Array = NDArray[Any]
Estimators = Sequence[Any] | Mapping[str, Any]
Function = Callable[..., Any]
Pairs = Literal["best", "all"] | Sequence[tuple[Any, Any]] | None
PathLike = str | os.PathLike[str]
SeveralMetrics = list[Any] | tuple[Any, ...] | dict[str, Any]
Seed = int | np.random.RandomState | None
