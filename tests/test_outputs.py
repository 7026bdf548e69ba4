"""The comparison of a notebook's outputs with the stored ones: what a reader would call a change turns it red, and nothing else does."""
import json

import nbformat
import pytest
from execute import execute, notebooks, run
from nbformat.v4 import new_code_cell, new_notebook
from outputs import compare, text_difference, tolerance

TABLE = """import pandas as pd
pd.DataFrame({'error': [.123456, .5], 'items': [1797, 12]}, index=['corrected', 'soft votes'])"""
CELLS = [TABLE, "print('12 of 1,797 digits are off by 3.35 points')", '1 / 3', '#| slow\nundefined']

@pytest.fixture(scope='module')
def place(tmp_path_factory):
    "A folder with a notebook whose outputs are stored"
    folder = tmp_path_factory.mktemp('chapter')
    cells = [new_code_cell(source, id=f'c{i}') for i, source in enumerate(CELLS)]
    nbformat.write(new_notebook(cells=cells), folder/'chapter.ipynb')
    assert run(folder/'chapter.ipynb', write=True, folder=folder) == []
    return folder

def chapter(place): return json.loads((place/'chapter.ipynb').read_text())

def test_a_run_that_gives_the_same(place):
    before = (place/'chapter.ipynb').read_text()
    assert run(place/'chapter.ipynb', folder=place) == []
    assert run(place/'chapter.ipynb', write=True, folder=place) == []
    assert (place/'chapter.ipynb').read_text() == before and [p.name for p in place.iterdir()] == ['chapter.ipynb']

FAULTS = {'a word': ('soft votes', 'hard votes'), 'a count': ('12 of', '13 of'), 'a count in a table': ('<td>1797</td>', '<td>1798</td>'),
          'a column': ('<th>items</th>', ''), 'a digit beyond what is allowed': ('3.35', '3.37'), 'a digit of a long number': ('0.123456', '0.123458')}

@pytest.mark.parametrize('fault', FAULTS)
def test_a_fault_is_seen(place, tmp_path, fault):
    text = (place/'chapter.ipynb').read_text()
    before, after = (json.dumps(o)[1:-1] for o in FAULTS[fault])
    for cell in (nb := json.loads(text))['cells']:
        cell['outputs'] = json.loads(json.dumps(cell['outputs']).replace(before, after))
    (tmp_path/'chapter.ipynb').write_text(json.dumps(nb))
    assert nb['cells'] != json.loads(text)['cells']
    wrong = run(tmp_path/'chapter.ipynb', folder=place)
    assert '1 stale output' in wrong[0] and len(wrong) == 2

def test_an_output_too_few(place):
    stored, given = chapter(place), chapter(place)
    stored['cells'][2]['outputs'] = []
    [(source, what)] = compare(stored, given)
    assert source == '1 / 3' and what == 'stored nothing; now text/plain'

def test_a_failing_cell_is_not_written(place, tmp_path):
    nb = chapter(place)
    nb['cells'][2]['source'] = ['1 / 0']
    (tmp_path/'chapter.ipynb').write_text(text := json.dumps(nb))
    assert 'ZeroDivisionError' in run(tmp_path/'chapter.ipynb', write=True, folder=place)[1]
    assert (tmp_path/'chapter.ipynb').read_text() == text

def test_what_agrees_stays_as_it_is_stored(place, tmp_path):
    nb = chapter(place)
    nb['cells'][2]['outputs'][0]['data']['text/plain'] = ['0.33333333333333337'] # of another processor
    nb['cells'][1]['outputs'] = []
    (tmp_path/'chapter.ipynb').write_text(json.dumps(nb))
    run(tmp_path/'chapter.ipynb', write=True, folder=place)
    new = json.loads((tmp_path/'chapter.ipynb').read_text())['cells']
    assert new[2]['outputs'] == nb['cells'][2]['outputs'] and new[1]['outputs'] == chapter(place)['cells'][1]['outputs']

def picture(color='k', size=3):
    "A cell with a line in a figure, run"
    source = f"import matplotlib.pyplot as plt\nplt.figure(figsize=({size}, 2)); plt.plot([0, 1], [0, 1], '{color}');"
    return new_code_cell(source, id='picture')

@pytest.mark.parametrize('other, words', [(picture(), None), (picture('r'), 'of a picture look different'), (picture(size=4), 'a picture of')])
def test_pictures(tmp_path, other, words):
    runs = []
    for cell in picture(), other:
        nbformat.write(new_notebook(cells=[cell]), tmp_path/'chapter.ipynb')
        runs.append(execute(tmp_path/'chapter.ipynb', folder=tmp_path))
    found = [what for _, what in compare(*runs)]
    assert found == [] if words is None else words in found[0]

@pytest.mark.parametrize('a, b', [('1e-05', '9.999999999999999e-06'), ('0.10', '0.0999'), ('-0.0', ' 0.0'), ('a   b', 'a\nb'), ('1.2345', '1.2346'),
                                  ('0.123456789', '0.123456889'), ('|---|', '|------|'), ('\N{MINUS SIGN}0.5', '-0.5'), ('1,797', '1797'), ('2e-3', '0.002')])
def test_the_same(a, b): assert text_difference(a, b) is None

@pytest.mark.parametrize('a, b', [('1.2345', '1.2347'), ('12.', '13.'), ('p = nan', 'p = inf'), ('vote1 0.5', 'vote2 0.5'), ('0.123456789', '0.123456989'),
                                  ('1e-05', '1e-03'), ('0.5 0.5', '0.5'), ('1.000000', '1.000003'), ('True', 'False'), ('-0.5', '0.5')])
def test_not_the_same(a, b): assert text_difference(a, b)

def test_a_cell_may_promise_less():
    source = '#| tolerance: 2e-3, a network takes another path\nx'
    assert tolerance(source) == 2e-3 and tolerance('x') == 1e-6
    assert text_difference('0.81234', '0.81240', 2e-3) is None and text_difference('0.81234', '0.81540', 2e-3) and text_difference('12 items', '13 items', .5)
    with pytest.raises(ValueError, match='a cell must say why'): tolerance('#| tolerance: 2e-3\nx')

@pytest.mark.parametrize('path', notebooks(), ids=lambda p: p.stem)
def test_every_tolerance_has_a_reason(path):
    for cell in json.loads(path.read_text(encoding='utf-8'))['cells']: tolerance(''.join(cell['source']))
