"""Anchored targets: what they take and refuse, and that they are right on average."""
import itertools, pickle, warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calib_nb import (Channels, Votes, dawid_skene, ece, ece_interval, kde_interval, kde_test, rank_compare, rank_ece,
    rank_interval, rank_test, toy)
from calib_nb.anchored import AnchoredTargets, anchored_labels, anchored_square, as_inclusion, model_test
from calib_nb.targets import Labels, vote_targets

N = 600
W = toy(N, 'shifted', rng=0)
A = Channels([.2] * 3, [.75] * 3).sample(W.y, rng=1)
FIT = dawid_skene(A)

def sample(g=80, seed=0, y=W.y):
    gold = np.full(len(y), np.nan)
    i = np.random.default_rng(seed).choice(len(y), g, replace=False)
    gold[i] = y[i]
    return gold

GOLD = sample()
T = anchored_labels(A, GOLD, z=W.z, fit=FIT)

def test_definition():
    known = ~np.isnan(GOLD)
    assert T.n_gold == 80 and T.used.all() and len(T) == N
    assert_allclose(T.u[~known], T.prediction[~known])
    assert_allclose(T.u[known], (T.prediction + (GOLD - T.prediction) / (80 / N))[known])
    assert ((0 <= T.prediction) & (T.prediction <= 1)).all() and ((0 <= T.lam) & (T.lam <= 1)).all()
    assert 'rough' in T.note and 'rough' not in anchored_labels(A, sample(100), z=W.z, fit=FIT).note

def test_own_label_has_no_part():
    at = int(np.flatnonzero(~np.isnan(GOLD))[0])
    turned = GOLD.copy()
    turned[at] = 1 - turned[at]
    other = anchored_labels(A, turned, z=W.z, fit=FIT)
    assert_allclose(other.prediction[T.fold == T.fold[at]], T.prediction[T.fold == T.fold[at]])
    assert abs(other.prediction - T.prediction).max() > 0

def test_right_on_average_over_all_samples():
    z, y, votes = W.z[:12], W.y[:12], A[:12]
    rng, mean = np.random.default_rng(0), []
    with warnings.catch_warnings(action='ignore'):
        for chosen in itertools.islice(itertools.combinations(range(12), 10), 66):
            gold = np.full(12, np.nan)
            gold[list(chosen)] = y[list(chosen)]
            mean += [np.mean([anchored_labels(votes, gold, z=z, rng=s).u.mean() for s in range(1)])]
    assert abs(np.mean(mean) - y.mean()) < 4 * np.std(mean) / 66**.5 + .01

def test_ways_to_give_gold_and_votes():
    by_item = {int(i): GOLD[i] for i in np.flatnonzero(~np.isnan(GOLD))}
    assert_allclose(anchored_labels(A, by_item, z=W.z, fit=FIT).u, T.u)
    i, j = np.nonzero(~np.isnan(A))
    sparse = Votes(i, j, A[i, j], tuple(f'item {k}' for k in range(N)), ('a', 'b', 'c'))
    named = {f'item {k}': v for k, v in by_item.items()}
    assert_allclose(anchored_labels(sparse, named, z=W.z).u, anchored_labels(A, GOLD, z=W.z).u)
    assert_allclose(anchored_labels(A, GOLD, z=W.z, fit=FIT, inclusion=80 / N).u, T.u)

def test_missing_votes_and_no_scores():
    holes = A.copy()
    holes[:50] = np.nan
    assert np.isfinite(anchored_labels(holes, GOLD, z=W.z).u).all()
    assert abs(anchored_labels(A, GOLD, fit=FIT).u.mean() - W.y.mean()) < .2

def test_one_label_only():
    t = anchored_labels(A, np.where(np.isnan(GOLD), np.nan, 1.), z=W.z, fit=FIT)
    assert np.isfinite(t.u).all() and t.u.mean() > .9

def test_constant_scores_and_perfect_votes():
    y, z = W.y, np.full(N, .5)
    t = anchored_labels(np.stack([y, y, y], axis=1), sample(), z=z)
    assert abs(t.u.mean() - y.mean()) < .02
    e = anchored_square(z, t)
    assert e.stderr > 0 and t.stderr((t.u - z) / N, np.full(N, 1 / N)) > .9 / 80 # one contradicting label in eighty

