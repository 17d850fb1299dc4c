"""The team memory server: serve it, and make, list and revoke tokens.

usage: python -m lib.team.server [serve] [--host 127.0.0.1] [--port 8765] [--workers 2] [--database URL]
       python -m lib.team.server token create owner/name --name alice [--database URL]
       python -m lib.team.server token list [owner/name] [--database URL]
       python -m lib.team.server token revoke ID [--database URL]

The database is the path of an SQLite file or postgresql://…; MEMORY_TEAM_DATABASE is used when it is not given, which
keeps a password out of the list of processes. Exit status: 0, 1 = said no and why, 2 = called wrongly,
3 = could not listen.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace

MISSING = "The server's requirements are not installed: python -m pip install -r requirements-server.txt"


def arguments(given: list[str]) -> argparse.Namespace:
    """The command line understood, or the exit status 2."""
    parser = argparse.ArgumentParser(prog="python -m lib.team.server", description="The team memory server.")
    database = argparse.ArgumentParser(add_help=False)
    database.add_argument("--database", default="", help="SQLite file or postgresql:// URL")
    verbs = parser.add_subparsers(dest="verb", required=True)
    serve = verbs.add_parser("serve", parents=[database], help="answer requests until told to end")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    serve.add_argument("--port", type=int, default=8765)
    serve.add_argument("--workers", type=int, default=2, help="processes")
    serve.add_argument("--rate", type=float, help="requests a second for one token in one process, 0 = any number")
    serve.add_argument("--entries", type=int, help="memories of one repository")
    token = verbs.add_parser("token", help="who may read and write").add_subparsers(dest="token", required=True)
    create = token.add_parser("create", parents=[database], help="make one and show it, this once")
    create.add_argument("repo", metavar="owner/name")
    create.add_argument("--name", required=True, help="the person; shown as the author of what is written with it")
    token.add_parser("list", parents=[database]).add_argument("repo", metavar="owner/name", nargs="?", default="")
    token.add_parser("revoke", parents=[database], help="from now on it is refused").add_argument("id")
    return parser.parse_args(given if given and not given[0].startswith("--") else ["serve", *given])


def main(given: list[str]) -> int:
    asked = arguments(["--help"] if given in (["-h"], ["--help"]) else given)
    try:
        from sqlalchemy.exc import SQLAlchemyError

        from lib.team.server import options, tables
    except ModuleNotFoundError as error:
        return _no(f"{MISSING} ({error.name} is missing)")
    os.umask(0o077)  # the database is for the server's own user
    try:
        chosen = options.read(os.environ)
        chosen = replace(chosen, database=asked.database or chosen.database)
        engine = tables.connect(chosen.database)
        try:
            tables.make_tables(engine)
            if asked.verb == "token":
                return _token(asked, engine)
        finally:
            engine.dispose()  # the worker processes have their own connections
        return _serve(asked, chosen)
    except ValueError as error:
        return _no(str(error))
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", None) or error).splitlines()[0]
        return _no(f"The database cannot be used: {why}")


def _serve(asked: argparse.Namespace, chosen: object) -> int:
    from lib.team.server import options, serving

    assert isinstance(chosen, options.Options)
    rate = chosen.limits.rate if asked.rate is None else asked.rate
    entries = chosen.limits.entries if asked.entries is None else asked.entries
    options.hand_on(replace(chosen, limits=replace(chosen.limits, rate=rate, entries=entries)))
    print(f"Serving on http://{asked.host}:{asked.port} with {asked.workers} processes. It speaks plain HTTP: TLS is "
          "the task of a proxy in front of it.", file=sys.stderr, flush=True)  # fmt: skip
    serving.serve(asked.host, asked.port, asked.workers)
    return 0


def _token(asked: argparse.Namespace, engine: object) -> int:
    from sqlalchemy import Engine

    from lib.team.server import tokens

    assert isinstance(engine, Engine)
    if asked.token == "create":
        print(tokens.create(engine, asked.repo, asked.name))
        print("Shown this once. Its holder sets it as MEMORY_HOOKS_TEAM_TOKEN.", file=sys.stderr)
    elif asked.token == "list":
        for token in tokens.listed(engine, asked.repo):
            print(f"{token.id}  {token.made}  {token.repo}  {token.name}")
    elif not tokens.revoke(engine, asked.id):
        return _no(f"There is no token {asked.id!r}; token list shows those there are.")
    return 0


def _no(why: str) -> int:
    print(f"memory-team: {why}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
