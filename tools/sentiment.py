"""Score reviews with one of the sentiment models of the rank paper, for `calib_nb.datasets.load_sentiment`.

    python tools/sentiment.py amazon_review_polarity_csv/train.csv amazon_review_polarity_csv/test.csv --corpus amazon --model DistilBERT_SST2 --out scores

Reviews are files as the Amazon and Yelp Review Polarity corpora have them: no header, the first column 1 (negative) or 2 (positive),
text in the others. 50,000 of them are drawn at random, or as many as `--rows` says; the same seed draws the same reviews for each model.
Needs `pip install transformers torch`; the model is loaded by its name, or from a folder with `--path`. On a processor a review takes some tenths of a second.
"""
import argparse, csv, gzip, sys
from itertools import islice
from pathlib import Path

import numpy as np

from calib_nb.core import write_whole
from calib_nb.datasets import SENTIMENT_MODELS

def lines(paths):
    "Label and text of every review."
    csv.field_size_limit(10**7)
    for path in paths:
        with open(path, newline='', encoding='utf-8') as f:
            for i, row in enumerate(csv.reader(f), 1):
                if len(row) < 2 or row[0] not in ('1', '2'): raise ValueError(f'{path}, review {i}: the first column must be 1 or 2, and text must follow')
                yield int(row[0] == '2'), ' '.join(row[1:]).replace('\\n', ' ').strip()

def drawn(paths, rows, seed):
    "Place, label and text of reviews drawn without replacement, in the order of the files."
    n = sum(1 for _ in lines(paths))
    wanted = np.ones(n, bool) if rows is None or rows >= n else np.isin(np.arange(n), np.random.default_rng(seed).choice(n, rows, replace=False))
    return ((i, *review) for i, review in enumerate(lines(paths)) if wanted[i])

def transformers_scorer(model, path=None):
    "A function from a list of texts to the probabilities of the positive classes."
    try: import torch; from transformers import AutoModelForSequenceClassification, AutoTokenizer
    except ModuleNotFoundError as e: sys.exit(f'{e.name} is not installed: pip install transformers torch')
    name, classes = SENTIMENT_MODELS[model]
    tokenizer, net = AutoTokenizer.from_pretrained(path or name), AutoModelForSequenceClassification.from_pretrained(path or name).eval()
    positive = [i for i, label in net.config.id2label.items() if label in classes]
    if len(positive) != len(classes): sys.exit(f'{path or name} has the classes {list(net.config.id2label.values())}; expected {list(classes)} among them')
    @torch.no_grad()
    def score(texts):
        tokens = tokenizer(texts, return_tensors='pt', padding=True, truncation=True, max_length=512)
        return net(**tokens).logits.double().softmax(-1)[:, positive].sum(-1).clamp(0, 1).tolist()
    return score

def main(argv=None, scorer=transformers_scorer):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('reviews', nargs='+')
    p.add_argument('--corpus', required=True, help='a word without underscores, such as amazon or yelp')
    p.add_argument('--model', required=True, choices=SENTIMENT_MODELS)
    p.add_argument('--path', help='folder of the model, where it is not to be loaded by its name')
    p.add_argument('--out', default='.', help='folder of the scores')
    p.add_argument('--rows', type=int, default=50_000)
    p.add_argument('--seed', type=int, default=0)
    p.add_argument('--batch', type=int, default=32)
    a = p.parse_args(argv)
    if not a.corpus.isalnum(): p.error('--corpus must be a word of letters and digits')
    score, out = scorer(a.model, a.path), ['row,label,score']
    reviews = drawn(a.reviews, a.rows, a.seed)
    while batch := list(islice(reviews, a.batch)):
        out += [f'{i},{label},{s!r}' for (i, label, _), s in zip(batch, score([text for *_, text in batch]))]
    Path(a.out).mkdir(parents=True, exist_ok=True)
    path = write_whole(Path(a.out)/f'sentiment_{a.corpus}_{a.model}.csv.gz', gzip.compress(('\n'.join(out) + '\n').encode(), mtime=0))
    print(f'{len(out) - 1:,} reviews in {path}')

if __name__=='__main__': main()
