"""Questions over knowledge graphs: sound, of their split, shown with what they need and nothing that gives them away."""

from __future__ import annotations

import base64
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from rlvr_gym.envs import make
from rlvr_gym.envs.kg_parts.budget import IMAGE_TOKENS, tokens_of, within
from rlvr_gym.envs.kg_parts.documents import needed
from rlvr_gym.envs.kg_parts.figures import laid_out, picture
from rlvr_gym.envs.kg_tasks import KG, form, pose, split_key
from rlvr_gym.envs.splits import is_heldout
from rlvr_gym.errors import ConfigError, DataError, UsageError
from rlvr_gym.graphs.corpus import Corpus, Document, Evidence
from rlvr_gym.graphs.documents import documented
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph, Relation
from rlvr_gym.graphs.paths import Path
from rlvr_gym.graphs.wording import mention
from rlvr_gym.seeding import generator

FAMILY = KnowledgeGraph.of(
    [
        ("ada", "born in", "london"),
        ("london", "part of", "england"),
        ("bob", "born in", "paris"),
        ("paris", "part of", "france"),
        ("ada", "friend", "bob"),
        ("ada", "friend", "cyd"),
        ("bob", "pet", "rex"),
        ("cyd", "pet", "tom"),
        ("dan", "pet", "kit"),
    ]
)


def _path(*ids: str) -> Path:
    return Path.from_json(list(ids), FAMILY)


def _drawn(env, number: int = 20) -> dict:
    """Return the tasks of some draws by their ids: of very few questions, surely all."""
    tasks = (env.draw(generator(draw, "draw")) for draw in range(number))
    return {task.id: task for task in tasks}


@pytest.fixture
def written(tmp_path):
    def write(facts: str, **files: str) -> dict:
        table = {"name": "tsv", "file": str(tmp_path / "facts.tsv")}
        (tmp_path / "facts.tsv").write_text(facts.replace(" ", "\t"), encoding="utf-8")
        for name, text in files.items():
            (tmp_path / f"{name}.tsv").write_text(text.replace("|", "\t"), encoding="utf-8")
            table[name] = str(tmp_path / f"{name}.tsv")
        return table

    return write


def test_a_form_is_start_and_steps_and_reads_in_one_way():
    assert form(FAMILY, _path("ada", "born in", "london", "part of", "england")) == "ada|born in|part of"
    odd = KnowledgeGraph.of([("a|b", "r", "c"), ("a", "b|r", "c"), ("50%\n", "é r", "c")])
    rows = (["a|b", "r", "c"], ["a", "b|r", "c"], ["50%\n", "é r", "c"])
    forms = [form(odd, Path.from_json(row, odd)) for row in rows]
    assert forms == ["a%7Cb|r", "a|b%7Cr", "50%25%0A|é r"]


@pytest.mark.parametrize(("by", "key"), [("question", "bob|pet"), ("signature", "pet"), ("entity", "bob")])
def test_a_split_is_by_what_it_says(by, key):
    assert split_key(FAMILY, _path("bob", "pet", "rex"), by) == key


@pytest.mark.parametrize("by", ["question", "signature", "entity"])
def test_what_is_held_out_is_in_no_training_task(by):
    keys = {}
    for split in ("train", "heldout"):
        env = make("kg", graph="permutations", split=split, split_by=by, min_hops=2)
        graph = env.corpus.graph
        paths = [Path.from_json(task.hidden["path"], graph) for task in env.tasks(60, seed=0)]
        keys[split] = {split_key(graph, path, by) for path in paths}
        assert all(is_heldout(key) == (split == "heldout") for key in keys[split])
    assert keys["train"]
    assert keys["heldout"]
    assert keys["train"].isdisjoint(keys["heldout"])


def test_codes_are_prompts_of_a_few_letters():
    env = make("kg", graph="permutations", wording="codes")
    for task in env.tasks(40, seed=1):
        # 24 entities and 2 x 4 steps: one letter each, and nothing else.
        assert re.fullmatch("[a-x][A-D]{1,3}", task.prompt)
        assert len(task.prompt) == 1 + task.strata["hops"]
        assert env.judge(task, env.oracle(task)).passed
        # Every entity but the answer is a wrong one.
        assert not env.judge(task, task.prompt[0]).passed


