"""Error rates from votes: what is refused, what does not matter, and which chapter may use which."""
import ast, re, warnings
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from folders import ROOT, notebooks
from numpy.testing import assert_allclose

import calib_nb
from calib_nb import (Channels, IdentificationError, Votes, corrected_labels, dawid_skene, evaluate, gmm, group_fits, hui_walter,
    joint_em, nc_ece, sharing_test, third_moments, toy, weights)
from calib_nb.core import Bins
from calib_nb.fits import AnnotatorModel, Marginal, ScoreGroups, annotator_model, fit_channels, orientation
from calib_nb.likelihood import climb, em, pattern_table
from calib_nb.modelcheck import check_table, fit_test
from calib_nb.precision import covariance, free_rates, influence, inverse_information, refit
from calib_nb.recalibrate import recalibration_workflow
from calib_nb.targets import vote_targets

WORLD = toy(3000, 'calibrated', rng=0)
A, Z, Y = WORLD.A, WORLD.z, WORLD.y
BASE = dawid_skene(A)

def rates(fit): return np.r_[fit.channels.a, fit.channels.b, fit.mu]

def crowd(n=400, K=40, m=8, seed=0):
    "m votes on each of n items, by K annotators"
    rng = np.random.default_rng(seed)
    item, who = np.repeat(np.arange(n), m), np.argsort(rng.random((n, K)), axis=1)[:, :m].ravel()
    y, a, b = rng.random(n) < .4, rng.uniform(.05, .3, K), rng.uniform(.7, .95, K)
    return Votes(item, who, (rng.random(n * m) < np.where(y[item], b[who], a[who])) * 1., tuple(range(n)), tuple(range(K)))

# the layers

LAYERS = 'likelihood', 'precision', 'modelcheck', 'fits', 'moments', 'identify'

@pytest.mark.parametrize('name', LAYERS)
def test_imports_lead_down(name):
    "No module imports from its own or a later chapter, not in functions either, and none takes a private name"
    number = {re.sub(r'^\d+_', '', p.stem): p.stem for p in notebooks() if p.stem[0].isdigit()}
    tree = ast.parse((ROOT/f'calib_nb/{name}.py').read_text(encoding='utf-8'))
    assert 'import_module' not in {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom): continue
        module = (node.module or '').removeprefix('calib_nb.')
        if not node.level and module == node.module: continue     # not ours
        assert number[module] < number[name]
        assert not [a.name for a in node.names if a.name.startswith('_')]

def test_identify_hands_on():
    from calib_nb import identify, fits, moments
    for name in ('ChannelFit', 'IdentificationError', 'dawid_skene', 'joint_em'): assert getattr(identify, name) is getattr(fits, name)
    for name in ('hui_walter', 'gmm', 'third_moments'): assert getattr(identify, name) is getattr(moments, name)

# models

def test_words_for_models():
    assert [annotator_model('auto', 5, K).name for K in (2, 3, 40)] == ['joint', 'marginal', 'marginal']
    assert annotator_model('joint', [0, .3, 1], 9).groups.n == 2
    with pytest.raises(ValueError, match='method'): annotator_model('jont', 5, 3)

def test_shorthands_name_a_model():
    assert BASE.model.name == 'marginal' and BASE.groups is None
    joint = joint_em(Z, A, groups=4)
    assert joint.model.name == 'joint' and joint.groups.n == 4
    assert_allclose(rates(fit_channels(ScoreGroups(joint.groups), A, Z)), rates(joint), rtol=1e-12)
    assert_allclose(rates(fit_channels(Marginal(), A)), rates(BASE), rtol=1e-12)

def test_another_model_is_one_class():
    class Halves(AnnotatorModel):
        "The first and the second half of the scores."
        name, needs_scores, groups = 'halves', True, Bins([0, .5, 1])
    fit = fit_channels(Halves(), A, Z)
    assert fit.group_mu[0] < fit.group_mu[1] and fit.groups.n == 2
    assert_allclose(rates(fit), rates(joint_em(Z, A, groups=[0, .5, 1])), atol=1e-4)
    assert 'group separation' not in set(fit.checks().check)

def test_scores_are_needed_for_groups():
    joint = joint_em(Z, A, groups=2)
    with pytest.raises(ValueError, match='z is needed'): joint.posterior(A)
    assert joint.posterior(A, Z).shape == (3000,)

