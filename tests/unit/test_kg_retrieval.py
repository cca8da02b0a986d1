"""Looking answers up: what is read as an action, what is found, what is shown, and what it may cost."""

from __future__ import annotations

import contextlib
import json
import math
import re
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.envs import make
from rlvr_gym.envs.kg_parts.actions import Action, ActionError, read_action
from rlvr_gym.envs.kg_parts.budget import tokens_of
from rlvr_gym.envs.kg_parts.lookups import neighbours, searched
from rlvr_gym.envs.kg_parts.search import PASSAGE_CHARS, Search
from rlvr_gym.evaluation import evaluate
from rlvr_gym.graphs.corpus import Document
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph
from rlvr_gym.graphs.paths import Path
from rlvr_gym.graphs.wording import mention
from rlvr_gym.policies.scripted import ScriptedPolicy
from rlvr_gym.testing.hostile import HOSTILE
from rlvr_gym.types import Status


@pytest.mark.parametrize(
    ("response", "action"),
    [
        ("search: born in Paris", Action("search", "born in Paris")),
        ("I need the city.\n\nSearch: Paris\n", Action("search", "Paris")),
        ("**search:** Paris", Action("search", "Paris")),
        ("- `search: Paris`", Action("search", "Paris")),
        ("neighbours: Ada", Action("neighbours", "Ada")),
        ("neighbors: Ada", Action("neighbours", "Ada")),
        ("NEIGHBOURS : 'Ada', page 3", Action("neighbours", "Ada", 3)),
        ("neighbours: Ada, page 12", Action("neighbours", "Ada", 12)),
        ("neighbours: Paris, Texas", Action("neighbours", "Paris, Texas")),
        ("answer: Paris; Rome", Action("answer", "Paris; Rome")),
        ("Answer: search: the film", Action("answer", "search: the film")),
        ("answer:\n- Paris\n- Rome", Action("answer", "- Paris\n- Rome")),
        ("Final answer: Paris", Action("answer", "Paris")),
        ("### Answer: Paris", Action("answer", "Paris")),
        ("### Answer\nParis", Action("answer", "Paris")),
        ("\u2022 answer\uff1a Paris", Action("answer", "Paris")),
        ("<answer>Paris</answer>", Action("answer", "<answer>Paris</answer>")),
        ("So \\boxed{Paris}", Action("answer", "So \\boxed{Paris}")),
        # What follows an answer is a part of it, and may take it back.
        ("answer: Paris\nNo, Rome.", Action("answer", "Paris\nNo, Rome.")),
        # What is thought is not done.
        ("<think>\nsearch: Rome\nanswer: Rome\n</think>\nanswer: Paris", Action("answer", "Paris")),
        # Words that merely begin alike are no actions.
        ("research: x\nThe answer: y\nsearch: z", Action("search", "z")),
    ],
)
def test_an_action_is_one_line(response, action):
    assert read_action(response) == action


@pytest.mark.parametrize(
    ("response", "says"),
    [
        ("", "no action: write 'search: WORDS'"),
        ("Paris", "no action"),
        ("I would search: Paris", "no action"),
        ("search:", "says nothing behind its colon"),
        ("answer: ** ", "says nothing"),
        ("search: a\nsearch: b", "2 actions, of which none was taken"),
        # To answer twice is to guess twice.
        ("answer: a\nanswer: b", "2 actions"),
        ("answer: a\u2028answer: b", "2 actions"),
        ("Final answer: a\nanswer: b", "2 actions"),
        ("search: a\n### Answer\nb", "2 actions"),
        ("I will put it into <answer> tags.", "no action"),
        ("<think>search: a", "thinking has no end"),
    ],
)
def test_what_is_no_action_is_told_in_one_line(response, says):
    with pytest.raises(ActionError, match=says) as caught:
        read_action(response)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_read_at_once(text):
    start = time.perf_counter()
    with contextlib.suppress(ActionError):
        read_action(text)
    assert time.perf_counter() - start < 10


