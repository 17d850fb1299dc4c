"""The table of commands: each has cases that are allowed and cases that are denied."""

from __future__ import annotations

import shlex

import pytest

from lib.model.scope import Denied
from lib.model.shell.commands import COMMANDS, check
from lib.model.shell.flags import Uses

# command -> (allowed, denied), each without the command's own name
CASES: dict[str, tuple[list[str], list[str]]] = {
    "basename": (["a/b.md", "-s .md a.md b.md"], ["", "-z a"]),
    "cat": (["", "a b", "-n a", "-A -- -x", "-"], ["--help-me a", "-x a", "--show"]),
    "cmp": (["a b", "-s a b", "-n 5 a b"], ["a", "a b c", "-i 5 a b"]),
    "comm": (["-12 a b"], ["a", "--output-delimiter=x a b", "a b c"]),
    "cut": (
        ["-d: -f1,3- a", "-c 1-5", "--delimiter=, --fields=1 a"],
        ["--output-delimite=x -f1 a", "-f x a", "-z -f1"],
    ),
    "date": (
        ["", "-u", "+%F", "-u +%F", "-d 'next monday' +%F", "-I"],
        ["-s x", "--set=x", "-f a", "010203", "-r a", "-d 'TZ=\"x\" 1'"],
    ),
    "diff": (
        ["a b", "-u a b", "-U3 a b", "-qw a b", "--color=never a b"],
        ["-r a b", "--to-file=x a", "a", "-l a b", "a b c"],
    ),
    "dirname": (["a/b"], ["", "-z a"]),
    "du": (["-sh .", "-d 1", "--max-depth=2 ."], ["--files0-from=a", "-L .", "-D x", "-X a"]),
    "echo": (["", "-n a", "-x --y", "--help me"], ["--help", "--version"]),
    "false": ([""], ["x"]),
    "file": (["a", "-b --mime-type a"], ["", "-f a", "-z a", "-C", "-m x a", "--files-from a"]),
    "find": ([". -name x"], [". -delete"]),
    "grep": (
        [
            "x a",
            "-rn x .",
            "-e x -e y a",
            "-A3 -B 2 x a",
            "-5 x a",
            "--include=*.md -r x",
            "-oP x a",
            "-c '' a",
            "-m1 x a",
        ],
        [
            "",
            "-R x .",
            "-f a x",
            "--file=a x",
            "-D read x .",
            "-d recurse x .",
            "--exclude-from=a x",
            "--includ=*.md x",
            "--color=always x a",
        ],
    ),
    "head": (
        ["a", "-n 5 a", "-n5 a", "-5 a", "-c 1K a", "--lines=-5 a", "-q a b"],
        ["--files0-from=x", "-n x a", "-z a"],
    ),
    "jq": ([". a"], ["-f a"]),
    "ls": (
        ["", "-la", "-lhtr a b", "-1 --sort=time", "--color=never", "-I '*.o'"],
        ["--hyperlink=always", "-L a", "-H a", "-D", "--color=always"],
    ),
    "md5sum": (["a"], ["-c a", "--check a"]),
    "nl": (["a", "-ba a", "-w 3 a"], ["-o PWN a", "a -o PWN", "-b pX a"]),
    "pwd": (["", "-P"], ["x", "-L"]),
    "realpath": (["a", "-m a"], ["", "--relative-to=/ a", "-z a"]),
    "rg": (
        ["x", "-n x a", "--files", "-l --type md x", "-g '*.py' x", "-e x a b", "--max-depth=2 x", "-uu x"],
        [
            "--pre sh x",
            "--pre=sh x",
            "--hostname-bin a x",
            "-z x",
            "-L x",
            "--follow x",
            "-f a",
            "--ignore-file a x",
            "--search-zip x",
            "",
        ],
    ),
    "sed": (["-n 1p a"], ["-i s/a/b/ a"]),
    "sha1sum": (["a"], ["-c a"]),
    "sha256sum": (["a b", "--tag a"], ["-c a", "--check a"]),
    "sort": (
        ["a", "-rn a", "-t, -k2,2nr a", "-u", "--key=2"],
        ["-o x a", "a -ox", "-T /x a", "-S 1 a", "--compress-program=sh", "--files0-from=a", "-R a", "-ko a"],
    ),
    "stat": (["a", "-c %s a", "--format=%n a"], ["", "-L a", "-f a"]),
    "tac": (["a", ""], ["-s x a", "-b a"]),
    "tail": (
        ["a", "-5 a", "-n +5 a", "-c 9 a", "--lines=5 a"],
        ["-f a", "-F a", "--follow a", "-5f a", "+5f a", "--pid=1 a", "-s 1 a"],
    ),
    "test": (["-e a", "-n ''", "a = b", "1 -lt 2"], ["", "a", "-v x", "x -eq y", "a -nt b", "-e a -o -e b", "-t 0"]),
    "tr": (["a-z A-Z", "-d x", "-sc a b"], ["", "a b c", "-x a"]),
    "tree": (["", "-L 2", "-aI node_modules ."], ["-R", "-o x", "-H x", "-l", "-L2", "-Iol x y z", "--fromfile a"]),
    "true": ([""], ["--version", "x"]),
    "uniq": (["", "-c a", "-f 1 -s2 a"], ["a b", "-z a", "--group a"]),
    "wc": (["", "-l a b", "--lines a"], ["--files0-from=a", "-x a"]),
    "which": (["python3", "-a ls cat"], ["", "a/b", "../x", "/bin/ls", "-s x"]),
}
ALLOWED = [f"{name} {args}".strip() for name, (allowed, _) in CASES.items() for args in allowed]
DENIED = [f"{name} {args}".strip() for name, (_, denied) in CASES.items() for args in denied]


