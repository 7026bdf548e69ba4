"""Run notebooks and store their outputs: `python tools/execute.py [nbs/10_metrics.ipynb ...] [--flags slow data] [--jobs 2]`.

Cells flagged `#| eval: false`, `#| slow` or `#| data` are left as they are, old outputs and all, unless their flag is given.
A notebook that fails is not written.
"""
import argparse, json, os, re, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from execnb.nbio import nb2str
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbdev.clean import clean_nb
from traitlets.config import Config

from tidy import tidy

ROOT = Path(__file__).resolve().parent.parent
FLAGS = 'slow', 'data'

def notebooks(): return sorted((ROOT/'nbs').glob('[!_.]*.ipynb'))

def data_folder():
    "The folder named by CALIB_NB_DATA, else `shared/data` beside the current folder or any folder above it, else None"
    if named := os.environ.get('CALIB_NB_DATA'): places = [Path(named)]
    else: places = [p/'shared/data' for p in (ROOT, *ROOT.parents)]
    return next((p for p in places if p.is_dir()), None)

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

def execute(path, out=None, flags=()):
    "Run the notebook at `path`, in the folder nbs, and write it cleaned to `out` (default: in place)"
    path, out = Path(path), Path(out or path)
    env = {**os.environ, 'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1'}
    env.pop('MPLBACKEND', None) # the kernel draws inline, as plain PNG
    with tempfile.TemporaryDirectory() as sockets:
        client = _Client(nbformat.read(path, as_version=4), kernel_name='python3', timeout=None, coalesce_streams=True,
                         resources={'metadata': {'path': str(ROOT/'nbs')}},
                         config=Config(KernelManager={'transport': 'ipc', 'ip': f'{sockets}/kernel'}))
        client.flags = flags
        nb = json.loads(nbformat.writes(client.execute(env=env)))
    clean_nb(nb)
    tidy(nb)
    text = nb2str(nb)
    if out.exists() and out.read_text(encoding='utf-8')==text: return
    part = out.with_name(f'_{out.name}.part')
    part.write_text(text, encoding='utf-8')
    os.replace(part, out)

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('notebooks', nargs='*', type=Path, help='default: all')
    p.add_argument('--flags', nargs='*', default=[], choices=FLAGS, help='run these cells too')
    p.add_argument('--jobs', type=int, default=1, help='notebooks at a time')
    a = p.parse_args()
    if 'data' in a.flags and not data_folder(): sys.exit('no data folder: set CALIB_NB_DATA or leave out --flags data')
    def one(path):
        try: execute(path, flags=a.flags)
        except CellExecutionError as e: return print(f'{path.name}: FAILED\n{e}', file=sys.stderr) or 1
        print(f'{path.name}: done')
        return 0
    with ThreadPoolExecutor(a.jobs) as pool: sys.exit(max(pool.map(one, a.notebooks or notebooks()), default=0))

if __name__=='__main__': main()
