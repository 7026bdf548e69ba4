"""Run notebooks, each once: `python tools/execute.py [nbs/10_metrics.ipynb ...] [--write] [--flags slow data] [--jobs 2]`.

Fails where a cell fails, or where what it shows is no longer what is stored (tools/outputs.py says when that is so).
With `--write` the new outputs are stored instead; those that still agree stay as they are, and a notebook with a failing
cell is not written. Cells flagged `#| eval: false`, `#| slow` or `#| data` are left alone, old outputs and all, unless
their flag is given.
"""
import argparse, copy, json, os, re, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from execnb.nbio import nb2str
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from folders import ROOT, data_folder, notebooks
from nbdev.clean import clean_nb
from outputs import compare, difference
from tidy import tidy
from traitlets.config import Config

FLAGS = 'slow', 'data'

def directives(cell):
    "The names of the `#|` lines at the top of `cell`, `eval: false` among them"
    top = re.match(r'(\s*#\|.*\n?)*', ''.join(cell['source']))[0]
    return {re.sub(r'\s*:\s*', ': ', o.strip()) for o in re.findall(r'#\|(.*)', top)}

def skipped(cell, flags=()):
    "Is `cell` left alone when only `flags` are asked for?"
    return bool(directives(cell) & {'eval: false', *(f for f in FLAGS if f not in flags)})

class _Client(NotebookClient):
    async def async_execute_cell(self, cell, cell_index, **kwargs):
        if cell.cell_type=='code' and skipped(cell, self.flags): return cell
        return await super().async_execute_cell(cell, cell_index, **kwargs)

def execute(path, flags=(), folder=ROOT/'nbs'):
    "The notebook at `path`, run in `folder` and cleaned, as a dict"
    env = {**os.environ, 'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1'}
    env.pop('MPLBACKEND', None) # the kernel draws inline, as plain PNG
    with tempfile.TemporaryDirectory() as sockets:
        client = _Client(nbformat.read(path, as_version=4), kernel_name='python3', timeout=None, coalesce_streams=True,
                         resources={'metadata': {'path': str(folder)}},
                         config=Config(KernelManager={'transport': 'ipc', 'ip': f'{sockets}/kernel'}))
        client.flags = flags
        nb = json.loads(nbformat.writes(client.execute(env=env)))
    clean_nb(nb)
    tidy(nb)
    return nb

def keep(stored, given):
    "The new run, with stored outputs where they still agree"
    nb = copy.deepcopy(given)
    for old, new in zip(stored['cells'], nb['cells'], strict=True):
        if old['cell_type']=='code' and old['outputs'] and not difference(old, new): new['outputs'] = old['outputs']
    return nb

def store(nb, path):
    "Write the notebook `nb` to `path`, whole or not at all"
    text = nb2str(nb)
    if path.exists() and path.read_text(encoding='utf-8')==text: return
    part = path.with_name(f'_{path.name}.part')
    part.write_text(text, encoding='utf-8')
    os.replace(part, path)

def run(path, flags=(), write=False, folder=ROOT/'nbs'):
    "Run the notebook at `path` once; what is wrong with it, in lines"
    stored = json.loads(path.read_text(encoding='utf-8'))
    try: given = execute(path, flags, folder)
    except CellExecutionError as e: return ['a cell fails', re.sub(r'\x1b\[[\d;]*m', '', str(e))]
    if write: return store(keep(stored, given), path) or []
    wrong = [f'{what}\n{source}\n' for source, what in compare(stored, given)]
    return [f'{len(wrong)} stale output{"s" * (len(wrong) > 1)}; look, then run python tools/execute.py {path.name} --write', *wrong] if wrong else []

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('notebooks', nargs='*', type=Path, help='default: all')
    p.add_argument('--write', action='store_true', help='store the outputs instead of comparing them')
    p.add_argument('--flags', nargs='*', default=[], choices=FLAGS, help='run these cells too')
    p.add_argument('--jobs', type=int, default=2, help='notebooks at a time')
    a = p.parse_args()
    if 'data' in a.flags and not data_folder(): sys.exit('no data folder: set CALIB_NB_DATA or leave out --flags data')
    def one(path):
        start = time.time()
        wrong = run(path, a.flags, a.write)
        how = 'FAILED' if wrong else 'stored' if a.write else 'as stored'
        print(f'{path.name}: {how}, {time.time() - start:.0f} s', *wrong, sep='\n', flush=True)
        return bool(wrong)
    with ThreadPoolExecutor(a.jobs) as pool: failed = list(pool.map(one, a.notebooks or notebooks()[::-1])) # the longest come first
    if any(failed): sys.exit(f'{sum(failed)} of {len(failed)} notebooks failed')

if __name__=='__main__': main()
