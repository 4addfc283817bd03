"""Margins: the smallest difference or ratio that would matter, as users write it."""

import re

import numpy as np

from .._validation import check_real, invalid
from ._metric_names import SHARES, is_squared, metric_word

AVERAGE = re.compile("_(macro|micro|weighted|samples)$")


def check_margin(name, value):
    """Check that a margin is a number above 0 or a percentage as text."""
    if isinstance(value, str):
        share_of(name, value)
    else:
        check_real(name, value, above=0)


def share_of(name, text):
    """Return the share that a percentage as text is."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*%\s*", text)
    if not match:
        raise invalid(name, "a number, or a percentage such as '5%'", text)
    return float(match[1]) / 100


def read_margin(name, margin, losses):
    """Return a margin as a difference of mean losses, and as a ratio of them above 1.

    One of the two is 0. A percentage of squared errors is one of their root: "5%" is a
    ratio of 1.05², 0.1025 above 1.

    Parameters
    ----------
    name : str
        The parameter.
    margin : float or str
        A number of at least 0, or a percentage such as "5%".
    losses : CVLosses or CVResiduals
        What it is a margin of.
    """
    metric = metric_word(losses.measured or "")
    base = AVERAGE.sub("", metric)
    is_share = base in SHARES
    is_root = is_squared(metric) or metric.startswith("root_mean_squared")
    if isinstance(margin, str):
        share = share_of(name, margin)
        if losses.is_ratio_scale:
            power = 2 if is_squared(metric) else 1
            return 0.0, float(np.expm1(power * np.log1p(share)))
        allowed = "a number, as these losses are not compared by ratio"
        hint = ""
        if is_share:
            what = "an error rate" if metric == "zero_one" else SHARES[base]
            hint = f"For {what} write {name}=0.01: one percentage point."
        raise invalid(name, allowed, margin, hint=hint)
    margin = check_real(name, margin, above=0, closed="low")
    if margin and is_root and losses.is_ratio_scale:
        hint = "Write '5%'."
        raise invalid(name, "a percentage of the RMSE", margin, hint=hint)
    if is_share and margin >= 1:
        raise invalid(name, "a share: 0.02 is two points", margin)
    return margin, 0.0
