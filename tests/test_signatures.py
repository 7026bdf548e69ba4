"""What help, editors and type checkers are told: every parameter, what comes back, and types that resolve."""
import dataclasses, importlib, inspect, linecache, pydoc, re, shutil, subprocess, sys, time, typing, zipfile
from contextlib import contextmanager
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import FunctionType

import numpy
import pytest
from folders import ROOT
from fastcore.docments import docments

import calib_nb
from calib_nb.signatures import _read, document_all, documented

MODULES = sorted(p.stem for p in (ROOT/'calib_nb').glob('[!_]*.py'))

def functions(name, obj):
    "A public name as the functions, properties and classes that must be documented, by name"
    yield name, obj
    if not isinstance(obj, type): return
    for base in obj.__mro__:
        if not base.__module__.startswith('calib_nb'): continue
        for k, v in vars(base).items():
            if k[0] != '_' and isinstance(v, (FunctionType, property, cached_property, classmethod, staticmethod)) and getattr(obj, k, None) is not None:
                yield f'{name}.{k}', getattr(v, '__func__', v)

PROMISED = dict(o for name in calib_nb.__all__ for o in functions(name, getattr(calib_nb, name)))
CALLABLE = {k: v for k, v in PROMISED.items() if callable(v) and not (isinstance(v, type) and issubclass(v, Exception))}

def told(obj):
    "Parameters and returns of a docstring in numpydoc's form: name -> description"
    doc, res = inspect.getdoc(obj) or '', {}
    for part in re.split(r'\n\n(?=(?:Parameters|Returns)\n-+\n)', doc)[1:]:
        head, _, *lines = part.split('\n')
        for line in lines:
            if not line.startswith(' '): names = line.split(' : ')[0].split(', ') if head == 'Parameters' else ['return']
            for n in names: res[n.lstrip('*')] = line.strip() if line.startswith(' ') else res.get(n.lstrip('*'), '')
    return doc.split('\n')[0], res

@pytest.mark.parametrize('name', CALLABLE)
def test_everything_is_told(name):
    obj = CALLABLE[name]
    first, parts = told(obj)
    assert first and not first.startswith('Parameters')
    sig = inspect.signature(obj)
    for p in sig.parameters:
        if p not in ('self', 'cls'): assert parts.get(p), f'{name}: no word on {p}'
    if not isinstance(obj, type):
        assert sig.return_annotation is not inspect.Signature.empty, f'{name}: no ->'
        if sig.return_annotation not in (None, 'None'): assert parts.get('return'), f'{name}: no word on what comes back'
    assert not re.search('[`$]', ' '.join(parts.values())), f'{name}: a comment is plain text'

@pytest.mark.parametrize('name', [k for k, v in PROMISED.items() if isinstance(v, (property, cached_property))])
def test_property_is_told(name): assert PROMISED[name].__doc__

@pytest.mark.parametrize('name', PROMISED)
def test_types_resolve(name):
    obj = PROMISED[name]
    f = obj.fget if isinstance(obj, property) else obj.func if isinstance(obj, cached_property) else obj
    hints = typing.get_type_hints(f)
    if not isinstance(f, type): assert 'return' in hints

@pytest.mark.parametrize('module', MODULES)
def test_as_the_pages_have_it(module):
    "Wherever fastcore finds a comment, the docstring has the same one"
    for name, obj in vars(importlib.import_module(f'calib_nb.{module}')).items():
        if name[0] == '_' or getattr(obj, '__module__', None) != f'calib_nb.{module}' or not inspect.isroutine(obj) and not dataclasses.is_dataclass(obj): continue
        doc, obj.__doc__ = obj.__doc__, None         # fastcore reads docstrings too
        try: found = docments(obj)
        finally: obj.__doc__ = doc
        parts = told(obj)[1]
        for k, note in found.items():
            if note and not (k == 'return' and inspect.signature(obj).return_annotation == 'None'): assert parts.get(k) == ' '.join(note.split()), f'{name}, {k}'

def test_help(): assert 'l1, l2 (squared, no root) or max' in pydoc.render_doc(calib_nb.ece)

def run(code, *flags): return subprocess.check_output([sys.executable, *flags, '-c', code], text=True, cwd=ROOT)

def test_imports_stay_light():
    code = 'import sys, calib_nb.metrics, calib_nb.identify; print(*{"fastcore", "pandas", "matplotlib", "sklearn"} & set(sys.modules))'
    assert run(code).split() == []

def test_reading_is_cheap():
    linecache.clearcache()
    spaces = [dict(vars(importlib.import_module(f'calib_nb.{m}'))) for m in MODULES]
    start = time.process_time()
    for space in spaces: document_all(space)
    assert time.process_time() - start < .25         # about .02 where nothing else runs

def test_without_docstrings(): assert run('import calib_nb; print(calib_nb.ece.__doc__)', '-OO').strip() == 'None'

