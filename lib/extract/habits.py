"""Rules for the assistant's own work: from now on, always and never, don't and stop, this tool and not that one."""

from __future__ import annotations

import re

from lib.extract import cues, tools
from lib.extract.statement import FIRM, STRONG, WEAK, Statement, asked, plain, points_back

_STANDING = re.compile(
    r"\bfrom (?:now|here) on\b|\b(?:going|moving) forward\b|\bfrom this point on(?:wards?)?\b|\bhenceforth\b"
    r"|\bin (?:the )?future\b"
    r"|\bfor (?:all )?future (?:sessions?|work|projects?|reference|changes|tasks)\b|\bin (?:all|every|any"
    r"|each) (?:future )?(?:sessions?|conversations?|chats?)\b"
    r"|\bnext time\b|\bevery session\b"
)
_STARTERS = frozenset(
    "always never only don't do no stop we i you when whenever before after every each all any instead be "
    "prefer if avoid call".split()
)
# Things a person means as rules for work when they say what they must be like from now on.
_WORK_ITEMS = re.compile(
    r"^(?:all |every |each |any |new |the |our |your )*(?:[\w-]+ )?(?:tests?|commits?|commit messages?|prs?"
    r"|pull requests?|branch(?:es| names)?|code"
    r"|docs?|functions?|methods?|(?:function|method|class|variable|attribute|argument|file|test"
    r"|branch)(?: argument)? names?|migrations?|components?|releases?)"
    r" (?:should|must|need to|have to|has to|needs to|are to|go|live|belong|use|start|end|get|carry)\b"
)
_INTENT = re.compile(
    r"^(?:we|i)(?:'ll| will| can| might| may| could| would| want| need|'d| won't)\b(?! (?:use|always|never))"
)
_FREQUENCY = re.compile(
    r"^(?:(?:in|for|when|whenever|before|after|on|with|while|if you|unless|at|during|across"
    r"|by default)\b[^,:;]{0,90}[,:]? )?"
    r"(?P<who>(?:everyone|everybody)(?: \w+){0,3} (?:must|should|has to) |you (?:should |must )?|we (?:should "
    r"|must )?|i (?:should |must |will )?)?(?:always|never|do not ever"
    r"|don't ever)(?: ever)? (?P<verb>[a-z][a-z-]{1,20})\b"
    r"|^(?P<late>[a-z][a-z-]{1,20})\b(?P<rest>.{3,160}?) (?:always|every ?time|each time)[.!]*$"
)
_DONT = re.compile(
    r"^(?P<who>you (?:should not|shouldn't|must not|mustn't)|we (?:don't|do not|should not|shouldn't)|i (?:don't"
    r"|do not) want you to|don't|do not"
    r"|avoid|no more|stop|quit) (?:ever )?(?P<verb>[a-z][a-z-]{1,20})\b(?P<rest>.*)$",
    re.S,
)
_NO_MORE = re.compile(
    r"^no (?:deploys?|deployments?|merges?|releases?|pushes) (?:on (?:\w+days?|weekends)|after \d|before|during"
    r"|until)\b"
    r"|^no (?:more )?[\w-]{3,20}(?: [\w-]{2,20}){0,2} (?:in|on|at) (?:your|commit|the code|code|prs?|pull requests?"
    r"|the end of)\b"
)
_HABITUAL_ING = re.compile(
    r"^(?:adding|writing|using|creating|summari[sz]ing|apologi[sz]ing|asking|explaining|committing|pushing|generating"
    r"|mocking|including|putting"
    r"|repeating|over-?engineering|guessing|assuming|amending|hard-?coding|reformatting|saying|calling|praising"
    r"|agreeing|inventing|ending|starting"
    r"|suggesting|suppressing|skipping|leaving|being|giving)$"
)
_OBJECT = re.compile(
    r"^(?:(?:the )?any type|var\b|magic numbers|globals|mocks|default exports|class components|emojis?|abbreviations"
    r"|semicolons|tabs|comments|force|commented-out)\b"
)
_MOCKED = re.compile(r"\b(?:db|database|databases|network|filesystem|services?|http|apis?|external)\b")
_CONDUCT = re.compile(r"^(?:explain|ask|remind|lecture|praise|flatter|apologi[sz]e|repeat|narrate|restate)$")
_NOT_ON_DAYS = re.compile(
    r"\b(?:on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends|after \d|after hours|at night)\b"
)


