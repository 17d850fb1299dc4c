"""Secrets are found whole, broken, hidden and encoded; what only looks like one is left; the value is never shown."""

from __future__ import annotations

import base64
import hashlib
import random
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import secrets
from lib.memory.secrets import matches as secret_matches
from lib.memory.secrets.rules import RULES
from tests.memory.secrets_samples import encoded, from_pattern, made

GITHUB, ANTHROPIC, AWS, STRIPE = (
    made("ghp_{A36}"),
    made("sk-ant-api03-{W93}AA"),
    made("AKIA{U16}"),
    made("sk_live_{A24}"),
)
TOKENS = [GITHUB, ANTHROPIC, AWS, STRIPE, made("xoxb-{d12}-{d12}-{A24}"), made("glpat-{W20}")]
ids = [token[:6] for token in TOKENS]


def marked(text: str) -> str:
    """`text` with each finding's place in brackets."""
    for finding in reversed(secrets.scan(text)):
        text = text[: finding.start] + "[" + text[finding.start : finding.end] + "]" + text[finding.end :]
    return text


# --- the value is never shown ---------------------------------------------------------------------------------------


def test_a_finding_shows_its_rule_and_place_and_nothing_of_the_value() -> None:
    (finding,) = secrets.scan(f"one\ntwo {GITHUB}\n")
    assert (finding.rule, finding.start, finding.end, finding.line) == ("github-personal-token", 8, 48, 2)
    assert repr(finding) == str(finding) == "Finding(rule='github-personal-token', start=8, end=48, line=2)"
    assert not hasattr(finding, "__dict__")


def test_findings_compare_by_rule_and_place() -> None:
    assert secrets.scan(f"x {GITHUB}") == secrets.scan(f"x {GITHUB}")
    assert len({*secrets.scan(f"x {GITHUB}"), *secrets.scan(f"x {GITHUB}"), *secrets.scan(f"xy {GITHUB}")}) == 2
    assert secrets.scan(GITHUB)[0] != "github-personal-token"


def test_redacting_names_the_rule_and_leaves_every_other_byte() -> None:
    text = f"a {GITHUB}, b\r\n\tc {AWS}!\n"
    assert secrets.redact(text) == "a [secret: github-personal-token], b\r\n\tc [secret: aws-access-key-id]!\n"
    assert secrets.redact("nothing here\u200b\r\n") == "nothing here\u200b\r\n"
    assert secrets.redact("") == "" and secrets.scan("") == []


@pytest.mark.parametrize("token", TOKENS, ids=ids)
def test_what_was_redacted_holds_nothing_to_find(token: str) -> None:
    for text in (token, f"x={token};", f"({token})", f"`{token}`", f"[a]({token})", f"https://r.io/?t={token}&u=1"):
        clean = secrets.redact(text)
        assert token not in clean and secrets.scan(clean) == []
        assert secrets.redact(clean) == clean


def test_lines_are_counted_from_one_and_findings_come_in_order() -> None:
    text = "\n".join(f"line {token}" for token in TOKENS)
    findings = secrets.scan(text)
    assert [finding.line for finding in findings] == [1, 2, 3, 4, 5, 6]
    assert all(one.end <= two.start for one, two in zip(findings, findings[1:], strict=False))


def test_two_tokens_side_by_side_are_two_findings() -> None:
    assert marked(f'["{GITHUB}", "{STRIPE}"]') == f'["[{GITHUB}]", "[{STRIPE}]"]'
    assert marked(f"{GITHUB}\n{GITHUB}\n") == f"[{GITHUB}]\n[{GITHUB}]\n"


def test_marks_that_would_allow_a_secret_change_nothing() -> None:
    for mark in (
        "# gitleaks:allow",
        "# pragma: allowlist secret",
        "// nosec",
        "# noqa",
        "<!-- secret-scan: ignore -->",
    ):
        assert marked(f"{mark}\n{GITHUB} {mark}\n{mark}") == f"{mark}\n[{GITHUB}] {mark}\n{mark}"


# --- broken, hidden, encoded ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", TOKENS, ids=ids)
@pytest.mark.parametrize("where", [3, 12, -6])
@pytest.mark.parametrize(
    "joint",
    ["\n", "\r\n", "\n    ", "\\\n", "  \n> ", '" + "', "' +\n  '", '" "', '"\n    "', '" \\\n "', "' . '", '", "',
     '" + f"', "\x1b[0m\x1b[31m"],
)  # fmt: skip
def test_a_token_in_two_pieces_is_found_from_its_first_to_its_last_character(
    token: str, where: int, joint: str
) -> None:
    broken = token[:where] + joint + token[where:]
    quote = joint[0] if joint[0] in "\"'" else " "
    text = f"key {quote}{broken}{quote} and so on"
    (finding,) = secrets.scan(text)
    assert text[finding.start : finding.end] == broken


def test_a_token_in_three_pieces_is_found() -> None:
    broken = f"{ANTHROPIC[:30]}\n  {ANTHROPIC[30:70]}\n  {ANTHROPIC[70:]}"
    assert (
        secrets.redact(f"key: {broken}\nThen words follow.\n")
        == "key: [secret: anthropic-api-key]\nThen words follow.\n"
    )


