"""Are two runs of a notebook the same to a person who reads them?

Words must be equal. A number with a decimal point or an exponent may differ by one unit of its last printed digit or by
1e-6 of its size, whichever is larger; a whole number may not differ. A picture may not look different. A cell that can
promise less than 1e-6 says how much, and why:

    #| tolerance: 2e-3, a network trained on another processor takes another path
"""
import base64, html, io, re

import numpy as np
from PIL import Image

DEFAULT = 1e-6
DIRECTIVE = re.compile(r'^#\|\s*tolerance:(.*)$', re.M)
NUMBER = re.compile(r'(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)?(?:(?<=\d)\.\d*|\.\d+)?(?:(?<=[\d.])[eE][-+]?\d+)?(?!\w)')

def tolerance(source):
    "What the cell `source` states, else the default; a cell that states one must give its reason"
    if not (m := DIRECTIVE.search(source)): return DEFAULT
    value, _, reason = m[1].partition(',')
    if not reason.strip(): raise ValueError(f'a cell must say why its numbers may differ: {m[0]}, REASON')
    return float(value)

def tokens(text):
    "The words between the numbers, with one blank for any space, and the numbers as they are printed"
    text = re.sub('-{3,}', '---', html.unescape(text).replace('\N{MINUS SIGN}', '-'))
    numbers = [m for m in NUMBER.finditer(text) if m[0].strip('+-')]
    edges = [0, *(i for m in numbers for i in m.span()), len(text)]
    words = [' '.join(text[a:b].split()) for a, b in zip(edges[::2], edges[1::2])]
    return words, [m[0].replace(',', '') for m in numbers]

def unit(number):
    "The size of a printed number's last digit, 0 for a whole number"
    digits, _, power = number.lower().partition('e')
    decimals = len(digits.partition('.')[2])
    return 10.**(int(power or 0) - decimals) if power or decimals else 0.

def agree(a, b, tol):
    "Are two printed numbers the same, as far as they are given?"
    if a == b: return True
    x, y, units = float(a), float(b), [u for u in (unit(a), unit(b)) if u]
    if not units: return x == y
    return abs(x - y) <= max(min(units) * (1 + 1e-9), tol * max(abs(x), abs(y)))

def text_difference(stored, given, tol=DEFAULT):
    "What differs between two texts, in words; None where nothing does"
    (words, numbers), (new_words, new_numbers) = tokens(stored), tokens(given)
    if words != new_words or len(numbers) != len(new_numbers):
        a, b = stored.splitlines(), given.splitlines()
        i = next((i for i, (p, q) in enumerate(zip(a, b)) if p != q), min(len(a), len(b)))
        return f'stored {"".join(a[i:i + 1])[:200]!r}, now {"".join(b[i:i + 1])[:200]!r}'
    wrong = [f'{a}, now {b}' for a, b in zip(numbers, new_numbers) if not agree(a, b, tol)]
    return f'stored {"; ".join(wrong[:5])} ({len(wrong)} of {len(numbers)} numbers)' if wrong else None

def picture_difference(stored, given):
    "Does a PNG look different? Edges may be smoothed otherwise; None where nobody sees a difference"
    if stored == given: return None
    a, b = (np.asarray(Image.open(io.BytesIO(base64.b64decode(o))).convert('RGB'), float) for o in (stored, given))
    if a.shape != b.shape: return f'a picture of {a.shape[1]} x {a.shape[0]} pixels, now {b.shape[1]} x {b.shape[0]}'
    share = (abs(a - b) > 64).any(-1).mean()
    return f'{share:.2%} of a picture look different' if share > 5e-4 else None

def shown(cell):
    "The outputs of a code cell that must come again: a list of (kind, what it holds)"
    for out in cell['outputs']:
        if out['output_type'] == 'stream':
            if out['name'] == 'stdout': yield 'text', ''.join(out['text'])
            continue
        data = {kind: ''.join(o) for kind, o in out.get('data', {}).items()}
        if 'image/png' in data: data.pop('text/plain', None)
        yield from data.items()

def difference(stored, given):
    "What differs between two runs of a code cell, in words; None where nothing does"
    old, new, tol = list(shown(stored)), list(shown(given)), tolerance(''.join(given['source']))
    if [kind for kind, _ in old] != [kind for kind, _ in new]:
        names = [', '.join(kind for kind, _ in o) or 'nothing' for o in (old, new)]
        return f'stored {names[0]}; now {names[1]}'
    for (kind, a), (_, b) in zip(old, new):
        if d := picture_difference(a, b) if kind == 'image/png' else text_difference(a, b, tol): return d

def compare(stored, given):
    "The cells of a notebook that differ between two runs: (start of the source, what differs)"
    old, new = ([c for c in nb['cells'] if c['cell_type'] == 'code'] for nb in (stored, given))
    for a, b in zip(old, new, strict=True):
        if d := difference(a, b): yield ''.join(b['source']).strip()[:200], d
