"""n_repeats="auto": size, power, fits and the agreement of two seeds (part 10).

Run: python auto.py --fits DIR --data-kind main|long --cap 20 --out FILE.csv
"""

import argparse
import pathlib
import warnings

import numpy as np
import pandas as pd
import populations
from evaluate import WEIGHTS, X
from fits import setup_name, setups
from learners import UNSTABLE
from scipy import optimize, special, stats
from summaries import cells_of, load_fits

warnings.simplefilter("ignore")
ALPHA = 0.05


def critical_table(b, alpha=ALPHA):
    """C(g): |μ̂ - μ0|/√θ̂1 at which the averaged p is alpha, Var = θ̂1 (g + ρ/(1-ρ))."""
    g = np.linspace(0.0, 1.05, 85)
    odds = b * X / (1 - b * X)

    def p(c, one):
        return (2 * special.ndtr(-c / np.sqrt(one + odds))) @ WEIGHTS - alpha

    c = [optimize.brentq(lambda x: p(x, one), 1e-6, 60) for one in g]
    return lambda x: np.interp(x, g, c)


def paths(e, rmax):
    """Return by R = 2 … rmax: mean, threshold ingredients, split variances; arrays (S, rmax-1)."""
    S, _, n = e.shape
    total = np.zeros((S, n))
    square = np.zeros((S, n))
    run_mean = e.mean(axis=2)
    single = e.var(axis=2, ddof=1) / n
    out = {k: [] for k in ("mean", "theta", "theta1", "v", "sm2", "a")}
    for R in range(1, rmax + 1):
        x = e[:, R - 1]
        total += x
        square += x**2
        if R == 1:
            continue
        bar = total / R
        out["mean"].append(bar.mean(axis=1))
        out["theta"].append(bar.var(axis=1, ddof=1) / n)
        out["theta1"].append(single[:, :R].mean(axis=1))
        within = np.maximum(square - R * bar**2, 0).sum(axis=1) / (R - 1)
        out["v"].append(within / n**2)
        out["sm2"].append(run_mean[:, :R].var(axis=1, ddof=1))
    return {k: np.array(v).T for k, v in out.items() if v}


def decide(p, mu0, crit, nu0, kappa, level, t_only=False):
    """Return the verdict, the repeats used, and the verdict at the cap."""
    n_steps = p["mean"].shape[1]
    R = np.arange(2, n_steps + 2)
    limit = np.maximum(p["theta"] - p["v"] / R, p["theta"] / 4)
    g = np.where(p["theta1"] > 0, limit / np.maximum(p["theta1"], 1e-300), 0)
    threshold = crit(g) * np.sqrt(p["theta1"])
    gap = np.abs(p["mean"] - mu0) - threshold
    verdict = gap > 0
    if t_only:
        s, df = p["sm2"], R - 1.0
    else:
        s = (nu0 * kappa * p["v"] + (R - 1) * p["sm2"]) / (nu0 + R - 1)
        df = nu0 + R - 1.0
    q = stats.t.ppf(level, df)
    stable = np.abs(gap) >= q * np.sqrt(s / R)
    stable[:, -1] = True
    stop = stable.argmax(axis=1)
    rows = np.arange(len(stop))
    return verdict[rows, stop], R[stop], verdict[:, -1]


RULES = {
    "b 2/3": (2 / 3, 10, 1.25, 0.99, False),
    "b 0.7": (0.70, 10, 1.25, 0.99, False),
    "b 2/3, t(R-1)": (2 / 3, 0, 0, 0.99, True),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--kind", default="main")
    parser.add_argument("--cap", type=int, default=20)
    parser.add_argument("--max-samples", type=int, default=500)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    tables = {b: critical_table(b) for b in (2 / 3, 0.70)}
    rows = []
    cap = arguments.cap
    for name, n in setups():
        setup = setup_name(name, n, arguments.kind)
        arrays = load_fits(arguments.fits, setup, arguments.max_samples, ("k5", "k10"))
        repeats = [v.shape[1] for k, v in arrays.items() if k.endswith("|k5")]
        if not repeats or repeats[0] < 2 * cap:
            continue
        for a, b, loss, e in cells_of(arrays):
            if loss in ("log", "brier"):
                continue
            d = (
                e["k10"].mean(axis=2).std(axis=0, ddof=1).mean()
                if "k10" in e
                else np.nan
            )
            one, two = (
                paths(e["k5"][:, :cap], cap),
                paths(e["k5"][:, cap : 2 * cap], cap),
            )
            mean = e["k5"].mean()
            if not d > 0:
                d = np.sqrt(e["k5"].mean(axis=2).var(axis=0, ddof=1).mean())
            bar = e["k5"].mean(axis=1)
            m2, m3 = (
                ((bar - bar.mean(1, keepdims=True)) ** 2).mean(),
                ((bar - bar.mean(1, keepdims=True)) ** 3).mean(),
            )
            head = dict(
                population=name,
                n=n,
                first=a,
                second=b or "",
                loss=loss,
                S=len(bar),
                tree=int(bool({a, b} & UNSTABLE)),
                skew=m3 / max(m2, 1e-300) ** 1.5 / np.sqrt(n),
                half="tune" if name in populations.TUNE else "verify",
                w=one["v"][:, -1].mean() / max(one["theta1"][:, -1].mean(), 1e-300),
            )
            for rule, (bb, nu0, kappa, level, t_only) in RULES.items():
                row = dict(head, rule=rule, cap=cap)
                for shift in (0, 1, 2, 3, 5):
                    got = []
                    for sign in (1, -1) if shift else (1,):
                        mu0 = mean + sign * shift * d
                        v1, r1, c1 = decide(
                            one, mu0, tables[bb], nu0, kappa, level, t_only
                        )
                        v2, r2, c2 = decide(
                            two, mu0, tables[bb], nu0, kappa, level, t_only
                        )
                        got.append(
                            [
                                (v1.mean() + v2.mean()) / 2,
                                (r1.mean() + r2.mean()) * 2.5,
                                (v1 != v2).mean(),
                                ((v1 != c1).mean() + (v2 != c2).mean()) / 2,
                                (c1 != c2).mean(),
                                (r1 == cap).mean(),
                            ]
                        )
                    for k, v in zip(
                        ("rej", "fits", "dis", "early", "discap", "capped"),
                        np.mean(got, axis=0),
                    ):
                        row[f"{k}{shift}"] = v
                rows.append(row)
    r = pd.DataFrame(rows)
    r.to_csv(arguments.out, index=False, float_format="%.4f")
    light = r[r["skew"].abs() <= 0.25]
    columns = [
        f"{k}{s}"
        for k in ("rej", "fits", "dis", "discap", "early", "capped")
        for s in (0, 1, 2, 3, 5)
    ]
    t = light.groupby(["rule", "tree"])[columns].mean()
    for k in ("rej", "fits", "dis", "discap", "early", "capped"):
        f = 1 if k == "fits" else 100
        print(k, (t[[f"{k}{s}" for s in (0, 1, 2, 3, 5)]] * f).round(1).to_string())
    print(
        "max disagreement",
        (light.groupby("rule")[[f"dis{s}" for s in (0, 1, 2, 3, 5)]].max() * 100)
        .round(1)
        .to_string(),
    )
    print(
        "share of cells with disagreement > 8% anywhere",
        light.groupby("rule").apply(
            lambda g: (
                g[[f"dis{s}" for s in (0, 1, 2, 3, 5)]].max(axis=1) > 0.08
            ).mean()
        ),
    )


if __name__ == "__main__":
    main()