def standing(core: str, low: str) -> Statement | None:
    """"from now on …" said to the assistant."""
    if not _STANDING.search(low):
        return None
    bare = plain(re.sub(r"^[ ,:–—-]+", "", _STANDING.sub("", low)).strip(" ,.!"))
    to_you = asked(bare)
    bare = bare[to_you:].removeprefix("just ")
    first = re.match(r"[a-z'’-]+", bare)
    verb = first.group(0) if first else ""
    if len(bare.split()) < 2 or points_back(bare) or _INTENT.match(bare):
        return None
    loose = re.search(r"\bin (?:the )?future\b|\bnext time\b", low)
    if loose and verb not in cues.HABITS and verb not in ("always", "never", "don't", "do", "when", "before"):
        return None
    addressed = to_you or verb in cues.HABITS or verb in cues.UNCERTAIN or verb in _STARTERS or _WORK_ITEMS.match(bare)
    return (
        Statement("feedback", "standing", core, STRONG) if addressed and not cues.PRODUCT_ACTOR.search(bare) else None
    )


def frequency(core: str, low: str) -> Statement | None:
    """"always/never …" about the assistant's own work."""
    found = _FREQUENCY.match(low)
    if not found:
        return None
    verb = found["verb"] or found["late"]
    who = (found["who"] or "").strip()
    rest = (low[found.end() :] if found["verb"] else found["rest"]).strip()
    if points_back(f"{verb} {rest}".strip()) or (rest and points_back(rest)) or cues.PRODUCT_ACTOR.search(low):
        return None
    scope = cues.scoped(low)
    near = bool(tools.workshop(low) or cues.ASSISTANT.search(low))
    if who.startswith("i") and not (
        scope or tools.named(low) or verb in ("use", "prefer", "write", "squash", "rebase", "review")
    ):
        return None
    if verb in cues.HABITS:
        return Statement(
            "feedback", "frequency", core, STRONG if scope or near else FIRM if cues.HERE.search(low) else WEAK
        )
    if verb in cues.UNCERTAIN and found["verb"] and (scope or near or who == "you"):
        return Statement("feedback", "frequency", core, STRONG if scope else WEAK)
    return (
        Statement("feedback", "frequency", core, WEAK) if scope and found["verb"] and not who.startswith("we") else None
    )


def prohibition(core: str, low: str) -> Statement | None:
    """"don't mock the database", "stop adding comments": a habit forbidden, not a detail of this change."""
    if _NO_MORE.match(low):
        return Statement("feedback", "prohibition", core, WEAK)
    found = _DONT.match(low)
    if not found:
        return None
    verb, who = found["verb"], found["who"]
    rest = cues.without_scope(found["rest"]).strip(" .!")
    scope = cues.scoped(low)
    near = bool(cues.ASSISTANT.search(low))
    if who in ("stop", "quit"):
        if (
            not _HABITUAL_ING.match(verb)
            or (cues.THIS_ONE.search(rest[:40]) and not scope)
            or (not rest and not verb.startswith(("apolog", "guess", "summar")))
        ):
            return None
        return Statement("feedback", "prohibition", core, STRONG if scope or near else FIRM)
    if not rest:
        return None
    if who in ("avoid", "no more"):
        return (
            Statement("feedback", "prohibition", core, STRONG if scope else WEAK)
            if (near or scope) and not cues.THIS_ONE.search(rest)
            else None
        )
    mocked = verb == "mock" and bool(_MOCKED.search(rest)) and not re.search(r"\b(?:this|that)\b", rest)
    if who.startswith("we"):
        fits = (
            verb in cues.HABITS
            and not cues.THIS_ONE.search(rest[:30])
            and (tools.named(low) or scope or mocked or cues.HERE.search(low) or _NOT_ON_DAYS.search(rest))
        )
        return Statement("feedback", "prohibition", core, STRONG) if fits else None
    if verb not in cues.HABITS and verb not in cues.UNCERTAIN:
        return None
    if mocked or near or scope:
        return Statement("feedback", "prohibition", core, STRONG if scope else WEAK)
    if _CONDUCT.match(verb) and len(rest.split()) >= 2 and rest[0] not in ",;-" and not cues.THIS_ONE.search(rest):
        return Statement("feedback", "prohibition", core, WEAK)
    generic = tools.workshop(rest) or _OBJECT.match(rest)
    return (
        Statement("feedback", "prohibition", core, WEAK)
        if verb in cues.HABITS and generic and not cues.THIS_ONE.search(rest)
        else None
    )
