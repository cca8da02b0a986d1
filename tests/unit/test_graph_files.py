"""Graphs from files of every kind: files that are none, hierarchies, and that what was written comes back."""

import json
import os
import re
import sys

import networkx
import numpy as np
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlvr_gym.errors import ConfigError, DataError, UsageError
from rlvr_gym.graphs import Entity, KnowledgeGraph, Relation, open_corpus
from rlvr_gym.graphs.checking import cycle
from rlvr_gym.graphs.reading import MAX_LINE_BYTES, flaw
from rlvr_gym.graphs.writing import write_graph
from tests.graph_files import ABOUT, FACTS, GRAPHML, HEAD, NODES, TURTLE, by_ids, refusal, write

# Files that are not there


def test_a_missing_file_gets_the_nearest_name(tmp_path):
    write(tmp_path / "facts.tsv", FACTS)
    assert refusal(f"{tmp_path}/fact.tsv") == f"{tmp_path}/fact.tsv: no such file. Did you mean 'facts.tsv'?"
    assert refusal(f"{tmp_path}/no/fact.tsv") == f"{tmp_path}/no/fact.tsv: no such file."
    assert refusal(f"{tmp_path}/facts.tsv/x.tsv") == f"{tmp_path}/facts.tsv/x.tsv: no such file."


def test_what_is_no_regular_file_is_refused(tmp_path):
    (tmp_path / "folder.tsv").mkdir()
    assert refusal(f"{tmp_path}/folder.tsv") == f"{tmp_path}/folder.tsv: a folder, not a file."
    # Opening a pipe that nobody writes to would wait for ever.
    os.mkfifo(tmp_path / "pipe.tsv")
    assert refusal(f"{tmp_path}/pipe.tsv") == f"{tmp_path}/pipe.tsv: not a regular file."
    assert refusal(f"{'x' * 300}.tsv") == f"{'x' * 300}.tsv: File name too long."
    assert "null byte" in refusal("x\0.tsv")


def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    file = write(tmp_path / "facts.tsv", FACTS)
    file.chmod(0)
    child = os.fork()
    if not child:
        # Root may read everything, so the child is somebody else.
        if os.geteuid() == 0:
            os.setuid(65534)
        try:
            open_corpus(str(file))
        except DataError as error:
            os._exit(0 if str(error) == f"{file}: Permission denied." else 2)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_suffix_that_nothing_reads_gets_the_known_ones():
    assert re.fullmatch(
        r"graph: no graph source reads 'data/facts.csv'. Files end in .*\.graphml, .*\.tsv.*\.",
        refusal("data/facts.csv"),
    )


@pytest.mark.parametrize("suffix", [".json", ".ttl", ".graphml"])
def test_a_file_of_two_gigabytes_is_refused_whatever_it_should_be(tmp_path, suffix):
    # Its own modules are files as well.
    pytest.importorskip("rdflib.plugins.parsers.notation3")
    file = tmp_path / f"huge{suffix}"
    with file.open("wb") as out:
        out.truncate(2 << 30)
    read = psutil.Process().io_counters().read_chars
    assert refusal(str(file)).startswith(f"{file}:")
    assert psutil.Process().io_counters().read_chars - read < MAX_LINE_BYTES + (1 << 16)


# Hierarchies and loops


def test_a_cycle_along_an_acyclic_relation_is_refused_and_named(tmp_path):
    file = write(tmp_path / "facts.tsv", "a\tin\tb\nb\tin\tc\nb\tnear\ta\nc\tin\ta\nd\tin\ta\nc\tin\te\n")
    table = {"name": "tsv", "file": str(file), "acyclic": ["near"]}
    assert open_corpus(table).graph.num_facts == 6
    message = refusal({**table, "acyclic": ["near", "in"]})
    found = re.fullmatch(
        re.escape(str(file)) + ":([124]): a cycle along 'in', which is declared acyclic: (.*).", message
    )
    # It starts at any of the three, and the line is that of the fact that closes it.
    ways = {"'a' -> 'b' -> 'c' -> 'a'": "4", "'b' -> 'c' -> 'a' -> 'b'": "1", "'c' -> 'a' -> 'b' -> 'c'": "2"}
    assert ways[found[2]] == found[1]


def test_an_acyclic_relation_must_exist(tmp_path):
    file = write(tmp_path / "facts.tsv", FACTS)
    with pytest.raises(ConfigError, match="no relation has the id 'part off'\\. Did you mean 'part of'"):
        open_corpus({"name": "tsv", "file": str(file), "acyclic": ["part off"]})