# what does not matter

@pytest.mark.parametrize('same', [A[::-1], A.astype(bool), A.astype(np.int8), A.tolist(), np.asfortranarray(A),
                                  pd.DataFrame(A).sample(frac=1, random_state=0)],
                         ids=['rows reversed', 'bool', 'int8', 'list', 'Fortran', 'shuffled pandas'])
def test_form_of_votes(same): assert_allclose(rates(dawid_skene(same)), rates(BASE), rtol=1e-9)

def test_order_of_annotators():
    turned = dawid_skene(A[:, [2, 0, 1]])
    assert_allclose(turned.channels.b, BASE.channels.b[[2, 0, 1]], rtol=1e-4)

def test_column_without_votes():
    hole = np.c_[A, np.full(3000, np.nan)]
    fit = dawid_skene(hole)
    assert fit.n_votes[3] == 0 and np.isnan(fit.channels.a[3])
    assert_allclose(fit.posterior(hole), BASE.posterior(A), rtol=1e-4)
    assert 'annotators without votes' in set(fit.checks().check)

def test_sparse_votes():
    i, j = np.indices(A.shape).reshape(2, -1)
    sparse = Votes(i, j, A.ravel(), tuple(range(3000)), ('ann', 'ben', 'cleo'))
    fit = dawid_skene(sparse)
    assert fit.channels.names == ('ann', 'ben', 'cleo')
    assert_allclose(rates(fit), rates(BASE), atol=1e-5)

def test_rare_label():
    fit = dawid_skene(WORLD.channels.sample(np.arange(3000) < 20, rng=3))
    assert np.isfinite(np.r_[rates(fit), fit.loglik]).all()

def test_item_without_votes():
    hole = np.vstack([A, np.full(3, np.nan)])
    with pytest.warns(UserWarning, match='1 of 3001 items have no vote'): fit = dawid_skene(hole)
    assert_allclose(rates(fit), rates(BASE), rtol=1e-9)
    assert np.isnan(BASE.posterior(hole)).sum() == 1

def test_warning_is_of_the_caller():
    with pytest.warns(UserWarning, match='no vote') as said: dawid_skene(np.vstack([A, np.full(3, np.nan)]))
    assert said[0].filename == __file__

# gold, priors, starts, orientation

def test_gold_items():
    gold = np.where(np.arange(3000) < 30, Y, np.nan)
    by_array, by_dict = dawid_skene(A, gold=gold), dawid_skene(A, gold={i: Y[i] for i in range(30)})
    assert_allclose(rates(by_array), rates(by_dict), rtol=1e-12)
    assert by_array.posterior(A)[:30].tolist() == Y[:30].tolist()         # its own items keep their labels
    assert by_array.orient == 'gold items' and fit_test(by_array) is None

def test_all_labels_known():
    fit = dawid_skene(A, gold=Y)
    assert_allclose(fit.channels.a, A[Y == 0].mean(0), rtol=1e-6)
    assert_allclose(fit.mu, Y.mean(), rtol=1e-6)

def test_warm_start():
    again = dawid_skene(A, start=BASE)
    assert_allclose(rates(again), rates(BASE), atol=1e-5)
    assert len(again.starts) == 1 and again.n_iter < BASE.n_iter
    two = joint_em(Z, A[:, :2], names=['annotator 0', 'dora'], start=BASE)   # one is known, one is new
    assert_allclose(rates(two), rates(joint_em(Z, A[:, :2])), atol=1e-3)

@pytest.mark.parametrize('orient, words', [(None, 'the vote-weighted mean'), (2, 'annotator 2'), ('annotator 1', 'annotator 1'),
                                           ('mean', 'the vote-weighted mean')])
def test_orientation(orient, words):
    assert dawid_skene(A, orient=orient).orient == words

def test_orientation_turns():
    lead = orientation('mean', pattern_table(A))
    a, b, mu = lead.turn(np.array([[.9, .8, .7]]), np.array([[.1, .2, .6]]), np.array([[.3]]))
    assert_allclose(np.c_[a, b, mu], [[.1, .2, .6, .9, .8, .7, .7]])

