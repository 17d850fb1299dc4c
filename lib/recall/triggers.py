"""When a standing memory applies: its `applies:` entries against the prompt's orders, words and file names.

An entry is a kind of task named below ("tests", "dependencies"), a language ("python"), a path pattern ("*.sql",
"src/api/"), a tool ("Bash"), or any word or phrase of a prompt ("release notes"). A tool alone never fires: it is used
in every turn. A kind of task fires on an order ("write tests for …"), not on every question that holds its word;
languages and paths are also met by the files of the last turns, when the prompt is an order. Req: C1.
"""

from __future__ import annotations

from lib.recall.terms import PLAIN_WEIGHT, is_compound, stems, weight
from lib.recall.words import GENERIC_VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.recall.prompt import Query

# kind: words that show it in an order | words and phrases that show it anywhere. All are stems.
_KINDS_TEXT = """
dependencies: librari plugin instal upgrad bump depend packag | packag manag, lockfil, npm, pnpm, yarn, pip
tests: test spec e2e mock | unit test, integr test, regress test, pytest, vitest, jest, test coverag
commits: | commit messag, commit these, commit thi, commit the, commit my, commit all, commit everyth, squash, amend
pulls: pr | pull request, merg request, code review
release: releas publish | releas note
deploy: deploi rollout rollback product | deploy script
database: migrat schema sql queri databas | sql queri, databas schema
docs: doc document readm docstr guid tutori | user guid
style: lint prettier eslint ruff black reformat indent | code styl, styl guid
debugging: bug crash debug flake | stack trac, stacktrac
frontend: ui button compon page modal label css html form frontend | ui text
api: endpoint rout rest graphql api | api endpoint
logging: log trac metric |
security: secret password token credenti encrypt permiss | secur review
performance: perform slow latenc profil optim speed fast throughput benchmark |
refactoring: refactor renam extract simplifi dedupl restructur |
ci: ci pipelin workflow | github action, ci pipelin
explanations: explain summar describ teach |
writing: draft blog email announc pros |
planning: plan proposal roadmap estim | design doc
"""
_SAME = {
    "dependency": "dependencies",
    "packages": "dependencies",
    "package": "dependencies",
    "test": "tests",
    "testing": "tests",
    "commit": "commits",
    "git": "commits",
    "pr": "pulls",
    "prs": "pulls",
    "review": "pulls",
    "reviews": "pulls",
    "releases": "release",
    "deployment": "deploy",
    "deployments": "deploy",
    "sql": "database",
    "migrations": "database",
    "migration": "database",
    "documentation": "docs",
    "readme": "docs",
    "formatting": "style",
    "linting": "style",
    "bugs": "debugging",
    "ui": "frontend",
    "refactor": "refactoring",
    "perf": "performance",
    "answer": "explanations",
    "optimization": "performance",
    "plans": "planning",
    "explanation": "explanations",
}
_SUFFIXES = {
    "python": ("py", "pyi", "ipynb"),
    "typescript": ("ts", "tsx"),
    "javascript": ("js", "jsx", "mjs", "cjs"),
    "rust": ("rs",),
    "go": ("go",),
    "java": ("java",),
    "kotlin": ("kt",),
    "ruby": ("rb",),
    "php": ("php",),
    "swift": ("swift",),
    "c": ("c", "h"),
    "c++": ("cpp", "cc", "hpp"),
    "c#": ("cs",),
    "sql": ("sql",),
    "shell": ("sh", "bash", "zsh"),
    "css": ("css", "scss"),
    "html": ("html",),
    "markdown": ("md",),
    "yaml": ("yml", "yaml"),
    "terraform": ("tf",),
}
_AMBIGUOUS = frozenset({"go", "c", "shell", "swift"})  # languages whose name is a word of its own

GETTING = frozenset("add bump downgrad drop instal introduc put remov replac set switch updat upgrad us use".split())
RAISING = frozenset(("bump", "upgrad", "updat"))  # verbs that act on a dependency which is there already
RICH = 30  # memories from which on their words tell what the project is about


class Kind:
    """A kind of task: `ordered` words show it in an order, `anywhere` phrases in any sentence."""

    __slots__ = ("anywhere", "ordered")

    def __init__(self, text: str) -> None:
        ordered, _, anywhere = text.partition("|")
        self.ordered = frozenset(ordered.split())
        self.anywhere = [phrase.strip() for phrase in anywhere.split(",") if phrase.strip()]


