"""The site, built without Quarto and read from _stage/_docs without a network: `python tools/docs.py [KATEX]`.

KATEX is the folder `dist` of the npm package katex 0.16.11; without it formulas are drawn by a script from the web.
Fails where smalldocs warns, and at every link or anchor of the site that leads nowhere.
"""
import json, re, shutil, subprocess, sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml
from nbfilter import ROOT, process

CDN = re.compile(r'https://cdn\.jsdelivr\.net/npm/katex@[\d.]+/dist')
WORDS = {'eq': 'Equation', 'fig': 'Figure', 'tbl': 'Table'}

def number(cells, name):
    "Number equations, figures and tables as Quarto does, and turn `@eq-…`, `@fig-…`, `@tbl-…` into links; sources become strings"
    numbers = {}
    def new(label):
        numbers[label] = 1 + sum(o.startswith(label.split('-')[0]) for o in numbers)
        return numbers[label]
    def equation(m): return f'[]{{#{m[2]}}}\n$${m[1].rstrip()} \\tag{{{new(m[2])}}}$$'
    def ref(m):
        if m[0][1:] not in numbers: sys.exit(f'{name}: {m[0]} leads nowhere')
        return f'[{WORDS[m[1]]} {numbers[m[0][1:]]}](#{m[0][1:]})'
    for c in cells:
        s = ''.join(c['source'])
        if c['cell_type']=='markdown': s = re.sub(r'\$\$(.+?)\$\$\s*\{#(eq-[\w-]+)\}', equation, s, flags=re.S)
        elif m := re.search(r'^#\| label: ((fig|tbl)-[\w-]+)$', s, re.M):
            title = f'{WORDS[m[2]]} {new(m[1])}: '
            s = re.sub(r'(?<=-cap: ).*', lambda m: json.dumps(title + yaml.safe_load(m[0]), ensure_ascii=False), s, count=1)
        c['source'] = s
    for c in cells:
        if c['cell_type']=='markdown': c['source'] = re.sub(r'(?<![\w`])@(eq|fig|tbl)-\w[\w-]*', ref, c['source'])

def stage(root, out):
    "Copy `root`'s site to `out`, as smalldocs wants it"
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(root/'nbs', out/'nbs', ignore=shutil.ignore_patterns('*.ipynb', '.*', '_*'))
    for f in sorted((root/'nbs').glob('[!_.]*.ipynb')):
        nb = json.loads(process(f.read_text(encoding='utf-8'), f.name))
        number(nb['cells'], f.name)
        for c in nb['cells']:
            if c['cell_type']=='raw': c['source'] = re.sub(r'^aliases:.*\n(- .*\n)*', '', c['source'], flags=re.M)
        (out/'nbs'/f.name).write_text(json.dumps(nb), encoding='utf-8')
    cfg = yaml.safe_load((root/'_quarto.yml').read_text(encoding='utf-8'))
    del cfg['ipynb-filters']
    (out/'_quarto.yml').write_text(yaml.safe_dump(cfg, sort_keys=False), encoding='utf-8')

TABLES = '<style>.dataframe{border:0;border-collapse:collapse;display:block;overflow-x:auto}.dataframe th,.dataframe td{padding:.15rem .6rem;border:0;border-bottom:1px solid #ddd}</style>'

def finish(site, katex):
    "The redirect of the front page, room in the tables, and KaTeX in its place"
    (site/'index.html').write_text('<meta http-equiv="refresh" content="0; url=nbs/index.html"><a href="nbs/index.html">calib_nb</a>')
    for page in site.rglob('*.html'): page.write_text(page.read_text(encoding='utf-8').replace('</head>', TABLES + '</head>', 1), encoding='utf-8')
    if not katex: return
    to = site/'site_libs/katex'
    for f in [*katex.glob('katex.min.*'), *katex.glob('fonts/*.woff2'), katex/'contrib/auto-render.min.js']:
        (to/f.relative_to(katex)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(f, to/f.relative_to(katex))
    for page in site.rglob('*.html'):
        up = '../'*(len(page.relative_to(site).parts)-1)
        page.write_text(CDN.sub(f'{up}site_libs/katex', page.read_text(encoding='utf-8')), encoding='utf-8')

class Page(HTMLParser):
    "The ids and the links of a page"
    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(path.read_text(encoding='utf-8'))
    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.add(attrs.get('id'))
        self.links += [attrs[k] for k in ('href', 'src') if attrs.get(k)]

def dead(site):
    "The links and anchors inside `site` that lead nowhere"
    pages = {p.resolve(): Page(p) for p in site.rglob('*.html')}
    for path, page in pages.items():
        for link in page.links:
            url = urlsplit(link)
            if url.scheme or url.netloc: continue
            to = (path.parent/unquote(url.path)).resolve() if url.path else path
            if to.is_dir(): to /= 'index.html'
            if not to.exists(): yield f'{path.relative_to(site.resolve())}: dead link {link}'
            elif url.fragment and to in pages and unquote(url.fragment) not in pages[to].ids:
                yield f'{path.relative_to(site.resolve())}: dead anchor {link}'

def main(katex=None):
    out = ROOT/'_stage'
    stage(ROOT, out)
    if subprocess.run([Path(sys.executable).parent/'smalldocs', 'render', '--strict', out]).returncode: sys.exit(1)
    finish(out/'_docs', katex and Path(katex))
    bad = sorted(set(dead(out/'_docs')))
    print(*bad or [f'{out.name}/_docs: every link and anchor leads somewhere'], sep='\n')
    sys.exit(bool(bad))

if __name__=='__main__': main(*sys.argv[1:])
