"""Questions about a graph as both roles meet them: what each is shown, what becomes of a text, what is imitated."""

from __future__ import annotations

import string
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.agents import make_domain
from rlvr_gym.agents.kg import Asking, KGDomain, entities_of, hops_of, signature_of
from rlvr_gym.errors import ConfigError
from rlvr_gym.graphs import Path
from rlvr_gym.graphs.passages import asked_of, draw_passage, follow, show_passage
from rlvr_gym.graphs.structure import structure
from rlvr_gym.graphs.wording import ask, show, spell
from rlvr_gym.types import Conversation, Message, Task

ENV: dict[str, Any] = {
    "name": "kg-v0",
    "graph": {"name": "permutations", "entities": 12, "relations": 3},
    "wording": "codes",
    "max_hops": 3,
}
FAMILY = """ada\tcountry of birth\tengland
ada\tteacher\tmary
mary\tcountry of birth\tscotland
england\tcapital\tlondon
scotland\tcapital\tedinburgh
london\triver\tthames
edinburgh\triver\tleith
bob\tteacher\tada
bob\tcountry of birth\twales
wales\tcapital\tcardiff
cardiff\triver\ttaff
carl\tteacher\tbob
dora\tteacher\tcarl
carl\tcountry of birth\tireland
ireland\tcapital\tdublin
dublin\triver\tliffey
dora\tcountry of birth\tfrance
france\tcapital\tparis
paris\triver\tseine
"""


def domain(asking: Asking | None = None, **changes: Any) -> KGDomain:
    made = make_domain({**ENV, **changes})
    assert isinstance(made, KGDomain)
    if asking is not None:
        made.ask_like(asking)
    return made


@pytest.fixture
def family(tmp_path: File) -> KGDomain:
    (tmp_path / "family.tsv").write_text(FAMILY, encoding="utf-8")
    return domain(
        Asking(choices=2), graph=str(tmp_path / "family.tsv"), wording="text", split="all", max_hops=2
    )


CODES = domain(Asking(choices=3))


def text_of(view: Conversation) -> str:
    return "\n".join(message.content for message in view)


def test_a_parent_holds_paths_from_one_entity_and_the_proposer_sees_all_of_them() -> None:
    parents = [CODES.seed(np.random.default_rng(seed)) for seed in range(30)]
    # Choices that are drawn twice are shown once, so that some parents have fewer than three.
    assert {len(CODES.choices(parent)) for parent in parents} <= {1, 2, 3}
    parent = next(parent for parent in parents if len(CODES.choices(parent)) == 3)
    rows = CODES.choices(parent)
    assert len({row[0] for row in rows}) == 1
    assert {len(row) for row in rows} == {1 + 2 * hops_of(parent)}
    shown = [show(CODES.graph, Path.from_json(row, CODES.graph), "codes") for row in rows]
    assert CODES.proposer_view(parent) == (Message("system", "p"), Message("user", "|".join(shown)))
    # The path that the parent itself asks about is one of them.
    assert parent.hidden["path"] in rows


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000))
def test_sound_parents_are_sound_and_of_the_train_split(seed: int) -> None:
    parent = CODES.seed(np.random.default_rng(seed))
    for row in CODES.choices(parent):
        path = Path.from_json(row, CODES.graph)
        assert structure(CODES.graph, path, CODES.kg_env.config.gate) is None
        text = ask(CODES.graph, path, "codes")
        assert CODES.gate.check(CODES.gate_task(text, parent), text).passed
        task = CODES.read(text, parent, trajectory="t", step=1)
        assert task is not None
        assert not CODES.held_out(task)
        assert (signature_of(task), entities_of(task)) == (tuple(row[1::2]), tuple(row[::2]))
        assert hops_of(task) == path.hops


def test_unsound_paths_are_shown_when_asked_for_and_the_gate_refuses_questions_about_them() -> None:
    loose = domain(Asking(choices=1, sound=False))
    refused = []
    for seed in range(60):
        parent = loose.seed(np.random.default_rng(seed))
        text = ask(loose.graph, loose.path(parent), "codes")
        verdict = loose.gate.check(loose.gate_task(text, parent), text)
        sound = structure(loose.graph, loose.path(parent), loose.kg_env.config.gate) is None
        assert verdict.passed is sound
        assert (loose.read(text, parent, trajectory="t", step=1) is not None) is sound
        refused.append(not sound)
    assert 0 < sum(refused) < 60


