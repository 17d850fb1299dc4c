"""All secret rules in order: where two find the same place, the earlier one names it."""

from __future__ import annotations

from lib.memory.secrets import (
    assignment_rules,
    cloud_rules,
    code_rules,
    key_rules,
    model_rules,
    service_rules,
    watch_rules,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.memory.secrets.shapes import Rule

RULES: tuple[Rule, ...] = (
    *model_rules.RULES,
    *code_rules.RULES,
    *cloud_rules.RULES,
    *service_rules.RULES,
    *watch_rules.RULES,
    *key_rules.RULES,
    *assignment_rules.RULES,
)