@pytest.mark.parametrize('call', [
    lambda: ece(W.z, T), lambda: rank_ece(W.z, T), lambda: rank_interval(W.z, T), lambda: ece_interval(W.z, T, rng=0),
    lambda: kde_interval(W.z, T, .1), lambda: rank_test(W.z, T, method='robust'),
    lambda: kde_test(W.z, T, n_resamples=49), lambda: rank_compare(W.z, W.z**2, T), lambda: anchored_square(W.z, T)])
def test_estimators_take_them(call):
    with warnings.catch_warnings(action='ignore'): found = call()
    assert np.isfinite(float(getattr(found, 'pvalue', found)))

def test_rows_may_be_shuffled():
    order = np.random.default_rng(5).permutation(N)
    t = AnchoredTargets(T.X[order], T.z[order], GOLD[order], T.inclusion[order], fold=T.fold[order],
                        signs=T.signs[order])
    assert_allclose(t.u, T.u[order])
    assert_allclose(anchored_square(W.z[order], t).value, anchored_square(W.z, T).value, rtol=1e-9)

def test_resampled_and_pickled():
    assert_allclose(T.resampled(np.arange(N)).u, T.u)
    some = np.random.default_rng(1).integers(0, N, N)
    assert np.isfinite(T.resampled(some).u).all()
    assert_allclose(pickle.loads(pickle.dumps(T)).u, T.u)

def test_model_comparison():
    m = model_test(W.z, T, vote_targets(A, FIT))
    assert m.table.gold.iloc[-1] == 80 and m.table['count'].iloc[-1] == N and 0 <= m.pvalue <= 1
    assert m.table['count'].iloc[:-1].sum() == N and 'true labels' in m.verdict()
    wrong = model_test(W.z, anchored_labels(A, sample(300), z=W.z, fit=FIT), Labels(1 - W.y))
    assert wrong.pvalue < 1e-6 and 'believe the anchored' in wrong.verdict()
    one = model_test(W.z, T, vote_targets(A, FIT), bins=1)
    assert_allclose(one.table.difference.iloc[0], one.table.difference.iloc[1])

@pytest.mark.parametrize('call, says', [
    (lambda: anchored_labels(A, None), 'true labels of a random sample'),
    (lambda: anchored_labels(A, np.full(N, np.nan)), 'at least 10'),
    (lambda: anchored_labels(A, GOLD[:-1]), 'same length'),
    (lambda: anchored_labels(A, np.where(np.isnan(GOLD), np.nan, .5)), 'gold'),
    (lambda: anchored_labels(A, GOLD, z=W.z[:-1]), 'same length'),
    (lambda: anchored_labels(A, GOLD, z=W.z, folds=1), 'folds'),
    (lambda: anchored_labels(A, GOLD, inclusion=0.), 'above 0'),
    (lambda: anchored_labels(A, GOLD, inclusion=np.full(N, 1.5)), 'at most 1'),
    (lambda: anchored_labels(A, GOLD, inclusion=np.full(3, .5)), 'same length'),
    (lambda: as_inclusion(np.nan, GOLD), 'inclusion'),
    (lambda: anchored_square(W.z, Labels(W.y)), 'anchored_labels'),
    (lambda: model_test(W.z, Labels(W.y), T), 'anchored_labels')])
def test_refusals(call, says):
    with pytest.raises((ValueError, TypeError), match=says): call()

def test_a_sample_that_is_not_random_is_pointed_out():
    first = np.argsort(W.z, kind='stable')[:80]
    gold = np.full(N, np.nan)
    gold[first] = W.y[first]
    with pytest.warns(UserWarning, match='random sample') as said: anchored_labels(A, gold, z=W.z)
    assert said[0].filename == __file__
    with warnings.catch_warnings(action='error'):
        for seed in range(40): anchored_labels(A, sample(seed=seed), z=W.z, fit=FIT)