LINES = st.lists(
    st.builds(
        str.__add__,
        st.sampled_from(["search:", "neighbours: ", "answer: ", "<think>", "</think>", ", page 2", ""]),
        st.text(max_size=20),
    ),
    max_size=4,
).map("\n".join)


@given(response=LINES)
@settings(deadline=None)  # the first example imports the verifier
def test_every_response_gets_an_observation_within_the_budget_or_a_verdict(response):
    env = make("kg", mode="retrieval", graph={"name": "world", "entities": 40}, budget_tokens=64)
    env.reset(seed=0)
    observation, reward, terminated, _, _ = env.step(response)
    assert reward == 0.0
    assert terminated == (not observation)
    assert tokens_of(observation) <= 64


def _found(search: Search, query: str, number: int = 9) -> list[str]:
    return [passage.document for passage in search.find(query, number)]


def _documents(*texts: str) -> list[Document]:
    return [Document(chr(97 + place), "", text) for place, text in enumerate(texts)]


def test_rare_words_count_more_than_common_ones():
    search = Search(_documents("the cat", "the dog", "the hen"))
    assert _found(search, "the dog") == ["b", "a", "c"]
    assert _found(search, "DOG!") == ["b"]
    assert _found(search, "fox") == []
    assert _found(Search(_documents("Élan vital", "plan")), "ELAN") == ["a"]
    assert _found(search, "") == []


def test_a_short_text_is_found_before_a_long_one_with_the_same_word():
    assert _found(Search(_documents("cat and much more about dogs", "cat")), "cat") == ["b", "a"]


def test_scores_are_those_of_the_formula():
    # Three texts of 2, 1 and 3 words, average 2; "x" stands in two, once in the first and twice in the third.
    search = Search(_documents("x y", "y", "x x z"))
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    first = rarity * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 2))
    third = rarity * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert first < third
    assert _found(search, "x") == ["c", "a"]
    # "z" stands in the third alone, "y" in the first and second, the shorter of which wins.
    assert _found(search, "y") == ["b", "a"]
    assert _found(search, "y z") == ["c", "b", "a"]


def test_equals_come_in_the_order_of_the_documents_and_titles_are_searched_too():
    documents = [Document(id, title, "text") for id, title in (("p", "Ada"), ("q", "Bob"), ("r", "Ada"))]
    assert _found(Search(documents), "ada") == ["p", "r"]
    assert _found(Search(documents), "text", 2) == ["p", "q"]


def test_only_the_first_words_of_a_long_query_count():
    search = Search(_documents("needle"))
    filler = " ".join(f"w{number}" for number in range(31))
    assert _found(search, f"{filler} needle") == ["a"]
    assert _found(search, f"{filler} more needle") == []
    assert _found(search, "x" * 10**6 + " needle") == []


@given(st.text(st.characters(codec="utf-8"), max_size=3000))
def test_passages_hold_every_word_of_a_document_in_order(text):
    passages = Search([Document("d", "t", text)]).passages
    assert passages
    assert all(len(passage.text) <= PASSAGE_CHARS for passage in passages)
    joined = "".join(passage.text for passage in passages)
    assert "".join(joined.split()) == "".join(text.split())


def test_a_long_line_is_cut_between_words():
    passages = Search([Document("d", "t", "word " * 400)]).passages
    assert len(passages) == 3
    assert {word for passage in passages for word in passage.text.split()} == {"word"}


HUB = KnowledgeGraph.of(
    [("hub", "part of", "all"), *((f"m{number:04d}", "member of", "hub") for number in range(5000))]
)


def test_a_hub_names_a_few_and_counts_the_rest():
    text = neighbours(HUB, "hub", 1, 2048)
    assert text.startswith("hub:\n- part of: all\n- member of of: m0000; m0001; ")
    assert text.endswith("; m0019 and 4980 more")
    assert "m0020" not in text


