"""The site, built without Quarto and read from _stage/_docs without a network: `python tools/docs.py [KATEX]`.

KATEX is the folder `dist` of the npm package katex 0.16.11; without it formulas are drawn by a script from the web.
Fails where smalldocs warns, at every link or anchor of the site that leads nowhere, and at every page that a reader
would find broken.
"""
import json, os, re, shutil, subprocess, sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml
from nbfilter import ROOT, page, raw_url

CDN = re.compile(r'https://cdn\.jsdelivr\.net/npm/katex@[\d.]+/dist')
FONTS = re.compile(r'@import url\(["\']?https?:[^)]*\);?')
WORDS = {'eq': 'Equation', 'fig': 'Figure', 'tbl': 'Table'}
QUARTO_ONLY = 'tbl-colwidths', 'grid', 'respect-user-color-scheme' # what smalldocs does by itself

def number(cells, name):
    "Number equations, figures, tables as Quarto does, and link `@eq-…`, `@fig-…`, `@tbl-…`; sources become strings"
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
            caption = lambda m: json.dumps(title + yaml.safe_load(m[0]), ensure_ascii=False)
            s = re.sub(r'(?<=-cap: ).*', caption, s, count=1)
        c['source'] = s
    for c in cells:
        if c['cell_type']=='markdown': c['source'] = re.sub(r'(?<![\w`])@(eq|fig|tbl)-\w[\w-]*', ref, c['source'])

def config(root=ROOT): return yaml.safe_load((root/'_quarto.yml').read_text(encoding='utf-8'))

def rendered(root=ROOT):
    "The sources of the site's pages, as `render` of _quarto.yml lists them"
    found = [f.relative_to(root) for o in config(root)['project']['render'] for f in sorted(root.glob(o))]
    return list(dict.fromkeys(f for f in found if f.name[0] not in '._'))

def stage(root, out):
    "Copy `root`'s site to `out`, as smalldocs wants it"
    cfg = config(root)
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(root/'nbs', out/'nbs', ignore=shutil.ignore_patterns('*.ipynb', '.*', '_*'))
    html = cfg['format']['html']
    for name in [html['css'], html['include-after-body'], cfg['website']['favicon']]:
        (out/name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root/name, out/name)
    for f in rendered(root):
        text = (root/f).read_text(encoding='utf-8')
        if f.suffix=='.ipynb':
            nb = json.loads(page(text))
            number(nb['cells'], f.name)
            for c in nb['cells']:
                if c['cell_type']=='raw': c['source'] = re.sub(r'^aliases:.*\n(- .*\n)*', '', c['source'], flags=re.M)
            text = json.dumps(nb)
        (out/f).parent.mkdir(parents=True, exist_ok=True)
        (out/f).write_text(text, encoding='utf-8')
    del cfg['ipynb-filters']
    for key in QUARTO_ONLY: del html[key]
    html['theme'] = {mode: names[0] for mode, names in html['theme'].items()} # without Sass
    (out/'_quarto.yml').write_text(yaml.safe_dump(cfg, sort_keys=False), encoding='utf-8')

def edit(path, *changes):
    "Rewrite a file by (what, by what), what a text or a pattern"
    text = path.read_text(encoding='utf-8')
    for old, new in changes: text = old.sub(new, text) if isinstance(old, re.Pattern) else text.replace(old, new)
    path.write_text(text, encoding='utf-8')

MOVED = '<!doctype html><title>calib_nb</title><meta http-equiv="refresh" content="0; url={0}"><a href="{0}">calib_nb</a>'

def redirect(root, site):
    "At each former address of a chapter a page that leads to where it is now; Quarto makes these by itself"
    for f in [f for f in rendered(root) if f.suffix=='.ipynb']:
        cells = json.loads(page((root/f).read_text(encoding='utf-8')))['cells']
        heads = [yaml.safe_load(''.join(c['source']).strip().strip('-')) for c in cells if c['cell_type']=='raw']
        for name in heads[0].get('aliases', []) if heads else []:
            old = site/name[1:] if name.startswith('/') else site/f.parent/name
            if old.exists(): continue # the front page
            to = Path(os.path.relpath(site/f.with_suffix('.html'), old.parent)).as_posix()
            old.write_text(MOVED.format(to), encoding='utf-8')

