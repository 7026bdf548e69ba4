"""Rules of the house: who may import what, and how long a line, a list of parameters and a chain of arguments may be."""
import ast, importlib, json, re
from dataclasses import is_dataclass
from functools import cache

from folders import ROOT, notebooks

EVERYWHERE = {'signatures'} # takes nothing from another chapter, and is used in all of them
WIDTH, POSITIONAL, FIELDS = 120, 5, 4
MODULES = sorted(p.stem for p in (ROOT/'calib_nb').glob('[!_]*.py'))
NUMBER = {re.sub(r'^\d+_', '', p.stem): p.stem.split('_')[0] for p in notebooks() if p.stem[0].isdigit()}

def source(module): return (ROOT/f'calib_nb/{module}.py').read_text(encoding='utf-8')

@cache
def tree(module): return ast.parse(source(module))

def walk(node):
    "All nodes below `node`, but what only type checkers read."
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and 'TYPE_CHECKING' in ast.unparse(child.test):
            for other in child.orelse: yield other; yield from walk(other)
            continue
        yield child
        yield from walk(child)

def imports(module):
    "(module of this package, name or None) for every import, also those inside functions"
    for node in walk(tree(module)):
        if not isinstance(node, ast.ImportFrom): continue
        parts = (node.module or '').split('.')
        own = node.level == 1 or parts.pop(0) == 'calib_nb'
        if not own: continue
        where = '.'.join(p for p in parts if p)
        for name in node.names:
            if where: yield where, name.name
            elif name.name in MODULES: yield name.name, None

def functions(module):
    return [n for n in walk(tree(module)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]

def positional(f):
    "How many parameters of a function may be given by position, self and cls aside"
    names = [a.arg for a in f.args.posonlyargs + f.args.args]
    return len(names) - (names[:1] in (['self'], ['cls']))

@cache
def dataclasses():
    "The package's dataclasses by name"
    found = [vars(importlib.import_module(f'calib_nb.{m}')) for m in MODULES]
    return {k for names in found for k, v in names.items() if isinstance(v, type) and is_dataclass(v)}

def nothing(f):
    "Fails with all that `f` finds in any module"
    found = {m: v for m in MODULES if (v := list(f(m)))}
    assert not found, '\n'.join(f'{m}: {x}' for m, v in found.items() for x in v)

def test_imports_run_in_no_circle():
    left = {m: {k for k, _ in imports(m)} & set(MODULES) for m in MODULES}
    while free := {m for m, needs in left.items() if not needs & set(left)}:
        for m in free: del left[m]
    assert not left, f'a circle among {left}'

def test_imports_run_to_lower_numbers():
    def backwards(m):
        taken = sorted({k for k, _ in imports(m)} - EVERYWHERE)
        return [f'takes from {k}' for k in taken if NUMBER.get(k, '') > NUMBER[m]]
    nothing(backwards)

def test_no_number_twice():
    assert len(set(NUMBER.values())) == len(NUMBER)

def test_private_names_stay_at_home():
    def taken(m): return sorted(f'{name} of {k}' for k, name in imports(m) if name and name[0] == '_')
    nothing(taken)

def test_modules_have_no_getattr():
    def names(n):
        if isinstance(n, ast.FunctionDef): return [n.name]
        return [ast.unparse(t) for t in n.targets] if isinstance(n, ast.Assign) else []
    def has(m): return ['a __getattr__ of its own' for n in tree(m).body if '__getattr__' in names(n)]
    nothing(has)

def test_lines_are_short():
    def long(m):
        listed = [n for n in tree(m).body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == '__all__']
        made = {i for n in listed for i in range(n.lineno, n.end_lineno + 1)} # nbdev breaks this list by a rule of its own
        rows = [(i, len(s)) for i, s in enumerate(source(m).splitlines(), 1) if i not in made]
        return [f'line {i} has {n} characters' for i, n in rows if n > WIDTH]
    nothing(long)

def test_lines_of_chapters_are_short():
    def long(path):
        cells = [c for c in json.loads(path.read_text(encoding='utf-8'))['cells'] if c['cell_type'] == 'code']
        lines = [s for c in cells for s in ''.join(c['source']).splitlines() if not s.startswith('#|')]
        return [s for s in lines if len(s) > WIDTH]
    found = {p.name: v for p in notebooks() if (v := long(p))}
    assert not found, '\n'.join(f'{k}: {s[:100]}' for k, v in found.items() for s in v)

def test_few_positional_parameters():
    def many(m): return [f'{f.name} has {positional(f)}' for f in functions(m) if positional(f) > POSITIONAL]
    nothing(many)

def test_dataclasses_are_filled_by_name():
    def name(call): return getattr(call.func, 'attr', getattr(call.func, 'id', ''))
    def filled(m):
        calls = [n for n in walk(tree(m)) if isinstance(n, ast.Call) and len(n.args) > FIELDS]
        return [f'line {n.lineno}: {name(n)} with {len(n.args)}' for n in calls if name(n) in dataclasses()]
    nothing(filled)