def test_tasks_are_balanced_over_hops_and_longer_lists_begin_alike():
    env = make("kg", min_hops=1, max_hops=3)
    tasks = env.tasks(30, seed=3)
    assert Counter(task.strata["hops"] for task in tasks) == {1: 10, 2: 10, 3: 10}
    assert env.tasks(7, seed=3) == tasks[:7]


def test_few_questions_are_all_found():
    # 8 starts and 2 steps make 16 questions of one hop.
    graph = {"name": "permutations", "entities": 8, "relations": 2}
    train, heldout = (
        {task.id for task in make("kg", graph=graph, max_hops=1, split=split).tasks(99, seed=0)}
        for split in ("train", "heldout")
    )
    assert len(train | heldout) == 16


@pytest.mark.parametrize("settings", [{}, {"mode": "open"}, {"mode": "retrieval"}])
def test_one_question_always_has_the_same_text(settings):
    env = make("kg", graph={"name": "world", "entities": 40}, max_hops=1, **settings)
    seen = [{task.id: task for task in env.tasks(60, seed=seed)} for seed in (0, 1)]
    both = seen[0].keys() & seen[1].keys()
    assert len(both) > 10
    assert all(seen[0][id] == seen[1][id] for id in both)


def test_answers_are_what_networkx_finds_by_walking():
    env = make("kg", gate={"answers": "set", "max_answers": 4}, inverse=True)
    graph = env.corpus.graph
    net = graph.to_networkx()
    sizes = set()
    for task in env.tasks(40, seed=5):
        start, *rest = task.hidden["path"]
        at = {start}
        for step in rest[::2]:
            forward = not step.startswith("^")
            edges = net.out_edges if forward else net.in_edges
            kind = step if forward else step[1:]
            at = {edge[forward] for node in at for edge in edges(node, keys=True) if edge[2] == kind}
        assert {row["id"] for row in task.reference["answers"]} == at
        sizes.add(len(at))
        # A question tells its answers' number only by their being several or one at most.
        assert "separate them by semicolons" in task.prompt
    assert len(sizes) > 1


@pytest.mark.parametrize("mode", ["closed", "open", "retrieval"])
def test_the_path_behind_a_question_is_not_in_it(mode):
    env = make("kg", mode=mode, min_hops=2)
    graph = env.corpus.graph
    for task in env.tasks(20, seed=2):
        question = task.prompt.rpartition("Question: ")[2]
        mentioned = {place for found in graph.aliases.mentions(question) for place in found.readings}
        path = Path.from_json(task.hidden["path"], graph)
        assert path.start in mentioned
        assert mentioned.isdisjoint(path.nodes[1:])
        assert not any(graph.entities[node].id in task.id for node in path.nodes[1:])


def test_a_graph_without_questions_says_why(written):
    table = written("a r b\n")
    assert set(_drawn(make("kg", graph=table, max_hops=1, split="all"))) == {"kg:a|r"}
    with pytest.raises(ConfigError, match=r"no 2-hop question .* no walk is so long") as caught:
        make("kg", graph=table, min_hops=2, max_hops=3, split="all").reset(seed=0)
    assert "\n" not in str(caught.value)


def test_hops_that_a_graph_has_no_questions_of_are_left_out_with_a_note(written):
    env = make("kg", graph=written("a r b\nb s c\n"), max_hops=3, split="all")
    assert env.hops == (1, 2)
    assert {task.strata["hops"] for task in _drawn(env).values()} == {1, 2}
    (note,) = env.notes
    assert "no 3-hop question" in note


def test_a_graph_whose_steps_lead_to_several_says_so(written):
    table = written("a r b\na r c\n")
    with pytest.raises(ConfigError, match=r"no 1-hop question .* not_unique [0-9]+\.$"):
        make("kg", graph=table, max_hops=1, split="all").tasks(1, seed=0)


def test_words_that_give_the_answer_away_are_not_asked(written):
    table = written("a r1 b\na r2 c\n", labels="b|Rome\nc|Oslo\na|Ada\n", relations="r1|rome office\n")
    tasks = _drawn(make("kg", graph=table, max_hops=1, split="all"))
    assert set(tasks) == {"kg:a|r2"}


