"""The command `calib_experiment`: every experiment at smoke size, killed in the middle, interrupted, gone on with."""
import json, os, signal, subprocess, sys, time

import pandas as pd
import pytest
from folders import data_folder

from calib_nb import experiments
from calib_nb.experiments import find_experiments, main, run_experiment

COMMAND = [sys.executable, '-c', 'import sys; from calib_nb.experiments import main; sys.exit(main())']
TABLES = 'results.parquet', 'results.csv', 'summary.csv'

def start(*args, **kwargs): return subprocess.Popen([*COMMAND, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                                                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **kwargs) # a shell may have its background jobs ignore it
def run(*args, **kwargs):
    job = start(*args, **kwargs)
    out, err = job.communicate()
    assert job.returncode >= 0, err # killed by a signal: what did it say?
    return job.returncode, out, err
def cells(out): return sorted(out.glob('cells/*.parquet'))
def content(out): return {name: (out/name).read_bytes() for name in TABLES}

def wait_for(out, n, job):
    "Until n cells are there"
    while len(cells(out)) < n:
        assert job.poll() is None, job.communicate()
        time.sleep(.002)

@pytest.fixture(scope='module')
def calm(tmp_path_factory):
    "The toy study at smoke size, undisturbed"
    out = tmp_path_factory.mktemp('calm')
    assert run('toy', '--jobs', 1, '--out', out)[0] == 0
    return out

@pytest.mark.parametrize('name', find_experiments())
def test_smoke(name):
    try: results = run_experiment(find_experiments()[name], 'smoke', jobs=2)
    except experiments.CellsFailed as e:
        if data_folder() is None and all('no data folder' in text for _, text in e.failed): pytest.skip('no data folder')
        raise
    assert len(results)

def test_files(calm):
    about, results = json.loads((calm/'metadata.json').read_text()), pd.read_parquet(calm/'results.parquet')
    assert len(about['cells']) == len(cells(calm)) == results.groupby(['condition', 'n', 'block']).ngroups
    assert set(about['versions']) == {'calib_nb', 'numpy', 'scipy', 'scikit-learn', 'python'} and about['seed'] == 0 and about['scale'] == 'smoke'
    assert all(c['seconds'] > 0 for c in about['cells'])
    pd.testing.assert_frame_equal(results, run_experiment(find_experiments()['toy'], 'smoke'))

@pytest.mark.parametrize('jobs', [1, 2])
def test_killed_and_gone_on_with(calm, tmp_path, jobs):
    job = start('toy', '--jobs', jobs, '--out', tmp_path)
    wait_for(tmp_path, 2, job)
    os.killpg(job.pid, signal.SIGKILL) # the workers too, as when the machine stops
    job.communicate()
    kept = {p: p.stat().st_mtime_ns for p in cells(tmp_path)}
    assert 2 <= len(kept) < len(cells(calm)) and not any((tmp_path/t).exists() for t in TABLES)
    assert run('toy', '--jobs', jobs, '--out', tmp_path)[0] == 0
    assert content(tmp_path) == content(calm)
    assert {p: p.stat().st_mtime_ns for p in kept} == kept # not made again

@pytest.mark.parametrize('jobs, how', [(1, signal.SIGINT), (2, signal.SIGTERM)])
def test_interrupted(calm, tmp_path, jobs, how):
    job = start('toy', '--jobs', jobs, '--out', tmp_path)
    wait_for(tmp_path, 1, job)
    job.send_signal(how)
    err = job.communicate()[1]
    kept = len(cells(tmp_path))
    assert job.returncode == 130 and err.strip() == f'calib_experiment: interrupted; {kept} of 6 cells are finished and kept in {tmp_path}; the same command goes on from there'
    assert 1 <= kept < 6 and sorted(p.name for p in tmp_path.iterdir()) == ['cells'] and len(list((tmp_path/'cells').iterdir())) == kept
    assert run('toy', '--jobs', jobs, '--out', tmp_path)[0] == 0
    assert content(tmp_path) == content(calm)

def test_nothing_to_do_twice(calm):
    before = content(calm)
    assert main(['toy', '--jobs', '1', '--out', str(calm)]) == 0
    assert content(calm) == before

def test_another_run_is_refused(calm, capsys):
    before = content(calm)
    for args, words in (('--seed', '1'), 'seed 0 there, 1 now'), (('--scale', 'paper'), 'not in this grid'):
        assert main(['toy', '--jobs', '1', '--out', str(calm), *args]) == 2
        assert words in capsys.readouterr().err
    assert content(calm) == before

FAILS = '''
from pathlib import Path
from calib_nb.experiments import Experiment, grid
def cell(*, x, rng):
    if x == 2 and not Path('well').exists(): raise ValueError('not well')
    return dict(value=rng.random())
A = Experiment('first', 'one cell fails', cell, dict(smoke=grid(x=range(4))))
B = Experiment('second', 'all goes well', cell, dict(smoke=grid(x=[5])))
'''

def test_failing_cell(tmp_path):
    (tmp_path/'study.py').write_text(FAILS)
    status, out, err = run('study.py', '--jobs', 2, '--out', 'out', cwd=tmp_path)
    assert status == 1 and '1 of 4 cells failed' in err and 'x=2: ValueError: not well' in err
    assert len(cells(tmp_path/'out/first')) == 3 and len(cells(tmp_path/'out/second')) == 1 # others go on
    kept = {p: p.stat().st_mtime_ns for p in cells(tmp_path/'out/first')}
    (tmp_path/'well').touch()
    assert run('study.py', '--jobs', 2, '--out', 'out', cwd=tmp_path)[0] == 0
    assert {p: p.stat().st_mtime_ns for p in kept} == kept and len(pd.read_csv(tmp_path/'out/first/results.csv')) == 4

def test_code_that_changed(tmp_path):
    (tmp_path/'study.py').write_text(FAILS)
    (tmp_path/'well').touch()
    assert run('study.py', '--jobs', 1, '--out', 'out', cwd=tmp_path)[0] == 0
    (tmp_path/'study.py').write_text(FAILS.replace('rng.random()', '1 + rng.random()'))
    status, _, err = run('study.py', '--jobs', 1, '--out', 'out', cwd=tmp_path)
    assert status == 2 and 'the code has changed' in err
    assert run('study.py', '--jobs', 1, '--out', 'out', '--keep', cwd=tmp_path)[0] == 0

def test_without_pyarrow(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(experiments, 'find_spec', lambda name: None)
    assert main(['toy', '--out', str(tmp_path/'out')]) == 2
    assert "need pyarrow: pip install 'calib_nb[report]'" in capsys.readouterr().err

@pytest.mark.parametrize('args, words', [((), 'which experiment? One of'), (('toys',), "NAME must be one of"), (('toy', '--jobs', '0'), '--jobs'),
    (('toy', '--seed', '-1'), '--seed'), (('toy', '--frobnicate'), 'frobnicate'), (('none.py',), 'none.py'), (('toy', '--out', '/proc/x'), '/proc/x')])
def test_refused(args, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(list(args)) == 2
    err = capsys.readouterr().err
    assert words in err and err.startswith('calib_experiment: ') and err.count('\n') == 1

def test_list(capsys):
    assert main(['--list']) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(find_experiments())
