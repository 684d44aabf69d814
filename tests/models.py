"""Small models for the segmenters that bring none: trained in a moment, or of random weights."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

SENTENCES = [
    "我们 明天 去 公园 玩 。",
    "老师 说 ： 明天 放假 ！",
    "他 参加 了 旅行团 ， 很 高兴 。",
    "她 喜欢 学 汉语 ， 也 喜欢 唱歌 。",
    "今天 天气 很 好 ， 我们 走 吧 。",
    "你 什么 时候 来 北京 ？",
] * 20


def ltp_legacy(directory: Path) -> dict[str, Any]:
    """A perceptron in the form in which LTP keeps its legacy models."""
    from ltp_extension.perceptron import CWSTrainer

    corpus = _corpus(directory)
    trainer = CWSTrainer()
    trainer.epoch = 3
    trainer.shuffle = False
    trainer.verbose = False
    trainer.load_train_data(corpus)
    trainer.load_eval_data(corpus)
    trainer.train().save(str(directory / "cws_model.bin"))
    config = {"nerual": False, "tasks": {"cws": "cws_model.bin"}}  # the library spells it so
    (directory / "config.json").write_text(json.dumps(config))
    return {"model": str(directory)}


def ltp_neural(directory: Path) -> dict[str, Any]:
    """A BERT of one small layer with random weights, in LTP's form."""
    import torch
    from ltp.nerual import LTP

    core = "ltp_core.models"
    config = {
        "nerual": True,
        "vocabs": {"cws": ["I-W", "B-W"]},
        "model": {
            "_ltp_target_": f"{core}.ltp_model.LTPModule",
            "backbone": {
                "_ltp_target_": f"{core}.utils.load_transformers",
                "config": {"model_type": "bert", **_bert(directory)},
            },
            "processor": {"cws": {"_ltp_target_": f"{core}.processor.TokenOnly"}},
            "heads": {
                "cws": {
                    "_ltp_target_": f"{core}.components.token.MLPTokenClassifier",
                    "input_size": 16,
                    "num_labels": 2,
                }
            },
        },
    }
    (directory / "config.json").write_text(json.dumps(config))
    torch.manual_seed(1)
    torch.save(LTP(config).model.state_dict(), directory / "pytorch_model.bin")
    return {"model": str(directory)}


def pkuseg(directory: Path) -> dict[str, Any]:
    """A CRF trained for two rounds."""
    import spacy_pkuseg

    corpus = _corpus(directory)
    spacy_pkuseg.train(corpus, corpus, str(directory / "model"), train_iter=2)
    return {"model": str(directory / "model")}


def hanlp(directory: Path) -> dict[str, Any]:
    """A tokenizer over a BERT of one small layer with random weights."""
    from hanlp.components.tokenizers.transformer import TransformerTaggingTokenizer
    from transformers import BertConfig, BertModel

    class Built(Exception):
        """The model is there; what follows would train it."""

    def built(**_: Any) -> None:
        raise Built

    encoder = directory / "encoder"
    encoder.mkdir()
    BertModel(BertConfig(**_bert(encoder))).save_pretrained(encoder)
    corpus = _corpus(directory)
    tokenizer = TransformerTaggingTokenizer()
    tokenizer.build_optimizer = built
    with suppress(Built):
        tokenizer.fit(corpus, corpus, str(directory), transformer=str(encoder), devices=-1)
    tokenizer.save(str(directory))
    return {"model": str(directory)}


def stanza(directory: Path) -> dict[str, Any]:
    """A recurrent tokenizer with random weights."""
    import torch
    from stanza.models.tokenization.trainer import Trainer
    from stanza.models.tokenization.vocab import Vocab
    from stanza.models.tokenizer import build_argparse

    vocab = Vocab([[(char, 0) for char in _characters()]], lang="zh-hans")
    features = ["space_before", "capitalized", "numeric", "end_of_para", "start_of_para"]
    arguments = {
        **vars(build_argparse().parse_args([])),
        "lang": "zh-hans",
        "vocab_size": len(vocab),
        "feat_funcs": features,
        "feat_dim": len(features),
        "num_dict_feat": 0,
        "use_mwt": False,
    }
    torch.manual_seed(1)
    Trainer(args=arguments, vocab=vocab, device="cpu").save(str(directory / "tokenizer.pt"))
    (directory / "resources.json").write_text("{}")
    return {"model": str(directory / "tokenizer.pt")}


def _characters() -> list[str]:
    return sorted(set("".join(SENTENCES)) - {" "})


def _corpus(directory: Path) -> str:
    path = directory / "corpus.txt"
    path.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    return str(path)


def _bert(directory: Path) -> dict[str, int]:
    """Write a vocabulary of single characters; the sizes of an encoder for it."""
    from transformers import BertTokenizerFast

    vocabulary = directory / "vocab.txt"
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [*special, *_characters()]
    vocabulary.write_text("\n".join(words) + "\n", encoding="utf-8")
    BertTokenizerFast(str(vocabulary)).save_pretrained(directory)
    return {
        "vocab_size": len(words),
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
    }
