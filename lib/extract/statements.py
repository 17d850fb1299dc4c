"""One sentence judged: is it a lasting statement, of which kind, and what exactly does it state?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lib.extract import cues, refusals
from lib.memory import dates

_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|also|and|but|so|btw|by the way|please|pls|plz|hey|hi|hello|claude|note|fyi|one more thing|another thing|a reminder|reminder|important|first(?:ly)?|second(?:ly)?"
    r"|third(?:ly)?|finally|lastly|additionally|yes|yeah|yep|right|great|thanks|thank you|good|perfect|well|then|actually|wait|oh|look|listen|again|rule|p\.?s\.?|in general|generally|as a rule"
    r"|kindly|looks good|cool|nice|done|for the record|heads up|quick note|side note|sorry|dude|guys|basically|anyway)(?:[ ,:.!;–—-]+|$)){1,4}"
)
_ASK = re.compile(
    r"^(?:i(?:'d| would)? (?:want|like|need|expect) you to|you (?:should|must|need to|have to|can|are to)|(?:please )?(?:make sure|be sure|ensure)(?: that)? (?:you|to|we)|(?:could|can|would|will) you(?: please| kindly)?"
    r"|it(?:'s| is) (?:important|essential|crucial)(?: that (?:you|we)| to| for you to)|let's|we (?:should|must|need to|have to|want to)|please) (?=\S)"
)
_EXPLICIT = re.compile(
    r"^(?P<weak>(?:just|always|but|simply) )?(?:(?:can|could|would|will) you (?:please |kindly )?|you (?:should|must|need to) |i want you to |i'd like you to |let's )?"
    r"(?:(?:please )?(?:remember|memori[sz]e|do not forget|don't forget|never forget|keep in mind|bear in mind|make a (?:mental )?note|take (?:a )?note|save (?:this |that |it )?(?:to|in|as) (?:your |a |the )?memory|add (?:this |that |it )?to (?:your |the )?memory"
    r"|store (?:this |that |it )?in (?:your |the )?memory|put (?:this |that |it )?(?:in|into) (?:your |the )?memory|(?:keep|save|store) this in mind|note|note to self|for (?:the )?(?:future|record|next time|future reference)|remember (?:this|that)?(?: for| in)? (?:the |your )?(?:future|next time|later|next sessions?|future (?:sessions?|reference)|all (?:future )?sessions?))"
    r")(?P<link>[ ,]*(?:this|the following|forever)?\s*[:,–—-]+\s*|,? that(?= (?!one\b|thing\b|\w+ thing\b))\s+|\s+)(?P<core>.+)$",
    re.S,
)
_WEAK_EXPLICIT = re.compile(r"^(?:do not forget|don't forget|note|keep in mind|bear in mind|take (?:a )?note)\b")
_BACKREF = re.compile(
    r"^(?:please )?(?:(?:remember|memori[sz]e|note|save|store|keep) (?:this|that|it|these|all (?:this|that|of this)|those)|keep (?:this|that|it|these) in mind|(?:add|save|store|put|commit) (?:this|that|it|these) (?:to|in|into) (?:your |the )?memory|don't forget (?:this|that|it))"
    r"(?: please| for (?:the )?(?:future|next time|later|next sessions?|future (?:sessions?|reference|projects?|work)|all (?:future )?(?:sessions?|projects?)|me)| in (?:the )?future| going forward| from now on| in mind| forever| (?:too|always))*[.!]*$"
)
_STANDING = re.compile(r"\bfrom now on\b|\bgoing forward\b|\bmoving forward\b|\bfrom this point on(?:wards?)?\b|\bhenceforth\b|\bin future\b|\bin the future\b|\bfor (?:all )?future (?:sessions?|work|projects?|reference|changes|tasks)\b|\bin (?:all|every|any|each) (?:future )?(?:sessions?|conversations?|chats?)\b|\bnext time\b|\bevery session\b")
_FREQ = re.compile(
    r"^(?:(?P<lead>(?:in|for|when|whenever|before|after|on|with|while|if you|unless|at|during|across|by default)\b[^,:;]{0,90}[,:]? )?(?P<who>you (?:should |must )?|we (?:should |must )?|i (?:should |must |will )?)?(?P<freq>always|never|do not ever|don't ever)(?: ever)? (?P<verb>[a-z][a-z-]{1,20}))\b"
    r"|^(?P<verb2>[a-z][a-z-]{1,20})\b(?P<rest>.{3,160}?) (?:always|every ?time|each time)[.!]*$"
)
_DONT = re.compile(r"^(?P<who>you (?:should not|shouldn't|must not|mustn't)|we (?:don't|do not|should not|shouldn't)|i (?:don't|do not) want you to|don't|do not|avoid|no more|please don't|stop|quit) (?:ever )?(?P<verb>[a-z][a-z-]{1,20})\b(?P<rest>.*)$", re.S)
_NOT_BUT = re.compile(
    r"^(?P<who>we |i |you (?:should |must )?)?(?:only |just |rather )?(?:use|using|prefer|run|go with|stick (?:with|to)|work with|write) (?P<x>[^,;.]{2,60}?)(?:,? (?:and )?not |,? instead of |,? rather than |,? over |; not |,? never |,? no )(?P<y>[^,;.]{2,60})"
)
_CORRECTION = re.compile(r"^(?:no|nope|wrong|stop|not \w+)[,.!:;–— -]+(?:please |we |you should |always |just )?(?:use|using|run) (?P<x>[\w./+-]{2,30})(?P<rest>.{0,80})$", re.S)
_LIKING = re.compile(r"^(?:(?:for|in|when|with)\b[^,]{2,60}, )?(?:personally,? )?(?:i|my preference is|i'd|i would|we) ?(?:really |strongly |generally |usually |always |much |also |absolutely |do )*(?P<verb>prefer|like|love|hate|dislike|can't stand|cannot stand|don't like|do not like|despise|to have|rather)\b (?P<object>.+)$", re.S)
_CHOICE = re.compile(r"^(?:it|that|this|these|those|the|option|your|how|what|where|a|an|them|him|her|all|both|approach|plan|version|number|solution|\d|one|idea|some|something|if|where|to (?:see|go|have|know|keep|add|use|do|try|make|get|change|start|be|think|move|hear|understand|just|first|also|avoid|split|work on)\b(?! .*\b(?:small|short|concise|always|before)\b)|b\b|c\b|d\b)\b")
_ROLE_NOUN = (
    r"(?:engineer|developer|dev|programmer|designer|scientist|researcher|analyst|architect|manager|lead|student|teacher|professor|founder|cto|ceo|sre|devops|admin(?:istrator)?|sysadmin|consultant|freelancer|maintainer|contractor|intern|tester|qa|"
    r"writer|beginner|novice|newbie|junior|senior|expert|hobbyist|product owner|pm|dba|economist|physicist|biologist|statistician|accountant|lawyer|doctor|marketer|head of \w+|vp of \w+|director)"
)
_ROLE = re.compile(
    rf"^(?:as you know,? )?(?:i'm|i am|im|i work as|i've been|i have been|my (?:role|job|title|position) (?:here )?is|my background is|by trade,? i'm) (?:an? |the |in )?(?!also the one)(?:[\w/+#.-]+ ){{0,5}}?{_ROLE_NOUN}\b"
    r"|^(?:i'm|i am|im) (?:pretty |very |quite |completely |totally |relatively |fairly |really |brand |still |somewhat )?(?:new to|a beginner (?:in|with|at)|fluent in|experienced (?:in|with)|not (?:very |so |too |really )?(?:familiar with|experienced (?:in|with)|fluent in|good at)|unfamiliar with|an expert (?:in|on)|responsible for|in charge of|on call for|on the \w+(?: \w+)? team|color-?blind|dyslexic|deaf|based in|located in)\b"
    r"|^i(?:'ve| have) (?:been (?:writing|coding|programming|working (?:with|in|as)|doing|using|developing)\b.{0,80}\b(?:for|since)\b.{0,20}\b(?:years?|months?|decades?|20\d\d|19\d\d)\b|(?:\w+ )?(?:years?|decades?) of .{0,60}(?:experience|background)|(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|many|several)\+? years?\b|never (?:used|written|worked with|touched|done) (?:\w+ ){0,4}before)"
    r"|^i (?:work (?:on|in|at|for|with) (?:the |an? )?(?:[\w-]+ ){0,3}(?:team|department|group|company|startup|agency|university|lab|bank|hospital)|have a (?:background|degree|phd) in|come from (?:an? )?(?:[\w-]+ ){0,3}background|mostly (?:write|code|work)|mainly (?:write|code|work)|only know|(?:don't|do not) (?:know|speak|understand) (?:any |much )?(?:python|rust|go|typescript|javascript|java|react|sql|english|german|french|c\+\+|kotlin|swift|css|docker|kubernetes|git|bash)\b)"
    r"|^my (?:name is|pronouns are|time ?zone is|native language is|first language is|mother tongue is|working hours are|github (?:handle|username|user) is|team is|os is|editor is|shell is|machine is|main language is|keyboard layout is)\b"
)
_NOT_ROLE = re.compile(r"\b(?:as an?|want|trying|looking|thinking|confused|getting|seeing|going|wondering|sure|afraid|having|building|implementing|adding|creating|making|running|testing|fixing|debugging)\b.{0,20}" + _ROLE_NOUN + r"|\b(?:engineer|developer|designer|manager|lead|expert|senior|junior|student|admin|tester|director) (?:agent|role|page|prompt|persona|dashboard|view|user|account|panel|portal|mode|tool|tools|id|class|table|endpoint|component|settings|subagent)\b")
_EVENT = r"(?:(?:code |merge |feature |deploy(?:ment)? |release |change |schema )?freeze|deadline|due date|launch(?: date)?|go-?live|release(?: date)?|demo|cut-?over|migration|audit|sunset|end[- ]of[- ]life|kick-?off|beta|ga|rollout|roll-out|code ?freeze|sprint|milestone|mvp|offsite|review meeting|maintenance window|(?:feature|scope) cut)"
_PLAN = re.compile(
    rf"^(?:so |note |(?:there's|there is|we have|we've got|we're in|we are in|we are under|there will be) (?:an? |the )?)?(?:the |our |an? |my |next |\w+'s )?(?:[\w'/.-]+ ){{0,5}}?{_EVENT}s?\b(?P<tail>.{{0,160}})$"
    r"|^(?:we|the \w+(?: \w+)?(?: team)?|they|marketing|legal|[a-z]+ team) (?:must |need to |have to |will |are going to |plan to |are planning to |'re planning to )?(?:ship|launch|release|go live|freeze|cut|deploy|present|demo|deliver|migrate|drop support|deprecate|sunset|turn off|shut down|switch)(?:s|es|ing)?\b(?P<tail2>.{0,160})$"
    r"|^(?:all |no |non-critical |everything )?(?:[\w-]+ )?(?:merges?|deploys?|deployments?|releases?|pushes)(?: to \w+)? (?:are |is )?(?:frozen|blocked|forbidden|paused|stopped|allowed|on hold|freeze)\b(?P<tail3>.{0,160})$",
    re.S,
)
_PLAN_LINK = re.compile(r"\b(?:is|are|on|by|until|till|from|since|starts?|begins?|ends?|moved|scheduled|planned|due|before|after|at|in|through|this|next|no later than|lasts?)\b")
_PERSON = re.compile(
    r"^(?:(?:[A-Z][a-zà-ÿ'’-]{1,20}(?: [A-Z][a-zà-ÿ'’-]{1,20})?(?: from (?:the )?[\w ]{2,30}| \([\w ]{2,30}\))?)|[Tt]he [\w/-]{2,20}(?: [\w/-]{2,20})? (?:team|squad|guild|group)|(?:[Mm]y|[Oo]ur) (?:manager|boss|designer|pm|tech lead|team lead|lead|cto|ceo|co-?founder|client|customer|product owner|colleague|teammate)(?: [A-Z]\w{1,20})?) "
    r"(?:owns|maintains|is (?:responsible for|in charge of|the (?:[\w-]+ ){0,3}(?:owner|contact|lead|maintainer|reviewer|approver|designer|pm|manager|expert)|on (?:vacation|leave|parental leave|holiday|pto|sick leave|call)|out(?: of office)? (?:until|from|on|till)|away (?:until|from)|our|my|handling|leading|doing|taking over|working on)|takes care of|takes over|leads|approves|signs off|reviews all|must approve|has to approve|handles (?:all )?(?:the )?(?:deploy|release|infra|billing|design|review|legal|security|support|ops)\w*)\b"
)
_ASK_PERSON = re.compile(r"^(?:ask|contact|ping|talk to|check with|go to) (?:@?[A-Z][\w'-]{1,20}|the [\w-]{2,20} team|my \w{2,20}|#[\w-]{2,40}) (?:about|for|regarding|if|when|before|on) (?:questions |anything |everything )?(?!this\b|that\b|it\b).{3,}")
_STATUS = re.compile(r"^(?:the |our )?(?:[\w-]+ ){0,5}(?:refactor(?:ing)?|migration|rewrite|project|rollout|redesign|work|integration|epic|initiative|launch|upgrade|feature) (?:is|are|has been|was) (?:paused|on hold|postponed|cancell?ed|blocked (?:by|on|until)|delayed|stopped|deprioriti[sz]ed|suspended)\b")
_TRACKED = re.compile(
    rf"^(?:(?:all )?(?:the |our |my )?(?:[\w/'&.-]+ ){{1,7}}?(?:is|are|gets?|live|lives|can be found|go|goes)|we (?:track|keep|document|manage|file|report|log|plan|store|discuss|monitor|collect|handle) .{{2,60}}?)(?: (?:all |now |always |only |also ))?(?: ?(?:tracked|documented|kept|reported|filed|managed|logged|discussed|planned|stored|monitored|collected|described|written up|visible|posted|announced|recorded|maintained))?"
    rf" (?:in|on|at|via|to|with|under|through|into) (?:the |our |a |my )?(?:[\w-]+ ){{0,2}}?(?:{cues.EXTERNAL}\b|#[a-z][\w-]{{1,40}}\b|(?:slack|discord|teams) channel)",
    re.I,
)
_LOOK_IN = re.compile(rf"^(?:check|see|look (?:at|in)|consult|report|file|use) (?:[\w-]+ ){{0,6}}?(?:in|on|at|to)? ?(?:the |our )?(?:[\w-]+ ){{0,3}}?{cues.EXTERNAL}\b(?: [\w-]+){{0,4}} (?:for|when|before) .{{3,}}", re.I)
_LABEL_URL = re.compile(
    r"^(?:(?:the|our|my) )?(?:[\w'/&()-]+ ){0,5}?(?:dashboards?|runbooks?|wiki|boards?|tracker|staging|monitoring|metrics|logs|alerts|status page|designs?|figma|roadmap|channel|on-?call|backlog|grafana|kibana|sentry|datadog|confluence|notion|jira|linear|handbook|playbook|style ?guide|production|prod|sandbox|staging (?:env|environment|server|url)|admin panel|calendar|postmortems?|api docs|internal docs|docs|documentation|design system|design docs?)"
    r"(?: (?:page|board|url|link|site|space|project|env|environment|server|is|are|lives?|live|can be found|here|for [\w -]{2,40}|of [\w -]{2,40})){0,4}\s*(?::|is|are|at|under|on|=|->|→|–|—|-)?\s*<?(?P<url>https?://[^\s<>]{4,200})"
)
_LOCAL_URL = re.compile(r"https?://(?:localhost|127\.|0\.0\.0\.0|\[::1\]|192\.168\.|10\.)")
_ANAPHORA = re.compile(r"^(?:(?:do|use|keep|make|run|add|have|show|put|include|check|say|remember|write|want|like|prefer|doing|using|adding) )?(?:it|that|this|them|those|these|so|one|the same|everything|something|anything|all of (?:it|them|that|this))(?: (?:way|too|again|always|please|now|instead|everywhere|again please|then))?[.!]*$")
_DETERMINED = re.compile(r"\b(?:the|this|that|these|those|its|it|them|any|yet|again|too|anything|everything|something|so|line|lines)\b")
_AGENT_DO = re.compile(r"^(?:adding|writing|using|creating|summari[sz]ing|apologi[sz]ing|asking|explaining|committing|pushing|generating|mocking|making|including|putting|repeating|over-?engineering|guessing|assuming|amending|hard-?coding|reformatting|running|saying|calling me|telling me|praising|agreeing|inventing|starting|ending|suggesting|deleting|suppressing|disabling|skipping|leaving|being|giving)$")
_KEEP = re.compile(r"^(?:please )?(?:keep|make) (?:your |the |all |all your )?(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages?|commit messages?|commits|prs|pull requests) (?:\w+ ){0,3}(?:short|brief|concise|terse|small|crisp|to the point|under|below|focused|in english|atomic)\b|^(?:answer|respond|reply|speak|talk|write|explain)(?: to me)?(?: only)? in (?:english|german|french|spanish|chinese|japanese|korean|italian|portuguese|russian|dutch|polish|turkish|hindi|plain english|simple english)\b(?! (?:and|then) )")


@dataclass(frozen=True)
class Statement:
    """What one sentence states: memory `type`, `kind` of cue, `core` (the statement without its cue words), `strong` when it stands in any text."""

    type: str
    kind: str
    core: str
    strong: bool
    explicit: bool = False


def _strip(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return text[found.end() :] if found else text


def _scope(low: str) -> bool:
    return bool(cues.SCOPE.search(low))


def _frequency(core: str, low: str) -> Statement | None:
    """"always/never …" about the assistant's own work."""
    found = _FREQ.match(low)
    if not found:
        return None
    verb = found["verb"] or found["verb2"]
    who = (found["who"] or "").strip()
    rest = low[found.end() :] if found["verb"] else found["rest"]
    if _ANAPHORA.match(f"{verb}{rest}".strip()) or _ANAPHORA.match(rest.strip() or "x"):
        return None
    if who.startswith("i") and not (cues.tools(low) or _scope(low) or verb in ("use", "prefer", "want", "write", "squash", "rebase", "run", "review")):
        return None
    scoped = _scope(low) or bool(cues.tools(low)) or bool(cues.ASSISTANT.search(low))
    if verb in cues.HABITS or verb.removesuffix("s") in cues.HABITS:
        return Statement("user" if who.startswith("i") and verb in ("prefer", "want") else "feedback", "frequency", core, scoped or bool(cues.HERE.search(low)))
    if scoped and (verb in cues.UNCERTAIN or cues.ASSISTANT.search(low) or _scope(low)):
        return Statement("feedback", "frequency", core, _scope(low) and not re.search(r"\b(?:the|a) (?:user|page|button|app|api|endpoint|client|server|ui)\b", low))
    return None


