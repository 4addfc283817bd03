"""
Which ranks of a leaderboard are real?
======================================

``compare_scores(scores, score="accuracy")``

Thirty models answered the same 500 questions, three times each. A leaderboard puts them
in an order, and the order looks as sure at the top as at the bottom. It is not: new
questions, or only new runs on the same ones, would reshuffle most of it.

:func:`~sklearn_cvtest.compare_scores` treats questions and runs as two samples and
compares all pairs. Models that do not differ significantly have no order, so every rank
has an interval: a model is at best just below those that are significantly better than
it, and at worst just above those that are significantly worse. As p-values are adjusted
for all 435 pairs, all the intervals hold together with 95% confidence [1]_.
"""

# %%
# The scores: right or wrong, of shape (runs, questions) for each model. A question is
# hard or easy for all models alike, and the models of one family fail on the same ones.

import matplotlib.pyplot as plt
import numpy as np

from sklearn_cvtest import compare_scores

rng = np.random.default_rng(0)
n_runs, n_questions, families = 3, 500, "ABCDEF"
difficulty = rng.normal(size=n_questions)
scores = {}
for family in families:
    shared = 0.8 * rng.normal(size=n_questions)
    skill = rng.normal(0.3, 0.3)
    for size in range(1, 6):
        run = 0.05 * rng.normal(size=(n_runs, 1))
        noise = rng.normal(size=(n_runs, n_questions))
        own = skill + 0.12 * size + shared + run + noise
        scores[f"{family}{size}"] = own > difficulty

# %%
# p-values are adjusted for the number of pairs by Holm's method.

result = compare_scores(scores, score="accuracy")
print(str(result).partition("\n\n")[0])

# %%
# Which models may be the best is a smaller question than the whole order, and so has a
# sharper answer.

print(str(result.best_set()).partition("\n\n")[0])

# %%
# The ranks. In each pair that differs significantly, one model is better.

pairs = result.to_frame()
different = pairs[pairs["better"].notna()]
is_first = different["better"] == different["first"]
worse = np.where(is_first, different["second"], different["first"])
above = {model: int(np.sum(worse == model)) for model in scores}
below = {model: int(np.sum(different["better"] == model)) for model in scores}

order = [result.losses.names[position] for position in result.losses.ranking]
low = np.array([1 + above[model] for model in order])
high = np.array([len(order) - below[model] for model in order])
print(f"{len(different)} of {len(pairs)} pairs differ significantly.")
print(f"{order[0]}, first of all, has a rank between {low[0]} and {high[0]}.")

# %%
# An interval for each rank; the dot is where the leaderboard has the model.

places = np.arange(1, len(order) + 1)
fig, ax = plt.subplots(figsize=(6.4, 7), layout="constrained")
ax.hlines(places, low, high, color="C0", lw=5, alpha=0.4)
ax.plot(places, places, "o", color="C0", ms=4)
ax.set_yticks(places, order)
ax.invert_yaxis()
ax.set_xlim(0.5, len(order) + 0.5)
ax.set_xlabel("rank, with simultaneous 95% intervals")
ax.set_title("30 models on 500 questions, 3 runs")
plt.show()

# %%
# What would sharpen the order? What the first two models can show, and what it would
# take to tell one point apart:

pair = {model: scores[model] for model in order[:2]}
print(compare_scores(pair, score="accuracy").plan(0.01))

# %%
# .. [1] M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, "Inference for Ranks
#    with Applications to Mobility across Neighbourhoods and Academic Achievement across
#    Countries", Review of Economic Studies 91(1), 476-518, 2024.
