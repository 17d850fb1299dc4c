"""Why a sentence is no memory: question, guess, this task's own business, what the repository records, a secret."""

from __future__ import annotations

import re

_QUESTION = re.compile(
    r"^(?:what|why|how|where|who|whom|whose|which|is|are|am|was|were|do(?! not\b)|does|did|has|have|had|shall|should"
    r"|may|might"
    r"|isn't|aren't|don't (?:you|we|they)|doesn't|didn't"
    r"|won't|can't (?:you|we)|couldn't|shouldn't|any idea|i wonder|i'm wondering|not sure|do you|can (?:we|i|it|they)"
    r"|could (?:we|i|it|they)|would (?:it|that|this)|when (?:do|does|did|is|are|was|will|should|can))\b"
)
_POLITE = re.compile(
    r"^(?:can|could|would|will) you (?:please |kindly )?(?:also )?(?:always|never|remember|stop|memori[sz]e|not "
    r"|keep in mind|make a note|note|save|from now on)\b"
)
_MEMORY_TALK = re.compile(
    r"\b(?:do|did|can|could|will|would|don't|didn't|doesn't|does|should|if) (?:you|it|i|we|they|he|she|claude"
    r"|the (?:app|agent|model|assistant|system|tool)) (?:still |even |really |always |actually )?(?:remember|recall"
    r"|forget|forgot)\b"
    r"|\bi (?:can't|cannot|don't|do not|didn't|never|can never|keep forgetting|still|vaguely|also|just"
    r"|now) (?:remember|recall)\b|\b(?:as|if) (?:i|you|we) (?:remember|recall)(?: correctly| right)?\b"
    r"|\bremember(?:ed|s|ing)\b|\bremember (?:me\b|how\b|when\b|what\b|why\b|where\b|which\b|who\b|if\b|whether\b"
    r"|the last\b|last\b|your\b|yesterday\b|earlier\b|us\b|him\b|them\b|it\b)"
    r"|\byour memor(?:y|ies)\b(?! that| to)|\bmemory (?:system|feature|file|hook|extraction|plugin|usage|leak)\b"
    r"|\bmemory\.md\b"
)
_SUPPOSED = re.compile(
    r"^(?:suppose|imagine|assume|assuming|let's (?:say|assume|pretend|imagine)|what if|maybe|perhaps|ideally"
    r"|hypothetically|in theory|say we|pretend|theoretically|if (?:the|a|an|it|this|that|we|i|they|there|one|someone"
    r"|users?|no|any|all|some|nothing|not)\b)"
    r"|\b(?:i (?:think|guess|believe|suppose|wonder|feel like|thought|assumed?) (?:we|it|you|that|this|the)"
    r"|might (?:be|want|need|have)|could (?:be|also|maybe|possibly)|would (?:be|have|rather not)|i'm not sure"
    r"|not sure (?:if|whether)|seems? (?:like|to|that)|probably|wondering)\b"
)
_THIS_TASK = re.compile(
    r"\b(?:in|for|on|to|of|with|within|from|at|after|before|inside|by|during) (?:this|that|these|those|the current"
    r"|the same|the new|the above|the following) (?!(?:repo|repository|project|codebase|code base|team|company"
    r"|monorepo|workspace|point|machine|computer|org|organization)s?\b)(?:\w|`)"
    r"|\bthis (?:one|time|once|pr|pull request|branch|file|function|task|change|commit|endpoint|page|component|test"
    r"|feature|issue|ticket|session|case|step|class|method|module|screen|script|refactor|plan|round|run|message"
    r"|prompt|conversation)\b"
    r"|\b(?:for|in|on|with|to) (?:this|that|these|those|it)(?:$|[.,!;:)])|\bfor (?:now|the moment|the time being"
    r"|today|tonight|a (?:moment|minute|second|while))\b|\bjust (?:this )?once\b|\bright now\b|\btemporar(?:y|ily)\b"
    r"|\bat the moment\b|\buntil i (?:say|tell|come)\b|\b(?:not|don't \w{2,20}(?: \w{1,20}){0,4}"
    r"|do not \w{2,20}(?: \w{1,20}){0,4}) yet\b"
    r"|\bfirst (?:pass|version|iteration|step)\b|\bthe (?:first|second|third|next|last|above|following|previous"
    r"|current|latest|other) (?!(?:day|week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b)\w"
)
_REPORTED = re.compile(
    r"\b(?:he|she|they|it|docs?|documentation|readme|error|linter|compiler|reviewer|article|manual|spec|copilot"
    r"|chatgpt|gemini|cursor|codex|the (?:\w+ ){0,2}(?:says?|said|tells?|told)) (?:\w+ )?(?:says?|said|states?"
    r"|told me|tells? me|claims?|recommends?|suggests?|suggested|wants?|complains?|writes?|wrote|asks?|asked)\b"
    r"|\baccording to\b|\bquote\b|\bfor example,|\be\.g\.|\bas an example\b|\bthe (?:prompt|rule|text|message|comment"
    r"|string|label|sentence) (?:is|should|says|reads)\b|\bsomething like\b"
)
_MODAL = (
    r"(?:should|must|shall|needs? to|has to|have to|ought to|is supposed to|are supposed to"
    r"|may|can|cannot|can't|will|won't|would|could|shouldn't|mustn't)"
)
# The subject is a thing of the product: how *it* behaves is the task, not a habit of the assistant.
_PRODUCT = re.compile(
    rf"^(?:(?:so |also |and |that |when \S+(?: \S+){{0,6}},? |on \S+(?: \S+){{0,5}},? )?(?:the|a|an|each|every|any"
    rf"|all|its|their|these|those|this|that|it|they|users?|both|there|only"
    rf"|no)\b)(?: [^\s,;]{{1,30}}){{0,7}}? (?:{_MODAL}|always|never|is|are|was|were|gets?|does(?:n't)?|did(?:n't)?)\b"
    rf"|\b(?:make|let|have|making|keep) (?:the|it|them|this|that|these|those|each|every|all|a|an)\b|\b(?:so"
    rf"|such) that (?:the|it|they|users?|we|a|an|each|every)\b"
)
_STALE = re.compile(
    r"\b(?:always|never) (?:been|was|were|is|are|worked|works|fails|failed|failing|returns|returned|gets|got|shows"
    r"|showed|happens|happened|had|has|does|did|saw|said|asked|told|heard|knew|mind|ending|gets|true|false|null|empty"
    r"|the same|on|off|visible|there|a good)\b"
    r"|\b(?:i|we|you|it|they|he|she)(?:'ve|'d| have| had| has|'s)? (?:always|never) (?:\w+ed|seen|been|done|gone|had"
    r"|got|gotten|forget|forgot|get|know|knew|see|think|thought|find|found|wondered|end up|told|said|asked|run into"
    r"|understand|understood|work|works)\b|\bnever ?mind\b|\balmost (?:always|never)\b|\bnot always\b|\balways-on\b"
)
_PLACE = (
    r"(?:function|method|class|module|file|component|endpoint|route|table|column|variable|constant|hook|package"
    r"|folder|directory|config(?:uration)?|schema|interface|type|enum|struct|script|handler|middleware"
    r"|helper|util|test|tests|code|logic|implementation|entry ?point|model|view|controller|service|parser|template"
    r"|query|migration|field|property|argument|parameter|api|cli|command|import|loader|router|reducer|selector|store"
    r"|fixture|helper)"
)
_CODE = re.compile(
    rf"\b(?:the |our |a )?(?:[`'\"]?[\w.$/-]{{1,60}}[`'\"]?(?:\(\))? ){{0,3}}{_PLACE}s? "
    rf"(?:[`'\"]?[\w.$/()-]{{1,60}}[`'\"]? ){{0,3}}(?:is|are|lives?|sits?|resides?|can be found|takes|returns?|calls?"
    rf"|accepts|throws|extends|inherits|contains|exports|imports|renders|depends|has|have|was"
    rf"|were)\b(?!.{{0,60}}\b(?:tracked|owned|deadline|frozen|forbidden|because)\b)"
)
_RECORDED = re.compile(
    r"\b(?:is|are|it's|lives?|sits?|resides?|located|defined|implemented|declared|found|stored|configured"
    r"|handled) (?:in|at|under|inside|by) (?:the )?(?:[`'\"]?[\w.@-]{0,60}/[\w./@-]{1,100}|[`'\"]?[\w-]{1,60}\.(?:ts"
    r"|tsx|js|jsx|mjs|py|go|rs|java|kt|rb|php|c|cc|cpp|h|cs|swift|scala|ex|sql|sh|vue|svelte|css|scss|html|ya?ml|toml"
    r"|json|lock|tf|proto)\b|(?:src|lib|app|pkg|cmd|tests?|internal|packages|server|client|frontend|backend)\b)"
    r"|\b(?:claude|agents|readme|contributing)\.md\b|\b(?:already|documented|written|described) in (?:the )?(?:readme"
    r"|docs folder|claude)\b"
    r"|\b(?:commit|sha|hash) [0-9a-f]{6,40}\b|\b(?:last|previous|latest|recent|yesterday's|my"
    r"|the) commits?\b.{0,80}\b(?:was|were|added|changed|introduced|removed|fixed|broke|is)\b"
    r"|\b(?:was|were|got|has been|have been|had been) (?:merged|reverted|rebased|cherry-picked|committed|pushed"
    r"|introduced|added|renamed|removed|deleted|refactored|moved|extracted|deprecated)\b"
    r"|\b(?:we|i|you|he|she|they) (?:just |already |have |had |'ve )?(?:merged|reverted|rebased|committed|pushed"
    r"|renamed|refactored|moved|extracted|deleted|removed|added|implemented|fixed|upgraded|changed|updated)\b"
    r"|\b(?:pr|pull request|mr) #?\d+ (?:\w+ ){0,3}(?:merged|added|fixed|introduced|changed|is|was|has)\b"
    r"|\b(?:the )?(?:fix|solution|workaround|root cause|culprit|bug|error|crash|problem) (?:\S+ ){0,6}(?:was|is to"
    r"|were|is caused|comes from|came from|turned out)\b|\b(?:fixed|solved|resolved|caused|worked around) (?:it "
    r"|this |that )?(?:by|with)\b|\bto (?:fix|solve|resolve|work around) (?:\S+ ){1,8}(?:you|we|run|add|set|change"
    r"|use|delete|remove|clear|restart|i)\b"
)
_UNDERWAY = re.compile(
    r"\b(?:i'm|we're|i am|we are) (?:currently |now |still |just |right now )(?:\w+ing|in|at|on)\b|\b(?:i'm|we're"
    r"|i am|we are) (?:working on|in the middle|halfway|half way|half-way|stuck|debugging|almost done|nearly done"
    r"|done with|about to|at step|on step|left with)\b"
    r"|\b(?:half|halfway|partly|partially|nearly|almost) (?:done|finished|through|implemented|migrated)\b"
    r"|\bleft off\b|\b(?:next|current|remaining|last) (?:step|task|todo|phase|item)s?\b|\btodo\b|\bwip\b"
    r"|\bwork in progress\b|\bstill (?:need|have|has|needs|missing|failing|fails|broken|to do|open)\b|\b(?:tests?"
    r"|build|ci|pipeline) (?:\w+ ){0,2}(?:is|are) (?:currently |now |still )?(?:failing|red|broken|green|passing)\b"
    r"|\bstep \d+ (?:is|of)\b|\bwe (?:stopped|paused) at\b|\bwhere we (?:left|stopped|are)\b|\bfinished (?:step|phase"
    r"|the|part)\b"
)
_SECRET = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{12}|sk_live_|sk_test_|rk_live_|ghp_[A-Za-z0-9]{12}|gho_|ghs_|ghu_|github_pat_|glpat-"
    r"|xox[abprs]-|AKIA[0-9A-Z]{12}|ASIA[0-9A-Z]{12}|AIza[0-9A-Za-z_-]{20}|ya29\.|eyJ[A-Za-z0-9_-]{12,400}\."
    r"|npm_[A-Za-z0-9]{20}|pypi-[A-Za-z0-9_-]{16}|hf_[A-Za-z0-9]{20}|dop_v1_|shpat_|SG\.[A-Za-z0-9_-]{16}|hvs\."
    r"|vault:v1:|AGE-SECRET-KEY-)"
    r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY|\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,80}:[^\s/@]{3,120}@"
    r"|\b(?:pass(?:word|wd|phrase|code)?|passwort|contraseña|mot de passe|secret|token|api[ _-]?key|access[ _-]?key"
    r"|credentials?|pwd|pin|密码|パスワード)\b[^\n.]{0,40}?(?:\bis\b|\bare\b|:|=|：|\bist\b|\bes\b|\best\b|は"
    r"|是)\s{0,3}[`\"'“]?(?=\S{0,40}[\d!@#$%^&*_-])[^\s`\"']{6,}",
    re.I,
)


def secret(text: str) -> bool:
    """True when `text` holds something shaped like a credential; such a statement is never stored. Linear: bounded
    repeats only."""
    return bool(_SECRET.search(text))


def derivable(text: str, *, outside: bool = False) -> str:
    """Why the repository or the task already holds what lower-case `text` says, or "": refused even when asked;
    `outside` when its subject is no code. Req: A6."""
    if _RECORDED.search(text) or (not outside and _CODE.search(text)):
        return "derivable"
    return "in_progress" if _UNDERWAY.search(text) else ""


def product(text: str) -> bool:
    """True when a lower-case sentence says how the product behaves."""
    return bool(_PRODUCT.search(text))


def refusal(text: str) -> str:
    """The reason why a lower-case sentence cannot be a lasting statement, or "". Req: B9, A6."""
    if (text.endswith(("?", "？")) or _QUESTION.match(text)) and not _POLITE.match(text):
        return "question"
    if _MEMORY_TALK.search(text) and not _POLITE.match(text):
        return "memory_talk"
    for reason, pattern in (
        ("supposed", _SUPPOSED),
        ("this_task", _THIS_TASK),
        ("reported", _REPORTED),
        ("past", _STALE),
    ):
        if pattern.search(text):
            return reason
    return ""
