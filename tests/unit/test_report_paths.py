"""The part of a graph that a question is about, and figures by hops, on the page of a run."""

from __future__ import annotations

import re
from pathlib import Path as File

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.graphs import KnowledgeGraph, Path
from rlvr_gym.graphs.drawing import MOST_ANSWERS, drawing
from rlvr_gym.report import strata
from rlvr_gym.report.page import render
from rlvr_gym.report.panels import other_panels
from rlvr_gym.report.paths import draw, wrong_end
from rlvr_gym.report.reading import read_run
from rlvr_gym.report.run_data import Attempt, Drawing, Measured, RunData, Sample
from rlvr_gym.store import RunStore

HOSTILE = '</text></svg><script>alert(1)</script>"\u202e\x00'
WORLD = KnowledgeGraph.of(
    [
        ("ada", "born in", "uk"),
        ("uk", "language", "english"),
        ("uk", "language", "welsh"),
        ("ada", "field", "maths"),
        ("uk", "capital", "london"),
        ("ada", "speaks", "english"),
        ("byron", "daughter", "ada"),
    ]
)


def question(*names: str) -> Path:
    """Return the path of names: entity, relation, entity, and so on; ``^`` walks a relation backwards."""
    steps = []
    for name in names[1::2]:
        step = WORLD.relation_place(name.removeprefix("^"))
        steps.append(WORLD.reverse(step) if name.startswith("^") else step)
    return Path(tuple(WORLD.place(name) for name in names[::2]), tuple(steps))


LANGUAGES = question("ada", "born in", "uk", "language", "english")


def labels_of(found: dict, kind: str) -> list[str]:
    return [label for label, of in found["nodes"] if of == kind]


def arrows_of(found: dict, kind: str) -> set[tuple[str, str, str]]:
    names = [label for label, _ in found["nodes"]]
    return {(names[a], label, names[b]) for a, b, label, of in found["edges"] if of == kind}


def test_a_drawing_has_the_path_all_answers_and_what_lies_around():
    found = drawing(WORLD, LANGUAGES)
    assert found["nodes"][:3] == [["ada", "start"], ["uk", "middle"], ["english", "answer"]]
    assert labels_of(found, "answer") == ["english", "welsh"]
    assert set(labels_of(found, "other")) == {"maths", "london", "byron"}
    assert arrows_of(found, "path") == {
        ("ada", "born in", "uk"),
        ("uk", "language", "english"),
        ("uk", "language", "welsh"),
    }
    # "speaks" joins two nodes of the path that it does not walk; byron's fact points at ada.
    assert arrows_of(found, "other") == {
        ("ada", "speaks", "english"),
        ("ada", "field", "maths"),
        ("uk", "capital", "london"),
        ("byron", "daughter", "ada"),
    }


def test_no_more_neighbours_are_drawn_than_asked_for():
    assert labels_of(drawing(WORLD, LANGUAGES, neighbours=0), "other") == []
    # The path's nodes take turns, so that one neighbour of ada and one of uk are shown.
    assert labels_of(drawing(WORLD, LANGUAGES, neighbours=2), "other") == ["maths", "london"]


def test_a_step_walked_backwards_points_the_way_it_is_walked():
    found = drawing(WORLD, question("uk", "^born in", "ada", "field", "maths"), neighbours=0)
    assert arrows_of(found, "path") == {("uk", "born in (backwards)", "ada"), ("ada", "field", "maths")}


def test_codes_are_those_of_the_question():
    found = drawing(WORLD, LANGUAGES, neighbours=0, wording="codes")
    # Places in the order of appearance: ada 0, uk 1, english 2; born in 0, language 1.
    assert found["nodes"][:3] == [["a", "start"], ["b", "middle"], ["c", "answer"]]
    assert ("a", "A", "b") in arrows_of(found, "path")
    assert found["width"] == 1


def test_a_question_with_a_thousand_answers_stays_readable():
    hub = KnowledgeGraph.of([("a", "r", f"b{i}") for i in range(1000)])
    found = drawing(hub, Path((0, 1), (0,)))
    assert len(labels_of(found, "answer")) == MOST_ANSWERS
    assert len(found["nodes"]) <= MOST_ANSWERS + 6 + 1


