"""Graphs in node-link JSON and GraphML: what other programs write, and what is refused."""

import json
import sys

import networkx
import pytest

from rlvr_gym.graphs import Entity, Relation, open_corpus
from tests.graph_files import GRAPHML, NODES, by_ids, refusal, write


@pytest.mark.parametrize("edges", ["edges", "links"])
def test_json_of_other_programs_is_read(tmp_path, edges):
    data = {
        "nodes": [{"id": 1, "name": "Ada", "born": 1815}, {"id": 2, "name": "London", "type": "city"}],
        edges: [{"source": 1, "target": 2, "label": "born in", "type": "x"}],
    }
    graph = open_corpus(str(write(tmp_path / "g.json", json.dumps(data)))).graph
    assert by_ids(graph) == (
        {("1", "born in", "2")},
        {"1": Entity("1", "Ada", attributes={"born": 1815}), "2": Entity("2", "London", "city")},
        {"born in": Relation("born in")},
    )


def test_settings_say_which_attributes_are_meant(tmp_path):
    data = {
        "nodes": [{"id": "a", "label": "x", "called": "Ada", "kind": "person"}, {"id": "b"}],
        "edges": [{"source": "a", "target": "b", "label": "x", "does": "knows"}],
    }
    table = {"name": "json", "file": str(write(tmp_path / "g.json", json.dumps(data)))}
    graph = open_corpus({**table, "relation": "does", "label": "called", "type": "kind"}).graph
    assert by_ids(graph)[0] == {("a", "knows", "b")}
    assert graph.entities[0] == Entity("a", "Ada", "person", attributes={"label": "x"})


def test_graphml_of_other_programs_is_read(tmp_path):
    # An edge may come before its nodes, and a key may have a default.
    graph = open_corpus(str(write(tmp_path / "g.graphml", GRAPHML))).graph
    assert by_ids(graph) == (
        {("n0", "born in", "n1")},
        {
            "n0": Entity("n0", "Ada & co", attributes={"born": 1815}),
            "n1": Entity("n1", "London", attributes={"born": 0}),
        },
        {"born in": Relation("born in")},
    )


