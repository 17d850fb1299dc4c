"""Values assigned to a name that says they are secret: `password = …`, `export DB_PASSWORD=…`, `"api_key": "…"`."""

from __future__ import annotations

from lib.memory.secrets import entropy
from lib.memory.secrets.entropy import expression
from lib.memory.secrets.shapes import IN_NAME, Rule, after

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.memory.secrets.shapes import Check

# \x7f stands for any character outside ASCII.
PASSWORD_NAMES = ("pass", "pwd", "pw", "contrase", "senha", "kennwort", "wachtwoord")
SECRET_NAMES = ("secret", "token", "credential", "bearer")
KEY_NAMES = (
    "api", "access", "auth", "private", "account", "encryption", "signing", "master", "service", "storage", "shared",
    "session", "deploy", "webhook", "license", "secret", "admin", "root",
)  # fmt: skip
TAIL = r"(s?[_.-][a-z0-9_.-]{0,24}|s?[0-9]{0,3}|value|string|text)"
ASSIGN = (
    r"[\\\"'`)\]]{0,4}[ \t]{0,6}(?::[ \t]{0,2}[a-z&][a-z0-9_.\[\]|&<>]{0,24}[ \t]{0,4}=|:=|=>|={1,3}|:|>)[ \t]{0,6}"
)
VALUE = r"(?:\\?\"([^\"\s\\]{4,255})|\\?'([^'\s\\]{4,255})|`([^`\s]{4,255})|([^\s\"'`,;<]{3,254}[^\s\"'`,;<.:)]))"

_CODE = (
    r"[\[({]|\$[A-Za-z_({]|%[A-Z_]+%|%[sd(]|<|^(?:self|this|os|env|process|config|settings|args|request|req|ctx|data)\b"
    r"|->|::|^[/~.]{1,2}[A-Za-z]|^[a-z][a-z0-9+.-]{1,15}://|^sha(?:1|256|384|512)[:-]|^\W*$"
)
# A dotted or snake-case name in code, all its parts words.
_NAME = r"[A-Za-z]{0,64}(?:[._][A-Za-z]{1,64}){1,12}\d?"
# Algorithms and types that carry a number, as in "the password is argon2id".
_TECHNICAL = (
    r"(?:base|sha|md|utf|rs|hs|es|ps|aes|rsa|int|uint|float|pkcs|ipv|http|oauth|argon|pbkdf|bcrypt|ed|curve|secp|chacha|x|p|win"
    r"|python|tls|ssl|hmac|ntlm|crc|xx|blake|level|tier|step|part|version|v)[-_]?\d{1,5}[a-z]{0,8}\d{0,2}"
)
# Numbers, versions, dates and amounts with their unit.
_AMOUNT = (
    r"(?:[a-z]{2,10}:)?[\^~<>=v+-]{0,2}\d[\d.,:_/T+-]*"
    r"(?:z|ms|s|m|h|d|w|y|sec|secs|min|mins|days?|hours?|[kmg]i?b?|px|%|x|chars?|bits?|bytes?|(?:a|b|rc|alpha|beta|dev|pre|next)[.-]?\d{0,4})?"
)
# What follows the keyword in the name of something that is no secret itself.
_TAILS = (
    r"(?:name|url|uri|file|path|type|kind|id|ids|len|length|min|max|size|expir\w{0,8}|ttl|age|count|limit|field|label|input|policy|arn"
    r"|ref|hint|reset|prompt|error|regex|pattern|rules?|strength|format|version|endpoint|prefix|suffix|hash(?:er|ing)?|algo\w{0,8}"
    r"|store|manager|provider|service|required|enabled|placeholder|confirmation|header|scopes?|status|env|var|usage|budget|used)$"
)
# What precedes it: counts and cursors, tokens of a text model, keys of a database.
_BACK = (
    r"(?:max|num|min|page|next|prev|continuation|sync|cancel|cancellation|pad|eos|bos|unk|mask|sep|cls|stop|total|special|public|sort"
    r"|primary|foreign|partition|cache)[_.-]?$"
)
_INNOCENT = frozenset(
    "password passwd pass pwd pw secret token key api apikey user username admin root test testing none null nil true "
    "false undefined string str text bytes required optional hidden default value change changeme your my the postgres "
    "mysql guest demo field input example sample empty missing invalid wrong incorrect forgot reset new old "
    "current confirm enter show hide auth login bearer basic jwt oauth env environment prompt stdin file vault "
    "keychain manager hash hashed encrypted secure strong weak generated random unknown redacted access refresh client "
    "private public name id type data config settings header cookie session credentials please must should expired "
    "revoked rotate rotated disabled enabled".split()
)
_PARTS = r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+"
_SYMBOLS = frozenset("!@#%^&*?+=~$")


