"""What a stored notebook should not keep of a run."""
import re

BAR = re.compile(r'\d%\|.*\||\dit \[') # of a known length, and of an unknown one

def tidy(nb):
    "Drop from the notebook `nb` what progress bars leave on stderr; all else there stays"
    for cell in nb['cells']:
        for out in [o for o in cell.get('outputs', []) if o.get('name')=='stderr']:
            lines = ''.join(out['text']).splitlines(True)
            kept = [o for o in lines if o.strip(' \r') and not BAR.search(o)]
            if ''.join(kept).strip(): out['text'] = kept
            else: cell['outputs'].remove(out)