def test_an_answer_whose_own_name_may_mean_another_is_not_asked_for(written):
    labels = "a|Ada\nb|Rome\nd|Oslo\ne|Eve\n"
    table = written("a r b\ne s d\n", labels=labels)
    tasks = _drawn(make("kg", graph=table, max_hops=1, split="all"))
    assert set(tasks) == {"kg:a|r", "kg:e|s"}
    # With another Rome in the graph, "Rome" no longer names the answer, and nobody can know its id.
    table = written("a r b\ne s d\nc s e\n", labels=labels + "c|Rome\n")
    tasks = _drawn(make("kg", graph=table, max_hops=1, split="all"))
    assert set(tasks) == {"kg:e|s"}
    # Nor that another name is the clear one: the honest answer is still "Rome".
    table = written("a r b\ne s d\nc s e\n", labels=labels + "c|Rome\n", aliases="b|Eternal City\n")
    env = make("kg", graph=table, max_hops=1, split="all")
    assert set(_drawn(env)) == {"kg:e|s"}
    # Whoever poses it all the same is answered by that name.
    task = pose(env.corpus, Path.from_json(["a", "r", "b"], env.corpus.graph), env.config, generator(0, "x"))
    assert env.oracle(task) == "Answer: Eternal City"
    assert env.judge(task, "Answer: Eternal City").passed
    assert not env.judge(task, "Answer: Rome").passed


ODD = (
    r"\$5",
    r"a\,b",
    "$x$",
    r"\text{Paris}",
    r"\boxed{Paris}",
    "<think>Paris",
    "</think>Paris",
    "<answer>Paris</answer>",
    "Paris <!-- x -->",
    "Paris </s>",
)


@pytest.mark.parametrize("mode", ["closed", "open", "retrieval"])
def test_what_is_asked_can_be_answered_whatever_the_names_are(written, mode):
    lists = (
        "And",
        "&",
        "and & and",
        "Answer: Lyon",
        "Lyon; Nice",
        "Lyon",
        "Trinidad and Tobago",
        "Tobago",
        "C++",
    )
    names = [*ODD, *lists, "Paris", "R&B", "A"]
    facts = "".join(f"s{n} r e{n}\n" for n in range(len(names)))
    facts += "".join(f"m{n % 7} many e{n}\n" for n in range(len(names)))
    labels = "".join(f"e{n}|{name}\n" for n, name in enumerate(names))
    table = written(facts, labels=labels)
    for gate in ({}, {"answers": "set", "max_answers": 9}):
        env = make("kg", graph=table, mode=mode, max_hops=1, split="all", gate=gate)
        tasks = _drawn(env, 50)
        assert len(tasks) >= 8
        for task in tasks.values():
            env.reset(options={"task": task})
            assert env.step(env.oracle(task))[1] == 1.0, task.reference["answers"]


def test_questions_that_no_answer_can_pass_are_counted_by_their_reason(written):
    table = written("a r b\n", labels="a|Ada\nb|<think>Paris\n")
    with pytest.raises(ConfigError, match="unreadable_answer"):
        make("kg", graph=table, max_hops=1, split="all").reset(seed=0)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"min_hops": 4, "max_hops": 3}, "min_hops 4 is above max_hops 3"),
        ({"wording": "codes", "mode": "open"}, "documents are in English"),
        ({"wording": "codes", "gate": {"answers": "set"}}, "needs gate.answers 'unique'"),
        ({"images": True}, "need mode 'open', not 'closed'"),
        ({"graph": "wrld"}, "Did you mean 'world'"),
        ({"graph": {"name": "world", "entites": 3}}, "Did you mean 'entities'"),
        ({"gate": {"shortcuts": "any"}}, "Did you mean 'shortcut'"),
        ({"graph": "graph.parquet/x"}, "no graph source reads"),
        ({"max_hops": 99}, "max_hops"),
    ],
)
def test_wrong_settings_are_told_in_one_line(settings, says):
    with pytest.raises(ConfigError, match=says) as caught:
        make("kg", **settings)
    assert "\n" not in str(caught.value)


def test_a_wrong_file_is_told_when_the_environment_is_made(tmp_path):
    (tmp_path / "bad.tsv").write_text("a\tr\tb\nonly two\tfields\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.tsv"):
        make("kg", graph=str(tmp_path / "bad.tsv"))


