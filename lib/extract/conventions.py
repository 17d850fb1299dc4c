"""Coding conventions as people teach them to each other: kinds of code elements, and how all of them are to be
written."""

from __future__ import annotations

import re

from lib.extract import refusals
from lib.extract.statement import STRONG, Statement

_ELEMENT = (
    r"(?:(?:function|method|class|variable|attribute|argument|parameter|constant|module|file|test|branch|interface"
    r"|component|enum|column|table|field|package|property|identifier|member|type|hook)"
    r"(?:s|es)?'?(?: (?:argument|variable|parameter|method|function)s?)?(?: nam(?:es?|ing))?|properties|code(?:base)?"
    r"|scripts?|programs?)"
)
_ELEMENTS = re.compile(rf"\b{_ELEMENT}\b")
_NAMED = re.compile(
    r"\b((?:function|method|class|variable|attribute|argument|parameter|constant|module|file|test|branch|interface"
    r"|component|column|table|field|package)(?:s|es)?(?: (?:argument|variable|parameter)s?)?(?: nam(?:es?|ing))?)\b"
)
# How a name has to look.
_AFFIX = re.compile(
    r"(?:\b(?:start\w*|begin\w*|end\w*|prefix\w*|suffix\w*|preface\w*|prepend\w*|append\w*|finish\w*|precede\w*"
    r"|conclud\w+|includ\w+|contain\w*|us(?:e|es|ing)|hav(?:e|ing)|add\w*|incorporat\w+|insert\w*|put|name)\b.{0,90}?"
    r"(?:['\"`][\w@]{1,24}['\"`]|\b[a-z]{1,4}_(?!\w)|(?<!\w)_[a-z]{1,4}\b)"
    r"|\b(?:includ\w+|contain\w*|hav(?:e|ing)|us(?:e|es|ing)|add\w*|incorporat\w+|insert\w*|put"
    r"|with)\b.{0,60}?\b(?:single |one |at least one )?(?:digit|number|numeral)\b"
    r"|\b(?:us(?:e|es|ing)|writ\w+|be|in|to|follow\w*|adopt\w*|name|format\w*|capitali[sz]\w+|utili[sz]\w+|switch\w*"
    r"|keep)\b.{0,60}?\b(?:snake[_ -]?case|camel[_ -]?case|pascal[_ -]?case|kebab[_ -]?case|(?:all )?upper[ -]?case"
    r"|(?:all )?lower[ -]?case|all caps|capital letters|screaming)\b)"
)
# What every element has to carry.
_PART = re.compile(
    r"\b(?:us(?:e|es|ing)|includ\w+|add\w*|writ\w+|provid\w+|incorporat\w+|employ\w*|utili[sz]\w+|hav(?:e|ing)"
    r"|wrap\w*|annotat\w+|decorat\w+|apply\w*|appl(?:ies|y)|implement\w*|put|place|document\w*|comment\w*"
    r"|consistent\w*|use of|inclusion of|contain\w*|import\w*|accompan\w+|ensur\w+|see|adopt\w*|insert\w*|leverag\w+"
    r"|integrat\w+)\b.{0,80}?"
    r"(?:\bdoc-?strings?\b|\bcode comments?\b|\bcomments\b(?=.{0,60}\bcode\b)|\bassert(?:ion)?s?\b(?: statements?)?"
    r"|\btry(?:[-/ ]?(?:except|catch|statements?|blocks?|clauses?))+|\btype hints?\b|\b(?:type )?annotations?\b"
    r"|['\"`]?@[\w.]{2,40}['\"`]?|\bdecorators?\b|\bexception handling\b)"
    r"|\bimport\w*\b.{0,40}?['\"`]\w{2,30}['\"`](?: module| library| package)?|\bimport\w* the \w{2,30} (?:module"
    r"|library|package)\b"
    r"|\b(?:doc-?strings?|assert(?:ion)?(?: statement)?s?|try(?:[ -](?:except|statement|block))+s?|annotations"
    r"|type hints|comments|decorators?)\b.{0,40}\b(?:in|for|to|on|of) (?:all |your |every |each |our |the )?(?:your "
    r"|our )?(?:method|function|class|code|attribute|variable)\w*\b"
    r"|\bcomment(?:ing)? (?:on )?(?:your|our|the|all) (?:\w+ )?code\b|\bannotat(?:e|ing) (?:all |your |every "
    r"|each )?(?:your )?(?:method|function)s?\b"
)
_MOOD = re.compile(
    r"\b(?:always|never|from now on|going forward|moving forward|from this point|henceforth|i(?:'d"
    r"| would)? (?:really |also |just |still )?(?:want|need|like|expect|ask|prefer|encourage|recommend)\b|(?:i'm"
    r"|i am) (?:asking|expecting)|please|make (?:sure|it a)|ensure|be sure|(?:you|names?|we|they|methods?|functions?"
    r"|class(?:es)?|variables?|attributes?|arguments?) (?:now )?(?:should|must|need to|have to|ought)|imperative"
    r"|important (?:that you|for you|to|practice|aspect|thing)"
    r"|importance of|convention|remember to|don't forget to|(?:we|i) (?:now |always |also |consistently |primarily "
    r"|have started |now require )?(?:use|start|end|include|add|want|follow|require|prefix|import|begin|need|append"
    r"|decided|updated|adopt\w*|introduc\w+|expect|make use|write)|crucial|essential|requirement|required|mandatory"
    r"|guideline|standard|practice is|let's|focus on|emphasi[sz]e|pay (?:close |particular |special )?attention"
    r"|your (?:focus|task|priority)|update|rule)\b"
)
_IMPERATIVE = re.compile(
    r"^(?:(?:now|then|so|and|also|similarly|likewise|lastly|finally|first(?:ly)?|second(?:ly)?|third(?:ly)?|next"
    r"|additionally|furthermore|moreover|instead|another|one|just|simply|for [^,]{3,60}|when [^,]{3,60}"
    r"|with [^,]{3,60}|in [^,]{3,60}|as for [^,]{3,60}|to [^,]{3,60}|even if [^,]{3,60})[, ]+){0,3}"
    r"(?:please |kindly |do |always |never )?(?:start|begin|end|prefix|suffix|include|add|use|write|import|name|make"
    r"|ensure|follow|finish|append|prepend|annotate|decorate|wrap|document|incorporate|implement|utilize|employ|put"
    r"|have|apply|comment|remember|continue|keep|insert|preface)\b"
)
_LEARNER = re.compile(
    r"^(?:got it|understood|okay|ok|sure|absolutely|of course|yes|will do|noted|alright|makes sense|thanks?|thank you"
    r"|certainly|right)\b|\b(?:i'll|i will|i've|i have|i can|i'm|i am|i was|i understand|i see|i already|i usually"
    r"|i did|i tried|should i|would i|my (?:code|methods|functions|variables))\b(?! (?:want|like|need|expect|ask)\w*)"
)
_PRAISE = re.compile(
    r"\b(?:great job|well done|i noticed|i saw|you(?:'ve| have) (?:been|done|started|made|already)|previously|used to"
    r"|last time|in the past|earlier|initially|we discussed|i mentioned|for instance|for example|such as|would become"
    r"|becomes)\b"
)
_POINTS_BACK = re.compile(
    r"\b(?:them|these|they|it|its|this|the names?|each name|names|their|this decorator|the decorator)\b"
)