def _prohibition(core: str, low: str) -> Statement | None:
    """"don't mock the database", "stop adding comments": a habit forbidden, not a detail of this change."""
    found = _DONT.match(low)
    if not found:
        return None
    verb, rest, who = found["verb"], found["rest"].strip(" .!"), found["who"]
    if not rest and verb not in ("apologizing", "apologising", "guessing"):
        return None
    if who in ("stop", "quit", "avoid", "no more"):
        about = f"{verb} {rest}"
        if who in ("stop", "quit") and not (_AGENT_DO.match(verb)):
            return None
        if who in ("avoid", "no more") and not (cues.ASSISTANT.search(about) or _scope(low) or cues.tools(low)):
            return None
        if _DETERMINED.search(rest[:40]) and not (_scope(low) or cues.ASSISTANT.search(low) or "the end" in rest or "database" in rest):
            return None
        return Statement("feedback", "prohibition", core, bool(who in ("stop", "quit") or _scope(low)))
    mocking = verb == "mock" and bool(re.search(r"\b(?:db|database|databases|network|filesystem|services?|http|apis?|external|anything|everything)\b", rest))
    if who.startswith("we"):
        if verb in cues.HABITS and not _DETERMINED.search(rest[:30]) and (cues.tools(low) or _scope(low) or mocking or cues.HERE.search(low)):
            return Statement("feedback", "prohibition", core, True)
        return None
    if verb not in cues.HABITS and verb not in cues.UNCERTAIN:
        return None
    if mocking or cues.ASSISTANT.search(low) or _scope(low):
        return Statement("feedback", "prohibition", core, _scope(low))
    if verb in cues.HABITS and not _DETERMINED.search(rest) and (cues.tools(rest) or cues.HERE.search(low) or re.search(r"^(?:mocks|default exports|class components|emojis?|abbreviations|semicolons|tabs|comments|force)\b", rest)):
        return Statement("feedback", "prohibition", core, False)
    return None


