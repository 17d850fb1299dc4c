"""Who the person is, what they like, and who does what."""

from __future__ import annotations

import re

from lib.extract import cues, tools
from lib.extract.statement import FIRM, STRONG, WEAK, Statement

_LIKING = re.compile(
    r"^(?:(?:for|in|when|with)\b[^,]{2,60}, )?(?:personally,? )?i ?(?:really |strongly |generally |usually |always "
    r"|much |also |absolutely |do )*"
    r"(?P<verb>prefer|like|love|hate|dislike|can't stand|cannot stand|don't like|do not like"
    r"|despise)\b (?P<object>.+)$",
    re.S,
)
_CHOICE = re.compile(
    r"^(?:it|that|this|these|those|the|option|your|how|what|where|an?|them|him|her|all|both|approach|plan|version"
    r"|number|solution|\d|one|idea|some|something|if|not"
    r"|to (?:see|go|have|know|keep|add|use|do|try|make|get|change|start|be|think|move|hear|understand|just|first|also"
    r"|avoid|split|work on)\b(?! .*\b(?:small|short|concise|always|before)\b)|[bcd])\b"
)
_ABOUT_YOU = re.compile(
    r"(?:it )?(?:when|that|if|how)? ?you\b|your\b(?=.*\b(?:answers?|responses?|replies|messages)\b)"
)
_THIS_TIME = re.compile(
    r"\byou (?:did|made|wrote|have|'ve|added|were|just|are doing|chose|suggested|proposed)\b|\byour (?:idea|plan"
    r"|approach|suggestion|proposal)\b"
)
_ROLE_NOUN = (
    r"(?:engineer|developer|dev|programmer|designer|scientist|researcher|analyst|architect|manager|lead|student"
    r"|teacher|professor|founder|cto|ceo|sre|devops"
    r"|admin(?:istrator)?|sysadmin|consultant|freelancer|maintainer|contractor|intern|tester|qa|writer|beginner"
    r"|novice|newbie|junior|senior|expert|hobbyist"
    r"|product owner|pm|dba|economist|physicist|biologist|statistician|accountant|lawyer|doctor|marketer|head of \w+"
    r"|vp of \w+|director)"
)
_LANGUAGE = (
    r"(?:python|rust|go|typescript|javascript|java|react|sql|english|german|french"
    r"|c\+\+|kotlin|swift|css|docker|kubernetes|git|bash|ruby|php|haskell|scala)"
)
_ROLE = re.compile(
    rf"^(?:as you know,? )?(?:i'm|i am|im|i work as|i've been|i have been|my (?:role|job|title|position) (?:here )?is"
    rf"|my background is|by trade,? i'm) (?:an? |the |in )?(?:(?!(?:\w+ing|with|for|to|from|by|like|as|what|how"
    rf"|curious|that|if|sure|on|at|your|their|his|interested|afraid|told|about)\b)[\w/+#.-]+ ){{0,5}}?{_ROLE_NOUN}\b"
    r"|^(?:i'm|i am|im) (?:pretty |very |quite |completely |totally |relatively |fairly |really |brand |still "
    r"|somewhat )?(?:new to|a beginner (?:in|with|at)|fluent in"
    r"|experienced (?:in|with)|not (?:very |so |too |really )?(?:familiar with|experienced (?:in|with)|fluent in"
    r"|good at)|unfamiliar with|an expert (?:in|on)|responsible for|in charge of"
    r"|on call for|on the \w+(?: \w+)? team|color-?blind|dyslexic|deaf|based in)\b"
    r"|^i(?:'ve| have) (?:been (?:writing|coding|programming|working (?:with|in|as)|doing|using"
    r"|developing)\b.{0,80}\b(?:for|since)\b.{0,20}\b(?:years?|months?|decades?|20\d\d|19\d\d)\b"
    r"|(?:\w+ )?(?:years?|decades?) of .{0,60}(?:experience|background)|(?:\d{1,2}|two|three|four|five|six|seven"
    r"|eight|nine|ten|many|several)\+? years? (?:of )?(?:\w+ ){0,3}?(?:experience|background|in|as|with)\b"
    r"|never (?:used|written|worked with|touched|done) (?:\w+ ){0,4}before)"
    r"|^i (?:work (?:on|in|at|for|with) (?:the |an? )?(?:[\w-]+ ){0,3}(?:team|department|group|company|startup|agency"
    r"|university|lab|bank|hospital)|have a (?:background|degree|phd) in"
    rf"|come from (?:an? )?(?:[\w-]+ ){{0,3}}background|(?:mostly|mainly|usually|primarily) (?:write|code|work)\b"
    rf"|(?:don't|do not) (?:know|speak|understand) (?:any |much )?{_LANGUAGE}\b)"
    r"|^my (?:name is [a-z][\w'-]{1,20}(?: [a-z][\w'-]{1,20})?[.!]*$|(?:pronouns are|time ?zone is|native language is"
    r"|first language is|mother tongue is|working hours are|github (?:handle|username|user) is"
    r"|main language is|keyboard layout is)\b)"
)
_NOT_ROLE = re.compile(
    rf"\b(?:as an?|want|trying|looking|thinking|confused|getting|seeing|going|wondering|sure|afraid|having|building"
    rf"|implementing|adding|creating|making|running|testing|fixing|debugging|acting|playing"
    rf"|using)\b.{{0,20}}{_ROLE_NOUN}"
    r"|\b(?:engineer|developer|designer|manager|lead|expert|senior|junior|student|admin|tester|director) (?:agent"
    r"|role|page|prompt|persona|dashboard|view|user|account|panel|portal|mode|tool|tools|id|class|table"
    r"|endpoint|component|settings|subagent|for (?:this|today))\b"
)
_SURROUNDINGS = re.compile(
    r"^(?:i'm|i am) (?:on|using|running) (?:a |an )?(?:windows|macos|mac|linux|wsl2?|ubuntu|fedora|arch|debian|nixos"
    r"|m\d mac|neovim|vim|emacs|vscode|pycharm|intellij|zed|helix)(?: \d{1,2})?[.!]*$"
    r"|^i (?:use|work with|develop on|work on|code in|develop in) (?:a |an )?(?:windows|macos|mac|linux|wsl2?|ubuntu"
    r"|fedora|arch|debian|nixos|neovim|vim|emacs|vscode|vs code|pycharm|intellij|webstorm|zed|helix|fish|zsh"
    r"|powershell|tmux|nushell)(?: shell| editor)?[.!]*$"
)
_CALLED = re.compile(r"^[Cc]all me [A-Z]\w{1,20}[.!]*$")
_NOT_NAMES = frozenset(
    "the this that these those it we you i a an our my each every no if when since parser router scheduler manager "
    "service store controller handler client server worker cache loader"
    " builder factory node app user order session component widget class module queue engine runner editor provider "
    "context react redux there here everyone nobody someone postgres redis docker kubernetes"
    "typescript python rust git github step phase test tests build code api cli frontend backend model view "
    "hook hooks function method table".split()
)
_NAMES_IN_ER = frozenset(
    "peter alexander jennifer walter oliver christopher victor hector connor amber heather esther taylor tyler "
    "spencer cooper hunter carter parker trevor igor viktor eleanor roger dieter günter".split()
)
_PERSON = re.compile(
    r"^(?P<who>[A-Z][a-zà-ÿ'’-]{1,20}(?: [A-Z][a-zà-ÿ'’-]{1,20})?(?: from (?:the )?[\w ]{2,30}| \([\w ]{2,30}\))?"
    r"|[Tt]he [\w/-]{2,20}(?: [\w/-]{2,20})? (?:team|squad|guild|group)"
    r"|(?:[Mm]y|[Oo]ur) (?:manager|boss|designer|pm|tech lead|team lead|lead|cto|ceo|co-?founder|client|customer"
    r"|product owner|colleague|teammate)(?: [A-Z]\w{1,20})?) "
    r"(?:owns(?! \d)|is (?:responsible for|in charge of|the (?:[\w-]+ ){0,3}(?:owner|contact|lead|maintainer|reviewer"
    r"|approver|designer|pm|manager|expert)|on (?:vacation|leave|parental leave|holiday|pto|sick leave|call)"
    r"|out(?: of office)? (?:until|from|on|till)|away (?:until|from)|our|my|handling|leading|taking over)"
    r"|takes care of|takes over|leads|approves|signs off|must approve|has to approve"
    r"|handles (?:all )?(?:the )?(?:deploy|release|infra|billing|design|review|legal|security|support|ops)\w*)\b"
)
_TITLE = re.compile(
    r"^(?:[Oo]ur|[Mm]y|[Tt]he)? ?(?:manager|boss|designer|pm|PM|tech lead|team lead|lead|CTO|CEO|product owner|PO"
    r"|client|reviewer|QA) is [A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?[.!]*$"
)
_ASK_PERSON = re.compile(
    r"^(?:ask|contact|ping|talk to|check with) (?:@?[A-Z][\w'-]{1,20}|the [\w-]{2,20} team|#[\w-]{2,40}) (?:about|for"
    r"|regarding) (?:questions |anything |everything )?(?!this\b|that\b|it\b).{3,}"
)


