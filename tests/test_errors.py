import pickle

import pytest

from cijie.errors import (
    AlignmentError,
    CijieError,
    FormatError,
    MissingExtraError,
    SegmentationError,
    SegmenterError,
    WorkerError,
)


@pytest.mark.parametrize(
    "error",
    [
        *(
            cls("no reference", path="dev.tsv", line=3, id="7")
            for cls in (CijieError, FormatError, SegmentationError, AlignmentError)
        ),
        MissingExtraError("pyarrow", "arrow", hint=" or so"),
        SegmenterError("no model"),
        WorkerError("died"),
    ],
)
def test_every_error_comes_back_from_another_process_as_it_was(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert again.__dict__ == error.__dict__
