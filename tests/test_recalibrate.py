"""Maps under scikit-learn's own checks, random inputs, and what their users have run into."""
import inspect, json, pickle, warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logit, softmax
from scipy.stats import binom
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.utils import estimator_checks as checks

import calib_nb
from calib_nb import maps, recalibrate
from calib_nb.channels import Channels, corrected_labels
from calib_nb.core import Bins, equal_width
from calib_nb.datasets import load_demo
from calib_nb.metrics import log_loss
from calib_nb.fits import dawid_skene
from calib_nb.maps import BetaMap, Histogram, Identity, Isotonic, JointMap, Map, Platt, Temperature, map_from_json
from calib_nb.recalibrate import OneVsRest, Recalibrated, recalibration_workflow
from calib_nb.simulate import toy
from calib_nb.targets import Targets

KINDS = maps.MAPS.values() # every kind there is, a new one too
MAPS = [*(kind() for kind in KINDS if kind.learns_from == 'targets'),
        Platt(increasing=False), Histogram(7, 'equal_mass'), Histogram([0, .2, .21, 1])]
each_map = pytest.mark.parametrize('m', MAPS, ids=repr)
pytestmark = pytest.mark.filterwarnings('ignore:.*at its bound', 'ignore:.*scores are 0 or 1', 'ignore:z and u look swapped')

