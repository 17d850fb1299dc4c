"""Dates that bind the project, and the systems outside the repository where its facts live."""

from __future__ import annotations

import re

from lib.extract import cues
from lib.extract.statement import FIRM, STRONG, WEAK, Statement
from lib.memory import dates

_EVENT = (
    r"(?:(?:code |merge |feature |deploy(?:ment)? |release |change |schema )?freeze|deadline|due date"
    r"|launch(?: date)?|go-?live|release(?: date)?|demo|cut-?over|migration|audit|sunset"
    r"|end[- ]of[- ]life|kick-?off|beta|rollout|roll-out|milestone|mvp|offsite|review meeting|maintenance window"
    r"|(?:feature|scope) cut)"
)
_PLAN = re.compile(
    rf"^(?:so |(?:there's|there is|we have|we've got|we're in|we are in|there will be) (?:an? |the )?)?(?:the |our "
    rf"|an? |my |next |\w+'s )?(?:[\w'/.-]+ ){{0,5}}?{_EVENT}s?\b(?P<tail>.{{0,160}})$"
    r"|^(?:we|the \w+(?: \w+)?(?: team)?|they|marketing|legal|[a-z]+ team) (?:must |need to |have to |will "
    r"|are going to |plan to |are planning to |'re planning to )?"
    r"(?:ship|launch|release|go live|freeze|cut|present|demo|deliver|migrate|drop support|sunset|turn off"
    r"|shut down)(?:s|es|ing)?\b(?P<ship>.{0,160})$"
    r"|^(?:all |no |non-critical |everything )?(?:[\w-]+ )?(?:merges?|deploys?|deployments?|releases?"
    r"|pushes)(?: to \w+)? (?:are |is )?(?:frozen|forbidden|paused|stopped|on hold|freeze)\b(?P<frozen>.{0,160})$",
    re.S,
)
_LINK = re.compile(
    r"\b(?:is|are|on|by|until|till|from|since|starts?|begins?|ends?|moved|scheduled|planned|due|before|after|at|in"
    r"|through|this|next|no later than|lasts?)\b"
)
_OPEN_END = re.compile(r"\b(?:until|till|from|starting|starts|while|because|as long as)\b")
_STATUS = re.compile(
    r"^(?:the |our )?(?:[\w-]+ ){0,5}?(?:refactor(?:ing)?|migration|rewrite|project|rollout|redesign|work|integration"
    r"|epic|initiative|launch|upgrade|feature) "
    r"(?:is|are|has been) (?:paused|on hold|postponed|cancell?ed|blocked (?:on|until)|delayed|stopped"
    r"|deprioriti[sz]ed|suspended)\b"
    r"|^(?:the |our )?(?:\w+ )?(?:freeze|code freeze) (?:is|has been|was) (?:now )?(?:over|lifted|ended|extended"
    r"|cancell?ed|postponed)\b"
)
_PLACE = rf"(?:{cues.EXTERNAL}\b|#[a-z][\w-]{{1,40}}\b|(?:slack|discord|teams) channel)"
_TRACKED = re.compile(
    r"^(?:(?:all )?(?:the |our |my )?(?:[\w/'&.-]+ ){1,7}?(?:(?:is|are) (?:now |always |only |also )?"
    r"(?:tracked|documented|kept|reported|filed|managed|discussed|planned|collected|described|posted|announced"
    r"|recorded|maintained)|live|lives|can be found) "
    r"|we (?:track|keep|document|manage|file|report|plan|discuss|collect|announce) .{2,60}? )"
    rf"(?:in|on|at|via|under|through) (?:the |our |a |my )?(?:[\w-]+ ){{0,2}}?{_PLACE}",
    re.I,
)
_LOOK_IN = re.compile(
    rf"^(?:check|see|look (?:at|in)|consult) (?:[\w-]+ ){{0,4}}?(?:in|on|at)? ?(?:the "
    rf"|our )?(?:[\w-]+ ){{0,3}}?{cues.EXTERNAL}\b(?: [\w-]+){{0,4}} (?:for|when|before) .{{3,}}",
    re.I,
)
_PAST = re.compile(
    r"\b(?:yesterday|ago|today|tonight|was|were|failed|fails?|broke|breaks?|went|did|happened|should|could|would)\b"
    r"|\blast (?:week|month|night|year|mon|tue|wed|thu|fri|sat|sun)"
)
_TASK_PART = re.compile(
    r"^(?:for|before|after|until|in|if|when|once|since|as|by)\b|\b(?:ship|release|demo|present|launch|deploy|deliver"
    r"|migrate|finish) (?:this|it|that|these)\b"
)
_LABEL = (
    r"(?:dashboards?|runbooks?|wiki|boards?|tracker|staging|monitoring|metrics|alerts|status page|designs?|figma"
    r"|roadmap|channel|on-?call|backlog|grafana|kibana|sentry|datadog|confluence|notion|jira|linear"
    r"|handbook|playbook|style ?guide|production|prod|sandbox|admin panel|calendar|postmortems?|api docs"
    r"|internal docs|design system|design docs?)"
)
_LABEL_URL = re.compile(
    rf"^(?:(?:the|our|my) )?(?:[\w'/&()-]+ ){{0,5}}?{_LABEL}(?: (?:page|board|url|link|site|space|project|env"
    rf"|environment|server|is|are|lives?|can be found|here|for [\w-]{{2,20}}|of [\w-]{{2,20}})){{0,4}}"
    r"\s*(?::|is|are|at|under|on|=|->|→|–|—|-)?\s*(?:at )?<?(?P<url>https?://[^\s<>,;]{4,200})(?P<rest>.{0,200})$",
    re.S,
)
_CHANNEL = re.compile(
    r"^(?:the |our )?[\w -]{2,40}channel(?: is|:) #[a-z][\w-]{1,40}[.!]*$"
    rf"|^(?:all )?(?:bugs|bug reports|tickets|feature requests|incidents|questions|issues|requests) (?:always )?(?:go"
    rf"|belong) (?:to|in|into) (?:the |our )?{_PLACE}"
)
_LOCAL = re.compile(r"https?://(?:localhost|127\.|0\.0\.0\.0|\[::1\]|192\.168\.|10\.)")
_ONE_ITEM = re.compile(r"/(?:issues|pull|merge_requests|commit|browse|tree|blob)/|[A-Z]{2,10}-\d+")


