"""How fast are the maps fitted, beside others' on the same data in the same process? `python benchmarks/recalibrate.py [--quick]`.

Each fit is run in turns, ours and theirs, and the least processor time of each is compared; what the maps make of a score of .7 is shown beside it.
Peers that are not installed are left out, in words.
"""
import argparse, os, time, warnings
for name in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'): os.environ.setdefault(name, '1')
from importlib.util import find_spec

import numpy as np
from scipy.special import logit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from calib_nb.maps import BetaMap, Histogram, Isotonic, Platt, Temperature

def data(n, C=2):
    "Scores (n,) or class probabilities (n, C), and labels, of a model that is off by a little."
    rng = np.random.default_rng(0)
    if C == 2:
        z = rng.beta(1, 2, n)
        return z, (rng.random(n) < z**1.2).astype(int)
    L = 2 * rng.normal(size=(n, C))
    soft = lambda L: np.exp(L) / np.exp(L).sum(1, keepdims=True)
    return soft(L), np.minimum((soft(L / 1.3).cumsum(1) < rng.random((n, 1))).sum(1), C - 1)

class Given(ClassifierMixin, BaseEstimator):
    "A classifier whose features are its probabilities, for scikit-learn, which calibrates classifiers only."
    def fit(self, X, y): self.classes_ = np.unique(y); return self
    def predict_proba(self, X): return np.c_[1 - X, X] if X.shape[1] == 1 else X
    def predict(self, X): return self.classes_[self.predict_proba(X).argmax(1)]

def both(z): return np.c_[1 - z, z] if z.ndim == 1 else z
def ours(m): return lambda z, y: m.fit(z, y).predict
def sklearn(method):
    def fit(z, y):
        from sklearn.frozen import FrozenEstimator
        X = z[:, None] if z.ndim == 1 else z
        m = CalibratedClassifierCV(FrozenEstimator(Given().fit(X, y)), method=method).fit(X, y)
        return lambda q: m.predict_proba(q[:, None] if q.ndim == 1 else q)[:, -1]
    return fit
def regression(z, y):
    "scikit-learn's logistic regression on the log-odds, without a penalty."
    m = LogisticRegression(C=1e12).fit(logit(z)[:, None], y)
    return lambda q: m.predict_proba(logit(q)[:, None])[:, 1]
def isotonic(z, y): return IsotonicRegression(y_min=0, y_max=1, out_of_bounds='clip').fit(z, y).predict
def netcal(kind, module='scaling', **options):
    def fit(z, y):
        from importlib import import_module
        m = getattr(import_module(f'netcal.{module}'), kind)(**options)
        m.fit(z, y)
        return lambda q: m.transform(q) if q.ndim == 1 else m.transform(q)[:, -1]
    return fit
def uc(kind):
    def fit(z, y):
        import calibration
        m = dict(platt=lambda: calibration.get_platt_scaler(z, y), histogram=lambda: calibration.get_histogram_calibrator(z, y, [(i + 1) / 15 for i in range(15)]))[kind]()
        return m
    return fit
def beta(z, y):
    from betacal import BetaCalibration
    return BetaCalibration('abm').fit(z, y).predict
def probmetrics(name):
    def fit(z, y):
        import torch; torch.set_num_threads(1)
        from probmetrics.calibrators import get_calibrator
        m = get_calibrator(name)
        m.fit(both(z), y)
        return lambda q: m.predict_proba(both(q))[:, -1]
    return fit

PEERS = {'scikit-learn': 'sklearn', 'scikit-learn, bare': 'sklearn', 'netcal': 'netcal', 'uncertainty-calibration': 'calibration', 'betacal': 'betacal', 'probmetrics': 'probmetrics'}
TASKS = { # name -> examples, classes, ours, peers' ways
    'temperature': (10**6, 2, ours(Temperature()), {'netcal': netcal('TemperatureScaling'), 'scikit-learn': sklearn('temperature'), 'probmetrics': probmetrics('temp-scaling')}),
    'Platt': (10**6, 2, ours(Platt()), {'uncertainty-calibration': uc('platt'), 'netcal': netcal('LogisticCalibration'), 'scikit-learn, bare': regression, 'scikit-learn': sklearn('sigmoid'), 'probmetrics': probmetrics('affine-scaling')}),
    'beta': (10**6, 2, ours(BetaMap()), {'betacal': beta, 'netcal': netcal('BetaCalibration')}),
    'isotonic': (10**6, 2, ours(Isotonic()), {'scikit-learn, bare': isotonic, 'netcal': netcal('IsotonicRegression', 'binning'), 'scikit-learn': sklearn('isotonic')}),
    'histogram': (10**6, 2, ours(Histogram(15)), {'netcal': netcal('HistogramBinning', 'binning', bins=15), 'uncertainty-calibration': uc('histogram')}),
    'temperature, 10 classes': (10**5, 10, ours(Temperature()), {'netcal': netcal('TemperatureScaling'), 'scikit-learn': sklearn('temperature'), 'probmetrics': probmetrics('temp-scaling')})}

def best(*fits, z, y, repeats):
    "The least processor time of each fit, and the fitted maps; the fits take turns. A fit that fails gives its error."
    times, maps = np.full((repeats, len(fits)), np.inf), [None] * len(fits)
    for r in range(repeats):
        for k, fit in enumerate(fits):
            start = time.process_time()
            try: maps[k] = fit(z, y)
            except Exception as e: maps[k] = e; continue
            times[r, k] = time.process_time() - start
    return times.min(0), maps

def at(m, C):
    "What a map makes of a score of .7."
    if isinstance(m, Exception): return f'failed ({type(m).__name__})'
    q = np.array([.7, .7]) if C == 2 else np.array([[.3 / (C - 1)] * (C - 1) + [.7]] * 2)
    v = np.asarray(m(q), float)
    return f'{(v[0] if v.ndim == 1 else v[0, -1]):.4f}'

def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--quick', action='store_true', help='a tenth of the data, two turns')
    quick = p.parse_args().quick
    here = {name for name, module in PEERS.items() if find_spec(module)}
    for name in sorted(set(PEERS) - here): print(f'{name} is not installed: left out')
    print(f'{"fit":26s}{"n":>10s}{"ours":>12s}   peers: processor time, and how many times ours; [the map at .7]')
    for task, (n, C, mine, peers) in TASKS.items():
        n = n // 10 if quick else n
        z, y = data(n, C)
        peers = {k: f for k, f in peers.items() if k in here}
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            times, maps = best(mine, *peers.values(), z=z, y=y, repeats=2 if quick else 5)
            shown = [at(m, C) for m in maps]
        print(f'{task:26s}{n:10,}{1000*times[0]:9.0f} ms [{shown[0]}]   ' + ';  '.join(f'{k} {1000*t:.0f} ms, x {t/times[0]:.1f} [{v}]' for k, t, v in zip(peers, times[1:], shown[1:])), flush=True)

if __name__ == '__main__': main()
