"""Whether a turn that ended is looked at for memories: pure, in order, each no with its name. Req: B2."""

from __future__ import annotations

from lib.journal import Run, Skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# These answers are final for the turns they were given for; after the others the turns wait for the next decision.
SETTLED = frozenset(("disabled", "paused", "recall_only", "memory_tool", "no_human_text"))


def decide(
    *, main_agent: bool, off: str, stops: int, every: int, turns: Sequence[tuple[bool, bool]] | None
) -> Run | Skip:
    """`stops` counts the turns ended since the last run with this one; `turns` holds (human spoke, memory written).

    `turns` is None when too much is new to be read in a hook: then the worker, which reads it all, excludes turns.
    """
    if not main_agent:
        return Skip("not_main_agent")
    if off:
        return Skip(off)
    if stops < every:
        return Skip("frequency")
    if turns is None:
        return Run()
    spoken = [wrote for human, wrote in turns if human]
    if not spoken:
        return Skip("no_human_text")
    if all(spoken):
        return Skip("memory_tool")
    return Run()
