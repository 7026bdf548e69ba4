"""Model checks beyond their chapter: panels with holes, reversed and idle members, and the words of verdicts."""
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calib_nb import Channels, dawid_skene, joint_em, pair_test, toy
from calib_nb.modelcheck import check_table

WORLD = toy(4000, 'calibrated', rng=0)

def panel(K=5, share=0., seed=0):
    "The third copies the second on a share of the items."
    r = np.random.default_rng(seed)
    A = Channels(np.linspace(.1, .2, K), np.linspace(.9, .8, K)).sample(WORLD.y, rng=r)
    A[:, 2] = np.where(r.random(len(A)) < share, A[:, 1], A[:, 2])
    return A

def first(A): return tuple(pair_test(dawid_skene(A)).loc[0, ['first', 'second']])
SHARED = panel(share=.4)
PAIR = 'annotator 1', 'annotator 2'

def test_honest_panels_have_no_pair():
    assert min(pair_test(dawid_skene(panel(K))).pvalue[0] for K in (4, 5, 8)) > .001

def test_pair_is_found_with_holes_and_by_name():
    assert first(SHARED) == PAIR
    holes = np.where(np.random.default_rng(1).random(SHARED.shape) < .4, np.nan, SHARED)
    assert first(holes) == PAIR
    assert pair_test(dawid_skene(holes)).n.max() < 2000
    assert tuple(pair_test(dawid_skene(SHARED, names=list('abcde'))).loc[0, ['first', 'second']]) == ('b', 'c')

def test_reversed_members_count_the_other_way():
    turned = abs(SHARED - [0, 0, 0, 0, 1])
    with pytest.warns(UserWarning): fit = dawid_skene(turned)
    assert_allclose(pair_test(fit).factor, pair_test(dawid_skene(SHARED)).factor, rtol=1e-8)

def test_idle_members_are_left_out():
    idle = np.c_[SHARED, np.random.default_rng(2).random(4000) < .5]
    assert_allclose(pair_test(dawid_skene(idle)).z, pair_test(dawid_skene(SHARED)).z, rtol=1e-8)
    assert pair_test(dawid_skene(idle[:, [0, 1, 3, 5]])) is None
    rows = dawid_skene(idle[:, [0, 1, 3, 5]]).checks().set_index('check')
    assert rows.value['shared errors by triples'] == 'not testable'

def test_groups_do_not_matter():
    assert_allclose(pair_test(joint_em(WORLD.z, SHARED)).z, pair_test(dawid_skene(SHARED)).z, rtol=1e-8)

@pytest.mark.parametrize('K', (3, 17))
def test_only_for_panels_of_four_and_more(K):
    fit = dawid_skene(panel(K))
    assert pair_test(fit) is None and 'shared errors by triples' not in set(fit.checks().check)

def test_verdicts_name_every_cause():
    t = check_table(dawid_skene(SHARED)).set_index('check')
    for check, words in (('pattern fit', ('share errors', 'score', 'hard')), ('shared errors by triples', ('SHARE',))):
        assert re.match('[A-Z]{3}', t.verdict[check]) and all(w in t.verdict[check] for w in words)
    four = check_table(dawid_skene(SHARED[:, :4])).set_index('check')
    assert 'annotator 0 and annotator 3, or annotator 1 and annotator 2' in four.value['shared errors by triples']

# sample weights

WEIGHT = np.where(WORLD.z > .7, 1., 10.)

def test_checks_with_equal_weights():
    plain, equal = (dawid_skene(SHARED, sample_weight=w).checks().set_index('check') for w in (None, np.full(4000, 3)))
    assert (plain.verdict == equal.verdict).all()
    assert_allclose(pair_test(dawid_skene(SHARED, sample_weight=np.full(4000, 3))).z, pair_test(dawid_skene(SHARED)).z, rtol=1e-8)

def test_pair_is_found_with_weights():
    fit = dawid_skene(SHARED, sample_weight=WEIGHT)
    found = pair_test(fit)
    assert tuple(found.loc[0, ['first', 'second']]) == PAIR and found.n[0] == 4000
    assert 'TWO SHARE ERRORS' in fit.checks().set_index('check').verdict['shared errors by triples']

def test_thin_patterns_are_not_tested_with_weights():
    fit = dawid_skene(panel()[:400], sample_weight=WEIGHT[:400])
    rows = fit.checks().set_index('check')
    assert rows.value['pattern fit'] == 'not testable' and 'sample weights' in rows.verdict['pattern fit']
    assert 'residual correlation' in rows.index
    three = dawid_skene(panel(3), sample_weight=WEIGHT).checks().set_index('check')
    assert 'as many parameters' in three.verdict['pattern fit']
