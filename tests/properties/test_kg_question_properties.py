"""Questions about paths of random worlds: what the library writes passes, and nothing passes that gives something away."""

import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rlvr_gym.graphs import Entity, KnowledgeGraph, Path, Relation
from rlvr_gym.graphs.asking import Row
from rlvr_gym.graphs.expression import GLUE
from rlvr_gym.graphs.gate import askable, row
from rlvr_gym.graphs.structure import GateConfig
from rlvr_gym.graphs.wording import ask, asked, mention, show
from rlvr_gym.types import Status
from rlvr_gym.verifiers import verify
from rlvr_gym.verifiers.kg_question import asked_question

STEMS = ("Bavok", "Cedun", "Dorimel", "Éfira", "Gultan", "Hövel", "Итра", "Jukka", "東町")
SHAPES = (
    "{}",
    "{}",
    "The {}",
    '"{}" Inn',
    "{} (of the North)",
    "Port of {}",
    "{}'s Rest",
    "St. {}-am-See",
    "[{}]",
)
PHRASES = (
    ("capital", "country whose capital is"),
    ("country", "resident of"),
    # Nested, two of these say a third.
    ("capital of the country", ""),
    ("head of state", "place whose head of state is"),
    ("spouse", "spouse of"),
    ("name", ""),
    ('so-called "twin" (town)', ""),
    ("", ""),
)
TYPES = ("", "", "city", "person")


def world(seed):
    """Return a small graph with odd names and phrases, some shared, and a walk through it."""
    rng = np.random.default_rng(seed)
    stems = rng.permutation(STEMS)[: rng.integers(4, len(STEMS) + 1)].tolist()
    entities = [
        Entity(
            f"x{place}",
            str(rng.choice(SHAPES)).format(stem),
            str(rng.choice(TYPES)),
            tuple(rng.permutation([f"{stem} II", f"old {stem}", "Nemo"])[: rng.integers(3)].tolist()),
        )
        for place, stem in enumerate(stems)
    ]
    relations = [
        Relation(f"rel-{place}", *phrases, str(rng.choice(TYPES)), str(rng.choice(TYPES)))
        for place, phrases in enumerate(rng.permutation(PHRASES)[: rng.integers(1, 6)].tolist())
    ]
    hops = int(rng.integers(1, 4))
    nodes = rng.permutation(len(entities))[: hops + 1].tolist()
    steps = rng.integers(2 * len(relations), size=hops).tolist()
    walked = [
        (head, step, tail) if step < len(relations) else (tail, step - len(relations), head)
        for head, step, tail in zip(nodes, steps, nodes[1:], strict=False)
    ]
    # The path, and a few facts that may lead to other answers, around it, or nowhere.
    sizes = (len(entities), len(relations), len(entities))
    others = [tuple(map(int, rng.integers(sizes))) for _ in range(rng.integers(5))]
    return KnowledgeGraph(entities, relations, np.array(walked + others)), Path(tuple(nodes), tuple(steps))


# A seed is drawn far faster than a graph, and shows as much of one that fails.
WORLDS = st.integers(0, 10**9).map(world)
MODES = st.sampled_from(
    [GateConfig(answers=a, expression=e) for a in ("unique", "set") for e in ("strict", "slots")]
)
WORDINGS = st.sampled_from(["text", "codes"])
SEEDS = st.integers(0, 30)


def judged(question, *rows):
    return verify("kg_question", question, reference={"paths": list(rows)})


def named(graph, path, question):
    """Return which names of answers and of what lies between stand in a question, by another search than the gate's."""
    places = {*path.middle, *graph.answers(path.start, path.steps).tolist()} - {path.start}
    forms = {
        form.casefold()
        for place in places
        for form in (graph.entities[place].id, graph.entities[place].label, *graph.entities[place].aliases)
    }
    return {form for form in forms if re.search(rf"(?<!\w){re.escape(form)}(?!\w)", question.casefold())}


@settings(deadline=None, max_examples=100)
@given(WORLDS, MODES, WORDINGS, SEEDS)
def test_what_the_library_asks_about_a_sound_path_passes(drawn, config, wording, seed):
    graph, path = drawn
    shown = row(graph, path, wording, config)
    assume(not shown["outcome"])
    question = ask(graph, path, wording, many=shown["many"], rng=np.random.default_rng(seed))
    verdict = judged(question, shown)
    if verdict.passed:
        assert asked_question(question, {"paths": [shown]}) == (0, question)
    # The start's own name may hold the answer's, as "Nemo" does where it is the name of both.
    assert verdict.passed or named(graph, path, question), (question, verdict.reason)
    assert not verdict.passed or wording == "codes" or not named(graph, path, question)


