"""Reduce the losses of fits.py to what the tests need, one file of cells per set-up.

Run: python summaries.py --fits DIR --out DIR
"""

import argparse
import itertools
import pathlib
import pickle

import numpy as np

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


def main():
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


if __name__ == "__main__":
    main()
