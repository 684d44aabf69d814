"""The paper's context feature: the cosine of two characters' hidden states in an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cijie.batching import batched
from cijie.errors import CijieError, MissingExtraError
from cijie.similarity.features import Candidates, Floats, normalised

Vectors = NDArray[np.float32]

BATCH = 32
"""The number of windows that are encoded at once."""


class BertContext:
    """Contextual similarity by a `transformers` encoder, `bert-base-chinese` by default.

    Each sentence is encoded whole. The vector of a character is the last hidden state of the
    sub-word piece that covers it. The feature is the cosine of two such vectors, as in the paper,
    and 0 if no piece covers one of the characters. Sentences longer than the encoder's window are
    encoded in windows that overlap by half; a piece is taken from the window in which it is
    farthest from the edge. The encoder runs on a GPU if there is one.

    Pairs in which the feature cannot change the result are not encoded.

    The last digits of a sentence's vectors may differ from batch to batch, as is usual for such
    encoders.

    Args:
        model: a name on the model hub or a local directory, with weights in safetensors format.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        CijieError: the model does not exist, has no weights in safetensors format, or has a
            tokenizer without character offsets.
    """

    def __init__(self, model: str = "bert-base-chinese") -> None:
        self._model_name = model
        self._loaded: tuple[Any, Any] | None = None
        try:
            self._versions = f"transformers-{version('transformers')}:torch-{version('torch')}"
        except PackageNotFoundError as error:
            raise MissingExtraError("transformers with torch", "bert") from error

    @property
    def name(self) -> str:
        return f"bert:{self._model_name}:{self._versions}"

    def __getstate__(self) -> dict[str, Any]:
        # Each process loads its own copy of the model.
        return {**self.__dict__, "_loaded": None}

    def __call__(self, candidates: Candidates) -> Floats:
        pairs = candidates.source.pair[candidates.source_rows]
        needed = np.unique(pairs).tolist()
        texts = dict.fromkeys(text for pair in needed for text in candidates.texts[pair])
        vectors = dict(zip(texts, self.encode(list(texts)), strict=True))
        i = candidates.source.position[candidates.source_rows]
        j = candidates.target.position[candidates.target_rows]
        scores = np.zeros(len(candidates))
        for pair in needed:
            rows = np.flatnonzero(pairs == pair)
            source, target = (vectors[text] for text in candidates.texts[pair])
            (left, a), (right, b) = (np.unique(x[rows], return_inverse=True) for x in (i, j))
            scores[rows] = (source[left] @ target[right].T)[a, b]
        return scores.clip(-1, 1)  # rounding may leave the range of a cosine

    def encode(self, texts: Sequence[str]) -> list[Vectors]:
        """Return the normalised vectors of each text, one row per code point."""
        import torch

        tokenizer, model = self._load()
        length = min(model.config.max_position_embeddings, tokenizer.model_max_length)
        windows = tokenizer(
            list(texts),
            truncation=True,
            max_length=length,
            stride=length // 2,
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        owners = windows.pop("overflow_to_sample_mapping")
        offsets = windows.pop("offset_mapping")
        vectors = [np.zeros((len(text), model.config.hidden_size), np.float32) for text in texts]
        depths = [np.full(len(text), -1) for text in texts]
        # Batches of windows with similar lengths need little padding.
        order = sorted(range(len(owners)), key=lambda k: len(offsets[k]))
        for batch in batched(order, BATCH):
            inputs = tokenizer.pad(
                {key: [values[k] for k in batch] for key, values in windows.items()},
                return_tensors="pt",
            ).to(model.device)
            with torch.inference_mode():
                states = model(**inputs).last_hidden_state.float().cpu().numpy()
            for k, state in zip(batch, states, strict=True):
                for row, (start, end) in enumerate(offsets[k]):
                    depth = min(row, len(offsets[k]) - 1 - row)  # the distance from the edge
                    deeper = depths[owners[k]][start:end] < depth
                    vectors[owners[k]][start:end][deeper] = state[row]
                    depths[owners[k]][start:end][deeper] = depth
        return [normalised(rows) for rows in vectors]

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            import torch
            from transformers import AutoModel, AutoTokenizer

            try:
                # No pickled weights and no modules from the repository: both would run code.
                tokenizer = AutoTokenizer.from_pretrained(
                    self._model_name, use_fast=True, trust_remote_code=False
                )
                model = AutoModel.from_pretrained(
                    self._model_name, use_safetensors=True, trust_remote_code=False
                )
            except (OSError, ValueError) as error:
                message = f"cannot load the encoder {self._model_name!r}: {error}"
                raise CijieError(message) from error
            if not tokenizer.is_fast:
                raise CijieError(f"the tokenizer of {self._model_name!r} gives no offsets")
            device = "cuda" if torch.cuda.is_available() else "cpu"
            self._loaded = tokenizer, model.to(device).eval()
        return self._loaded
