"""Graphs in RDF: what is read of them, and that nothing is fetched."""

import socket
import sys

import pytest

from rlvr_gym.errors import MissingExtraError
from rlvr_gym.graphs import Entity, Relation, open_corpus
from tests.graph_files import ABOUT, HEAD, TURTLE, by_ids, refusal, write

pytest.importorskip("rdflib")


def test_rdf_says_names_types_and_quantities(tmp_path):
    corpus = open_corpus(str(write(tmp_path / "g.ttl", TURTLE)))
    o, r = "http://example.org/o/", "http://example.org/r/"
    facts, entities, relations = by_ids(corpus.graph)
    assert facts == {
        (f"{r}ada", f"{o}birthPlace", f"{r}Greater_London"),
        (f"{r}ada", f"{o}born", "1815"),
        (f"{r}ada", f"{o}motto", '"much fun"@en'),
        (f"{r}ada", f"{o}knows", "_:0"),
        (f"{r}Greater_London", f"{o}area", "1572"),
        # An integer and a decimal number of one value are one quantity.
        (f"{r}Greater_London", f"{o}born", "1815"),
        (f"{r}Greater_London", f"{o}founded", '"0043-01-01"^^date'),
    }
    assert entities[f"{r}ada"] == Entity(f"{r}ada", "Ada Lovelace", "Person", ("Countess of Lovelace",))
    # Without a label, the last part of the URI is what people call it.
    assert entities[f"{r}Greater_London"] == Entity(f"{r}Greater_London", "Greater London")
    assert entities["1572"] == Entity("1572", modality="quantity", attributes={"value": "1572", "unit": ""})
    assert entities['"much fun"@en'] == Entity('"much fun"@en', "much fun")
    assert entities["_:0"] == Entity("_:0")
    assert relations[f"{o}birthPlace"] == Relation(f"{o}birthPlace", "birth place", "", "Person", "City")
    assert relations[f"{o}born"] == Relation(f"{o}born", "year of birth")
    # The statement about sub-properties, and the German motto.
    assert corpus.notes[:2] == (
        "statements about the vocabulary left out: 1",
        "facts that end in a literal left out: 1",
    )


@pytest.mark.parametrize(("literals", "number"), [("all", 7), ("numbers", 5), ("none", 2)])
def test_literals_may_be_left_out(tmp_path, literals, number):
    file = write(tmp_path / "g.ttl", TURTLE)
    assert open_corpus({"name": "rdf", "file": str(file), "literals": literals}).graph.num_facts == number


@pytest.mark.parametrize(
    ("suffix", "format"), [(".nt", "nt"), (".rdf", "xml"), (".jsonld", "json-ld"), (".n3", "n3")]
)
def test_every_format_of_rdf_says_the_same(tmp_path, suffix, format):
    rdflib = pytest.importorskip("rdflib")
    turtle = open_corpus(str(write(tmp_path / "g.ttl", TURTLE))).graph
    text = rdflib.Graph().parse(data=TURTLE, format="turtle").serialize(format=format)
    assert by_ids(open_corpus(str(write(tmp_path / f"g{suffix}", text))).graph) == by_ids(turtle)


def test_rdf_is_read_in_the_order_of_the_file(tmp_path):
    # Stores of rdflib return triples in the order of hashes, which differ from run to run.
    text = "".join(f"<http://e/{n}> <http://e/r> <http://e/{n + 1}> .\n" for n in range(50))
    graph = open_corpus(str(write(tmp_path / "g.nt", text))).graph
    assert [entity.id for entity in graph.entities] == [f"http://e/{n}" for n in range(51)]


LAUGHS = "".join(
    f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghx", strict=True)
)


