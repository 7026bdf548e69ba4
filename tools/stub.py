"""Write calib_nb/__init__.pyi, which tells type checkers what `calib_nb/__init__.py` loads when it is asked for:
`python tools/stub.py [--check]`."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

def stub():
    "The text of the stub, from the table of public names"
    from calib_nb import _table
    names = [f'from .{module} import {n} as {n}' for module, names in _table.items() for n in names.split()]
    modules = [f'from . import {m} as {m}' for m in _table]
    head, tail = '# written by tools/stub.py from the table in __init__.py', ['', '__version__: str', '__all__: list[str]', '']
    return '\n'.join([head, *names, *modules, *tail])

def main():
    file, text = ROOT/'calib_nb/__init__.pyi', stub()
    if '--check' not in sys.argv: file.write_text(text, encoding='utf-8')
    elif not file.exists() or file.read_text(encoding='utf-8') != text: sys.exit('calib_nb/__init__.pyi is stale: run python tools/stub.py')

if __name__=='__main__': main()
