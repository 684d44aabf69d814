from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cijie import Recoverer, recover_file
from cijie.cli.main import cijie as command
from cijie.corpora.review import Decision, decide, doubtful, read_decisions
from cijie.errors import CijieError, UsageError
from cijie.recovery.records import sentence_of
from cijie.recovery.sentence import Recovery

from learners import dump

PAIRS = [
    ("1", "我们因该走", ["我们", "因", "该", "走"], ["我们", "应该", "走"]),
    ("2", "旅行困去", ["旅行", "困", "去"], ["旅行团", "去"]),
    ("3", "我已前来过", ["我", "已", "前来", "过"], ["我", "以前", "来", "过"]),
]


def recovered(id: str) -> Recovery:
    for each, source, words, target in PAIRS:
        if each == id:
            recoverer = Recoverer(list)
            return replace(
                recoverer.recover(
                    source, "".join(target), source_tokens=words, target_tokens=target
                ),
                id=id,
            )
    raise KeyError(id)


def row(recovery: Recovery, decided: str, number: int = 0, **other: str) -> Decision:
    found = doubtful(recovery)[number]
    given = Decision(
        recovery.id, found.place, found.words, found.alternative, decided, "review.csv", 2
    )
    return replace(given, **other)  # type: ignore[arg-type]


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    records = [
        {
            "id": id,
            "source": source,
            "target": "".join(target),
            "source_tokens": words,
            "target_tokens": target,
        }
        for id, source, words, target in PAIRS
    ]
    return dump(tmp_path / "pairs.jsonl", records)


def recover(*arguments: object) -> Result:
    given = ["recover", *map(str, arguments), "--segmenter", "builtins:list"]
    return CliRunner().invoke(command, given)


def test_accepted_words_stay_and_rejected_ones_are_the_alternative() -> None:
    recovery = recovered("1")
    assert str(recovery) == "我们 因该 走"
    accepted = decide(recovery, [[row(recovery, "accept")]])
    assert accepted.segmentation == recovery.segmentation
    assert accepted.changes == recovery.changes
    rejected = decide(recovery, [[row(recovery, "reject")]])
    assert str(rejected) == "我们 因 该 走"
    assert rejected.changes == ()


def test_what_a_person_decided_is_sure() -> None:
    recovery = recovered("3")
    assert str(recovery) == "我 已前 来 过"
    joined, cut = doubtful(recovery)
    assert (joined.place, joined.words, joined.alternative) == ("2", "已前", "已 前")
    assert (cut.place, cut.words, cut.alternative) == ("3", "已前 来", "已前来")
    decided = decide(recovery, [[row(recovery, "reject", 1)]])
    assert str(decided) == "我 已前来 过"
    assert [doubt.confidence for doubt in decided.doubts] == [recovery.doubts[0].confidence, 1.0]
    # The join inside the word is still in doubt.
    assert decided.confidences[1] == recovery.doubts[0].confidence
    assert decided.confidences[0] == recovery.confidences[0]
    both = decide(recovery, [[row(recovery, "accept"), row(recovery, "accept", 1)]])
    assert both.confidences[1:3] == (1.0, 1.0)


def test_a_person_may_choose_words_of_their_own() -> None:
    recovery = recovered("2")
    decided = decide(recovery, [[row(recovery, "旅 行困")]])
    assert str(decided) == "旅 行困 去"
    assert [(change.at, change.kind, change.word) for change in decided.changes] == [
        (1, "insert", "旅行团"),
        (2, "remove", "旅行团"),
    ]


@pytest.mark.parametrize(
    ("id", "choices"), [("1", ["reject"]), ("2", ["旅 行困"]), ("3", ["reject", "reject"])]
)
def test_decided_recoveries_can_be_written_and_read(id: str, choices: list[str]) -> None:
    recovery = recovered(id)
    decided = decide(recovery, [[row(recovery, one, k) for k, one in enumerate(choices)]])
    skipped: Counter[str] = Counter()
    again = sentence_of(decided.as_record(), "", skipped=skipped)
    assert again.segmentation == decided.segmentation
    assert again.confidences == decided.confidences
    assert again.changes == decided.changes
    assert not skipped


