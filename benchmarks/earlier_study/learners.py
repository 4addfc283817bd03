"""Learners fitted to many training sets of one sample at once.

Each takes X (n, d), y (n,), the number of classes (0: regression), W and T (F, n), the rows
to train on and those to predict, and returns scores (F, n, n_classes) or predictions (F, n);
only rows in T are meaningful. "proba" is True if the scores are probabilities.
"""

import ctypes
import hashlib
import pathlib
import subprocess
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent


def _compile():
    source = HERE / "study_tree.c"
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    target = pathlib.Path(tempfile.gettempdir()) / f"study_tree_{digest}.so"
    if not target.exists():
        command = ["cc", "-O3", "-march=native", "-shared", "-fPIC", "-o"]
        subprocess.run([*command, str(target), str(source)], check=True)
    library = ctypes.CDLL(str(target))
    double = np.ctypeslib.ndpointer(np.float64, flags="C")
    int32 = np.ctypeslib.ndpointer(np.int32, flags="C")
    byte = np.ctypeslib.ndpointer(np.uint8, flags="C")
    number = ctypes.c_int
    library.fit_trees.argtypes = [
        number, number, double, int32, double, number, number, byte, byte,
        number, number, number, ctypes.c_uint64, double,
    ]  # fmt: skip
    library.fit_trees.restype = None
    return library


LIBRARY = _compile()


def trees(X, y, n_classes, W, T, n_trees=1, max_features=None, min_split=2, seed=0):
    n, d = X.shape
    columns = np.ascontiguousarray(X.T, dtype=np.float64)
    order = np.argsort(columns, axis=1, kind="stable").astype(np.int32)
    out = np.empty((len(W), n, max(n_classes, 1)))
    LIBRARY.fit_trees(
        n, d, columns, order, np.ascontiguousarray(y, dtype=np.float64), n_classes,
        len(W), np.ascontiguousarray(W, dtype=np.uint8),
        np.ascontiguousarray(T, dtype=np.uint8), n_trees, max_features or d,
        min_split, int(seed), out,
    )  # fmt: skip
    return out if n_classes else out[..., 0]


def tree(X, y, n_classes, W, T, rng):
    return trees(X, y, n_classes, W, T, seed=rng.integers(1, 2**60))


def pruned_tree(X, y, n_classes, W, T, rng):
    return trees(X, y, n_classes, W, T, min_split=20, seed=rng.integers(1, 2**60))


def forest(X, y, n_classes, W, T, rng, n_trees=15):
    d = X.shape[1]
    some = max(1, int(np.sqrt(d))) if n_classes else max(1, d // 3)
    seed = rng.integers(1, 2**60)
    return trees(X, y, n_classes, W, T, n_trees=n_trees, max_features=some, seed=seed)


def _softmax(scores):
    scores = scores - scores.max(axis=-1, keepdims=True)
    p = np.exp(scores)
    return p / p.sum(axis=-1, keepdims=True)


def naive_bayes(X, y, n_classes, W, T, rng):
    n, d = X.shape
    XX = np.hstack([X, X**2])
    smoothing = 1e-9 * X.var(axis=0).max()
    scores = np.full((len(W), n, n_classes), -np.inf)
    W = W.astype(np.float64)
    for c in range(n_classes):
        Wc = W * (y == c)
        count = Wc.sum(axis=1)
        moments = Wc @ XX / np.maximum(count, 1)[:, np.newaxis]
        mean = moments[:, :d]
        var = np.maximum(moments[:, d:] - mean**2, 0) + smoothing
        quadratic = (1 / var) @ (X**2).T - 2 * (mean / var) @ X.T
        quadratic += (mean**2 / var + np.log(var)).sum(axis=1)[:, np.newaxis]
        with np.errstate(divide="ignore"):
            prior = np.log(count / W.sum(axis=1))
        scores[:, :, c] = prior[:, np.newaxis] - quadratic / 2
    return _softmax(scores)


def _crossproducts(W, X):
    n, d = X.shape
    products = (X[:, :, np.newaxis] * X[:, np.newaxis, :]).reshape(n, d * d)
    return (W @ products).reshape(len(W), d, d)


def lda(X, y, n_classes, W, T, rng, shrink=1e-3):
    n, d = X.shape
    W = W.astype(np.float64)
    onehot = np.eye(n_classes)[y.astype(int)]
    counts = W @ onehot
    means = np.stack(
        [
            (W * onehot[:, c]) @ X / np.maximum(counts[:, [c]], 1)
            for c in range(n_classes)
        ],
        axis=1,
    )
    pooled = _crossproducts(W, X)
    pooled -= np.matmul((means * counts[..., np.newaxis]).transpose(0, 2, 1), means)
    df = np.maximum(W.sum(axis=1) - n_classes, 1)
    pooled /= df[:, np.newaxis, np.newaxis]
    trace = np.trace(pooled, axis1=1, axis2=2) / d
    pooled += shrink * trace[:, np.newaxis, np.newaxis] * np.eye(d)
    solved = np.linalg.solve(pooled, means.transpose(0, 2, 1))  # F, d, C
    offset = -0.5 * np.einsum("fcd,fdc->fc", means, solved)
    with np.errstate(divide="ignore"):
        offset = offset + np.log(counts / W.sum(axis=1, keepdims=True))
    return _softmax(np.matmul(X, solved) + offset[:, np.newaxis, :])


def logistic(X, y, n_classes, W, T, rng, penalty=1.0, steps=12):
    """Two classes; the penalty is scikit-learn's 1/C, the intercept is free."""
    n, d = X.shape
    W = W.astype(np.float64)
    X1 = np.hstack([X, np.ones((n, 1))])
    products = (X1[:, :, np.newaxis] * X1[:, np.newaxis, :]).reshape(n, -1)
    ridge = penalty * np.diag(np.r_[np.ones(d), 1e-8])
    beta = np.zeros((len(W), d + 1))
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(beta @ X1.T, -30, 30)))
        gradient = (W * (y - p)) @ X1 - beta @ ridge
        hessian = ((W * np.maximum(p * (1 - p), 1e-6)) @ products).reshape(
            -1, d + 1, d + 1
        )
        step = np.linalg.solve(hessian + ridge, gradient[..., np.newaxis])[..., 0]
        beta += step
        if np.abs(step).max() < 1e-6:
            break
    p = 1 / (1 + np.exp(-np.clip(beta @ X1.T, -30, 30)))
    return np.stack([1 - p, p], axis=-1)


