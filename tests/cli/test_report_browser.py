"""The report in a real browser: it renders, filters, fits a phone, runs nothing of a memory, asks for nothing."""
from __future__ import annotations

import http.server
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.cli.place import here
from lib.cli.report import gathering, page
from lib.journal import Journal
from lib.model import ledger
from tests.cli.conftest import Desk
from tests.support import browser
from tests.support.browser import Browser

pytestmark = pytest.mark.heavy

SHOWN = """
[...document.querySelectorAll('.card')].filter(c => c.checkVisibility()).map(c => c.querySelector('.file').innerText)
"""
CONTRAST = """
(() => {
  const parts = (c) => c.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (c) => { const [r, g, b] = parts(c).map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const ratio = (c) => { const [a, b] = [light(c), paper].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
  return Math.min(...[...document.querySelectorAll("body *")].filter((e) => e.innerText && e.checkVisibility())
    .map((e) => ratio(getComputedStyle(e).color)));
})()
"""


class Canary(http.server.BaseHTTPRequestHandler):
    hits: list[str] = []

    def do_GET(self) -> None:
        self.hits.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    path = browser.program()
    if not path:
        pytest.skip("no Chromium is installed here (on Debian: apt install chromium)")
    with Browser(path, tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture
def canary() -> Iterator[str]:
    """An address that would be asked if anything in the page could ask."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Canary)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    Canary.hits.clear()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def written(desk: Desk) -> str:
    """The report of the desk's project as a file; its address."""
    report = gathering.gathered(here(str(desk.project), os.environ), os.environ, time.time())
    path = desk.project / "report.html"
    path.write_text(page.html(report), encoding="utf-8", errors="replace")
    return path.as_uri()


@pytest.fixture
def address(desk: Desk) -> str:
    """A page with something in each of its parts."""
    desk.put("use-pnpm", "Dependencies are added with pnpm", "feedback", "See [[release-steps]] and [[missing]].")
    desk.put("release-steps", "Releases go out on Tuesdays", body="After `src/gone.ts`.\n\n**Why:** x")
    desk.put("short-answers", "Prefers short answers", "user")
    desk.put("x" * 90, "日本語で書く " + "w" * 200, "reference")
    place = here(str(desk.project), os.environ)
    Journal(place.state, "3f0c4b1e").append("recall", shown={"use-pnpm.md": "1"}, reason="shown")
    ledger.add(place.config, ledger.Entry(time.time(), place.root, "extract", "claude", "m" * 60, usd=0.5))
    return written(desk)


def hostile(desk: Desk, canary: str) -> str:
    bodies = [
        f"<script>fetch('{canary}/script'); document.title = 'taken'</script>",
        f"<img src={canary}/img onerror=alert(1)>",
        f"</script><script src={canary}/src></script>", f"<iframe src={canary}/frame></iframe>",
        f"<link rel=stylesheet href={canary}/style><style>body{{background:url({canary}/css)}}</style>",
        f"<svg onload=\"document.title = 'taken'\"><image href={canary}/svg /></svg>",
        f"' onmouseover='document.title=1' <meta http-equiv=refresh content=0;url={canary}/meta>",
    ]  # fmt: skip
    for number, body in enumerate(bodies):
        desk.put(f"h-{number}", body, "user", f"{body}\n[[{body[:40]}]] `{body}` **{body}**")
    return written(desk)


def test_it_renders_each_part_without_a_complaint(chromium: Browser, address: str) -> None:
    chromium.look()
    chromium.open(address)
    titles = chromium.run("[...document.querySelectorAll('h2')].map(h => h.innerText)")
    assert titles == ["Needs a look", "Memories", "Links", "Timeline", "Cost", "Decisions"]
    assert chromium.run("document.querySelectorAll('svg.bars rect').length") == 4 * 30
    assert chromium.run("getComputedStyle(document.querySelector('h1')).fontFamily").startswith('"Iowan')
    assert chromium.run("document.documentElement.lang") == "en"
    landmarks = "['header', 'nav', 'main', 'footer'].map(n => document.querySelectorAll('body > ' + n).length)"
    assert chromium.run(landmarks) == [1] * 4
    assert chromium.run(
        "[...document.querySelectorAll('input')].every(i => i.labels.length === 1)"
        " && [...document.querySelectorAll('section')]"
        ".every(s => document.getElementById(s.getAttribute('aria-labelledby')))"
    )
    assert chromium.refused() == []
    assert chromium.asked() == [address]


def test_it_filters_by_words_type_and_what_needs_a_look(chromium: Browser, address: str) -> None:
    chromium.look()
    chromium.open(address)
    assert len(chromium.run(SHOWN)) == 4
    chromium.run("document.getElementById('q').focus()")
    chromium.type("PNPM  release")
    assert chromium.run(SHOWN) == ["use-pnpm.md"]
    assert chromium.run("document.getElementById('shown').innerText") == "1 of 4 shown"
    kept = chromium.run("location.href")
    chromium.press("Escape")
    assert len(chromium.run(SHOWN)) == 4
    chromium.run("document.querySelector('[value=feedback]').click()")
    assert len(chromium.run(SHOWN)) == 3
    chromium.run("document.getElementById('doubt').click()")
    assert chromium.run(SHOWN) == ["release-steps.md"]
    chromium.open(kept)
    assert chromium.run(SHOWN) == ["use-pnpm.md"]
    chromium.run("document.querySelector('#attention a').click()")  # to a card that the filter hides
    chromium.run("new Promise(done => setTimeout(done, 50))")
    assert len(chromium.run(SHOWN)) == 4


def test_a_memory_s_markup_does_nothing_and_nothing_is_asked_for(chromium: Browser, desk: Desk, canary: str) -> None:
    chromium.look()
    address = hostile(desk, canary)
    chromium.open(address)
    chromium.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    chromium.run("new Promise(done => setTimeout(done, 200))")
    assert chromium.run("document.title").endswith(": what is remembered")
    assert chromium.run("document.querySelectorAll('img, iframe, image, link, script').length") == 1
    assert chromium.run("document.querySelectorAll('.card').length") == 7
    assert chromium.asked() == [address]
    assert (Canary.hits, chromium.refused()) == ([], [])


def test_even_markup_that_slipped_through_could_not_run_or_ask(
    chromium: Browser, desk: Desk, canary: str, tmp_path: Path
) -> None:
    hostile(desk, canary)
    text = (desk.project / "report.html").read_text(encoding="utf-8")
    slip = f"<script>document.title = 'taken'</script><img src='{canary}/img' onerror=\"document.title = 'taken'\">"
    made = text.replace("<main>", f"<main>{slip}")
    open_ = made.replace('http-equiv="Content-Security-Policy"', "")
    for name, words, title, hits in (("held", made, ": what is remembered", []), ("open", open_, "taken", ["/img"])):
        path = tmp_path / f"{name}.html"
        path.write_text(words, encoding="utf-8")
        chromium.open(path.as_uri())
        chromium.run("new Promise(done => setTimeout(done, 200))")
        assert (chromium.run("document.title").endswith(title), Canary.hits) == (True, hits)


@pytest.mark.parametrize("dark", [False, True])
def test_every_text_stands_out_from_the_paper(chromium: Browser, address: str, dark: bool) -> None:
    chromium.look(dark=dark)
    chromium.open(address)
    assert chromium.run("matchMedia('(prefers-color-scheme: dark)').matches") is dark
    assert chromium.run(CONTRAST) >= 4.5


def test_a_phone_needs_no_sideways_scrolling(chromium: Browser, address: str) -> None:
    chromium.look(width=360, height=740)
    chromium.open(address)
    chromium.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert chromium.run("[document.documentElement.scrollWidth, innerWidth]") == [360, 360]


def test_the_keyboard_reaches_links_filter_and_cards_and_shows_where_it_is(chromium: Browser, address: str) -> None:
    chromium.look()
    chromium.open(address)
    seen: list[str] = []
    for _ in range(60):
        chromium.press("Tab")
        name, outline = chromium.run(
            "(e => [e.id || e.className || e.tagName, getComputedStyle(e).outlineStyle])(document.activeElement)"
        )
        if name == "BODY":
            break
        assert outline != "none", name
        seen.append(name)
    assert seen[0] == "skip" and "q" in seen and "doubt" in seen
    assert seen.count("SUMMARY") == 4 and seen.count("scroll") == 2
    chromium.run("document.activeElement.blur()")
    chromium.press("/", "/")
    assert chromium.run("[document.activeElement.id, document.activeElement.value]") == ["q", ""]


def test_on_paper_the_texts_are_open_and_the_controls_gone(chromium: Browser, address: str) -> None:
    chromium.look(printed=True)
    chromium.open(address)
    chromium.run("dispatchEvent(new Event('beforeprint'))")
    assert chromium.run("[...document.querySelectorAll('details')].every(d => d.open)")
    controls = "['form', 'nav', 'summary'].map(n => document.querySelector(n).checkVisibility())"
    assert chromium.run(controls) == [False] * 3
    chromium.look()
