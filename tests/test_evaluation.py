"""The one call with true labels of a random sample."""
import warnings

import numpy as np
import pytest

from calib_nb import Channels, Votes, dawid_skene, evaluate, toy

N = 900
W = toy(N, 'shifted', rng=3)
A = Channels([.2] * 3, [.75] * 3).sample(W.y, rng=4)
GOLD = np.where(np.random.default_rng(5).random(N) < .2, W.y, np.nan)
OPTIONS = dict(n_resamples=50, progress=False)
E = evaluate(W.z, A, gold=GOLD, **OPTIONS)

def test_votes_say_the_same_with_and_without():
    plain = evaluate(W.z, A, **OPTIONS)
    assert plain.anchored is None and plain.more == dict(sample_weight=None, gold=None, inclusion=None)
    assert plain.nc_ece.value == E.nc_ece.value and plain.test.pvalue == E.test.pvalue
    assert plain.to_dict()['anchored'] is None

def test_anchored_rows():
    assert 'anchored (true labels)' in E.to_frame().index and 'anchored, smooth' in E.squared.index
    assert E.anchored.targets.n_gold == (~np.isnan(GOLD)).sum()
    low, high = E.anchored.mean_gap.confidence_interval()
    assert low < (W.m - W.z).mean() < high
    assert 'corrected votes against true labels' in set(E.checks.check)

def test_again():
    again = evaluate(*E.data[:2], y=E.data[2], **E.more, **E.options, progress=False)
    assert again.to_dict() == E.to_dict()

def test_items_without_votes_keep_their_labels_apart():
    holes = A.copy()
    holes[:100] = np.nan
    with warnings.catch_warnings(action='ignore'): e = evaluate(W.z, holes, gold=GOLD, **OPTIONS)
    assert e.anchored.targets.n_gold == (~np.isnan(GOLD[100:])).sum() and e.n_used == N - 100

def test_gold_by_item_of_sparse_votes():
    i, j = np.nonzero(~np.isnan(A))
    votes = Votes(i, j, A[i, j], tuple(f'item {k}' for k in range(N)), ('a', 'b', 'c'))
    named = {f'item {k}': GOLD[k] for k in np.flatnonzero(~np.isnan(GOLD))}
    e = evaluate(W.z, votes, gold=named, **OPTIONS)
    np.testing.assert_allclose(e.anchored.mean_gap.value, E.anchored.mean_gap.value)

def test_contradicted():
    wrong = A.copy()
    wrong[:, 1:] = np.where(np.random.default_rng(6).random(N) < .9, wrong[:, 0], wrong[:, 1])[:, None]
    with warnings.catch_warnings(action='ignore'): e = evaluate(W.z, wrong, gold=GOLD, **OPTIONS)
    assert e.anchored.model.pvalue < .01 and 'believe the anchored numbers' in e.sentence()
    assert e.sentence().startswith(f'{e.anchored.targets.n_gold} true labels contradict')
    assert any('THE MODEL FAILS' in v for v in e.checks.verdict) and 'THE MODEL FAILS' in str(e)

@pytest.mark.parametrize('more, says', [
    (dict(inclusion=.2), 'needs gold'),
    (dict(gold=GOLD, sample_weight=np.ones(N)), 'sample_weight'),
    (dict(gold=GOLD[:-1]), 'same length'),
    (dict(gold=np.full(N, np.nan)), 'at least 10'),
    (dict(gold=GOLD, inclusion=0.), 'above 0')])
def test_refusals(more, says):
    with pytest.raises(ValueError, match=says): evaluate(W.z, A, **more, **OPTIONS)