def _neighbours(X, W, T, k):
    """Return rows (f, i) of T and the first k training neighbours of each."""
    squares = (X**2).sum(axis=1)
    distance = squares[:, np.newaxis] + squares - 2 * X @ X.T
    np.fill_diagonal(distance, np.inf)
    order = np.argsort(distance, axis=1)[:, : min(len(X) - 1, 30 + 8 * k)]
    f, i = np.nonzero(T)
    chosen = np.empty((len(f), k), dtype=np.int64)
    for start in range(0, len(f), 20000):
        rows = slice(start, start + 20000)
        near = order[i[rows]]
        inside = W[f[rows][:, np.newaxis], near] > 0
        rank = np.cumsum(inside, axis=1)
        for j in range(k):
            hit = (inside & (rank == j + 1)).argmax(axis=1)
            chosen[rows, j] = np.take_along_axis(near, hit[:, np.newaxis], 1)[:, 0]
    return f, i, chosen


def knn(X, y, n_classes, W, T, rng, k=5):
    f, i, chosen = _neighbours(X, W, T, k)
    if n_classes:
        out = np.zeros((len(W), len(X), n_classes))
        out[f, i] = np.eye(n_classes)[y[chosen].astype(int)].mean(axis=1)
    else:
        out = np.zeros((len(W), len(X)))
        out[f, i] = y[chosen].mean(axis=1)
    return out


def nearest(X, y, n_classes, W, T, rng):
    return knn(X, y, n_classes, W, T, rng, k=1)


def ridge(X, y, n_classes, W, T, rng, alpha=1.0):
    n, d = X.shape
    W = W.astype(np.float64)
    X1 = np.hstack([X, np.ones((n, 1))])
    penalty = np.diag(np.r_[np.full(d, alpha), 0.0]) + 1e-9 * np.eye(d + 1)
    beta = np.linalg.solve(
        _crossproducts(W, X1) + penalty, ((W * y) @ X1)[..., np.newaxis]
    )
    return beta[..., 0] @ X1.T


def ols(X, y, n_classes, W, T, rng):
    return ridge(X, y, n_classes, W, T, rng, alpha=0.0)


def ridge_strong(X, y, n_classes, W, T, rng):
    return ridge(X, y, n_classes, W, T, rng, alpha=30.0)


LEARNERS = {
    "tree": tree, "tree20": pruned_tree, "forest": forest, "nb": naive_bayes, "lda": lda,
    "logistic": logistic, "5nn": knn, "1nn": nearest, "ols": ols, "ridge1": ridge,
    "ridge30": ridge_strong,
}  # fmt: skip
PROBABILISTIC = {"nb", "lda", "logistic"}
UNSTABLE = {"tree", "tree20", "forest"}
