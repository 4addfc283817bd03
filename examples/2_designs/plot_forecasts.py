"""
Which forecasts are better?
===========================

``compare_estimators(models, X, y, cv=TimeSeriesSplit(8))``

Gradient boosting forecasts a seasonal series worse than a linear model of twelve lags,
but eight test sets do not suffice to say so: its squared error is larger by 0.22, with
a 95% interval from -0.03 to 0.46. Models are trained on the past and tested on what
follows, and the test is Diebold and Mariano's.
"""

# %%
# The splits come from scikit-learn's ``TimeSeriesSplit``; they are recognised, and no
# test needs to be named. The picture shows where the difference comes from: the sum of
# the differences of squared errors goes up wherever the linear model has the smaller
# one.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import TimeSeriesSplit

from sklearn_cvtest import compare_estimators

rng = np.random.default_rng(0)
months = np.arange(420)
series = 2 * np.sin(2 * np.pi * months / 12)
noise = np.zeros(len(months))
for month in months[1:]:
    noise[month] = 0.6 * noise[month - 1] + rng.normal()
series = series + noise
X = np.column_stack([series[12 - lag : -lag] for lag in range(1, 13)])
y = series[12:]

models = {
    "boosting": HistGradientBoostingRegressor(max_iter=50, random_state=0),
    "twelve lags": LinearRegression(),
}
result = compare_estimators(models, X, y, cv=TimeSeriesSplit(8), loss="squared_error")
residuals = result.losses.residuals("boosting", "twelve lags")
differences = residuals.values
figure, ax = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
ax.plot(np.arange(len(y) - len(differences), len(y)), np.cumsum(differences))
ax.axhline(0, color="grey", linewidth=0.8)
ax.set(xlabel="month", ylabel="sum of differences")
ax.set_title("squared error of boosting - twelve lags, summed up", fontsize=10)
plt.show()
print(result)

# %%
# A K-fold would train on the future. It is possible, but then the question is another
# one, and the tests for K-folds take rows to be independent.
#
# The test estimates for how long differences are correlated, and allows for each test
# set being forecast by one model. Optimal forecasts h steps ahead have errors that are
# correlated up to lag h - 1: ``DieboldMarianoTest(horizon=h)`` accounts for these lags
# alone. Here this gives much the same.

from sklearn_cvtest import DieboldMarianoTest

for horizon in (None, 3, 6):
    test = result.retest(DieboldMarianoTest(horizon)).tests["boosting", "twelve lags"]
    low, high = test.confidence_interval()
    print(
        f"horizon {horizon}: p = {test.pvalue_:.3f}, interval {low:.2f} to {high:.2f}"
    )
