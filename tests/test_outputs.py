"""The outputs stored in the notebooks are the ones the notebooks give."""
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from execute import data_folder, execute, notebooks, skipped

FLAGS = ['data'] if data_folder() else []

@pytest.fixture(scope='session')
def fresh(tmp_path_factory):
    "Name of a notebook -> its run, two at a time in a temporary folder"
    folder = tmp_path_factory.mktemp('nbs')
    def run(path):
        execute(path, folder/path.name, FLAGS)
        return folder/path.name
    with ThreadPoolExecutor(2) as pool: yield {p.name: pool.submit(run, p) for p in notebooks()}

def texts(path):
    "Source and text outputs of each code cell that must give the same again; a picture counts, what is on it does not"
    for cell in json.loads(path.read_text(encoding='utf-8'))['cells']:
        source = ''.join(cell['source'])
        if cell['cell_type']!='code' or skipped(cell, FLAGS) or 'show_doc(' in source: continue
        res = []
        for out in cell['outputs']:
            if out['output_type']=='stream': res += [''.join(out['text'])]*(out['name']=='stdout')
            elif 'image/png' in out['data'] or 'image/svg+xml' in out['data']: res.append('a picture')
            else: res.append({kind: ''.join(data) for kind, data in out['data'].items()})
        yield source, res

@pytest.mark.parametrize('path', notebooks(), ids=lambda p: p.stem)
def test_stored_outputs(path, fresh):
    new = list(texts(fresh[path.name].result()))
    for (source, stored), (_, given) in zip(texts(path), new, strict=True):
        assert stored == given, f'{path.name}: stale output; run python tools/execute.py nbs/{path.name}\n{source}'
