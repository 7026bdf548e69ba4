"""The rank error with inputs of every kind, and the memory it takes."""
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from calib_nb.channels import Channels
from calib_nb.compare import rank_certificate, rank_compare
from calib_nb.nulls import in_order
from calib_nb.rank import rank_ece, rank_interval, rank_test

rng = np.random.default_rng(0)
Z = rng.integers(0, 65, 200) / 64 # exact in half precision too
Y = rng.integers(0, 2, 200).astype(float)
A = rng.integers(0, 2, (200, 2)).astype(float)
CHANNELS = Channels((.1, .2), (.8, .9))

def read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x

KINDS = {'list': list, 'tuple': tuple, 'float32': np.float32, 'float16': np.float16, 'object': lambda x: x.astype(object), 'read-only': read_only,
         'strided': lambda x: np.repeat(x, 2, axis=0)[::2], 'reversed view': lambda x: x[::-1].copy()[::-1], 'fortran': np.asfortranarray,
         'pandas': lambda x: (pd.Series if x.ndim == 1 else pd.DataFrame)(x, index=rng.permutation(len(x))), 'masked': np.ma.masked_array}
CALLS = {'ece': lambda f: rank_ece(f(Z), f(Y)), 'interval': lambda f: rank_interval(f(Z), f(Y)).stderr, 'compare': lambda f: rank_compare(f(Z), f(Z**2), f(Y)).pvalue,
         'certificate': lambda f: rank_certificate(f(Z), f(Y), .5).pvalue, 'votes': lambda f: rank_test(f(Z), f(A), channels=CHANNELS, method='exact', n_resamples=99).pvalue,
         **{m: lambda f, m=m: rank_test(f(Z), f(Y), method=m, n_resamples=99).pvalue for m in ('robust', 'bernstein', 'chernoff', 'exact')}}

@pytest.mark.filterwarnings('ignore:.*impossible if the scores')
@pytest.mark.parametrize('call', CALLS)
@pytest.mark.parametrize('kind', KINDS)
def test_kinds_of_arrays(kind, call):
    z, y, votes = Z.copy(), Y.copy(), A.copy()
    rounded = kind == 'float16' and call == 'compare' # squares are, there
    np.testing.assert_allclose(CALLS[call](KINDS[kind]), CALLS[call](np.array), rtol=.1 if rounded else 1e-12)
    for before, after in ((z, Z), (y, Y), (votes, A)): np.testing.assert_array_equal(before, after)

@pytest.mark.parametrize('convert', [bool, int, lambda y: y])
def test_kinds_of_labels(convert):
    np.testing.assert_allclose(rank_ece(Z, Y.astype(convert) if isinstance(convert, type) else Y), rank_ece(Z, Y), rtol=1e-12)

def worlds():
    n = 10**6
    z, u = rng.random(n), rng.normal(size=n)
    few = z.copy()
    few[:1000] = few[1000:2000]
    return {'distinct': (z, u), 'labels': (z, (u > 0) * 1.), 'few ties': (few, u), 'single precision': (z.astype(np.float32).astype(float), u), 'three decimals': (np.round(z, 3), u)}

@pytest.mark.parametrize('name', worlds())
def test_memory(name):
    z, u = worlds()[name]
    tracemalloc.start()
    rank_ece(z, u)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * 8 * len(z)

@pytest.mark.parametrize('bad, error', [(np.nan, ValueError), (np.inf, ValueError), (1.5, ValueError), ('a', TypeError)])
def test_bad_scores(bad, error):
    z = [.1, .2, bad, .4, .5] * 10
    for call in (lambda: rank_ece(z, [0, 1] * 25), lambda: rank_test(z, [0, 1] * 25), lambda: rank_interval(z, [0, 1] * 25), lambda: rank_certificate(z, [0, 1] * 25, .1),
                 lambda: rank_compare(z, [.5] * 50, [0, 1] * 25), lambda: rank_compare([.5] * 50, z, [0, 1] * 25), lambda: rank_test(z, [[0], [1]] * 25, channels=Channels(.1, .9))):
        with pytest.raises(error, match='z'): call()

near = st.one_of(st.sampled_from([0., -0., 1., .5, 5e-324, np.nextafter(.5, 0), np.nextafter(1., 0)]), st.floats(0, 1))

@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(st.lists(near, min_size=1, max_size=60), st.integers(0, 3))
def test_order_is_stable(z, ulps):
    z = np.array(z + [np.nextafter(x, 1) for x in z] * ulps)
    order, s = in_order(z)
    np.testing.assert_array_equal(order, np.argsort(z, kind='stable'))
    np.testing.assert_array_equal(s, z[order])

