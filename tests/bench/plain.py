"""The baseline: BM25 as in the textbook, over lower-cased words of the whole file."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


class Plain:
    """All files of a folder, ranked by word counts alone; `top` gives file stems, best first, and never abstains."""

    def __init__(self, folder: Path) -> None:
        files = [file for file in sorted(folder.glob("*.md")) if file.name != "MEMORY.md"]
        self.names = [file.stem for file in files]
        self.counts = [Counter(words(file.read_text(encoding="utf-8", errors="replace"))) for file in files]
        self.lengths = [sum(counts.values()) for counts in self.counts]
        self.holding = Counter(word for counts in self.counts for word in counts)

    def top(self, prompt: str, limit: int = 5) -> list[str]:
        average = sum(self.lengths) / max(1, len(self.lengths))
        asked = set(words(prompt))
        scored = []
        for name, counts, length in zip(self.names, self.counts, self.lengths, strict=True):
            score = 0.0
            for word in asked & counts.keys():
                rarity = math.log(1 + (len(self.names) - self.holding[word] + 0.5) / (self.holding[word] + 0.5))
                score += rarity * counts[word] * 2.5 / (counts[word] + 1.5 * (0.25 + 0.75 * length / average))
            if score > 0:
                scored.append((-score, name))
        return [name for _, name in sorted(scored)[:limit]]
