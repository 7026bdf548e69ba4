"""Everything that must hold before a change is done: `python tools/check.py`.

`--slow` adds the slow cells and tests. `--other` computes as another processor would, `--quick` leaves out what no
processor changes, and the studies that fit most.
"""
import argparse, hashlib, os, platform, subprocess, sys, time
from pathlib import Path

from execute import notebooks
from folders import ROOT, data_folder

BIN = Path(sys.executable).parent
ENV = {**os.environ, 'MPLBACKEND': 'Agg', 'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1', 'PYTHONUNBUFFERED': '1'}
LONG = '93_', '94_', '95_', '96_', '97_', '98_', '99_' # studies of many fits, which --quick leaves out

def run(*cmd):
    "Run a command in the project's folder; a failure ends the check"
    if (code := subprocess.run([str(o) for o in cmd], cwd=ROOT, env=ENV).returncode): sys.exit(code)

def other_processor():
    "The environment in which NumPy and OpenBLAS compute as on a processor without this one's vector instructions"
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
    kernel = {'x86_64': 'Nehalem', 'AMD64': 'Nehalem', 'aarch64': 'ARMV8', 'arm64': 'ARMV8'}.get(platform.machine())
    env = {'NPY_DISABLE_CPU_FEATURES': ' '.join(o for o in __cpu_dispatch__ if __cpu_features__.get(o))}
    return {**env, **({'OPENBLAS_CORETYPE': kernel} if kernel else {})}

def contents():
    "Every file that git tracks or would add -> a hash of its bytes"
    names = subprocess.check_output(['git', 'ls-files', '-z', '-co', '--exclude-standard'], cwd=ROOT, text=True).split('\0')
    return {o: hashlib.sha1((ROOT/o).read_bytes()).hexdigest() for o in names if (ROOT/o).is_file()}

def packages(a): run(sys.executable, '-m', 'pip', 'check')

def modules(a):
    before = contents()
    run(BIN/'nbdev_export')
    run(BIN/'nbdev_clean')
    after = contents()
    stale = sorted(o for o in before.keys() | after.keys() if before.get(o)!=after.get(o))
    if stale: sys.exit('not as nbdev_export and nbdev_clean leave them (now they are; look, and commit):\n  ' + '\n  '.join(stale))

def types(a): run(sys.executable, '-m', 'mypy')

def chapters(a):
    data = data_folder()
    print('data folder found: cells flagged data run too' if data else 'NO data folder: cells flagged data are left out')
    flags = [*(['slow'] if a.slow else []), *(['data'] if data else [])]
    chosen = [p for p in notebooks() if not (a.quick and p.name.startswith(LONG))][::-1] # the longest come first
    run(sys.executable, 'tools/execute.py', *chosen, *(['--flags', *flags] if flags else []))

def readme(a): run(sys.executable, 'tools/readme.py', '--check')
def docs(a): run(sys.executable, 'tools/docs.py', *([a.katex] if a.katex else []))
def tests(a): run(sys.executable, '-m', 'pytest', '-n', 2, *(['-m', 'slow or not slow'] if a.slow else []))

STEPS = {'packages agree': packages, 'modules and notebooks in step': modules, 'types hold': types,
         'notebooks give what is stored': chapters,
         'README in step': readme, 'site builds, links resolve': docs, 'tests': tests}
QUICK = chapters, tests

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--slow', action='store_true', help='also the cells flagged slow and the tests marked slow')
    p.add_argument('--quick', action='store_true', help='only tests and chapters, without the largest studies')
    p.add_argument('--other', action='store_true', help='as on another processor')
    p.add_argument('--katex', help='folder `dist` of katex, for a site that needs no network')
    a = p.parse_args()
    if a.other:
        ENV.update(other_processor())
        print(*(f'{k}={v}' for k, v in other_processor().items()), sep='\n')
    began = time.time()
    for name, step in STEPS.items():
        if a.quick and step not in QUICK: continue
        print(f'\n=== {name}', flush=True)
        if step is tests: print(f'(all before took {time.time() - began:.0f} s)', flush=True)
        start = time.time()
        try: step(a)
        except SystemExit as e:
            if isinstance(e.code, str): print(e.code)
            sys.exit(f'=== FAILED: {name}')
        if step is not tests: print(f'=== {time.time() - start:.0f} s', flush=True)

if __name__=='__main__': main()
