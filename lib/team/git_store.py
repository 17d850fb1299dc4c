"""A ref of its own on the project's remote as the team's store. Req: H1.

Fetched by name into a bare repository in our state, so that nothing shows among the person's branches; no index and no
working tree is touched. A push names the commit that it was made for: a remote that has moved on refuses it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from lib.team import git_program, git_tree, wire
from lib.team.problems import Moved, StoreProblem
from lib.team.store import Hashes, Snapshot

REF = "refs/memory/team"
_HERE = "refs/memory/remote"  # the remote's ref as last fetched
_NEXT = "refs/memory/next"
_LOOSE = 2_000  # objects in files of their own before they are packed
COMMITTER = "memory-hooks <memory-hooks@localhost>"


@dataclass
class GitStore:
    """`folder` is our bare repository, `url` where the remote is, `author` the name that commits are given."""

    folder: str
    url: str
    author: str = "somebody"
    body_limit: int = 0
    _made_for: dict[str, str] = field(default_factory=dict)  # checksum -> commit, "" for none

    def fetch_all(self, known: str = "") -> Snapshot | None:
        head = self._fetch()
        if not head:
            return None if known == wire.EMPTY else Snapshot(wire.EMPTY, {})
        tree = git_tree.read(self.folder, head)
        checksum = self._checksum(head, tree)
        if known == checksum:
            return None
        return Snapshot(checksum, tree.entries, git_tree.authors(self.folder, head), tree.damaged)

    def fetch_hashes(self) -> Hashes:
        head = self._fetch()
        if not head:
            return Hashes(wire.EMPTY, {})
        tree = git_tree.read(self.folder, head)
        return Hashes(self._checksum(head, tree), tree.checksums)

    def put(self, entries: Mapping[str, str], if_match: str) -> str:
        """One commit with these entries on top of the state that `if_match` names, pushed with a lease on it."""
        if if_match not in self._made_for:
            self.fetch_hashes()
        if if_match not in self._made_for:
            raise Moved("the team's memory has changed meanwhile")
        parent = self._made_for[if_match]
        commit = git_tree.commit(self.folder, _NEXT, parent, entries, self.author, COMMITTER)
        self._push(parent, commit)
        self._git("update-ref", _HERE, commit)
        return self._checksum(commit, git_tree.read(self.folder, commit))

    def _checksum(self, head: str, tree: git_tree.Tree) -> str:
        checksum = wire.overall(tree.checksums)
        self._made_for[checksum] = head
        return checksum

    def _push(self, parent: str, commit: str) -> None:
        done = git_program.run(
            ["push", "--quiet", "--no-verify", "--no-signed", f"--force-with-lease={REF}:{parent}", "--", self.url,
             f"{commit}:{REF}"],
            folder=self.folder,
        )  # fmt: skip
        if not done.status:
            return
        there = self._remote_head()
        if there == commit:
            return  # the answer was lost, the push was not
        if there != parent:
            raise Moved("the team's memory has changed meanwhile")
        if "cannot lock ref" in done.said or "failed to update ref" in done.said or "Unable to create" in done.said:
            raise Moved("the team's memory is being changed at this moment")
        raise StoreProblem(f"the remote refused the push to {REF}: {done.said or 'it gave no reason'}")

    def _fetch(self) -> str:
        """The remote's commit, with everything it needs here; "" when it has none. Asks first, fetches what is new."""
        if not os.path.isdir(self.folder):
            os.makedirs(os.path.dirname(self.folder), mode=0o700, exist_ok=True)
            self._run(["init", "--quiet", "--bare", "--template=", self.folder], os.path.dirname(self.folder))
        head = self._remote_head()
        self._made_for[wire.EMPTY] = ""
        if not head:
            return ""
        self._made_for.pop(wire.EMPTY)
        if head != self._git("for-each-ref", "--format=%(objectname)", _HERE).strip():
            self._git("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", self.url, f"+{REF}:{_HERE}")
            if int(self._git("count-objects").split(" ")[0] or 0) > _LOOSE:
                self._git("gc", "--quiet")
        return self._git("rev-parse", "--verify", "--quiet", f"{_HERE}^{{commit}}").strip()

    def _remote_head(self) -> str:
        row, _, _ = self._git("ls-remote", "--quiet", "--", self.url, REF).partition("\t")
        return row.strip()

    def _git(self, *arguments: str) -> str:
        return self._run(list(arguments), self.folder)

    def _run(self, arguments: list[str], folder: str) -> str:
        done = git_program.run(arguments, folder=folder)
        if done.status:
            raise StoreProblem(f"git {arguments[0]}: {done.said or f'exit {done.status}'}")
        return done.out.decode("utf-8", "replace")