@pytest.mark.parametrize(
    ("decided", "other", "message"),
    [
        ("maybe", {}, "expected accept, reject or the words of '因该', got 'maybe'"),
        ("因该走", {}, "expected accept, reject or the words of '因该', got '因该走'"),
        (
            "accept",
            {"words": "因 该"},
            "expected words '因该' and alternative '因 该', got '因 该' and",
        ),
        ("", {"words": "因 该"}, "other words go into the column 'decision'"),
        (
            "accept",
            {"alternative": "因该"},
            "alternative '因 该', got '因该' and '因该'; other words",
        ),
        (
            "accept",
            {"place": "1"},
            "no doubtful place '1' in this recovery: 我们 因该 走; segmenter",
        ),
    ],
)
def test_a_row_about_something_else_is_refused(
    decided: str, other: dict[str, str], message: str
) -> None:
    recovery = recovered("1")
    with pytest.raises(CijieError) as caught:
        decide(recovery, [[row(recovery, decided, **other)]])
    assert str(caught.value).startswith("review.csv:2: id 1: ")
    assert message in str(caught.value)


def test_decisions_that_contradict_each_other_are_refused() -> None:
    recovery = recovered("3")
    with pytest.raises(CijieError, match=r"'已 前 来' contradicts 'accept' in review\.csv:2$"):
        decide(recovery, [[row(recovery, "accept"), row(recovery, "已 前 来", 1)]])


def test_words_of_a_persons_own_are_not_joined_to_others_by_another_row() -> None:
    recovery = recovered("3")
    assert [each.words for each in doubtful(recovery)] == ["已前", "已前 来"]
    with pytest.raises(CijieError, match=r"'reject' contradicts '已 前' in review\.csv:2$"):
        decide(recovery, [[row(recovery, "已 前"), row(recovery, "reject", 1)]])


def test_a_word_is_not_cut_within_a_character() -> None:
    words, target = ["旅行", "e\u0301困"], ["旅行", "e\u0301", "团"]
    recovery = Recoverer(list).recover(
        "".join(words), "".join(target), source_tokens=words, target_tokens=target
    )
    [place] = doubtful(recovery)
    with pytest.raises(CijieError, match="expected accept, reject or the words of"):
        decide(recovery, [[row(recovery, place.words.replace("e", "e "))]])


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_review_there_and_back(tmp_path: Path, pairs: Path, ending: str) -> None:
    review, out = tmp_path / f"review.{ending}", tmp_path / "out.txt"
    written = recover(pairs, "--review", 3, "-o", review)
    assert written.exit_code == 0, written.stderr
    assert "the 3 least sure places written\n" in written.stderr
    delimiter = "," if ending == "csv" else "\t"
    more = recover(pairs, "--review", 5, "--to", ending)
    assert "the 4 least sure places written\n" in more.stderr
    text = review.read_text(encoding="utf-8-sig")
    header, *rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    assert " ".join(header) == ("id place left words right alternative confidence reason decision")
    sure = [float(each[6]) for each in rows]
    assert (len(rows), sure) == (3, sorted(sure))
    by_id = {each[0]: each for each in rows}
    assert by_id["1"][1:6] == ["3", "我们", "因该", "走", "因 该"]
    for each in rows:
        each[-1] = {"1": "Reject", "3": "accept"}.get(each[0], "")
    with review.open("w", encoding="utf-8-sig", newline="") as stream:
        csv.writer(stream, delimiter=delimiter).writerows([header, *rows, [""] * 9])
    applied = recover(pairs, "--decisions", review, "-o", out)
    assert applied.exit_code == 0, applied.stderr
    accepted = sum(each[0] == "3" for each in rows)
    decided = f"{1 + accepted} of 3 places decided, 1 for other words\n  1  因该 → 因 该\n"
    assert decided in applied.stderr
    assert applied.stderr.splitlines()[-1] != written.stderr.splitlines()[-1]  # another signature
    assert out.read_text(encoding="utf-8").splitlines()[0] == "我们 因 该 走"


