"""Everything that must hold before a change is done: `python tools/check.py [--slow] [--katex FOLDER]`."""
import argparse, hashlib, os, subprocess, sys, time
from pathlib import Path

from execute import ROOT, data_folder

BIN = Path(sys.executable).parent
ENV = {**os.environ, 'MPLBACKEND': 'Agg', 'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1', 'PYTHONUNBUFFERED': '1'}

def run(*cmd):
    "Run a command in the project's folder; a failure ends the check"
    if (code := subprocess.run([str(o) for o in cmd], cwd=ROOT, env=ENV).returncode): sys.exit(code)

def contents():
    "Every file that git tracks or would add -> a hash of its bytes"
    names = subprocess.check_output(['git', 'ls-files', '-z', '-co', '--exclude-standard'], cwd=ROOT, text=True).split('\0')
    return {o: hashlib.sha1((ROOT/o).read_bytes()).hexdigest() for o in names if (ROOT/o).is_file()}

def packages(): run(sys.executable, '-m', 'pip', 'check')

def modules():
    before = contents()
    run(BIN/'nbdev_export')
    run(BIN/'nbdev_clean')
    after = contents()
    stale = sorted(o for o in before.keys() | after.keys() if before.get(o)!=after.get(o))
    if stale: sys.exit('not as nbdev_export and nbdev_clean leave them (now they are; look, and commit):\n  ' + '\n  '.join(stale))

def notebooks(slow):
    data = data_folder()
    print('data folder found: cells flagged data run too' if data else 'NO data folder: cells flagged data are left out')
    run(BIN/'nbdev_test', '--do_print', '--n_workers', 2, '--flags', ' '.join(['slow']*slow + ['data']*bool(data)))

def readme(): run(sys.executable, 'tools/readme.py', '--check')
def docs(katex): run(sys.executable, 'tools/docs.py', *([katex] if katex else []))
def tests(slow): run(sys.executable, '-m', 'pytest', *(['-m', 'slow or not slow'] if slow else []))

def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--slow', action='store_true', help='also the cells flagged slow and the tests marked slow')
    p.add_argument('--katex', help='folder `dist` of katex, for a site that needs no network')
    a = p.parse_args()
    steps = {'packages agree': packages, 'modules and notebooks in step': modules, 'notebooks run': lambda: notebooks(a.slow),
             'README in step': readme, 'site builds, links resolve': lambda: docs(a.katex), 'tests': lambda: tests(a.slow)}
    for name, step in steps.items():
        print(f'\n=== {name}', flush=True)
        start = time.time()
        try: step()
        except SystemExit as e:
            if isinstance(e.code, str): print(e.code)
            sys.exit(f'=== FAILED: {name}')
        if step is not steps['tests']: print(f'=== {time.time()-start:.0f} s', flush=True)

if __name__=='__main__': main()
