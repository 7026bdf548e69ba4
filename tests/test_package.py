"""What the built package declares and holds."""
import ast, importlib, json, re, subprocess, sys, tomllib, zipfile
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

def imported(paths):
    "The packages that files import, by the names they are installed by"
    names = {'sklearn': 'scikit-learn', 'IPython': 'ipython'}
    found = set()
    for path in paths:
        text = path.read_text(encoding='utf-8')
        if path.suffix=='.ipynb': text = '\n'.join(''.join(c['source']) for c in json.loads(text)['cells'] if c['cell_type']=='code')
        for node in ast.walk(ast.parse(re.sub(r'^\s*[%!].*', '', text, flags=re.M))):
            if isinstance(node, ast.Import): found |= {o.name.split('.')[0] for o in node.names}
            if isinstance(node, ast.ImportFrom) and not node.level: found.add(node.module.split('.')[0])
    return {names.get(o, o) for o in found - set(sys.stdlib_module_names) - {'calib_nb'}}

def test_requirements_are_what_is_imported():
    project = tomllib.loads((ROOT/'pyproject.toml').read_text())['project']
    bare = lambda reqs: {re.match(r'[\w-]+', o)[0] for o in reqs}
    run, report = bare(project['dependencies']), bare(project['optional-dependencies']['report'])
    package, chapters = imported((ROOT/'calib_nb').glob('*.py')), imported((ROOT/'nbs').glob('*.ipynb'))
    assert run <= package <= run | report
    assert package | chapters <= run | report                          # a reader runs any chapter with the extra `report`
    assert report - (package | chapters) == {'ipykernel'}              # which runs a report in a process of its own

PROMISED = { # module -> names that programs elsewhere take from it
    'core': 'Bins equal_width equal_mass Estimate Votes',
    'metrics': 'ece reliability top_label classwise_ece brier log_loss bootstrap',
    'plots': 'plot_reliability',
    'channels': 'Channels weights corrected_labels nc_ece soft_vote majority_vote ece_bound recalibration_bound',
    'identify': 'dawid_skene joint_em hui_walter gmm third_moments IdentificationError',
    'rank': 'rank_ece rank_test rank_interval',
    'kernel_tests': 'skce skce_test',
    'kernels': 'kernel_regression',
    'kde': 'kde_error kde_test',
    'bandwidth': 'select_bandwidth',
    'krr': 'krr_error',
    'recalibrate': 'Temperature Platt Histogram Isotonic BetaMap JointMap Recalibrated recalibration_workflow',
    'simulate': 'toy gaussian rank_world simplex',
    'datasets': 'load_demo load_cifar10n load_crowd load_tabular load_logits',
    'anchor': 'anchored_labels sensitivity plan',
    'evaluation': 'evaluate',
    'report': 'write_report main'}

@pytest.mark.parametrize('module', PROMISED)
def test_promised_names_are_where_they_were(module):
    for name in PROMISED[module].split(): assert getattr(importlib.import_module(f'calib_nb.{module}'), name)