def test_reviews_are_applied_one_after_another(tmp_path: Path, pairs: Path) -> None:
    first, second, out = tmp_path / "1.csv", tmp_path / "2.csv", tmp_path / "out.txt"
    for path, known, place in ((first, (), "2"), (second, ("--decisions", first), "3")):
        assert recover(pairs, *known, "--review", 9, "-o", path).exit_code == 0
        text = path.read_text(encoding="utf-8")
        lines = [line + "reject" * line.startswith(f"3,{place},") for line in text.splitlines()]
        assert any(line.endswith("reject") for line in lines)
        path.write_text("\n".join(lines), encoding="utf-8")
    rows = second.read_text(encoding="utf-8")
    assert "3,3,我已,前 来,过,前来," in rows
    assert "\n3,2," not in rows  # it is decided
    assert recover(pairs, "--decisions", second, "-o", out).exit_code == 1
    result = recover(pairs, "--decisions", first, "--decisions", second, "-o", out)
    assert result.exit_code == 0, result.stderr
    assert "2 of 4 places decided, 2 for other words\n" in result.stderr
    assert out.read_text(encoding="utf-8").splitlines()[2] == "我 已 前来 过"


def decided_in(path: Path, text: str, decisions: dict[str, str]) -> Path:
    """Write a copy of a review in which the rows that begin so have decisions."""
    lines = text.splitlines()
    for start, decision in decisions.items():
        lines = [line + decision * line.startswith(start) for line in lines]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_two_persons_decide_half_of_one_review_each(tmp_path: Path, pairs: Path) -> None:
    review, out = tmp_path / "review.csv", tmp_path / "out.txt"
    assert recover(pairs, "--review", 9, "-o", review).exit_code == 0
    text = review.read_text(encoding="utf-8")
    first = decided_in(tmp_path / "1.csv", text, {"1,": "reject", "3,2,": "reject"})
    second = decided_in(tmp_path / "2.csv", text, {"2,": "旅 行困", "3,2,": "reject"})
    third = decided_in(tmp_path / "3.csv", text, {"1,": "accept"})
    results = []
    for files in ((first, second), (second, first, second)):
        given = [part for path in files for part in ("--decisions", path)]
        result = recover(pairs, *given, "-o", out)
        assert result.exit_code == 0, result.stderr
        assert "3 of 4 places decided, 3 for other words\n" in result.stderr
        assert result.stderr.count("因该 → 因 该") == 1
        results.append((out.read_text(encoding="utf-8"), sorted(result.stderr.splitlines())))
    assert results[0][0] == "我们 因 该 走\n旅 行困 去\n我 已 前 来 过\n"
    assert results[0] == results[1]
    refused = recover(pairs, "--decisions", first, "--decisions", third, "-o", out)
    assert refused.exit_code == 1
    assert "3.csv:" in refused.stderr
    assert "'accept' contradicts 'reject' in " in refused.stderr
    assert "1.csv:" in refused.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "review.txt",
            "a review is a table, not text: write it to .csv or .tsv",
        ),
        ("review.xlsx", "use --to FORMAT; spreadsheet programs read .csv"),
        ("review.arrow", "use --to FORMAT; Parquet (.parquet) holds the same columns"),
    ],
)
def test_a_review_is_a_table(pairs: Path, name: str, message: str) -> None:
    result = recover(pairs, "--review", 9, "-o", pairs.parent / name)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.csv", "", "the file is empty"),
        ("r.csv", "1,3", "the header has no column 'id': ['1', '3']; `cijie recover --review`"),
        ("r.csv", "id;place;words", "the separator of CSV must be a comma"),
        ("r.tsv", "id,place,words", "the separator of TSV must be a tab"),
        (
            "r.csv",
            "HEAD\n1,3,因该,因 该,\n1,3,因该,因 该,",
            "3: id 1: a second row for the place '3'",
        ),
        ("r.csv", "HEAD\n9,3,因该,因 该,", "2: id 9: none of the pairs has this id"),
        ("r.csv", "HEAD\n1,3,因该,因 该,,accept", "2: expected 5 cells, got 6: ['1', '3', "),
        ("r.csv", "HEAD,decision\n1,3,因该,因 该,accept,", "1: duplicate column 'decision': ['id'"),
    ],
)
def test_a_file_that_is_no_review_of_these_pairs(
    tmp_path: Path, pairs: Path, name: str, text: str, message: str
) -> None:
    path, out = tmp_path / name, tmp_path / "out.jsonl"
    head = "id,place,words,alternative,decision"
    path.write_text(text.replace("HEAD", head), encoding="utf-8")
    result = recover(pairs, "--decisions", path, "-o", out)
    assert result.exit_code == 1
    assert message in result.stderr
    assert str(path) in result.stderr
    assert not out.exists()


