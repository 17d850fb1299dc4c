"""The selector as it is called: same answers with and without an index, never wrong about a hit, never an error."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lib.recall import lexical, manifest, postings
from lib.recall.card import Card
from lib.recall.lexical import Hit, select
from lib.recall.postings import refresh
from tests.recall.folder import HARBOUR, age, memory, write

PROMPTS = [
    "when does the high season start?",
    "add a dependency",
    "which solver plans the berths and who publishes events to NATS?",
    "typts tickets",
    "Vault 里的密钥路径是什么？",
    "write a haiku about the sea",
    "secret store",
]


def told(hits: list[Hit]) -> list[tuple[str, float, str]]:
    return [(os.path.basename(hit.path), hit.score, hit.why) for hit in hits]


def names(hits: list[Hit]) -> list[str]:
    return [os.path.basename(hit.path).removesuffix(".md") for hit in hits]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "memory", HARBOUR)


def test_a_hit_is_an_absolute_path_a_score_and_a_reason(folder: Path) -> None:
    (hit,) = select(folder, "when does the high season start?")
    assert hit.path == str(folder / "season.md")
    assert hit.score > 0
    assert "season" in hit.why and "score" in hit.why and len(hit.why) < 400


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("abstain", [True, False])
def test_an_index_changes_nothing_but_the_time(folder: Path, tmp_path: Path, prompt: str, abstain: bool) -> None:
    scanned = select(folder, prompt, abstain=abstain, limit=9)
    for _ in range(2):  # made on the first call, used on the second
        assert told(select(folder, prompt, abstain=abstain, limit=9, index=tmp_path / "i")) == told(scanned)


def test_without_abstention_it_is_a_ranking_of_any_depth(folder: Path) -> None:
    ranked = select(folder, "the table of secrets, tickets and events", abstain=False, limit=100)
    assert set(names(ranked)) == {"vault", "tickets", "outbox"}
    assert [hit.score for hit in ranked] == sorted((hit.score for hit in ranked), reverse=True)
    assert (
        names(select(folder, "the table of secrets, tickets and events", abstain=False, limit=1)) == names(ranked)[:1]
    )
    assert select(folder, "anything", limit=0) == []


def test_plain_markdown_without_frontmatter_is_found(tmp_path: Path) -> None:
    write(tmp_path / "m", {"x": "# Lighthouse\n\nIt blinks twice a minute.", "y": "Nothing of the kind."})
    assert names(select(tmp_path / "m", "how often does the lighthouse blink?")) == ["x"]


def test_prompts_of_dense_scripts_find_their_memories(tmp_path: Path) -> None:
    write(
        tmp_path / "m",
        {"auth": memory("auth", "認証方式は OAuth に変更した", "ＡＰＩ の鍵は不要"), "x": memory("x", "会議は月曜日")},
    )
    assert names(select(tmp_path / "m", "認証方式を変えた理由は")) == ["auth"]
    assert names(select(tmp_path / "m", "API の鍵", abstain=False)) == ["auth"]


@pytest.mark.parametrize(
    "prompt", ["a(b[c*", "x" * 1_000_000, "\x00\ud800", "?", "((((", "season\n" * 50_000, "[[season]]"]
)
def test_no_prompt_is_refused(folder: Path, tmp_path: Path, prompt: str) -> None:
    assert isinstance(select(folder, prompt), list)
    assert isinstance(select(folder, prompt, index=tmp_path / "i", abstain=False), list)


def test_a_pasted_log_does_not_drown_the_question(folder: Path) -> None:
    log = "\n".join(f"2026-02-01T10:00:{n % 60:02} INFO vault secrets typst outbox relay {n}" for n in range(4_000))
    assert names(select(folder, f"when does the high season start?\n{log}"))[0] == "season"


def test_bad_files_harm_no_other(folder: Path, tmp_path: Path) -> None:
    (folder / "bin.md").write_bytes(b"# x\n\xff\xfe")
    (folder / "d.md").mkdir()
    os.mkfifo(folder / "f.md")
    (folder / "dangling.md").symlink_to(folder / "none")
    (folder / "._a.md").write_text("season")
    for index in (None, tmp_path / "i"):
        assert names(select(folder, "when does the high season start?", index=index)) == ["season"]
    assert select(tmp_path / "nowhere", "when does the high season start?", index=tmp_path / "j") == []
    assert select(folder / "season.md", "when does the high season start?", index=tmp_path / "k") == []


@pytest.mark.parametrize("large", [False, True])
def test_a_hit_is_never_what_the_file_no_longer_says(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    for file in folder.iterdir():
        age(file, 100)
    age(folder, 100)
    refresh(str(folder), str(tmp_path / "i"))
    if large:
        monkeypatch.setattr(postings, "SMALL", 0)
        monkeypatch.setattr(postings, "_sampled", lambda *_: ([], []))  # nothing is noticed beforehand
    status = (folder / "season.md").stat()
    (folder / "season.md").write_text(
        HARBOUR["season"].replace("High season", "The ballast").replace("season", "ballas")
    )
    os.utime(folder / "season.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert select(folder, "when does the high season start?", index=tmp_path / "i") == []
    (folder / "vault.md").unlink()
    os.utime(folder, (1, 1))
    assert select(folder, "what is in the secret store?", index=tmp_path / "i") == []


def test_a_renamed_memory_is_found_under_its_new_name(folder: Path, tmp_path: Path) -> None:
    assert names(select(folder, "when does the high season start?", index=tmp_path / "i")) == ["season"]
    (folder / "season.md").rename(folder / "calendar.md")
    assert names(select(folder, "when does the high season start?", index=tmp_path / "i")) == ["calendar"]


@pytest.mark.parametrize("damage", [b"garbage" * 999, b"", b"SQLite format 3\x00" + b"\x01" * 9_000])
def test_a_damaged_index_is_no_worse_than_none(folder: Path, tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "i").write_bytes(damage)
    for _ in range(2):
        assert names(select(folder, "when does the high season start?", index=tmp_path / "i")) == ["season"]


def test_an_index_that_cannot_be_made_is_no_worse_than_none(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for index in (tmp_path / "file" / "i", folder):
        assert names(select(folder, "when does the high season start?", index=index)) == ["season"]


def test_a_large_folder_is_read_once_and_again_after_a_change(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexical, "ONCE", 1)
    reads: list[str] = []
    scan = manifest.scan

    def counted(place: str) -> list[Card]:
        reads.append(place)
        return scan(place)

    monkeypatch.setattr(manifest, "scan", counted)
    for _ in range(3):
        assert names(select(folder, "when does the high season start?")) == ["season"]
    assert len(reads) == 1
    (folder / "season.md").unlink()
    assert names(select(folder, "when does the high season start?")) == []
    assert len(reads) == 2


def test_the_reason_is_one_printable_line(tmp_path: Path) -> None:
    write(tmp_path / "m", {"x": memory("x", "d", extra='applies: ["siren\\e[31m\\nred", siren]\n')})
    (hit,) = select(tmp_path / "m", "paint the siren")
    assert hit.why.isprintable() and len(hit.why) <= 300


def test_recent_tools_only_help_what_fits_otherwise(tmp_path: Path) -> None:
    write(tmp_path / "m", {"t": memory("quoting", "Quote paths with spaces", extra="applies: [bash]\n")})
    with_tool = select(tmp_path / "m", "quote the paths", recent_tools=["Bash"], abstain=False)
    assert with_tool[0].score > select(tmp_path / "m", "quote the paths", abstain=False)[0].score
    assert select(tmp_path / "m", "paint the siren green", recent_tools=("Bash",)) == []


def _hammer(folder: str, index: str, results: multiprocessing.SimpleQueue[list[str]]) -> None:
    found = [name for _ in range(20) for name in names(select(folder, "when does the high season start?", index=index))]
    results.put(found)


def test_two_processes_at_once_answer_rightly_while_the_index_is_made(folder: Path, tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    results: multiprocessing.SimpleQueue[list[str]] = context.SimpleQueue()
    workers = [context.Process(target=_hammer, args=(str(folder), str(tmp_path / "i"), results)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for number in range(20):
        write(folder, {f"n{number}": memory(f"n{number}", "ballast")})
        refresh(str(folder), str(tmp_path / "i"))
    found = [results.get() for _ in workers]
    for worker in workers:
        worker.join()
    assert found == [["season"] * 20] * 3


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(prompt=st.text(alphabet="season relay vault typst 認証 \n.?`'\"[](){}", max_size=80))
def test_scan_and_index_agree_on_any_prompt(folder: Path, tmp_path: Path, prompt: str) -> None:
    scanned = select(folder, prompt, abstain=False, limit=20)
    assert told(select(folder, prompt, abstain=False, limit=20, index=tmp_path / "i")) == told(scanned)
