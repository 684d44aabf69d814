"""A page that shows how far annotators agree, and where they differ, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cijie.gold.agreement import Agreement
from cijie.gold.annotation import Annotations, shared_sentences
from cijie.gold.proposals import Proposals
from cijie.gold.sheets import sheet_item
from cijie.recovery.pair import Pair
from cijie.viewer.pages import render_page


def agreement_page(
    agreement: Agreement,
    pairs: Mapping[str, Pair],
    annotations: Annotations,
    *,
    intersection: bool = False,
) -> bytes:
    """The page of an agreement: its tables, and every sentence in which annotators differ.

    Args:
        agreement: what `cijie.gold.agreement.agreement` measured.
        pairs: as for that.
        annotations: as for that.
        intersection: as for that.

    Raises:
        CijieError: as `shared_sentences`.
    """
    items = []
    for id in shared_sentences(annotations, pairs, intersection=intersection):
        found = {name: annotated[id] for name, annotated in annotations.items()}
        versions = {name: each.segmentation for name, each in found.items()}
        remarks = {name: each.remark for name, each in found.items() if each.remark}
        if len(set(versions.values())) > 1 or any(remark.flag for remark in remarks.values()):
            items.append(sheet_item(Proposals(pairs[id], versions, remarks)))
    data: dict[str, Any] = {
        "annotators": agreement.annotators,
        "sentences": agreement.sentences,
        "signature": agreement.signature,
        "tables": [
            {
                "caption": table.caption,
                "heads": [column.name for column in table.columns],
                "rows": list(table.formatted()),
            }
            for table in agreement.tables()
        ],
        "items": items,
    }
    return render_page("agreement", data)
