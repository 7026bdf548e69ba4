"""Bandwidth search against the authors' code: `python benchmarks/kernels.py [--peer FOLDER] [--ece-kde FOLDER] [--only NAME ...] [--save CSV]`.

FOLDER is a clone of github.com/han678/KDE-Bandwidth-Learning, and of github.com/tpopordanoska/ece-kde. Both need torch, which is no
dependency of this project: without clone or torch only our own times are printed, and that is said. Every task runs in a process of its
own, on one thread unless OMP_NUM_THREADS says otherwise, so that its peak memory is its own.

Times are processor times. A whole search of the authors' takes up to forty minutes: their time is measured at a few bandwidths
and multiplied with the number of bandwidths (and classes) that their search goes through. Ours is measured as it is.

The last task, sizes, measures one bandwidth at several sample sizes, ours and theirs, and --save keeps it as a table.
"""
import argparse, csv, os, subprocess, sys, time
from pathlib import Path

for name in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'): os.environ.setdefault(name, '1')

import resource, warnings
import numpy as np
from calib_nb import kernel_regression, select_bandwidth
from calib_nb.bandwidth import candidate_grid
from calib_nb.simulate import simplex, toy

warnings.simplefilter('ignore')

def clock(f, repeats=1):
    "What `f` gives, and the least processor time of some runs"
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        res = f()
        best = min(best, time.process_time() - start)
    return res, best

def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

def at(h): return np.array2string(np.atleast_1d(h), precision=4, max_line_width=200)

def torch_of(folder, what):
    "torch on as many threads as we have, with the clone on the path; None, and a sentence, where either is missing"
    if folder is None: return print(f'  {what}: no clone given, skipped')
    if not Path(folder).is_dir(): return print(f'  {what}: {folder} is no folder, skipped')
    try: import torch
    except ImportError: return print(f'  {what}: torch is not importable here, skipped')
    sys.path.insert(0, str(folder))
    torch.set_num_threads(int(os.environ['OMP_NUM_THREADS']))
    return torch

def ratio(theirs, ours, words): print(f'  {words}: {theirs:.0f} s, {theirs / ours:.0f} times ours', flush=True)

def risk(torch, F, y, mode, h):
    "One step of the authors' search by risk alignment, without the outer loop"
    from kde.kde_estimators import get_risk_kde
    return get_risk_kde(torch.tensor(F, dtype=torch.float32), torch.tensor(y).long(), float(h), mode, 'l2', return_mean=False, return_matrix=True)

def binary(peer, ece):
    w = toy(20_000, 'shifted', rng=0)
    b, grid = clock(lambda: select_bandwidth(w.z, w.y), 3)
    c, coarse = clock(lambda: select_bandwidth(w.z, w.y, search='coarse'), 3)
    print(f'  ours: all 69 bandwidths {grid:.2f} s, search {coarse:.2f} s ({np.isfinite(c.criterion).sum()} of them); h {at(b.h)} and {at(c.h)}; peak memory {peak():.0f} MB')
    if (torch := torch_of(peer, "authors' code")) is None: return
    with torch.no_grad(): _, t = clock(lambda: [risk(torch, w.z[:, None], w.y, 'binary', h) for h in candidate_grid()[[20, 50]]])
    ratio(t / 2 * 69, grid, f"authors' search, 69 x {t / 2:.1f} s (measured at 2 bandwidths), against all of ours")
    ratio(t / 2 * 69, coarse, f'the same against our search')
    print(f'  peak memory with theirs {peak():.0f} MB')

def million(peer, ece):
    w = toy(1_000_000, 'shifted', rng=0)
    before = peak()
    c, t = clock(lambda: select_bandwidth(w.z, w.y, search='coarse'))
    b, g = clock(lambda: select_bandwidth(w.z, w.y))
    print(f'  ours: search {t:.1f} s, all 69 bandwidths {g:.1f} s; h {at(c.h)} and {at(b.h)}; peak memory {peak():.0f} MB (with the data alone {before:.0f} MB)')
    print("  authors' code: needs several arrays of n x n numbers, 4 TB each; not tried")

def classwise(peer, ece):
    w = simplex(10_000, 10, rng=0)
    c, t = clock(lambda: select_bandwidth(w.f, w.y, mode='classwise', search='coarse'), 2)
    b, g = clock(lambda: select_bandwidth(w.f, w.y, mode='classwise'))
    print(f'  ours: search {t:.2f} s, all 69 bandwidths {g:.2f} s; the same choice: {np.array_equal(b.h, c.h)}; peak memory {peak():.0f} MB\n  h {at(c.h)}')
    if (torch := torch_of(peer, "authors' code")) is None: return
    with torch.no_grad(): _, one = clock(lambda: [risk(torch, w.f[:, :1], w.y == 0, 'binary', h) for h in candidate_grid()[[20, 50]]])
    ratio(one / 2 * 690, t, f"authors' search, 10 x 69 x {one / 2:.2f} s (measured at 2 bandwidths of one class), against our search")
    ratio(one / 2 * 690, g, 'the same against all of ours')
    print(f'  peak memory with theirs {peak():.0f} MB')