def judge(core: str, before: str = "") -> Statement | None:
    """The convention in a sentence that one person says to another, or None; `before` is what was said just before
    it, which names the kind of
    element when the sentence itself only points back. Req: B9."""
    low = core.lower()
    if low.endswith(("?", "？")) or _LEARNER.search(low[:120]) or len(core) < 12:
        return None
    affix = _AFFIX.search(low)
    part = None if affix else _PART.search(low)
    if not (affix or part) or not (_IMPERATIVE.match(low) or _MOOD.search(low)):
        return None
    if _PRAISE.search(low) and not re.search(r"\b(?:always|never|from now on|going forward)\b", low):
        return None
    importing = low.startswith("import") or " import" in low
    if _ELEMENTS.search(low) or importing:
        return Statement("feedback", "convention", core, STRONG)
    named = _NAMED.search(before.lower()) if _POINTS_BACK.search(low) or affix else None
    if named:
        return Statement("feedback", "convention", f"{named.group(1).capitalize()}: {core}", STRONG)
    return None


_FROM_NOW = re.compile(r"\b(?:from now on|going forward|moving forward|our (?:naming )?convention)\b")
_TO_YOU = re.compile(
    r"\bi(?:'d| would)? (?:want|need|like|expect) you to\b|\b(?:names?|methods?|functions?|class(?:es)?|variables?"
    r"|attributes?|arguments?) (?:should|must|need to|have to)\b"
)
_ALL_OF_THEM = re.compile(rf"\b(?:all|every|each|your|our)\b (?:\w+ ){{0,2}}?{_ELEMENT}\b")
_RULES_FIRST = re.compile(r"^(?:for [^,]{3,60}, |when [^,]{3,60}, |in [^,]{3,60}, )?(?:we )?(?:always|never) ")


def standing(core: str) -> Statement | None:
    """A convention in a remark to the assistant: the same, and said to hold from now on, or always for all of a
    kind."""
    low = core.lower()
    lasting = _FROM_NOW.search(low) and (
        _TO_YOU.search(low) or _IMPERATIVE.match(re.sub(r"^[ ,:–—-]+", "", _FROM_NOW.sub("", low)))
    )
    if not lasting and not (_RULES_FIRST.match(low) and _ALL_OF_THEM.search(low)):
        return None
    if refusals.refusal(low) or refusals.derivable(low, outside=True):
        return None
    return judge(core)
