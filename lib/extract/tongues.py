"""Explicit statements in other languages than English."""

from __future__ import annotations

import re

from lib.extract.statement import FIRM, STRONG, WEAK, Statement

_ASKED = (
    # German
    r"^(?:bitte )?(?:merk|merke|notier|notiere|speicher|speichere)(?: dir)?(?: bitte)?(?: das| folgendes| dauerhaft"
    r"| für die zukunft| für später| für nächstes mal)?[,:]?\s+(?:dass )?(?P<de>.{4,})$",
    r"^(?:bitte )?(?:denk|denke) (?:bitte )?(?:dran|daran|immer daran)[,:]?\s+(?:dass )?(?P<de2>.{4,})$",
    r"^(?:bitte )?vergiss nicht[,:]?\s+dass (?P<de3>.{4,})$",
    # French
    r"^(?:merci de |veuillez |s'il te plaît,? |stp,? )?(?:souviens[- ]toi|rappelle[- ]toi|retiens|retenez"
    r"|souvenez[- ]vous|mémorise|mémoriser|note bien|garde en mémoire|garde à l'esprit"
    r"|n'oublie pas)(?: bien)?(?: ceci)?\s*[,:]?\s*(?:que |qu'|du fait que )?(?P<fr>.{4,})$",
    # Spanish
    r"^(?:por favor,? )?(?:recuerda|recuérdalo|acuérdate(?: de)?|memoriza|ten en cuenta|ten presente|no olvides"
    r"|guarda en (?:tu )?memoria)(?: esto)?\s*[,:]?\s*(?:que )?(?P<es>.{4,})$",
    # Italian, Portuguese
    r"^(?:per favore,? )?(?:ricorda|ricordati|tieni a mente)\s*[,:]?\s*(?:che )?(?P<it>.{4,})$",
    r"^(?:por favor,? )?(?:lembre-se|lembra-te|lembre|guarde na memória)\s*[,:]?\s*(?:de )?(?:que )?(?P<pt>.{4,})$",
    # Chinese
    r"^(?:请|請|麻烦|帮我|你要|务必|一定要|好的?[,，])*(?:记住|記住|记一下|记得|牢记|记下来?|请记得|请注意记住)[了啦]?[:：,，、\s]*(?P<zh>(?!上次|上一次|用户|当前|选中|位置"
    r"|登录).{3,})$",
    # Japanese: the statement stands before the verb, or after a colon
    r"^(?P<ja>.{3,}?)(?:ということ|こと|の|と|って)?(?:を|は)?[、,]?(?:覚えて(?:おいて|て|ください)|記憶して(?:おいて)?|メモして(?:おいて)?|忘れないで)(?:ください"
    r"|下さい|ね|くれ|欲しい|ほしい)?[。.!！]*$",
    r"^(?:これを|次を|以下を)?(?:覚えて(?:おいて)?|記憶して)(?:ください|下さい|ね)?[:：、]\s*(?P<ja2>.{3,})$",
    # Korean, Russian
    r"^(?P<ko>.{3,}?)(?:라고|다고|는 (?:것을|걸)|을|를|는 점(?:을)?)?\s?기억해\s?(?:줘|주세요|두세요|둬)?[.!]*$",
    r"^(?:пожалуйста,? )?(?:запомни|запомните|помни)\s*[,:]?\s*(?:что )?(?P<ru>.{4,})$",
)
_STANDING = (
    r"^(?P<de>(?:ab (?:jetzt|sofort)|in zukunft|künftig|zukünftig|von jetzt an|von nun an)\b.{6,})$",
    r"^(?P<fr>(?:à partir de maintenant|désormais|dorénavant|à l'avenir)\b.{6,})$",
    r"^(?P<es>(?:a partir de ahora|de ahora en adelante|en adelante|en el futuro)\b.{6,})$",
    r"^(?P<zh>(?:从现在(?:开始|起)|以后|今后|從現在開始|以後)[,，]?.{4,})$",
    r"^(?P<ja>(?:今後は?|これからは?|以後は?)[、,]?.{4,})$",
)
_HABIT = (
    r"^(?P<de>(?:bitte )?(?:(?:verwende|benutze|nutze|nimm|schreib|schreibe|antworte|committe|nutz|benutz|teste"
    r"|mocke) (?:\S+ ){0,4}?(?:immer|nie|niemals|stets|nur)\b.{3,}|(?:immer|niemals|nie) \S.{5,}(?:verwenden|benutzen"
    r"|nutzen|schreiben|antworten|committen|pushen|mocken|nehmen)))$",
    r"^(?P<fr>(?:utilise|emploie|écris|réponds|utilisez|écrivez|répondez|ne \S+) (?:\S+ ){0,4}?(?:toujours|jamais"
    r"|uniquement)\b.{3,})$",
    r"^(?P<es>(?:(?:usa|utiliza|escribe|responde) siempre|siempre (?:usa|utiliza|escribe|responde)|nunca (?:uses"
    r"|utilices|escribas|hagas|mockees)|no (?:uses|utilices) nunca)\b.{3,})$",
    r"^(?P<zh>(?:请|請|一定要|务必)?(?:(?:总是|始终|永远|一律|必须)(?:使用|用|写|运行)|(?:永远)?(?:不要|别|禁止)(?:再)?(?:使用|用|mock|模拟|加注释"
    r"|写注释)).{1,})$",
    r"^(?P<ja>(?:必ず|常に|いつも|絶対に).{2,}(?:使って|使用して|書いて|しないで|使わないで|実行して).{0,8})$",
)
_CHOSEN = (
    r"^(?P<fr>toujours (?:utiliser|écrire|répondre|lancer)\b.{3,})$",
    r"^(?P<zh>(?:请|我们)?(?:使用|用) ?[\w.+-]{2,20}[,，、 ]{0,2}(?:不要|别|不)(?:使用|用) ?[\w.+-]{2,20})$",
    r"^(?P<ja>[\w.+-]{2,20}(?:ではなく|じゃなく|の代わりに)て?[、,]? ?[\w.+-]{2,20}を?(?:使って|使う|使用).{0,10})$",
    r"^(?P<ja2>[^、。]{2,20}(?:は|を)(?:書かないで|使わないで|付けないで|つけないで).{0,6})$",
)
_PROFILE = (
    r"^(?P<de>ich (?:bin (?:ein |eine |der |die )?[\w-]*(?:entwickler|entwicklerin|ingenieur|informatiker|student"
    r"|designer|admin|anfänger|architekt)\w*|arbeite (?:als|im team)\b|bevorzuge\b|mag (?:keine|lieber)\b"
    r"|hasse\b).{0,})$",
    r"^(?P<fr>(?:je suis (?:un |une )?(?:développeu\w+|ingénieur\w*|étudiant\w*|designer|débutant\w*)|je préfère\b"
    r"|je déteste\b).{0,})$",
    r"^(?P<es>(?:soy (?:un |una )?(?:desarrollador\w*|ingenier\w+|estudiante|diseñador\w*|principiante)|prefiero\b"
    r"|odio\b).{0,})$",
    r"^(?P<zh>我(?:是(?:一名|一个|个)?[^,，。]{0,12}(?:工程师|开发者|程序员|设计师|学生|新手|架构师)|(?:更)?(?:喜欢|偏好|讨厌)(?:用)?).{0,})$",
    r"^(?P<ja>(?:私は|僕は|俺は)?.{1,20}(?:エンジニア|開発者|プログラマ|デザイナー|学生|初心者)です.{0,})$",
)
_TASK = re.compile(
    r"\b(?:dies(?:e|er|em|es)|diesmal|gerade|jetzt mal|cette (?:fois|page|fonction)|ce (?:fichier|composant)"
    r"|este (?:archivo|componente)|esta (?:vez|función))\b|这个(?:函数|文件|页面|组件|分支)|这次|^先|请先"
    r"|今回|この(?:関数|ファイル|ページ|ブランチ)",
    re.I,
)
_QUESTION = re.compile(
    r"[?？]\s*$|(?:吗|么|呢|か)[。？?]?\s*$|^(?:warum|wieso|wie|was|wer|wo|wann|kannst|könntest|weißt|pourquoi|comment|quel"
    r"|est-ce|peux|por qué|cómo|qué|puedes|为什么|怎么|如何|什么|なぜ|どう|何)",
    re.I,
)
_ABOUT_PERSON = re.compile(
    r"^(?:ich|mein|meine|je|j'|mon|ma|yo|mi|soy|prefiero|我(?!们|們)|私(?!たち|達)|僕(?!たち|ら)|俺(?!たち|ら))"
)
_RULE = re.compile(
    r"\b(?:immer|nie|niemals|verwende\w*|benutz\w*|nutz\w*|kein\w*|statt|nicht|toujours|jamais|utilis\w+|n'utilise"
    r"|siempre|nunca|usa\w*|utiliz\w+|always|never|use)\b|总是|永远|不要|必须|使用|用|别|必ず|使う|使って|使わない|しない|禁止|ない|всегда|никогда"
    r"|используем|사용|항상",
    re.I,
)


def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(p, re.I | re.S) for p in patterns)


_GROUPS = (
    ("asked", _compiled(_ASKED)),
    ("standing", _compiled(_STANDING)),
    ("frequency", _compiled(_HABIT)),
    ("frequency", _compiled(_CHOSEN)),
    ("role", _compiled(_PROFILE)),
)


def _type(kind: str, core: str) -> str:
    if _ABOUT_PERSON.match(core.lower()) or kind == "role":
        return "user"
    if "http://" in core or "https://" in core:
        return "reference"
    return "feedback" if kind != "asked" or _RULE.search(core) else "project"


def judge(core: str) -> Statement | None:
    """The explicit statement in a sentence of another language, or None. Req: B9."""
    low = core.lower()
    if _QUESTION.search(low) or _TASK.search(low):
        return None
    for kind, patterns in _GROUPS:
        for pattern in patterns:
            found = pattern.match(core)
            if found:
                inner = next(g for g in found.groups() if g).strip(" ,:：，、。")
                if len(inner) < 3:
                    return None
                return Statement(
                    _type(kind, inner),
                    kind,
                    inner,
                    STRONG if kind in ("asked", "standing") else FIRM if kind == "role" else WEAK,
                    kind == "asked",
                )
    return None