def _is_name(who: str) -> bool:
    words = who.lower().split()
    if who[:1].islower() or words[0] in ("the", "my", "our"):
        return (
            words[0] in ("the", "my", "our")
            and not words[-1].endswith("er ")
            and (words[0] != "the" or words[-1] in ("team", "squad", "guild", "group"))
        )
    if any(w in _NOT_NAMES for w in words):
        return False
    return not words[0].endswith(("er", "or")) or words[0] in _NAMES_IN_ER


def role(core: str, low: str) -> Statement | None:
    """Role, skill, experience, the person's own constants."""
    return Statement("user", "role", core, STRONG) if _ROLE.match(low) and not _NOT_ROLE.search(low) else None


def preference(core: str, low: str) -> Statement | None:
    """"I prefer/like/hate …" of things in general, not of the options on the table."""
    found = _LIKING.match(low)
    if not found:
        return None
    wish = found["object"].strip(" .!")
    about_you = bool(_ABOUT_YOU.match(wish))
    scope = bool(cues.SCOPE.search(low))
    if about_you and not _THIS_TIME.search(wish):
        return Statement("feedback", "preference", core, STRONG if scope or cues.ASSISTANT.search(low) else WEAK)
    tasted = cues.STYLE.match(wish)
    if (
        _CHOICE.match(wish)
        or not tasted
        and re.search(r"\b(?:this|that|these|those|option|approach|version|idea|suggestion|plan|it)\b", wish)
    ):
        return None
    near = bool(tools.workshop(wish) or cues.ASSISTANT.search(wish))
    styled = bool(tasted) or bool(cues.STYLE.search(wish)) and not re.search(r"\b(?:the|here|more|too)\b", wish)
    if not (near or scope or styled):
        return None
    return Statement("user", "preference", core, STRONG if scope else FIRM if near else WEAK)


def surroundings(core: str, low: str) -> Statement | None:
    """System, editor and shell of the person, and what to call them: a remark of its own, not a hint beside an
    error."""
    return Statement("user", "surroundings", core, WEAK) if _SURROUNDINGS.match(low) or _CALLED.match(core) else None


def duty(core: str, low: str) -> Statement | None:
    """Who owns, decides or is away."""
    found = _PERSON.match(core)
    if (found and _is_name(found["who"])) or _ASK_PERSON.match(core) or _TITLE.match(core):
        return Statement("project", "person", core, WEAK)
    return None
