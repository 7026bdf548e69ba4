"""The command `calib_report`, run as a user runs it: in a process of its own, in an environment that is not kind."""
import json, os, re, signal, subprocess, sys, time
from contextlib import chdir
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from folders import data_folder
from nbclient import NotebookClient

from calib_nb import report
from calib_nb.evaluation import evaluate
from calib_nb.maps import map_from_json
from calib_nb.report import MAP_FILES, REPORT_FILES, main, write_report
from calib_nb.simulate import toy

COMMAND = Path(sys.executable).parent/'calib_report'
WIDE = '--score', 'p', '--votes', 'ann', 'ben', 'cleo'

@pytest.fixture(scope='module')
def place(tmp_path_factory):
    "A folder with a table, and its report in `out`"
    folder = tmp_path_factory.mktemp('report')
    world = toy(1500, 'shifted', rng=0)
    t = pd.DataFrame(world.A, columns=['ann', 'ben', 'cleo']).assign(p=world.z, y=world.y)
    t.loc[:4, ['ann', 'ben', 'cleo']] = np.nan
    t.loc[5:50, 'cleo'] = np.nan
    t.to_csv(folder/'votes.csv.gz', index=False)
    t.reset_index(names='item').melt(['item', 'p', 'y'], ['ann', 'ben', 'cleo'], 'who', 'vote').sample(frac=1, random_state=0).to_parquet(folder/'long.parquet')
    (folder/'kernels/python3').mkdir(parents=True)
    (folder/'kernels/python3/kernel.json').write_text(json.dumps(dict(argv=['false'], display_name='not this one', language='python')))
    (folder/'profile_default/startup').mkdir(parents=True)
    (folder/'profile_default/startup/x.py').write_text('1/0')
    done = run(folder, 'votes.csv.gz', *WIDE, '--label', 'y', '--out', 'out')
    assert done.returncode == 0, done.stderr
    (folder/'said').write_text(done.stdout)
    return folder

def environment(folder): return os.environ | dict(HOME=str(folder/'votes.csv.gz'), JUPYTER_PATH=str(folder), IPYTHONDIR=str(folder), MPLBACKEND='TkAgg')
def run(folder, *args): return subprocess.run([COMMAND, *args], cwd=folder, env=environment(folder), capture_output=True, text=True)
def content(folder): return {p.name: p.read_bytes() for p in folder.iterdir()}
def metrics(folder): return json.loads((folder/'metrics.json').read_text())

def test_files(place):
    assert sorted(content(place/'out')) == sorted(REPORT_FILES)
    assert len(content(place/'out')['report.html']) < 700_000
    assert not list(place.glob('.*')) # nothing left of the making

def test_numbers(place):
    t, m = pd.read_csv(place/'votes.csv.gz'), metrics(place/'out')
    with pytest.warns(UserWarning, match='5 of 1500 items'): e = evaluate(t.p, t[['ann', 'ben', 'cleo']], y=t.y, rng=0, progress=False)
    np.testing.assert_allclose([m['errors'][0]['ece'], m['prevalence']], [e.nc_ece.value, e.fit.mu], rtol=1e-9)
    assert m['n'] == 1500 and m['n_used'] == 1495
    np.testing.assert_allclose(pd.read_csv(place/'out/channels.csv', index_col=0), e.channels, rtol=1e-12)
    np.testing.assert_allclose(pd.read_csv(place/'out/reliability.csv'), e.reliability, rtol=1e-12)
    said = (place/'said').read_text()
    assert e.sentence() in said and f'{e.nc_ece.value:.4f}' in said and '5 of 1500 items have no vote' in said
    assert e.sentence() in (place/'out/report.html').read_text().replace('&#x27;', "'")

def test_page_asks_nothing_of_the_network(place):
    page = (place/'out/report.html').read_text()
    assert not re.search(r'(src|href|srcset|action)\s*=\s*(?!"data:|"#)|url\(|@import|<script|<link|<iframe|<object|\$\$|\\frac', page, re.I)
    pictures = re.findall(r'<img [^>]*>', page)
    assert len(pictures) == 5 and all(re.search(r'alt="[^"]{40,}"', p) for p in pictures)
    assert '/work' not in page and str(place) not in page

def test_notebook_gives_the_same_again(place, tmp_path):
    old = content(place/'out')
    for name in ('report.ipynb', 'data.parquet'): (tmp_path/name).write_bytes(old[name])
    NotebookClient(nbformat.read(tmp_path/'report.ipynb', as_version=4), kernel_name='python3', resources={'metadata': {'path': str(tmp_path)}}).execute()
    assert content(tmp_path) == {k: v for k, v in old.items() if k != 'report.html'}

