"""Files with graphs, and what tests say of them."""

import pytest

from rlvr_gym.errors import RLVRError
from rlvr_gym.graphs import open_corpus

FACTS = "ada\tborn in\tlondon\nlondon\tpart of\tengland\n"

GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="k0" for="node" attr.name="name" attr.type="string"/>
<key id="k1" for="node" attr.name="born" attr.type="int"><default>0</default></key>
<key id="k2" for="edge" attr.name="predicate" attr.type="string"/>
<graph id="G" edgedefault="directed">
<edge id="e0" source="n0" target="n1"><data key="k2">born in</data></edge>
<node id="n0"><data key="k0">Ada &amp; co</data><data key="k1">1815</data></node>
<node id="n1"><data key="k0">London<other>!</other></data></node>
</graph>
</graphml>
"""

NODES = '{"nodes": [{"id": "ada"}, {"id": "bob"}], "edges": '

TURTLE = """@prefix o: <http://example.org/o/> .
@prefix r: <http://example.org/r/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
o:birthPlace a owl:ObjectProperty ; rdfs:subPropertyOf o:place ; rdfs:domain o:Person ; rdfs:range o:City .
o:born rdfs:label "year of birth"@en, "Geburtsjahr"@de .
r:ada a o:Person ; rdfs:label "Ada Lovelace"@en, "Ada"@de ; skos:altLabel "Countess of Lovelace" ;
  o:birthPlace r:Greater_London ; o:born 1815 ; o:motto "much\\n fun"@en, "viel Freude"@de ; o:knows [ ] .
r:Greater_London o:area "1.572e3"^^xsd:double ; o:born 1815.0 ; o:founded "0043-01-01"^^xsd:date .
"""

HEAD = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
ABOUT = '<rdf:Description rdf:about="http://e/a"><e:r>&x;</e:r></rdf:Description></rdf:RDF>'


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(table):
    with pytest.raises(RLVRError) as caught:
        open_corpus(table)
    message = str(caught.value)
    assert "\n" not in message
    return message


def by_ids(graph):
    """Everything in a graph, whatever the places are."""
    ids = [entity.id for entity in graph.entities]
    kinds = [relation.id for relation in graph.relations]
    facts = {(ids[head], kinds[kind], ids[tail]) for head, kind, tail in graph.facts().tolist()}
    return facts, {e.id: e for e in graph.entities}, {r.id: r for r in graph.relations}
