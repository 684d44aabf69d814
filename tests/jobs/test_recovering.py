import pickle
from dataclasses import replace

import orjson
import pytest

from cijie import Recoverer
from cijie.corpora.formats import format_named
from cijie.errors import CijieError, SegmentationError, SegmenterError
from cijie.jobs.batches import Batch, BatchRecoverer, Extent, RecoveredBatch, Tally, batches
from cijie.recovery.records import sentence_of
from cijie.recovery.sentence import Sentence
from cijie.segmenters.base import FunctionSegmenter
from cijie.text.segmentation import Segmentation


def batch(*records: Sentence | CijieError) -> Batch:
    return Batch(records, Extent())


GOOD = Sentence("a", "么什", "什么")


def words(text: str) -> list[str]:
    """One word a character, unless it cannot be done."""
    if "戊" in text:
        raise KeyError(text)
    return list(text.replace("丁", "戊"))


def test_a_batch_is_written_and_counted() -> None:
    done = BatchRecoverer(Recoverer(list, "p1"), format_named("text"))(
        batch(GOOD, Sentence("b", "旅行困", "旅行团"))
    )
    assert done.output.decode() == "么 什\n旅 行 困\n"
    assert (done.quarantine, done.least) == (b"", [])
    assert done.tally.coverage.pairs == 2
    assert done.tally.coverage.anchors == 3


def test_tallies_add_up() -> None:
    pairs = [Sentence(str(k), "旅行困" * k, "旅行团" * k) for k in range(5)]
    recoverer = Recoverer(lambda text: [text] if text else [], "p2")
    work = BatchRecoverer(recoverer, format_named("jsonl"))
    [whole] = [work(one) for one in batches(pairs, 5)]
    parts = [work(one) for one in batches(pairs, 2)]
    assert sum((part.tally for part in parts), Tally()) == whole.tally
    assert b"".join(part.output for part in parts) == whole.output


@pytest.mark.parametrize(
    ("pair", "error", "message"),
    [
        (Sentence("x", "甲", "丁"), SegmentationError, "id x: function:words: at offset 0"),
        (Sentence("x", "戊", "甲"), SegmenterError, "id x: function:words failed: KeyError: '戊'"),
        (Sentence("x", "\ud800", "甲"), CijieError, "id x: cannot be written"),
    ],
)
def test_a_record_that_fails_is_named_or_set_apart(
    pair: Sentence, error: type[Exception], message: str
) -> None:
    recoverer = Recoverer(words, "p1")
    for name in ("jsonl", "text"):
        format = format_named(name)
        with pytest.raises(error, match=f"^{message}"):
            BatchRecoverer(recoverer, format)(batch(GOOD, pair))
        done = BatchRecoverer(recoverer, format, "keep")(batch(GOOD, pair, GOOD))
        assert done.output == 2 * BatchRecoverer(recoverer, format)(batch(GOOD)).output
        assert (done.tally.coverage.pairs, done.tally.quarantined) == (2, 1)
        assert b'"reason":' in done.quarantine.replace(b": ", b":")
        if name == "jsonl" and pair.source != "\ud800":
            record = orjson.loads(done.quarantine)
            assert record["id"] == "x"
            assert (record["source"], record["target"]) == (pair.source, pair.target)


def test_what_could_not_be_read_is_set_apart_with_its_place_and_content() -> None:
    text = CijieError("not JSON", path="in.jsonl", line=3)
    text.record = "{甲"
    raw = CijieError("not UTF-8", path="in.jsonl", line=4)
    raw.record = b"\xff\0"
    recover = BatchRecoverer(Recoverer(list, "p1"), format_named("jsonl"), "keep")
    done = recover(batch(text, GOOD, raw))
    assert [orjson.loads(line) for line in done.quarantine.splitlines()] == [
        {"reason": "not JSON", "path": "in.jsonl", "line": 3, "record": "{甲"},
        {"reason": "not UTF-8", "path": "in.jsonl", "line": 4, "record_base64": "/wA="},
    ]
    assert (done.tally.quarantined, done.tally.records) == (2, 3)
    with pytest.raises(CijieError, match="in.jsonl:3: not JSON"):
        BatchRecoverer(Recoverer(list, "p1"), format_named("jsonl"))(batch(GOOD, text))


def test_what_was_set_apart_can_be_read_again() -> None:
    pair = Sentence("x", "甲丁", "丁", initial=Segmentation.from_tokens("甲丁", ["甲", "丁"]))
    recover = BatchRecoverer(Recoverer(words, "p1"), format_named("jsonl"), "keep")
    line = orjson.loads(recover(batch(pair)).quarantine)
    assert sentence_of(line, "", results=False) == pair


def test_a_segmenter_that_does_not_load_is_no_records_fault() -> None:
    class Broken(FunctionSegmenter):
        def load(self) -> None:
            raise SegmenterError("no model")

    with pytest.raises(SegmenterError, match="^no model"):
        BatchRecoverer(Recoverer(Broken(list), "p1"), format_named("jsonl"), "keep")(batch(GOOD))


def test_the_least_sure_come_first() -> None:
    pairs = [
        Sentence("1", "我们", "我们"),
        Sentence("2", "旅行困", "旅行团"),
        Sentence("3", "旅行因", "旅行团"),
    ]
    work = BatchRecoverer(
        Recoverer(lambda text: [text] if "团" in text else list(text), "p3"),
        format_named("tsv"),
        review=1,
    )
    done, whole = work(batch(*pairs)), replace(work, review=9)(batch(*pairs))
    assert done.output == b""
    assert len(whole.least) == 2
    assert [*done.least] == [*whole.least[:1]]
    assert [sure for sure, _ in whole.least] == sorted(sure for sure, _ in whole.least)


def test_work_can_be_sent_to_another_process() -> None:
    work = BatchRecoverer(Recoverer(list), format_named("jsonl"))
    again = pickle.loads(pickle.dumps(work))
    result: RecoveredBatch = again(batch(GOOD))
    assert result == work(batch(GOOD))
    assert again.signature == work.signature
