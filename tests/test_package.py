"""What the built package declares and holds."""
import re, subprocess, sys, tomllib, zipfile
from configparser import ConfigParser
from email import message_from_bytes

import pytest
from folders import ROOT

@pytest.fixture(scope='session')
def wheel(tmp_path_factory):
    "The wheel, built outside the tree from the files git knows or would add"
    tree, out = tmp_path_factory.mktemp('tree'), tmp_path_factory.mktemp('wheel')
    names = subprocess.check_output(['git', 'ls-files', '-z', '-co', '--exclude-standard'], cwd=ROOT, text=True).split('\0')
    for name in filter(None, names):
        if not (ROOT/name).exists(): continue
        (tree/name).parent.mkdir(parents=True, exist_ok=True)
        (tree/name).write_bytes((ROOT/name).read_bytes())
    subprocess.run([sys.executable, '-m', 'pip', 'wheel', '-q', '--no-deps', '--no-build-isolation', '--no-index', '-w', out, tree], check=True)
    return zipfile.ZipFile(next(out.glob('*.whl')))

def read(wheel, ending): return wheel.read(next(o for o in wheel.namelist() if o.endswith(ending)))

def test_metadata(wheel):
    meta, project = message_from_bytes(read(wheel, '.dist-info/METADATA')), tomllib.loads((ROOT/'pyproject.toml').read_text())['project']
    bare = lambda req: re.match(r'[\w-]+', req)[0].lower()
    plain = {bare(o) for o in meta.get_all('Requires-Dist') if 'extra' not in o}
    assert plain == {bare(o) for o in project['dependencies']} 
    assert set(meta.get_all('Provides-Extra')) == {'dev', 'report'}
    assert meta['Requires-Python'] == '>=3.11'

def test_one_version(wheel):
    settings = ConfigParser()
    settings.read(ROOT/'settings.ini')
    assert message_from_bytes(read(wheel, '.dist-info/METADATA'))['Version'] == settings['DEFAULT']['version']

def test_entry_points(wheel):
    entries = ConfigParser()
    entries.read_string(read(wheel, '.dist-info/entry_points.txt').decode())
    assert entries['console_scripts']['calib_report'] == 'calib_nb.report:main'
    assert entries['console_scripts']['calib_experiment'] == 'calib_nb.experiments:main'
    assert entries['nbdev']['calib_nb'] == 'calib_nb._modidx:d'

def test_contents(wheel):
    inside = {o for o in wheel.namelist() if '.dist-info/' not in o}
    modules = {f'calib_nb/{p.name}' for p in (ROOT/'calib_nb').glob('*.py')}
    templates = {f'calib_nb/templates/{p.name}' for p in (ROOT/'calib_nb/templates').glob('*.ipynb')}
    types = {'calib_nb/py.typed', 'calib_nb/__init__.pyi'}
    assert inside == modules | templates | types # and no data
