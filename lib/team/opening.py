"""From the person's choice to an open store: where it is, who we are, which token. Req: H1."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from lib.team import exchange, git_program
from lib.team.choice import GIT, HTTP, Choice
from lib.team.exchange import Server
from lib.team.git_program import TOKEN
from lib.team.git_store import GitStore
from lib.team.http_store import HttpStore
from lib.team.problems import StoreProblem
from lib.team.store import Store

REPOSITORY = "team.git"  # in our state: what was fetched
_REPO = re.compile(r"[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}")
_SCP = re.compile(r"[^/:]+:(?!//)")  # host:path


def opened(choice: Choice, root: str, folder: str, env: Mapping[str, str]) -> Store:
    """The store of a project. Raises StoreProblem with what to do."""
    if choice.transport == GIT:
        url = remote_url(root, choice.remote)
        if fingerprint(url) != choice.place:
            raise StoreProblem(
                f"the remote {choice.remote} leads elsewhere than when the team was set up: run `memory.py team setup "
                f"--git --remote {choice.remote}` again if that is right"
            )
        return GitStore(os.path.join(folder, REPOSITORY), url, author(root, env))
    if choice.transport == HTTP:
        return HttpStore(Server(choice.url, token(choice.url, root, env)), choice.repo)
    raise StoreProblem("no team is set up here: `memory.py team setup` tells how")


def origin(choice: Choice) -> str:
    """How the store is called in a sentence; no address that could hold a password."""
    if choice.transport == GIT:
        return f"the git remote {choice.remote}"
    return urlsplit(choice.url).netloc if choice.transport == HTTP else "nowhere"


def remote_url(root: str, remote: str) -> str:
    """Where a remote of the project leads. Raises StoreProblem when there is none of that name."""
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._/-]{0,99}", remote):
        raise StoreProblem(f"{remote!r} is no name of a git remote")
    found = git_program.run(["remote", "get-url", "--push", remote], folder=root)
    url = found.out.decode("utf-8", "replace").strip()
    if found.status or not url:
        raise StoreProblem(f"{root} has no git remote {remote!r}: name one of `git remote` with --remote NAME")
    if "://" in url or os.path.isabs(url) or (_SCP.match(url) and not os.path.exists(os.path.join(root, url))):
        return url
    return os.path.normpath(os.path.join(root, url))


def shown_url(url: str) -> str:
    """The address without user and password."""
    parts = urlsplit(url) if "://" in url else None
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl() if parts else url


def fingerprint(url: str) -> str:
    """What tells whether a remote still leads to the same place, without keeping a password in it."""
    return hashlib.sha256(url.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def repository(url: str) -> str:
    """owner/name as the end of a remote's address says, "" when it does not."""
    path = urlsplit(url).path if "://" in url else url.rpartition(":")[2]
    name = "/".join(path.strip("/").removesuffix(".git").split("/")[-2:])
    return name if valid_repository(name) else ""


def valid_repository(name: str) -> bool:
    return bool(_REPO.fullmatch(name)) and not any(part.strip(".") == "" for part in name.split("/"))


def author(root: str, env: Mapping[str, str]) -> str:
    """What the person is called in this project's commits."""
    try:
        name = git_program.run(["config", "user.name"], folder=root, seconds=10).out.decode("utf-8", "replace").strip()
    except StoreProblem:
        name = ""
    return name or env.get("USER") or env.get("USERNAME") or "somebody"


def token(url: str, root: str, env: Mapping[str, str]) -> str:
    """The bearer token: from the environment, else from git's credential helper for that address, asking nobody."""
    given = env.get(TOKEN, "").strip()
    if not given:
        parts = urlsplit(exchange.checked_url(url))
        asked = f"protocol={parts.scheme}\nhost={parts.netloc}\n\n".encode()
        rows = git_program.run(["credential", "fill"], folder=root, given=asked, seconds=15).out.split(b"\n")
        given = next((row[9:].decode("utf-8", "replace") for row in rows if row.startswith(b"password=")), "").strip()
    if not given:
        raise StoreProblem(f"there is no token for {url}: set {TOKEN}, or give git's credential helper one")
    if not given.isascii() or not given.isprintable() or " " in given:
        raise StoreProblem(f"the token for {url} holds characters that no token has")
    return given
