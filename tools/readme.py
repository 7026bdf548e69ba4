"""README.md from nbs/index.ipynb: `python tools/readme.py`, or `--check` to compare only."""
import base64, json, re, sys

import yaml
from docs import number
from nbfilter import ROOT, pages, process

def _options(source):
    "The `#|` options of a code cell, and its code"
    top = re.match(r'(#\|.*\n?)*', source)[0]
    return yaml.safe_load(re.sub('^#[|]', '', top, flags=re.M)) or {}, source[len(top):].strip()

def _output(out, opts, files):
    "One stored output as Markdown; a picture goes to `files`"
    data = {k: ''.join(v) for k, v in out.get('data', {}).items()}
    if 'image/png' in data:
        name = f'README_files/{opts["label"]}.png'
        files[name] = base64.b64decode(data['image/png'])
        return f'![{opts.get("fig-alt", "")}]({name})\n\n*{opts.get("fig-cap", "")}*'
    if 'text/markdown' in data: return data['text/markdown'].strip()
    text = data.get('text/plain') or (''.join(out.get('text', '')) if out.get('name')=='stdout' else '')
    return re.sub('^(?=.)', '    ', text.rstrip(), flags=re.M)

def readme():
    "The text of README.md, and its pictures"
    index = ROOT/'nbs/index.ipynb'
    nb, files, parts = json.loads(process(index.read_text(encoding='utf-8'), index.name)), {}, []
    number(nb['cells'], index.name)
    for c in nb['cells']:
        if c['cell_type']=='raw':
            head = yaml.safe_load(c['source'].strip().strip('-'))
            parts.append(f'# {head["title"]}\n\n> {head["description"]}')
        elif c['cell_type']=='markdown': parts.append(c['source'].strip())
        else:
            opts, code = _options(c['source'])
            if opts.get('include') is False: continue
            if code and opts.get('echo') is not False: parts.append(f'```python\n{code}\n```')
            if opts.get('output') is not False: parts += [_output(o, opts, files) for o in c['outputs']]
    text = '\n\n'.join(filter(None, parts)) + '\n'
    text = re.sub(r'\[\]\{#[\w-]+\}\n', '', text)                             # anchors and links that only the site has
    text = re.sub(r'\[([^\]]+)\]\(#(eq|fig|tbl)-[\w-]+\)', r'\1', text)
    text = re.sub(r'\]\((\w+)\.(html|ipynb)(#[^)\s]*)?\)', lambda m: f'](nbs/{m[1]}.ipynb)' if m[1] in pages().values() else m[0], text)
    return text, files

def main():
    text, files = readme()
    files['README.md'] = text.encode()
    if '--check' in sys.argv:
        stale = [name for name, data in files.items() if not (ROOT/name).exists() or (ROOT/name).read_bytes()!=data]
        if stale: sys.exit(f'{", ".join(stale)}: not what nbs/index.ipynb gives; run python tools/readme.py')
        return print('README.md is what nbs/index.ipynb gives')
    for name, data in files.items():
        (ROOT/name).parent.mkdir(exist_ok=True)
        (ROOT/name).write_bytes(data)

if __name__=='__main__': main()
