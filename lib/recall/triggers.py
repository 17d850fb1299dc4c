"""When a standing memory applies: its `applies:` entries against the prompt's words, file names and kind of task.

An entry is a word or phrase of the prompt ("release notes"), a kind of task named below ("tests", "dependencies"), a language
("python"), a path pattern ("*.sql", "src/api/") or a tool ("Bash"). A tool alone never fires. Req: C1.
"""
from __future__ import annotations

from lib.recall.terms import stems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.recall.prompt import Query

# Kind of task -> stems that show it. A kind is also met by its own name.
_KINDS_TEXT = """
dependencies: depend packag librari lockfil npm pnpm yarn bun pip poetri cargo gem bundler requir
tests: test pytest jest vitest unittest mocha spec fixtur mock coverag
commits: commit squash amend rebas stage
pulls: pr pull merg review
release: releas changelog publish ship semver
deploy: deploi rollout rollback stage product kubernet helm terraform
database: databas sql migrat schema queri tabl postgr mysql sqlit orm
docs: doc docum readm docstr changelog guid tutori
style: lint format style prettier eslint ruff convent name
debugging: bug debug crash traceback stacktrac exception fail broken fix error
frontend: frontend css html compon button page modal layout react vue svelt
api: api endpoint rout rest graphql handler handl controll
logging: log logger telemetri metric trace
security: secur secret password token credenti encrypt auth oauth
performance: perform slow latenc profil optim speed throughput memori benchmark
refactoring: refactor renam extract simplifi dedupl cleanup restructur
ci: ci pipelin workflow runner
explanations: explain summar summari teach understand overview
writing: write draft blog email wording prose copi
planning: plan design architectur proposal roadmap estim
"""
KINDS = {name: frozenset(words.split()) for name, _, words in
         (line.partition(":") for line in _KINDS_TEXT.strip().splitlines())}
_ALIASES = {"dependency": "dependencies", "packages": "dependencies", "test": "tests", "testing": "tests", "commit": "commits",
            "git": "commits", "pr": "pulls", "prs": "pulls", "review": "pulls", "reviews": "pulls", "releases": "release",
            "deployment": "deploy", "sql": "database", "migrations": "database", "documentation": "docs", "readme": "docs",
            "formatting": "style", "bugs": "debugging", "ui": "frontend", "refactor": "refactoring", "perf": "performance",
            "optimization": "performance", "docs": "docs", "auth": "security", "plans": "planning", "design": "planning"}
SUFFIXES = {"python": ("py", "pyi", "ipynb"), "typescript": ("ts", "tsx"), "javascript": ("js", "jsx", "mjs", "cjs"),
            "rust": ("rs",), "go": ("go",), "java": ("java",), "kotlin": ("kt",), "ruby": ("rb",), "php": ("php",),
            "swift": ("swift",), "c": ("c", "h"), "c++": ("cpp", "cc", "hpp"), "c#": ("cs",), "shell": ("sh", "bash", "zsh"),
            "sql": ("sql",), "css": ("css", "scss"), "html": ("html",), "markdown": ("md",), "yaml": ("yml", "yaml"),
            "terraform": ("tf",)}


def matching_entry(entries: list[str], query: Query) -> str:
    """The first entry that the prompt meets, or ""."""
    words = set(query.stems)
    text = f" {' '.join(query.stems)} "
    return next((entry for entry in entries if _meets(entry, words, text, query)), "")


def _meets(entry: str, words: set[str], text: str, query: Query) -> bool:
    if entry in SUFFIXES and any(_has_suffix(whole, SUFFIXES[entry]) for whole in query.wholes):
        return True
    if any(mark in entry for mark in "*/") or entry.startswith("."):
        return _meets_path(entry, query)
    kind = KINDS.get(_ALIASES.get(entry, entry))
    if kind is not None and not kind.isdisjoint(words):
        return True
    phrase = " ".join(stems(entry))
    return bool(phrase) and f" {phrase} " in text


def _meets_path(pattern: str, query: Query) -> bool:
    tail = pattern.rsplit("*", 1)[-1].strip() if "*" in pattern else pattern
    head = pattern.split("*", 1)[0].strip("./ ") if "*" in pattern else pattern.strip("./ ")
    for whole in query.wholes:
        bare = whole.lstrip("./")
        if "*" not in pattern and (bare == head or bare.startswith(head + "/") or bare.endswith("/" + head)):
            return True
        if "*" in pattern and (tail or head) and bare.startswith(head) and bare.endswith(tail):
            return True
    return False


def _has_suffix(whole: str, suffixes: tuple[str, ...]) -> bool:
    return whole.rpartition(".")[2] in suffixes and len(whole) > 3
