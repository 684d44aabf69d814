"""CoNLL-U, the format of Universal Dependencies."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby, takewhile
from typing import TYPE_CHECKING, Any, get_args

from cijie.errors import FormatError, SegmentationError, located
from cijie.files.lines import read_blocks
from cijie.recovery.records import sentence_of
from cijie.recovery.sentence import Sentence, Status
from cijie.text.segmentation import Segmentation, Span

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences, Units

_ID = r"([0-9]{1,9})(?:([-.])([0-9]{1,9}))?"
_COMMENT = r"#\s*([^\s=]+)\s*= ?(.*)"
_NUMBER = r"-?[0-9.]+(?:e[+-]?[0-9]+)?"
_ESCAPES = {" ": r"\s", "|": r"\p", "+": r"\+", "\\": r"\\"}
_PLAIN = {escape: char for char, escape in _ESCAPES.items()}
_ESCAPE = r"\\(?:u[0-9a-f]{4}|[sp+\\])"
_PIECE = rf"(?:{_ESCAPE}|[^+\\])+"


def units(file: Sentences) -> Units:
    """Yield the lines of each sentence; blocks of comments alone are skipped and counted."""
    number = 0
    for line, lines in read_blocks(file.source, encoding=file.options.encoding):
        if all(text.startswith("#") for text in lines):
            file.skipped["blocks of comments"] += 1
            continue
        number += 1
        yield line, number, lines


def sentence(content: list[str], id: str, file: Sentences) -> Sentence:
    """Make a sentence of its lines.

    The text is that of `# text`, or the forms with the white space that `SpaceAfter` leaves. A
    multi-word token is one word, as it is in the text; empty nodes are in no text. The id is that
    of `# sent_id`, or the sentence's number. Corrections, initial words, changes and confidences
    are read as `lines` writes them.

    Raises:
        FormatError: it is not CoNLL-U, or words do not fit their `Initial` and `TargetRange`.
        SegmentationError: forms that are not those of `# text`.
    """
    # In reverse, so that the first of equal names counts.
    matches = (re.fullmatch(_COMMENT, line, re.DOTALL) for line in reversed(content))
    comments = {match[1]: match[2] for match in matches if match}
    id = comments.get("sent_id") or id
    tokens = list(_surface(content, id))
    text = comments.get("text")
    if text is None:
        text = "".join(form + " " * (misc.get("SpaceAfter") != "No") for form, misc in tokens)
        text = text.rstrip(" ")
    values = {"source": text, "words": [form for form, _ in tokens]} | _corrections(comments)
    with located(id=id):
        words = Segmentation.from_tokens(text, values["words"])
        values |= _results(comments, words, [misc for _, misc in tokens])
        return sentence_of(values, id, results=file.purpose == "sentences", skipped=file.skipped)


def _corrections(comments: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of a record that comments have; what others mean by them is ignored."""
    values: dict[str, Any] = {x: comments[x] for x in ("target", "label") if x in comments}
    if (status := comments.get("status")) in get_args(Status):
        values["status"] = status
    if re.fullmatch("[1-9][0-9]{0,8}", number := comments.get("reference", "")):
        values["reference"] = int(number)
    texts = (comments.get(f"reference_{number}") for number in count(1))
    if references := list(takewhile(lambda text: text is not None, texts)):
        values["references"] = references
    return values


