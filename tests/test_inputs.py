"""Scores, bins and the rank error on generated inputs; the chapters show the same properties on random ones."""
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from calib_nb.core import Bins, equal_mass, equal_width
from calib_nb.inputs import as_scores
from calib_nb.rank import rank_ece

quick = settings(max_examples=100, deadline=None)
unit = st.floats(0, 1)

@quick
@given(st.lists(st.one_of(unit, unit, st.floats()), min_size=1, max_size=6))
def test_scores_are_accepted_iff_in_range(z):
    unfit = [i for i, v in enumerate(z) if not np.isfinite(v)] or [i for i, v in enumerate(z) if not 0 <= v <= 1]
    if not unfit: return np.testing.assert_array_equal(as_scores(z), z)
    with pytest.raises(ValueError, match=rf'at position {unfit[0]} \('): as_scores(z)

def check_definition(z, bins):
    l = bins.assign(z)
    low, high = bins.edges[l], bins.edges[l + 1]
    assert (low <= z).all() and ((z < high) | (l == bins.n - 1)).all() and (z <= high).all()

@quick
@given(st.lists(unit, min_size=1, max_size=20), st.integers(1, 20_000), st.lists(st.floats(-.5, 1.5), max_size=8))
def test_each_score_lies_in_its_bin(z, M, inner):
    z, own = np.array(z), Bins(np.unique(np.r_[0., inner, 1.]))
    check_definition(z, equal_width(M))
    check_definition(np.r_[z, own.edges[(own.edges >= 0) & (own.edges <= 1)]], own)

def cut_by_hand(z, n):
    "The sizes of n bins, each cut where what is left over divides best"
    left_over, sizes = sorted(Counter(z).items()), []
    for r in range(min(n, len(left_over)), 0, -1):
        def mass(d): return sum(k for _, k in left_over[:d])
        def off(d): return abs(r * mass(d) - mass(None))
        d = min(range(1, len(left_over) - r + 2), key=lambda d: (off(d), d))
        sizes.append(mass(d))
        left_over = left_over[d:]
    return sizes

@quick
@given(st.lists(st.integers(0, 12), min_size=1, max_size=40), st.integers(1, 14), st.sampled_from([.1, 1/3, 7.]), st.randoms())
def test_equal_mass(twelfths, n, factor, random):
    z = np.array(twelfths) / 12
    bins = equal_mass(z, n)
    assert np.bincount(bins.assign(z), minlength=bins.n).tolist() == cut_by_hand(z, n)
    shuffled = z.copy()
    random.shuffle(shuffled)
    assert equal_mass(shuffled, n) == bins
    v, k = np.unique(z, return_counts=True)
    assert equal_mass(v, n, sample_weight=k) == equal_mass(v, n, sample_weight=k * factor) == bins

score = st.one_of(unit, st.sampled_from([0., .25, .5, .75, 1.]))

@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(score, st.integers(0, 1)), min_size=2, max_size=12), score, st.integers(0, 1))
def test_one_example_moves_the_rank_error_little(pairs, z, y):
    z0, y0 = np.array(pairs, float).T
    z1, y1 = np.r_[z, z0[1:]], np.r_[y, y0[1:]]
    assert abs(rank_ece(z0, y0) - rank_ece(z1, y1)) <= 2.25 / (len(z0) - 1) + 1e-12

def test_the_one_call_checks_scores_once():
    "Whoever takes scores in `evaluate` is handed `Scores`, but for the door"
    import sys
    from calib_nb.evaluation import evaluate
    from calib_nb.inputs import Scores
    from calib_nb.simulate import toy
    w, checked = toy(600, 'shifted', rng=0), []
    def watch(frame, event, arg):
        if event != 'call' or frame.f_code.co_name != 'as_scores': return
        z = frame.f_locals['z']
        if not isinstance(z, Scores) and len(z) > 500: checked.append(frame.f_back.f_code.co_name)
    before = sys.getprofile()
    sys.setprofile(watch)
    try: evaluate(w.z, w.A, n_resamples=20, progress=False)
    finally: sys.setprofile(before)
    assert checked == ['as_panel']