def test_long_table_says_the_same_and_replaces(place):
    (place/'again').mkdir()
    for name, data in content(place/'out').items(): (place/'again'/name).write_bytes(data)
    (place/'again/mine.txt').write_text('keep')
    done = run(place, 'long.parquet', '--score', 'p', '--item', 'item', '--annotator', 'who', '--vote', 'vote', '--out', 'again')
    assert done.returncode == 0, done.stderr
    old, new = metrics(place/'out'), metrics(place/'again')
    for part, n in ('channels', 3), ('errors', 3):
        pd.testing.assert_frame_equal(pd.DataFrame(new[part]), pd.DataFrame(old[part][:n]), rtol=1e-9)
    assert sorted(content(place/'again')) == sorted({*REPORT_FILES, 'mine.txt'} - {'reference.png', 'reference.svg'})

def test_true_labels(place):
    t, rng = pd.read_csv(place/'votes.csv.gz'), np.random.default_rng(0)
    known = rng.random(len(t)) < .1
    t.assign(g=t.y.where(known), p_in=.1).to_csv(place/'gold.csv', index=False)
    done = run(place, 'gold.csv', *WIDE, '--gold', 'g', '--out', 'gold')
    assert done.returncode == 0, done.stderr
    m = metrics(place/'gold')
    with pytest.warns(UserWarning, match='have no vote'):
        e = evaluate(t.p, t[['ann', 'ben', 'cleo']], gold=t.y.where(known), rng=0, progress=False)
    assert m['anchored'] == e.to_dict()['anchored'] and m['sentence'] == e.sentence() and 'true labels' in e.sentence()
    page = (place/'gold/report.html').read_text()
    assert 'A sample of true labels' in page and e.anchored.model.verdict().split(':')[0].replace("'", '&#x27;')[:40] in page.replace("'", '&#x27;')
    assert 'A sample of true labels' not in (place/'out/report.html').read_text()
    done = run(place, 'gold.csv', *WIDE, '--gold', 'g', '--inclusion', 'p_in', '--out', 'drawn')
    assert done.returncode == 0, done.stderr
    assert metrics(place/'drawn')['anchored'] != m['anchored']
    done = run(place, 'gold.csv', *WIDE, '--inclusion', 'p_in', '--out', 'no')
    assert done.returncode == 2 and 'gold' in done.stderr and not (place/'no').exists()
    t.assign(g=.3).to_csv(place/'gold.csv', index=False)
    done = run(place, 'gold.csv', *WIDE, '--gold', 'g', '--out', 'no')
    assert done.returncode == 2 and 'only 0 and 1, or nothing where it is not known' in done.stderr

def test_true_labels_go_from_an_evaluation_into_its_report(tmp_path):
    w, rng = toy(800, 'shifted', rng=0), np.random.default_rng(1)
    gold = np.where(rng.random(800) < .2, w.y, np.nan)
    e = evaluate(w.z, w.A, gold=gold, inclusion=.2, n_resamples=50, progress=False)
    write_report(e, tmp_path/'out')
    assert metrics(tmp_path/'out')['anchored'] == e.to_dict()['anchored']

def test_weights(place):
    t = pd.read_csv(place/'votes.csv.gz').assign(w=lambda t: np.where(t.p > .5, 1., 4.))
    t.to_csv(place/'weighted.csv', index=False)
    done = run(place, 'weighted.csv', *WIDE, '--weight', 'w', '--out', 'weighted')
    assert done.returncode == 0, done.stderr
    m = metrics(place/'weighted')
    with pytest.warns(UserWarning, match='5 of 1500'):
        e = evaluate(t.p, t[['ann', 'ben', 'cleo']], sample_weight=t.w, rng=0, progress=False)
    np.testing.assert_allclose([m['errors'][0]['ece'], m['errors'][0]['high']], e.to_frame().iloc[0][['ece', 'high']], rtol=1e-9)
    assert m['sample_weight'] == e.settings['sample_weight'] and m['sample_weight']['effective_items'] < 1495
    assert 'Each item counts by its weight' in (place/'weighted/report.html').read_text()
    t.assign(w=-1.).to_csv(place/'weighted.csv', index=False)
    done = run(place, 'weighted.csv', *WIDE, '--weight', 'w', '--out', 'negative')
    assert done.returncode == 2 and "column 'w' must not be negative; found -1.0 at position 0" in done.stderr

def test_map_where_asked_for(place):
    done = run(place, 'votes.csv.gz', *WIDE, '--recalibrate', '--out', 'mapped')
    assert done.returncode == 0, done.stderr
    files, found = content(place/'mapped'), metrics(place/'mapped')['recalibration']
    assert set(MAP_FILES) <= set(files) and found['sentence'] in done.stdout and b'Better scores' in files['report.html']
    z = np.linspace(0, 1, 11)
    assert ((new := map_from_json(files['map.json'].decode()).predict(z)) >= 0).all() and (new <= 1).all()
    assert len(pd.read_csv(place/'mapped/candidates.csv')) == len(found['candidates'])
    done = run(place, 'votes.csv.gz', *WIDE, '--out', 'mapped')
    assert done.returncode == 0 and not set(MAP_FILES) & set(content(place/'mapped')) and b'Better scores' not in (place/'mapped/report.html').read_bytes()