def test_pages_hold_every_line_once_and_fit_the_budget():
    wide = KnowledgeGraph.of([("a", f"relation number {number}", f"b{number}") for number in range(90)])
    first = neighbours(wide, "a", 1, 300)
    pages = int(re.match(r"a, page 1 of ([0-9]+):\n", first)[1])
    assert pages > 2
    shown = [neighbours(wide, "a", page, 300) for page in range(1, pages + 1)]
    lines = [line for page in shown for line in page.splitlines()[1:]]
    assert sorted(lines) == sorted(f"- relation number {number}: b{number}" for number in range(90))
    assert all(tokens_of(page) <= 300 for page in shown)
    for page in (0, pages + 1, 9999):
        assert neighbours(wide, "a", page, 300) == f"There is no page {page} of a: it has {pages}."


TOWNS = KnowledgeGraph(
    [
        Entity("q1", "Springfield"),
        Entity("q2", "Springfield", aliases=("Spring City",)),
        Entity("q3", "Ohio"),
        Entity("q4", "Lonely"),
    ],
    KnowledgeGraph.of([("a", "state", "b")]).relations,
    np.array([[0, 0, 2], [1, 0, 2]]),
)


def test_a_name_that_means_several_asks_for_an_id():
    assert neighbours(TOWNS, "springfield", 1, 500) == (
        "2 entities are called 'springfield'; ask by id: q1; q2."
    )
    assert neighbours(TOWNS, "q1", 1, 500) == "Springfield [q1]:\n- state: Ohio"
    assert neighbours(TOWNS, "Springfield [q1]", 1, 500) == neighbours(TOWNS, "q1", 1, 500)
    # Where another name is clear, it is shown, so that what is shown can be asked for.
    assert neighbours(TOWNS, "Ohio", 1, 500) == "Ohio:\n- state of: Springfield [q1]; Spring City"


def test_what_is_unknown_is_told_with_what_may_be_meant():
    assert neighbours(TOWNS, "Utopia", 1, 500) == ("No entity is called 'Utopia': search for its exact name.")
    assert neighbours(TOWNS, "the state of Ohio", 1, 500).endswith("Did you mean 'Ohio'?")
    assert neighbours(TOWNS, "Lonely", 1, 500) == "Nothing is known of Lonely."


@pytest.mark.parametrize("name", ["x" * 65000, "x\u202e\x00 y", "[[[]]]", "]", "a, page 1, page 2"])
def test_whatever_is_asked_the_answer_is_short_and_clean(name):
    text = neighbours(TOWNS, name, 1, 64)
    assert tokens_of(text) <= 64
    assert "\x00" not in text
    assert "\u202e" not in text
    assert "\n" not in searched(Search([]), name, 64)


@pytest.fixture(scope="module")
def env():
    return make("kg", mode="retrieval", min_hops=2, max_turns=6)


def test_every_question_can_be_answered_by_following_its_steps(env):
    graph = env.corpus.graph
    for task in env.tasks(20, seed=0):
        path = Path.from_json(task.hidden["path"], graph)
        env.reset(options={"task": task})
        for here, there in zip(path.nodes, path.nodes[1:], strict=False):
            observation, *_ = env.step(f"neighbours: {mention(graph, here)}")
            assert mention(graph, there) in observation
        *_, info = env.step(f"answer: {mention(graph, path.end)}")
        assert info["verdict"].passed


def test_most_facts_are_found_by_searching_for_the_entity(env):
    graph = env.corpus.graph
    found = []
    for task in env.tasks(20, seed=1):
        path = Path.from_json(task.hidden["path"], graph)
        env.reset(options={"task": task})
        observation, *_ = env.step(f"search: {mention(graph, path.start)}")
        found.append(mention(graph, path.nodes[1]) in observation)
    # Some facts stand in the document of the other entity, or under another name.
    assert np.mean(found) > 0.7


def test_observations_stay_within_the_budget():
    small = make("kg", mode="retrieval", budget_tokens=64)
    small.reset(seed=0)
    for action in ("search: city country mayor", "neighbours: country-00", "neighbours: nobody " + "x" * 999):
        observation, *_ = small.step(action)
        assert 0 < tokens_of(observation) <= 64


