"""What the study says of tests and designs, from the losses that fits.py stored.

    python evaluate.py sums --fits out --out sums       # what the tests need of losses
    python evaluate.py rates --sums sums --out results.csv  # size, power, seeds
    python evaluate.py docs --results results.csv --out ../../docs/data/study.csv

docs: the cases without heavy tails, the designs and tests of the pages.
"""

import argparse
import csv
import itertools
import pathlib
import pickle
import sys

import numpy as np
import populations
from fits import setup_name, setups
from learners import UNSTABLE
from scipy import special

# Sums ------------------------------------------------------------------------------


RUNS = [1, 2, 3, 4, 6, 10, 20]


def moments(mean_e, runs, fold):
    """Return the summary of residuals (S, R, n) of repeated K-fold, dict of (S,) arrays."""
    S, R, n = runs.shape
    out = {"mean": mean_e.mean(axis=1), "n": n, "R": R, "K": int(fold.max()) + 1}
    d = mean_e - out["mean"][:, None]
    m2 = (d**2).mean(axis=1)
    m3 = (d**3).mean(axis=1)
    out["theta"] = m2 / (n - 1)
    with np.errstate(all="ignore"):
        out["a"] = np.where(m2 > 1e-20, m3 / m2**1.5 / np.sqrt(n), 0.0)
    out["ndiff"] = (np.abs(mean_e - np.median(mean_e, axis=1)[:, None]) > 1e-12).sum(
        axis=1
    )
    # examples that weigh: (Σd²)²/Σd⁴, the effective number of them
    m4 = (d**4).mean(axis=1)
    with np.errstate(all="ignore"):
        out["n_eff"] = np.where(m4 > 0, n * m2**2 / m4, 0.0)
    single = ((runs - runs.mean(axis=2, keepdims=True)) ** 2).sum(axis=2) / (
        n * (n - 1)
    )
    out["theta1"] = single.mean(axis=1)
    run_means = runs.mean(axis=2)
    blocks = []
    for k in range(out["K"]):
        inside = fold == k
        blocks.append((runs * inside).sum(axis=2) / inside.sum(axis=2))
    blocks = np.stack(blocks, axis=2)
    out["S2"] = blocks.reshape(S, -1).var(axis=1, ddof=1)
    out["theta3"] = (blocks.var(axis=2, ddof=1) / out["K"]).mean(axis=1)
    if R > 1:
        out["v"] = ((runs - mean_e[:, None]) ** 2).sum(axis=(1, 2)) / (n**2 * (R - 1))
        out["sm2"] = run_means.var(axis=1, ddof=1)
    return out


def summarise(e, fold):
    """Return {design: summary} of residuals {design: array}."""
    out = {}
    k5 = e["k5"]
    for R in RUNS:
        for letter, start in (("", 0), ("b", R)):
            if start + R > k5.shape[1]:
                continue
            part = slice(start, start + R)
            out[f"{R}x5{letter}"] = moments(
                k5[:, part].mean(1), k5[:, part], fold["k5"][:, part]
            )
    out["run_means"] = k5.mean(axis=2)
    if "k10" not in e:
        return out
    for R in (1, 2, 3):
        part = slice(0, R)
        out[f"{R}x10"] = moments(
            e["k10"][:, part].mean(1), e["k10"][:, part], fold["k10"][:, part]
        )
    out["1x10b"] = moments(e["k10"][:, 1], e["k10"][:, 1:2], fold["k10"][:, 1:2])
    out["1x10c"] = moments(e["k10"][:, 2], e["k10"][:, 2:3], fold["k10"][:, 2:3])
    out["10x3"] = moments(e["k3"].mean(1), e["k3"], fold["k3"])
    out["3x3"] = moments(e["k3"][:, :3].mean(1), e["k3"][:, :3], fold["k3"][:, :3])
    for design in ("s10", "s20"):
        s = e[design]
        out[design] = {"mean": s.mean(1), "S2": s.var(1, ddof=1), "J": 15}
    h = e["halves"]
    half = h.shape[-1]
    out["halves"] = {
        "D": h.mean(-1),
        "theta": h.var(-1, ddof=1).mean(axis=(1, 2)) / half,
    }
    return out