def test_crowds_start_from_soft_votes():
    votes = crowd()
    fit = dawid_skene(votes, prior=(2, 1))
    assert fit.orient == 'the vote-weighted mean' and 1 <= (~np.isnan(fit.starts)).sum() <= 2
    assert (fit.posterior(votes) >= 0).all()

def test_runs_side_by_side():
    t = pattern_table(A)
    both = em(t.ones, t.zeros, t.counts[None], ([[.2] * 3, [.1] * 3], [[.8] * 3, [.7] * 3], [[.5], [.3]]))
    one = em(t.ones, t.zeros, t.counts[None], ([[.1] * 3], [[.7] * 3], [[.3]]))
    assert_allclose(both.a[1], one.a[0], rtol=1e-9)
    assert both.n_iter[1] == one.n_iter[0] and both.converged.all()

# members who say nothing, and members who say the opposite

COIN = np.random.default_rng(1).random(3000) < .5
ALONE = np.random.default_rng(2).random(3000) < .1
LONELY = np.c_[np.where(ALONE[:, None], np.nan, A), COIN]          # on a tenth of the items only the coin votes
NEWCOMER = np.where(np.arange(3000) == 7, 1., np.nan)

@pytest.mark.parametrize('new, why', [(COIN, 'gap'), (np.ones(3000), 'always 1'), (np.zeros(3000), 'always 0'),
                                      (NEWCOMER, '1 vote'), (np.where(np.arange(3000) < 3, Y, np.nan), '3 votes')])
@pytest.mark.parametrize('place', [0, 3])
def test_silent_members(new, why, place):
    fit = dawid_skene(np.insert(A, place, new, axis=1))
    assert f'annotator {place} ({why}' in fit.notes[0] and fit.notes[0] in str(fit) and 'held at a = b' in fit._repr_html_()
    assert fit.channels.delta[place] == 0 and fit.admissible
    assert 'annotators without weight' in set(fit.checks().check)
    for kind in ('iv', 'gap', 'squared_gap', 'equal'): assert weights(fit, kind=kind)[place] == 0
    assert_allclose(np.delete(fit.channels.b, place), BASE.channels.b, atol=1e-4)
    assert free_rates(fit) == 7 and np.isnan(fit.stderr()['gap'][place])

def test_items_of_silent_members_have_no_target():
    fit = dawid_skene(LONELY)
    with pytest.warns(UserWarning, match='no usable vote'): u = corrected_labels(LONELY, fit)
    assert (np.isnan(u) == ALONE).all() and np.nanmax(abs(u)) < 5
    for kind in ('iv', 'equal'):
        e = evaluate(Z, LONELY, weights=kind, n_resamples=50, progress=False)
        assert e.nc_ece.n == (~ALONE).sum() and e.nc_ece.stderr < .02

def test_silent_members_stay_silent_in_refits():
    fit = dawid_skene(np.c_[A, COIN])
    again = refit(fit, np.stack([fit.table.counts] * 2))
    assert (again['a'][:, 3] == again['b'][:, 3]).all()
    assert_allclose(again['a'][0], fit.channels.a, atol=1e-5)

def test_crowds_hold_small_gaps():
    votes = crowd()
    fit = dawid_skene(replace(votes, label=np.where(votes.annotator == 3, votes.item % 2, votes.label)))
    assert (abs(fit.channels.delta[fit.channels.delta != 0]) >= .04).all()

def test_adversary():
    turned = np.c_[1 - A[:, 0], A[:, 1:], A[:, 0]]
    turned[::3, 3] = 1 - turned[::3, 3]
    with pytest.warns(UserWarning, match=r'annotator 0 \(gap -0.* would answer the opposite'): fit = dawid_skene(turned)
    assert fit.channels.delta[0] < 0 and fit.orient == 'the vote-weighted mean'
    assert ((fit.posterior(turned) > .5) == Y).mean() > .85
    assert 'reversed annotators' in set(fit.checks().check)
    assert abs(nc_ece(Z, turned, fit) - nc_ece(Z, A, BASE)) < .02

@pytest.mark.parametrize('again, words', [(A[:, 1], 'the same answer'), (1 - A[:, 1], 'opposite answers'),
                                          (np.where(np.arange(3000) % 200, A[:, 1], 1 - A[:, 1]), 'the same answer')])