def test_replies_depend_on_nothing_that_is_hidden(env):
    task, other = env.tasks(2, seed=2)
    swapped = replace(task, reference=other.reference, hidden=other.hidden)
    actions = ("search: mayor", "neighbours: city-01", "nonsense", "neighbours: city-01, page 2")
    shown = []
    for each in (task, swapped):
        env.reset(options={"task": each})
        shown.append([env.step(action)[0] for action in actions])
    assert shown[0] == shown[1]


def test_a_response_without_an_action_costs_a_turn(env):
    env.reset(seed=0)
    for turn in range(1, 7):
        observation, reward, terminated, truncated, info = env.step("hm")
        assert observation.startswith("That is no action")
        assert ("one turn left" in observation) == (turn == 5)
        assert (reward, terminated, truncated) == (0.0, False, turn == 6)
    assert info["verdict"].status is Status.FAILED


def test_a_wrong_answer_ends_the_task(env):
    task = env.tasks(1, seed=0)[0]
    env.reset(options={"task": task})
    *_, terminated, _, info = env.step("answer: nobody at all")
    assert terminated
    assert info["verdict"].status is Status.FAILED
    assert env.judge(task, "search: x").status is Status.FAILED
    assert env.judge(task, "hm").status is Status.MALFORMED


@pytest.mark.parametrize(
    "turn",
    [
        "answer: {}\nActually, it is Lyon.",
        "answer: {}\nNo, wait. That is wrong.",
        "answer: {}\nor maybe Lyon",
        "answer: {}\n\n\\boxed{{Lyon}}",
        "answer: {} <!-- or Lyon -->",
        "<answer>Lyon</answer>\nanswer: {}",
        "The answer is Lyon.\nanswer: {}",
        "The following is wrong:\nanswer: {}",
        "Not this one\nanswer: {}",
        "answer: {}?",
        "answer: not {}",
    ],
)
def test_what_stands_round_an_answer_may_take_it_back(env, turn):
    task = env.tasks(1, seed=0)[0]
    right = task.reference["answers"][0]["label"]
    for take in (lambda text: env.judge(task, text), lambda text: _last(env, task, text)):
        assert take(f"answer: {right}").passed
        assert not take(turn.format(right)).passed


@pytest.mark.parametrize(
    "turn",
    [
        "Now I know.\nanswer: {}",
        "answer:\n- {}",
        "Final answer: {}",
        "### Answer: {}",
        "\u2022 answer: {}",
        "<answer>{}</answer>",
        "\\boxed{{{}}}",
        "answer: **{}**",
        "answer: {}\n\nI hope this helps!",
    ],
)
def test_answers_in_the_forms_that_the_verifier_reads_are_taken(env, turn):
    task = env.tasks(1, seed=0)[0]
    assert _last(env, task, turn.format(task.reference["answers"][0]["label"])).passed


def _last(env, task, turn):
    env.reset(options={"task": task})
    *_, terminated, _, info = env.step(turn)
    assert terminated
    return info["verdict"]


def test_the_reasoning_of_the_last_turn_reaches_the_channels(env):
    task = env.tasks(1, seed=0)[0]
    (middle,) = (row["label"] for row in task.reference["path"])
    right = task.reference["answers"][0]["label"]
    for before, share in ((f"<think>{middle} lies between.</think>", 1.0), (f"{middle}.\n", 1.0), ("", 0.0)):
        verdict = _last(env, task, f"{before}answer: {right}")
        assert next(part.score for part in verdict.parts if part.verifier == "kg_path") == share


def test_an_episode_goes_on_from_its_state(env):
    env.reset(seed=4)
    env.step("search: mayor")
    state = json.loads(json.dumps(env.get_state()))
    ahead = [env.step("neighbours: city-01")[0], env.fingerprint()]
    other = make("kg", mode="retrieval", min_hops=2, max_turns=6)
    other.set_state(state)
    assert [other.step("neighbours: city-01")[0], other.fingerprint()] == ahead


def test_a_policy_that_only_searches_earns_nothing_and_the_oracle_everything(env):
    searching = evaluate(ScriptedPolicy(["search: mayor"]), env, tasks=3)
    assert searching.statuses == {"failed": 3}
    assert evaluate("oracle", env, tasks=3).statuses == {"passed": 3}