def _contrast(core: str, low: str) -> Statement | None:
    """"we use X, not Y" and "no, use X"."""
    corrected = _CORRECTION.match(low)
    if corrected and corrected["x"].rstrip(".,") in cues.JOB_OF and not _DETERMINED.search(corrected["rest"].split("because")[0]):
        return Statement("feedback", "correction", re.sub(r"^\W*\w+[,.!:;\s–—-]+", "", core), False)
    found = _NOT_BUT.match(low)
    if found:
        x, y = cues.tools(found["x"]), cues.tools(found["y"])
        same = bool(x and y and {cues.JOB_OF[t] for t in x} & {cues.JOB_OF[t] for t in y} and set(x) != set(y))
        ours = (found["who"] or "").startswith(("we", "i"))
        plain = not re.search(r"\b(?:the|this|that|these|those|its|a|an|it|your|option|same|current|new|old|existing)\b", f"{found['x']} {found['y'][:25]}")
        if same or (ours and plain) or _scope(low):
            return Statement("feedback", "contrast", core, same or ours)
        return Statement("feedback", "contrast", core, False) if plain else None
    found = re.match(r"^(?:in this (?:repo|project|codebase),? )?(?:we|this (?:repo|project|codebase)) (?:only |now |always |exclusively )?uses? (?P<x>[\w./+-]{2,30})(?: (?P<rest>.{0,80}))?$", low)
    if found and found["x"] in cues.JOB_OF and not re.search(r"\b(?:to|as|but|which|so)\b", found["rest"] or ""):
        job = cues.JOB_OF[found["x"]]
        if job in ("packages", "tests", "lint", "git", "tracker") or _scope(low) or cues.HERE.search(low):
            return Statement("feedback", "contrast", core, bool(_scope(low) or cues.HERE.search(low)))
    return None