def test_the_words_after_a_token_at_the_end_of_a_line_are_not_part_of_it() -> None:
    assert marked(f"a {GITHUB}\nNext line\n") == f"a [{GITHUB}]\nNext line\n"
    assert marked(f"a\n{GITHUB[:20]}\n{GITHUB[20:]}\nNext\n") == f"a\n[{GITHUB[:20]}\n{GITHUB[20:]}]\nNext\n"


@pytest.mark.parametrize(
    "unseen", ["\u200b", "\u200d", "\ufeff", "\u00ad", "\u2060", "\u202e", "\U000e0041", "\ufe0f", "\u034f", "\0"]
)
@pytest.mark.parametrize("token", TOKENS, ids=ids)
def test_invisible_characters_hide_nothing_and_the_place_is_that_of_the_original(token: str, unseen: str) -> None:
    hidden = unseen.join(token)
    text = f"é{unseen} see {hidden}{unseen} ok"
    (finding,) = secrets.scan(text)
    assert text[finding.start : finding.end] == hidden


def test_other_forms_of_the_same_letters_hide_nothing() -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) for char in GITHUB)
    bold = "".join(chr(0x1D41A + ord(char) - 97) if char.islower() else char for char in GITHUB)
    assert marked(f"鍵は{wide}です") == f"鍵は[{wide}]です"
    assert marked(f"ﷺ ﬁ {bold} ok") == f"ﷺ ﬁ [{bold}] ok"


@pytest.mark.parametrize("token", TOKENS, ids=ids)
def test_one_layer_of_base64_hides_nothing(token: str) -> None:
    plain = encoded(f"user: me\ntoken: {token}\n")
    safe = base64.urlsafe_b64encode(f"??>>{token}".encode()).decode()
    wrapped = base64.encodebytes(f"{'some words ' * 9}{token} and more".encode()).decode().strip()
    utf16 = base64.b64encode(f"echo {token}".encode("utf-16-le")).decode()
    for run in (plain, safe, wrapped, utf16, encoded(token).rstrip("=")):
        text = f"data: {run} end"
        (finding,) = secrets.scan(text)
        assert text[finding.start : finding.end] == run


def test_an_assignment_under_base64_is_found_and_a_second_layer_is_not_looked_into() -> None:
    inner = encoded("DB_PASSWORD=h0pper99\nDB_USER=ada\n")
    assert marked(f"env: {inner}") == f"env: [{inner}]"
    assert secrets.scan(f"env: {encoded(encoded(GITHUB))}") == []


def test_a_value_glued_from_pieces_is_found() -> None:
    assert marked('password = "hop" + "per99x"') == 'password = "[hop" + "per99x]"'
    assert secrets.scan('{"token": "access", "kind9": "b"}') == []


def test_a_key_block_is_one_finding_also_in_json_and_also_cut_off() -> None:
    head = "-----BEGIN RSA " + "PRIVATE KEY-----"
    body = made("{B64}\n{B64}\n{B40}")
    whole = f"{head}\n{body}\n{head.replace('BEGIN', 'END')}"
    assert secrets.redact(f"a\n{whole}\nb") == "a\n[secret: rsa-private-key]\nb"
    assert secrets.redact(f'{{"k": "{whole}"}}'.replace("\n", "\\n")) == '{"k": "[secret: rsa-private-key]"}'
    assert (
        secrets.redact(f"a\n{head}\n{body}\n\nprose goes on here")
        == "a\n[secret: rsa-private-key]\n\nprose goes on here"
    )
    assert secrets.scan(f"Files that begin with {head} are keys, never commit them.") == []
    assert secrets.scan(f"{head}\n...\n{head.replace('BEGIN', 'END')}") == []


def test_a_token_longer_than_any_bound_is_found_to_its_end() -> None:
    for token in (made("github_pat_{A900}"), made("ya29.{W900}"), made("eyJ{A600}.eyJ{A1200}.{W400}")):
        assert marked(f"see {token} ok") == f"see [{token}] ok"