def test_another_encoding_is_not_that_of_the_pairs(tmp_path: Path) -> None:
    path = tmp_path / "review.csv"
    path.write_bytes("id,place,words,alternative,decision\n1,3,因该,因 该,".encode("gb18030"))
    with pytest.raises(CijieError, match=r"2: not UTF-8: .*; save it as CSV in UTF-8$"):
        read_decisions(path)


def test_only_tables_are_reviews(tmp_path: Path, pairs: Path) -> None:
    with pytest.raises(UsageError, match=r"expected a review, \*.csv or \*.tsv, got .*jsonl"):
        read_decisions(pairs)
    out = tmp_path / "review.csv"
    recover_file(pairs, out, segmenter=list, review=9)
    settings = {"segmenter": list, "decisions": [out]}
    with pytest.raises(UsageError, match="a review requires the method p3"):
        recover_file(pairs, tmp_path / "out.jsonl", method="p2", **settings)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="a review cannot be resumed"):
        recover_file(pairs, tmp_path / "out.jsonl", resume=True, **settings)  # type: ignore[arg-type]


def test_an_error_in_a_review_is_not_kept_as_an_error_in_a_pair(
    tmp_path: Path, pairs: Path
) -> None:
    review, out = tmp_path / "review.csv", tmp_path / "out.jsonl"
    recover_file(pairs, review, segmenter=list, review=9)
    review.write_text(review.read_text(encoding="utf-8").replace(",\n", ",acept\n"), "utf-8")
    result = recover(pairs, "--decisions", review, "--on-error", "keep", "-o", out)
    assert (result.exit_code, "got 'acept'" in result.stderr) == (1, True)
    assert sorted(tmp_path.iterdir()) == [pairs, review]


def test_decisions_are_not_applied_to_the_first_pairs_alone(tmp_path: Path, pairs: Path) -> None:
    review = tmp_path / "review.csv"
    recover_file(pairs, review, segmenter=list, review=9)
    result = recover(pairs, "--decisions", review, "--limit", 1)
    assert (result.exit_code, "leave out the limit" in result.stderr) == (2, True)


def test_processes_apply_decisions_as_one_does(tmp_path: Path, pairs: Path) -> None:
    review, one, two = tmp_path / "review.csv", tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    recover_file(pairs, review, segmenter=list, review=9)
    text = review.read_text(encoding="utf-8")
    review.write_text(text.replace(",\n", ",reject\n"), encoding="utf-8")
    for out, workers in ((one, 1), (two, 2)):
        recover_file(
            pairs, out, segmenter="builtins:list", decisions=[review], workers=workers, batch_size=1
        )
    assert one.read_bytes() == two.read_bytes()
    assert b'"changes":[]' in one.read_bytes()
