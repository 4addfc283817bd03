"""What a layout of a file is, and what its values are values of."""

from dataclasses import dataclass, field

# What the values of a layout are, one for each model and ...
FOLDS = "fold"
RUNS = "run"
EXAMPLES = "example"
DATASETS = "data set"
PREDICTIONS = "prediction"
CANDIDATES = "candidate"
SINGLE = "single number"  # for each model, which cannot be tested


@dataclass(frozen=True)
class Layout:
    """One way in which results of models are written down.

    Attributes
    ----------
    name : str
        What the line calls it that says what was taken.
    unit : str
        What there is a value of, for each model: a fold, a run, an example, a data set.
    columns : dict of str to str
        The pattern of the name of the column of each role, in lower case; an empty
        pattern stands for the usual names of the role.
    example : str
        Five lines of such a file.
    writer : str
        Which tool writes it; that layout is looked for before those without a writer.
    optional : dict of str to str
        Columns that may be there.
    without : tuple of str
        Roles that no column may have, or names of columns that there may not be.
    values : str
        The pattern of the names of the columns of values, with the groups `metric` and
        `key`; an empty pattern stands for numbers whose names no rule excludes.
    spread : str
        The role that the names of several columns of values have, empty of one column.
    direction : {"score", "loss", ""}
        Whether greater is better; empty: as the name of the metric says.
    percent : bool
        Whether values are in percent.
    summed : str
        The role of rows over which the mean is taken, as they cannot be tested alone.
    is_numbered : bool
        Whether the folds are the rows of each model in their order.
    is_one_cv : bool
        Whether folds, however many, are folds of one cross-validation.
    bring : str
        What there must be instead, where this layout cannot be tested.
    """

    name: str
    unit: str
    columns: dict
    example: str
    writer: str = ""
    optional: dict = field(default_factory=dict)
    without: tuple = ()
    values: str = ""
    spread: str = ""
    direction: str = ""
    percent: bool = False
    summed: str = ""
    is_numbered: bool = False
    is_one_cv: bool = False
    bring: str = ""
