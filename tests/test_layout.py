"""How the project is laid out: what a reader and the tools rely on."""
import ast, copy, importlib, json, re, subprocess, sys, warnings

import pytest
from docs import Page, config, rendered, spoilt
from execute import directives, notebooks
from folders import ROOT
from tidy import tidy

import calib_nb

def code(path): return [c for c in json.loads(path.read_text(encoding='utf-8'))['cells'] if c['cell_type']=='code']
def each_notebook(f): return pytest.mark.parametrize('path', notebooks(), ids=lambda p: p.stem)(f)

def test_sidebar_lists_the_notebooks():
    def hrefs(items): return [h for o in items for h in (hrefs(o['contents']) if isinstance(o, dict) else [o])]
    listed = hrefs(config()['website']['sidebar']['contents'])
    names = [f'nbs/{p.name}' for p in notebooks()]
    assert listed == sorted(names, key=lambda o: (o!='nbs/index.ipynb', o))
    assert [*listed, '404.md'] == [str(o) for o in rendered()] # the pages of both builds; the first is the front page

def test_spoilt_pages_are_found(tmp_path):
    page = tmp_path/'nbs/a.html'
    page.parent.mkdir()
    def found(head, body):
        page.write_text(f'<head>{head}</head><body>{body}</body>')
        return [o.split(':')[0] for o in spoilt(page, Page(page), local=True)]
    good = '<code>$x @eq-a</code><span class="math inline">$x$</span><a href="a.ipynb">a</a> <a href="https://b.c">b</a>'
    assert found('<title>a</title>', good) == []
    assert found('<script src="https://b.c/d.js"></script>', '<p>costs $x</p><p>see @eq-a</p>') == [
        'no title', *['raw formula or reference']*2, 'loads from outside', 'no link to its notebook']

@pytest.mark.parametrize('name', calib_nb.__all__)
def test_public_name(name):
    value, module = getattr(calib_nb, name), f'calib_nb.{calib_nb._module[name]}'
    assert value.__module__ == module and name in importlib.import_module(module).__all__
    assert name in dir(calib_nb)

def test_names_and_modules_do_not_meet():
    assert not set(calib_nb._module) & set(calib_nb._table)
    with pytest.raises(AttributeError, match='no_such_name'): calib_nb.no_such_name

def test_import_is_light():
    script = """if True:
        import sys, resource, calib_nb
        heavy = {'numpy', 'scipy', 'pandas', 'matplotlib', 'sklearn'} & set(sys.modules)
        use = resource.getrusage(resource.RUSAGE_SELF)
        print(heavy or '', use.ru_utime + use.ru_stime < 1)"""
    assert subprocess.check_output([sys.executable, '-c', script], text=True).split() == ['True']

def test_no_private_imports():
    for path in (ROOT/'calib_nb').glob('*.py'):
        assert 'sklearn.utils._' not in path.read_text(encoding='utf-8'), path.name

@each_notebook
def test_notebook_is_storable(path):
    nb = json.loads(path.read_text(encoding='utf-8'))
    assert (nb['nbformat'], nb['nbformat_minor']) == (4, 5)
    ids = [c.get('id') for c in nb['cells']]
    assert all(ids) and len(set(ids)) == len(ids)
    for out in (o for c in code(path) for o in c['outputs']):
        assert out['output_type'] != 'error', out
        assert not out.get('metadata', {}).get('image/png'), 'a retina picture: run tools/execute.py --write'

@each_notebook
def test_figures_are_described(path):
    for c in code(path):
        if any(kind.startswith('image/') for o in c['outputs'] for kind in o.get('data', {})):
            for name in 'label: fig-', 'fig-cap: ', 'fig-alt: ':
                assert any(o.startswith(name) for o in directives(c)), f'no {name}in the cell\n{"".join(c["source"])[:200]}'

@each_notebook
def test_no_progress_bar_is_stored(path):
    nb = json.loads(path.read_text(encoding='utf-8'))
    tidied = copy.deepcopy(nb)
    tidy(tidied)
    assert tidied == nb, 'run tools/execute.py --write'

def test_tidy():
    def left(text):
        nb = dict(cells=[dict(outputs=[dict(name='stderr', text=text)])])
        tidy(nb)
        return nb['cells'][0]['outputs']
    assert left('  0%|   | 0/2 [00:00<?]\r 50%|#  | 1/2 [00:01<00:01]\r           \r') == left('3it [00:01, 2.0it/s]\r') == []
    warning = ['x.py:1: UserWarning: few\n', '\n', '  f(x)\n']
    assert left(''.join(warning))[0]['text'] == left(' 50%|# | 1/2 [00:01]\r     \r' + ''.join(warning))[0]['text'] == warning

@each_notebook
def test_notebook_is_a_chapter(path):
    for c in code(path):
        source = ''.join(c['source'])
        if directives(c) & {'export', 'exports'}: assert len(source.splitlines()) <= 40, f'split this cell:\n{source[:200]}'
    cells = json.loads(path.read_text(encoding='utf-8'))['cells']
    lines = sum(len(c['source']) for c in cells)
    if len(cells) > 60 or lines > 600: warnings.warn(f'{path.name}: {len(cells)} cells, {lines} lines; a chapter should be shorter')

@each_notebook
def test_notebook_has_its_module(path):
    for name in re.findall(r'^#\|\s*default_exp\s+(\S+)', '\n'.join(''.join(c['source']) for c in code(path)), re.M):
        assert name == re.sub(r'^\d+_', '', path.stem)
        lines = (ROOT/f'calib_nb/{name}.py').read_text(encoding='utf-8').splitlines()
        if len(lines) > 300: warnings.warn(f'calib_nb/{name}.py: {len(lines)} lines; a module should be shorter')

def test_every_module_has_a_notebook():
    stems = {re.sub(r'^\d+_', '', p.stem) for p in notebooks()}
    assert {p.stem for p in (ROOT/'calib_nb').glob('[!_]*.py')} <= stems

def test_readme_is_generated():
    from readme import readme
    text, files = readme()
    assert (ROOT/'README.md').read_text(encoding='utf-8') == text
    for name, data in files.items(): assert (ROOT/name).read_bytes() == data