def _preference(core: str, low: str) -> Statement | None:
    found = _LIKING.match(low)
    if not found:
        return None
    verb, wish = found["verb"], found["object"].strip(" .!")
    if verb in ("to have", "rather") or (re.match(r".{0,60}\b(?:i'd|i would) (?:really |strongly )?(?:like|prefer|love|hate)\b", low) and not (_STANDING.search(low) or re.search(r"\byou (?:to )?(?:always|never)\b", low))):
        return None
    about_you = bool(re.match(r"(?:it )?(?:when|that|if|how)? ?you\b|your\b(?=.*\b(?:answers?|responses?|replies|messages)\b)", wish))
    kind = "feedback" if about_you else "user"
    if about_you and not re.search(r"\byou (?:did|made|wrote|have|'ve|added|were|just|are doing|chose|suggested|proposed)\b|\byour (?:idea|plan|approach|suggestion|proposal)\b", wish):
        return Statement(kind, "preference", core, _scope(low) or bool(cues.ASSISTANT.search(low)))
    if _CHOICE.match(wish) or re.search(r"\b(?:this|that|these|those|option|approach|version|idea|suggestion|plan|it)\b", wish):
        return None
    if verb in ("like", "love") and not (cues.tools(wish) or cues.ASSISTANT.search(wish) or _scope(low) or re.match(r"(?:my |short|small|concise|clean|explicit|simple|functional|to review|to read|when)", wish)):
        return None
    strong = bool(_scope(low) or cues.tools(wish) or cues.ASSISTANT.search(wish))
    return Statement(kind, "preference", core, strong)