def test_every_command_of_the_table_has_an_allowed_and_a_denied_case() -> None:
    assert set(CASES) == set(COMMANDS)
    assert all(allowed and denied for allowed, denied in CASES.values())


@pytest.mark.parametrize("line", ALLOWED)
def test_what_only_reads_is_allowed(line: str) -> None:
    assert isinstance(check(shlex.split(line)), Uses)


@pytest.mark.parametrize("line", DENIED)
def test_what_could_do_more_is_denied_with_a_reason(line: str) -> None:
    denied = check(shlex.split(line))
    assert isinstance(denied, Denied)
    assert denied.reason.endswith(".") and "\n" not in denied.reason


@pytest.mark.parametrize(
    "name",
    "sh bash zsh python3 perl ruby node awk gawk xargs env nice nohup timeout stdbuf setsid sudo ssh curl wget git gh"
    " npm make tar zip rm mv cp ln mkdir touch tee dd truncate install chmod kill ps top less more man vi ed ex split"
    " csplit printenv printf export alias eval exec source . command builtin cd pushd time ! [ [[ { if while LS"
    " Ls lѕ ./ls /bin/ls ../ls ls/".split(),
)
def test_what_is_not_in_the_table_is_denied(name: str) -> None:
    assert isinstance(check([name]), Denied)


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("cat a -n b", ["a", "b"]),
        ("grep -e x a b", ["a", "b"]),
        ("grep x a b", ["a", "b"]),
        ("grep -rexy /root", ["/root"]),
        ("grep -re key /root", ["/root"]),
        ("head -n 5 a", ["a"]),
        ("head -n5 /etc/x", ["/etc/x"]),
        ("sed -n -e 1p /etc/x", ["/etc/x"]),
        ("sed -n 1p /etc/x", ["/etc/x"]),
        ("jq --arg a b . /etc/x", ["/etc/x"]),
        ("find -P /a b -newer /c -name d", ["/a", "b", "/c"]),
        ("sort -t a -k 1 b", ["b"]),
        ("rg --files /etc", ["/etc"]),
        ("test -e /etc/x", ["/etc/x"]),
        ("tree -I x /etc", ["/etc"]),
        ("diff -I x a b", ["a", "b"]),
        ("echo /etc/passwd", []),
        ("tr /etc /root", []),
    ],
)
def test_every_path_that_a_command_will_open_is_known(line: str, paths: list[str]) -> None:
    uses = check(shlex.split(line))
    assert isinstance(uses, Uses)
    assert list(uses.paths) == paths


def test_files_are_compared_and_never_folders() -> None:
    for line in ("diff a b", "cmp a b", "comm a b"):
        uses = check(line.split())
        assert isinstance(uses, Uses) and uses.plain