def finish(site, katex):
    "The front page, search and notebooks without a server, no font from the web, and KaTeX in its place"
    libs = site/'site_libs'
    for css in libs.glob('themes/**/*.css'): edit(css, (FONTS, ''))
    script, search, index = libs/'smalldocs.js', ROOT/'tools/search.js', site/'search.json'
    script.write_text(search.read_text(encoding='utf-8') + script.read_text(encoding='utf-8'), encoding='utf-8')
    (libs/'search-index.js').write_text('window.searchIndex = ' + index.read_text(encoding='utf-8'), encoding='utf-8')
    if katex:
        for f in [*katex.glob('katex.min.*'), *katex.glob('fonts/*.woff2'), katex/'contrib/auto-render.min.js']:
            to = libs/'katex'/f.relative_to(katex)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(f, to)
    for f in site.rglob('*.html'):
        up = '../'*(len(f.relative_to(site).parts)-1) or './'
        edit(f, (f'href="{up}"', f'href="{up}index.html"'), (raw_url(f.stem), f'{f.stem}.ipynb" download="'),
             *([(CDN, f'{up}site_libs/katex')] if katex else []))
        if f.parent.name=='nbs': shutil.copy(ROOT/f'nbs/{f.stem}.ipynb', f.parent)
    (site/'index.html').write_text(MOVED.format('nbs/index.html'), encoding='utf-8')

class Page(HTMLParser):
    "The ids, links and title of a page, what it loads, and its text outside of code, formulas and scripts"
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.texts, self.title, self._inside = set(), [], [], [], '', []
        self.feed(path.read_text(encoding='utf-8'))
    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.add(attrs.get('id'))
        links = [attrs[k] for k in ('href', 'src') if attrs.get(k)]
        self.links += links
        if tag!='a': self.loads += links
        if tag in ('code', 'script', 'style', 'title') or 'math' in (attrs.get('class') or '').split():
            self._inside.append(tag)
    def handle_endtag(self, tag):
        if self._inside[-1:]==[tag]: self._inside.pop()
    def handle_data(self, data):
        if self._inside==['title']: self.title += data
        elif not self._inside: self.texts.append(data)

def dead(path, pages):
    "The links and anchors of the page at `path` that lead nowhere"
    for link in pages[path].links:
        url = urlsplit(link)
        if url.scheme or url.netloc: continue
        to = (path.parent/unquote(url.path)).resolve() if url.path else path
        if not to.is_file(): yield f'dead link {link}'
        elif url.fragment and to in pages and unquote(url.fragment) not in pages[to].ids: yield f'dead anchor {link}'

def spoilt(path, page, local):
    "What a reader of the page would find broken; `local`: may it load nothing from outside?"
    if not page.title: yield 'no title'
    yield from (f'raw formula or reference: {o.strip()[:80]}' for o in page.texts if re.search(r'\$|@(eq|fig|tbl)-', o))
    if local: yield from (f'loads from outside: {o}' for o in page.loads if urlsplit(o).netloc)
    if path.parent.name=='nbs' and f'{path.stem}.ipynb' not in page.links: yield 'no link to its notebook'

def problems(site, katex):
    "All that is wrong with the finished site"
    pages = {p.resolve(): Page(p) for p in sorted(site.rglob('*.html'))}
    names = {p.relative_to(site.resolve()): p for p in pages}
    wanted = {f.with_suffix('.html') for f in rendered(ROOT)} | {Path('index.html')}
    for name in sorted(wanted ^ names.keys()): yield f'{name}: not both in _quarto.yml and built'
    for name, path in names.items():
        for o in [*dead(path, pages), *spoilt(path, pages[path], katex)]: yield f'{name}: {o}'
    for css in site.rglob('*.css'):
        text = css.read_text(encoding='utf-8')
        if re.search(r'(url\(|@import )["\']?https?:', text): yield f'{css.name}: loads from outside'

def main(katex=None):
    out = ROOT/'_stage'
    stage(ROOT, out)
    if subprocess.run([Path(sys.executable).parent/'smalldocs', 'render', '--strict', out]).returncode: sys.exit(1)
    finish(out/'_docs', katex and Path(katex))
    bad = list(problems(out/'_docs', katex))
    redirect(ROOT, out/'_docs')
    print(*bad or [f'{out.name}/_docs: every page is there and whole, every link and anchor leads somewhere'], sep='\n')
    sys.exit(bool(bad))

if __name__=='__main__': main(*sys.argv[1:])