def _about_me(core: str, low: str) -> Statement | None:
    if _ROLE.match(low) and not _NOT_ROLE.search(low):
        return Statement("user", "role", core, True)
    return None


def _plan(core: str, low: str) -> Statement | None:
    found = _PLAN.match(low)
    if found:
        tail = found["tail"] or found["tail2"] or found["tail3"] or ""
        frozen = "freeze" in low or "frozen" in low
        if (dates.dated(tail) and _PLAN_LINK.search(tail)) or (frozen and re.search(r"\b(?:until|till|from|starting|starts|while|because|as long as)\b", tail)):
            return Statement("project", "plan", core, "freeze" in low or "deadline" in low or "frozen" in low)
    if _STATUS.match(low):
        return Statement("project", "status", core, False)
    if (_PERSON.match(core) or _ASK_PERSON.match(core)) and not re.search(r"\b(?:this|that) (?:pr|branch|task|file|function)\b", low):
        return Statement("project", "person", core, False)
    return None


def _pointer(core: str, low: str) -> Statement | None:
    if _LOCAL_URL.search(low):
        return None
    if _LABEL_URL.match(low):
        return Statement("reference", "pointer", core, False)
    if _TRACKED.match(core) and not re.search(r"\b(?:logged|stored) (?:in|to|on) (?:the )?(?:sentry|prometheus|vault)\b", low):
        return Statement("reference", "pointer", core, bool(re.search(r"\b(?:we track|tracked|documented|filed|reported)\b", low)))
    if _LOOK_IN.match(core):
        return Statement("reference", "pointer", core, False)
    return None


