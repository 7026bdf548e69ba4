"""Kernel ridge regression here, written down with n x n matrices, and in the authors' code. `python benchmarks/krr.py [--full] [--authors FOLDER]`.

FOLDER is a clone of github.com/SebGGruber/Optimizing_Calibration_Estimators; its functions for kernel ridge regression use NumPy and scikit-learn only, so a stand-in
serves for the torch that it imports. Every method searches nine ridges in five folds at the bandwidth .707. Process time of one thread; memory is the peak of what NumPy allocates.
"""
import argparse, os, sys, types
for threads in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'): os.environ.setdefault(threads, '1')
import time, tracemalloc
from unittest.mock import MagicMock

import numpy as np
import pandas, scipy.stats, sklearn.metrics, sklearn.model_selection # noqa: before the stand-in

from calib_nb.krr import gaussian_kernel, krr_error, krr_pairs
from calib_nb.simulate import simplex, toy

H, RIDGES = .5**.5, 10.**np.arange(-1, -18, -2)

def authors(folder):
    "Their function, or None."
    if folder is None: return None
    torch = MagicMock(Tensor=types.new_class('Tensor'))
    sys.modules |= {'torch': torch, 'torch.nn': torch.nn}
    sys.path.insert(0, folder)
    from CV_pipeline import ECE_krr_CV
    del sys.modules['torch'], sys.modules['torch.nn']
    return ECE_krr_CV

def dense(f, u):
    "The paper's estimator with n x n matrices: eigenvectors of each fold, products of all pairs."
    n, W = len(f), (u - f).reshape(len(f), -1)
    train, K, answer, loss = int(.8 * n), gaussian_kernel(f, f, H), 0., 0.
    for val in np.array_split(np.arange(train), 5):
        fit = np.setdiff1d(np.arange(train), val)
        lam, V = np.linalg.eigh(K[np.ix_(fit, fit)])
        lam, A = np.maximum(lam, 0), V.T @ W[fit]
        Qv, Qt, target = K[np.ix_(val, fit)] @ V, K[train:, fit] @ V, W[val] @ W[val].T
        M = [A @ A.T / (np.outer(lam, lam) + r * len(fit)**1.5) for r in RIDGES]
        off = ~np.eye(len(val), dtype=bool)
        loss = loss + np.array([((Qv @ m @ Qv.T - target)[off]**2).mean() for m in M]) / 5
        answer = answer + np.array([((Qt @ m) * Qt).sum(1).mean() for m in M]) / 5
    return answer[np.argmin(loss)]

def measured(call):
    "Value, seconds of process time, and megabytes at the peak (from a second run, where the first took less than a minute)."
    start = time.process_time(); value = call(); seconds = time.process_time() - start
    if seconds > 60: return value, seconds, np.nan
    tracemalloc.start(); call(); peak = tracemalloc.get_traced_memory()[1] / 1e6; tracemalloc.stop()
    return value, seconds, peak

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--full', action='store_true', help='n = 5,000 by n x n matrices too: minutes')
    p.add_argument('--authors', metavar='FOLDER', help="a clone of the authors' repository")
    a = p.parse_args()
    theirs = authors(a.authors)
    if theirs is None: print("the authors' code is left out: give its folder as --authors")
    for C, n in ((2, 1000), (2, 5000), (10, 1000), (10, 5000)):
        w = toy(n, 'shifted', rng=0) if C == 2 else simplex(n, C, rng=0)
        f, y = (w.z, w.y) if C == 2 else (w.f, w.y)
        u, order = y if C == 2 else np.eye(C)[y], np.random.RandomState(0).choice(n, n, replace=False)
        calls = {'krr_error, leave one out': lambda: krr_error(f, y, h=H, ridges=np.logspace(-9, -1, 9)).cross,
                 'krr_error, 5 folds': lambda: krr_error(f, y, h=H, ridges=np.logspace(-9, -1, 9), folds=5, rng=0).cross,
                 'krr_error, all defaults': lambda: krr_error(f, y).cross,
                 'krr_pairs': lambda: krr_pairs(f[order], y[order], shuffle=False).calibration}
        if n < 5000 or a.full: calls['pairs, n x n matrices'] = lambda: dense(f[order], u[order])
        if theirs and (n < 5000 or a.full): calls["the authors' code"] = lambda: theirs(f, y.astype(int), disable_pb=True)[0]
        print(f'\n{C} classes, n = {n:,}: true error {w.squared_error:.4f}')
        for name, call in calls.items():
            value, seconds, peak = measured(call)
            print(f'  {name:28s} {value:9.5f} {seconds:9.2f} s   ' + (f'peak {peak:7.1f} MB' if np.isfinite(peak) else ''), flush=True)
    for n in (20_000, 1_000_000) if a.full else (20_000,):
        w = toy(n, 'shifted', rng=0)
        value, seconds, peak = measured(lambda: krr_error(w.z, w.y).cross)
        print(f'\nscores, n = {n:,}, all defaults: {value:.5f} (true {w.squared_error:.5f}), {seconds:.1f} s, peak {peak:.0f} MB')

if __name__ == '__main__': main()