def test_the_solvers_prompt_has_no_path(family: KGDomain) -> None:
    """String audit: neither a middle entity nor an answer, and nothing of the hidden side."""
    for of in (CODES, family):
        for seed in range(40):
            parent = of.seed(np.random.default_rng(seed))
            path = of.path(parent)
            task = of.read(ask(of.graph, path, of.wording), parent, trajectory="t", step=1)
            assert task is not None
            shown = text_of(of.solver_view(task))
            secret = [spell(of.graph, place, of.wording) for place in path.nodes[1:]]
            asked = shown.partition("\n")[0]
            assert not any(word in asked for word in secret)
            assert show(of.graph, path, of.wording) not in shown


def test_canaries_in_hidden_and_reference_never_reach_a_solver() -> None:
    parent = CODES.seed(np.random.default_rng(1))
    task = CODES.read(ask(CODES.graph, CODES.path(parent), "codes"), parent, trajectory="t", step=1)
    assert task is not None
    marked = Task(
        **{**{f: getattr(task, f) for f in task.__dataclass_fields__},
           "hidden": {**task.hidden, "canary": "CANARY"}, "reference": {**task.reference, "note": "CANARY"}}
    )  # fmt: skip
    assert "CANARY" not in text_of(CODES.solver_view(marked))


def test_the_symmetric_control_shows_the_path_to_the_solver_in_training_alone() -> None:
    told = domain(Asking(symmetric=True))
    task = told.seed(np.random.default_rng(0))
    path = show(told.graph, told.path(task), "codes")
    assert text_of(told.solver_view(task)) == f"{task.prompt}|{path}"
    assert path not in text_of(task.conversation())


def test_the_same_question_through_an_alias_verifies() -> None:
    world = domain(graph="world", wording="text", max_hops=2)
    graph, checked = world.graph, 0
    for seed in range(80):
        task = world.seed(np.random.default_rng(seed))
        end = graph.entities[world.path(task).end]
        for alias in end.aliases:
            if graph.aliases.readings(alias) == (world.path(task).end,):
                assert world.judge.check(task, f"Answer: {alias}").passed, (task.prompt, alias)
                checked += 1
    assert checked > 3


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.data())
def test_for_chains_of_functions_the_verifier_equals_their_composition(seed: int, data: Any) -> None:
    """In a world of permutations the answer is r_h(... r_1(start)), and no other entity passes."""
    task = CODES.seed(np.random.default_rng(seed))
    at, middle = task.hidden["path"][0], ""
    for relation in signature_of(task):
        (place,) = CODES.graph.successors(CODES.graph.place(at), CODES.graph.relation_place(relation))
        at = CODES.graph.entities[place].id
        middle += spell(CODES.graph, place, "codes")
    answer, middle = middle[-1], middle[:-1]
    letter = data.draw(st.sampled_from(string.ascii_lowercase[:12]))
    assert CODES.judge.check(task, middle + letter).passed is (letter == answer)


def test_a_text_that_asks_none_of_the_paths_is_no_task() -> None:
    parent = CODES.seed(np.random.default_rng(2))
    for text in ("", "a", "zzz", "aBcD", "A", parent.prompt + "A" * 9, parent.prompt.lower()):
        assert CODES.read(text, parent, trajectory="t", step=1) is None
        assert not CODES.gate.check(CODES.gate_task(text, parent), text).passed


def test_questions_in_words_are_read_as_they_were_written(family: KGDomain) -> None:
    graph = family.graph
    start, steps = graph.place("ada"), [graph.relation_place(r) for r in ("country of birth", "capital")]
    path = Path((start, graph.place("england"), graph.place("london")), tuple(steps))
    parent = family.parent(np.random.default_rng(0), path)
    shown = text_of(family.proposer_view(parent))
    assert "ada | country of birth | england | capital | london" in shown
    assert "one of these paths" in shown
    text = "What is the capital of the country of birth of ada?"
    task = family.read(text, parent, trajectory="t", step=4)
    assert task is not None
    assert task.prompt.startswith(text)
    assert family.form(task) == "ada|country of birth|capital"
    assert task.provenance.parents == (parent.id,)
    assert family.judge.check(task, "It is in England.\nAnswer: London").passed
    other = family.read("Name the capital of the country of birth of ada.", parent, trajectory="t", step=4)
    assert other is not None
    # Another wording is another text of the same question.
    assert other.id != task.id
    assert family.form(other) == family.form(task)
    for leak in ("What is the capital of england?", "Is london the capital of the country of birth of ada?"):
        assert family.read(leak, parent, trajectory="t", step=4) is None


