"""Convert recovered words to spaCy documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cijie.extras import library


def to_doc(record: Mapping[str, Any], vocab: Any) -> Any:
    """Build the spaCy document of a record; see `Recovery.to_doc`."""
    doc_type = library("spacy.tokens", "spacy").Doc
    if not hasattr(vocab, "strings"):  # spaCy would crash the process
        raise TypeError(f"vocab must be the vocabulary of a pipeline, nlp.vocab, not {vocab!r}")
    for name in ("links", "changes"):
        if not doc_type.has_extension(f"cijie_{name}"):
            doc_type.set_extension(f"cijie_{name}", default=None)
    text, spans = record["source"], record["spans"]
    words: list[str] = []
    spaces: list[bool] = []
    at = 0
    for start, end in [*spans, (len(text), len(text))]:
        blank = text[at:start]
        # As in spaCy, one space after a word is part of its token; other white space is a token.
        if blank.startswith(" ") and words:
            spaces[-1] = True
            blank = blank[1:]
        for token in filter(None, (blank, text[start:end])):
            words.append(token)
            spaces.append(False)
        at = end
    doc = doc_type(vocab, words=words, spaces=spaces)
    doc._.cijie_links = record["links"]
    doc._.cijie_changes = record["changes"]
    return doc
