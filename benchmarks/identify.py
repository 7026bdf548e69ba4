"""Dawid-Skene against crowd-kit, in one process: `python benchmarks/identify.py`.

Prints processor and wall time, the ratio of the processor times, how far the posteriors are apart, and the peak memory so far.
crowd-kit is no dependency of this project: in an environment without it only our own times are printed, and that is said.
"""
import resource, time, warnings

import numpy as np
import pandas as pd

from calib_nb import Votes, dawid_skene

warnings.simplefilter('ignore')

def panel(n, rng):
    "n items, three annotators who all vote"
    y = rng.random(n) < .4
    return (rng.random((n, 3)) < np.where(y[:, None], [.84, .89, .94], [.08, .13, .18])).astype(float)

def crowd(n_votes, n, K, rng):
    "n_votes votes of K annotators on n items, who votes on what drawn at random"
    code = np.unique(rng.integers(0, n, n_votes) * K + rng.integers(0, K, n_votes))
    i, j = code // K, code % K
    y, a, b = rng.random(n) < .4, rng.uniform(.05, .35, K), rng.uniform(.65, .95, K)
    return Votes(i, j, (rng.random(len(i)) < np.where(y[i], b[j], a[j])) * 1., tuple(range(n)), tuple(range(K)))

def long(A):
    "The same votes as crowd-kit wants them"
    if isinstance(A, Votes): return pd.DataFrame(dict(task=A.item, worker=A.annotator, label=A.label.astype(int)))
    i, j = np.indices(A.shape).reshape(2, -1)
    return pd.DataFrame(dict(task=i, worker=j, label=A.ravel().astype(int)))

def clock(f):
    "What `f` gives, its processor time and its wall time in seconds"
    cpu, wall = time.process_time(), time.perf_counter()
    res = f()
    return res, time.process_time() - cpu, time.perf_counter() - wall

def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

def main():
    try: from crowdkit.aggregation import DawidSkene
    except ImportError: DawidSkene = None; print('crowd-kit is not importable here: only our own times follow (pip install crowd-kit, in an environment of its own)')
    rng = np.random.default_rng(0)
    sizes = {'1,000,000 items x 3 annotators': lambda: panel(1_000_000, rng), '500,000 votes, 100,000 items, 1,000 annotators': lambda: crowd(500_000, 100_000, 1000, rng),
             '1,800,000 votes, 500,000 items, 1,000 annotators': lambda: crowd(1_800_000, 500_000, 1000, rng)}
    data = {name: make() for name, make in sizes.items()}
    print(f'peak memory with the data alone {peak():.0f} MB')
    ours = {}
    for name, A in data.items():
        fit, cpu, wall = clock(lambda: dawid_skene(A))
        _, one, _ = clock(lambda: dawid_skene(A, n_starts=1, tol=1e-5))     # one start, and crowd-kit's tolerance
        ours[name] = fit.posterior(A), cpu, one
        print(f'{name}: calib_nb {cpu:.2f} s processor, {wall:.2f} s wall, {len(fit.starts)} starts, {fit.n_iter} steps (one start, tol 1e-5: {one:.2f} s), peak memory so far {peak():.0f} MB', flush=True)
    for name, A in data.items() if DawidSkene else ():
        t = long(A)
        (p, cpu, wall) = clock(lambda: DawidSkene(n_iter=100).fit_predict_proba(t))
        post, own, one = ours[name]
        seen = np.asarray(p.index)
        away = abs(p[1].to_numpy() - post[seen])
        print(f'{name}: crowd-kit {cpu:.2f} s processor, {wall:.2f} s wall, {cpu / own:.1f} times our ten starts, {cpu / one:.1f} times our one start at its tolerance; posteriors differ by {np.mean(away):.1e} on average; peak memory so far {peak():.0f} MB', flush=True)

if __name__ == '__main__': main()