def test_a_self_loop_is_kept_unless_refused_and_is_a_cycle(tmp_path):
    file = write(tmp_path / "facts.tsv", FACTS + "ada\tknows\tada\n")
    table = {"name": "tsv", "file": str(file)}
    assert open_corpus(table).graph.num_facts == 3
    assert refusal({**table, "self_loops": "refuse"}) == f"{file}:3: 'ada' is both head and tail."
    assert "a cycle along 'knows', which is declared acyclic: 'ada' -> 'ada'." in refusal(
        {**table, "acyclic": ["knows"]}
    )


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 1), st.integers(0, 7)), max_size=20))
def test_a_cycle_is_found_exactly_when_there_is_one(facts):
    graph = KnowledgeGraph(
        [Entity(f"{n}") for n in range(8)], [Relation("r"), Relation("s")], np.array(facts).reshape(-1, 3)
    )
    edges = {(head, tail) for head, kind, tail in facts if kind == 0}
    found = cycle(graph, 0)
    assert (not found) == networkx.is_directed_acyclic_graph(networkx.DiGraph(list(edges)))
    assert set(zip(found, found[1:] + found[:1], strict=True)) <= edges
    assert len(set(found)) == len(found)


def test_a_long_chain_is_no_cycle():
    facts = np.array([(n, 0, n + 1) for n in range(50_000)])
    graph = KnowledgeGraph([Entity(f"{n}") for n in range(50_001)], [Relation("r")], facts)
    assert cycle(graph, 0) == []


# What was written comes back

letters = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff")
names = st.text(letters, min_size=1, max_size=6).map(str.strip).filter(bool)
words = st.one_of(st.just(""), names)
values = st.dictionaries(names, st.one_of(st.text(max_size=4), st.integers(), st.none(), st.lists(names)))


@st.composite
def graphs(draw, *, tables):
    """Graphs; those for tables have a fact for everything and no attributes."""
    ids = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    kinds = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    end = st.integers(0, len(ids) - 1)
    facts = draw(st.lists(st.tuples(end, st.integers(0, len(kinds) - 1), end), min_size=1, max_size=12))
    if tables:
        facts += [(n, 0, 0) for n in range(len(ids))] + [(0, n, 0) for n in range(len(kinds))]
    entities = []
    for id in ids:
        label = draw(words)
        entity = Entity(
            id,
            # A label that is the id is read as none.
            "" if label == id else label,
            draw(words),
            tuple(draw(st.lists(names, unique=True, max_size=3))),
        )
        if not tables:
            modality = draw(st.sampled_from(["text", "quantity", "table", "image"]))
            entity = Entity(
                entity.id, entity.label, entity.type, entity.aliases, modality, draw(values), draw(words)
            )
        entities.append(entity)
    relations = [Relation(id, *(draw(words) for _ in range(4))) for id in kinds]
    return KnowledgeGraph(entities, relations, np.array(facts))


@pytest.mark.parametrize("suffix", [".json", ".graphml"])
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=graphs(tables=False))
def test_networks_come_back_as_they_were_written(tmp_path, suffix, graph):
    table = write_graph(graph, tmp_path / f"graph{suffix}")
    assert by_ids(open_corpus(table).graph) == by_ids(graph)
    assert open_corpus(table).graph.digest == graph.digest


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=graphs(tables=True))
def test_tables_come_back_as_they_were_written(tmp_path, graph):
    assert by_ids(open_corpus(write_graph(graph, tmp_path / "graph.tsv")).graph) == by_ids(graph)


