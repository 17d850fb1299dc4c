"""The words that tell a lasting statement from an order for the task at hand."""

from __future__ import annotations

import re

# Systems outside the repository that facts may live in.
EXTERNAL = (
    r"(?:linear|jira|notion|confluence|grafana|datadog|sentry|slack|trello|asana|figma|pagerduty|kibana|looker"
    r"|airtable|google (?:docs?|drive|sheets?)"
    r"|miro|clickup|youtrack|bugzilla|redmine|discord|microsoft teams|ms teams|sharepoint|metabase|tableau|splunk"
    r"|new ?relic|honeycomb|cloudwatch"
    r"|github (?:issues|projects?|discussions?|wiki)|gitlab (?:issues|boards?|wiki)|azure devops|basecamp|monday\.com"
    r"|opsgenie|statuspage|prometheus"
    r"|1password|vault|zendesk|intercom|shortcut|posthog|amplitude|mixpanel|bitbucket|zeplin|launchdarkly|jenkins"
    r"|buildkite|circleci|argocd)"
)
# Verbs of the assistant's own work: a rule about them is hardly ever about what the product does.
HABITS = frozenset(
    "use run write commit push add create name start begin end include ask test format lint prefix suffix import "
    "prefer mock edit modify touch explain "
    "answer respond reply speak talk squash rebase merge deploy install summarize document comment follow branch "
    "sign tag bump pin annotate decorate "
    "amend force-push hardcode hard-code stub suppress assume guess avoid work propose suggest commit put leave read "
    "search apologize apologise skip "
    "generate type refactor rename implement credit mention introduce co-author cc require go stage stick plan "
    "review do "
    "translate over-engineer overengineer inline duplicate copy reformat write".split()
)
# Verbs that order product behaviour as often as a habit: only with a standing scope.
UNCERTAIN = frozenset(
    "show return validate check display log throw close open call print update delete remove verify make keep put "
    "give tell do handle wrap "
    "get set send store save raise catch escape sanitize render hide export load let have be cache encode treat "
    "ensure confirm pass "
    "swallow sort default declare define pull fetch expose point rely build bypass disable enable ignore change "
    "let leave order split".split()
)
TASK_VERBS = (
    "add fix implement create write update refactor change run make check look build remove delete move rename show "
    "explain find commit push "
    "test investigate try debug continue go proceed do start finish apply generate read open give tell list merge "
    "rebase revert undo restore "
    "install upgrade bump deploy convert extract replace clean set configure setup figure help compare analyze "
    "analyse summarize describe "
    "document verify ensure debug adjust tweak improve optimize optimise simplify split combine wire hook integrate "
    "migrate port draft propose plan "
    "search use put keep rewrite redo resolve handle support expose print log return render display hide enable "
    "disable wrap let's lets "
    "review address inspect scan download upload fetch copy paste format lint compile render publish release tag "
    "squash drop skip stop kill restart"
).split()
_TASK_START = re.compile(
    r"^(?:" + "|".join(sorted(set(TASK_VERBS), key=len, reverse=True)) + r")\b"
    r"|^(?:can|could|would|will) (?:you|we)\b|^i(?:'d| would)? (?:want|need|like)\b|^we (?:need|want|should|have to"
    r"|must)\b|^you (?:need|should|must|have) "
    r"|^(?:it|this|that|the|these|those|there) (?:[\w-]{1,20} ){0,3}(?:should|must|needs?|has|have|is|are|doesn't"
    r"|does|isn't)\b"
)
SCOPE = re.compile(
    r"\bfrom now on\b|\bgoing forward\b|\bmoving forward\b|\bfrom here on\b|\bfrom this point on\b|\bhenceforth\b"
    r"|\bin (?:the )?future\b|\bfor (?:the )?future\b|\bfor next time\b"
    r"|\bin (?:this|our|my|every|each|all|any) (?:\w+ )?(?:repo|repository|repos|repositories|projects?|codebases?"
    r"|code base|monorepo|workspace|team|company|org(?:anization)?|sessions?|conversations?|chats?)\b"
    r"|\bfor (?:this|our|my|all|every|any) (?:my |our )?(?:\w+ )?(?:repo|repository|repos|projects?|codebase|team)\b"
    r"|\bevery ?time\b|\beach time\b|\bwhenever (?:you|we|i)\b"
    r"|\b(?:before|after|with|on|for|of|in|to) (?:every|each|any) (?:commit|push|change|merge|pr|pull request|release"
    r"|deploy|edit|task|session|feature|fix|reply|response|answer|message)\b"
    r"|\b(?:before|after) (?:you )?(?:commit|push|merg|deploy|releas|open|edit)(?:ting|ing|e|es)?\b"
    r"|\bwhen(?:ever)? (?:you(?:'re| are)? )?(?:writ|creat|nam|commit|add|answer|explain|review|edit|refactor|generat"
    r"|work|cod|respond|open|merg|push|touch|chang|mak|test|finish)\w*\b"
    r"|\bas a (?:general )?rule\b|\bin general\b|\beverywhere\b|\bacross (?:the|all|our) (?:repo|codebase|projects?"
    r"|code)\b|\ball (?:of )?(?:your|my|our)\b|\bour (?:team )?(?:convention|policy|standard|rule|style guide)\b"
)
HERE = re.compile(r"\bhere\b(?=\s*(?:$|[,.;:!)—-]|because|since|and|as|for|in))")
ASSISTANT = re.compile(
    r"\b(?:your|you) (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?|summar(?:y|ies)|output"
    r"|comments?|commits?|code|changes)\b"
    r"|\bco-?author(?:ed)?(?:-by)?\b|\bcommit messages?\b|\bemojis?\b|\bdocstrings?\b|\btype hints?\b"
    r"|\bpull requests?\b|\bcode comments?\b|\bem[- ]dash(?:es)?\b"
    r"|\b(?:answers?|repl(?:y|ies)|responses?|explanations?|summaries) (?:short|brief|concise|terse|to the point)\b"
    r"|\b(?:short|brief|concise|terse) (?:answers?|repl(?:y|ies)|responses?|explanations?|summaries)\b"
    r"|\bapologi[sz]\w+\b|\bmarkdown (?:files?|docs?|summar\w+)\b|\bsummary files?\b|\bforce[- ]push\w*\b"
    r"|\bbefore committing\b|\b(?:small|atomic|tiny|separate) (?:commits|prs)\b|\byou're absolutely right\b"
    r"|\battributions?\b"
)
# Ways to write and to work that people have lasting tastes about.
STYLE = re.compile(
    r"\b(?:tabs|spaces|semicolons|squash(?: merges)?|rebas\w+|merge commits|(?:small|atomic|short|frequent"
    r"|tiny) (?:commits|prs|functions|answers|replies|steps)|short|concise|terse|brief|detailed|verbose|functional"
    r"|explicit|composition|inheritance"
    r"|early returns?|guard clauses|nested \w+|named exports|default exports|class components|functional components"
    r"|arrow functions|type hints|types|interfaces|enums|async|await|callbacks|tdd|test[- ]first|mocks|mocking|stubs"
    r"|real databases?"
    r"|snake_case|camelcase|kebab-case|comments|docstrings|emojis|abbreviations|globals|singletons|magic (?:numbers"
    r"|strings)|boilerplate|long (?:functions|files|methods|answers|explanations)|one-liners|ternar\w+|decorators"
    r"|dataclasses|namedtuples|f-strings"
    r"|list comprehensions|for loops|immutab\w+|pure functions|plain \w+|vanilla \w+|stdlib|standard library"
    r"|dependencies|frameworks|orms?|raw sql|monorepos?|trunk[- ]based|feature branches|pair programming"
    r"|bullet points|code comments|examples|diagrams"
    r"|american english|british english|metric|iso dates|24[- ]hour|single quotes|double quotes|trailing commas"
    r"|over-?engineering|premature \w+|vim|dark mode)\b"
)

# One thing of this task, not a kind of thing.
THIS_ONE = re.compile(
    r"\b(?:this|that(?! (?:\w+ )?(?:explain|just|only|say|describe|repeat|restate|are|is|don't|do|state"
    r"|narrate)\w*\b)|these|those|its|it|them|yet|again|too|anything|everything|something|lines?)\b|\bthe (?!code\b"
    r"|end\b|obvious\b|database\b|db\b|tests?\b)\w"
)
# Who acts when the product is what a sentence is about.
PRODUCT_ACTOR = re.compile(
    r"\b(?:the|an?) (?:users?|page|button|app|api|endpoint|client|server|ui|caller|request|response|row|table|list"
    r"|modal|form|header)\b"
)


def scoped(low: str) -> bool:
    """True when a lower-case sentence says that it holds beyond this task."""
    return bool(SCOPE.search(low))


def without_scope(low: str) -> str:
    """A lower-case sentence without the words that say how far it holds."""
    return " ".join(SCOPE.sub(" ", low).split())


def is_order(text: str) -> bool:
    """True when a normalised sentence orders or describes work of this task."""
    return bool(_TASK_START.match(text))
