"""How fast a transcript is read, beside `json.loads` over the same lines; and what a turn at a large file's end costs.

usage: python tests/bench/transcript.py [MEGABYTES]        default 100; exit status 0 = every number held, 1 = not
"""
from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from lib.host import transcript
from lib.host.transcript import live_chain
from tests.support.rows import Row, jsonl, model, noted, person, result, row, use

FAST = 100.0  # MB a second, of processor time
PEAK = 60.0  # MB
LARGE = 600_000_000  # bytes
GROWTH = 1.5  # the last turn of the large file, as a multiple of the same turn alone
CODE = "def parse(text: str) -> list[str]:\\n    return [line.strip() for line in text.split('\\n')]\\n" * 20


def turn(number: int, parent: object) -> tuple[list[Row], str]:
    """A turn as sessions have them: a prompt, reading, running, an edit, an answer, and what the client adds."""
    names = [f"{number:x}{part}" for part in "abcdefgh"]
    rows = [
        person(names[0], parent, f"Please look at part {number} of the parser.", promptId=names[0]),
        model(names[1], names[0], "I read the file first."),
        model(names[2], names[1], [use(f"t{number}a", "Read", file_path=f"/src/part{number}.py")]),
        result(names[3], names[2], f"t{number}a", CODE),
        row("progress", names[4], names[3], data={"type": "hook_progress", "command": "x" * 300}),
        model(names[5], names[4], [use(f"t{number}b", "Edit", file_path="/a.py", old_string=CODE, new_string=CODE)]),
        result(names[6], names[5], f"t{number}b", "The file was changed."),
        model(names[7], names[6], "It is done. " * 20), noted(names[7]),
    ]  # fmt: skip
    return rows, names[7]


def written(path: Path, size: int) -> None:
    """A session of at least `size` bytes."""
    parent: object = None
    number = done = 0
    with open(path, "wb") as file:
        while done < size:
            rows, parent = turn(number, parent)
            done += file.write(jsonl(*rows))
            number += 1


def seconds(work: Callable[[], object]) -> float:
    """Processor time, so that a busy machine does not count; the best of three."""
    took = []
    for _ in range(3):
        started = time.process_time()
        work()
        took.append(time.process_time() - started)
    return min(took)


def yardstick(path: Path) -> None:
    with open(path, "rb") as file:
        for line in file:
            json.loads(line)


def count(path: Path) -> int:
    return sum(1 for _ in transcript.turns(str(path)))


def peak() -> float:
    """Of this process in MB."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1 << 20) if sys.platform == "darwin" else used / (1 << 10)


def throughput(path: Path) -> bool:
    size = path.stat().st_size / 1e6
    held = True
    works: dict[str, Callable[[], object]] = {
        "span (what the hooks and extraction read)": lambda: transcript.span(str(path)),
        "turns (with the results of tools)": lambda: count(path),
    }
    print(f"{size:.0f} MB in one pass")
    for name, work in works.items():
        speed = size / seconds(work)
        held = held and speed >= FAST
        print(f"  {name:<44} {speed:6.0f} MB/s  (at least {FAST:.0f})")
    used = peak()
    print(f"  {'peak memory so far':<44} {used:6.0f} MB    (at most {PEAK:.0f})")
    print(f"  {'the live conversation':<44} {size / seconds(lambda: live_chain(str(path))):6.0f} MB/s")
    print(f"  {'json.loads of every line':<44} {size / seconds(lambda: yardstick(path)):6.0f} MB/s  (yardstick)")
    return held and used <= PEAK


def last_turn(folder: Path) -> bool:
    raw = jsonl(*turn(1_000_000, None)[0])
    alone, large = folder / "alone.jsonl", folder / "large.jsonl"
    alone.write_bytes(raw)
    written(large, LARGE)
    since = large.stat().st_size
    with open(large, "ab") as file:
        file.write(raw)

    def often(path: Path, start: int) -> float:
        return seconds(lambda: [list(transcript.turns(str(path), start)) for _ in range(200)]) / 200

    small, big = often(alone, 0), often(large, since)
    print(f"the last turn of {LARGE / 1e6:.0f} MB: {big * 1e3:.2f} ms, alone {small * 1e3:.2f} ms  "
          f"({big / small:.2f} times, at most {GROWTH})")  # fmt: skip
    return big <= GROWTH * small


def main(arguments: list[str]) -> int:
    size = int(arguments[0]) if arguments else 100
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        written(path, size * 1_000_000)
        held = throughput(path)
        return 0 if last_turn(Path(folder)) and held else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
