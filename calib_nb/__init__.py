"""Calibration of probabilistic classifiers, with clean labels or with several unreliable ones.

Every public name can be taken from here, `from calib_nb import ece`; its module is imported when it is first asked for.
"""
__version__ = "0.1.0"

from importlib import import_module as _import

_table = dict( # module -> its public names
    votes='Votes',
    core='Bins equal_width equal_mass Estimate HypothesisTest',
    metrics='ece reliability top_label classwise_ece brier log_loss bootstrap ece_interval canonical_error',
    plots='plot_reliability plot_channels plot_errors',
    channels='Channels weights corrected_labels nc_ece soft_vote majority_vote corrected_vote ece_bound '
             'recalibration_bound',
    modelcheck='fit_test pair_test residual_correlations',
    fits='ChannelFit IdentificationError dawid_skene joint_em',
    moments='hui_walter gmm third_moments MomentFit',
    identify='group_fits sharing_test',
    nulls='NullLaw label_null vote_null refitted_null monte_carlo',
    targets='Targets Labels VoteTargets FittedTargets vote_targets',
    rank_error='rank_ece rank_interval',
    rank='rank_test',
    compare='rank_certificate rank_sample_size rank_compare',
    kernel_tests='skce skce_test spiegelhalter hosmer_lemeshow',
    kernels='kernel_regression',
    bandwidth='select_bandwidth Bandwidth plot_criterion',
    kde='kde_error KDEError kde_interval kde_test smooth_curve',
    krr='krr_error krr_pairs KRRError',
    anchored='anchored_labels AnchoredTargets anchored_square model_test ModelComparison',
    assumptions='sensitivity Sensitivity',
    planning='plan Plan gold_inclusion',
    maps='Temperature Platt Histogram Isotonic BetaMap JointMap Identity map_from_json recalibration_map',
    recalibrate='Recalibrated OneVsRest recalibration_workflow Workflow fit_candidates candidate_errors plot_maps',
    risk='corrected_loss histogram_risk HistogramRisk',
    simulate='World toy gaussian rank_world beta_world oscillation simplex',
    datasets='load_demo load_cifar10n load_crowd load_tabular load_logits load_lesions load_sentiment',
    protocols='protocol_ece',
    evaluation='evaluate Evaluation',
    report='write_report',
    experiments='Experiment run_experiment')
_module = {name: module for module, names in _table.items() for name in names.split()}
__all__ = list(_module)

def __getattr__(name):
    if name in _module: value = getattr(_import(f'{__name__}.{_module[name]}'), name)
    elif name in _table: value = _import(f'{__name__}.{name}')
    else: raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    globals()[name] = value # so that the next look-up does not come here
    return value

def __dir__(): return sorted({*globals(), *_table, *_module})
