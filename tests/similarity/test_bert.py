"""The encoder, with a small real one that is made here: random weights, a vocabulary of our own."""

from __future__ import annotations

import pickle
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from cijie.errors import CijieError, MissingExtraError
from cijie.gold.learner import rank
from cijie.recovery.methods import make_method
from cijie.recovery.sentence import Sentence
from cijie.similarity import bert
from cijie.similarity.bert import BertContext
from cijie.similarity.sentences import load_encoder, sentence_vectors

from strategies import link_by

torch = pytest.importorskip("torch", reason="needs torch (make test-models)")
transformers = pytest.importorskip("transformers", reason="needs transformers (make test-models)")

PAIRS = [("我参加了旅行困。", "我参加了旅行团。"), ("他新写字", "他新写的字"), ("你好", "你好")]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("encoder")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "deep", "##ly", "ok"]
    vocabulary = [*words, *"我参加了旅行困团。他新写的字你好天地人"]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return str(folder)


def test_one_vector_a_character_whatever_the_pieces(model: str) -> None:
    context = BertContext(model)
    text = "我deeply好 𪚥"
    [vectors] = context.encode([text])
    assert vectors.shape == (len(text), 16)
    norms = np.linalg.norm(vectors, axis=1)
    assert norms[text.index(" ")] == 0
    assert norms[[0, 1, 7, -1]] == pytest.approx(1)
    assert (vectors[1:5] == vectors[1]).all()  # deep
    assert (vectors[5:7] == vectors[5]).all()  # ##ly
    assert not np.allclose(vectors[1], vectors[5])


def test_batches_do_not_matter(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["我参加", "", "我参加了旅行团。" * 3, "你好"]
    monkeypatch.setattr(bert, "BATCH", 3)
    together = BertContext(model).encode(texts)
    monkeypatch.setattr(bert, "BATCH", 1)
    for text, vectors in zip(texts, together, strict=True):
        [alone] = BertContext(model).encode([text])
        assert vectors == pytest.approx(alone, abs=1e-5)


def test_sentences_have_vectors_by_which_corrections_are_ranked(model: str) -> None:
    encoder = load_encoder(model)
    texts = ["我参加了旅行困。", "", "你好"]
    assert np.linalg.norm(sentence_vectors(encoder, texts), axis=1) == pytest.approx([1, 0, 1])
    sentence = Sentence("1", texts[0], ("你好天地", "我参加了旅行团。", texts[0]))
    [ranking] = rank([sentence], encoder)
    assert ranking.context[0] == ranking.levenshtein[0] == 3


def test_long_sentences_are_encoded_in_overlapping_windows(model: str) -> None:
    context = BertContext(model)
    text = "天地人我你他" * 20
    [vectors] = context.encode([text])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)
    # A window of the model is 32 pieces, two of them its edges: the first characters are seen as
    # they are when the text ends with the window.
    [start] = context.encode([text[:30]])
    assert vectors[:8] == pytest.approx(start[:8], abs=1e-5)


def test_pairs_that_it_cannot_decide_are_not_encoded_and_results_stay(model: str) -> None:
    context = BertContext(model)
    method = make_method("p2", glyph_table="identity", context=context, threshold=0.35)
    aligner = method.aligner
    with patch.object(context, "encode", wraps=context.encode) as encode:
        some = aligner.align(PAIRS)
    [[texts]] = [call.args for call in encode.call_args_list]
    assert len(texts) == 2  # of one pair
    everything = link_by(PAIRS, aligner.scorer, 0.35)  # type: ignore[attr-defined]
    assert [[(x.source, x.target) for x in one.links] for one in some] == [
        [(x.source, x.target) for x in one.links] for one in everything
    ]


def test_the_cosine_is_the_score(model: str) -> None:
    context = BertContext(model)
    aligner = make_method(
        "p2", weights={"emb": 1, "glyph": 0, "pos": 0}, threshold=-1, context=context
    ).aligner
    [alignment] = aligner.align(PAIRS[:1])
    source, target = context.encode(PAIRS[0])
    [link] = alignment.residuals
    assert link.score == pytest.approx(max(0, float(source[6] @ target[6])), abs=1e-5)
    assert f"emb=1:bert:{model}:transformers-{transformers.__version__}" in aligner.signature


def test_a_pickle_leaves_the_model_behind(model: str) -> None:
    context = BertContext(model)
    context.encode(["你好"])
    assert pickle.loads(pickle.dumps(context))._loaded is None


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CijieError, match="cannot load the encoder"):
        BertContext(str(tmp_path)).encode(["你好"])


def test_pickled_weights_are_not_loaded(model: str, tmp_path: Path) -> None:
    """They are code; safetensors are numbers."""
    for name in ("vocab.txt", "config.json"):
        (tmp_path / name).write_bytes((Path(model) / name).read_bytes())
    weights = transformers.BertModel.from_pretrained(model).state_dict()
    torch.save(weights, tmp_path / "pytorch_model.bin")
    with pytest.raises(CijieError, match=r"cannot load the encoder .*safetensors"):
        BertContext(str(tmp_path)).encode(["我"])


def test_without_transformers_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise bert.PackageNotFoundError(name)

    monkeypatch.setattr(bert, "version", missing)
    with pytest.raises(MissingExtraError, match=r"pip install 'cijie\[bert\]'"):
        BertContext()
