"""Where things are."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

def data_folder():
    "The folder named by CALIB_NB_DATA, else `shared/data` beside the current folder or any folder above it, else None"
    if named := os.environ.get('CALIB_NB_DATA'): places = [Path(named)]
    else: places = [p/'shared/data' for p in (ROOT, *ROOT.parents)]
    return next((p for p in places if p.is_dir()), None)

def notebooks(): return sorted((ROOT/'nbs').glob('[!_.]*.ipynb'))
