"""Sample weights: all alike they change nothing, only their ratios count, 0 drops an item, bad ones are refused."""
import numpy as np
import pytest

from calib_nb.evaluation import evaluate
from calib_nb.fits import dawid_skene
from calib_nb.kde import kde_error, kde_interval, smooth_curve
from calib_nb.kernels import kernel_regression
from calib_nb.bandwidth import select_bandwidth
from calib_nb.protocols import protocol_ece
from calib_nb.rank import rank_interval, rank_test
from calib_nb.rank_error import rank_ece
from calib_nb.simulate import toy
from calib_nb.targets import vote_targets

WORLD = toy(900, 'shifted', rng=0)
Z, Y, A = WORLD.z, WORLD.y, WORLD.A
UNEQUAL = np.random.default_rng(0).choice([1., 5., 20.], 900)

def both(e): return [e.value, e.stderr, *e.confidence_interval()]
def curve(z, u, w): return smooth_curve(z, u, .01, at=[.2, .5, .8], sample_weight=w).to_numpy().ravel()
def fitted(z, v, w): return vote_targets(v, dawid_skene(v, sample_weight=w))

ON_LABELS = dict(
    rank_ece=lambda z, u, w: [rank_ece(z, u, sample_weight=w)],
    rank_interval=lambda z, u, w: both(rank_interval(z, u, sample_weight=w)),
    rank_test=lambda z, u, w: [rank_test(z, u, method='robust', sample_weight=w).pvalue],
    kernel_regression=lambda z, u, w: kernel_regression(z, u, .01, sample_weight=w),
    bandwidth=lambda z, u, w: [select_bandwidth(z, u, sample_weight=w, progress=False).h],
    kde_error=lambda z, u, w: [(e := kde_error(z, u, .01, sample_weight=w)).cross, e.cross_stderr, e.calibration],
    kde_interval=lambda z, u, w: both(kde_interval(z, u, .01, sample_weight=w)),
    smooth_curve=curve)
ON_VOTES = dict(
    rank_interval=lambda z, v, w: both(rank_interval(z, fitted(z, v, w), sample_weight=w)),
    kde_interval=lambda z, v, w: both(kde_interval(z, fitted(z, v, w), .01, sample_weight=w)),
    smooth_curve=lambda z, v, w: curve(z, fitted(z, v, w), w),
    protocol_ece=lambda z, v, w: [protocol_ece(z, v, protocol='reuse', sample_weight=w)])
CASES = [pytest.param(f, u, id=f'{k}-{kind}') for kind, u, fs in (('labels', Y, ON_LABELS), ('votes', A, ON_VOTES))
         for k, f in fs.items()]

@pytest.mark.parametrize('f, u', CASES)
def test_only_ratios_count(f, u):
    np.testing.assert_allclose(f(Z, u, np.full(900, 7.)), f(Z, u, None), rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(f(Z, u, 100 * UNEQUAL), f(Z, u, UNEQUAL), rtol=1e-6, atol=1e-9)
    assert not np.allclose(f(Z, u, UNEQUAL), f(Z, u, None), rtol=1e-9) or f is ON_LABELS['bandwidth']

@pytest.mark.parametrize('f, u', CASES)
@pytest.mark.parametrize('w, words', [([1., 2.], '900'), (np.r_[-1., np.ones(899)], 'negative'), (np.zeros(900), 'all zero'),
                                      (np.r_[np.nan, np.ones(899)], 'finite'), (['a'] * 900, 'numbers')])
def test_bad_weights_are_refused(f, u, w, words):
    with pytest.raises((ValueError, TypeError), match=words): f(Z, u, w)

def test_order_of_rows():
    i = np.random.default_rng(1).permutation(900)
    for f, u in ((ON_LABELS['rank_interval'], Y), (ON_LABELS['kde_interval'], Y), (ON_VOTES['kde_interval'], A)):
        np.testing.assert_allclose(f(Z[i], u[i], UNEQUAL[i]), f(Z, u, UNEQUAL), rtol=1e-6)

def test_evaluate():
    how = dict(n_resamples=50, progress=False)
    plain, alike = evaluate(Z, A, y=Y, **how), evaluate(Z, A, y=Y, sample_weight=np.full(900, 3.), **how)
    assert plain.settings['sample_weight'] is None and alike.settings['sample_weight']['effective_items'] == 900
    for k in ('nc_ece', 'soft', 'majority', 'reference', 'mean_gap', 'rank', 'smooth'):
        np.testing.assert_allclose(both(getattr(alike, k)), both(getattr(plain, k)), rtol=1e-5, atol=1e-8)
    assert list(alike.tests) == ['ranks'] and 'taken as known' in alike.test.note
    e = evaluate(Z, A, y=Y, sample_weight=UNEQUAL, **how)
    again = evaluate(*e.data[:2], y=e.data[2], sample_weight=e.fit.table.weight, **e.options, progress=False)
    np.testing.assert_allclose(both(again.nc_ece), both(e.nc_ece), rtol=1e-9)
    assert e.reliability['count'].sum() == 900 and e.nc_ece.n == 900

def test_weight_zero_is_not_of_the_sample():
    w, how = np.where(np.arange(900) % 3 == 0, 0., UNEQUAL), dict(n_resamples=50, progress=False)
    some = w > 0
    full, part = evaluate(Z, A, sample_weight=w, **how), evaluate(Z[some], A[some], sample_weight=w[some], **how)
    np.testing.assert_allclose(both(full.nc_ece), both(part.nc_ece), rtol=1e-9)
    assert (full.n, full.n_used) == (900, some.sum())

def test_maps_are_learnt_elsewhere():
    with pytest.raises(ValueError, match='recalibrate=True does not go with sample_weight'):
        evaluate(Z, A, sample_weight=UNEQUAL, recalibrate=True, progress=False)
