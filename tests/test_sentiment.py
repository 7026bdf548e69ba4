"""`tools/sentiment.py` makes the files that `load_sentiment` reads."""
import pytest
import sentiment

from calib_nb.datasets import SENTIMENT_MODELS, load_sentiment

WORDS = {'awful': .1, 'fine, "really"': .75, 'great': .9}

@pytest.fixture
def corpus(tmp_path):
    "Two files as the corpora have them, 1 for negative, 2 for positive"
    (tmp_path/'train.csv').write_text('"1","a title","awful"\n"2","","great"\n"2","one\ntwo","fine, ""really"""\n')
    (tmp_path/'test.csv').write_text('"1","not","great"\n"2","awful"\n')
    return [str(tmp_path/'train.csv'), str(tmp_path/'test.csv')]

def stub(asked):
    def scorer(model, path):
        def score(texts):
            asked.extend(texts)
            return [next(p for w, p in WORDS.items() if t.endswith(w)) for t in texts]
        return score
    return scorer

def test_all_reviews(corpus, tmp_path, capsys):
    asked = []
    for model in ('DistilBERT_SST2', 'BERT_Multilingual_Stars'): sentiment.main([*corpus, '--corpus', 'amazon', '--model', model, '--out', str(tmp_path), '--batch', '2'], stub(asked))
    found = load_sentiment(tmp_path)
    assert list(found) == [('amazon', 'BERT_Multilingual_Stars'), ('amazon', 'DistilBERT_SST2')] and '5 reviews in' in capsys.readouterr().out
    for d in found.values(): assert d.z.tolist() == [.1, .9, .75, .9, .1] and d.y.tolist() == [0, 1, 1, 0, 1]
    assert asked[:5] == ['a title awful', 'great', 'one\ntwo fine, "really"', 'not great', 'awful']

def test_some_reviews(corpus, tmp_path):
    texts = [[], [], []]
    for asked, seed in zip(texts, '001'): sentiment.main([*corpus, '--corpus', 'yelp', '--model', 'BERT_SST2', '--out', str(tmp_path), '--rows', '3', '--seed', seed], stub(asked))
    assert len(texts[0]) == 3 and texts[0] == texts[1] != texts[2]
    assert len(load_sentiment(tmp_path)['yelp', 'BERT_SST2'].z) == 3

def test_refused(corpus, tmp_path):
    (tmp_path/'wrong.csv').write_text('"3","text"\n')
    with pytest.raises(ValueError, match='review 1: the first column must be 1 or 2'): sentiment.main([str(tmp_path/'wrong.csv'), '--corpus', 'x', '--model', 'BERT_SST2', '--out', str(tmp_path)], stub([]))
    for wrong in (['--corpus', 'a_b', '--model', 'BERT_SST2'], ['--corpus', 'a', '--model', 'GPT']):
        with pytest.raises(SystemExit): sentiment.main([*corpus, *wrong], stub([]))

def test_models():
    assert len(SENTIMENT_MODELS) == 4 and all(classes for _, classes in SENTIMENT_MODELS.values())
