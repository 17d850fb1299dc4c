"""The words that tell a lasting statement from an order for the task at hand."""

from __future__ import annotations

import re

# Which job a tool does: two tools of one job exclude each other, and the job's words say when the tool matters.
JOBS: dict[str, tuple[str, ...]] = {
    "packages": ("npm", "pnpm", "yarn", "bun", "deno", "pip", "pipx", "uv", "poetry", "pdm", "conda", "pipenv", "cargo", "bundler", "composer",
                 "maven", "gradle", "nuget", "homebrew", "brew", "npx", "pnpx", "bunx", "hatch", "rye", "mamba"),
    "tests": ("jest", "vitest", "mocha", "pytest", "unittest", "rspec", "playwright", "cypress", "selenium", "junit", "testify", "minitest",
              "phpunit", "tox", "nox", "storybook", "testcontainers"),
    "lint": ("prettier", "eslint", "biome", "ruff", "flake8", "pylint", "mypy", "pyright", "isort", "clippy", "rustfmt", "gofmt", "golangci-lint",
             "stylelint", "rubocop", "tslint", "standardrb", "pre-commit", "husky", "lefthook"),
    "bundle": ("vite", "webpack", "rollup", "esbuild", "parcel", "turbopack", "rspack", "tsup"),
    "git": ("git", "github", "gitlab", "bitbucket", "gh", "glab", "svn", "jj", "mercurial", "gitea"),
    "containers": ("docker", "podman", "kubernetes", "k8s", "helm", "docker-compose", "minikube"),
    "build": ("makefile", "bazel", "nx", "turborepo", "mise", "cmake", "ninja", "justfile", "taskfile"),
    "database": ("postgres", "postgresql", "mysql", "mariadb", "sqlite", "mongodb", "redis", "dynamodb", "clickhouse", "duckdb", "bigquery", "snowflake"),
    "orm": ("prisma", "sqlalchemy", "alembic", "typeorm", "drizzle", "sequelize", "hibernate", "aerich", "knex", "activerecord"),
    "cloud": ("aws", "gcp", "azure", "terraform", "pulumi", "vercel", "netlify", "heroku", "ansible", "cloudflare", "opentofu"),
    "ui": ("react", "vue", "svelte", "angular", "solidjs", "tailwind", "shadcn", "mui", "next.js", "nuxt", "remix", "htmx", "jquery", "redux", "zustand"),
    "validation": ("zod", "yup", "joi", "pydantic", "valibot", "ajv"),
    "editor": ("vscode", "vim", "neovim", "emacs", "pycharm", "intellij", "webstorm", "zed"),
    "tracker": ("jira", "linear", "trello", "asana", "youtrack", "clickup", "bugzilla", "redmine"),
    "chat": ("slack", "discord", "mattermost", "zulip"),
    "search": ("rg", "ripgrep", "grep"),
}
JOB_OF = {tool: job for job, tools in JOBS.items() for tool in tools}
JOB_WORDS: dict[str, tuple[str, ...]] = {
    "packages": ("dependency", "dependencies", "package", "install", "add", "upgrade", "lockfile"),
    "tests": ("test", "tests"),
    "lint": ("lint", "format"),
    "bundle": ("build", "bundle"),
    "git": ("commit", "branch", "push", "merge", "pull request"),
    "containers": ("container", "image", "compose"),
    "build": ("build",),
    "database": ("database", "query", "migration"),
    "orm": ("migration", "model", "schema", "query"),
    "cloud": ("deploy", "infrastructure"),
    "ui": ("component", "frontend"),
    "validation": ("validation", "schema"),
    "editor": ("editor",),
    "tracker": ("ticket", "issue", "bug"),
    "chat": ("message", "channel"),
    "search": ("search",),
}
LANGUAGES = frozenset(
    "python typescript javascript rust go golang java kotlin swift ruby php c++ c# scala elixir haskell sql bash css html zig lua perl r dart".split()
)
# Kinds of work, by the stems that name them.
TASKS: dict[str, tuple[str, ...]] = {
    "commit": ("commit", "commits", "committing", "squash", "rebase", "amend"),
    "test": ("test", "tests", "testing", "mock", "mocks", "mocking", "fixture", "fixtures", "coverage"),
    "review": ("review", "reviews", "pr", "prs", "pull request", "pull requests"),
    "deploy": ("deploy", "deploys", "deployment", "deployments", "release", "releases", "staging", "production"),
    "docs": ("docs", "documentation", "readme", "docstring", "docstrings", "changelog"),
    "comment": ("comment", "comments"),
    "naming": ("name", "names", "naming", "prefix", "suffix"),
    "migration": ("migration", "migrations"),
    "answer": ("answer", "answers", "reply", "replies", "response", "responses", "explain", "explanations", "summarize", "summaries", "concise"),
    "types": ("type hints", "annotations", "types", "typing"),
    "branch": ("branch", "branches", "push", "merge", "force-push"),
    "database": ("database", "databases", "db"),
    "dependency": ("dependency", "dependencies", "lockfile", "packages"),
}
# Systems outside the repository that facts may live in.
EXTERNAL = (
    r"(?:linear|jira|notion|confluence|grafana|datadog|sentry|slack|trello|asana|figma|pagerduty|kibana|looker|airtable|google (?:docs?|drive|sheets?)"
    r"|miro|clickup|youtrack|bugzilla|redmine|discord|microsoft teams|ms teams|sharepoint|metabase|tableau|splunk|new ?relic|honeycomb|cloudwatch"
    r"|github (?:issues|projects?|discussions?|wiki)|gitlab (?:issues|boards?|wiki)|azure devops|basecamp|monday\.com|opsgenie|statuspage|prometheus"
    r"|1password|vault|zendesk|intercom|shortcut|posthog|amplitude|mixpanel|bitbucket|zeplin|launchdarkly|jenkins|buildkite|circleci|argocd)"
)
# Verbs of the assistant's own work: a rule about them is hardly ever about what the product does.
HABITS = frozenset(
    "use run write commit push add create name start begin end include ask test format lint prefix suffix import prefer mock edit modify touch explain "
    "answer respond reply speak talk squash rebase merge deploy install summarize document comment follow branch sign tag bump pin annotate decorate "
    "amend force-push hardcode hard-code stub suppress assume guess avoid work propose suggest commit put leave read search apologize apologise skip "
    "generate type refactor rename implement credit mention introduce co-author cc require go stage stick plan review do "
    "translate over-engineer overengineer inline duplicate copy reformat write".split()
)
# Verbs that order product behaviour as often as a habit: only with a standing scope.
UNCERTAIN = frozenset(
    "show return validate check display log throw close open call print update delete remove verify make keep put give tell do handle wrap "
    "get set send store save raise catch escape sanitize render hide export load let have be cache encode treat ensure confirm pass "
    "swallow sort default declare define pull fetch expose point rely build bypass disable enable ignore change let leave order split".split()
)
TASK_VERBS = (
    "add fix implement create write update refactor change run make check look build remove delete move rename show explain find commit push "
    "test investigate try debug continue go proceed do start finish apply generate read open give tell list merge rebase revert undo restore "
    "install upgrade bump deploy convert extract replace clean set configure setup figure help compare analyze analyse summarize describe "
    "document verify ensure debug adjust tweak improve optimize optimise simplify split combine wire hook integrate migrate port draft propose plan "
    "search use put keep rewrite redo resolve handle support expose print log return render display hide enable disable wrap let's lets "
    "review address inspect scan download upload fetch copy paste format lint compile render publish release tag squash drop skip stop kill restart"
).split()
_TASK_START = re.compile(
    r"^(?:" + "|".join(sorted(set(TASK_VERBS), key=len, reverse=True)) + r")\b"
    r"|^(?:can|could|would|will) (?:you|we)\b|^i(?:'d| would)? (?:want|need|like)\b|^we (?:need|want|should|have to|must)\b|^you (?:need|should|must|have) "
    r"|^(?:it|this|that|the|these|those|there) (?:[\w-]{1,20} ){0,3}(?:should|must|needs?|has|have|is|are|doesn't|does|isn't)\b"
)
_WORKSHOP = frozenset(("packages", "tests", "lint", "git", "build", "bundle", "search", "editor", "tracker"))
SCOPE = re.compile(
    r"\bfrom now on\b|\bgoing forward\b|\bmoving forward\b|\bfrom here on\b|\bfrom this point on\b|\bhenceforth\b|\bin (?:the )?future\b|\bfor (?:the )?future\b|\bfor next time\b"
    r"|\bin (?:this|our|my|every|each|all|any) (?:\w+ )?(?:repo|repository|repos|repositories|projects?|codebases?|code base|monorepo|workspace|team|company|org(?:anization)?|sessions?|conversations?|chats?)\b"
    r"|\bfor (?:this|our|my|all|every|any) (?:my |our )?(?:\w+ )?(?:repo|repository|repos|projects?|codebase|team)\b|\bevery ?time\b|\beach time\b|\bwhenever (?:you|we|i)\b"
    r"|\b(?:before|after|with|on|for|of|in|to) (?:every|each|any) (?:commit|push|change|merge|pr|pull request|release|deploy|edit|task|session|feature|fix|reply|response|answer|message)\b"
    r"|\b(?:before|after) (?:you )?(?:commit|push|merg|deploy|releas|open|edit)(?:ting|ing|e|es)?\b|\bwhen(?:ever)? (?:you(?:'re| are)? )?(?:writ|creat|nam|commit|add|answer|explain|review|edit|refactor|generat|work|cod|respond|open|merg|push|touch|chang|mak|test|finish)\w*\b"
    r"|\bas a (?:general )?rule\b|\bin general\b|\bby default\b|\beverywhere\b|\bacross (?:the|all|our) (?:repo|codebase|projects?|code)\b|\ball (?:of )?(?:your|my|our)\b|\bour (?:team )?(?:convention|policy|standard|rule|style guide)\b"
)
HERE = re.compile(r"\bhere\b(?=\s*(?:$|[,.;:!)—-]|because|since|and|as|for|in))")
ASSISTANT = re.compile(
    r"\b(?:your|you) (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?|summar(?:y|ies)|output|comments?|commits?|code|changes)\b"
    r"|\bco-?author(?:ed)?(?:-by)?\b|\bcommit messages?\b|\bemojis?\b|\bdocstrings?\b|\btype hints?\b|\bpull requests?\b|\bcode comments?\b|\bem[- ]dash(?:es)?\b"
    r"|\b(?:answers?|repl(?:y|ies)|responses?|explanations?|summaries) (?:short|brief|concise|terse|to the point)\b|\b(?:short|brief|concise|terse) (?:answers?|repl(?:y|ies)|responses?|explanations?|summaries)\b"
    r"|\bapologi[sz]\w+\b|\bmarkdown (?:files?|docs?|summar\w+)\b|\bsummary files?\b|\bforce[- ]push\w*\b|\bbefore committing\b|\b(?:small|atomic|tiny|separate) (?:commits|prs)\b|\byou're absolutely right\b"
)
WORD = re.compile(r"[a-z0-9_+#][a-z0-9_+#.@/-]*")


def tools(text: str) -> tuple[str, ...]:
    """Known tools that lower-case `text` names, in order, each once."""
    found: list[str] = []
    for word in WORD.findall(text):
        bare = word.rstrip(".-/")
        if bare in JOB_OF and bare not in found:
            found.append(bare)
    return tuple(found)


def workshop(text: str) -> tuple[str, ...]:
    """The tools of `text` that people work with, rather than build the product from."""
    return tuple(tool for tool in tools(text) if JOB_OF[tool] in _WORKSHOP)


def is_order(text: str) -> bool:
    """True when a normalised sentence orders or describes work of this task."""
    return bool(_TASK_START.match(text))
