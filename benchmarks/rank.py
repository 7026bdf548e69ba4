"""The rank error of ten million scores beside NumPy's own argsort of them, in one process: `python benchmarks/rank.py [--quick]`.

Prints processor time (the best of the turns, which the tasks take one after the other), its ratio to argsort, and the most memory held
beyond the inputs, in float64 arrays of the same length. Then the time of each test. Kernel tests on the same sizes: benchmarks/kernel_tests.py.
"""
import argparse, time, tracemalloc

import numpy as np

from calib_nb.inputs import as_pair
from calib_nb.rank import rank_ece, rank_interval, rank_test
from calib_nb.simulate import TOY_CHANNELS, beta_world, toy

def data(n):
    "Scores and targets: name -> z, u."
    rng = np.random.default_rng(0)
    z = rng.random(n)
    y = (rng.random(n) < z) * 1.
    u = TOY_CHANNELS.correct(TOY_CHANNELS.sample(y, rng=rng)).mean(1)
    few = z.copy(); few[:n // 1000] = few[n // 1000:2 * (n // 1000)]
    return {'labels': (z, y), 'corrected votes': (z, u), 'corrected votes, one score in 500 tied': (few, u),
            'labels, float32 scores': (z.astype(np.float32).astype(float), y), 'corrected votes, float32 scores': (z.astype(np.float32).astype(float), u),
            'labels, scores of three decimals': (np.round(z, 3), y), 'corrected votes, scores of three decimals': (np.round(z, 3), u)}

def seconds(calls, turns):
    "Least processor time of each call."
    best = dict.fromkeys(calls, np.inf)
    for _ in range(turns):
        for name, call in calls.items():
            start = time.process_time()
            call()
            best[name] = min(best[name], time.process_time() - start)
    return best

def peak(call):
    "Most memory held during a call, in bytes beyond what was held before."
    tracemalloc.start()
    call()
    top = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return top

def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--quick', action='store_true', help='a tenth of the data, two turns')
    quick = p.parse_args().quick
    n, turns = (10**6, 2) if quick else (10**7, 3)
    print(f'rank_ece, n = {n:,}\n{"data":45s} {"argsort":>8s} {"reading":>8s} {"rank_ece":>9s} {"ratio":>6s} {"arrays":>7s}')
    for name, (z, u) in data(n).items():
        t = seconds(dict(sort=lambda: np.argsort(z), read=lambda: as_pair(z, u), rank=lambda: rank_ece(z, u)), turns)
        print(f'{name:45s} {t["sort"]:6.2f} s {t["read"]:6.2f} s {t["rank"]:7.2f} s {t["rank"] / t["sort"]:6.2f} {peak(lambda: rank_ece(z, u)) / 8 / n:7.2f}', flush=True)
    print('\ntests, milliseconds (exact: 999 draws)')
    methods = 'asymptotic', 'robust', 'bernstein', 'chernoff', 'exact'
    print(f'{"":24s}' + ''.join(f'{m:>12s}' for m in (*methods, 'interval')))
    for m in (200, 1000, 5000, 50_000):
        w, v = beta_world(m, .3, 'square', rng=0), toy(m, 'nonlinear', rng=0)
        for name, z, y, ch in (('labels', w.z, w.y, None), ('votes', v.z, v.A, v.channels)):
            calls = {k: lambda k=k: rank_test(z, y, method=k, channels=ch, progress=False) for k in methods}
            if ch is None: calls['interval'] = lambda: rank_interval(z, y)
            t = seconds(calls, 2 if m > 5000 else 3)
            print(f'{name:8s} n = {m:<10,}' + ''.join(f'{1000 * x:12.1f}' for x in t.values()), flush=True)

if __name__ == '__main__': main()
