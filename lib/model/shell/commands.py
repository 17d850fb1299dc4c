"""The commands an agent may run, each with exactly the flags that only read. What is not here is denied. Pure. Req: B4.

Left out on purpose: everything that starts a program by a flag, a file, the environment or its configuration
(git, xargs, awk, env, man, less, tar, interpreters), follows links below a folder, never ends, or writes a file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lib.model.credentials import LEFT_OUT_BY_GREP, LEFT_OUT_BY_RG
from lib.model.scope import Denied
from lib.model.shell import find as shell_find
from lib.model.shell import jq as shell_jq
from lib.model.shell import sed as shell_sed
from lib.model.shell.flags import (
    Check,
    Checked,
    Flags,
    Uses,
    anything,
    matching,
    number,
    on_paths,
    on_pattern,
    on_text,
    one_of,
)

COLOUR = one_of("never", "auto")
COLUMNS = matching(r"[0-9,-]{1,80}")
CONTEXT = dict.fromkeys("ABCm", number)
GREP_LONG = (
    "ignore-case line-number recursive count files-with-matches files-without-match fixed-strings extended-regexp"
    " perl-regexp only-matching word-regexp line-regexp invert-match no-messages no-filename with-filename quiet text"
    " null initial-tab"
)
GREP_LONG_VALUES = {
    **dict.fromkeys("include exclude exclude-dir regexp".split(), anything),
    **dict.fromkeys("max-count after-context before-context context".split(), number),
}
RG_LONG = (
    "ignore-case line-number no-line-number count count-matches files files-with-matches files-without-match"
    " fixed-strings only-matching word-regexp line-regexp invert-match no-heading heading hidden"
    " no-ignore no-filename with-filename smart-case case-sensitive trim column vimgrep json"
    " quiet stats multiline no-messages type-list"
)
RG_LONG_VALUES = {
    **dict.fromkeys("glob iglob type type-not regexp".split(), anything),
    **dict.fromkeys("max-count after-context before-context context max-depth max-columns".split(), number),
    "color": one_of("never"),
    "sort": one_of("path", "modified", "none"),
}


def _echo(args: Sequence[str]) -> Checked:
    if list(args) in (["--help"], ["--version"]):
        return Denied("echo prints plain text only here.")
    return Uses()


def _date(args: Sequence[str]) -> Checked:
    flags = Flags(
        "uI",
        {"d": matching(r"[A-Za-z0-9 @:+,./-]{1,60}")},
        "utc universal",
        {"date": matching(r"[A-Za-z0-9 @:+,./-]{1,60}")},
        {"iso-8601": one_of("date", "hours", "minutes", "seconds")},
    )
    # An operand without a plus would set the clock.
    forms = [arg for arg in args if arg.startswith("+")]
    checked = on_text(flags, most=0)([arg for arg in args if not arg.startswith("+")])
    return Denied("Give date at most one format.") if len(forms) > 1 else checked


def _test(args: Sequence[str]) -> Checked:
    match list(args):
        case [("-e" | "-f" | "-d" | "-r" | "-s"), path]:
            return Uses((path,))
        case [("-n" | "-z"), _]:
            return Uses()
        case [_, ("=" | "!="), _]:
            return Uses()
        case [one, ("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge"), other] if re.fullmatch(
            r"-?\d+/-?\d+", f"{one}/{other}"
        ):
            return Uses()
    return Denied("test takes -e, -f, -d, -r or -s with a path, or compares two values.")


def _which(args: Sequence[str]) -> Checked:
    given = on_text(Flags("a"), least=1, most=20)(args)
    # A name with a slash would tell whether any file of the disk exists.
    if isinstance(given, Uses) and not all(re.fullmatch(r"-a|[A-Za-z0-9._+][A-Za-z0-9._+-]*", arg) for arg in args):
        return Denied("Give which plain command names.")
    return given


def _tail(args: Sequence[str]) -> Checked:
    flags = Flags("qv", {"n": number, "c": number}, "quiet verbose", {"lines": number, "bytes": number}, count=True)
    checked = on_paths(flags)(args)
    # An old form: `tail +5f` follows the file for ever.
    if isinstance(checked, Uses) and any(re.match(r"\+\d", path) for path in checked.paths):
        return Denied("Write tail -n +5 instead of tail +5.")
    return checked


_SUMS = on_paths(Flags("bt", long="binary text tag"), most=200)

COMMANDS: Mapping[str, Check] = {
    "basename": on_text(Flags("a", {"s": anything}, "multiple", {"suffix": anything}), least=1),
    "cat": on_paths(Flags("AbeEnstTv", long="number number-nonblank show-all show-ends show-tabs squeeze-blank")),
    "cmp": on_paths(
        Flags("bls", {"n": number}, "silent quiet verbose print-bytes", {"bytes": number}), least=2, most=2, plain=True
    ),
    "comm": on_paths(Flags("123", long="total"), least=2, most=2, plain=True),
    "cut": on_paths(
        Flags(
            "s",
            {"d": anything, "f": COLUMNS, "c": COLUMNS, "b": COLUMNS},
            "complement only-delimited",
            {"delimiter": anything, "fields": COLUMNS, "characters": COLUMNS, "output-delimiter": anything},
        )
    ),
    "date": _date,
    "diff": on_paths(
        Flags(
            "abBcdEiqstuwyZ",
            {"U": number, "C": number, "W": number, "I": anything},
            "brief unified ignore-all-space ignore-space-change ignore-blank-lines ignore-case text minimal"
            " side-by-side suppress-common-lines report-identical-files",
            {"label": anything, "width": number},
            {"color": COLOUR, "unified": number},
        ),
        least=2,
        most=2,
        plain=True,
    ),
    "dirname": on_text(Flags(), least=1),
    "du": on_paths(
        Flags(
            "abchkmsS",
            {"d": number},
            "all summarize human-readable bytes total apparent-size",
            {"max-depth": number, "exclude": anything},
        )
    ),
    "echo": _echo,
    "false": on_text(Flags(), most=0),
    "file": on_paths(Flags("bi", long="brief mime mime-type mime-encoding"), least=1),
    "find": shell_find.check,
    "grep": on_pattern(
        Flags(
            "abcEFGhHilLnoPqrsTUvwxyZ",
            {**CONTEXT, "e": anything},
            GREP_LONG,
            GREP_LONG_VALUES,
            {"color": COLOUR, "colour": COLOUR},
            count=True,
        ),
        instead=("e", "regexp"),
        leaves_out=LEFT_OUT_BY_GREP,
        walking=("r", "recursive"),
    ),
    "head": on_paths(
        Flags("qv", {"n": number, "c": number}, "quiet verbose", {"lines": number, "bytes": number}, count=True)
    ),
    "jq": shell_jq.check,
    "ls": on_paths(
        Flags(
            "1aAbBcCdfFghiklmnNopqQrRsStuUvxX",
            {"I": anything, "w": number},
            "all almost-all human-readable reverse recursive size inode directory full-time group-directories-first"
            " numeric-uid-gid classify file-type no-group",
            {"ignore": anything, "hide": anything, "width": number, "block-size": number},
            {
                "color": COLOUR,
                "sort": one_of("size", "time", "version", "extension", "none"),
                "time-style": one_of("long-iso", "iso", "full-iso"),
                "format": one_of("long", "single-column", "commas"),
            },
        )
    ),
    "md5sum": _SUMS,
    "nl": on_paths(
        Flags(
            "p",
            {**dict.fromkeys("vilw", number), "b": one_of("a", "t", "n"), "n": one_of("ln", "rn", "rz"), "s": anything},
        )
    ),
    "pwd": on_text(Flags("P", long="physical"), most=0),
    "realpath": on_paths(Flags("emqs", long="canonicalize-existing canonicalize-missing no-symlinks quiet"), least=1),
    "rg": on_pattern(
        Flags(
            "bcFHiIlnNoPqsSUuvwx", {**CONTEXT, **dict.fromkeys("egtT", anything), "d": number}, RG_LONG, RG_LONG_VALUES
        ),
        instead=("e", "regexp", "files", "type-list"),
        leaves_out=LEFT_OUT_BY_RG,
    ),
    "sed": shell_sed.check,
    "sha1sum": _SUMS,
    "sha256sum": _SUMS,
    "sort": on_paths(
        Flags(
            "bcCdfghiMmnrsuVz",
            {"k": matching(r"[0-9.,bdfgiMhnrRV]{1,40}"), "t": anything},
            "numeric-sort reverse unique ignore-case human-numeric-sort version-sort stable check general-numeric-sort",
            {"key": matching(r"[0-9.,bdfgiMhnrRV]{1,40}"), "field-separator": anything},
        )
    ),
    "stat": on_paths(Flags("t", {"c": anything}, "terse", {"format": anything, "printf": anything}), least=1),
    "tac": on_paths(Flags()),
    "tail": _tail,
    "test": _test,
    "tr": on_text(Flags("cCdst", long="complement delete squeeze-repeats truncate-set1"), least=1, most=2),
    "tree": on_paths(
        Flags(
            "adDfFghinprstuv",
            dict.fromkeys("LPI", anything),
            "noreport dirsfirst prune filesfirst",
            # It takes every value from the next argument and reads on in the cluster: `-Iol` writes a file.
            glued=False,
        )
    ),
    "true": on_text(Flags(), most=0),
    "uniq": on_paths(
        Flags("cdiu", dict.fromkeys("fsw", number), "count repeated unique ignore-case"),
        # The second operand of uniq is the file it writes.
        most=1,
    ),
    "wc": on_paths(Flags("clLmw", long="bytes chars lines words max-line-length")),
    "which": _which,
}


def check(argv: Sequence[str]) -> Checked:
    """Whether this argument list may run, and the paths it reads. Never raises."""
    name = argv[0]
    if name in COMMANDS:
        return COMMANDS[name](argv[1:])
    if "/" in name:
        return Denied(f"Name the command without a path; {name[:60]!r} is not one that can run here.")
    return Denied(
        f"{name[:60]!r} cannot run here; use Read, Grep, Glob, or one of ls, cat, grep, find, head, sed -n, jq, wc."
    )