@pytest.mark.parametrize('how', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('wait', [0, 1.5])
def test_interrupted(place, how, wait):
    old = content(place/'out')
    job = subprocess.Popen([COMMAND, 'votes.csv.gz', *WIDE, '--out', 'out', '--bins', '7'], cwd=place, env=environment(place), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not any(p.name.startswith('.calib_report') and (p/'data.parquet').exists() for p in (place/'out').iterdir()): time.sleep(.01)
    time.sleep(wait)
    job.send_signal(how)
    assert job.communicate()[1] == 'calib_report: interrupted; nothing was written\n' and job.returncode == 130
    assert content(place/'out') == old

def test_move_that_fails_halfway(place, tmp_path, monkeypatch):
    new, out = tmp_path/'new', tmp_path/'out'
    for folder, text in (new, 'new'), (out, 'old'):
        folder.mkdir()
        for name in REPORT_FILES[:8]: (folder/name).write_text(text)
    replace, left = os.replace, iter(range(7))
    def fails(a, b):
        if next(left, None) == 6: raise KeyboardInterrupt
        replace(a, b)
    monkeypatch.setattr(os, 'replace', fails)
    with pytest.raises(KeyboardInterrupt): report._put_in_place(new, out)
    assert content(out) == dict.fromkeys(REPORT_FILES[:8], b'old')

def test_notebook_that_fails(place, monkeypatch):
    old, template = content(place/'out'), report._template
    def broken(options, gold):
        nb = template(options, gold)
        nb.cells[-1].source += '\n1/0'
        return nb
    monkeypatch.setattr(report, '_template', broken)
    with chdir(place): assert main(['votes.csv.gz', *WIDE, '--out', 'out']) == 1
    assert content(place/'out') == old

@pytest.mark.parametrize('args, words', [
    ((), 'there is no column'),
    (('--out', 'votes.csv.gz/x'), 'cannot be written'),
    (('--out', '/proc/x'), 'cannot be written'),
    (('--label', 'ann'), "column 'ann' is named twice"),
    (('--item', 'p'), 'give either --votes'),
    (('--seed', '-1'), '--seed must be at least 0'),
    (('--frobnicate',), 'frobnicate')])
def test_refused(place, args, words, capsys):
    votes = ['ann', 'ben'] if args else ['ann', 'nobody']
    with chdir(place): assert main(['votes.csv.gz', '--score', 'p', '--votes', *votes, *([] if '--out' in args else ['--out', 'none']), *args]) == 2
    said = capsys.readouterr().err
    assert words in said and said.startswith('calib_report: ') and said.count('\n') == 1
    assert not (place/'none').exists()

def test_other_files_are_not_overwritten(place, tmp_path):
    (tmp_path/'data.parquet').write_bytes((place/'long.parquet').read_bytes())
    for out in (tmp_path, tmp_path/'report'):
        if out != tmp_path: out.mkdir(); (out/'metrics.json').write_text('mine')
        with chdir(tmp_path): assert main(['data.parquet', '--score', 'p', '--item', 'item', '--annotator', 'who', '--vote', 'vote', '--out', str(out)]) == 2
    assert (tmp_path/'data.parquet').read_bytes() == (place/'long.parquet').read_bytes()
    with chdir(place/'out'): assert main(['data.parquet', '--score', 'score', '--votes', 'vote: ann', 'vote: ben', '--out', '.']) == 2

def test_extra_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(report, 'find_spec', lambda name: None if name == 'pyarrow' else object())
    assert main([]) == 2
    assert capsys.readouterr().err == "calib_report: a report needs pyarrow: pip install 'calib_nb[report]'\n"

def test_refusal_is_quick(place):
    script = """if True:
        import sys
        from calib_nb.report import main
        assert main(['votes.csv.gz', '--score', 'p', '--votes', 'nobody', 'ann', '--out', 'none']) == 2
        print({'sklearn', 'matplotlib', 'IPython', 'zmq', 'nbconvert', 'scipy'} & set(sys.modules) or 'light')"""
    assert subprocess.run([sys.executable, '-c', script], cwd=place, capture_output=True, text=True).stdout == 'light\n'

@pytest.mark.skipif(not data_folder(), reason='no data folder')
def test_fifty_thousand_images(tmp_path):
    start = time.time()
    done = run(tmp_path, data_folder()/'cifar10n_animal.csv.gz', '--score', 'score', '--votes', 'vote1', 'vote2', 'vote3', '--label', 'label', '--protocol', 'reuse')
    print(f'{time.time() - start:.0f} s')
    m = metrics(tmp_path/'calib_report')
    found = *([r[k] for r in rows] for rows, k in ((m['errors'], 'ece'), (m['channels'], 'a'), (m['channels'], 'b'))), [m['prevalence']]
    known = [.1586, .1877, .1636, .1612], [.0426, .0503, .0481], [.9585, .9538, .9577], [.5998]
    for numbers, rounded in zip(found, known):
        np.testing.assert_allclose(numbers, rounded, atol=1e-4)
        for v in numbers: assert f'{v:.4f}' in done.stdout
