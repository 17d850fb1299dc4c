"""Each rule: what it finds, what it leaves, and that its pattern cannot be slow."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from lib.memory import secrets
from lib.memory.secrets.rules import RULES
from lib.memory.secrets.shapes import Rule
from tests.memory.secrets_samples import encoded, from_pattern, made, parsed

BY_NAME = {rule.name: rule for rule in RULES}

# The shapes as their vendors publish them, written down apart from the rules: {A36} is 36 letters and digits.
SHAPES = {
    "github-personal-token": "ghp_{A36}",
    "github-oauth-token": "gho_{A36}",
    "github-user-token": "ghu_{A36}",
    "github-server-token": "ghs_{A36}",
    "github-refresh-token": "ghr_{A76}",
    "github-fine-grained-token": "github_pat_{A22}_{A59}",
    "gitlab-personal-token": "glpat-{W20}",
    "gitlab-deploy-token": "gldt-{W20}",
    "gitlab-runner-token": "glrt-{W20}",
    "gitlab-job-token": "glcbt-{h2}_{W20}",
    "gitlab-trigger-token": "glptt-{h40}",
    "bitbucket-app-password": "ATBB{A32}",
    "azure-devops-token": "{A76}AZDO{A4}",
    "npm-token": "npm_{A36}",
    "pypi-token": "pypi-AgEIcHlwaS5vcmc{W120}",
    "rubygems-key": "rubygems_{h48}",
    "nuget-key": "oy2{l43}",
    "docker-hub-personal-token": "dckr_pat_{W27}",
    "crates-io-token": "cio{A32}",
    "clojars-token": "CLOJARS_{h60}",
    "circleci-personal-token": "CCIPAT_{A22}_{h40}",
    "sonarqube-user-token": "squ_{h40}",
    "postman-key": "PMAK-{h24}-{h34}",
    "vault-service-token": "hvs.{W90}",
    "terraform-cloud-token": "{A14}.atlasv1.{W67}",
    "doppler-personal-token": "dp.pt.{A43}",
    "doppler-service-token": "dp.st.prd.{A43}",
    "pulumi-token": "pul-{h40}",
    "1password-service-token": "ops_eyJ{B300}",
    "1password-secret-key": "A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}",
    "anthropic-api-key": "sk-ant-api03-{W93}AA",
    "anthropic-admin-key": "sk-ant-admin01-{W93}AA",
    "anthropic-oauth-token": "sk-ant-oat01-{W93}AA",
    "openai-project-key": "sk-proj-{W74}T3BlbkFJ{W74}",
    "openai-service-key": "sk-svcacct-{W74}T3BlbkFJ{W74}",
    "openai-key": "sk-{A20}T3BlbkFJ{A20}",
    "openrouter-key": "sk-or-v1-{h64}",
    "langfuse-secret-key": "sk-lf-{u}",
    "huggingface-token": "hf_{c34}",
    "replicate-token": "r8_{A37}",
    "groq-key": "gsk_{A52}",
    "perplexity-key": "pplx-{A48}",
    "xai-key": "xai-{A80}",
    "langsmith-personal-key": "lsv2_pt_{h32}_{h10}",
    "nvidia-key": "nvapi-{W64}",
    "aws-access-key-id": "AKIA{U16}",
    "aws-temporary-key-id": "ASIA{U16}",
    "google-api-key": "AIza{W35}",
    "google-oauth-secret": "GOCSPX-{W28}",
    "google-oauth-token": "ya29.{W120}",
    "google-refresh-token": "1//0{W60}",
    "firebase-messaging-key": "{W11}:APA91b{W134}",
    "azure-storage-key": "AccountKey={B86}==",
    "azure-client-secret": "{A3}8Q~{W34}",
    "digitalocean-personal-token": "dop_v1_{h64}",
    "cloudflare-origin-ca-key": "v1.0-{h24}-{h146}",
    "netlify-personal-token": "nfp_{A36}",
    "heroku-key": "HRKU-AA{W58}",
    "tailscale-auth-key": "tskey-auth-{A17}-{A32}",
    "supabase-personal-token": "sbp_{h40}",
    "planetscale-token": "pscale_tkn_{A43}",
    "databricks-token": "dapi{h32}",
    "slack-bot-token": "xoxb-{d12}-{d13}-{A24}",
    "slack-user-token": "xoxp-{d12}-{d12}-{d13}-{h32}",
    "slack-app-token": "xapp-1-A{U10}-{d13}-{h64}",
    "slack-webhook": "hooks.slack.com/services/T{U10}/B{U10}/{A24}",
    "discord-bot-token": "MTk4{A22}.G{A5}.{W38}",
    "discord-webhook": "/api/webhooks/{d18}/{W68}",
    "telegram-bot-token": "{d10}:AA{W33}",
    "twilio-api-key": "SK{h32}",
    "sendgrid-key": "SG.{W22}.{W43}",
    "mailgun-key": "key-{h32}",
    "mailchimp-key": "{h32}-us12",
    "brevo-key": "xkeysib-{h64}-{A16}",
    "hubspot-token": "pat-na1-{u}",
    "stripe-live-key": "sk_live_{A24}",
    "stripe-test-key": "sk_test_{A24}",
    "stripe-restricted-key": "rk_live_{A99}",
    "stripe-webhook-secret": "whsec_{A32}",
    "square-token": "sq0atp-{W22}",
    "square-secret": "sq0csp-{W43}",
    "braintree-token": "access_token$production${l16}${h32}",
    "shopify-access-token": "shpat_{h32}",
    "plaid-token": "access-production-{u}",
    "atlassian-token": "ATATT3xFfGF0{W180}",
    "linear-key": "lin_api_{A40}",
    "notion-token": "ntn_{A46}",
    "notion-old-token": "secret_{A43}",
    "figma-token": "figd_{W40}",
    "airtable-token": "pat{A14}.{h64}",
    "asana-token": "1/{d16}:{h32}",
    "contentful-token": "CFPAT-{W43}",
    "facebook-token": "EAAC{A120}",
    "mapbox-secret-token": "sk.eyJ{A80}.{A22}",
    "newrelic-user-key": "NRAK-{U27}",
    "newrelic-license-key": "{h36}NRAL",
    "grafana-service-token": "glsa_{A32}_{h8}",
    "sentry-user-token": "sntryu_{h64}",
    "dynatrace-token": "dt0c01.{U24}.{U64}",
    "posthog-personal-key": "phx_{A43}",
    "launchdarkly-sdk-key": "sdk-{u}",
    "age-secret-key": "AGE-SECRET-KEY-1{U58}",
}
# Rules whose match is judged by more than its characters: what they read, the secret in braces-free ⟦brackets⟧.
READ = {
    "jwt": ["⟦" + encoded('{"alg":"HS256"}') + "." + encoded('{"sub":"12345","a":1}') + ".{W43}⟧"],
    "basic-auth": [f"Basic ⟦{encoded('ada:h0pper')}⟧", f'curl -H "Authorization: Basic ⟦{encoded("x:y1z2")}⟧"'],
    "docker-config-auth": [f'{{"auths": {{"r.io": {{"auth": "⟦{encoded("ada:h0pper")}⟧"}}}}}}'],
    "curl-user": ["curl -u ⟦ada:h0pper9⟧ https://r.io", "http --user=⟦ada:h0pper9⟧ r.io"],
    "password": [
        "password = ⟦hunter2⟧", "export DB_PASSWORD=⟦swordfish⟧", 'DB_PASS="⟦correct-horse⟧"', "passwd: ⟦h0pp3r!⟧",
        "let password: &str = \"⟦s3same99⟧\";", '{"password": "⟦mellon42⟧"}', '{\\"password\\": \\"⟦mellon42⟧\\"}',
        "<password>⟦mellon42⟧</password>", "пароль: ⟦mellon42⟧", "密码：⟦mellon42⟧", "パスワード：⟦mellon42⟧",
        "contraseña = '⟦mellon42⟧'",
        "pwd := `⟦mellon42⟧`", "Password=⟦m€llon42⟧;Server=x",
    ],
    "secret": ["client_secret = '⟦{A24}⟧'", "TOKEN: ⟦{h40}⟧", "auth_token => \"⟦{A20}⟧\"", "credentials: ⟦{A20}⟧"],
    "secret-key": ['"api_key": "⟦{A24}⟧"', "x-api-key: ⟦{A32}⟧", "ACCESS_KEY=⟦{A20}⟧", "signing key: ⟦{A20}⟧",
                   'apiKey: "⟦{u}⟧"'],
    "password-said": ["the password is ⟦hunter2⟧, keep it", "our token for staging is ⟦{A20}⟧"],
    "password-flag": ["login --password ⟦hunter22⟧", "x --api-key=⟦{A20}⟧"],
    "netrc-password": ["machine r.io login ada password ⟦h0pper⟧"],
    "sshpass-password": ["sshpass -p '⟦h0pper⟧' ssh x"],
    "mysql-password": ["mysql -u root -p⟦h0pper⟧ shop"],
    "redis-password": ["redis-cli -h db -a ⟦h0pper⟧"],
    "url-password": ["postgres://ada:⟦h0pper⟧@db/x", "https://:⟦h0pper⟧@r.io", "redis://ada:⟦p@ss1⟧@db", "x://u:⟦pass⟧@db"],
    "url-token": ["https://⟦{A24}⟧@r.io/x.git", "https://⟦{A24}⟧:x-oauth-basic@r.io/x.git"],
    "google-service-account": ['"private_key_id": "⟦{h40}⟧"'],
    "putty-private-key": ["⟦Private-Lines: 1\n{B64}⟧\nx"],
    "kubeconfig-key": ["⟦client-key-data: {B200}⟧"],
    "otp-secret": ["otpauth://totp/a:b?secret=⟦JBSWY3DPEHPK3PXQ⟧"],
    "npm-auth": ["_auth = ⟦{A24}⟧"],
    "aws-secret-key": ['"SecretAccessKey": "⟦{A40}⟧"'],
    "authorization-token": ["Authorization: token ⟦{h40}⟧"],
    "infisical-token": ["⟦st.{h24}.{h32}.{h32}⟧"],
    "ethereum-private-key": ["private_key = ⟦0x{h64}⟧"],
    "discord-bot-token": ["⟦OTk4{A22}.X{A5}.{W27}⟧"],
}  # fmt: skip
BLOCKS = [rule.name for rule in RULES if rule.literals[0].startswith("-----BEGIN")]


def samples(rule: Rule) -> Iterator[tuple[str, str]]:
    """Texts and the secret in each."""
    for template in READ.get(rule.name, []):
        text = made(template)
        before, secret, after = re.split("[⟦⟧]", text)
        yield before + secret + after, secret
    if rule.name in SHAPES:
        secret = made(SHAPES[rule.name])
        yield f"see {secret}, please", secret
    if rule.name in BLOCKS:
        head = f"{rule.literals[0]}-----" if "PGP" not in rule.literals[0] else f"{rule.literals[0]} BLOCK-----"
        secret = made(f"{head}\n{{B64}}\n{{B64}}\n{{A20}}\n{head.replace('BEGIN', 'END')}")
        yield f"key:\n{secret}\nend", secret
        yield f'"{secret}"'.replace("\n", "\\n"), secret.replace("\n", "\\n")
    if rule.name not in READ and rule.name not in SHAPES and rule.name not in BLOCKS:
        for seed in range(3):
            text = from_pattern(rule, seed)
            value = re.match(rule.pattern, text if rule.before is None else "")
            secret = value[1] if rule.valued and value else text
            yield f"see {text.removesuffix(' ')} there", secret


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_rule_finds_its_secret_and_marks_just_that(rule: Rule) -> None:
    read = list(samples(rule))
    assert read
    for text, secret in read:
        findings = secrets.scan(text)
        assert [text[finding.start : finding.end] for finding in findings] == [secret], (rule.name, findings)


@pytest.mark.parametrize(
    "name", [*SHAPES, *BLOCKS, "jwt", "password", "secret", "secret-key", "url-password", "basic-auth"]
)
def test_a_secret_is_named_after_its_own_rule(name: str) -> None:
    text, _ = next(samples(BY_NAME[name]))
    assert [finding.rule for finding in secrets.scan(text)] == [name]


@pytest.mark.parametrize("name", SHAPES)
def test_a_secret_that_is_cut_or_masked_or_part_of_a_word_is_none(name: str) -> None:
    template, rule = SHAPES[name], BY_NAME[name]
    whole = made(template)
    literal = next(literal for literal in rule.literals if literal in whole)
    cut = whole[: whole.index(literal) + len(literal) + 5] if rule.before is None else whole[-len(literal) - 9 :]
    masked = made(re.sub(r"\{.(\d+)\}", lambda match: "x" * int(match[1]), template).replace("{u}", "x" * 36))
    glued = f"a{whole}" if whole[0].isalnum() else whole
    for text in (literal, cut, masked, f"see {literal} tokens", f"the {literal.strip('-_')} prefix of a token"):
        assert secrets.scan(text) == [], text
    if rule.alone and glued != whole and template.startswith(literal):
        assert name not in [finding.rule for finding in secrets.scan(glued)]


def test_there_are_many_rules_and_each_name_is_one_plain_word() -> None:
    assert len(RULES) >= 80
    assert len(BY_NAME) == len(RULES)
    assert [name for name in BY_NAME if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name)] == []
    assert set(SHAPES) | set(READ) <= set(BY_NAME)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_pattern_begins_with_a_literal_of_its_rule(rule: Rule) -> None:
    beginnings = list(leading(parsed(rule.pattern)))
    assert beginnings
    for beginning in beginnings:
        assert any(beginning.startswith(lit) or lit.startswith(beginning) for lit in rule.literals), beginning
        assert len(beginning) > 1
    assert all(len(lit) > 1 and (not rule.fold or lit == lit.lower()) for lit in rule.literals)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_pattern_repeats_with_bounds_and_never_within_a_wide_repeat(rule: Rule) -> None:
    assert list(faults(parsed(rule.pattern), 1)) == []


@pytest.mark.parametrize(
    "pattern", ["ab[c]+", "ab(?:c{0,9}){0,99}", "ab(?=c)", "ab(?<!c)d", r"(ab)\1", "ab.{0,2000}", "ab(?:c|d*)"]
)
def test_the_check_of_patterns_says_no(pattern: str) -> None:
    assert list(faults(parsed(pattern), 1))


def leading(parts: list[tuple[object, object]]) -> Iterator[str]:
    """The literal texts a pattern may begin with."""
    if not parts:
        yield ""
        return
    (operation, argument), rest = parts[0], parts[1:]
    match str(operation), argument:
        case "LITERAL", int(code):
            yield from (chr(code) + tail for tail in leading(rest))
        case "IN", list(kinds) if len(kinds) <= 4 and all(str(kind) == "LITERAL" for kind, _ in kinds):
            yield from (chr(code) + tail for _, code in kinds for tail in leading(rest))
        case "BRANCH", (_, list(branches)):
            for branch in branches:
                yield from leading([*branch, *rest])
        case "SUBPATTERN", (*_, list(body)):
            yield from leading([*body, *rest])
        case _:
            yield ""


def faults(parts: list[tuple[object, object]], times: int) -> Iterator[str]:
    """Whatever could make a pattern slow on hostile text, or unknown to a linear engine."""
    for operation, argument in parts:
        match str(operation), argument:
            case "LITERAL" | "NOT_LITERAL" | "IN" | "AT" | "ANY", _:
                pass
            case "MAX_REPEAT", (int(least), int(most), list(body)):
                if most > 255:
                    yield f"repeats up to {most}"
                if most > least and times * most > 320 and times > 1:
                    yield f"{times} times up to {most} times"
                yield from faults(body, times * most if most > least else times)
            case "SUBPATTERN", (*_, list(body)):
                yield from faults(body, times)
            case "BRANCH", (_, list(branches)):
                for branch in branches:
                    yield from faults(list(branch), times)
            case name, _:
                yield f"uses {name}"