def test_a_question_in_other_words_is_posed_in_those():
    corpus, path = Corpus(FAMILY), _path("ada", "born in", "london", "part of", "england")
    own = pose(corpus, path, KG(), np.random.default_rng(0))
    other = pose(corpus, path, KG(), np.random.default_rng(0), question="Ada's birthplace lies where?")
    again = pose(corpus, path, KG(), np.random.default_rng(1), question="ada's birthplace  lies where")
    assert other.prompt.startswith("Ada's birthplace lies where?\n\n")
    assert own.prompt != other.prompt
    assert own.reference == other.reference
    # Tasks with other words are other tasks, and punctuation makes no other words.
    assert own.id == "kg:ada|born in|part of"
    assert other.id.startswith(f"{own.id}:")
    assert again.id == other.id


def test_a_number_alone_answers_a_question_that_names_its_unit():
    graph = KnowledgeGraph(
        [
            Entity("nevis", "Ben Nevis"),
            Entity("h", "1,345 m", modality="quantity", attributes={"value": "1345", "unit": "m"}),
            # The number alone is the name of something else.
            Entity("y", "1345", modality="quantity", attributes={"value": "1345", "unit": ""}),
        ],
        [Relation("height")],
        np.array([[0, 0, 1]]),
    )
    env = make("kg")
    task = pose(Corpus(graph), Path((0, 1), (0,)), KG(), generator(0, "x"))
    # Only the env's own graph could be opened for what is measured beside the score.
    task = replace(task, reference={**task.reference, "graph": None})
    assert ", in m" in task.prompt
    right = ("1345", "1,345", "1345 m", "1.345 km", "1,345 metres")
    assert all(env.judge(task, f"Answer: {text}").passed for text in right)
    assert not any(env.judge(task, f"Answer: {text}").passed for text in ("1346", "1345 km", "345", "1.345"))
    bare = pose(Corpus(graph), Path((0, 1), (0,)), KG(), generator(0, "x"), question="How high is Ben Nevis?")
    bare = replace(bare, reference={**bare.reference, "graph": None})
    assert not env.judge(bare, "Answer: 1345").passed
    assert env.judge(bare, "Answer: 1345 m").passed


# What open questions are shown with.


def test_the_facts_of_all_ways_are_needed_where_all_answers_are_asked_for():
    path = _path("ada", "friend", "bob", "pet", "rex")
    named = [
        [(FAMILY.entities[h].id, FAMILY.relations[k].id, FAMILY.entities[t].id) for h, k, t in facts]
        for facts in (needed(FAMILY, path, every=False), needed(FAMILY, path, every=True))
    ]
    assert named[0] == [("ada", "friend", "bob"), ("bob", "pet", "rex")]
    # By hand: Ada's friends are Bob and Cyd, and both have pets; Dan's pet is nobody's business.
    assert sorted(named[1]) == [
        ("ada", "friend", "bob"),
        ("ada", "friend", "cyd"),
        ("bob", "pet", "rex"),
        ("cyd", "pet", "tom"),
    ]


def test_ways_that_lead_nowhere_are_not_needed():
    graph = KnowledgeGraph.of([("a", "r", "b"), ("a", "r", "c"), ("b", "s", "d")])
    path = Path.from_json(["a", "r", "b", "s", "d"], graph)
    assert len(needed(graph, path, every=True)) == 2


def test_a_fact_walked_backwards_is_the_fact():
    path = Path.from_json(["rex", "^pet", "bob"], FAMILY)
    (fact,) = needed(FAMILY, path, every=False)
    assert fact == (FAMILY.place("bob"), FAMILY.relation_place("pet"), FAMILY.place("rex"))


@pytest.mark.parametrize("settings", [{}, {"gate": {"answers": "set"}, "inverse": True}])
def test_open_questions_come_with_documents_that_say_their_facts(settings):
    env = make("kg", mode="open", distractors=3, budget_tokens=1500, **settings)
    corpus = documented(env.corpus)
    saying = {}
    for evidence in corpus.evidence:
        saying.setdefault(evidence.fact, []).append(evidence)
    for task in env.tasks(30, seed=0):
        path = Path.from_json(task.hidden["path"], corpus.graph)
        shown = task.public["documents"]
        facts = needed(corpus.graph, path, every="gate" in settings)
        for fact in facts:
            assert any(evidence.document in shown for evidence in saying[fact])
            # Shown means that the tail's name or value can be read.
            names = {mention(corpus.graph, fact[2]), *corpus.graph.entities[fact[2]].aliases}
            value = str(
                corpus.graph.entities[fact[2]].attributes.get("value", mention(corpus.graph, fact[2]))
            )
            assert any(name in task.prompt for name in {*names, value})
        documents = task.prompt.rpartition("\n\nQuestion: ")[0]
        assert tokens_of(documents) <= 1500
        assert len(shown) == len(set(shown)) <= len(facts) + 3


