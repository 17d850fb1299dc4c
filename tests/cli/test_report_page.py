"""Whatever a memory says, the page holds it as text; the drawings are the same each time and lose no link."""
from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from lib.cli.report import cards, figures, linked, markup, page
from lib.cli.report.records import DAYS, Card, Cost, Day, Decision, Held, Link, Report, Step

HOSTILE = [
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"' onclick='x",
    "<!--", "]]>", "</style>", "&lt;script&gt;", "javascript:alert(1)", "[[<b>x</b>]]", "[[a|<i>]]", "**<u>**", "`<s>`",
    "<svg/onload=alert(1)>", "\u202e<a>", "\x00<b>", "<\u200bscript>", "＜script＞", "{{x}}", "${x}", "\ud800",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20)), max_size=5).map("".join)
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "a", "header", "p", "h1", "div", "b", "span", "nav", "main",
    "form", "section", "h2", "h3", "h4", "ul", "li", "article", "bdi", "details", "summary", "code", "strong", "br",
    "label",
    "input", "fieldset", "legend", "q", "time", "svg", "defs", "marker", "path", "circle", "text", "g", "figure",
    "rect", "figcaption", "ol", "table", "thead", "tbody", "tr", "th", "td", "meter", "footer", "script",
}  # fmt: skip


class Reader(HTMLParser):
    """Collects what a browser would see: elements, handlers, addresses, ids; fails on crossed elements."""

    EMPTY = {"meta", "br", "input"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: dict[str, int] = {}
        self.handlers: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        for name, value in attrs:
            if name.startswith("on") or name in ("style", "srcdoc"):
                self.handlers.append(name)
            if name in ("href", "src", "action", "data", "xlink:href"):
                self.addresses.append(value or "")
            if name == "id":
                self.ids.append(value or "")
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            assert self.open.pop() == tag

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def card(text: str, file: str = "a.md", links: tuple[Link, ...] = ()) -> Card:
    return Card(file, "feedback", text, text, 1.0, text, text, text + "q", links, (text,), True, text, 2, 1.0)


def report(text: str) -> Report:
    days = tuple(Day(f"2026-11-{number + 1:02}") for number in range(DAYS))
    last = Day("2026-11-30", (Step(1.0, text, text, text, (text,), ("a.md",), (text + ".md",)),), 1, {text: 2})
    found = (card(text, links=(Link(text, ""), Link("b", "b.md"))), card(text, "b.md"))
    return Report(
        f"/{text}", text, 1e9, text, 5, found, (Held(text, text, 1.0),), (*days[:-1], last),
        (Decision(text, text, 1, 1.0),), (0.0,) * (DAYS - 1) + (0.5,), (Cost(text, 1, 1, 1, 0.5),), 0.25, (text,),
    )  # fmt: skip


@settings(max_examples=30)
@given(texts)
def test_no_text_of_a_memory_becomes_markup(text: str) -> None:
    reader = read(page.html(report(text)))
    plain = read(page.html(report("word")))
    assert set(reader.tags) <= ALLOWED
    assert (reader.tags["script"], reader.tags["style"], reader.handlers) == (1, 1, [])
    assert all(address.startswith("#") for address in reader.addresses)
    assert reader.tags["article"] == plain.tags["article"] == 2
    assert "input" not in reader.tags or reader.tags["input"] == plain.tags["input"]


def test_each_hostile_text_is_there_to_be_read() -> None:
    for text in ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "&lt;script&gt;"):
        assert text in read(page.html(report(text))).text


def test_every_link_within_the_page_leads_somewhere_and_no_id_is_twice() -> None:
    reader = read(page.html(report("word")))
    assert len(set(reader.ids)) == len(reader.ids)
    assert {address[1:] for address in reader.addresses} <= set(reader.ids)