def test_zip(tmp_path):
    "A module in a zip file has lines; one without source stays as it is"
    source = 'from calib_nb.signatures import documented\n@documented\ndef f(a): # what a is\n    "Short."\n'
    with zipfile.ZipFile(tmp_path/'a.zip', 'w') as z: z.writestr('zipped_a.py', source)
    (tmp_path/'plain_b.py').write_text(source)
    code = f'import sys; sys.path[:0] = [{str(tmp_path/"a.zip")!r}, {str(tmp_path)!r}]; import '
    assert 'what a is' in run(code + 'zipped_a; print(zipped_a.f.__doc__)')
    subprocess.check_call([sys.executable, '-m', 'compileall', '-q', '-b', str(tmp_path/'plain_b.py')])
    (tmp_path/'plain_b.py').unlink()
    assert run(code + 'plain_b; print(plain_b.f.__doc__)').strip() == 'Short.'

@documented
class Plain:
    "Not a dataclass."
    size:int=3 # not what it is made from
    def __init__(self, a, *rest, # what it needs
                 key=lambda x, y=2: (x, y), # how to sort
                 text:'str'="#, '", # quoted
                 **more): # anything else
        pass
    @staticmethod
    def still(a)->int: return 1 # always 1
    @cached_property
    def kept(self)->int: return 1 # counted once
    async def later(self, b, # what to wait for
                   )->None: "Wait."

@documented
@dataclasses.dataclass
class Base:
    "Fields."
    x:int # first
    y:list[int] = dataclasses.field(default_factory=list) # second, with a, comma
    z:float=0.; w:float=0. # in one row
    # said above
    v:str=''
    hidden:int = dataclasses.field(init=False, default=1) # made inside

@documented
@dataclasses.dataclass
class Derived(Base):
    "More fields."
    u:int=0 # of its own

def test_classes():
    assert told(Plain)[1] == dict(a='what it needs', rest='what it needs', key='how to sort', text='quoted', more='anything else')
    assert "text : str, default \"#, '\"" in Plain.__doc__ and 'key : default lambda x, y=2: (x, y)' in Plain.__doc__
    assert told(Plain.still)[1]['return'] == 'always 1'
    assert Plain.__dict__['kept'].__doc__ == 'counted once' and told(Plain.later)[1] == dict(b='what to wait for')
    assert 'y : list[int]\n' in Base.__doc__ and 'u : int, default 0\n' in Derived.__doc__
    assert told(Derived)[1] == dict(x='first', y='second, with a, comma', z='in one row', w='in one row', v='said above', u='of its own')

def test_wrapped():
    @documented
    @contextmanager
    def held(a, # what to hold
            )->typing.Iterator[int]: # the same
        "Hold it."
        yield a
    @documented
    @lru_cache(maxsize=2)
    def kept(a, # what to keep
            )->int: # the same
        "Keep it."
        return a
    assert told(held)[1] == {'a': 'what to hold', 'return': 'the same'} and told(kept)[1] == {'a': 'what to keep', 'return': 'the same'}
    assert documented(partial(max, 1)) and documented(len) is len and documented(type(None)) is type(None)

def test_changed_file(tmp_path):
    "Lines that name other parameters are not believed"
    path = tmp_path/'changed.py'
    path.write_text('def f(z): # another one\n    pass\n')
    space = {}
    exec(compile('def f(a): # of old\n    "Short."\n', str(path), 'exec'), space)
    assert documented(space['f']).__doc__ == 'Short.'

@pytest.mark.parametrize('text', ['', '(', '(a', '(a, # x', '(a:dict[', '"""', '(a="', '(lambda', '(a)->', ')', '(a=[}]):', '(a # \\', '\n\n#'])
def test_torn_text(text): _read(text, 0); _read(text, min(1, len(text)), fields=True)

@pytest.mark.slow
def test_installed_types(tmp_path):
    "A program that uses the installed package is checked against its types"
    subprocess.check_call([sys.executable, '-m', 'venv', '--without-pip', str(tmp_path/'venv')])
    site = next((tmp_path/'venv').glob('lib/python*/site-packages'))
    shutil.copytree(ROOT/'calib_nb', site/'calib_nb')
    (site/'others.pth').write_text(str(Path(numpy.__file__).parent.parent))
    good = 'from calib_nb import Channels, ece, evaluate\nx: float = ece([.1, .9], [0, 1], bins=[0, .5, 1])\nv: float = evaluate([.1], [[1]]).nc_ece.value\nc = Channels([.1], [.9])\n'
    for name, text, status in ('good', good, 0), ('bad', good + 'y: str = x\nece([.1], [1], norm=3)\n', 1):
        (tmp_path/f'{name}.py').write_text(text)
        res = subprocess.run([sys.executable, '-m', 'mypy', '--python-executable', str(tmp_path/'venv/bin/python'), '--cache-dir', str(tmp_path/'cache'), f'{name}.py'],
                             cwd=tmp_path, capture_output=True, text=True)
        assert res.returncode == status, res.stdout
        assert res.stdout.count('error:') == 2*status, res.stdout

def test_stub():
    from stub import stub
    assert (ROOT/'calib_nb/__init__.pyi').read_text(encoding='utf-8') == stub(), 'run python tools/stub.py'
