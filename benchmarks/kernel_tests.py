"""What does the kernel test cost, written down as it stands and as it is here, and beside the rank test? `python benchmarks/kernel_tests.py [--quick]`.

Process time of one thread, the least of several turns; every test computes its statistic and its p-value. Memory is the peak of what NumPy allocates.
"""
import argparse, os
for threads in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'): os.environ.setdefault(threads, '1')
import time, tracemalloc

import numpy as np

from calib_nb.exp_tests import matrix_test
from calib_nb.kernel_tests import skce, skce_test
from calib_nb.rank import rank_test

def data(n, rho=.5):
    "Calibrated scores, and labels."
    rng = np.random.default_rng(0)
    z = rng.beta(rho, 1 - rho, n)
    return z, (rng.random(n) < z).astype(float)

def best(*calls, repeats):
    "The least process time of each call, in milliseconds; the calls take turns. What each gave the last time."
    times, values = np.full((repeats, len(calls)), np.inf), [None] * len(calls)
    for r in range(repeats):
        for k, call in enumerate(calls):
            start = time.process_time()
            values[k] = call()
            times[r, k] = time.process_time() - start
    return 1000 * times.min(0), values

def peak(call):
    "Megabytes at the peak of a call, beyond what was there."
    tracemalloc.start()
    call()
    out = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return out

def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--quick', action='store_true', help='two turns, no n = 5,000 matrix')
    quick, options = p.parse_args().quick, dict(rng=0, progress=False)
    print(f'{"kernel test, B = 100":22s} {"n":>7s} {"by matrix":>12s} {"here":>10s} {"rank test":>10s}   matrix/here, matrix/rank, here/rank')
    for kernel in ('gaussian', 'laplace'):
        for n in (200, 1000) if quick else (200, 1000, 5000):
            z, y = data(n)
            (m, k, r), values = best(lambda: matrix_test(z, y, np.random.default_rng(0), kernel), lambda: skce_test(z, y, kernel=kernel, **options), lambda: rank_test(z, y),
                                     repeats=2 if quick else 3 if n == 5000 else 20)
            assert abs(values[0][0] - values[1].statistic) < 1e-10
            print(f'{kernel:22s} {n:7,} {m:9.2f} ms {k:7.2f} ms {r:7.2f} ms   {m/k:.0f}, {m/r:.0f}, {k/r:.0f}')
    print()
    for n in (20_000,) if quick else (20_000, 1_000_000):
        z, y = data(n)
        for name, call in {'skce, gaussian': lambda: skce(z, y), 'skce, laplace': lambda: skce(z, y, kernel='laplace'), 'skce_test, gaussian': lambda: skce_test(z, y, **options),
                           'skce_test, laplace': lambda: skce_test(z, y, kernel='laplace', **options), 'skce, gaussian, bandwidth .01': lambda: skce(z, y, bandwidth=.01)}.items():
            if n > 20_000 and '.01' in name: continue
            (t,), _ = best(call, repeats=1 if quick else 2)
            print(f'{name:30s} n = {n:9,}   {t:9.1f} ms   peak {peak(call):7.1f} MB   (an n x n matrix of doubles: {8 * n**2 / 1e6:,.0f} MB)')

if __name__ == '__main__': main()
