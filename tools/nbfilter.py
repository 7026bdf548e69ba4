"""What a reader sees of one notebook: a Quarto filter, notebook in by stdin, notebook out by stdout.

nbdev's own processors do the work (hide, export, signatures, links); this repairs what they lose on the way.
"""
import contextlib, importlib, inspect, json, os, re, sys
from pathlib import Path

import fastcore.docments
from execnb.nbio import dict2nb, nb2str
from fastcore.docments import DocmentText
from nbdev.config import get_config
from nbdev.processors import FilterDefaults

ROOT = Path(__file__).resolve().parent.parent

class _Text(DocmentText):
    "A signature with the `*` of keyword-only arguments, the comments of dataclass fields, and no invented `NoneType`."
    module = None # the exported module of the notebook at hand
    def __init__(self, obj, *args, **kwargs):
        if inspect.isclass(obj) and self.module: # comments of fields are read from a file
            obj = getattr(importlib.import_module(self.module), obj.__name__, obj)
        super().__init__(obj, *args, **kwargs)
    @property
    def params(self):
        res = [(name.replace(':NoneType=None', '=None'), doc) for name, doc in super().params]
        try: kinds = {k: p.kind for k, p in inspect.signature(self.obj).parameters.items()}
        except (TypeError, ValueError): return res
        names = [k for k in self.dm if k != 'return']
        only = [i for i, name in enumerate(names) if kinds.get(name) == inspect.Parameter.KEYWORD_ONLY]
        if only and inspect.Parameter.VAR_POSITIONAL not in kinds.values(): res.insert(only[0], ('*', ''))
        return res
    def __str__(self): # without the docstring's sections, which repeat the comments
        return re.sub(r'\n\n(Parameters|Returns)\n-.*', '"', super().__str__(), count=1, flags=re.S)
    __repr__ = __str__

fastcore.docments.DocmentText = _Text

def pages():
    "nbdev's page names, which have no number -> ours, which keep it"
    return {re.sub(r'^\d+[a-z\d]*_', '', p.stem.lower()): p.stem for p in (ROOT/'nbs').glob('[!_.]*.ipynb')}

def plain_code(lines):
    "Markdown `lines` with links inside code blocks turned back to plain text, and no backticks in its comments"
    fenced = False
    for line in lines:
        if line.startswith('```'): fenced = not fenced
        elif fenced:
            code, mark, comment = re.sub(r'\[(`[^`]+`)\]\([^)\s]+\)', r'\1', line).partition(' # ')
            line = code + mark + comment.replace('`', '')
        yield line

def stem(cells):
    "The name of the notebook that has these cells"
    first = f'"id": "{cells[0]["id"]}"'
    return next(p.stem for p in (ROOT/'nbs').glob('[!_.]*.ipynb') if first in p.read_text(encoding='utf-8'))

def process(text, path=None):
    "The notebook `text` as a reader sees it"
    nb = dict2nb(json.loads(text))
    cfg, names = get_config(path=ROOT), pages()
    code = '\n'.join(c.source for c in nb.cells if c.cell_type=='code')
    m = re.search(r'^#\|\s*default_exp\s+(\S+)', code, re.M)
    _Text.module = m and f'{cfg.lib_name}.{m[1]}'
    nb.path_ = path or f'{stem(nb.cells)}.ipynb'
    with open(os.devnull, 'w') as null, contextlib.redirect_stdout(null), contextlib.chdir(ROOT): FilterDefaults()(nb)
    base = re.escape(cfg.doc_host.rstrip('/') + cfg.doc_baseurl.rstrip('/') + '/')
    numbered = lambda s: re.sub(base + r'(\w+)\.html', lambda m: names.get(m[1], m[1]) + '.html', s)
    nb = json.loads(numbered(nb2str(nb)))
    for cell in nb['cells']:
        if cell['cell_type']=='raw': cell['source'] = [o for o in cell['source'] if not o.startswith('output-file:')]
        for out in cell.get('outputs', []):
            if md := out.get('data', {}).get('text/markdown'):
                out['data']['text/markdown'] = list(plain_code(''.join(md).splitlines(True)))
    return json.dumps(nb)

def raw_url(name):
    "Where the notebook `name` is downloaded"
    cfg = get_config(path=ROOT)
    return f'{cfg.git_url}/raw/{cfg.branch}/{cfg.nbs_path.name}/{name}.ipynb'

def page(text):
    "`process`, and a last line with links to the notebook itself"
    name = stem(json.loads(text)['cells'])
    nb, url, repo = json.loads(process(text, f'{name}.ipynb')), raw_url(name), get_config(path=ROOT).git_url
    line = (f'This page is a notebook: [source]({url.replace("/raw/", "/blob/", 1)}), [download]({url}), '
            f'[report a mistake]({repo}/issues/new).')
    source = ['::: {.page-source}\n', line + '\n', ':::']
    nb['cells'].append(dict(cell_type='markdown', id='page-source', metadata={}, source=source))
    return json.dumps(nb)

if __name__=='__main__': sys.stdout.write(page(sys.stdin.read()))
