"""Planning: how widths and powers move, and what is refused."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from calib_nb import Channels, dawid_skene, evaluate, gold_inclusion, plan, toy

Z = toy(1000, 'calibrated', rng=0).z
RATES = Channels([.2] * 3, [.8] * 3)

def test_more_of_anything_narrows():
    t = plan(Z, RATES, n=[500, 2000], votes=[3, 5], gold=[0, 200]).table
    wide = t.set_index(['n', 'votes', 'gold']).gap_half_width
    assert wide[500, 3, 0] > wide[2000, 3, 0] and wide[2000, 3, 0] > wide[2000, 5, 0] and wide[500, 3, 200] < wide[500, 3, 0]
    assert_allclose(wide[500, 3, 0], 2 * wide[2000, 3, 0])
    assert (t.power.between(0, 1) & t.power_ranks.between(0, 1)).all()

def test_known_rates_are_worth_something():
    known, fitted = (plan(Z, RATES, n=1000, known=k).table.iloc[0] for k in (True, False))
    assert known.gap_half_width < fitted.gap_half_width and known.power > fitted.power
    assert len(plan(Z, RATES, n=1000, votes=[1, 2, 3], known=True).table) == 3

def test_perfect_annotators_are_labels():
    row = plan(Z, Channels([1e-9] * 3, [1 - 1e-9] * 3), n=1000, known=True).table.iloc[0]
    assert_allclose(row.gap_half_width, 1.96 * np.sqrt((Z * (1 - Z)).mean() / 1000), rtol=.01)

def test_level_of_the_tests():
    t = plan(Z, RATES, n=[500, 5000], off=0.).table
    assert t.power.between(.03, .07).all() and t.power_ranks.between(.03, .07).all()

def test_needed():
    p = plan(Z, RATES)
    n = p.needed(3, width=.02)
    width = plan(Z, RATES, n=[int(n * .97), n]).table.gap_half_width
    assert width[1] <= .02 < width[0]
    assert p.needed(3, power=.8) > p.needed(5, power=.8)
    assert p.needed(3, 200, width=.001) is None
    with pytest.raises(ValueError, match='either'): p.needed(3)
    with pytest.raises(ValueError, match='either'): p.needed(3, width=.1, power=.8)

def test_from_an_evaluation_and_a_fit():
    w = toy(800, 'shifted', rng=1)
    A = RATES.sample(w.y, rng=2)
    e = evaluate(w.z, A, n_resamples=20, progress=False)
    assert_allclose(plan(e, n=500).table.power, plan(w.z, dawid_skene(A), n=500).table.power, atol=.02)
    low, high = e.mean_gap.confidence_interval()
    assert .6 < plan(e, n=800).table.gap_half_width[0] / ((high - low) / 2) < 1.4

def test_truth_may_be_given():
    t = plan(Z, RATES, n=2000, truth=lambda s: .5 + .6 * (s - .5)).table
    assert t.power[0] > .5

def test_shown():
    p = plan(Z, RATES, n=[500, 1000])
    assert 'gap_half_width' in repr(p) and '<table' in p._repr_html_() and p.plot('power').get_ylabel()

def test_inclusion():
    V = np.r_[np.full(90, .01), np.full(10, .5)]
    p = gold_inclusion(10, V)
    assert_allclose(p.sum(), 10, rtol=1e-6)
    assert p[-1] > 4 * p[0] and p.min() >= .3 * .1 - 1e-9 and p.max() <= 1
    assert_allclose(gold_inclusion(100, V), 1)
    assert_allclose(gold_inclusion(5, np.zeros(10)), .5)

@pytest.mark.parametrize('call, says', [
    (lambda: plan(Z), 'Evaluation'),
    (lambda: plan(Z, RATES, votes=2), 'at least 3'),
    (lambda: plan(Z, RATES, votes=11), 'at most 10'),
    (lambda: plan(Z, RATES, n=0), 'n must be'),
    (lambda: plan(Z, Channels([.2, np.nan, .2], [.8, np.nan, .8])), 'gap'),
    (lambda: plan(Z, RATES, level=2), 'level'),
    (lambda: gold_inclusion(0, Z), 'above 0'),
    (lambda: gold_inclusion(10, Z, floor=0), 'floor')])
def test_refusals(call, says):
    with pytest.raises((ValueError, TypeError), match=says): call()
