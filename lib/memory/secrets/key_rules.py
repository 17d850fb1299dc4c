"""Secrets by their form, whoever made them: private keys, signed tokens, credentials in URLs, headers and commands."""

from __future__ import annotations

from lib.memory.secrets.entropy import cased, expression, mixed, real
from lib.memory.secrets.shapes import ANY, IN_WORD, UPPER, WORD, Rule, after, token

# Without a closing line a key is cut off by whoever quoted it: then it ends with its last line of base64.
_KEY_LINES = r"(?:[ \t>|*#\"'+,]{0,16}(?:\\r|\\n|[\r\n]|\\)|[ \t\"'+,]{0,16}[A-Za-z0-9+/=]{16,80}){1,400}"
BLOCK = 16_384  # characters; no key is longer
_TOKEN_RUN = r"[A-Za-z0-9_.=-]*"
_NOWHERE = r"(?i:@(?:localhost|127\.|\[::1\]|(?:[a-z0-9-]+\.)*example\.))"
_TEMPLATE = r"(?i:\$[A-Za-z_({]|\{|\}|<|>|%[A-Z_]+%|%s|%\(|\[|\*{2}|^[x.*\x7f]+$)"
_NO_PASSWORD = frozenset(("password", "passwd", "pass", "pwd", "secret", "pw"))


def key_end(text: str, end: int) -> int:
    """Past the closing line of the block whose opening line ends at `end`, or -1 when there is no key in it."""
    limit = text.find("-----BEGIN", end, end + BLOCK)
    limit = end + BLOCK if limit < 0 else limit
    close = text.find("-----END", end, limit)
    if close < 0:
        return lines_end(text, end, limit)
    body = text[end:close]
    if "..." in body[:10] or "<" in body[:10] or not any(map(str.isalnum, body.replace("\\n", ""))):
        return -1
    tail = text.find("-----", close + 8, close + 80)
    return tail + 5 if tail > 0 else close + 8


def lines_end(text: str, end: int, limit: int = -1) -> int:
    """Past the last line of base64 that follows, or -1 when none does."""
    block = expression(_KEY_LINES).match(text, end, end + BLOCK if limit < 0 else limit)
    if block is None or not expression("[A-Za-z0-9+/=]{16}").search(block.group()):
        return -1
    return end + len(block.group().rstrip(" \t\r\n>|*#\"'+,\\"))


def run_end(text: str, end: int) -> int:
    run = expression(_TOKEN_RUN).match(text, end)
    return run.end() if run else end


def is_jwt(value: str, lead: str, back: str, behind: str) -> bool:
    parts = value.rstrip(".").split(".")
    return len(parts) in (2, 3, 5) and len(parts[0]) >= 12 and parts[1].startswith("eyJ" if len(parts) < 5 else "")


def basic_pair(value: str, lead: str, back: str, behind: str) -> bool:
    """Base64 of `user:password`, or anything of that alphabet in a header that must hold it."""
    import binascii

    if back.lower().rstrip(" \t\"':=").endswith("authorization"):
        return real(value)
    try:
        pair = binascii.a2b_base64(value + "=" * (-len(value) % 4))
    except binascii.Error:
        return False
    return b":" in pair and pair.isascii() and not any(byte < 32 for byte in pair)


def url_password(value: str, lead: str, back: str, behind: str) -> bool:
    """A password in a URL, but no placeholder, and not `user:password` or `postgres:postgres` on this machine."""
    if expression(_TEMPLATE).search(value) or value.lower().startswith(("xxx", "...", "x-oauth-basic")):
        return False
    return not (expression(_NOWHERE).match(behind) and value.lower() in (*_NO_PASSWORD, lead[3:-1].lower()))


def url_token(value: str, lead: str, back: str, behind: str) -> bool:
    return mixed(value) and not expression(_TEMPLATE).search(value)


def spoken(value: str, lead: str, back: str, behind: str) -> bool:
    """A value that follows a flag or a word such as `password` without more punctuation."""
    if len(value) < 6 or expression(_TEMPLATE).search(value):
        return False
    return mixed(value) or expression(r"[a-z][0-9!@#%^&+]").search(value) is not None


def curl_pair(value: str, lead: str, back: str, behind: str) -> bool:
    return spoken(value.partition(":")[2], lead, back, behind)


def pem(name: str, kind: str) -> Rule:
    return Rule(name, (f"-----BEGIN {kind}PRIVATE KEY",), f"-----BEGIN {kind}PRIVATE KEY(?: BLOCK)?-----",
                alone=False, split=False, check=real_block, extend=key_end)  # fmt: skip