def test_a_walk_that_ends_in_its_middle_marks_it_as_the_answer():
    loop = KnowledgeGraph.of([("a", "r", "b"), ("b", "r", "c"), ("c", "s", "b")])
    found = drawing(loop, Path((0, 1, 2, 1), (0, 0, 1)))
    assert found["nodes"] == [["a", "start"], ["b", "answer"], ["c", "middle"]]


def of(found: dict) -> Drawing:
    return Drawing(tuple(map(tuple, found["nodes"])), tuple(map(tuple, found["edges"])), found.get("width"))


_BOX = re.compile(
    r'<g class="([^"]*)"><title>([^<]*)</title><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"'
)


def boxes(svg: str) -> dict[str, tuple[str, float, float, float]]:
    """Return label -> class, left edge, top and width."""
    return {
        tip.partition(",")[0]: (name, float(x), float(y), float(w))
        for name, tip, x, y, w in _BOX.findall(svg)
    }


def test_the_path_reads_from_left_to_right_with_what_lies_around_above_it():
    drawn = boxes(draw(of(drawing(WORLD, LANGUAGES))))
    (_, ada, row, _), (_, uk, same, _), (_, english, also, _) = (drawn[n] for n in ("ada", "uk", "english"))
    assert ada < uk < english
    assert row == same == also
    assert all(drawn[name][2] < row for name in ("maths", "london", "byron"))
    # The other answer lies below the first.
    assert drawn["welsh"][2] > row


def test_boxes_do_not_overlap():
    drawn = list(
        boxes(draw(of(drawing(WORLD, LANGUAGES)), [Attempt("Answer: Irish", "failed", "")])).values()
    )
    for i, (_, x, y, width) in enumerate(drawn):
        for _, left, top, _ in drawn[i + 1 :]:
            assert left >= x + width or left <= x or top != y


def test_wrong_ends_are_marked_where_they_are_drawn_and_stand_apart_where_not():
    attempts = [Attempt(f"Answer: {end}", "failed", "") for end in ("london", "irish", "irish")]
    svg = draw(of(drawing(WORLD, LANGUAGES)), [*attempts, Attempt("Answer: english", "passed", "")])
    drawn = boxes(svg)
    assert drawn["london"][0] == "beside missed"
    assert drawn["irish"][0] == "wrong"
    assert "×2" in svg
    assert "missed" not in drawn["english"][0]


@pytest.mark.parametrize(
    ("text", "width", "end"),
    [
        ("Born in the UK.\nAnswer: Irish.", None, "Irish"),
        ("answer: no. Answer: Welsh", None, "Welsh"),
        ("Irish", None, "Irish"),
        ("Answer:", None, None),
        ("", None, None),
        ("bcd", 1, "d"),
        ("abacad", 2, "ad"),
    ],
)
def test_what_an_attempt_ended_in(text, width, end):
    assert wrong_end(Attempt(text, "failed", ""), width) == end
    assert wrong_end(Attempt(text, "passed", ""), width) is None
    assert wrong_end(Attempt(text, "malformed", ""), width) is None


def test_hostile_labels_steps_and_answers_stay_text():
    found = Drawing(
        ((HOSTILE, "start"), (HOSTILE + "2", HOSTILE)), ((0, 1, HOSTILE, "path"), (1, 0, HOSTILE, HOSTILE))
    )
    sample = Sample(1, "q", "passed", "", attempts=(Attempt(HOSTILE, "failed", ""),), drawing=found)
    strange = [Measured(step, "<b>", value, 0.5, 0.4, 0.6, 3) for step in (0, 1) for value in (HOSTILE, "x")]
    page = render(RunData("a run", samples=[sample], strata=strange))
    assert "<script>" not in page
    assert "\u202e" not in page
    assert "\x00" not in page
    assert "<b>" not in page.partition("By ")[2].partition("</h2>")[0]


_kinds = st.sampled_from(["path", "other"])