def test_order_of_scores_one_rounding_error_apart():
    z = .5 + rng.integers(0, 2000, 5000) * 2.**-53
    np.testing.assert_array_equal(in_order(z)[0], np.argsort(z, kind='stable'))

@pytest.mark.parametrize('digits', [0, 1, 2, 9])
def test_interval_of_tied_scores(digits):
    z, y = np.round(rng.random(400), digits), rng.integers(0, 2, 400)
    a, i = rank_interval(z, y), rng.permutation(400)
    b = rank_interval(z[i], y[i], rng=1)
    np.testing.assert_allclose([a.value, b.value], rank_ece(z, y), rtol=1e-9)
    np.testing.assert_allclose(a.stderr, b.stderr, rtol=1e-9)
    assert rank_interval(z, y, ties='random', rng=3).value == pytest.approx(rank_ece(z, y, ties='random', rng=3), rel=1e-9)

def test_few_events_are_pointed_out():
    z = np.linspace(.01, .03, 200)
    with pytest.warns(UserWarning, match="use method='exact'"): test = rank_test(z, z > .0299)
    assert 'rare events' in test.note

def rare(n, top=.05, factor=2, seed=0):
    gen = np.random.default_rng(seed)
    z = gen.uniform(0, top, n)
    return z, (gen.random(n) < factor * z) * 1.

def common(n, seed=0): return tuple(1 - x for x in rare(n, seed=seed))

def holds(e, truth):
    low, high = e.confidence_interval()
    return low <= truth <= high

@pytest.mark.parametrize('make', [rare, common])
def test_intervals_hold_where_events_are_rare(make):
    from calib_nb.kde import kde_error
    samples = [make(200, seed=s) for s in range(60)]
    assert sum(holds(rank_interval(*s), .05**2 / 3) for s in samples) >= 52
    assert sum(holds(kde_error(*s, .003).estimate(), .05**2 / 3) for s in samples) >= 52

def test_intervals_of_few_values_hold():
    gen, hits = np.random.default_rng(1), 0
    for _ in range(100):
        z = gen.choice([.15, .35, .55, .75], 120)
        hits += holds(rank_interval(z, (gen.random(120) < z + .1) * 1.), .01)
    assert hits >= 88

@pytest.mark.filterwarnings('error')
@pytest.mark.parametrize('n', [40, 200, 3000])
def test_nothing_is_said_or_changed_where_scores_are_distinct_and_spread(n):
    from calib_nb.kernel_tests import skce_test
    from calib_nb.targets import sum_stderr
    gen = np.random.default_rng(n)
    z = gen.random(n)
    y = (gen.random(n) < z**2) * 1.
    e, w = rank_interval(z, y), (y - z)[np.argsort(z)]
    np.testing.assert_allclose(e.stderr, sum_stderr(w[1:] * w[:-1]) / (n - 1), rtol=1e-9)
    assert e.errors is None
    assert not rank_test(z, y, method='robust').note and not skce_test(z, y).note and not rank_compare(z, z**2, y).note
    assert not skce_test(z, y, estimator='L').note

def test_where_events_are_few_tests_say_so():
    from calib_nb.kernel_tests import skce_test
    z, y = rare(150, top=.04, factor=1)
    for call in (lambda: skce_test(z, y), lambda: rank_test(z, y, method='robust'), lambda: rank_compare(z, z / 2, y)):
        with pytest.warns(UserWarning, match='few events'): assert 'few events' in call().note
    with pytest.warns(UserWarning, match='few pairs'): assert 'exact' in skce_test(z, y, estimator='L').note
    z = np.repeat([.01, .99], 150) # few surprises, though half of the labels are 1
    with pytest.warns(UserWarning, match='few events'): skce_test(z, z > .5)

def test_comparison_with_ties_is_as_sure_as_it_may_be():
    from scipy.special import ndtri
    gen, D, se = np.random.default_rng(3), [], []
    for _ in range(60):
        p = gen.uniform(.05, .95, 600)
        z1, z2 = (np.round(np.clip(p + gen.normal(0, .1, 600), 0, 1), 1) for _ in range(2))
        test = rank_compare(z1, z2, (gen.random(600) < p) * 1.)
        D.append(test.statistic)
        se.append(abs(test.statistic) / -ndtri(test.pvalue / 2))
    assert .7 < np.median(se) / np.std(D) < 1.5

def test_tied_scores_with_fitted_rates():
    from calib_nb.fits import dawid_skene
    from calib_nb.simulate import toy
    from calib_nb.targets import vote_targets
    found = []
    for seed in range(25):
        w = toy(800, 'shifted', rng=seed)
        votes = Channels([.2] * 3, [.8] * 3).sample(w.y, rng=seed + 1000)
        found.append(rank_interval(np.round(w.z, 1), vote_targets(votes, dawid_skene(votes, n_starts=1))))
    assert .6 < np.mean([e.stderr for e in found]) / np.std([e.value for e in found]) < 1.6