def test_twins_are_named(again, words):
    with pytest.warns(UserWarning) as said: fit = dawid_skene(np.c_[A, again])
    assert any(f'annotator 1 and annotator 3 give {words}' in str(w.message) for w in said)
    assert said[0].filename == __file__ and any('twice' in note for note in fit.notes)

def test_covariance_is_computed_once():
    assert covariance(BASE) is covariance(BASE)

# weak annotators

def test_climb_reaches_the_optimum():
    t = pattern_table(A)
    *top, _ = climb(t, (np.full(3, .3), np.full(3, .6), np.array([.5])))
    assert_allclose(np.concatenate(top), rates(BASE), atol=1e-4)

@pytest.mark.parametrize('plain', [0, 5, 10**6])
def test_leaps_end_where_steps_end(plain):
    t = pattern_table(A)
    ends = em(t.ones, t.zeros, t.counts[None], ([[.2] * 3], [[.8] * 3], [[.5]]), plain=plain, tol=1e-13)
    assert ends.converged.all()
    assert_allclose(np.r_[ends.a[0], ends.b[0], ends.mu[0]], rates(BASE), atol=1e-4)

# priors

def test_words_for_priors():
    votes = crowd()
    own, none = dawid_skene(votes), dawid_skene(votes, prior='none')
    assert none.prior == (0, 0) and abs(sum(own.prior) - 1) < 1e-9 and own.prior[0] > .75
    assert "prior 'crowd'" in str(own) and "prior 'crowd'" not in str(none)
    assert_allclose(rates(dawid_skene(votes, prior=own.prior)), rates(own), atol=1e-9)
    assert BASE.prior == (0, 0) and abs(sum(dawid_skene(A, prior='crowd').prior) - 1) < 1e-9
    with pytest.raises(ValueError, match='prior'): dawid_skene(A, prior='mob')

def test_no_start_comes_back():
    "Votes that are nearly all 1: each setting is refused, or both labels hold an item or more."
    for n, K, share in product((20, 50), (17, 40, 80), (.005, .02, .05, .2)):
        votes = (np.random.default_rng([n, K, int(1000 * share)]).random((n, K)) > share) * 1.
        for prior in (None, 'none'):
            try: post = dawid_skene(votes, prior=prior, n_starts=4).posterior(votes)
            except IdentificationError: continue
            assert min(post.sum(), n - post.sum()) > .99

# sample weights

SEVENS, TENS = np.full(3000, 7.), np.where(Z > .7, 1., 10.)
HOLES = np.where(np.random.default_rng(5).random(A.shape) < .2, np.nan, A)
HOLES[0] = np.nan

def fits(z, v, w, **more):
    "Fits of every kind to the same items."
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        return [dawid_skene(v, sample_weight=w), dawid_skene(v, sample_weight=w, prior=(2, 1)),
                joint_em(z, v, groups=3, sample_weight=w), joint_em(z, v[:, :2], groups=3, sample_weight=w),
                dawid_skene(v, sample_weight=w, **more)]

def test_equal_weights_are_none():
    gold = np.where(np.arange(3000) < 50, Y, np.nan)
    for one, other in zip(fits(Z, HOLES, SEVENS, gold=gold), fits(Z, HOLES, None, gold=gold)):
        assert_allclose(rates(one), rates(other), rtol=1e-8)
        assert one.n == other.n and (one.n_votes == other.n_votes).all() and one.prior == other.prior
        assert_allclose(one.stderr()['b'], other.stderr()['b'], rtol=.15)
        assert_allclose(one.loglik, other.loglik, rtol=1e-10)

def test_weight_zero_drops_an_item():
    keep = np.arange(3000) % 3 > 0
    for one, other in zip(fits(Z, HOLES, TENS * keep), fits(Z[keep], HOLES[keep], TENS[keep])):
        assert_allclose(rates(one), rates(other), rtol=1e-7)
        assert_allclose(one.stderr()['mu'], other.stderr()['mu'], rtol=1e-5)
        assert one.n == other.n and (one.n_votes == other.n_votes).all()

def test_weights_are_those_of_whole_rows():
    k, many = TENS.astype(int), np.repeat(np.arange(3000), TENS.astype(int))
    for one, other in zip(fits(Z, HOLES, k)[:4:2], fits(Z[many], HOLES[many], None)[:4:2]):
        assert_allclose(rates(one), rates(other), atol=1e-5)
        assert (one.stderr()['a'] > 1.5 * other.stderr()['a']).all()

