"""Are the declared lower bounds true? `python tools/bounds.py [PYTHON]`, by hand, and before a release.

In a fresh environment with exactly the lowest version of each requirement: the command `calib_report` on the built-in
example, and the tests that rest on no stored output.
"""
import re, subprocess, sys, tempfile, tomllib
from pathlib import Path

from folders import ROOT

NOT_HERE = 'test_layout', 'test_outputs', 'test_package' # they test the notebooks and the tools of development

def lowest(project):
    "Every requirement of the package and of its extra `report`, at its lower bound"
    for requirement in [*project['dependencies'], *project['optional-dependencies']['report']]:
        name, bound = re.fullmatch(r'([\w-]+)>=([\d.]+)', requirement).groups()
        yield f'{name}=={bound}' + '.0' * (2 - bound.count('.'))

def main(python=sys.executable):
    project = tomllib.loads((ROOT/'pyproject.toml').read_text(encoding='utf-8'))['project']
    exact = list(lowest(project))
    print(*exact, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        def run(*cmd, cwd=ROOT): subprocess.run([str(o) for o in cmd], cwd=cwd, check=True)
        bin = Path(folder)/'venv/bin'
        run(python, '-m', 'venv', bin.parent)
        run(bin/'python', '-m', 'pip', 'install', '-q', '-e', f'{ROOT}[report]', *exact, 'pytest', 'pytest-xdist', 'hypothesis', 'pyyaml')
        run(bin/'python', '-m', 'pip', 'check')
        run(bin/'calib_report', cwd=folder)
        run(bin/'python', '-m', 'pytest', '-q', '-n', 2, *(f'--ignore=tests/{name}.py' for name in NOT_HERE))

if __name__=='__main__': main(*sys.argv[1:])
