"""What recall is measured on: a set of ours, and two public ones when they lie beside the repository."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OURS = ROOT / "tests" / "data" / "recall"
# A folder with precisionmembench/ and devmembench/ as their authors publish them.
PUBLIC = Path(os.environ.get("MEMORY_HOOKS_BENCH_DATA", ROOT.parent / "shared" / "bench"))


@dataclass(frozen=True)
class Case:
    """One prompt against one folder: file stems that must come, stems that may come as well."""

    folder: Path
    prompt: str
    expect: frozenset[str]
    also: frozenset[str] = field(default_factory=frozenset)
    kind: str = ""


def ours() -> list[Case]:
    rows = [json.loads(line) for line in (OURS / "prompts.jsonl").read_text(encoding="utf-8").splitlines()]
    folder = OURS / "memories"
    return [Case(folder, r["prompt"], frozenset(r["expect"]), frozenset(r["also"]), r["kind"]) for r in rows]


def elsewhere(unseen: bool = False) -> list[str]:
    """Prompts of another project, in which none of our memories belongs; `unseen`: of two that nothing was tuned on."""
    name = "elsewhere_unseen.txt" if unseen else "elsewhere.txt"
    return (OURS / name).read_text(encoding="utf-8").splitlines()


def standing() -> set[str]:
    """Our memories that carry `applies:`."""
    return {
        file.stem for file in (OURS / "memories").glob("*.md") if "\n  applies:" in file.read_text(encoding="utf-8")
    }


def precision(scratch: Path, pinned: bool) -> list[Case]:
    """PrecisionMemBench: one file a belief that is active, the user's own and in the query's scope.

    Expected is what its cases name as relevant; with `pinned`, what they require among the pinned facts too.
    """
    source = PUBLIC / "precisionmembench"
    beliefs = json.loads((source / "beliefs.seed.json").read_text(encoding="utf-8"))
    cases = []
    for row in json.loads((source / "retrieval.cases.json").read_text(encoding="utf-8")):
        user, scope = row.get("userId", "test-user"), frozenset(row["scope"])
        name = "-".join(sorted(part.rpartition(":")[2] for part in scope))
        folder = scratch / f"precision-{user}-{name}"
        if not folder.exists():
            folder.mkdir(parents=True)
            for belief in beliefs:
                held = belief["epistemic_status"] != "superseded" and not belief["resolved_at"]
                if held and belief["user_id"] == user and scope.intersection(belief["scope"]):
                    (folder / f"{belief['_id']}.md").write_text(_belief(belief), encoding="utf-8")
        expect = set(row["expect"].get("relevantBeliefs", {}).get("shouldOnlyInclude", ()))
        if pinned:
            expect |= set(row["expect"].get("pinnedFacts", {}).get("mustInclude", ()))
        cases.append(Case(folder, row["query"], frozenset(expect)))
    return cases


def _belief(belief: dict[str, Any]) -> str:
    kind = "feedback" if belief["type"] == "preference" else "project"
    fields = {"name": belief["canonical_name"], "description": belief["content"], "type": kind}
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()]
    if belief["aliases"]:
        lines.append(f"aliases: [{', '.join(json.dumps(alias) for alias in belief['aliases'])}]")
    return "---\n" + "\n".join(lines) + f"\n---\n{belief['why_it_matters']}\n"


def developer(scratch: Path) -> tuple[Path, list[tuple[str, frozenset[str]]]]:
    """DevMemBench: one file a message pair; (question, stems of the pairs of its sessions), none for no answer."""
    source, folder = PUBLIC / "devmembench", scratch / "developer"
    folder.mkdir(parents=True)
    pairs: dict[str, set[str]] = {}
    for session in json.loads((source / "sessions.json").read_text(encoding="utf-8")):
        messages = session["messages"]
        for start in range(0, len(messages), 2):
            stem = f"{session['sessionId'].lower()}-{start // 2}"
            said = [f"{message['role']}: {message['content']}" for message in messages[start : start + 2]]
            (folder / f"{stem}.md").write_text("\n\n".join(said) + "\n", encoding="utf-8")
            pairs.setdefault(session["sessionId"], set()).add(stem)
    rows = json.loads((source / "questions.json").read_text(encoding="utf-8"))
    wanted = [(row["question"], [pairs[session] for session in row["haystackSessionIds"]]) for row in rows]
    return folder, [(question, frozenset().union(*found)) for question, found in wanted]