def _standing(core: str, low: str) -> Statement | None:
    """"from now on …" said to the assistant."""
    if not _STANDING.search(low):
        return None
    bare = re.sub(r"^[ ,:–—-]+", "", _STANDING.sub("", low)).strip(" ,.!")
    bare = _strip(_LEAD, bare)
    asked = _ASK.match(bare) is not None
    bare = _strip(_ASK, bare)
    bare = bare.removeprefix("just ")
    first = re.match(r"[a-z'’-]+", bare)
    verb = first.group(0) if first else ""
    if len(bare.split()) < 2 or _ANAPHORA.match(bare):
        return None
    addressed = asked or verb in cues.HABITS or verb in cues.UNCERTAIN or verb in ("always", "never", "only", "don't", "do", "no", "stop", "we", "i", "you", "when", "whenever", "before", "after", "every", "each", "all", "any", "instead", "be", "prefer", "if", "avoid", "call")
    if re.search(r"\bin (?:the )?future\b|\bnext time\b", low) and verb not in cues.HABITS and verb not in ("always", "never", "don't", "do", "when", "before", "please"):
        return None
    if verb in cues.TASK_VERBS and re.search(r"\bin (?:the )?future\b", low) and not asked and verb not in cues.HABITS:
        return None
    if verb in ("we", "i") and re.match(r"(?:we|i)(?:'ll| will| can| might| may| could| would| want| need|'d| won't)\b(?! (?:use|always|never))", bare):
        return None
    return Statement("feedback", "standing", core, True) if addressed else None


