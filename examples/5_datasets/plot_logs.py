"""
Is the new prompt better, or was it the seed?
=============================================

::

    compare_file("log.jsonl", example="id", run="seed", score="accuracy")

Logs of an evaluation have a line for each question, and several runs with other seeds.
Runs and questions are both samples. The test answers whether the new prompt would be
ahead with new seeds and new questions; here it would.
"""

# %%
# JSON lines, as evaluations of language models write them. These are drawn at random:
# 200 questions of different difficulty, three runs of each prompt.

import json

import matplotlib.pyplot as plt
import numpy as np

from sklearn_cvtest import compare_scores

rng = np.random.default_rng(0)
difficulty = rng.normal(size=200)
lines = [
    json.dumps({"prompt": prompt, "seed": seed, "id": number, "accuracy": int(right)})
    for prompt, skill in {"old": 0.3, "new": 0.6}.items()
    for seed in range(3)
    for number, right in enumerate(skill + rng.normal(size=200) > difficulty)
]
print(lines[0])

# %%
# A file of such lines is compared by its name, ``compare_file("log.jsonl", ...)``.
# Here the lines become a table first.

rows = [json.loads(line) for line in lines]
table = {name: [row[name] for row in rows] for name in rows[0]}
result = compare_scores(
    table, model="prompt", example="id", run="seed", score="accuracy"
)
print(result)
result.plot()
plt.show()

# %%
# How many questions would it take to detect five points?

print(result.plan(0.05))