def assigned_password(value: str, lead: str, back: str, after: str) -> bool:
    """Any password that is one: mixed characters anywhere, plain words only where code or a file sets them."""
    quoted, value = _spelled(value, lead)
    if len(value) < 6 or not _may_hold(value, lead, back):
        return False
    if value.isdigit():
        return quoted and bits_of_digits(value)
    if value.isalpha() or expression(_NAME).fullmatch(value):
        return (quoted or _set_in_a_file(lead)) and len(value) >= 8 and not _innocent(value)
    if _innocent(value):
        return False
    return quoted or _set_in_a_file(lead) or _varied(value)


def assigned_secret(value: str, lead: str, back: str, after: str) -> bool:
    """A value drawn by chance: a secret key is no word."""
    quoted, value = _spelled(value, lead)
    if len(value) < 8 or not _may_hold(value, lead, back):
        return False
    if entropy.is_uuid(value):
        return "token" not in lead.lower()
    if value.isalpha():
        return quoted and len(value) >= 16 and entropy.cased(value) and entropy.bits(value) > 3.5
    return entropy.bits(value) >= 2.75 and not entropy.wordy(value) and not _innocent(value) and _varied(value)


def said_password(value: str, lead: str, back: str, after: str) -> bool:
    """After "the password is": only what no sentence would go on with."""
    value = value.rstrip(".,;:!?)\"'")
    if len(value) < 6 or "-" in value or not _varied(value) or not _may_hold(value, "", back) or _innocent(value):
        return False
    return lead.lower().startswith(("pass", "--pass", "contra")) or not entropy.wordy(value)


def bits_of_digits(value: str) -> bool:
    return len(set(value)) > 3 and value not in "01234567890" and value not in "9876543210"


def _spelled(value: str, lead: str) -> tuple[bool, str]:
    quoted = lead[-1:] in "\"'`"
    return quoted, value if quoted else value.rstrip(".,;:)]}>!?\\")


def _may_hold(value: str, lead: str, back: str) -> bool:
    if "_" in lead or "-" in lead or "." in lead or " " in lead:
        name = expression(_PLAIN_TAIL).match(lead.lower())
        if name and expression(_TAILS).search(name.group().rstrip("_. -")):
            return False
    small = value.lower()
    if (
        expression(_AMOUNT).fullmatch(small)
        or expression(_TECHNICAL).fullmatch(small)
        or expression(_BACK).search(back.lower())
    ):
        return False
    return not (entropy.fake(value) or expression(_CODE).search(value))


_PLAIN_TAIL = r"[a-z0-9_. -]*"


def _set_in_a_file(lead: str) -> bool:
    """`DB_PASSWORD=…` as in a shell or an env file: a name in capitals, and no space around the sign."""
    name = lead.rstrip("=")
    return lead.endswith("=") and name.isupper()


def _innocent(value: str) -> bool:
    """Made mostly of words that speak of a secret instead of being one."""
    parts = [part.lower() for part in expression(_PARTS).findall(value) if not part.isdigit()]
    return sum(len(part) for part in parts if part in _INNOCENT) * 2 > sum(map(len, parts)) or not parts


def _varied(value: str) -> bool:
    """Digits beside letters, or symbols that no word or path has."""
    kinds = set(value)
    return any(map(str.isalpha, kinds)) and (any(map(str.isdigit, kinds)) or bool(kinds & _SYMBOLS))


def _names(names: tuple[str, ...]) -> str:
    return "(?:" + "|".join(names) + ")"


def _assigned(name: str, literals: tuple[str, ...], names: str, check: Check) -> Rule:
    pattern = f"{names}{TAIL}{ASSIGN}{VALUE}"
    rule = after(name, literals, pattern, check, where=IN_NAME)
    rule.glued = True
    return rule


RULES: tuple[Rule, ...] = (
    _assigned(
        "password",
        PASSWORD_NAMES,
        r"(?:pass(?:word|wd|phrase|code|wort)?|pwd|pw\x7f{0,6}|contrase(?:\x7f|n)a|senha|kennwort|wachtwoord)",
        assigned_password,
    ),
    _assigned("secret", SECRET_NAMES, _names(SECRET_NAMES), assigned_secret),
    _assigned("secret-key", KEY_NAMES, f"{_names(KEY_NAMES)}[ _.-]?key", assigned_secret),
    after(
        "password-flag",
        ("--pass", "--token", "--secret", "--api"),
        r"--(?:pass|token|secret|api)[a-z_-]{0,24}[ =][\"']?([^\s\"'<$]{5,254}[^\s\"'<$.,;:)])",
        said_password,
    ),
    after(
        "password-said",
        ("password", "passwort", "passphrase", "passcode", "contrase", "token", "secret", "key"),
        r"(?:password|passwort|passphrase|passcode|contrase(?:\x7f|n)a|token|secret|key)[a-z ]{0,24} "
        r"(?:is|ist|es|est|was|to) [\"'`]?([^\s\"'`]{5,254}[^\s\"'`.,;:)])",
        said_password,
        where=IN_NAME,
    ),
)