def _results(
    comments: Mapping[str, str], words: Segmentation, miscs: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    """Return the values of a record that the words' attributes have."""
    values: dict[str, Any] = {}
    confidences = [misc.get("Confidence", "") for misc in miscs]
    if all(re.fullmatch(_NUMBER, confidence) for confidence in confidences):
        values["confidences"] = list(map(float, confidences))
    if "initial_words" not in comments:
        return values
    pieces: list[str] = []
    ahead = 0  # where the last of them ends
    try:
        for (start, end), misc in zip(words.spans, miscs, strict=True):
            given = re.findall(_PIECE, misc.get("Initial", ""))
            found = list(map(_unescaped, given)) or [words.text[start:end]]
            for piece in found[start < ahead :]:  # a word that was cut stands at each of its parts
                ahead = words.text.index(piece, ahead) + len(piece)
                pieces.append(piece)
        initial = Segmentation.from_tokens(words.text, pieces)
        ranges = ",".join(filter(None, (misc.get("TargetRange") for misc in miscs)))
        spans = [tuple(map(int, span.split(":"))) for span in ranges.split(",") if span]
        counts = comments["initial_words"], comments.get("changes", "0")
        if counts != (str(len(initial)), str(len(spans))):
            raise ValueError(f"{len(initial)} and {len(spans)}, not {' and '.join(counts)}")
        values["initial_words"] = initial.tokens
        if "changes" in comments:
            changes = zip(_changed(initial, words), spans, strict=True)
            values["changes"] = [{"at": at, "kind": kind, "by": by} for (at, kind), by in changes]
    except (ValueError, SegmentationError) as error:
        raise FormatError(
            f"the words do not fit their Initial and TargetRange: {error}; without the comments "
            "'# initial_words' and '# changes' these are not read"
        ) from error
    return values


def lines(sentence: Sentence, _: str) -> str:
    """Format a sentence: `# sent_id`, `# text`, other comments, and words with their MISC."""
    segmentation = sentence.known_words()
    text, spans = segmentation.text, segmentation.spans
    words = segmentation.tokens
    if not sentence.id:
        raise FormatError("has an empty id, which CoNLL-U cannot hold")
    if not words:
        raise FormatError("has no words, which CoNLL-U requires")
    comments = {"sent_id": sentence.id, "text": text} | _comments(sentence)
    for value in comments.values():
        if len(f"{value}.".splitlines()) > 1:
            raise FormatError(f"CoNLL-U cannot express {value!r}")
    if any(mark in word for word in words for mark in ("\t", "  ")):
        raise FormatError(f"CoNLL-U cannot express {text!r}")
    found = [f"# {name} = {value}" for name, value in comments.items()]
    starts = [start for start, _ in spans[1:]] + [len(text)]
    rows = zip(words, segmentation.boundaries, starts, _misc(sentence, spans), strict=True)
    for number, (word, end, start, misc) in enumerate(rows, start=1):
        if end == start:
            misc["SpaceAfter"] = "No"
        pairs = "|".join(f"{name}={misc[name]}" for name in sorted(misc)) or "_"
        found.append("\t".join((str(number), word, *"_" * 7, pairs)))
    return "\n".join([*found, "", ""])


def _comments(sentence: Sentence) -> dict[str, str]:
    several = sentence.targets if len(sentence.targets) > 1 else ()
    values = {
        **{name: getattr(sentence, name) for name in ("target", "reference", "status", "label")},
        **{f"reference_{number}": text for number, text in enumerate(several, start=1)},
        "initial_words": None if sentence.initial is None else len(sentence.initial),
        "changes": None if sentence.changes is None else len(sentence.changes),
    }
    return {name: str(value) for name, value in values.items() if value is not None}


def _misc(sentence: Sentence, spans: Sequence[Span]) -> list[dict[str, str]]:
    """Return the attributes of each word, without `SpaceAfter`."""
    words, initial, changes = sentence.known_words(), sentence.initial, sentence.changes
    found: list[dict[str, str]] = [{} for _ in spans]
    for misc, confidence in zip(found, sentence.confidences, strict=False):
        misc["Confidence"] = repr(float(confidence)).removeprefix("0")
    if initial is not None:
        tokens, starts = initial.tokens, [start for start, _ in initial.spans]
        for misc, (start, end) in zip(found, spans, strict=True):
            pieces = tokens[bisect_right(initial.boundaries, start) : bisect_left(starts, end)]
            if pieces != [words.text[start:end]]:
                misc["Initial"] = "+".join(map(_escaped, pieces))
    if changes is None:
        return found
    if initial is None or [(x.at, x.kind) for x in changes] != _changed(initial, words):
        raise FormatError(
            "has changes that do not lead from its initial words to its words, which CoNLL-U "
            "cannot hold"
        )
    for at, each in groupby(changes, key=lambda x: bisect_left(words.boundaries, x.at)):
        made = list(each)
        kinds = {"Cut" if x.kind == "insert" else "Join" for x in made}
        found[at]["Changed"] = ",".join(sorted(kinds))
        found[at]["Target"] = "+".join(dict.fromkeys(_escaped(x.word) for x in made))
        found[at]["TargetRange"] = ",".join(f"{x.by[0]}:{x.by[1]}" for x in made)
    return found


def _changed(initial: Segmentation, words: Segmentation) -> list[tuple[int, str]]:
    """Return where boundaries were inserted and removed."""
    ends = set(words.boundaries)
    places = sorted(ends.symmetric_difference(initial.boundaries))
    return [(at, "insert" if at in ends else "remove") for at in places]


def _escaped(word: str) -> str:
    r"""Escape what separates values, as UD does, white space, and `=`, where readers stop.

    >>> _escaped("C++ a|b")
    'C\\+\\+\\sa\\pb'
    """
    return re.sub(r"[\s\\|+=]", lambda x: _ESCAPES.get(x[0], f"\\u{ord(x[0]):04x}"), word)


def _unescaped(piece: str) -> str:
    return re.sub(_ESCAPE, lambda x: _PLAIN.get(x[0]) or chr(int(x[0][2:], 16)), piece)


def _surface(content: Sequence[str], id: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield forms and MISC attributes of the words in the text; multi-word tokens stay whole."""
    covered = 0  # the last word that a multi-word token stands for
    for line in content:
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        number = re.fullmatch(_ID, cells[0])
        if number is None or len(cells) != 10:
            message = f"not CoNLL-U: expected a number and 9 more columns, got {line!r}"
            raise FormatError(message, id=id)
        first, mark, last = number.groups()
        if mark == "." or (mark is None and int(first) <= covered):
            continue  # an empty node, or a part of a token
        covered = int(last or covered)
        yield cells[1], dict(pair.partition("=")[::2] for pair in cells[9].split("|"))
