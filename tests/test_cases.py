"""The table of cases: a row for each, and every test that it names is there and runs."""
from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "cases.md"
CASES = 72
ROW = re.compile(r"\| (\d+)\. ([^|]+) \| ([^|]+) \| (mutant: [^|]+) \|")
NAMED = re.compile(r"`(tests/(?:[a-z0-9_]+/)*test_[a-z0-9_]+\.py)::(test_[a-z0-9_]+)`")


def rows(text: str) -> list[tuple[int, list[tuple[str, str]]]]:
    """(number, [(file, test)]) of each row of the table."""
    return [(int(match[1]), NAMED.findall(match[3])) for line in text.split("\n") if (match := ROW.fullmatch(line))]


@functools.cache
def functions(file: str) -> dict[str, ast.FunctionDef]:
    """The tests of a file as pytest collects them: functions at its top."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def problem(file: str, test: str) -> str:
    """Why a named test shows nothing, or ""."""
    if not (ROOT / file).is_file():
        return f"{file} does not exist"
    found = functions(file).get(test)
    if found is None:
        return f"{file} has no {test}"
    marks = " ".join(ast.unparse(decorator) for decorator in found.decorator_list)
    if re.search(r"\b(skip|skipif|xfail)\b", marks) or "pytest.skip(" in ast.unparse(found):
        return f"{test} of {file} may be skipped"
    return "" if any(isinstance(node, ast.Assert | ast.With) for node in ast.walk(found)) or "check" in ast.unparse(
        found
    ) else f"{test} of {file} asserts nothing"


def test_the_table_of_cases_has_a_row_for_each_in_order() -> None:
    found = rows(TABLE.read_text(encoding="utf-8"))
    assert [number for number, _ in found] == list(range(1, CASES + 1))
    assert [number for number, tests in found if not tests] == []
    lines = [line for line in TABLE.read_text(encoding="utf-8").split("\n") if line.startswith("| ")]
    assert len(lines) == CASES + 1  # and the head


def test_every_test_that_the_table_of_cases_names_is_there_and_runs() -> None:
    named = [pair for _, tests in rows(TABLE.read_text(encoding="utf-8")) for pair in tests]
    assert [why for pair in named if (why := problem(*pair))] == []


def test_every_test_under_cases_is_named_in_the_table_of_cases() -> None:
    named = {pair for _, tests in rows(TABLE.read_text(encoding="utf-8")) for pair in tests}
    files = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tests" / "cases").glob("test_*.py"))]
    there = {(file, name) for file in files for name in functions(file) if name.startswith("test_")}
    assert there and there - named == set()


@pytest.mark.parametrize(
    ("file", "test", "why"),
    [
        ("tests/no/test_such.py", "test_x", "does not exist"),
        ("tests/test_cases.py", "test_nowhere", "has no test_nowhere"),
        ("tests/test_cases.py", "rows", "asserts nothing"),
        ("tests/hooks/test_robustness.py", "test_no_space_left_is_survived_and_no_memory_lost", "may be skipped"),
        ("tests/test_cases.py", "test_every_test_that_the_table_of_cases_names_is_there_and_runs", ""),
    ],
)
def test_a_test_that_would_show_nothing_is_named(file: str, test: str, why: str) -> None:
    found = problem(file, test)
    assert why in found and bool(found) is bool(why)
