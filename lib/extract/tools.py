"""The tools, languages and kinds of work that statements are about."""

from __future__ import annotations

import re

# Which job a tool does: two tools of one job exclude each other, and the job's words say when the tool matters.
_JOBS = {
    "packages": (
        "npm pnpm yarn bun deno pip pipx uv poetry pdm conda pipenv cargo bundler composer maven gradle nuget "
        "homebrew brew npx pnpx bunx hatch rye mamba"
    ),
    "tests": (
        "jest vitest mocha pytest unittest rspec playwright cypress selenium junit testify minitest phpunit "
        "tox nox storybook testcontainers"
    ),
    "lint": (
        "prettier eslint biome ruff flake8 pylint mypy pyright isort clippy rustfmt gofmt golangci-lint "
        "stylelint rubocop tslint standardrb pre-commit husky lefthook"
    ),
    "bundle": "vite webpack rollup esbuild parcel turbopack rspack tsup",
    "git": "git github gitlab bitbucket gh glab svn jj mercurial gitea",
    "containers": "docker podman kubernetes k8s helm docker-compose minikube",
    "build": "makefile bazel nx turborepo mise cmake ninja justfile taskfile",
    "database": "postgres postgresql mysql mariadb sqlite mongodb redis dynamodb clickhouse duckdb bigquery snowflake",
    "orm": "prisma sqlalchemy alembic typeorm drizzle sequelize hibernate aerich knex activerecord",
    "cloud": "aws gcp azure terraform pulumi vercel netlify heroku ansible cloudflare opentofu",
    "ui": "react vue svelte angular solidjs tailwind shadcn mui next.js nuxt remix htmx jquery redux zustand",
    "validation": "zod yup joi pydantic valibot ajv",
    "editor": "vscode vim neovim emacs pycharm intellij webstorm zed",
    "tracker": "jira linear trello asana youtrack clickup bugzilla redmine",
    "chat": "slack discord mattermost zulip",
    "search": "rg ripgrep grep",
}
JOB_OF = {tool: job for job, names in _JOBS.items() for tool in names.split()}
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
# Choices that exclude each other: who takes one gives up the other.
_RIVALS = {
    "JavaScript packages": "npm pnpm yarn bun deno",
    "Python packages": "pip uv poetry pdm conda pipenv hatch rye mamba",
    "Java builds": "maven gradle",
    "JavaScript tests": "jest vitest mocha",
    "Python tests": "pytest unittest",
    "browser tests": "playwright cypress selenium",
    "JavaScript linting": "eslint biome tslint",
    "bundling": "vite webpack rollup parcel turbopack rspack",
    "code host": "github gitlab bitbucket gitea",
    "containers": "docker podman",
    "validation": "zod yup joi valibot",
    "tracker": "jira linear trello asana youtrack clickup bugzilla redmine",
    "chat": "slack discord mattermost zulip",
    "search": "rg grep",
    "indentation": "tabs spaces",
    "language": "german english french spanish chinese japanese korean italian portuguese russian dutch polish",
    "merging": "squash rebase",
}
CHOICE_OF = {word: group for group, words in _RIVALS.items() for word in words.split()}
# Jobs whose tools people work with, rather than build the product from.
_WORKSHOP = frozenset(("packages", "tests", "lint", "git", "build", "bundle", "search", "editor", "tracker"))
LANGUAGES = frozenset(
    "bash c# c++ css dart elixir go golang haskell html java javascript kotlin lua perl php python r ruby "
    "rust scala sql swift typescript zig".split()
)
# Kinds of work, by the words that name them.
TASKS: dict[str, tuple[str, ...]] = {
    "commit": ("commit", "commits", "committing", "squash", "rebase", "amend"),
    "test": ("test", "tests", "testing", "mock", "mocks", "mocking", "fixture", "fixtures", "coverage"),
    "review": ("review", "reviews", "pr", "prs", "pull request", "pull requests"),
    "deploy": ("deploy", "deploys", "deployment", "deployments", "release", "releases", "staging", "production"),
    "docs": ("docs", "documentation", "readme", "docstring", "docstrings", "changelog"),
    "comment": ("comment", "comments"),
    "naming": ("name", "names", "naming", "prefix", "suffix"),
    "migration": ("migration", "migrations"),
    "answer": (
        "answer",
        "answers",
        "reply",
        "replies",
        "response",
        "responses",
        "explain",
        "explanations",
        "summarize",
        "summaries",
        "concise",
    ),  # fmt: skip
    "types": ("type hints", "annotations", "types", "typing"),
    "branch": ("branch", "branches", "push", "merge", "force-push"),
    "database": ("database", "databases", "db"),
    "dependency": ("dependency", "dependencies", "lockfile", "packages"),
}
_WORD = re.compile(r"[a-z0-9_+#][a-z0-9_+#.@/-]*")


def named(text: str) -> tuple[str, ...]:
    """Known tools that lower-case `text` names, in order, each once."""
    found: list[str] = []
    for word in _WORD.findall(text):
        bare = word.rstrip(".-/")
        if bare in JOB_OF and bare not in found:
            found.append(bare)
    return tuple(found)


def workshop(text: str) -> tuple[str, ...]:
    """The tools of `text` that people work with, rather than build the product from."""
    return tuple(tool for tool in named(text) if JOB_OF[tool] in _WORKSHOP)