KINDS = {name: Kind(words) for name, _, words in (line.partition(":") for line in _KINDS_TEXT.strip().splitlines())}


def matching_entry(entries: list[str], query: Query) -> str:
    """The first entry that the prompt meets, or "".

    Everyday words ("add", "name") are met a dozen times a day: one fires only as the verb of an order, or two together.
    """
    text = f" {' '.join(query.stems)} "
    weak: list[str] = []
    for entry in entries:
        if _meets(entry, text, query):
            return entry
        phrase = stems(entry)
        if len(phrase) == 1 and weight(phrase[0]) < PLAIN_WEIGHT:
            if phrase[0] not in GENERIC_VERBS and any(order[0] == phrase[0] for order in query.orders):
                return entry
            weak += phrase
    together = set(weak)
    return next((" ".join(met) for order in query.orders if len(met := sorted(together.intersection(order))) > 1), "")


def _meets(entry: str, text: str, query: Query) -> bool:
    suffixes = _SUFFIXES.get(entry)
    if suffixes and any(whole.rpartition(".")[2] in suffixes and len(whole) > 3 for whole in query.wholes):
        return True
    # An order goes on in the files of the last turns, whether it names them or not; a question may be about others.
    if suffixes and query.orders and any(file.rpartition(".")[2] in suffixes for file in query.files):
        return True
    if any(mark in entry for mark in "*/") or entry.startswith("."):
        worked_on = query.files if query.orders else []
        return any(_meets_path(entry, whole.lstrip("./")) for whole in (*query.wholes, *worked_on))
    kind = KINDS.get(_SAME.get(entry, entry))
    if kind is not None:
        orders = query.orders
        if kind is KINDS["dependencies"]:  # "extract it into a package" brings none in
            orders = [order for order in orders if order[0] in GETTING]
        ordered = any(not kind.ordered.isdisjoint(order) for order in orders)
        return ordered or any(phrase and f" {phrase} " in text for phrase in kind.anywhere)
    phrase = stems(entry)
    telling = len(phrase) > 1 or (bool(phrase) and weight(phrase[0]) >= PLAIN_WEIGHT)
    return telling and entry not in _AMBIGUOUS and f" {' '.join(phrase)} " in query.open


def astray(entry: str, query: Query, known: set[str], size: int) -> bool:
    """Whether an order of this kind is about something that neither the memories nor the project's files know.

    Orders of one kind are alike in all projects: "write tests for the …" needs a second sign that it is meant here,
    as much of what is known as of what was never heard of. Asked for only where there are memories enough to know the
    project's words.
    """
    kind = KINDS.get(_SAME.get(entry, entry))
    if size < RICH or not (_starts_an_order(entry, query) if kind is None else not _brings_news(kind, query)):
        return False
    # The verb of an order says what is to be done, not what it is about.
    own = {order[0] for order in query.orders}.union(stems(entry))
    if kind is not None:
        own |= kind.ordered.union(*(phrase.split() for phrase in kind.anywhere))
    telling = {
        term for term in query.terms if weight(term) >= PLAIN_WEIGHT and not is_compound(term) and term not in own
    }
    strange = telling - known
    # A part of a name that nobody knows says nothing: "gl" of "OpenGL".
    met = {term for term in telling & known if not any(term in whole for whole in strange)}
    if len(strange) <= len(met):
        return False
    met |= query.in_project(strange)
    return len(strange - met) > len(met)


def _starts_an_order(entry: str, query: Query) -> bool:
    """Whether a single everyday word was met as the verb of an order: that verb is common to all projects."""
    phrase = stems(entry)
    return len(phrase) == 1 and any(order[0] == phrase[0] for order in query.orders)


def _brings_news(kind: Kind, query: Query) -> bool:
    """Whether something new is asked for: what is added as a dependency is strange by nature, what is raised is not."""
    return kind is KINDS["dependencies"] and not any(order[0] in RAISING for order in query.orders)


def _meets_path(pattern: str, path: str) -> bool:
    head, star, tail = pattern.strip().partition("*")
    head, tail = head.lstrip("./"), tail.rpartition("*")[2].strip()
    if not star:
        folder = head.rstrip("/")
        return path == folder or path.startswith(folder + "/") or path.endswith("/" + folder) or f"/{folder}/" in path
    return bool(head or tail) and path.startswith(head) and path.endswith(tail)
