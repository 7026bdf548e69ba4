"""Rules of the house: who may import what, and how long a line, a list of parameters and a chain of arguments may be."""
import ast, importlib, re, warnings
from dataclasses import is_dataclass
from functools import cache

from execute import notebooks
from folders import ROOT

# Known exceptions: module -> what there still is. These lists only become shorter; an entry that is no longer needed
# gives a warning.
LONG_LINES:dict = {}
PRIVATE_NAMES:dict = {}
MODULE_GETATTR:dict = {}
MANY_POSITIONAL:dict = {}
MANY_FIELDS:dict = {}
BACKWARDS:dict = {}
TWICE:dict = {}

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

def check(found, known):
    "Nothing is found but what is known."
    new = {m: v for m, v in found.items() if m not in known}
    assert not new, '\n'.join(f'{m}: {x}' for m, v in new.items() for x in v)
    if gone := sorted(set(known) - set(found)): warnings.warn(f'no longer exceptions, take them out of the list: {gone}')

def by_module(f):
    "What `f` finds in each module, where it finds something"
    return {m: v for m in MODULES if (v := list(f(m)))}

def test_imports_run_in_no_circle():
    left = {m: {k for k, _ in imports(m)} & set(MODULES) for m in MODULES}
    while free := {m for m, needs in left.items() if not needs & set(left)}:
        for m in free: del left[m]
    assert not left, f'a circle among {left}'

def test_imports_run_to_lower_numbers():
    def backwards(m):
        taken = sorted({k for k, _ in imports(m)} - EVERYWHERE)
        return [f'takes from {k}' for k in taken if NUMBER.get(k, '') > NUMBER[m]]
    check(by_module(backwards), BACKWARDS)

def test_no_number_twice():
    numbers = [n for m, n in NUMBER.items() if m not in TWICE]
    assert len(set(numbers)) == len(numbers)

def test_private_names_stay_at_home():
    def taken(m): return sorted(f'{name} of {k}' for k, name in imports(m) if name and name[0] == '_')
    check(by_module(taken), PRIVATE_NAMES)

def test_modules_have_no_getattr():
    def names(n):
        if isinstance(n, ast.FunctionDef): return [n.name]
        return [ast.unparse(t) for t in n.targets] if isinstance(n, ast.Assign) else []
    def has(m): return ['a __getattr__ of its own' for n in tree(m).body if '__getattr__' in names(n)]
    check(by_module(has), MODULE_GETATTR)

def test_lines_are_short():
    def long(m):
        listed = [n for n in tree(m).body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) in ('__all__', '_all_')]
        made = {1, *(i for n in listed for i in range(n.lineno, n.end_lineno + 1))} # the title's sentence, lists of names
        rows = [(i, len(s)) for i, s in enumerate(source(m).splitlines(), 1) if i not in made]
        return [f'line {i} has {n} characters' for i, n in rows if n > WIDTH]
    check(by_module(long), LONG_LINES)

def test_few_positional_parameters():
    def many(m): return [f'{f.name} has {positional(f)}' for f in functions(m) if positional(f) > POSITIONAL]
    check(by_module(many), MANY_POSITIONAL)

def test_dataclasses_are_filled_by_name():
    def name(call): return getattr(call.func, 'attr', getattr(call.func, 'id', ''))
    def filled(m):
        calls = [n for n in walk(tree(m)) if isinstance(n, ast.Call) and len(n.args) > FIELDS]
        return [f'line {n.lineno}: {name(n)} with {len(n.args)}' for n in calls if name(n) in dataclasses()]
    check(by_module(filled), MANY_FIELDS)
