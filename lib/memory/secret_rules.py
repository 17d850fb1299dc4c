"""All secret rules in order: where two find the same place, the earlier one names it."""

from __future__ import annotations

from lib.memory import (
    secret_assignment_rules,
    secret_cloud_rules,
    secret_code_rules,
    secret_key_rules,
    secret_model_rules,
    secret_service_rules,
    secret_watch_rules,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.memory.secret_shapes import Rule

RULES: tuple[Rule, ...] = (
    *secret_model_rules.RULES,
    *secret_code_rules.RULES,
    *secret_cloud_rules.RULES,
    *secret_service_rules.RULES,
    *secret_watch_rules.RULES,
    *secret_key_rules.RULES,
    *secret_assignment_rules.RULES,
)