def real_block(value: str, lead: str, back: str, behind: str) -> bool:
    return "EXAMPLE" not in value


RULES: tuple[Rule, ...] = (
    pem("rsa-private-key", "RSA "),
    pem("ec-private-key", "EC "),
    pem("dsa-private-key", "DSA "),
    pem("openssh-private-key", "OPENSSH "),
    pem("ssh2-private-key", "SSH2 ENCRYPTED "),
    pem("encrypted-private-key", "ENCRYPTED "),
    pem("pgp-private-key", "PGP "),
    pem("private-key", ""),
    Rule(
        "putty-private-key",
        ("Private-Lines:",),
        r"Private-Lines:[ \t]{0,4}[0-9]{1,3}",
        alone=False,
        split=False,
        check=real_block,
        extend=lines_end,
    ),
    token("age-secret-key", "AGE-SECRET-KEY-1", UPPER, 50, 70),
    Rule("jwt", ("eyJ",), r"eyJ[A-Za-z0-9_.-]{20,255}", extend=run_end, check=is_jwt, where=IN_WORD),
    after("jwk-private-part", ('"d"',), rf'"d"[ \t]{{0,4}}:[ \t]{{0,4}}"({WORD}{{40,255}})', cased, fold=False),
    after("basic-auth", ("basic ",), r"basic [ \t]{0,3}([a-z0-9+/_-]{6,255}={0,2})", basic_pair),
    after("bearer-token", ("bearer ",), r"bearer [ \t]{0,3}([a-z0-9._~+/-]{12,255}={0,2})", mixed),
    after(
        "authorization-token",
        ("authorization",),
        r"authorization[\"']{0,2}[ \t]{0,4}[:=][ \t]{0,4}[\"']{0,2}(?:token|apikey|api-key|key|bot|negotiate|splunk)?"
        r"[ \t]{0,4}([a-z0-9._~+/=-]{16,255})",
        mixed,
    ),
    after(
        "url-password",
        ("://",),
        r"://[^\s/:@?#\"'<>`]{0,80}:([^\s/?#\"'<>`]{1,200})@[a-zA-Z0-9\[$]",
        url_password,
        fold=False,
        also="@",
    ),
    after(
        "url-token",
        ("://",),
        r"://([A-Za-z0-9_.~%-]{16,200})(?::[^\s/@?#\"'<>]{0,40})?@[A-Za-z0-9\[]",
        url_token,
        fold=False,
        also="@",
    ),
    after(
        "netrc-password",
        ("machine ",),
        r"machine [ \t]{0,3}[^\s]{1,100}\s{1,4}login[ \t]{1,4}[^\s]{1,100}\s{1,4}password[ \t]{1,4}([^\s]{3,200})",
        url_password,
    ),
    after(
        "docker-config-auth",
        ('"auth"',),
        r'"auth"[ \t]{0,4}:[ \t]{0,4}"([A-Za-z0-9+/]{8,255}={0,2})"',
        basic_pair,
        fold=False,
    ),
    after(
        "curl-user",
        (" -u", " --user"),
        r"(?: -u| --user)[ =]{0,2}[\"']?([^\s:\"'/$]{1,80}:[^\s\"'/]{4,200})",
        curl_pair,
    ),
    after("sshpass-password", ("sshpass -p",), r"sshpass -p[ ]{0,2}[\"']?([^\s\"']{3,200})", url_password),
    after(
        "mysql-password",
        ("mysql ", "mysqldump ", "mysqladmin "),
        r"mysql(?:dump|admin)? (?:-[^p\s][^\s]{0,60} |[a-z][^\s]{0,60} ){0,4}-p([^\s\"']{4,80})",
        url_password,
        fold=False,
    ),
    after(
        "redis-password",
        ("redis-cli ",),
        r"redis-cli (?:-[hpn] [^\s]{1,60} ){0,3}-a ([^\s]{4,200})",
        url_password,
    ),
    after(
        "otp-secret",
        ("otpauth://",),
        r"otpauth://[^\s\"'?]{1,120}\?[^\s\"']{0,80}secret=([A-Za-z2-7]{16,128})",
        real,
        fold=False,
    ),
    Rule("bitcoin-extended-key", ("xprv",), r"xprv[1-9A-HJ-NP-Za-km-z]{100,112}", where=IN_WORD),
    token("kubeconfig-key", "client-key-data: ", "[A-Za-z0-9+/=]", 60, ANY),
)