def test_the_held_out_split_is_that_of_the_environment() -> None:
    for by in ("question", "signature", "entity"):
        of = domain(Asking(choices=1), split_by=by, min_hops=2)
        other = domain(split_by=by, split="heldout", min_hops=2)
        assert all(of.held_out(task) for task in other.kg_env.tasks(20, seed=0))
        assert not any(of.held_out(of.seed(np.random.default_rng(seed))) for seed in range(20))


def test_a_graph_with_short_paths_only_gives_shorter_ones(family: KGDomain) -> None:
    # The longest walk goes from Dora over four teachers to Mary, to her country, its capital and its river.
    found = family.walks(np.random.default_rng(0), 9, 3)
    assert {path.hops for path in found} == {7}
    assert {family.graph.entities[path.start].id for path in found} == {"dora"}


def test_a_graph_that_nothing_can_be_asked_about_is_refused(tmp_path: File) -> None:
    (tmp_path / "two.tsv").write_text("a\tr\tb\na\tr\tc\n", encoding="utf-8")
    of = domain(graph=str(tmp_path / "two.tsv"), split="all")
    with pytest.raises(ConfigError, match="no path of up to 2 hops that these settings can ask about"):
        of.walks(np.random.default_rng(0), 2, 1)


def test_chains_hold_the_share_of_mistakes_that_was_asked_for() -> None:
    shown = CODES.demonstrations(np.random.default_rng(0), 1200, {"solver": 0.35, "proposer": 0.0})
    right = wrong = 0
    for demo in shown:
        if demo.role != "solver":
            continue
        code = demo.prompt[-1].content
        at = ord(code[0]) - ord("a")
        for step, told in zip(code[1:], demo.completion, strict=True):
            (end,) = CODES.graph.successors(at, ord(step) - ord("A"))
            at = ord(told) - ord("a")
            right, wrong = right + (at == end), wrong + (at != end)
    # A random entity is the right one in one of twelve cases: 0.35 * 11/12 = 0.32 of some 1200 hops.
    assert wrong / (right + wrong) == pytest.approx(0.32, abs=0.04)


def test_questions_to_imitate_pass_but_for_those_that_are_spoilt() -> None:
    for share, expected in ((0.0, 1.0), (1.0, 0.0)):
        rng, passed = np.random.default_rng(5), []
        for demo in CODES.demonstrations(rng, 200, {"solver": 0.0, "proposer": share}):
            if demo.role == "proposer":
                paths = demo.prompt[-1].content.split("|")
                asks = {"".join(c for i, c in enumerate(p) if i == 0 or c.isupper()) for p in paths}
                passed.append(demo.completion in asks)
        # One code drawn anew may come out as it was: one in twelve letters, one in six capitals.
        assert np.mean(passed) == pytest.approx(expected, abs=0.25 if share else 0.0)


def test_demonstrations_in_words_are_right_without_mistakes(family: KGDomain) -> None:
    for demo in family.demonstrations(np.random.default_rng(1), 40, {}):
        if demo.role == "solver":
            assert demo.completion.splitlines()[-1].startswith("Answer: ")
        else:
            assert demo.completion.endswith(("?", "."))


def test_evidence_stands_beside_a_path_where_there_are_documents() -> None:
    of = domain(Asking(choices=1), graph="world", wording="text", mode="open", max_hops=2)
    parent = of.seed(np.random.default_rng(0))
    shown = text_of(of.proposer_view(parent))
    assert of.documents(parent)
    lines = shown.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("1. "))
    # One sentence for each fact of the path, behind the title of its document.
    assert sum(line.startswith("   ") and ": " in line for line in lines[at + 1 :]) == hops_of(parent)


def test_without_its_documents_an_open_question_is_the_question_alone() -> None:
    of = domain(Asking(choices=1), graph="world", wording="text", mode="open", max_hops=2)
    parent = of.seed(np.random.default_rng(4))
    text = ask(of.graph, of.path(parent), "text")
    task = of.read(text, parent, trajectory="t", step=1)
    assert task is not None
    closed, opened = text_of(of.closed_view(task)), text_of(of.solver_view(task))
    assert closed.startswith(text)
    assert "Document:" in opened
    assert "Document:" not in closed