def test_node_link_json_of_networkx_is_read_as_it_is(tmp_path):
    graph = KnowledgeGraph.of(
        [("a", "r", "b"), ("a", "s", "b")],
        entities={"a": Entity("a", "A", "x", ("aa",), "quantity", {"value": "1"})},
    )
    data = networkx.node_link_data(graph.to_networkx(), edges="edges")
    assert open_corpus(str(write(tmp_path / "g.json", json.dumps(data)))).graph.digest == graph.digest


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        (KnowledgeGraph.of([("a", "r", "b\tc")]), "the name 'b\\tc' holds the control character U+0009, so no file holds it."),
        (KnowledgeGraph.of([("a", "r ", "b")]), "relation 'r ': 'r ' begins or ends with a space, so no file holds it."),
        (KnowledgeGraph.of([("a", "r", "b")], entities={"c": Entity("c")}), "tables hold no entity without facts, such as 'c'."),
        (KnowledgeGraph.of([("a", "r", "b")], relations={"s": Relation("s")}), "tables hold no relation without facts, such as 's'."),
        (KnowledgeGraph.of([("a", "r", "b")], entities={"a": Entity("a", modality="image")}), "tables hold no attributes, such as those of 'a'."),
    ],
)  # fmt: skip
def test_what_a_table_cannot_hold_is_not_written(tmp_path, graph, reason):
    with pytest.raises(UsageError, match=re.escape(reason)):
        write_graph(graph, tmp_path / "graph.tsv")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(UsageError, match=re.escape(f"{tmp_path}/no/graph.json: No such file or directory.")):
        write_graph(KnowledgeGraph.of([("a", "r", "b")]), tmp_path / "no" / "graph.json")


def test_other_suffixes_are_not_written(tmp_path):
    with pytest.raises(UsageError, match="graphs are written to files that end in"):
        write_graph(KnowledgeGraph.of([("a", "r", "b")]), tmp_path / "graph.ttl")


# pykeen


@pytest.mark.parametrize(
    ("dataset", "sizes"),
    # Entities, relations and triples that the package's own documentation states.
    [("nations", (14, 55, 1992)), ("umls", (135, 46, 6529)), ("kinships", (104, 25, 10686))],
)
def test_the_graphs_of_pykeen_are_whole_and_the_package_is_not_imported(dataset, sizes):
    graph = open_corpus({"name": "pykeen", "dataset": dataset}).graph
    assert (graph.num_entities, graph.num_relations, graph.num_facts) == sizes
    assert "pykeen" not in sys.modules


def test_parts_of_a_graph_of_pykeen_may_be_chosen():
    parts = [open_corpus({"name": "pykeen", "splits": [split]}).graph for split in ("train", "valid", "test")]
    # The documentation's own figures again.
    assert [graph.num_facts for graph in parts] == [1592, 199, 201]


def test_a_cycle_in_a_graph_of_pykeen_is_named_with_file_and_line():
    # Nations trade embassies both ways.
    message = refusal({"name": "pykeen", "dataset": "nations", "acyclic": ["embassy"]})
    assert re.search(r"nations/(train|valid|test)\.txt:[0-9]+: a cycle along 'embassy'", message)


def test_without_pykeen_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pykeen", None)
    message = refusal({"name": "pykeen", "dataset": "umls", "splits": ["test", "valid"]})
    assert message.endswith("which is not installed: pip install --no-deps pykeen.")


# Whatever a file holds

WHOLE = {
    ".tsv": FACTS,
    ".json": NODES + '[{"source": "ada", "target": "bob", "key": "r"}]}',
    ".graphml": GRAPHML,
    ".ttl": TURTLE,
    ".nt": '<http://e/a> <http://e/b> <http://e/c> .\n<http://e/a> <http://e/b> "1" .\n',
    ".jsonld": '{"@context": {"r": "http://e/r"}, "@id": "http://e/a", "r": {"@id": "http://e/b"}}',
    ".rdf": f"<!DOCTYPE a [<!ENTITY x 'y'>]>{HEAD}{ABOUT}",
}


@st.composite
def damaged(draw):
    """Suffix and content of a file, some of whose bytes are gone, doubled or others."""
    suffix = draw(st.sampled_from(sorted(WHOLE)))
    content = WHOLE[suffix].encode()
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 12)))
        middle = draw(
            st.one_of(
                st.binary(max_size=6),
                st.just(content[start:end] * 2),
                st.sampled_from([b'"', b"<", b"{", b"\t", b"&x;", b"[", b"\\u0000"]),
            )
        )
        content = content[:start] + middle + content[end:]
    return suffix, content


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(file=damaged())
def test_whatever_a_file_holds_is_a_graph_or_one_line_of_refusal(tmp_path, file):
    pytest.importorskip("rdflib")
    suffix, content = file
    path = write(tmp_path / f"g{suffix}", content)
    refused = graph = None
    try:
        graph = open_corpus(str(path)).graph
    except DataError as error:
        refused = str(error)
    if refused is not None:
        assert refused.startswith(str(path))
        assert "\n" not in refused
        return
    assert graph.num_facts
    for entity in graph.entities:
        for name in (entity.id, entity.name, entity.type or entity.id, *entity.aliases):
            assert not flaw(name)