@st.composite
def spoilt(draw):
    """Draw a sound question and what it became by one change that spoils it."""
    graph, path = draw(WORLDS)
    config = draw(MODES)
    assume(askable(graph, path, "text", config) is None)
    shown = row(graph, path, "text", config)
    question = ask(graph, path, "text", many=shown["many"], rng=np.random.default_rng(draw(SEEDS)))
    start = mention(graph, path.start)
    phrases = [phrase for phrase, _ in asked(graph, path).steps]
    other = graph.entities[draw(st.sampled_from([n for n in range(graph.num_entities) if n != path.start]))]
    answer = graph.entities[path.end]
    words = question.split(" ")
    at = draw(st.integers(0, len(words)))
    how = draw(
        st.sampled_from(["answer", "negation", "choice", "phrase", "start", "twice", "order", "second"])
    )
    if how == "answer":
        words.insert(
            at, draw(st.sampled_from([answer.label, *answer.aliases, answer.id, answer.label.upper()]))
        )
        changed = " ".join(words)
    elif how == "negation":
        words.insert(at, draw(st.sampled_from(["not", "never", "except", "7", "former"])))
        changed = " ".join(words)
    elif how == "choice":
        changed = f"{question.rstrip('?.')} or {other.label}?"
    elif how == "phrase":
        changed = question.replace(draw(st.sampled_from(phrases)), "", 1)
    elif how == "start":
        changed = question.replace(start, other.label)
    elif how == "twice":
        changed = question + " " + question
    elif how == "second":
        changed = question + f" And what is the {phrases[0]} of {other.label}?"
    else:
        assume(phrases[0] != phrases[-1])
        swapped = {phrases[0]: phrases[-1], phrases[-1]: phrases[0]}
        either = "|".join(re.escape(phrase) for phrase in sorted(swapped, key=len, reverse=True))
        changed = re.sub(either, lambda found: swapped[found[0]], question)
    return shown, question, changed


@settings(deadline=None, max_examples=150)
@given(spoilt())
def test_no_change_that_spoils_a_question_passes(case):
    shown, question, changed = case
    assume(changed != question)
    verdict = judged(changed, shown)
    assert not verdict.passed, (question, changed)


FREE = (
    "what is the {nested} {start} ?",
    "please tell me , what is {nested} the {start} ?",
    "for {start} , what is the {nested} ?",
    "{start} 's {chained} is what ?",
    "begin with {start} . take the {stepped} . what does this lead to ?",
    "name every {nested} {start} . name all of them .",
)


@settings(deadline=None, max_examples=150)
@given(WORLDS, st.sampled_from(FREE), st.data())
def test_whatever_passes_says_the_start_and_every_step_and_names_nothing(drawn, free, data):
    graph, path = drawn
    shown = row(graph, path, "text", GateConfig(answers="set", expression="slots"))
    assume(not shown["outcome"])
    phrases = [phrase for phrase, _ in shown["steps"]]
    text = free.format(
        start=mention(graph, path.start),
        nested=" the ".join(f"{phrase}{'' if back else ' of'}" for phrase, back in reversed(shown["steps"])),
        chained=" 's ".join(phrases),
        stepped=" , then the ".join(f"{phrase} of that" for phrase in phrases),
    )
    words = text.split(" ")
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(words) - 1))
        words[at : at + data.draw(st.integers(0, 1))] = data.draw(
            st.sampled_from(
                [[], *([word] for word in (*sorted(GLUE), *phrases, ",", "?", "'s", "not", "or"))]
            )
        )
    changed = " ".join(words)
    if judged(changed, shown).passed:
        assert all(changed.count(phrase) >= phrases.count(phrase) for phrase in phrases)
        assert mention(graph, path.start) in changed
        assert not {"not", "or"} & set(words)
        assert not named(graph, path, changed)
        # Whatever was written, a sentence of the library's own is posed, and means the same to the gate.
        _, posed = asked_question(changed, {"paths": [shown]})
        wanted = Row.model_validate(shown).wanted
        own = {a + name + b for a, b in wanted.sentences() for name in wanted.start.values()}
        assert posed in own
        assert judged(posed, shown).passed
        mixed = "".join(letter.upper() if data.draw(st.booleans()) else letter for letter in changed)
        assert asked_question(mixed, {"paths": [shown]}) == (0, posed)


@settings(deadline=None, max_examples=100)
@given(WORLDS, WORDINGS, st.text(max_size=60))
def test_any_text_gets_a_verdict_with_a_code(drawn, wording, text):
    graph, path = drawn
    shown = row(graph, path, wording, GateConfig())
    verdict = judged(text, shown)
    assert verdict.status in (Status.FAILED, Status.MALFORMED)
    assert re.match("[a-z_]+: ", verdict.reason)


@settings(deadline=None, max_examples=100)
@given(WORLDS, MODES)
def test_of_all_questions_in_codes_only_that_of_the_path_passes(drawn, config):
    graph, path = drawn
    shown = row(graph, path, "codes", config)
    codes = show(graph, path, "codes")
    question = ask(graph, path, "codes")
    passing = {
        text
        for text in (question, codes, question[:-1], codes[:2], question + question)
        if judged(text, shown).passed
    }
    # A path of one hop is shown with its answer behind its question.
    assert passing == (set() if shown["outcome"] else {question})


@pytest.mark.parametrize("wording", ["text", "codes"])
def test_megabytes_are_refused_at_once(wording):
    graph = KnowledgeGraph([Entity("a"), Entity("b")], [Relation("r")], np.array([[0, 0, 1]]))
    shown = row(graph, Path((0, 1), (0,)), wording, GateConfig())
    for text in (
        "a" * 5_000_000,
        "{" * 5_000_000,
        "what is " * 500_000,
        "\u0301" * 2_000_000,
        "aA" * 2_000_000,
    ):
        assert judged(text, *[shown] * 64).reason.startswith("unreadable: ")
