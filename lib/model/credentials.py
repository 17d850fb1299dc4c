"""Which files hold credentials, by their names: one definition for every tool that reads or searches. Pure. Req: B4.

A pattern is a whole name, or a name with one `*`; letter case does not count. So the same list serves our own search
and, as flags, the programs that walk folders by themselves.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

FILES = (
    ".env .env.* *.env .envrc .netrc _netrc .npmrc .pypirc .pgpass .my.cnf .git-credentials .htpasswd .vault-token"
    " .dockercfg .s3cfg .boto .credentials .credentials.* credentials credentials.json credentials.yml credentials.yaml"
    " credentials.toml credentials.ini credentials.xml credentials.csv credentials.txt client_secret*.json"
    " service-account*.json service_account*.json secrets.json secrets.yaml secrets.yml secrets.toml"
    " id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk shadow gshadow .*_history"
    " *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *.ppk *.gpg *.age"
).split()
FOLDERS = (".ssh", ".aws", ".gnupg", ".azure", ".kube", ".docker", ".gcloud")
_WHOLE = frozenset(pattern for pattern in FILES if "*" not in pattern)
_ENDS = tuple(pattern[1:] for pattern in FILES if pattern.startswith("*"))
_AROUND = [
    (start, end) for start, star, end in (pattern.partition("*") for pattern in FILES) if star and start
]  # fmt: skip
# A template of an .env file holds no values; a search by another program leaves it out all the same.
HARMLESS = (".example", ".sample", ".template", ".dist", ".defaults")


def is_credential(path: str, roots: Sequence[str]) -> bool:
    """True when a file, or a folder on its way below a root, is one where credentials usually lie."""
    below = next((path[len(root) :] for root in roots if path == root or path.startswith(root + os.sep)), path)
    parts = [part.casefold() for part in below.split(os.sep) if part]
    if not parts:
        return False
    name = parts[-1]
    if any(part in FOLDERS for part in parts) or parts[-2:] == [".git", "config"]:
        return True
    known = name in _WHOLE or name.endswith(_ENDS) or any(_around(start, end, name) for start, end in _AROUND)
    return known and not name.endswith(HARMLESS)


def _around(start: str, end: str, name: str) -> bool:
    return name.startswith(start) and name.endswith(end) and len(name) >= len(start) + len(end)


def _any_case(pattern: str) -> str:
    """The pattern for a program that tells letter case apart."""
    return "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in pattern)


# What a recursive search is given as its last flags, where they overrule all before: the program itself then passes
# those files over. Whole .git folders go for grep, because it cannot be told a path and .git/config may hold a token.
LEFT_OUT_BY_GREP = tuple(
    [f"--exclude={_any_case(pattern)}" for pattern in FILES]
    + [f"--exclude-dir={_any_case(folder)}" for folder in (*FOLDERS, ".git")]
)
LEFT_OUT_BY_RG = tuple(f"--iglob=!{pattern}" for pattern in (*FILES, *FOLDERS, "**/.git/config"))