def test_weights_of_items_by_name():
    votes = crowd(K=20)
    w = np.random.default_rng(0).choice([1., 5.], votes.n_items)
    by_row, by_name = dawid_skene(votes.dense(), sample_weight=w), dawid_skene(votes, sample_weight=pd.Series(w))
    assert_allclose(rates(by_row), rates(by_name), rtol=1e-8)
    assert 'tell about as much as' in by_name.notes[1] and not any('weights' in n for n in dawid_skene(votes).notes)

def test_sandwich_of_a_crowd():
    votes = crowd()
    fit = dawid_skene(votes, sample_weight=np.random.default_rng(0).choice([1., 5.], votes.n_items))
    t, own = fit.table, influence(fit, np.eye(81))[0]
    assert_allclose(covariance(fit), (own.T * t.squares[0]) @ own, atol=1e-10)
    assert covariance(fit) is covariance(fit) and inverse_information(fit) is not covariance(fit)

def test_silent_member_with_weights():
    fit = dawid_skene(np.c_[A, COIN], sample_weight=TENS)
    s, draws = fit.stderr(), fit.bootstrap(1000, rng=0, progress=False)
    assert_allclose(fit.channels.a[3], np.average(COIN, weights=TENS), rtol=1e-6)
    assert_allclose(draws['a'].std(0) / s['a'], 1, atol=.12)
    assert np.isnan(s['gap'][3])

def test_targets_drawn_again_take_weights_along():
    fit = dawid_skene(A, sample_weight=TENS)
    i = np.random.default_rng(0).integers(0, 3000, 3000)
    u = vote_targets(A, fit, weights='equal').resampled(i).u
    assert_allclose(u, corrected_labels(A[i], dawid_skene(A[i], sample_weight=TENS[i]), weights='equal'), atol=1e-3)

def test_exact_null_refuses_weights():
    null = vote_targets(A, dawid_skene(A, sample_weight=TENS)).null(Z)
    with pytest.raises(ValueError, match='does not go with sample weights'): null.draw(1, np.random.default_rng(0))

def test_maps_by_fits_with_equal_weights():
    plain, equal = (recalibration_workflow(Z, HOLES, channels=fits(Z, HOLES, w)[0], rng=0) for w in (None, SEVENS))
    assert_allclose([equal.gain.value, equal.gain.stderr], [plain.gain.value, plain.gain.stderr], rtol=1e-5)

@pytest.mark.parametrize('seed', range(3))
def test_flat_groups_are_flat_with_weights(seed):
    g = np.random.default_rng(seed)
    flat = g.random(3000)
    with pytest.raises(IdentificationError, match='do not differ between them'):
        joint_em(flat, A[:, :2], sample_weight=np.where(flat > .5, 1., 30.))

# what is refused

SMALL = A[:100]
two_votes = np.where(np.arange(3) == np.arange(100)[:, None] % 3, np.nan, SMALL)

@pytest.mark.parametrize('fit, why', [
    (lambda: dawid_skene(SMALL[:, :1]), 'one annotator does not identify any error rate'),
    (lambda: dawid_skene(SMALL[:, :2]), 'two annotators without scores do not identify their error rates'),
    (lambda: dawid_skene(np.ones((50, 3))), 'every vote is 1'),
    (lambda: dawid_skene(np.zeros((50, 3))), 'every vote is 0'),
    (lambda: dawid_skene(two_votes), 'no item has more than 2 votes'),
    (lambda: dawid_skene(SMALL, max_iter=5), 'none of 10 starts converged in 5 iterations'),
    (lambda: joint_em(Z[:100], SMALL[:, :1]), 'one annotator does not identify any error rate'),
    (lambda: joint_em(np.random.default_rng(0).random(3000), A[:, :2]), 'the votes do not differ between them'),
    (lambda: joint_em([.5] * 3000, A[:, :2]), 'the scores say too little'),
    (lambda: dawid_skene(np.c_[1 - A[:, :2], A[:, 2]], orient=2), 'where annotator 2 is taken to be better than chance'),
    (lambda: dawid_skene(np.c_[A[:, :2], COIN]), 'nothing shows that the votes of annotator 2 tell the labels apart'),
    (lambda: dawid_skene(np.c_[A[:, :2], 1 - A[:, :2]]), 'neither side outweighs the other'),
    (lambda: dawid_skene((np.random.default_rng(0).random((30, 80)) > .01) * 1.), 'next to no item has label 0'),
    (lambda: group_fits([.1, .2, .9], [[1, 0, 1]] * 3, groups=2), 'score group 0, 2 items'),
    (lambda: hui_walter([.5] * 3000, A[:, :2]), 'two score groups that hold items'),
    (lambda: gmm(Z, np.c_[A[:, 0], 1 - A[:, 1]]), 'would answer no better than chance'),
], ids=lambda v: v if isinstance(v, str) else '')
def test_not_identified(fit, why):
    with pytest.raises(IdentificationError, match=re.escape(why)): fit()