def test_edge_ids_are_relations_only_when_the_settings_say_so(tmp_path):
    network = networkx.MultiDiGraph()
    network.add_edge("a", "b", "knows")
    networkx.write_graphml(network, tmp_path / "g.graphml")
    table = {"name": "graphml", "file": str(tmp_path / "g.graphml")}
    assert "no relation, which one of relation, predicate, label, type would be" in refusal(table)
    assert by_ids(open_corpus({**table, "relation": "id"}).graph)[0] == {("a", "knows", "b")}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("</node>", "</nod>", ":8: not XML at column 77: mismatched tag."),
        ('source="n0"', 'source="n9"', ":7: no node has the id 'n9'. Known: n0, n1."),
        ('<node id="n1">', '<node id="n0">', ":9: a second node has the id 'n0'."),
        ('<node id="n1">', "<node>", ":9: an element 'node' has no 'id'."),
        ('edgedefault="directed"', 'edgedefault="undirected"', ":7: the edge is undirected, but a fact has a head and a tail."),
        ("1815", "MDCCCXV", ":8: 'MDCCCXV' is no int."),
        ('<data key="k2">born in</data>', "", ":7: no relation, which one of relation, predicate, label, type would be; the setting relation names another attribute."),
        ("born in", " born in", ":7: the relation ' born in' begins or ends with a space."),
        ("Ada &amp; co", "Ada&#10;co", r":8: the label 'Ada\nco' holds the control character U+000A."),
        ('<data key="k0">L', '<data key="k7">L', ":9: no key has the id 'k7'."),
        ("<graphml", "<!DOCTYPE graphml SYSTEM 'http://example.org/x.dtd'>\n<graphml", ":2: a document type is declared; GraphML needs none, and none is followed."),
        ("<graphml", "<!DOCTYPE g [<!ENTITY a 'aaaaaaaa'>]>\n<graphml", ":2: a document type is declared; GraphML needs none, and none is followed."),
        ("</graph>", '</graph>\n<graph edgedefault="directed"/>', ":11: a second graph."),
        ("</graph>", "<hyperedge/></graph>", ":10: an element 'hyperedge': only nodes and edges between two are read."),
        ("</graphml>", "", ":12: not XML at column 1: no element found."),
        ("London", "x" * (1 << 20) + "x", ":9: a text is longer than 1 MiB."),
        ('id="n1"', f'id="{"x" * (3 << 20)}"', ":9: a tag is longer than 1 MiB."),
        ("<graph id", "<d>" * 200 + "<graph id", ":6: elements are nested deeper than 100."),
        ('<data key="k1">1815</data>', '<data key="k1">1815</data><data key="k3">[1]</data>', ":8.aliases: must be a list of texts, got [1]."),
    ],
)  # fmt: skip
def test_wrong_graphml_is_refused_with_its_line(tmp_path, old, new, reason):
    content = GRAPHML.replace(old, new)
    if "k3" in new:
        content = content.replace("<graph id", '<key id="k3" for="node" attr.name="aliases"/><graph id')
    assert content != GRAPHML
    file = write(tmp_path / "g.graphml", content)
    message = refusal(str(file))
    assert message == f"{file}{reason}"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", ": the file is empty."),
        ("<a/>", ":1: the file is not GraphML: its outermost element is 'a'."),
        ("<graphml/>", ": no element 'graph'."),
        ('<graphml><graph edgedefault="directed"/></graphml>', ": no facts."),
        (b"\0\0", ":1: not XML at column 1: not well-formed (invalid token)."),
        (b"<graphml>\xff</graphml>", ":1: not XML at column 10: not well-formed (invalid token)."),
    ],
)
def test_what_is_no_graphml_is_refused(tmp_path, content, reason):
    file = write(tmp_path / "g.graphml", content)
    assert refusal(str(file)) == f"{file}{reason}"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", ": the file is empty."),
        (" \n", ": the file is empty."),
        ("[]", ": must be an object with 'nodes' and 'edges', got list."),
        ('{"nodes": []}', ": no list 'edges'. Did you mean 'nodes'?"),
        ('{"node": [], "edges": []}', ": no list 'nodes'. Did you mean 'node'?"),
        ('{"nodes": {}, "edges": []}', ": nodes: must be a list, got dict."),
        ('{"nodes": [],\n"edges": [],}', ":2: not JSON at column 13: Illegal trailing comma before end of object."),
        ('{"nodes": [{"id": "a", "id": "b"}], "edges": []}', ": not JSON: an object has the name 'id' twice."),
        ('{"nodes": [{"id": "a", "x": NaN}], "edges": []}', ": not JSON: NaN is no number of JSON."),
        ('{"nodes": ["a"], "edges": []}', ": nodes[0]: must be an object, got str."),
        ('{"nodes": [{"id": 1.5}], "edges": []}', ": nodes[0].id: must be a text or a whole number, got 1.5."),
        ('{"nodes": [{}], "edges": []}', ": nodes[0].id: must be a text or a whole number, got nothing."),
        ('{"nodes": [{"id": "1"}, {"id": 1}], "edges": []}', ": nodes[1]: a second node has the id '1'."),
        ('{"nodes": [{"id": ""}], "edges": []}', ": nodes[0]: the id is empty."),
        ('{"nodes": [{"id": "\\ud800"}], "edges": []}', r": nodes[0]: the id '\ud800' holds half a character, the lone surrogate U+D800."),
        ('{"nodes": [{"id": "a\\u0000"}], "edges": []}', r": nodes[0]: the id 'a\x00' holds the control character U+0000."),
        ('{"nodes": [{"id": "a", "label": []}], "edges": []}', ": nodes[0].label: must be a text, got []."),
        ('{"nodes": [{"id": "a", "aliases": {}}], "edges": []}', ": nodes[0].aliases: must be a list of texts, got {}."),
        ('{"nodes": [{"id": "a", "modality": "smell"}], "edges": []}', ": nodes[0].modality: one of text, image, table, quantity, got 'smell'."),
        (NODES + "[]}", ": no facts."),
        (NODES + '[{"source": "ada", "target": "bo", "key": "r"}]}', ": edges[0]: no node has the id 'bo'. Did you mean 'bob'?"),
        (NODES + '[{"source": "ada", "key": "r"}]}', ": edges[0].target: must be a text or a whole number, got nothing."),
        # Networkx numbers edges without a key: 0 is no relation.
        (NODES + '[{"source": "ada", "target": "bob", "key": 0}]}', ": edges[0]: no relation, which one of relation, predicate, label, type, key would be; the setting relation names another attribute."),
        (NODES + '[{"source": "ada", "target": "bob", "label": "r"}, {"source": "ada", "target": "bob", "key": "r"}]}', ": edges[1]: no attribute 'label', by which relations are named here."),
        ('{"directed": false, "nodes": [], "edges": []}', ": the graph is undirected, but a fact has a head and a tail."),
        ('{"graph": {"relations": {"r": {"phrse": "x"}}}, "nodes": [], "edges": []}', ": graph.relations.r: no field 'phrse'. Did you mean 'phrase'?"),
        ("[" * 100_000, ": nested too deep for a graph."),
        (b'{"nodes": [], \n"edges": ["\xff"]}', ":2: not UTF-8 at byte 12 of the line (0xff)."),
    ],
)  # fmt: skip
def test_wrong_json_is_refused_with_its_place(tmp_path, content, reason):
    file = write(tmp_path / "g.json", content)
    if "trailing comma" in reason and sys.version_info < (3, 13):
        reason = ":2: not JSON at column 13: Expecting property name enclosed in double quotes."
    assert refusal(str(file)) == f"{file}{reason}"


def test_a_json_file_may_not_be_larger_than_the_settings_allow(tmp_path):
    file = write(tmp_path / "g.json", " " * ((1 << 20) + 1))
    assert (
        refusal({"name": "json", "file": str(file), "max_mib": 1})
        == f"{file}: larger than 1 MiB, the most that max_mib allows."
    )
