"""
What if rows belong together?
=============================

``compare_estimators(models, X, y, groups=countries)``

Without ``groups``, the verdict can turn round. Sixty countries are observed in twelve
years each, and life expectancy is predicted. A random forest recognises a country that
it has seen in other years, and seems to be better. For a new country, linear regression
is.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression

from sklearn_cvtest import compare_estimators
from sklearn_cvtest.exceptions import DependentRowsWarning

rng = np.random.default_rng(0)
countries = np.repeat(np.arange(60), 12)
year = np.tile(np.arange(12), 60)
income = rng.normal(size=60)[countries] + 0.03 * year
population = rng.normal(size=60)[countries] + 0.02 * year
life = 60 + 5 * income + 0.2 * year + 3 * rng.normal(size=60)[countries]
life += rng.normal(size=720)
X = np.column_stack([income, population, year])
models = {
    "linear": LinearRegression(),
    "forest": RandomForestRegressor(30, random_state=0),
}
result = compare_estimators(models, X, life, loss="absolute_error", groups=countries)
print(result)
result.plot()
plt.show()

# %%
# The same call without groups raises a DependentRowsWarning, which is ignored here.

warnings.simplefilter("ignore", DependentRowsWarning)
print(compare_estimators(models, X, life, loss="absolute_error"))