def test_distractors_differ_in_number_and_the_order_tells_nothing():
    places = Counter()
    for number in (0, 3):
        env = make("kg", mode="open", max_hops=1, distractors=number)
        corpus = documented(env.corpus)
        saying = {evidence.fact: evidence.document for evidence in corpus.evidence}
        for task in env.tasks(40, seed=0):
            shown = task.public["documents"]
            assert len(shown) == 1 + number
            (fact,) = needed(corpus.graph, Path.from_json(task.hidden["path"], corpus.graph), every=False)
            places[number, shown.index(saying[fact])] += 1
    # The document that says the fact is anywhere among the four.
    assert {place for number, place in places if number == 3} == {0, 1, 2, 3}


def test_a_budget_that_no_question_fits_is_refused():
    with pytest.raises(ConfigError, match=r"refused: .*over_budget [0-9]"):
        make("kg", mode="open", budget_tokens=64, min_hops=3).reset(seed=0)


def test_documents_that_do_not_say_a_fact_are_refused():
    path = _path("ada", "born in", "london", "part of", "england")
    first = (FAMILY.place("ada"), FAMILY.relation_place("born in"), FAMILY.place("london"))
    document = Document("d", "Ada", "Ada was born in London.")
    corpus = Corpus(FAMILY, (document,), (Evidence(first, "d", 0, 23),))
    with pytest.raises(ConfigError, match="no document says that 'part of' leads from 'london' to 'england'"):
        pose(corpus, path, KG(mode="open"), generator(0, "x"))
    long = Corpus(FAMILY, (Document("d", "Ada", "word " * 99),), (Evidence(first, "d", 0, 4),))
    with pytest.raises(ConfigError, match="budget_tokens: 64 have no room"):
        pose(long, _path("ada", "born in", "london"), KG(mode="open", budget_tokens=64), generator(0, "x"))


FIGURE = Entity(
    "fig", "Figure 1", "chart", (), "image",
    {"title": "Sales", "labels": ["spring", "autumn"], "values": ["3", "5"], "unit": "t"}, "d",
)  # fmt: skip
TABLE = Entity(
    "tab", "Table 1", "table", (), "table",
    {"title": "Pets", "rows": [["owner", "pet"], ["Ada", "Rex"]]}, "d",
)  # fmt: skip
SHOP = KnowledgeGraph(
    [Entity("shop", "Shop"), FIGURE, TABLE, Entity("three", "3 t", modality="quantity")],
    [Relation("figure"), Relation("spring"), Relation("table")],
    np.array([[0, 0, 1], [1, 1, 3], [0, 2, 2]]),
)
PAGE = Document(
    "d", "Shop", "A shop.\n[Figure 1: Sales]\nIt is open.\n[Table 1: Pets]\n| owner | pet |\n| Ada | Rex |\nThe end.",
    ("fig", "tab"),
)  # fmt: skip
SHOP_CORPUS = Corpus(SHOP, (PAGE,), tuple(Evidence(tuple(fact), "d", 0, 7) for fact in SHOP.facts().tolist()))
SHOP_PATH = Path((0, 1, 3), (0, 1))


def test_figures_are_shown_in_words_behind_their_captions():
    task = pose(SHOP_CORPUS, SHOP_PATH, KG(mode="open"), generator(0, "x"))
    assert task.prompt.startswith(
        "Document: Shop\nA shop.\n[Figure 1: Sales]\nspring: 3 t; autumn: 5 t\nIt is open.\n[Table 1: Pets]\n"
        "| owner | pet |\n| Ada | Rex |\nThe end.\n\nQuestion: "
    )
    assert task.conversation()[0].images == ()


def test_figures_are_shown_as_images_and_not_in_words_too():
    task = pose(SHOP_CORPUS, SHOP_PATH, KG(mode="open", images=True), generator(0, "x"))
    assert task.prompt.startswith(
        "Document: Shop\nA shop.\n[Figure 1: Sales]\nIt is open.\n[Table 1: Pets]\nThe end.\n\nQuestion: "
    )
    chart, table = task.conversation()[0].images
    assert chart.text == "[Figure 1: Sales]\nspring: 3 t; autumn: 5 t"
    assert table.text == "[Table 1: Pets]\n| owner | pet |\n| Ada | Rex |"
    assert chart.data.startswith(b"\x89PNG\r\n\x1a\n")
    assert chart.data != table.data
    # The text takes 79 bytes, which is 20 tokens.
    with pytest.raises(ConfigError, match=f"about {2 * IMAGE_TOKENS + 20}"):
        pose(SHOP_CORPUS, SHOP_PATH, KG(mode="open", images=True, budget_tokens=500), generator(0, "x"))