@given(st.data())
def test_any_drawing_can_be_drawn(data):
    number = data.draw(st.integers(1, 6))
    nodes = tuple((data.draw(st.text(max_size=30)), "middle") for _ in range(number))
    place = st.integers(0, number - 1)
    edges = tuple(data.draw(st.lists(st.tuples(place, place, st.text(max_size=9), _kinds), max_size=8)))
    svg = draw(Drawing(nodes, edges))
    assert svg.count("<rect") == number
    assert svg.count('class="step"') == len(edges)
    assert "nan" not in svg


HOPS = [
    Measured(step, "hops", str(h), 0.9 - 0.1 * h + 0.001 * step, 0.1, 0.95, 50)
    for step in (0, 50, 100)
    for h in (10, 2, 1)
]


def test_accuracy_by_hop_is_charted_over_the_steps_and_first_against_last():
    titles = [title for title, _, _ in strata.cards(RunData("r", strata=HOPS), "hops", [])]
    assert titles == ["Held-out accuracy against hops", "Held-out accuracy by hops"]
    ends, lines = (body for _, body, _ in strata.cards(RunData("r", strata=HOPS), "hops", []))
    assert ">step 0<" in ends
    assert ">step 100<" in ends
    assert ">step 50<" not in ends
    # Numbers by size, not as text: 10 comes last.
    assert re.findall(r">(1|2|10)</text>", lines.replace("\n", ""))[-3:] == ["1", "2", "10"]


def test_the_solve_rate_by_hop_stands_beside_it_and_nowhere_else():
    rows = [{"step": i, "hops/1/solve_rate": 0.1 * i, "hops/2/solve_rate": 0.05 * i} for i in range(4)]
    run = RunData("r", rows=rows, strata=HOPS)
    assert [title for title, _, _ in strata.cards(run, "hops", [])][-1] == "Solve rate by hops"
    assert other_panels(run) == []
    assert strata.labels(RunData("r", rows=rows)) == ["hops"]


def test_labels_that_are_no_numbers_become_a_table_with_the_commonest():
    many = [Measured(0, "topic", f"t{i:02d}", 0.5, 0.4, 0.6, i) for i in range(40)]
    ((_, body, note),) = strata.cards(RunData("r", strata=many), "topic", [])
    assert body.count("<tr>") == 1 + strata.MOST_ROWS
    assert "t39" in body
    assert "t23" not in body
    assert "16 of 40 values are shown." in note


def test_many_values_share_a_chart_of_six_lines():
    many = [Measured(s, "depth", str(i), 0.5, 0.4, 0.6, 9) for s in (0, 1) for i in range(30)]
    *_, (_, body, note) = strata.cards(RunData("r", strata=many), "depth", [])
    assert note == "6 of 30 values are shown."
    # Evenly spread from the first: every fifth.
    assert re.findall(r">(\d+)</text>", body)[-6:] == ["0", "5", "10", "15", "20", "25"]


def test_a_label_with_one_value_tells_nothing():
    assert strata.labels(RunData("r", strata=[m for m in HOPS if m.value == "1"])) == []


def test_strata_and_drawings_are_read_from_a_run(tmp_path: File):
    config = {"loop": "rlvr", "environment": "x"}
    with RunStore.create(tmp_path / "run", config=config, seed=0, code_version="1") as store:
        row = {
            "name": "hops",
            "value": "2",
            "num_tasks": 7,
            "accuracy": {"mean": 0.5, "low": 0.4, "high": 0.6},
        }
        undecided = {"name": "hops", "value": "3", "num_tasks": 1, "accuracy": None}
        heldout = {"mean": 0.5, "low": 0.4, "high": 0.6, "strata": [row, undecided]}
        store.event(0, "evaluated", "0", {"heldout": heldout, "valid": None})
        proposed = {"text": "q", "status": "passed", "reason": "", "shelf": "", "solved": 0, "tried": 0}
        store.event(0, "proposed", "0", [{**proposed, "drawing": drawing(WORLD, LANGUAGES)}, proposed])
    run = read_run(tmp_path / "run")
    assert run.strata == [Measured(0, "hops", "2", 0.5, 0.4, 0.6, 7)]
    assert run.samples[0].drawing == of(drawing(WORLD, LANGUAGES))
    assert run.samples[1].drawing is None
