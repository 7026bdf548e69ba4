"""How fast are the binned errors, beside others' on the same data in the same process? `python benchmarks/metrics.py [--quick]`.

Each task is run in turns, ours and theirs, and the best of each is compared. Peers that are not installed are left out, in words.
"""
import argparse, time, warnings
from importlib.util import find_spec

import numpy as np
from sklearn.calibration import calibration_curve

from calib_nb.core import equal_mass
from calib_nb.metrics import bootstrap, ece, ece_interval

M = 15 # bins

def data(n):
    "Scores and labels of a forecaster who is off by a little."
    rng = np.random.default_rng(0)
    z = rng.beta(1, 2, n)
    return z, (rng.random(n) < z**1.2).astype(int)

def best(*calls, repeats):
    "The least time of each call, in seconds, and what it gave; the calls take turns."
    times, values = np.full((repeats, len(calls)), np.inf), [None] * len(calls)
    for r in range(repeats):
        for k, call in enumerate(calls):
            start = time.perf_counter()
            values[k] = call()
            times[r, k] = time.perf_counter() - start
    return times.min(0), values

def sk_ece(z, y):
    "The l1 error as one has to put it together with scikit-learn, which gives no counts."
    freq, score = calibration_curve(y, z, n_bins=M)
    count = np.histogram(z, np.linspace(0, 1, M + 1))[0]
    return (count[count > 0] * abs(freq - score)).sum() / len(z)

def sk_debiased(z, y):
    "Squared error in bins of equal mass, less the labels' variance: scikit-learn's means, and counts."
    freq, score = calibration_curve(y, z, n_bins=M, strategy='quantile')
    count = np.histogram(z, np.quantile(z, np.linspace(0, 1, M + 1)))[0]
    return (count * ((freq - score)**2 - freq * (1 - freq) / (count - 1))).sum() / len(z)

def rows_interval(z, y):
    "Ours for any statistic, here the l1 error."
    return bootstrap(lambda z, u: ece(z, u, bins=M), z, y, n_resamples=100, level=.9, rng=0, progress=False).confidence_interval()

def sk_interval(z, y, R=100):
    "Percentile limits from R resamples."
    rng = np.random.default_rng(1)
    draws = [sk_ece(z[i], y[i]) for i in (rng.integers(len(z), size=len(z)) for _ in range(R))]
    return np.quantile(draws, [.05, .95])

def uc(name, z, y):
    "Functions of the package uncertainty-calibration, which bins by equal mass and takes a root."
    import calibration
    if name == 'debiased': return calibration.get_calibration_error(z, y)**2
    return calibration.get_calibration_error_uncertainties(z, y, p=1)[::2]

def torchmetrics_ece(z, y):
    import torch
    from torchmetrics.classification import BinaryCalibrationError
    return float(BinaryCalibrationError(n_bins=M, norm='l1')(torch.as_tensor(z), torch.as_tensor(y)))

def netcal_ece(z, y):
    from netcal.metrics import ECE
    return ECE(M).measure(z, y)

PEERS = {'calib_nb, by rows': 'calib_nb', 'scikit-learn': 'sklearn', 'uncertainty-calibration': 'calibration', 'torchmetrics': 'torchmetrics', 'netcal': 'netcal'}
TASKS = { # name -> ours, and peers' ways
    'ece': (lambda z, y: ece(z, y, bins=M), {'scikit-learn': sk_ece, 'torchmetrics': torchmetrics_ece, 'netcal': netcal_ece}),
    'equal-mass debiased l2': (lambda z, y: ece(z, y, bins=equal_mass(z, M), norm='l2', debiased=True),
                               {'scikit-learn': sk_debiased, 'uncertainty-calibration': lambda z, y: uc('debiased', z, y)}),
    'ece, interval, 100 resamples': (lambda z, y: ece_interval(z, y, bins=M, n_resamples=100, level=.9, rng=0).confidence_interval(),
                                     {'calib_nb, by rows': rows_interval, 'scikit-learn': sk_interval, 'uncertainty-calibration': lambda z, y: uc('interval', z, y)})}
RUNS = [('ece', 10**6), ('ece', 10**7), ('equal-mass debiased l2', 10**6), ('ece, interval, 100 resamples', 10**4), ('ece, interval, 100 resamples', 10**5)]

def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--quick', action='store_true', help='a tenth of the data, two turns')
    quick = p.parse_args().quick
    here = {name for name, module in PEERS.items() if find_spec(module)}
    for name in sorted(set(PEERS) - here): print(f'{name} is not installed: left out')
    shown = lambda v: ' to '.join(f'{x:.5f}' for x in np.ravel(v))
    print(f'{"task":32s} {"n":>10s} {"ours":>10s}   peers: time, and how many times ours')
    for task, n in RUNS:
        n = n // 10 if quick else n
        z, y = data(n)
        ours, peers = TASKS[task]
        peers = {k: f for k, f in peers.items() if k in here}
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            times, values = best(*(lambda f=f: f(z, y) for f in (ours, *peers.values())), repeats=2 if quick or n >= 10**7 or 'interval' in task else 7)
        print(f'{task:32s} {n:10,} {1000*times[0]:7.1f} ms   ' + ';  '.join(f'{k} {1000*t:.1f} ms, x {t/times[0]:.1f}' for k, t in zip(peers, times[1:])))
        print(f'{"":43s} {shown(values[0])}   ' + ';  '.join(f'{k} {shown(v)}' for k, v in zip(peers, values[1:])))

if __name__ == '__main__': main()