@pytest.mark.parametrize('fit, why', [
    (lambda: dawid_skene(SMALL + .5), '0, 1'),
    (lambda: dawid_skene(SMALL, orient='dora'), 'orient must'),
    (lambda: dawid_skene(SMALL, orient=3), 'orient must'),
    (lambda: dawid_skene(SMALL, prior=(1, -1)), 'prior must be'),
    (lambda: dawid_skene(SMALL, n_starts=0), 'n_starts'),
    (lambda: dawid_skene(SMALL, gold={500: 1}), 'gold must name items of A'),
    (lambda: dawid_skene(SMALL, gold=np.full(100, .5)), 'gold must hold only 0 and 1'),
    (lambda: dawid_skene(SMALL, gold=np.full(99, 1.)), 'gold and A must have the same length'),
    (lambda: joint_em(Z[:50], SMALL), 'same length'),
    (lambda: dawid_skene(SMALL, sample_weight=np.ones(99)), 'A and sample_weight must have the same length; found 100 and 99'),
    (lambda: dawid_skene(SMALL, sample_weight=2), 'same length; found 100 and 1'),
    (lambda: dawid_skene(SMALL, sample_weight=np.r_[-1, np.ones(99)]), 'sample_weight must not be negative'),
    (lambda: dawid_skene(SMALL, sample_weight=np.r_[np.nan, np.ones(99)]), 'sample_weight must be finite'),
    (lambda: dawid_skene(SMALL, sample_weight=np.zeros(100)), 'sample_weight must not be all zero'),
    (lambda: joint_em(Z[:100], SMALL, sample_weight=np.ones((100, 1))), 'sample_weight must have shape (n,)'),
    (lambda: dawid_skene(np.r_[SMALL, [[np.nan] * 3]], sample_weight=np.arange(101) == 100), '0 for every item that has a vote'),
    (lambda: nc_ece(Z, A, BASE, sample_weight=np.ones(5)), 'sample_weight and z must have the same length'),
    (lambda: joint_em(Z[:100] * 2, SMALL), 'z must lie in [0, 1]'),
    (lambda: BASE.posterior(A[:, :2]), 'A must have a column for each of the 3 channels'),
    (lambda: third_moments(np.c_[A, A]), 'three annotators'),
    (lambda: hui_walter(Z, A), 'two annotators'),
    (lambda: sharing_test(Z, A, groups=1), 'two score groups'),
], ids=lambda v: v if isinstance(v, str) else '')
def test_bad_input(fit, why):
    with pytest.raises(ValueError, match=re.escape(why)): fit()

def test_fallback_is_flagged():
    with pytest.warns(UserWarning, match='none of 10 starts converged'): loose = dawid_skene(SMALL, max_iter=5, fallback=True)
    assert not loose.converged and 'NOT CONVERGED' in str(loose)
    assert check_table(loose).verdict.str.contains('NOT converged').any()

def test_public_names_at_the_top():
    for name in ('dawid_skene', 'joint_em', 'hui_walter', 'gmm', 'third_moments', 'group_fits', 'sharing_test', 'ChannelFit'):
        assert getattr(calib_nb, name)

def test_quiet_where_nothing_is_wrong():
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        dawid_skene(A); joint_em(Z, A); third_moments(A); hui_walter(Z, A[:, :2]); gmm(Z, A[:, :2])
