import re
from html.parser import HTMLParser

import pytest

from rlvr_gym.report.charts import Curve, histogram, line_chart
from rlvr_gym.report.page import render
from rlvr_gym.report.panels import funnel
from rlvr_gym.report.run_data import Alarm, Attempt, RunData, Sample
from rlvr_gym.report.text import visible

HOSTILE = [
    "<script>alert(1)</script>",
    "</style><script src=https://evil.example/x.js></script>",
    '"><img src=x onerror=alert(1)>',
    "</pre></details><iframe src='https://evil.example'>",
    "<svg onload=alert(1)><a href='javascript:alert(1)'>x</a>",
    "]]><!--",
    "-->",
    "\u202eright to left\u2066",
    "\x00\x1b[31m\x07",
    "\ud800 lone",
    "&lt;b&gt; &amp; &#x3c;script&#x3e;",
    "$\\frac{$",
    "9" * 50_000,
]
VOID = {"meta", "br", "img", "link"}
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "b", "span", "div", "pre", "code",
    "table", "tr", "th", "td", "details", "summary", "svg", "g", "path", "defs", "use", "text", "clippath", "rect",
}  # fmt: skip


class Outline(HTMLParser):
    """Elements, attributes and text of a page; fails on tags that do not close in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += data


def a_run(texts=("x^2",), **more) -> RunData:
    rows = [
        {
            "step": step,
            "heldout/accuracy": 0.3 + 0.01 * step if step % 5 == 0 else float("nan"),
            "heldout/low": 0.2 + 0.01 * step if step % 5 == 0 else float("nan"),
            "heldout/high": 0.4 + 0.01 * step if step % 5 == 0 else float("nan"),
            "proposer/proposals": 10.0,
            "proposer/parsed_share": 0.9,
            "proposer/valid_share": 0.5,
            "solver/solve_rate": 0.6,
            "solver/entropy": 1.0 - 0.01 * step,
            "something/quite_new": float(step),
        }
        for step in range(11)
    ]
    samples = [
        Sample(i, text, text, text, text, 1, 4, (Attempt(text, text, text),)) for i, text in enumerate(texts)
    ]
    named = {text: i + 1 for i, text in enumerate(texts)}
    known = {
        "facts": named,
        "rows": rows,
        "samples": samples,
        "alarms": [Alarm(3, "alarm", text, text) for text in texts],
        "statuses": named,
        "reasons": named,
        "rates": [0.0, 0.25, 0.5, 1.0],
        "accounting": [{"role": text, "planned": 10} for text in texts],
        "config": named,
    }
    return RunData(texts[0], **(known | more))


def check_stands_alone(page: str) -> Outline:
    outline = Outline(page)
    assert set(outline.tags) <= ALLOWED
    for name, value in outline.attributes:
        assert not name.startswith("on"), name
        assert name != "src"
        if "href" in name:
            assert value.startswith("#")
        assert "url(" not in value or value.startswith("url(#")
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    assert "@import" not in style
    assert "url(" not in style
    return outline


def test_the_page_needs_no_network_and_no_script():
    outline = check_stands_alone(render(a_run()))
    assert "script" not in outline.tags
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in outline.attributes


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_text_wherever_it_appears(text):
    page = render(a_run([text]))
    page.encode()
    check_stands_alone(page)
    assert "\x00" not in page
    assert "\u202e" not in page


def test_all_hostile_texts_together():
    outline = check_stands_alone(render(a_run(HOSTILE)))
    assert "<script>alert(1)</script>" in outline.text


def test_hidden_characters_are_shown_as_escapes():
    assert visible("a\u202eb\x00\ud800\n\t<") == "a\\u202eb\\x00\\ud800\n\t&lt;"


def test_long_text_is_cut_and_says_so():
    assert visible("x" * 10, limit=4) == "xxxx … (6 more characters)"


def test_every_section_is_there():
    outline = Outline(render(a_run()))
    for title in (
        "Curves",
        "Proposals",
        "Why proposals were refused",
        "Verdicts by status",
        "Sampled problems",
    ):
        assert title in outline.text
    for title in ("Alarms and actions", "Accounts", "Settings"):
        assert title in outline.text


def test_a_metric_the_page_does_not_know_is_charted_under_its_name():
    text = Outline(render(a_run())).text
    assert "quite new" in text
    assert "something" in text


def test_the_first_and_the_last_measured_accuracy_are_told():
    assert "0.300 → 0.400" in Outline(render(a_run())).text


def test_an_empty_run_gives_a_page():
    outline = check_stands_alone(render(RunData("nothing yet")))
    assert outline.tags.count("svg") == 0


def test_the_same_run_gives_the_same_page():
    assert render(a_run()) == render(a_run())


def test_the_funnel_counts_proposals_over_all_steps():
    assert funnel(a_run()) == {"proposed": 110, "could be read": 99, "passed the gate": 55}


def test_a_chart_follows_the_colours_of_the_page():
    chart = line_chart([Curve("a", [0, 1], [0.1, 0.2])], unit=True, marks=[1.0], salt="a")
    assert "var(--c1)" in chart
    assert "var(--bad)" in chart
    assert re.findall(r"#[0-9a-fA-F]{6}\b", chart) == []


def test_charts_on_one_page_do_not_share_ids():
    charts = [histogram([1, 2], [0, 0.5, 1], label="p", salt=str(i)) for i in range(2)]
    first, second = (set(re.findall(r'id="([^"]*)"', chart)) for chart in charts)
    assert first
    assert not first & second


def test_points_without_a_number_are_left_out():
    whole = line_chart([Curve("a", [0, 1], [0.1, 0.2])], unit=True, marks=[], salt="a")
    holed = line_chart([Curve("a", [0, 0.5, 1], [0.1, float("nan"), 0.2])], unit=True, marks=[], salt="a")
    assert whole == holed