def plain(sentence: str) -> str:
    """A sentence on one line, straight quotes, without the words that only lead in."""
    text = " ".join(sentence.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"').replace("**", "").split()).strip(" *_")
    found = _LEAD.match(text.lower())
    return text[found.end() :] if found and found.end() < len(text) else text


_READERS = (_standing, _frequency, _prohibition, _contrast, _about_me, _preference, _plan, _pointer)


def _read(core: str) -> Statement | None:
    low = core.lower()
    for reader in _READERS:
        found = reader(core, low)
        if found:
            return found
    asked = _ASK.match(low)
    if asked and re.match(r"(?:\S+ ){0,2}?(?:always|never|stop|not)\b", low[asked.end() :]):
        return _read(core[asked.end() :])
    return _read(plain(core)) if plain(core) != core else None


def _asked(core: str, weak: bool, to_do: bool) -> Statement | None:
    """What "remember …" asks to keep: its own kind when it has one; "remember to …" only as a habit, never as a reminder for this task."""
    low = core.lower()
    if len(core) < 6 or _ANAPHORA.match(low):
        return None
    known = _read(core)
    if known:
        return Statement(known.type, known.kind, core, True, True)
    if to_do or weak:
        first = low.split(" ", 1)[0]
        if to_do and first in cues.HABITS and (cues.tools(low) or _scope(low) or cues.ASSISTANT.search(low)):
            return Statement("feedback", "habit", core, not weak, True)
        return None
    words = low.split()
    kind = "project"
    if re.match(r"(?:i|my|i'm|i've)\b", low):
        kind = "user"
    elif "http://" in low or "https://" in low or re.search(cues.EXTERNAL, low):
        kind = "reference"
    elif words[0] in cues.HABITS or words[0] in cues.UNCERTAIN or words[0] in ("don't", "do", "no", "never", "always", "only", "when", "before", "after", "be"):
        kind = "feedback"
    if len(words) < 3:
        return None
    return Statement(kind, "asked", core, False, True)


def explicit(core: str) -> Statement | None:
    """The statement that a plain sentence asks to remember, or None. Req: B9."""
    found = _EXPLICIT.match(core.lower())
    if not found:
        return None
    link = found["link"].strip(" ")
    inner = plain(core[found.start("core") :])
    low = inner.lower()
    # "Remember, …" and "just remember …" call attention to something; they do not ask to keep it.
    weak = bool(_WEAK_EXPLICIT.match(core.lower()) or found["weak"] or link == ",")
    to_do = False
    if low.startswith(("to ", "not to ")):
        to_do = True
        inner = inner[3:] if low.startswith("to ") else "Don't " + inner[7:]
    elif not link and not re.match(r"(?:that|i|i'm|we|we're|my|our|always|never|don't|do not|this (?:repo|project|codebase|team)|the .{2,60}? (?:is|are|has|have|was|starts?|ends?|must|should)|[a-z][\w-]{1,20}(?:'s)? .{0,40}?(?:is|are|owns|has|uses?)|to|from|when|before|after|use|for|in|all|no|every)\b", low):
        return None
    if re.match(r"(?:the|this|a|an) \S+(?: \S+){0,3}$", low):
        return None
    return _asked(inner, weak, to_do)


def back_reference(core: str) -> bool:
    """True for "remember that" and the like, which speak of the sentence before."""
    return bool(_BACKREF.match(core.lower()))


def judge(core: str) -> Statement | None:
    """The statement in a plain sentence, or None; refusals are asked for what holds even when the person says "remember". Req: A6, B9."""
    low = core.lower()
    asked = explicit(core)
    reason = refusals.refusal(low)
    if reason and not (asked and reason in ("supposed", "reported", "past") and not low.endswith("?")):
        return None
    found = asked or _read(core)
    if found is None or refusals.derivable(found.core.lower()):
        return None
    if not found.explicit and found.kind in ("frequency", "standing") and refusals.product(found.core.lower()):
        return None
    return found