def sample(n=400, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.uniform(.02, .98, n)
    return z, (rng.random(n) < z**1.3).astype(float)

def test_promised_names():
    for name in 'Temperature Platt Histogram Isotonic BetaMap JointMap Recalibrated recalibration_workflow'.split():
        assert getattr(recalibrate, name) is getattr(calib_nb, name)

# --- scikit-learn's own checks

DATA_FREE = ('check_estimator_cloneable', 'check_estimator_repr', 'check_no_attributes_set_in_init', 'check_parameters_default_constructible', 'check_set_params', 'check_mixin_order',
             'check_do_not_raise_errors_in_init_or_set_params', 'check_valid_tag_types', 'check_estimator_tags_renamed', 'check_estimator_get_tags_default_keys', 'check_get_params_invariance')

@pytest.mark.parametrize('check', [c for c in DATA_FREE if hasattr(checks, c)])
@pytest.mark.parametrize('m', [*MAPS, *(kind() for kind in KINDS if kind.learns_from != 'targets'), OneVsRest()], ids=repr)
def test_sklearn_checks_without_data(m, check): getattr(checks, check)(type(m).__name__, clone(m))

# Before 1.6 all estimators were given two-dimensional data, and the first failure alone was reported.
newer = pytest.mark.skipif('on_fail' not in inspect.signature(checks.check_estimator).parameters, reason='an older scikit-learn')

@newer
@each_map
def test_check_estimator_has_nothing_against_a_map(m):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore') # it says that it skips estimators of one-dimensional inputs
        checks.check_estimator(m)

class Column(BaseEstimator):
    "A map in the dress of a two-dimensional estimator: the first feature, squashed, is its score. All else is left to the map."
    def __init__(self, map=None): self.map = map
    def fit(self, X, y, sample_weight=None):
        from sklearn.utils.validation import validate_data
        X = validate_data(self, X, dtype=float)
        if y is None: raise ValueError('y cannot be None: requires y to be passed, but the target y is None')
        self.map_ = clone(self.map or Platt()).fit(expit(X[:, 0] / 4), y, sample_weight)
        return self
    def predict(self, X):
        from sklearn.utils.validation import check_is_fitted, validate_data
        check_is_fitted(self)
        return self.map_.predict(expit(validate_data(self, X, dtype=float, reset=False)[:, 0] / 4))

# Given a map itself, check_estimator runs next to nothing: its data are two-dimensional, and not in [0, 1]. What cannot apply to scores of shape (n,) is thus
# answered by the dress, not by the map: the checks of feature counts (check_n_features_in, ..._after_fitting), of the words for wrong shapes (check_fit1d,
# check_fit2d_predict1d, check_fit2d_1feature), of NaN and empty features (check_estimators_nan_inf, check_estimators_empty_data_messages), of sparse matrices
# (check_estimator_sparse_*) and of y=None (check_requires_y_none). Maps have rules and words of their own for these, tested below.

@newer
@each_map
def test_sklearn_checks_through_a_column(m):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        results = checks.check_estimator(Column(m), on_fail=None, on_skip=None)
    failed = {r['check_name']: str(r['exception']) for r in results if r['status'] == 'failed'}
    passed = sum(r['status'] == 'passed' for r in results)
    assert not failed, failed
    assert passed >= 35

# --- properties, on random inputs

scores = st.floats(0, 1) | st.sampled_from([0., 1e-300, 1e-17, .3, .5, 1 - 1e-16, 1.])
def samples(n): return st.tuples(arrays(float, n, elements=scores), arrays(float, n, elements=st.floats(-3, 4)))

@each_map
@settings(max_examples=60, deadline=None)
@given(data=st.integers(1, 40).flatmap(samples), at=arrays(float, 20, elements=scores))
def test_probabilities_in_order(m, data, at):
    z, u = data
    m = clone(m).fit(z, u)
    p = m.predict(at)
    assert p.shape == at.shape and (p >= 0).all() and (p <= 1).all()
    if not isinstance(m, Histogram) and getattr(m, 'increasing', True): assert (np.diff(p[np.argsort(at)]) >= -1e-12).all()
    for again in (map_from_json(m.to_json()), pickle.loads(pickle.dumps(m))): assert_allclose(again.predict(at), p, rtol=1e-12)

@pytest.mark.parametrize('m', [Temperature(), Platt(), Platt(increasing=False), BetaMap()], ids=repr)
@settings(max_examples=80, deadline=None)
@given(data=st.integers(2, 40).flatmap(lambda n: st.tuples(arrays(float, n, elements=st.floats(.001, .999)), arrays(float, n, elements=st.floats(-3, 4)))), seed=st.integers(0, 99))
def test_nothing_in_the_box_is_better(m, data, seed):
    z, u = data
    m = clone(m).fit(z, u)
    assert m.converged_
    lo, hi = {Temperature: ([.05], [20]), Platt: ([0 if getattr(m, 'increasing', True) else -10, -10], [10, 10]), BetaMap: ([0, 0, -10], [10, 10, 10])}[type(m)]
    x = np.stack({Temperature: lambda: [logit(z)], Platt: lambda: [logit(z), np.ones_like(z)], BetaMap: lambda: [np.log(z), -np.log1p(-z), np.ones_like(z)]}[type(m)]())
    risk = lambda t: (np.logaddexp(0, t @ x) - u * (t @ x)).mean()
    best, rng = risk(m.coef_), np.random.default_rng(seed)
    for t in rng.uniform(lo, hi, (50, len(lo))): assert risk(t) >= best - 1e-9 * (1 + abs(best))
    for size in (1e-1, 1e-2, 1e-3): assert risk(np.clip(m.coef_ + size * rng.normal(size=len(lo)), lo, hi)) >= best - 1e-9 * (1 + abs(best))

@each_map
@settings(max_examples=40, deadline=None)
@example(data=(20, np.array([2] + [0] * 17 + [3, 0])), seed=7) # two scores that are equal, the others have no copies
@example(data=(20, np.array([2, 0, 0, 0, 0, 3] + [0] * 14)), seed=21) # two scores, both with label 1
@given(data=st.integers(20, 60).flatmap(lambda n: st.tuples(st.just(n), arrays(int, n, elements=st.integers(0, 3)))), seed=st.integers(0, 999))
def test_weights_are_copies(m, data, seed):
    n, w = data
    if w.sum() < 5: w[:5] = 1
    z, y = sample(n, seed)
    z = z.round(2)
    a, b = clone(m).fit(z, y, sample_weight=w), clone(m).fit(np.repeat(z, w), np.repeat(y, w))
    c, kept = clone(m).fit(z, y, sample_weight=w / 7), z[w > 0]
    places = [kept, np.linspace(.01, .99, 50)] if determined(a, kept) else [kept]
    for at in places:
        for other in b, c: assert_allclose(other.predict(at), a.predict(at), rtol=1e-5, atol=1e-7)

def determined(m, z):
    "Do the scores that a map was fitted to say what it is elsewhere? Not where they are separated, or fewer than its parameters."
    if not hasattr(m, 'coef_'): return True
    p = m.predict(z)
    return (p * (1 - p)).mean() > 1e-3 and len(np.unique(z)) >= len(m.coef_)

@each_map
@settings(max_examples=40, deadline=None)
@given(z=scores, u=arrays(float, 10, elements=st.floats(.01, .99)))
def test_constant_scores_give_the_base_rate(m, z, u):
    if isinstance(m, Temperature): return
    assert_allclose(clone(m).fit(np.full(10, z), u).predict([z]), u.mean(), rtol=1e-7)

@settings(max_examples=60, deadline=None)
@given(data=st.integers(1, 30).flatmap(samples))
def test_isotonic_is_the_bounded_least_squares_solution(data):
    z, u = data[0].round(6), data[1] # scikit-learn takes scores for tied that are nearer than a double's precision
    fitted = Isotonic().fit(z, u).predict(z)
    from sklearn.isotonic import IsotonicRegression
    assert_allclose(fitted, IsotonicRegression(y_min=0, y_max=1, out_of_bounds='clip').fit(z, u).predict(z), atol=1e-9)

# --- what users have run into

@each_map
def test_single_precision(m):
    z, y = sample()
    small = z.astype('f4')
    assert_allclose(clone(m).fit(small, y).predict(small), clone(m).fit(z, y).predict(z), atol=1e-5)
    assert clone(m).fit(small, y).predict(small).dtype == float
    for dtype in ('f2', 'f4'): assert_allclose(clone(m).fit(z.astype(dtype), y).predict(z), clone(m).fit(z.astype(dtype).astype(float), y).predict(z), rtol=1e-12)

@each_map
def test_shapes(m):
    z, y = sample()
    fitted = clone(m).fit(z, y)
    assert fitted.predict(z).shape == (400,)
    for call in (lambda: fitted.predict(np.c_[1 - z, z]), lambda: clone(m).fit(np.c_[1 - z, z], y)):
        with pytest.raises(ValueError, match=r'z\[:, 1\]'): call()
    with pytest.raises(NotFittedError): clone(m).predict(z)
    with pytest.raises(NotFittedError): clone(m).to_json()
    assert fitted.fit(z, y) is fitted and not hasattr(clone(fitted), 'coef_')

def test_stored_values():
    "The same data gave these in earlier versions."
    z = np.array([.1, .2, .3, .4, .5, .6, .7, .8, .9] * 2)
    u = np.array([0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1])
    stored = {Temperature: [.0613, .5, .9387], Platt: [.0827, .599, .9612], BetaMap: [.0544, .6365, .938], Histogram: [0, .5, 1], Isotonic: [0, .5, 1]}
    for kind, values in stored.items(): assert_allclose(kind().fit(z, u).predict([.15, .5, .85]), values, atol=6e-5)

def test_extreme_scores():
    z, y = expit([-3e5, -2e5, 2e5, 3e5]), [0, 0, 1, 1]
    with warnings.catch_warnings():
        warnings.simplefilter('error', RuntimeWarning)
        for m in MAPS: p = clone(m).fit(z, y).predict(z); assert (p[:2] < p[2:]).all()

@pytest.mark.parametrize('m', [Temperature(), Platt(), BetaMap()], ids=repr)
@pytest.mark.parametrize('z, u', [([.96875] * 2, [2, 2]), ([.5, .5], [-1, -1]), ([1e-9, 1 - 1e-9], [-3, 4]), ([0., 1.], [1, 0]), ([.2, .9], [1e6, -1e6]), ([.3], [.7]), ([.3125, .75], [0, 0])])
def test_where_the_hessian_vanishes(m, z, u): assert clone(m).fit(z, u).converged_

def test_temperature_stays_positive():
    with pytest.warns(UserWarning, match=r'1/T is at its bound 0.05'): m = Temperature().fit([.9, .8, .2, .1], [0, 0, 1, 1])
    assert m.temperature_ == pytest.approx(20) and m.at_bound_ == ('1/T',) and m.gradient_[0] > 0
    with pytest.warns(UserWarning, match=r'1/T is at its bound 20'): Temperature().fit([.6, .4], [1, 0])

def test_a_warning_points_at_the_caller():
    with pytest.warns(UserWarning) as w: Temperature().fit([.9, .1], [0, 1]); Platt().fit([.9, .1], [0, 1])
    assert {x.filename for x in w} == {__file__}

@pytest.mark.parametrize('n', [100, 10_000, 400_000])
def test_temperature_is_found(n):
    rng = np.random.default_rng(n); x = rng.normal(size=n)
    y = rng.random(n) < expit(x)
    m = Temperature().fit(expit(2 * x), y)
    assert abs(m.gradient_).max() < 1e-10 and m.converged_
    if n == 400_000: assert abs(m.temperature_ - 2) < .02

def test_platt_works_on_logits():
    rng = np.random.default_rng(0); x = rng.normal(size=10**6)
    m = Platt().fit(expit(1.5 * x), rng.random(10**6) < expit(x))
    assert abs(m.slope_ - 2/3) < .01 and abs(m.intercept_) < .01
    assert abs(m.predict([.5703])[0] - .5470) < .002

def test_the_part_gives_only_the_start():
    "Above some 100,000 examples the first steps are made on a part; sorted and periodic data must not matter."
    rng = np.random.default_rng(1); n = 300_000
    z = rng.beta(1, 3, n); u = rng.normal(z**1.5, 1.5); w = rng.integers(0, 3, n).astype(float); w[::9] = 0
    for order in (np.arange(n), np.argsort(z), np.argsort(u)):
        a = [m.fit(z[order], u[order], w[order]).coef_ for m in (Temperature(), Platt(), BetaMap())]
        if order[0] == 0 and order[1] == 1: first = a
        for x, y in zip(a, first): assert_allclose(x, y, rtol=1e-6)

def test_vectors():
    rng = np.random.default_rng(2); L = 12 * rng.normal(size=(3000, 6)); y = rng.integers(6, size=3000)
    L[np.arange(3000), y] += 25 * rng.random(3000)
    P = softmax(L, 1); m = Temperature().fit(P, y)
    assert_allclose(m.predict(P), softmax(L / m.temperature_, 1), rtol=1e-10, atol=1e-300)
    risk = lambda b: -log_softmax(b * L, 1)[np.arange(3000), y].mean()
    assert_allclose(1 / m.temperature_, minimize(lambda b: risk(b[0]), [.2], options=dict(gtol=1e-9)).x[0], rtol=1e-4)
    w = rng.integers(0, 3, 3000)
    assert_allclose(Temperature().fit(P, y, w).coef_, Temperature().fit(np.repeat(P, w, 0), np.repeat(y, w)).coef_, rtol=1e-8)
    assert_allclose(Temperature().fit(P, np.eye(6)[y]).coef_, m.coef_, rtol=1e-12)
    q = m.predict([[0., .2, .8, 0, 0, 0]])
    assert np.isfinite(q).all() and q.argmin() == 0 and q[0, 0] < q[0, 1]
    with pytest.raises(ValueError, match='rows of u must sum to 1'): Temperature().fit(P, np.zeros_like(P))
    assert_allclose(map_from_json(m.to_json()).predict(P), m.predict(P), rtol=1e-12)

def test_a_new_kind_is_one_class():
    @maps.recalibration_map
    class Half(Map):
        "Halfway to 1/2."
        _fitted = ('share_',)
        def _learn(self, z, u, w): self.share_ = np.array(.5)
        def _apply(self, z): return self.share_ * z + .25
    try:
        d = load_demo()
        fitted = recalibrate.fit_candidates(d.z, d.A, d.channels)
        assert ('Half', 'naive') in fitted and ('Half', 'corrected') in fitted
        m = fitted['Half', 'corrected']
        assert_allclose(map_from_json(m.to_json()).predict([.1, .9]), [.3, .7], rtol=1e-12)
        P = np.array([[.5, .3, .2], [.1, .1, .8]])
        assert_allclose(OneVsRest(Half()).fit(P, [0, 2]).predict(P).sum(1), 1, rtol=1e-12)
    finally: del maps.MAPS['Half']

def test_json_has_a_version():
    d = json.loads(Platt().fit(*sample()).to_json())
    assert d['format'] == 'calib_nb map' and d['version'] == 1 and d['map'] == 'Platt' and d['params'] == {'increasing': True}
    for bins in (np.int64(4), Bins([0, .5, 1]), np.array([0, .5, 1]), (0, .5, 1)):
        m = Histogram(bins).fit(*sample())
        assert_allclose(map_from_json(m.to_json()).predict([.1, .7]), m.predict([.1, .7]), rtol=1e-12)
    for text, words in (('{', 'must be JSON'), ('[]', 'written by to_json'), (json.dumps(d | dict(version=2)), 'version 2'), (json.dumps(d | dict(map='os')), "must be one of")):
        with pytest.raises(ValueError, match=words): map_from_json(text)

def test_joint_map():
    w = toy(3000, 'shifted', rng=0)
    m = JointMap(groups=equal_width(4)).fit(w.z, w.A)
    for again in (map_from_json(m.to_json()), pickle.loads(pickle.dumps(m))):
        assert_allclose(again.predict(w.z), m.predict(w.z), rtol=1e-12)
    empty = JointMap(groups=[0, .5, .9999999, 1]).fit(w.z, w.A)
    assert empty.values_[2] == pytest.approx(w.y.mean(), abs=.05)

@pytest.mark.parametrize('m', [Platt(), Isotonic(), Histogram(), Temperature(), None], ids=repr)
def test_recalibrated_on_votes(m):
    d = load_demo(); X = d.z[:, None]
    class Scores(BaseEstimator):
        classes_ = np.array([0, 1])
        def __sklearn_is_fitted__(self): return True
        def fit(self, X, y): raise AssertionError('never fitted again')
        def predict_proba(self, X): return np.c_[1 - X, X].astype('f4')
    A = d.A.copy(); A[:3] = np.nan
    with pytest.warns(UserWarning, match='3 of'): r = Recalibrated(Scores(), m).fit(X, votes=A, channels=d.channels)
    P = r.predict_proba(X)
    assert P.shape == (len(X), 2); assert_allclose(P.sum(1), 1, rtol=1e-12)
    expected = clone(m or Platt()).fit(d.z.astype('f4')[3:], corrected_labels(A[3:], d.channels)).predict(d.z.astype('f4'))
    assert_allclose(P[:, 1], expected, rtol=1e-9)

def test_labels_and_targets_of_recalibrated():
    rng = np.random.default_rng(3); X = rng.normal(size=(400, 1)); y = (rng.random(400) < expit(X[:, 0])).astype(int)
    base = Recalibrated(LogisticRegression().fit(X, y)).fit(X, y).predict_proba(X)
    for names in ([False, True], [1, 2], [-1, 1], ['a', 'b'], [10., 20.]):
        labels = np.array(names)[y]
        r = Recalibrated(LogisticRegression().fit(X, labels)).fit(X, labels)
        assert_allclose(r.predict_proba(X), base, rtol=1e-6); assert set(r.predict(X)) <= set(names) and r.score(X, labels) > .5
        assert_allclose(Recalibrated(r.estimator).fit(X, y - .001 * (-1)**y).predict_proba(X), base, atol=.01) # targets

def test_hard_zero_rows_stay():
    P = np.array([[.9, .1, 0], [.1, .9, 0], [.02, .03, .95]])
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        Q = OneVsRest(Histogram(2)).fit(P[:2], [1, 0]).predict(P)
    assert_allclose(Q.sum(1), 1); assert np.isfinite(Q).all()

# --- the workflow

GOOD, WEAK = Channels((.05,) * 3, (.9,) * 3), Channels((.3,) * 3, (.7,) * 3)

def world(n, curve, channels, seed):
    rng = np.random.default_rng(seed)
    z = toy(n, 'calibrated', rng=rng).z
    m = curve(z)
    return z, m, channels.sample((rng.random(n) < m).astype(float), rng=rng)

def quiet(*data, **how):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', UserWarning) # a map at a bound
        return recalibration_workflow(*data, **how)

@pytest.mark.parametrize('channels', [GOOD, WEAK], ids=['good', 'weak'])
def test_right_scores_are_left_alone(channels):
    done = [quiet(z, A) for z, _, A in (world(1000, lambda z: z, channels, s) for s in range(10))]
    assert sum(w.name == ('as it is', '') for w in done) >= 9
    left = next(w for w in done if w.name == ('as it is', ''))
    assert left.sentence().startswith('Leave them alone') and 'no more than noise' in left.sentence()
    assert isinstance(left.map, Identity) and left.best != left.name and left.gain.confidence_interval()[0] <= 0

def test_wrong_scores_are_repaired():
    for s in range(5):
        z, m, A = world(2000, lambda z: expit(.65 * logit(z) - .3), GOOD, s)
        w = quiet(z, A)
        assert w.name == w.best and abs(w.predict(z) - m).mean() < .5 * abs(z - m).mean()
        assert w.gain.confidence_interval()[0] > 0 and w.sentence().startswith(w.name[0]) and 'more than noise makes' in w.sentence()
        assert w.before.n == w.after.n == 2000

def test_gain_with_known_rates_is_a_cross_fitted_mean():
    w = toy(1000, 'shifted', rng=0)
    found = quiet(w.z, w.A, channels=w.channels, maps=[Platt()])
    u, q = corrected_labels(w.A, w.channels), np.empty(1000)
    for k in range(5):
        at = found.partition == k
        q[at] = Platt().fit(w.z[~at], u[~at]).predict(w.z[at])
    assert_allclose(found.gain.value, np.mean((w.z - u)**2 - (q - u)**2), atol=1e-9)
    assert found.gain.stderr > np.std((w.z - u)**2 - (q - u)**2) / 1000**.5

@pytest.mark.parametrize('criterion', ['brier', 'nc_ece', 'log_loss'])
def test_criterion_says_which_is_best(criterion):
    w = toy(2000, 'nonlinear', rng=0)
    found = quiet(w.z, w.A, criterion=criterion, maps=[Temperature(), Platt(), Isotonic()])
    score = found.candidates.drop(('as it is', ''))
    assert found.best == (score.gain.idxmax() if criterion == 'brier' else score[criterion].idxmin())

def test_ways_to_split():
    w = toy(900, 'shifted', rng=0)
    first = quiet(w.z, w.A)
    for split in (3, dict(channels=.25, fit=.25, validation=.2, test=.3), np.arange(900) % 4, np.array(['a', 'b', 'c'] * 300), list(range(9)) * 100):
        found = quiet(w.z, w.A, split=split)
        assert found.partition.shape == (900,) and found.partition.min() == 0 and found.settings['folds'] == found.partition.max() + 1
        assert abs(found.gain.value - first.gain.value) < 3 * first.gain.stderr

def test_items_without_votes_and_a_fit_of_these_votes():
    w = toy(1500, 'shifted', rng=0)
    A = w.A.copy(); A[::7] = np.nan
    found = quiet(w.z, A)
    assert (found.partition[::7] == -1).all() and found.before.n == (found.partition >= 0).sum()
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', UserWarning)
        fit = dawid_skene(A)
    again = quiet(w.z, A, channels=fit, split=found.partition)
    assert_allclose(again.candidates.gain, found.candidates.gain, atol=1e-8)
    rest = quiet(w.z[found.partition >= 0], A[found.partition >= 0], split=found.partition[found.partition >= 0])
    assert_allclose(rest.candidates.gain, found.candidates.gain, atol=1e-8)
    with pytest.raises(ValueError, match='fitted to other votes'): quiet(w.z[:700], A[:700], channels=fit)

def test_two_annotators_and_maps_of_votes():
    w = toy(3000, 'shifted', rng=0)
    found = quiet(w.z, w.A[:, :2], maps=[JointMap(n_starts=2), Platt()])
    assert set(found.maps) == {('as it is', ''), ('JointMap', 'votes'), ('Platt', 'naive'), ('Platt', 'corrected')}
    assert np.isfinite(found.candidates[['gain', 'gain_stderr']]).all(axis=None)

def test_order_is_given_up_only_for_a_clear_gain():
    rng = np.random.default_rng(0)
    z = np.sort(rng.random(2000))
    def chosen(m):
        u = rng.binomial(1, m).astype(float)
        maps = {('as it is', ''): Identity(), ('Histogram', 'corrected'): Histogram(10).fit(z, u), ('Isotonic', 'corrected'): Isotonic().fit(z, u)}
        answers = {k: v.predict(z) for k, v in maps.items()}
        table = pd.DataFrame(dict(gain=[np.mean((z - u)**2 - (q - u)**2) for q in answers.values()]), index=pd.MultiIndex.from_tuples(maps))
        table.loc[('Histogram', 'corrected'), 'gain'] += .001
        return recalibrate._choose(table, 'brier', maps, z=z, targets=Targets(u), answers=answers)[0]
    assert chosen(np.clip(z + .1 * np.sin(20 * z), 0, 1) * .1 + .45) == 'Isotonic'   # nearly flat: out of order by chance
    assert chosen(.5 + .4 * np.sin(9 * z)) == 'Histogram'                           # up, down and up again

@pytest.mark.slow
@pytest.mark.parametrize('channels', [GOOD, Channels((.2,) * 3, (.75,) * 3), WEAK], ids=['good', 'mid', 'weak'])
@pytest.mark.parametrize('curve', [lambda z: z, lambda z: expit(.65 * logit(z) - .3)], ids=['right', 'shifted'])
def test_interval_of_the_gain_holds(channels, curve):
    fresh, held = toy(20_000, 'calibrated', rng=99).z, 0
    for s in range(200):
        z, _, A = world(2000, curve, channels, 1000 + s)
        w = quiet(z, A)
        truth = np.mean((fresh - curve(fresh))**2 - (w.maps[w.best].predict(fresh) - curve(fresh))**2)
        low, high = w.gain.confidence_interval()
        held += low <= truth <= high
    assert held >= binom.ppf(.01, 200, .95)

# --- scores of exactly 0 and 1

@pytest.mark.parametrize('m', [Platt(), Temperature(), BetaMap()], ids=repr)
def test_rounded_scores_are_pointed_out(m):
    rng = np.random.default_rng(0); x = rng.normal(0, 2, 2000)
    y, z = (rng.random(2000) < expit(x)).astype(float), expit(5 * x).round(4)
    with pytest.warns(UserWarning, match=r'scores are 0 or 1, and how near') as said: m.fit(z, y)
    assert [s.filename for s in said] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        m.fit(np.clip(z, 5e-5, 1 - 5e-5), y)
        m.fit(expit(x).round(9), y) # none is 0 or 1