def test_the_policy_names_exactly_the_style_and_the_script_that_stand_there() -> None:
    text = page.html(report("word"))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    hashes = {
        name: base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
        for name in ("style", "script") if (found := re.search(f"<{name}>(.*?)</{name}>", text, re.S))
    }  # fmt: skip
    assert policy[1] == (
        f"default-src 'none'; style-src 'sha256-{hashes['style']}'; script-src 'sha256-{hashes['script']}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_style_and_script_name_no_address() -> None:
    for name in ("page.css", "page.js"):
        text = (page.FOLDER / name).read_text(encoding="utf-8")
        assert re.findall(r"url\(|@import|https?:|//[a-z]+\.|fetch|XMLHttp|import\(|eval|innerHTML|</", text) == []


def test_a_body_has_paragraphs_strong_words_code_and_links() -> None:
    body = "See [[use-pnpm|pnpm]] and [[gone]].\n\n**Why:** `a **b** [[use-pnpm]]` breaks\nthe lockfile."
    made = markup.body(body, lambda name: {"use-pnpm": "use-pnpm.md"}.get(name, ""))
    assert made == (
        f'<p dir="auto">See <a href="#{markup.anchor("use-pnpm.md")}">pnpm</a> and '
        '<span class="missing">gone</span>.</p>'
        '<p dir="auto"><strong>Why:</strong> <code>a **b** [[use-pnpm]]</code> breaks<br>\nthe lockfile.</p>'
    )


def test_a_long_body_is_cut_at_a_line_and_says_how_much_is_left() -> None:
    made = markup.body("a line of words\n" * 200, lambda name: "", limit=100)
    assert made.count("a line of words") == 6
    assert '<p class="note">3,105 more characters are in the file.</p>' in made


links = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 13)), max_size=30)


def memories(pairs: list[tuple[int, int]], count: int = 12) -> list[Card]:
    """Card n.md for each number; a link to 12 or 13 has no memory."""
    named = {n: tuple(Link(str(b), f"{b}.md" if b < count else "") for a, b in pairs if a == n) for n in range(count)}
    return [card("word", f"{n}.md", links) for n, links in named.items()]


@settings(max_examples=40)
@given(links)
def test_the_drawing_has_every_link_once_and_no_group_touches_another(pairs: list[tuple[int, int]]) -> None:
    groups, left = linked.groups(memories(pairs))
    drawn = {(group.nodes[a].name, group.nodes[b].name) for group in groups for a, b in group.arcs}
    assert drawn == {(str(a), str(b)) for a, b in pairs if a != b}
    assert left == 0
    names = [node.name for group in groups for node in group.nodes]
    assert len(names) == len(set(names))
    assert [len(group.nodes) for group in groups] == sorted((len(group.nodes) for group in groups), reverse=True)
    assert linked.groups(list(reversed(memories(pairs)))) == (groups, 0)
    for group in groups:
        svg = figures.arcs(group)
        assert svg.count('class="arc"') == len(group.arcs)
        read(svg)


def test_what_does_not_fit_the_drawing_is_counted() -> None:
    groups, left = linked.groups(memories([(n, n + 1) for n in range(0, 11, 2)]), most=7)
    assert [len(group.nodes) for group in groups] == [2, 2, 2]
    assert left == 6


def test_an_arc_stays_within_its_figure() -> None:
    (group,), _ = linked.groups(memories([(0, n) for n in range(1, 12)]))
    svg = figures.arcs(group)
    for x, reach in re.findall(r'd="M([\d.]+) \d+ A([\d.]+) ', svg):
        assert float(x) - float(reach) > 0


def test_bars_are_as_high_as_the_figure_at_most_and_zero_is_seen_as_none() -> None:
    svg = figures.bars([0, 1, 4], ["a", "b", "<c>"], "label", "spent")
    assert re.findall(r'height="([\d.]+)" rx', svg) == ["1.0", "12.0", "48.0"]
    assert svg.count('class="none"') == 1 and "&lt;c&gt;" in svg
    assert 'class="none"' in figures.bars([0, 0], ["a", "b"], "label", "spent")


def test_attention_is_empty_when_all_is_well() -> None:
    fine = Card("a.md", "user", "Fine", "Fine.", 1.0, "your own words")
    empty = Report("/p", "/m", 2.0, "", 1, (fine,), (), (), (), (), (), 0.0)
    assert cards.attention(empty) == ""


def test_numbers_are_told_as_people_write_them() -> None:
    assert [markup.count(n, "memory", "memories") for n in (0, 1, 1200)] == ["0 memories", "1 memory", "1,200 memories"]
    assert [markup.dollars(usd) for usd in (0, 0.00123, 0.5, 12.345)] == ["$0.00", "$0.0012", "$0.50", "$12.35"]
