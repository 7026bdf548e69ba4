"""Sensitivity to the annotators' model: what it takes, refuses, and must satisfy."""
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calib_nb import Channels, Votes, dawid_skene, evaluate, joint_em, sensitivity, toy
from calib_nb.modelcheck import complete_table

RATES = Channels([.2, .25, .3], [.8, .75, .7], ('ann', 'ben', 'cleo'))
W = toy(1500, 'shifted', rng=0)
A = RATES.sample(W.y, rng=1)
FIT = dawid_skene(A, names=RATES.names)
S = sensitivity(W.z, A, FIT)

def test_wider_as_more_is_allowed():
    e = S.error
    assert (np.diff(e.ece_high) >= 0).all() and (np.diff(e.gap_high) >= 0).all() and (np.diff(e.gap_low) <= 0).all()
    assert (e.ece_low <= e.ece_high).all() and (e >= -1).all(axis=None) and (e <= 1).all(axis=None)
    assert S.least_d == 0 and (S.curve['count'].sum() == 1500)

def test_tipping_point_is_where_the_limits_reach_the_diagonal():
    strong = toy(20_000, 'shifted', rng=2)
    votes = Channels([.05] * 3, [.95] * 3).sample(strong.y, rng=3)
    s = sensitivity(strong.z, votes, dawid_skene(votes))
    assert .02 < s.tipping_d < .2 and f'{s.tipping_d:.2g}' in s.sentence()
    around = sensitivity(strong.z, votes, dawid_skene(votes), d=[s.tipping_d * .98, s.tipping_d * 1.02]).error
    assert around.ece_low.iloc[0] > 0 and around.ece_low.iloc[1] <= around.ece_low.iloc[0]

def test_known_rates_reach():
    s = sensitivity(W.z, A, RATES, d=[.1])
    assert s.note.startswith('known rates') and not len(s.pairs) and s.tipping_r == np.inf

def test_pairs():
    assert len(S.pairs) == 3 and (S.pairs.ceiling > 0).all() and set(S.agreement['first']) == {'ann', 'ben'}
    zero = S.agreement[S.agreement.r == 0]
    assert_allclose(zero.gap_low, zero.gap_low.iloc[0], atol=1e-3)
    assert_allclose(zero.gap_low.iloc[0], S.error.gap_low[0.], atol=5e-3)

def test_an_evaluation_is_enough():
    e = evaluate(W.z, A, names=RATES.names, n_resamples=20, progress=False)
    s = sensitivity(e)
    assert_allclose(s.error.gap_low, S.error.gap_low, atol=5e-3)
    assert len(s.curve) == e.settings['n_bins']

def test_order_of_rows_and_missing_votes():
    order = np.random.default_rng(2).permutation(1500)
    again = sensitivity(W.z[order], A[order], dawid_skene(A[order], names=RATES.names))
    assert_allclose(again.error, S.error, atol=1e-4)
    holes = np.where(np.random.default_rng(3).random(A.shape) < .3, np.nan, A)
    with warnings.catch_warnings(action='ignore'):
        some = ~np.isnan(holes).all(1)
        s = sensitivity(W.z[some], holes[some], dawid_skene(holes[some]))
    assert np.isfinite(s.error).all(axis=None)

def test_two_annotators_with_score_groups():
    s = sensitivity(W.z, A[:, :2], joint_em(W.z, A[:, :2], groups=4))
    assert np.isfinite(s.error).all(axis=None)

def test_crowd():
    rng = np.random.default_rng(4)
    i = np.repeat(np.arange(1500), 4)
    j = np.concatenate([rng.choice(40, 4, replace=False) for _ in range(1500)])
    says = rng.random(6000) < np.where(W.y[i] == 1, .8, .2)
    crowd = Votes(i, j, says * 1., tuple(range(1500)), tuple(range(40)))
    s = sensitivity(W.z, crowd, dawid_skene(crowd))
    assert 'too many ways' in s.note and np.isfinite(s.error).all(axis=None)

def test_shown_and_drawn():
    assert 'Miscalibration' in repr(S) and '<table' in S._repr_html_()
    assert S.plot().get_xlabel()
    calm = toy(800, 'calibrated', rng=0)
    votes = RATES.sample(calm.y, rng=5)
    assert 'not shown' in sensitivity(calm.z, votes, dawid_skene(votes)).sentence()

@pytest.mark.parametrize('call, says', [
    (lambda: sensitivity(W.z), 'give an Evaluation'),
    (lambda: sensitivity(W.z, A), 'give an Evaluation'),
    (lambda: sensitivity(W.z[:-1], A, FIT), 'same length'),
    (lambda: sensitivity(W.z, A, FIT, d=[-.1]), 'between 0 and 1'),
    (lambda: sensitivity(W.z, A, FIT, level=1.), 'level'),
    (lambda: sensitivity(W.z[:900], A[:900], FIT), 'other votes'),
    (lambda: sensitivity(W.z, A, dawid_skene(A, sample_weight=np.arange(1., 1501))), 'sample weights')])
def test_refusals(call, says):
    with pytest.raises((ValueError, TypeError), match=says): call()