PASSAGE = ((0, 0, 1), (2, 1, 3), (1, 1, 4), (4, 2, 5))


@pytest.mark.parametrize(
    ("start", "steps", "nodes"),
    [
        (0, (0,), (0, 1)),
        # The fact of relation 1 about entity 1 is there: it is taken, though another comes first.
        (0, (0, 1), (0, 1, 4)),
        # There is none about entity 4: the first of relation 1 is taken, a wrong label.
        (0, (0, 1, 1), (0, 1, 4, 3)),
        (4, (2,), (4, 5)),
        # Relation 2 of entity 0 is not in the passage, but another fact of relation 2 is.
        (0, (2,), (0, 5)),
        (0, (3,), None),
    ],
)
def test_labels_are_read_off_a_passage(start: int, steps: tuple[int, ...], nodes: Any) -> None:
    assert follow(PASSAGE, start, steps) == nodes


def test_a_passage_holds_the_first_fact_and_no_fact_twice() -> None:
    graph = CODES.graph
    path = CODES.walks(np.random.default_rng(0), 3, 1)[0]
    passage = draw_passage(graph, (path.nodes[0], path.steps[0], path.nodes[1]), 12, np.random.default_rng(1))
    assert len(set(passage)) == 12
    assert (path.nodes[0], path.steps[0], path.nodes[1]) in passage
    assert all(graph.holds(*fact) for fact in passage)
    assert len(show_passage(graph, passage, "codes").split("|")) == 12
    tiny = draw_passage(graph, passage[0], 1000, np.random.default_rng(1))
    assert len(tiny) <= graph.num_facts == 36


@pytest.mark.parametrize("text", ["", "a", "B", "ab", "aBc", "aZ", "mB", "aB" * 20, "а" + "B", "a\nB"])
def test_what_is_no_question_about_a_passage_is_not_read(text: str) -> None:
    # Of twelve entities there is no m, of six steps no Z; the last but one is a Cyrillic letter.
    assert asked_of(CODES.graph, ((0, 1, 3),), text, "codes") is None


def test_questions_about_a_passage_are_read_in_words_too(family: KGDomain) -> None:
    graph = family.graph
    born, capital = graph.relation_place("country of birth"), graph.relation_place("capital")
    ada, england, london = (graph.place(id) for id in ("ada", "england", "london"))
    passage = ((ada, born, england), (england, capital, london))
    assert "The country of birth of ada is england." in show_passage(graph, passage, "text")
    for text in (
        "What is the capital of the country of birth of Ada?",
        "For ada, take the country of birth, then the capital.",
    ):
        assert asked_of(graph, passage, text, "text") == (ada, (born, capital))
    assert asked_of(graph, passage, "What is the river of Ada?", "text") is None


def test_flat_labels_are_right_for_one_hop_and_often_wrong_for_more() -> None:
    of = domain(Asking(flat=True))
    wrong: dict[int, list[bool]] = {1: [], 2: [], 3: []}
    for hops, found in wrong.items():
        for seed in range(60):
            rng = np.random.default_rng(seed)
            parent = of.parent(rng, of.walks(rng, hops, 1)[0])
            asked = ask(of.graph, of.path(parent), "codes")
            task = of.read(asked, parent, trajectory="t", step=1)
            assert task is not None
            # The graph knows better than the reference, and says so.
            label = task.reference["answers"][0]["id"]
            truth = of.graph.answers(of.path(task).start, of.path(task).steps)
            assert task.hidden["wrong"] is (of.graph.place(label) not in truth)
            found.append(task.hidden["wrong"])
    assert sum(wrong[1]) == 0
    assert 0.2 < np.mean(wrong[2]) < np.mean(wrong[3]) < 1.0


def test_a_flat_question_of_other_hops_than_were_asked_for_is_not_read() -> None:
    of = domain(Asking(flat=True))
    rng = np.random.default_rng(0)
    parent = of.parent(rng, of.walks(rng, 2, 1)[0])
    text = ask(of.graph, of.path(parent), "codes")
    view = text_of(of.proposer_view(parent)).splitlines()
    assert view[0] == "p"
    assert view[1].startswith("2:")
    assert of.read(text[:2], parent, trajectory="t", step=1) is None
    # No gate that knows the graph stands in the way of anything.
    assert of.gate.check(of.gate_task("nonsense", parent), "nonsense").passed