def test_few_distinct_scores_are_bins_of_the_kernel_error():
    from calib_nb.kde import kde_error
    gen = np.random.default_rng(4)
    z = gen.choice(np.linspace(.01, .05, 12), 400)
    y = (gen.random(400) < 3 * z) * 1.
    total, count = (np.bincount((z * 1e6).round().astype(int), x, 50_001)[(z * 1e6).round().astype(int)] for x in (y, np.ones(400)))
    np.testing.assert_allclose(kde_error(z, y).R, (total - y) / (count - 1), atol=1e-9)

@pytest.mark.parametrize('bad, words', [([1.] * 199, 'same length'), ([-1.] + [1.] * 199, 'must not be negative'), ([0.] * 200, 'must not be all zero'),
                                        ([np.nan] + [1.] * 199, 'must be finite'), ([1.] + [0.] * 199, 'needs at least')])
def test_bad_weights(bad, words):
    for call in (rank_ece, rank_interval, lambda z, y, **o: rank_test(z, y, method='robust', **o)):
        with pytest.raises(ValueError, match=words): call(Z, Y, sample_weight=bad)

@pytest.mark.parametrize('digits', [1, 9])
@pytest.mark.filterwarnings('ignore:few events')
def test_weights_have_no_scale_and_zeros_are_left_out(digits):
    gen = np.random.default_rng(5)
    z, y, c = np.round(gen.random(300), digits), gen.integers(0, 2, 300) * 1., gen.choice([1., 5., 20.], 300)
    def all_of(z, y, c):
        e = rank_interval(z, y, sample_weight=c)
        return e.value, e.stderr, *e.confidence_interval(), rank_ece(z, y, sample_weight=c), rank_test(z, y, method='robust', sample_weight=c).pvalue
    np.testing.assert_allclose(all_of(z, y, c), all_of(z, y, c * .037), rtol=1e-6)
    i = gen.permutation(300)
    np.testing.assert_allclose(all_of(z, y, c)[:1], all_of(z[i], y[i], c[i])[:1], rtol=1e-9)
    more = lambda x, new: np.r_[x, np.full(30, new)]
    np.testing.assert_allclose(all_of(z, y, c)[:5], all_of(more(z, .5), more(y, 1.), more(c, 0.))[:5], rtol=1e-6)

def test_weights_of_targets_that_are_not_used():
    from calib_nb.targets import Targets
    gen = np.random.default_rng(6)
    z, c = gen.random(100), gen.choice([1., 4.], 100)
    u = np.where(gen.random(100) < .3, np.nan, z + gen.normal(size=100))
    seen = ~np.isnan(u)
    a, b = rank_interval(z, Targets(u), sample_weight=c), rank_interval(z[seen], u[seen], sample_weight=c[seen])
    np.testing.assert_allclose([a.value, a.stderr], [b.value, b.stderr], rtol=1e-9)

@pytest.mark.parametrize('digits', [1, 9])
def test_weights_with_fitted_rates(digits):
    from calib_nb.fits import dawid_skene
    from calib_nb.targets import vote_targets
    from calib_nb.simulate import toy
    w = toy(2400, 'shifted', rng=3)
    z, draw = np.round(w.z, digits), np.random.default_rng(4)
    p = np.where((w.A == w.A[:, :1]).all(1), .3, 1.)
    i = np.flatnonzero(draw.random(2400) < p)
    fit = dawid_skene(w.A[i], n_starts=2, sample_weight=1 / p[i])
    fitted, known = (rank_interval(z[i], vote_targets(w.A[i], f), sample_weight=1 / p[i]) for f in (fit, fit.channels))
    assert fitted.stderr > .5 * known.stderr and abs(fitted.value - known.value) < known.stderr

def test_tests_that_draw_refuse_weights():
    for method in ('asymptotic', 'bernstein', 'chernoff', 'exact'):
        with pytest.raises(ValueError, match="method='robust' only"): rank_test(Z, Y, method=method, sample_weight=np.ones(200))

@pytest.mark.parametrize('bad, words', [([1.], 'same length'), ([-1., .5], 'must not be negative'), ([0., 0.], 'must not be all zero'), ([np.nan, .5], 'must be finite')])
def test_bad_weights_of_binned_errors(bad, words):
    from calib_nb.metrics import ece, ece_interval, reliability
    for call in (ece, ece_interval, reliability):
        with pytest.raises(ValueError, match=words): call([.2, .7], [0, 1], sample_weight=bad)
