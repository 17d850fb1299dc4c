"""A ref of its own on the project's remote as the team's store. Req: H1.

Fetched by name into a bare repository in our state, so that nothing shows among the person's branches; no index and no
working tree is touched. A push names the commit that it was made for: a remote that has moved on refuses it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from lib.team import git_program, git_tree, wire
from lib.team.git_tree import Tree
from lib.team.problems import Moved, StoreProblem
from lib.team.store import Hashes, Snapshot

REF = "refs/memory/team"
_HERE = "refs/memory/remote"  # the remote's ref as last fetched
_NEXT = "refs/memory/next"
_LOOSE = 2_000  # objects in files of their own before they are packed
COMMITTER = "memory-hooks <memory-hooks@localhost>"


@dataclass(frozen=True)
class State:
    """One state of the ref; `commit` "" before there is any."""

    commit: str
    tree: Tree
    checksum: str


@dataclass
class GitStore:
    """`folder` is our bare repository, `url` where the remote is, `author` the name that commits are given."""

    folder: str
    url: str
    author: str = "somebody"
    body_limit: int = 0
    _states: dict[str, State] = field(default_factory=dict)  # by their checksums
    _head: State | None = None  # the state that was looked at last

    def fetch_all(self, known: str = "") -> Snapshot | None:
        state = self._look()
        if known == state.checksum:
            return None
        authors = git_tree.authors(self.folder, state.commit) if state.commit else {}
        return Snapshot(state.checksum, state.tree.entries, authors, state.tree.damaged)

    def fetch_hashes(self) -> Hashes:
        state = self._look()
        return Hashes(state.checksum, state.tree.checksums)

    def put(self, entries: Mapping[str, str], if_match: str) -> str:
        """One commit with these entries on top of the state that `if_match` names, pushed with a lease on it."""
        before = self._states.get(if_match)
        if before is None:
            raise Moved("the team's memory has changed meanwhile")
        commit = git_tree.commit(self.folder, _NEXT, before.commit, entries, self.author, COMMITTER)
        self._push(before.commit, commit)
        self._git("update-ref", _HERE, commit)
        return self._at(commit, before.tree.having(entries)).checksum

    def _at(self, commit: str, tree: Tree) -> State:
        checksum = wire.overall(tree.checksums) if commit else wire.EMPTY
        self._head = self._states[checksum] = State(commit, tree, checksum)
        return self._head

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

    def _look(self) -> State:
        """The remote's state, with everything it needs here. Asks first, fetches what is new."""
        if not os.path.isdir(os.path.join(self.folder, "objects", "info")):  # the last that init makes
            os.makedirs(os.path.dirname(self.folder), mode=0o700, exist_ok=True)
            self._run(["init", "--quiet", "--bare", "--template=", self.folder], os.path.dirname(self.folder))
        there = self._remote_head()
        if self._head and self._head.commit == there:
            return self._head
        if not there:
            return self._at("", Tree())
        here = self._git("for-each-ref", "--format=%(objectname)", _HERE).strip()
        if here != there:
            self._git("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", self.url, f"+{REF}:{_HERE}")
            here = self._git("rev-parse", "--verify", "--quiet", f"{_HERE}^{{commit}}").strip()
            if int(self._git("count-objects").split(" ")[0] or 0) > _LOOSE:
                self._git("gc", "--quiet")
        return self._at(here, git_tree.read(self.folder, here))

    def _remote_head(self) -> str:
        # What is asked for matches the end of a name: a branch may be called like the ref.
        rows = (row.split("\t") for row in self._git("ls-remote", "--quiet", "--", self.url, REF).split("\n"))
        return next((row[0] for row in rows if row[1:] == [REF]), "")

    def _git(self, *arguments: str) -> str:
        return self._run(list(arguments), self.folder)

    def _run(self, arguments: list[str], folder: str) -> str:
        done = git_program.run(arguments, folder=folder)
        if done.status:
            raise StoreProblem(f"git {arguments[0]}: {done.said or f'exit {done.status}'}")
        return done.out.decode("utf-8", "replace")