@pytest.mark.parametrize(
    ("suffix", "content", "reason"),
    [
        (".ttl", "", ": the file is empty."),
        (".ttl", "# nothing\n", ": no facts."),
        (".ttl", "<http://e/a>\n<http://e/b> .\n", ":2: objectList expected."),
        (".ttl", "<http://e/a> <http://e/b>\nc:d .\n", ':2: Prefix "c:" not bound.'),
        (".ttl", "<http://e/a> <http://e/b> " + "[" * 3000, ": nested too deep for a graph."),
        (".ttl", b"<http://e/a>\n<http://e/b\xff> .", ":2: not UTF-8 at byte 12 of the line (0xff)."),
        (".n3", "{ <http://e/a> <http://e/b> 1 } => { } .", ":1: expected directive or statement."),
        (".nt", "<http://e/a> <http://e/b> <http://e/c> .\n<http://e/a> <http://e/b> .\n", ":2: Invalid line: ."),
        (".nt", "<http://e/a> <http://e/b> <http://e/c> .\n" * 3 + "<http://e/" + "x" * (1 << 20), ":4: the line is longer than 1 MiB."),
        (".rdf", "<a>\n<b>\n</a>", ":3: mismatched tag."),
        (".rdf", f'<!DOCTYPE a SYSTEM "http://e/x.dtd">\n{HEAD}</rdf:RDF>', ":1: refers to another file, which is not read."),
        (".rdf", f'<!DOCTYPE a [\n<!ENTITY x SYSTEM "file:///etc/hostname">]>\n{HEAD}{ABOUT}', ":2: only entities that stand for a short plain text are read."),
        (".rdf", f'<!DOCTYPE a [<!ENTITY a "ha">\n{LAUGHS}]>\n{HEAD}{ABOUT}', ":2: only entities that stand for a short plain text are read."),
        (".rdf", f'<!DOCTYPE a [<!ENTITY x "{"h" * 400}">]>{HEAD}{ABOUT}'.replace("&x;", "&x;" * 1000), ": its entities make it several times as large."),
        (".rdf", '<?xml version="1.0" encoding="latin1"?><a/>', ":1: the encoding 'latin1' is declared; save the file as UTF-8."),
        (".jsonld", '{"@context": "http://e/", "@id": "a"}', ": the context 'http://e/' stands elsewhere and nothing is fetched; put it into the file."),
        (".jsonld", '{"@graph": [{"@context": [{}, "http://e/"], "@id": "a"}]}', ": the context 'http://e/' stands elsewhere and nothing is fetched; put it into the file."),
        (".jsonld", '{"@context": {"x": {"@id": "http://e/x", "@context": "x.json"}}}', ": the context 'x.json' stands elsewhere and nothing is fetched; put it into the file."),
        (".jsonld", '{"@context": {"@import": "http://e/"}, "@id": "a"}', ": the context 'http://e/' stands elsewhere and nothing is fetched; put it into the file."),
        (".jsonld", '{"@id": "a",\n}', ":2: not JSON at column 1: Expecting property name enclosed in double quotes."),
        # The second context is the one that counts, whoever parses it.
        (".jsonld", '{"@context": "http://e/", "@context": {}, "@id": "a"}', ": no facts."),
        (".jsonld", "[" * 100_000, ": not JSON, or nested too deep."),
        (".jsonld", '{"@id": "http://e/a", "http://e/r": {"@id": "http://e/b\\u0001"}}', r": 'http://e/b\x01': the id 'http://e/b\x01' holds the control character U+0001."),
    ],
)  # fmt: skip
def test_wrong_rdf_is_refused_and_nothing_is_fetched(tmp_path, monkeypatch, suffix, content, reason):
    asked = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *place, **_: asked.append(place))
    file = write(tmp_path / f"g{suffix}", content)
    message = refusal(str(file))
    if "trailing" not in reason and "Expecting property" in reason and sys.version_info >= (3, 13):
        reason = ":1: not JSON at column 12: Illegal trailing comma before end of object."
    assert message == f"{file}{reason}"
    assert not asked


def test_what_an_ontology_imports_is_not_fetched(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *place, **_: asked.append(place))
    text = TURTLE + "<http://e/> a owl:Ontology ; owl:imports <http://example.org/other.ttl> .\n"
    assert open_corpus(str(write(tmp_path / "g.ttl", text))).graph.num_facts == 7
    assert not asked


def test_a_number_that_is_none_is_a_text_and_rdflib_is_silent(tmp_path, capfd):
    text = '<http://e/a> <http://e/r> "ten"^^<http://www.w3.org/2001/XMLSchema#integer> .'
    graph = open_corpus(str(write(tmp_path / "g.nt", text))).graph
    assert graph.entities[1] == Entity('"ten"^^integer', "ten")
    assert capfd.readouterr().err == ""


def test_abbreviations_in_rdf_xml_are_read(tmp_path):
    text = f'<!DOCTYPE a [<!ENTITY x "http://e/b">]>{HEAD}<rdf:Description rdf:about="http://e/a"><e:r rdf:resource="&x;"/></rdf:Description></rdf:RDF>'
    assert by_ids(open_corpus(str(write(tmp_path / "g.rdf", text))).graph)[0] == {
        ("http://e/a", "http://e/r", "http://e/b")
    }


def test_a_relative_name_does_not_depend_on_where_the_program_runs(tmp_path, monkeypatch):
    file = write(tmp_path / "g.ttl", "<#a> <#r> <#b> .")
    monkeypatch.chdir(tmp_path)
    assert [entity.id for entity in open_corpus(str(file)).graph.entities] == [
        "file:///g.ttl#a",
        "file:///g.ttl#b",
    ]


def test_without_rdflib_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdflib", None)
    with pytest.raises(
        MissingExtraError, match=r"reading RDF needs an extra: pip install 'rlvr-gym\[rdf\]'."
    ):
        open_corpus(str(write(tmp_path / "g.ttl", TURTLE)))