# --- what is no secret ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it; see 89e6c98d92887913cadf06b2adb97f26cde4849b",
        f"sha256:{hashlib.sha256(b'a').hexdigest()} token",
        f"request {uuid.UUID(int=7**40)} and session_id: {uuid.UUID(int=7**41)}",
        '"integrity": "sha512-' + encoded("x" * 64) + '"',
        '"integrity": "sha1-' + base64.b64encode(hashlib.sha1(b"a").digest()).decode() + '"',
        'checksum = "' + hashlib.sha256(b"b").hexdigest() + '"',
        '"js-tokens": "^4.0.0", "token-types": "npm:5.0.1"',
        "yarn: token-stream@~1.2.3, password-prompt@1.1.2",
        "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7" + "EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY",
        "STRIPE_KEY=sk_test_" + "x" * 24,
        "STRIPE_KEY=sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc",
        "ghp_" + "x" * 36 + " or ghp_" + "*" * 36 + " or ghp_<your token>",
        "ANTHROPIC_API_KEY=sk-ant-your-key-goes-here-please-replace-me",
        "export API_KEY=$OTHER_KEY PASSWORD=${DB_PASSWORD} TOKEN=$(cat token) PWD=%PASSWORD% SECRET={{ secret }}",
        'password = os.environ["DB_PASSWORD"]; token = get_token(user2); secret = self.secret_2',
        "password=password TOKEN=changeme POSTGRES_PASSWORD=postgres secret: <redacted> pwd=********",
        "const apiKey = process.env.API_KEY2; const token = response.data.token1;",
        "def login(password: str, token: Optional[str] = None, secret: SecretStr) -> None: ...",
        "max_tokens: 4096, token_count=128000, next_page_token: CAUQAA1x9, pad_token = eos_token",
        "password_file: /run/secrets/db_password1 token_url: https://r.io/oauth2/token password_min_length: 12",
        "The password is required. The token is base64 encoded. The secret is stored in vault2.",
        "Passwords: at least 12 characters; the api key: see 1Password; token: JWT (RS256)",
        "Rotate keys every 90 days. Basic authentication is off; use Bearer tokens. Basic auth: none",
        "https://user:password@localhost:5432/x https://user:pass@example.com postgres://postgres:postgres@127.0.0.1/x",
        "postgres://user:${PASS}@db redis://:<password>@db mongodb://{user}:{pw}@host x://u:****@h",
        "http://localhost:3000/@scope/pkg ssh://git@github.com:22/a.git mailto:a@b.c http://h:80?mail=a@b.c",
        "git@github.com:org/repo.git user@host:path/to/file1",
        '<input type="password" name="password" placeholder="Password1" autocomplete="current-password">',
        "data:image/png;base64," + base64.b64encode(random.Random(1).randbytes(3000)).decode(),
        "src='data:font/woff2;base64," + base64.b64encode(bytes(range(256)) * 8).decode() + "'",
        "skip-links sk-learn task-based-authentication-flow-for-new-users-2024 risk-management-and-so-on-1234567",
        "hf_transfer hf_hub_download npm_config_registry npm_package_version pat_token glpat-tokens xoxb- prefix",
        "BEGIN PRIVATE KEY and END PRIVATE KEY; ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "a" * 43 + " ada@host",
        "docker run -u 1000:1000 -p 8080:80 img; rsync -u host:dir/file1 .; chown -R user1:group1 x",
        "cache_key = 'user:12345:profile9'; primary key: id9; partition_key: tenant1234; keyboard: qwerty123",
        "for key, value in items: tokens[key] = value1; secrets.token_hex(32); key=lambda x9: x9",
        "Use `git log --format=%H -n1`, `--token-file x9`, `--password-stdin`, `--api-version 2024-10-01`",
        "密码必须包含数字。 パスワードは必須です。 пароль обязателен. La contraseña es obligatoria.",
    ],
)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert marked(text) == text


# --- whatever comes -------------------------------------------------------------------------------------------------

SCRAPS = [
    *(literal for rule in RULES for literal in rule.literals), *"\"'`\n\r\t\\+,.:/@=-_ \x1b\u200b\u00ad", "://", "AA==",
    "password", "é", "ｇ", "\ud800", "\U0001d41a", "a" * 40, "A1b2C3d4E5", "-----END", "\x1b[31m",
]  # fmt: skip


@given(st.lists(st.sampled_from(SCRAPS), max_size=40).map("".join) | st.text(max_size=200))
def test_any_text_is_scanned_and_findings_lie_in_order_inside_it(text: str) -> None:
    findings = secrets.scan(text)
    end = 0
    for finding in findings:
        assert end <= finding.start < finding.end <= len(text)
        assert finding.line == text.count("\n", 0, finding.start) + 1
        end = finding.end
    clean = secrets.redact(text)
    assert clean.count("[secret: ") == text.count("[secret: ") + len(findings)


@given(st.text(max_size=60), st.sampled_from(TOKENS), st.text(max_size=60))
def test_a_token_between_any_two_texts_does_not_survive_redaction(before: str, token: str, after: str) -> None:
    assert token not in secrets.redact(f"{before} {token} {after}")


def test_another_engine_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    re2 = pytest.importorskip("re2", reason="google-re2 is not installed here")
    texts = [from_pattern(rule, seed) for rule in RULES for seed in range(2)]
    texts += ["".join(random.Random(seed).choices(SCRAPS, k=60)) for seed in range(200)]
    ours = [secrets.scan(text) for text in texts]
    monkeypatch.setattr(secret_matches, "RE2_FROM", 0)
    assert secret_matches.engine(0) is re2
    assert [secrets.scan(text) for text in texts] == ours


def test_a_long_text_is_scanned_as_a_short_one_is() -> None:
    filler = "The quick brown fox jumps over the lazy dog.\n" * 1000
    for token in TOKENS:
        text = f"{filler}{token}\n{filler}"
        assert [text[finding.start : finding.end] for finding in secrets.scan(text)] == [token]
    many = "".join(f"token: {token}\n" for token in TOKENS * 200)
    assert len(secrets.scan(many)) == len(TOKENS) * 200