def _figure(**attributes: object) -> Entity:
    return Entity("f", "Figure 9", "chart", (), "image", attributes)


def test_a_figure_may_bring_its_own_image():
    image = {"media_type": "image/jpeg", "data": base64.b64encode(b"photo").decode()}
    shown = picture(_figure(title="A cat", image=image))
    assert (shown.media_type, shown.data, shown.text) == ("image/jpeg", b"photo", "[Figure 9: A cat]")
    with pytest.raises(UsageError, match="entity 'f': its image must have"):
        picture(_figure(image={"media_type": "image/jpeg"}))


def test_what_only_a_picture_shows_is_asked_for_with_pictures_alone():
    image = {"media_type": "image/png", "data": base64.b64encode(b"photo").decode()}
    graph = KnowledgeGraph(
        [_figure(title="Zoo", image=image), Entity("cat", "Cat")], [Relation("shows")], np.array([[0, 0, 1]])
    )
    corpus = Corpus(graph, (Document("d", "T", "text", ("f",)),), (Evidence((0, 0, 1), "d", 0, 4),))
    task = pose(corpus, Path((0, 1), (0,)), KG(mode="open", images=True), generator(0, "x"))
    assert [shown.data for shown in task.conversation()[0].images] == [b"photo"]
    with pytest.raises(ConfigError, match="no document says that 'shows' leads from 'f' to 'cat'"):
        pose(corpus, Path((0, 1), (0,)), KG(mode="open"), generator(0, "x"))


def test_unsound_paths_are_drawn_on_request(written):
    table = written("a r b\na r c\nd s e\n")
    env = make("kg", graph=table, max_hops=1, split="all")
    drawn = (env.draw_path(generator(draw, "x"), 1, sound=False) for draw in range(20))
    path = next(path for path in drawn if path.start == env.corpus.graph.place("a"))
    task = pose(env.corpus, path, env.config, generator(0, "x"))
    # Both ends are right, so both are asked for.
    assert env.judge(task, "Answer: b; c").passed
    assert not env.judge(task, "Answer: b").passed
    # Backwards, English has no words for the relation.
    env = make("kg", graph=table, max_hops=1, split="all", inverse=True)
    steps = {env.draw_path(generator(draw, "x"), 1, sound=False).steps for draw in range(20)}
    assert steps == {(0,), (1,)}


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"rows": [["a" * 41]]},
        # Five labels of 13 letters each do not fit under the bars.
        {"labels": ["x" * 13] * 5, "values": ["1"] * 5},
        {"labels": ["x"], "values": ["1234567890123"]},
        {"labels": ["x"], "values": ["many"]},
    ],
)
def test_what_a_picture_could_not_show_whole_stays_in_words(attributes):
    assert picture(_figure(**attributes)) is None
    page = Document("d", "T", "text", ("f",))
    graph = KnowledgeGraph([_figure(**attributes)], [], np.zeros((0, 3), int))
    assert laid_out(graph, page, picture) == laid_out(graph, page)


def test_worlds_ask_about_figures_with_images():
    env = make("kg", mode="open", images=True, min_hops=2)
    tasks = env.tasks(12, seed=0)
    with_images = [task for task in tasks if task.conversation()[0].images]
    assert with_images
    assert all("| city |" not in task.prompt for task in tasks)


# Sizes of texts.


def test_a_token_is_four_bytes():
    assert [tokens_of(text) for text in ("", "abcd", "abcde", "日本")] == [0, 1, 2, 2]


@pytest.mark.parametrize("text", ["abcdefghij" * 50, "日本語" * 50, "a\U0001f600" * 50])
def test_a_text_that_is_cut_stays_within_its_budget(text):
    short = within(text, 20)
    assert tokens_of(short) <= 20
    assert short.endswith(" [...]")
    assert text.startswith(short.removesuffix(" [...]"))
    assert within(text, 1000) == text
