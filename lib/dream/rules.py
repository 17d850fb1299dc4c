"""The consolidation that needs no model: what can be merged, dated and tidied without judging what is true. Req: G3."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from lib.dream import ageing, logs, merging
from lib.dream.shelf import Shelf
from lib.memory.daily import Bullet


def consolidate(shelf: Shelf, bullets: Sequence[Bullet], today: datetime.date) -> None:
    """Stage on the shelf: logs distilled, duplicates merged with their union kept, dates made absolute, expiry marked.

    Contradictions and what proved wrong are left to a model or the person: no word is dropped here.
    """
    logs.distil(shelf, list(bullets))
    merging.merge_duplicates(shelf)
    ageing.make_dates_absolute(shelf)
    ageing.mark_expired(shelf, today)