def _ordered(low: str) -> bool:
    """True when a later part of a sentence orders something: then the first part is only its setting."""
    return any(cues.is_order(part.strip()) for part in re.split(r"[,;]| - | so ", low)[1:])


def plan(core: str, low: str) -> Statement | None:
    """Deadline, freeze, launch with its date; work that is paused."""
    if _ordered(low) or _TASK_PART.search(low):
        return None
    found = _PLAN.match(low)
    if found and not _PAST.search(low):
        tail = found["tail"] or found["ship"] or found["frozen"] or ""
        frozen = bool(re.search(r"\bfreeze\b|\bfrozen\b", low))
        if (dates.dated(tail) and _LINK.search(tail)) or (
            frozen
            and re.search(r"\b(?:merge|code|feature|release|deploy\w*|merges|deploys)\b", low)
            and _OPEN_END.search(tail)
        ):
            return Statement(
                "project", "plan", core, STRONG if frozen or re.search(r"\bdeadline (?:\w+ ){0,4}is\b", low) else WEAK
            )
    return Statement("project", "status", core, WEAK) if _STATUS.match(low) else None


def channel(core: str, low: str) -> Statement | None:
    """The chat channel for a purpose, and the tracker that reports go to."""
    return Statement("reference", "pointer", core, WEAK) if _CHANNEL.match(low) and not _ordered(low) else None


def pointer(core: str, low: str) -> Statement | None:
    """Where bugs, dashboards, designs and decisions are kept outside the repository."""
    if _LOCAL.search(low) or _ONE_ITEM.search(core):
        return None
    found = _LABEL_URL.match(low)
    if found:
        rest = found["rest"].strip(" ,;.>)")
        return None if rest and cues.is_order(rest) else Statement("reference", "pointer", core, WEAK)
    if _ordered(low):
        return None
    if _TRACKED.match(core):
        return Statement(
            "reference",
            "pointer",
            core,
            FIRM if re.search(r"\b(?:track(?:ed)?|documented|filed|reported)\b", low) else WEAK,
        )
    return Statement("reference", "pointer", core, WEAK) if _LOOK_IN.match(core) else None