def load_fits(folder, name, max_samples, designs=("k5",)):
    """Return the arrays that fits.py stored of designs of a set-up, {} if none."""
    paths = sorted(f for f in folder.glob(f"{name}.*.npz") if ".part" not in f.name)
    parts = []
    for path in paths[: max_samples // 100]:
        with np.load(path) as data:
            ends = tuple(f"|{design}" for design in designs)
            keys = [k for k in data if k.endswith(ends) and not k.startswith("fold")]
            parts.append({key: data[key] for key in keys})
    keys = parts[0] if parts else ()
    return {key: np.concatenate([part[key] for part in parts]) for key in keys}


def cells_of(arrays):
    """Yield (first, second or None, loss, residuals by design)."""
    keys = {tuple(key.split("|")) for key in arrays if not key.startswith("fold")}
    losses = sorted({k[1] for k in keys})
    designs = sorted({k[2] for k in keys})
    order = list(
        dict.fromkeys(k.split("|")[0] for k in arrays if not k.startswith("fold"))
    )
    for loss in losses:
        names = [name for name in order if (name, loss, designs[0]) in keys]
        for name in names:
            yield (
                name,
                None,
                loss,
                {d: arrays[f"{name}|{loss}|{d}"].astype(float) for d in designs},
            )
        for a, b in itertools.combinations(names, 2):
            yield (
                a,
                b,
                loss,
                {
                    d: arrays[f"{a}|{loss}|{d}"].astype(float)
                    - arrays[f"{b}|{loss}|{d}"]
                    for d in designs
                },
            )


def sums_table():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(exist_ok=True)
    files = sorted(f for f in arguments.fits.glob("*.npz") if ".part" not in f.name)
    names = sorted({f.name.rsplit(".", 2)[0] for f in files})
    for name in names:
        for path in sorted(arguments.fits.glob(f"{name}.*.npz")):
            if ".part" in path.name:
                continue
            target = arguments.out / (path.stem + ".pkl")
            if target.exists():
                continue
            with np.load(path) as data:
                arrays = dict(data)
            fold = {
                k.split("|")[1]: v for k, v in arrays.items() if k.startswith("fold")
            }
            cells = {
                (a, b, loss): summarise(e, fold) for a, b, loss, e in cells_of(arrays)
            }
            with target.open("wb") as file:
                pickle.dump(cells, file)
            print(path.stem, flush=True)


# Rates -----------------------------------------------------------------------------


ALPHA = 0.05
X, WEIGHTS = np.polynomial.legendre.leggauss(20)
X, WEIGHTS = (X + 1) / 2, WEIGHTS / 2


def load_cells(folder):
    """Yield (population, n, (first, second, loss), summary) with all samples."""
    for name, n in setups():
        paths = sorted(folder.glob(f"{setup_name(name, n)}.*.pkl"))
        chunks = [pickle.loads(p.read_bytes()) for p in paths]
        for key in chunks[0] if chunks else ():
            yield name, n, key, join([c[key] for c in chunks])


def join(parts):
    first = parts[0]
    if isinstance(first, dict):
        return {k: join([p[k] for p in parts]) for k in first}
    if isinstance(first, np.ndarray):
        return np.concatenate(parts)
    return first


def hall(z, a):
    return z + a * (z**2 / 3 + 1 / 6) + a**2 * z**3 / 27


def p_over(z, a=None):
    """Mean over the last axis of two-sided normal p-values of z (S, nodes)."""
    if a is not None:
        z = hall(z, a[:, None])
    return (2 * special.ndtr(-np.abs(z))) @ WEIGHTS


def ratio(x, y):
    with np.errstate(all="ignore"):
        r = x / y
    return np.where(np.abs(x) <= 1e-12, 0.0, r)


def z_shared(s, mu0, b, limit=False):
    """z at every node of ρ in U[0, b]: Var = θ̂5(ē) + ρ/(1-ρ) θ̂1; limit: less v̂/R."""
    base = s["theta"]
    if limit:
        base = np.maximum(base - s["v"] / s["R"], base / 4)
    var = base[:, None] + (b * X / (1 - b * X)) * s["theta1"][:, None]
    return np.clip(ratio((s["mean"] - mu0)[:, None], np.sqrt(var)), -1e6, 1e6)


def shared(s, mu0, b, a=None, limit=False):
    return p_over(z_shared(s, mu0, b, limit), a)


def integrated(s, mu0, b, a=None):
    """z(ρ) = √(1-ρ) (μ̂ - μ0)/√θ̂5(ē), ρ in U[0, b]."""
    z = ratio(s["mean"] - mu0, np.sqrt(s["theta"]))
    z = np.clip(z, -1e6, 1e6)
    return p_over(np.sqrt(1 - b * X) * z[:, None], a)


def skew_rule(s):
    """The skewness used: at least 20 residuals off the median, and above 0.15."""
    return np.where((s["ndiff"] >= 20) & (np.abs(s["a"]) > 0.15), s["a"], 0.0)


def student(s, mu0, var, df):
    return 2 * special.stdtr(df, -np.abs(ratio(s["mean"] - mu0, np.sqrt(var))))


def corrected_t(s, mu0):
    J = s["J"] if "J" in s else s["R"] * s["K"]
    r = {"s10": 1 / 9, "s20": 1 / 4}.get(s.get("name")) or 1 / (s["K"] - 1)
    return student(s, mu0, (1 / J + r) * s["S2"], J - 1)


def kfold_t(s, mu0, rho):
    return student(s, mu0, s["S2"] / s["K"] / (1 - rho), s["K"] - 1)


def sharp(D, mu0, method="score"):
    S, J, _ = D.shape
    q1 = 2 * J * (D.mean((1, 2)) - mu0) ** 2
    s = D.sum(-1)
    q2 = 0.5 * ((s - s.mean(1, keepdims=True)) ** 2).sum(1)
    q3 = 0.5 * ((D[..., 0] - D[..., 1]) ** 2).sum(1)
    centre = D.mean((1, 2)) - mu0
    with np.errstate(all="ignore"):
        if method == "reml":
            rho = np.clip(0.5 * (1 - J * q2 / ((J - 1) * q3)), 0, 0.499)
            sigma2 = (q2 / (1 - 2 * rho) + q3) / (2 * J - 1)
        else:
            grid = np.r_[np.linspace(0, 0.499, 400)]
            l1, l2 = 1 + 2 * (J - 1) * grid, 1 - 2 * grid
            q = q1[:, None] / l1 + q2[:, None] / l2 + q3[:, None]
            dev = (
                2 * J * np.log(np.maximum(q, 1e-300))
                + np.log(l1)
                + (J - 1) * np.log(l2)
            )
            k = dev.argmin(1)
            rho, sigma2 = grid[k], q[np.arange(S), k] / (2 * J)
    z = ratio(centre, np.sqrt(sigma2 * (1 / (2 * J) + (J - 1) * rho / J)))
    return 2 * special.ndtr(-np.abs(z))


def pair_t(D, mu0):
    J = D.shape[1]
    se = np.sqrt(((D[..., 0] - D[..., 1]) ** 2).sum(1) / (4 * J))
    return 2 * special.stdtr(J, -np.abs(ratio(D.mean((1, 2)) - mu0, se)))


def halves_integrated(s, h, mu0, b=0.75):
    """IntegratedRhoTest on one 5-fold and pairs of halves."""
    D = h["D"]
    M = D.shape[1]
    var = ((D[..., 0] - D[..., 1]) ** 2).mean(1) / 2
    q = np.minimum(ratio(M * var, h["theta"]), 1e12)
    rho = b * X
    ll = M / 2 * np.log1p(-rho) - q[:, None] * (1 - rho) / 2
    w = WEIGHTS * np.exp(ll - ll.max(1, keepdims=True))
    w /= w.sum(1, keepdims=True)
    z = np.clip(ratio(s["mean"] - mu0, np.sqrt(s["theta"])), -1e6, 1e6)
    return (2 * special.ndtr(-np.abs(np.sqrt(1 - rho) * z[:, None])) * w).sum(1)


FITS = {"s10": 15, "s20": 15}


def fits_of(design):
    if design in FITS:
        return FITS[design]
    R, K = design.rstrip("bc").split("x")
    return int(R) * int(K)


def rho_range(s):
    """The range of ρ decided on: 0.75 for one K-fold and for 10 folds, 2/3 for 5 or fewer."""
    if s["R"] == 1:
        return 0.75
    return 0.75 * (1 - (10 - min(max(s["K"], 5), 10)) / 45)


def tests_of(design, s):
    """Yield (name, p-value function of (summary, mu0))."""
    yield "corrected t", corrected_t
    if design in ("s10", "s20"):
        return
    if s["R"] == 1:
        yield "t 0.7", lambda s, m: kfold_t(s, m, 0.7)
    yield "integrated, no skewness", lambda s, m: shared(s, m, rho_range(s))
    yield "integrated", lambda s, m: shared(s, m, rho_range(s), s["a_used"])
    if s["R"] > 1:
        yield "prototype U[0, 0.8]", lambda s, m: integrated(s, m, 0.8)


def rates(p_of, s, mean, d, twin=None, weights=None):
    """Return size, power at 2 and 3, and the disagreement with a twin at 0, 2, 3."""
    out, differ = [], []
    for shift in (0, 2, 3):
        r, w = [], []
        for sign in (1, -1) if shift else (1,):
            mu0 = mean + sign * shift * d
            rejected = p_of(s, mu0) <= ALPHA
            r.append(rejected.mean())
            if twin is not None:
                w.append((rejected != (p_of(twin, mu0) <= ALPHA)).mean())
        out.append(np.mean(r))
        differ.append(np.mean(w) if w else np.nan)
    return out, differ


DESIGNS = ["1x5", "2x5", "3x5", "4x5", "6x5", "10x5", "20x5", "1x10", "2x10", "3x10", "10x3",
           "3x3", "s10", "s20"]  # fmt: skip


def evaluate_cell(cell):
    for design, s in cell.items():
        if isinstance(s, dict):
            s["name"] = design
            if "a" in s:
                s["a_used"] = skew_rule(s)
    d = np.sqrt(
        np.mean([cell[k]["mean"].var(ddof=1) for k in ("1x10", "1x10b", "1x10c")])
    )
    rows = []
    for design in DESIGNS:
        if design not in cell:
            continue
        s, twin = cell[design], cell.get(design + "b")
        mean = (
            s["mean"].mean()
            if twin is None
            else (s["mean"].mean() + twin["mean"].mean()) / 2
        )
        for name, p_of in tests_of(design, s):
            out, differ = rates(p_of, s, mean, d, twin)
            rows.append((design, name, fits_of(design), *out, *differ))
    D = cell["halves"]["D"]
    mean = D.mean()
    for name, p_of in {
        "sharp score": lambda D, m: sharp(D, m),
        "sharp reml": lambda D, m: sharp(D, m, "reml"),
        "pair t": pair_t,
    }.items():
        out, differ = rates(p_of, D, mean, d)
        rows.append(("halves J=6", name, 60, *out, *differ))
    h = cell["halves"]
    s = cell["1x5"]
    out, differ = rates(lambda s, m: halves_integrated(s, h, m), s, s["mean"].mean(), d)
    rows.append(("1x5 + halves M=6", "int 0.75", 65, *out, *differ))
    D3 = D[:, :3]
    for name, p_of in {"sharp score": sharp, "pair t": pair_t}.items():
        out, differ = rates(p_of, D3, D3.mean(), d)
        rows.append(("halves J=3", name, 30, *out, *differ))
    return d, rows


def describe(cell, d):
    """Return what is true of the cell: rho by design, skewness, share of differences."""
    s = cell["1x10"]
    info = {}
    for design in ("1x10", "1x5", "2x5", "3x5", "6x5", "20x5"):
        one = [cell[k] for k in (design, design + "b", design + "c") if k in cell]
        var = np.mean([c["mean"].var(ddof=1) for c in one])
        theta = np.mean([c["theta"].mean() for c in one])
        info[f"rho_{design}"] = 1 - theta / max(var, 1e-300)
    twenty = cell["20x5"]
    limit = (twenty["theta"] - twenty["v"] / 20).mean()
    var = twenty["mean"].var(ddof=1) - (twenty["sm2"] / 20).mean()
    info["rho_inf"] = 1 - limit / max(var, 1e-300)
    info["v_share"] = (twenty["v"] / np.maximum(cell["1x5"]["theta"], 1e-300)).mean()
    info["sm2_over_v"] = twenty["sm2"].mean() / max(twenty["v"].mean(), 1e-300)
    # pooled skewness over all samples, of the mean of one 10-fold
    m2 = s["theta"] * (s["n"] - 1)
    m3 = s["a"] * m2**1.5 * np.sqrt(s["n"])
    info["skew"] = m3.mean() / max(m2.mean(), 1e-300) ** 1.5 / np.sqrt(s["n"])
    info["med_a"] = np.median(s["a"])
    info["med_abs_a"] = np.median(np.abs(s["a"]))
    info["ndiff"] = np.median(s["ndiff"])
    info["sd5_over_sd10"] = np.sqrt(cell["1x5"]["mean"].var(ddof=1)) / d
    info["mean"] = s["mean"].mean()
    info["bias_5_10"] = (cell["20x5"]["mean"].mean() - cell["3x10"]["mean"].mean()) / d
    return info


def rates_table():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sums", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    rows = []
    for name, n, (a, b, loss), cell in load_cells(arguments.sums):
        d, results = evaluate_cell(cell)
        if not d > 1e-9:
            continue
        head = {
            "population": name, "n": n, "first": a, "second": b or "", "loss": loss,
            "half": "tune" if name in populations.TUNE else "verify",
            "tree": int(bool({a, b} & UNSTABLE)), "samples": len(cell["1x10"]["mean"]),
            **describe(cell, d),
        }  # fmt: skip
        for design, test, fits, *values in results:
            values = dict(zip(("size", "p2", "p3", "dis0", "dis2", "dis3"), values))
            rows.append(head | {"design": design, "test": test, "fits": fits} | values)
    with arguments.out.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(
            {k: f"{v:.4f}" if isinstance(v, float) else v for k, v in r.items()}
            for r in rows
        )
    print(len(rows), "rows", arguments.out)


# Docs ------------------------------------------------------------------------------


INTEGRATED, SUBSAMPLES = "IntegratedRhoTest()", "CorrectedResampledTTest()"
REPEATED = "CorrectedRepeatedKFoldTTest()"
TESTS = {
    ("1x10", "t 0.7"): "KFoldTTest()",
    ("1x10", "corrected t"): 'KFoldTTest("nadeau-bengio")',
    **{(f"{r}x5", "integrated"): INTEGRATED for r in (1, 2, 3, 6, 20)},
    **{(f"{r}x10", "integrated"): INTEGRATED for r in (1, 3)},
    **{(design, "corrected t"): REPEATED for design in ("2x5", "3x10")},
    **{(design, "corrected t"): SUBSAMPLES for design in ("s10", "s20")},
    ("halves J=6", "sharp score"): "SharpTest()",
    ("halves J=6", "sharp reml"): 'SharpTest("reml")',
    ("halves J=6", "pair t"): "PairedHalvesTTest()",
}
SHOWN_DESIGNS = {
    "1x10": "10-fold",
    "1x5": "5-fold",
    **{f"{r}x5": f"{r} x 5-fold" for r in (2, 3, 6, 20)},
    "3x10": "3 x 10-fold",
    "s10": "15 subsamples of 10%",
    "s20": "15 subsamples of 20%",
    "halves J=6": "6 pairs of halves, 5-fold",
}
LOSSES = {"zo": "zero_one", "squared": "squared_error", "absolute": "absolute_error"}
HALVES = {"tune": "decide", "verify": "verify"}
HEADER = [
    "population",
    "n",
    "first",
    "second",
    "loss",
    "half",
    "samples",
    "rho",
    "design",
    "test",
    "fits",
    "size",
    "power_2sd",
    "power_3sd",
    "seeds_differ_2sd",
]
MOST_SKEWNESS, FEWEST_DIFFERING = 0.25, 10  # of the mean; of examples


def rows_of(results):
    """Yield the rows of the table."""
    for row in results:
        key = row["design"], row["test"]
        heavy = abs(float(row["skew"])) > MOST_SKEWNESS
        few = float(row["ndiff"]) < FEWEST_DIFFERING
        if key not in TESTS or row["loss"] not in LOSSES or heavy or few:
            continue
        yield [
            *(row[name] for name in ("population", "n", "first", "second")),
            LOSSES[row["loss"]],
            HALVES[row["half"]],
            row["samples"],
            rounded(row["rho_1x10"]),
            SHOWN_DESIGNS[row["design"]],
            TESTS[key],
            row["fits"],
            *(rounded(row[name]) for name in ("size", "p2", "p3", "dis2")),
        ]


def rounded(text):
    return "" if text in ("", "nan") else f"{float(text):.3f}"


def docs_table():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    with arguments.results.open() as file:
        rows = list(rows_of(csv.DictReader(file)))
    with arguments.out.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])
    print(len(rows), "rows of", len({tuple(row[:5]) for row in rows}), "cases")


TABLES = {
    "sums": sums_table,
    "rates": rates_table,
    "docs": docs_table,
}


if __name__ == "__main__":
    TABLES[sys.argv.pop(1)]()