def canonical(peer, ece):
    w = simplex(10_000, 10, rng=0)
    c, t = clock(lambda: select_bandwidth(w.f, w.y, search='coarse'))
    _, one = clock(lambda: kernel_regression(w.f, w.y, .03), 3)
    print(f'  ours: search {t:.1f} s ({np.isfinite(c.criterion).sum()} of 128 bandwidths), one bandwidth {one:.2f} s; h {at(c.h)}; peak memory {peak():.0f} MB', flush=True)
    if (torch := torch_of(peer, "authors' code")) is not None:
        with torch.no_grad(): _, theirs = clock(lambda: risk(torch, w.f, w.y, 'canonical', .03))
        ratio(theirs * 128, t, f"authors' search, 128 x {theirs:.1f} s (measured at 1 bandwidth), against our search")
    if (torch := torch_of(ece, 'ece-kde')) is not None:
        from ece_kde import get_ece_kde
        f, y = torch.tensor(w.f, dtype=torch.float32), torch.tensor(w.y)
        with torch.no_grad(): _, theirs = clock(lambda: get_ece_kde(f, y, .03, 2, 'canonical', 'cpu'), 3)
        print(f'  ece-kde, one bandwidth in single precision {theirs:.2f} s, {theirs / one:.1f} times ours in double precision')

def thousand(peer, ece):
    rng = np.random.default_rng(0)
    x = rng.normal(0, 2, (10_000, 1000))
    x[np.arange(10_000), rng.integers(1000, size=10_000)] += 9
    P = np.exp(x)
    P /= P.sum(1, keepdims=True)
    y = np.minimum((P.cumsum(1) < rng.random((10_000, 1))).sum(1), 999)
    c, t = clock(lambda: select_bandwidth(P, y, mode='classwise', search='coarse'))
    _, one = clock(lambda: kernel_regression(P, y, .01, mode='classwise'))
    print(f'  ours: search {t:.0f} s, one bandwidth for all classes {one:.1f} s; peak memory {peak():.0f} MB')

def sizes(peer, ece, save=None):
    "Seconds for one bandwidth, the mean of six spread over the candidates"
    rows, make = [], {'binary': lambda n: (lambda w: (w.z, w.y))(toy(n, 'shifted', rng=0)), 'canonical': lambda n: (lambda w: (w.f, w.y))(simplex(n, 10, rng=0))}
    spread = {'binary': candidate_grid()[6::11], 'canonical': candidate_grid(10)[10::21]}
    def row(code, method, mode, n, f):
        for h in spread[mode][:1 if n < 3000 else 0]: f(h) # what is made once is not counted
        t = np.mean([clock(lambda: f(h), 3 if n < 3000 else 1)[1] for h in spread[mode]])
        rows.append(dict(code=code, method=method, mode=mode, n=n, bandwidths=len(spread[mode]), seconds=f'{t:.3g}'))
        print(f'  {code:8} {method:10} {mode:10} n = {n:9,}  {t:9.4f} s', flush=True)
    for method, mode, most in (('fast', 'binary', 10**6), ('exact', 'binary', 30_000), ('exact', 'canonical', 10_000)):
        for n in (n for n in (500, 1000, 2000, 5000, 10_000, 30_000, 100_000, 300_000, 10**6) if n <= most):
            f, y = make[mode](n)
            row('ours', method, mode, n, lambda h: kernel_regression(f, y, h, method=method))
    if (torch := torch_of(peer, "authors' code")) is not None:
        for mode, most in (('binary', 10_000), ('canonical', 5000)):
            for n in (n for n in (500, 1000, 2000, 5000, 10_000) if n <= most):
                f, y = make[mode](n)
                with torch.no_grad(): row('authors', 'exact', mode, n, lambda h: risk(torch, f[:, None] if mode == 'binary' else f, y, mode, h))
    if save:
        with open(save, 'w', newline='') as out:
            table = csv.DictWriter(out, list(rows[0]), lineterminator='\n'); table.writeheader(); table.writerows(rows)

TASKS = dict(binary='binary, n = 20,000, risk alignment', million='binary, n = 1,000,000, risk alignment', classwise='class-wise, n = 10,000, 10 classes, risk alignment',
             canonical='canonical, n = 10,000, 10 classes, risk alignment', thousand='class-wise, n = 10,000, 1,000 classes, risk alignment',
             sizes='one bandwidth, by sample size')

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--peer', help='clone of KDE-Bandwidth-Learning')
    p.add_argument('--ece-kde', dest='ece', help='clone of ece-kde')
    p.add_argument('--only', nargs='*', choices=tuple(TASKS), default=tuple(TASKS))
    p.add_argument('--save', help='table of the task sizes')
    p.add_argument('--task', help=argparse.SUPPRESS)
    a = p.parse_args()
    if a.task: return globals()[a.task](a.peer, a.ece, **dict(save=a.save) if a.task == 'sizes' else {})
    for task in a.only:
        print(TASKS[task], flush=True)
        extra = [x for flag, v in (('--peer', a.peer), ('--ece-kde', a.ece), ('--save', a.save)) if v for x in (flag, v)]
        subprocess.run([sys.executable, __file__, '--task', task, *extra], check=True)

if __name__ == '__main__': main()
