"""Word forms to one stem: a small suffix stripper after Porter (1980), with the irregular forms that it cannot see."""

from __future__ import annotations

_IRREGULAR = """
went go gone go ran run running run bought buy brought bring taught teach caught catch thought think fought fight
sought seek wrote write written write writing write broke break broken break chose choose chosen choose spoke speak
spoken speak froze freeze frozen freeze stole steal stolen steal drove drive driven drive rode ride ridden ride
rose rise risen rise gave give given give took take taken take taking take made make making make found find held hold
kept keep left leave lost lose meant mean met meet paid pay said say sent send sold sell slept sleep spent spend
stood stand told tell understood understand won win built build dealt deal felt feel flew fly flown fly forgot forget
forgotten forget grew grow grown grow knew know known know threw throw thrown throw drew draw drawn draw began begin
begun begin sang sing sung sing swam swim swum swim drank drink ate eat eaten eat fell fall fallen fall hid hide
hidden hide hung hang led lead lit light rang ring saw see seen see shook shake shaken shake shown show shot shoot
swore swear sworn swear tore tear torn tear woke wake woken wake wore wear worn wear came come became become
children child men man women woman people person feet foot teeth tooth mice mouse lives life wives wife knives knife
leaves leaf indices index indexes index vertices vertex matrices matrix schemata schema criteria criterion
data data caches cache caching cache cached cache colour color colours color behaviour behavior favourite favorite
analyse analyze analysed analyze analyses analyze analysis analyze licence license centre center catalogue catalog
dependencies depend dependency depend dependent depend does do did do done do
used use using use uses use news news
auth authentication authn authentication config configuration configs configuration repo repository repos repository
env environment envs environment param parameter params parameter perf performance prod production dev developer
devs developer admin administrator admins administrator deps depend dep depend db database dbs database docs document
doc document msg message msgs message err error app application apps application info information postgresql postgres
"""
_PAIRS = _IRREGULAR.split()
IRREGULAR = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))

# Longest first: the first suffix that fits decides, as in the original.
_STEP2 = """
ational>ate ization>ize isation>ize fulness>ful ousness>ous iveness>ive tional>tion biliti>ble entli>ent ation>ate
alism>al aliti>al iviti>ive ousli>ous enci>ence anci>ance izer>ize iser>ize alli>al ator>ate logi>log bli>ble ship>
graphi>graph eli>e li>
"""
_STEP3 = """
icate>ic ative> alize>al alise>al iciti>ic ical>ic ness> ful>
"""
_STEP4 = """
ement ance ence able ible ment ant ent ism ate iti ous ive ize ise al er or ic ist ian
""".split()
_LONG = [
    [(suffix, instead) for suffix, _, instead in (pair.partition(">") for pair in table.split())]
    for table in (_STEP2, _STEP3)
]
_VOWELS = frozenset("aeiou")
_memo: dict[str, str] = {}


def stem(word: str) -> str:
    """The stem of a lower-case word; words that are not plain ASCII letters come back unchanged.

    Never longer than the word, never empty for a non-empty word. Req: C1.
    """
    known = _memo.get(word)
    if known is None:
        known = _stem(word) if len(word) > 2 and word.isascii() and word.isalpha() else word
        if len(_memo) < 200_000:
            _memo[word] = known
    return known


def _stem(word: str) -> str:
    if IRREGULAR.get(word) == word:
        return word
    word = IRREGULAR.get(word, word)
    for step in (_plural, _past, _final_y, _long_suffix, _doer, _short_suffix, _doer, _tidy):
        if len(word) <= 3:
            return word
        word = step(word)
    return word


def _measure(word: str) -> int:
    """Number of vowel-consonant sequences: how much of a word is left to carry meaning."""
    count, vowel_before = 0, False
    for place, letter in enumerate(word):
        vowel = letter in _VOWELS or (letter == "y" and place > 0 and not vowel_before)
        if vowel_before and not vowel:
            count += 1
        vowel_before = vowel
    return count


def _has_vowel(word: str) -> bool:
    return any(letter in _VOWELS for letter in word) or "y" in word[1:]


def _short_syllable(word: str) -> bool:
    return (
        len(word) > 2
        and word[-1] not in _VOWELS
        and word[-1] not in "wxy"
        and word[-2] in "aeiouy"
        and word[-3] not in _VOWELS
    )


def _plural(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2] if len(word) > 4 else word[:-1]
    return word[:-1]


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        root = word[: -len(suffix)]
        if word.endswith(suffix) and len(root) > 1 and _has_vowel(root):
            if root.endswith(("at", "bl", "iz")):
                return root + "e"
            if len(root) > 2 and root[-1] == root[-2] and root[-1] not in "lsz" and root[-1] not in _VOWELS:
                return root[:-1]
            return root + "e" if _measure(root) == 1 and _short_syllable(root) else root
    return word


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _has_vowel(word[:-1]) else word


def _long_suffix(word: str) -> str:
    for table in _LONG:
        for suffix, instead in table:
            if word.endswith(suffix):
                root = word[: -len(suffix)]
                if _measure(root) > 0:
                    word = root + instead
                break
    return word


def _short_suffix(word: str) -> str:
    if word.endswith(("sion", "tion")):
        return word[:-3] if _measure(word[:-3]) > 1 else word
    for suffix in _STEP4:
        if word.endswith(suffix):
            root = word[: -len(suffix)]
            return root if _measure(root) > 1 else word
    return word


def _doer(word: str) -> str:
    """linter, formatter, runner meet lint, format, run: Porter leaves these apart, developers do not."""
    if len(word) < 6 or not word.endswith("er"):
        return word
    root = word[:-2]
    return root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root


def _tidy(word: str) -> str:
    if word.endswith("y") and _has_vowel(word[:-1]):
        return word[:-1] + "i"
    if word.endswith("e"):
        root = word[:-1]
        size = _measure(root)
        if size > 1 or (size == 1 and (len(root) > 3 or not _short_syllable(root))):
            word = root
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
