"""The rules of the verifier `kg`: statuses, references, the channels beside the score, and its speed."""

import json
import pathlib
import re
import time

import pytest

from rlvr_gym import verify
from rlvr_gym.errors import TaskError
from rlvr_gym.graphs import Path, open_corpus
from rlvr_gym.graphs.aliases import accepted
from rlvr_gym.graphs.paths import step_id
from rlvr_gym.graphs.quantities import read_quantity
from rlvr_gym.graphs.wording import answer
from rlvr_gym.types import Status
from tests.data.kg_exploits import CITIES, REFERENCES


def part(verdict, name):
    return next((part for part in verdict.parts if part.verifier == name), None)


def check(name, text):
    return verify("kg", text, reference=REFERENCES[name])


@pytest.mark.parametrize(
    ("name", "text", "status", "code"),
    [
        ("paris", "Paris", Status.PASSED, "same"),
        ("paris", "London", Status.FAILED, "wrong"),
        ("paris", "Paris; London", Status.FAILED, "wrong"),
        ("paris", "not Paris", Status.FAILED, "negated"),
        ("paris", "Paris or London", Status.FAILED, "hedge"),
        ("paris", "Paris?", Status.FAILED, "hedge"),
        ("paris", "Paris, City of Light", Status.FAILED, "repeated"),
        ("illinois", "Springfield", Status.FAILED, "ambiguous"),
        ("three", "CSNY and Washington", Status.FAILED, "missing"),
        ("three", "CSNY, Washington, CSNY", Status.FAILED, "repeated"),
        ("length", "12", Status.FAILED, "unit"),
        ("length", "13 km", Status.FAILED, "wrong"),
        ("paris", "Paris, " * 80, Status.FAILED, "too_long"),
        ("paris", "", Status.MALFORMED, "no_answer"),
        ("paris", " \n\u200b ", Status.MALFORMED, "no_answer"),
        ("paris", "\\boxed{Paris", Status.MALFORMED, "no_answer"),
        ("paris", "<think>Paris", Status.MALFORMED, "unclosed_think"),
        ("paris", "so " * 5_000, Status.MALFORMED, "too_long"),
        ("paris", "x" * 1_000_001, Status.MALFORMED, "too_long"),
        ("chain", "ab", Status.MALFORMED, "codes"),
        ("chain", "abad", Status.FAILED, "wrong"),
        ("chain", "abac", Status.PASSED, "same"),
    ],
)
def test_each_status_has_its_codes(name, text, status, code):
    verdict = check(name, text)
    assert (verdict.status, verdict.reason.partition(":")[0]) == (status, code)


def test_the_reason_says_that_a_name_is_ambiguous():
    assert check("illinois", "Springfield").reason == "ambiguous: 'Springfield' also names another entity"


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        (None, "must be a table with 'answers'"),
        ([], "must be a table"),
        ({}, "must have a list of 'answers'"),
        ({"answers": []}, "has no answers"),
        ({"answers": ["Paris", "London"]}, "has 2 answers, but does not say 'many'"),
        ({"answers": ["Paris", "Paris"], "many": True}, "names an answer twice"),
        ({"answers": [""]}, "has no name in answers"),
        ({"answers": [{"id": "a", "forms": ["", "\u200b"]}]}, "has no name in answers"),
        ({"answers": [{"id": "a", "forms": [], "ambiguous": ["a"]}]}, "'a' also names another entity"),
        ({"answers": [{"forms": ["a"]}]}, "neither a name nor a table with an 'id'"),
        ({"answers": [7]}, "neither a name nor a table with an 'id'"),
        ({"answers": [{"id": "a", "forms": "a"}]}, "'forms' that are no list of names"),
        ({"answers": [{"id": "a", "forms": ["a"], "value": "x"}]}, "has a wrong quantity"),
        ({"answers": ["a"], "many": 1}, "must be bool"),
        ({"answers": ["a"], "path": "b"}, "must have a list of 'path'"),
        ({"answers": ["a"], "chain": True}, "needs 'codes'"),
        ({"answers": [{"id": "a", "code": "ab"}], "chain": True, "codes": 2}, "needs the 'path'"),
        ({"answers": [{"id": "a", "code": "abc"}], "codes": 2}, "has no code of 2 letters"),
        ({"answers": [{"id": x, "code": x} for x in "ab"], "codes": 1, "many": True}, "room for one"),
        ({"answers": [str(n) for n in range(201)], "many": True}, "201 answers, more than 200"),
        ({"answers": ["a"], "graph": 7}, "neither a text nor a table"),
        ({"answers": ["a"], "graph": {"name": "no such graph"}}, "no such graph"),
        ({"answers": ["e00"], "graph": "permutations", "start": "nobody"}, "nobody"),
        ({"answers": ["e00"], "graph": "permutations", "steps": ["nowhere"]}, "nowhere"),
        ({"answers": ["a"], "graph": "permutations"}, "'a'"),
    ],
)
def test_a_wrong_reference_is_refused_in_one_line(reference, words):
    with pytest.raises(TaskError) as caught:
        verify("kg", "Answer: a", reference=reference)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_may_be_given_as_they_are():
    reference = {"answers": ["Trinidad and Tobago", "St. Kitts"], "many": True}
    assert verify("kg", "st. kitts and Trinidad And Tobago", reference=reference).passed
    assert not verify("kg", "Kitts and Trinidad and Tobago", reference=reference).passed
    entity = {"answers": [{"id": "Q72", "label": "Zürich", "aliases": ["Turicum", ""]}]}
    assert all(verify("kg", text, reference=entity).passed for text in ("q72", "Zurich", "the Turicum"))
    assert not any(verify("kg", text, reference=entity).passed for text in ("Zuerich", "", "Q7"))


def test_long_lists_on_one_line_are_read():
    # More than 2,000 and more than 4,000 characters.
    for number in (100, 200):
        labels = [f"Name Number {at:03d} Xy" for at in range(number)]
        reference = {"answers": labels, "many": True}
        assert verify("kg", f"Answer: {'; '.join(labels)}", reference=reference).passed
        assert not verify("kg", f"Answer: {'; '.join(labels[1:])}", reference=reference).passed


def test_a_plain_text_reference_is_a_name_and_no_quantity():
    assert verify("kg", "8,849 m", reference={"answers": ["8,849 m"]}).passed
    assert not verify("kg", "8.849 km", reference={"answers": ["8,849 m"]}).passed
    assert not verify("kg", "5 Gb", reference={"answers": ["5 GB"]}).passed


def test_a_quantity_may_be_called_what_its_graph_calls_it():
    row = {"id": "p", "label": "5 MW", "forms": ["5 mw"], "value": "5", "unit": ""}
    assert verify("kg", "5 MW", reference={"answers": [row]}).passed
    assert not verify("kg", "5 mW", reference={"answers": [row]}).passed


def test_a_number_alone_is_right_where_the_reference_says_so():
    row = {"id": "h", "label": "8,849 m", "forms": ["8,849 m", "8849"], "value": "8849", "unit": "m"}
    assert all(verify("kg", text, reference={"answers": [row]}).passed for text in ("8849", "8849 m"))
    assert not any(
        verify("kg", text, reference={"answers": [row]}).passed for text in ("8849 M", "8849 ft", "8850")
    )


def test_numbers_in_tables_are_quantities_where_their_type_says_so(tmp_path):
    (tmp_path / "facts.tsv").write_text("everest\theight\th\neverest\tname\tn\n", encoding="utf-8")
    (tmp_path / "labels.tsv").write_text("h\t8,849 m\tquantity\nn\tPeak XV\tquantity\n", encoding="utf-8")
    table = {"name": "tsv", "file": str(tmp_path / "facts.tsv"), "labels": str(tmp_path / "labels.tsv")}
    graph = open_corpus(table).graph
    height, name = (graph.entities[graph.place(id)] for id in ("h", "n"))
    assert (height.modality, dict(height.attributes)) == ("quantity", {"value": "8849", "unit": "m"})
    # What reads as no quantity is a name, whatever its type.
    assert (name.modality, dict(name.attributes)) == ("text", {})
    reference = {"answers": accepted(graph, [graph.place("h")])}
    assert verify("kg", "8.849 km", reference=reference).passed
    assert not verify("kg", "8,849 km", reference=reference).passed


def test_a_reference_survives_json():
    for reference in REFERENCES.values():
        assert json.loads(json.dumps(reference)) == reference


@pytest.mark.parametrize(
    ("name", "text", "f1"),
    [
        # 2 * right / (wanted + given), worked by hand.
        ("two", "Paris", 2 / 3),
        ("two", "Paris, Rome", 2 / 4),
        ("two", "Paris, London, Rome", 4 / 5),
        ("two", "Rome, Oslo", 0.0),
        ("two", "Paris, Paris", 2 / 4),
        ("paris", "Paris, London", 2 / 3),
        ("paris", "Paris, a, b, c", 2 / 5),
        ("paris", "Paris, a, b, c, d", 0.0),  # longer than the answer by more than three
        ("three", "CSNY; Washington", 4 / 5),
        ("springfields", "Springfield", 1.0),
        ("paris", "", 0.0),
        ("paris", "Answer: London\nAnswer: Paris", 0.0),
    ],
)
def test_f1_is_a_part_and_no_score(name, text, f1):
    verdict = check(name, text)
    assert part(verdict, "kg_f1").score == pytest.approx(f1)
    assert verdict.score == float(verdict.passed)
    assert verdict.passed == (f1 == 1.0)


CHAIN = {"answers": ["D"], "path": ["B", "C"]}


@pytest.mark.parametrize(
    ("before", "share"),
    [
        ("From A to B, from B to C.\n", 1.0),
        ("From A to C, from C to B.\n", 0.5),  # out of order, so one of the two
        ("First C. Then B. Then C.\n", 0.5),  # the first mention counts
        ("Only B.\n", 0.5),
        ("BC\n", 0.0),
        ("", 0.0),
        ("A, B, C, D, " + ", ".join(f"E{n}" for n in range(200)) + "\n", 0.0),  # a list of everything
    ],
)
def test_the_way_is_paid_in_order_and_not_by_lists(before, share):
    verdict = verify("kg", f"{before}Answer: D", reference=CHAIN)
    assert verdict.passed
    assert part(verdict, "kg_path").score == share


def test_a_right_way_to_a_wrong_answer_scores_nothing():
    verdict = verify("kg", "From A to B, from B to C.\nAnswer: E", reference=CHAIN)
    assert (verdict.score, part(verdict, "kg_path").score) == (0.0, 1.0)


def test_where_nothing_lies_between_there_is_no_way_to_pay():
    one = part(verify("kg", "D", reference={"answers": ["D"], "path": []}), "kg_path")
    assert (one.status, one.score) == (Status.UNSUPPORTED, None)
    assert part(verify("kg", "D", reference={"answers": ["D"]}), "kg_path") is None


def test_thinking_counts_as_reasoning():
    verdict = verify("kg", "<think>A, then B, then C.</think>Answer: D", reference=CHAIN)
    assert part(verdict, "kg_path").score == 1.0


@pytest.mark.parametrize(
    ("text", "share"), [("abac", 1.0), ("adac", 0.0), ("abad", 1.0), ("acac", 0.0), ("abacac", 0.0)]
)
def test_the_way_in_codes(text, share):
    assert part(check("chain", text), "kg_path").score == share


GRAPH = {"name": "permutations", "entities": 24, "relations": 4, "seed": 1}


def walked(hops, wording):
    """Return a path of the graph, and its reference with everything in it."""
    graph = open_corpus(GRAPH).graph
    for start in range(graph.num_entities):
        steps = tuple(range(hops))
        nodes = [start]
        for step in steps:
            nodes.append(int(graph.successors(nodes[-1], step)[0]))
        if len(set(nodes)) == len(nodes):
            break
    path = Path(tuple(nodes), steps)
    reference = {
        "answers": accepted(graph, [path.end]),
        "path": accepted(graph, path.middle),
        "graph": GRAPH,
        "start": graph.entities[start].id,
        "steps": [step_id(graph, step) for step in steps],
        **({"codes": 1, "chain": True} if wording == "codes" else {}),
    }
    return graph, path, reference


@pytest.mark.parametrize("wording", ["text", "codes"])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_a_right_response_is_consistent(hops, wording):
    graph, path, reference = walked(hops, wording)
    right = answer(graph, path, [path.end], wording, reasoning=True)
    verdict = verify("kg", right, reference=reference)
    assert verdict.passed
    assert part(verdict, "kg_consistency").score == 1.0
    assert part(verdict, "kg_path").score == (None if hops == 1 else 1.0)


def test_consistency_is_the_share_of_links_that_are_facts():
    graph, path, reference = walked(3, "text")
    names = [graph.entities[place].label for place in path.nodes]
    start, one, two, end = names
    other = next(
        entity.label
        for place, entity in enumerate(graph.entities)
        # No fact leads to it from the start by the first step, from the second by the second, or from it to the end.
        if entity.label not in names and not graph.holds(place, path.steps[2], path.end)
    )

    def share(text):
        return part(verify("kg", text, reference=reference), "kg_consistency").score

    assert share(f"{start}, {one}, {two}.\nAnswer: {end}") == 1.0
    assert (
        share(f"{one}, {two}, {end}.\nAnswer: {end}") == 1.0
    )  # the start may be left out, the end said before
    assert share(f"{start}, {one}, {other}.\nAnswer: {end}") == pytest.approx(1 / 3)
    assert share(f"{start}, {one}, {two}.\nAnswer: {other}") == pytest.approx(2 / 3)
    assert share(f"{start}, {one}.\nAnswer: {two}") == pytest.approx(2 / 3)  # one of three links is missing
    assert share(f"Answer: {end}") == 0.0
    assert share("Answer: nobody") == 0.0


def test_a_list_of_all_entities_earns_nothing_on_the_way():
    graph, path, reference = walked(3, "text")
    end = graph.entities[path.end].label
    everything = ", ".join(entity.label for entity in graph.entities)
    on_the_way = ", ".join(graph.entities[place].label for place in path.middle)
    for text in (everything, f"{on_the_way}, {everything}", f"{everything}\n{on_the_way}"):
        verdict = verify("kg", f"{text}\nAnswer: {end}", reference=reference)
        assert verdict.passed
        assert part(verdict, "kg_path").score == 0.0
        assert part(verdict, "kg_consistency").score < 0.2


def test_the_entities_named_by_a_longer_name_are_not_named():
    # York is on the way, New York is not.
    reference = {"answers": accepted(CITIES, [2]), "path": accepted(CITIES, [CITIES.place("Q17")])}
    assert part(verify("kg", "York.\nAnswer: Paris", reference=reference), "kg_path").score == 1.0
    assert part(verify("kg", "Yorkshire.\nAnswer: Paris", reference=reference), "kg_path").score == 0.0


PAGE = pathlib.Path(__file__).parents[2] / "docs" / "verifiers.md"
ROW = re.compile(r"^\| [^|]* \| `([^`]+)` \| `([^`]+)` \| (passed|failed) \|$", re.MULTILINE)


@pytest.mark.parametrize(("answers", "response", "status"), ROW.findall(PAGE.read_text(encoding="utf-8")))
def test_the_table_of_the_docs_is_true(answers, response, status):
    rows = []
    for name in answers.split("; "):
        quantity = read_quantity(name)
        value = {"value": re.sub("[^0-9]", "", name), "unit": re.sub("[0-9 ]", "", name)} if quantity else {}
        rows.append({"id": name, "forms": [name], "loose": [name], **value})
    verdict = verify("kg", response, reference={"answers": rows, "many": len(rows) > 1})
    assert verdict.status.value == status, verdict.reason


def test_the_table_of_the_docs_has_rows():
    assert len(ROW.findall(PAGE.read_text(encoding="utf-8"))) >= 20


SIZE = 65_536
BEGINNINGS = {
    "letters": "a",
    "spaces": " ",
    "commas": ",",
    "conjunctions": " and ",
    "boxes": "\\boxed{Paris} ",
    "open boxes": "\\boxed{",
    "labels": "Answer: Paris\n",
    "labels in a line": "Answer: Paris. ",
    "half labels": "the answer to the ",
    "headings": "## Answer\n",
    "hashes": "####\n",
    "tags": "<answer>Paris</answer>",
    "open tags": "<answer>",
    "thoughts": "<think></think>",
    "comments": "<!--",
    "brackets": "(",
    "numbers": "1,",
    "stars": "**",
    "marks": "x\u0301",
    "ligatures": "\ufdfa",
    "backslashes": "\\",
    "dollars": "$",
    "names": "France Paris ",
    "alternatives": "Paris or ",
    "sentences in sentences": "it is ",
    "labels in labels": "answer is ",
    "formulas": "$\\(",
}


@pytest.mark.parametrize("name", ["paris", "three", "length"])
@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS)
def test_no_text_of_65536_characters_takes_long(name, beginning):
    text = beginning * (SIZE // len(beginning))
    for response in (text, f"Answer: {text[:1_900]}", f"{text}\nAnswer: Paris"):
        # The quickest of three, since other programs may run beside.
        times = []
        for _ in range(3):
            start = time.process_time()
            check(name, response)
            times.append(time.process_time() - start)
        assert min(times) < 2.0


def quickest(text, reference):
    times = []
    for _ in range(3):
        start = time.process_time()
        verify("kg", text, reference=reference)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize(("number", "pieces"), [(60, 40), (200, 5)])
def test_names_of_many_pieces_take_no_long_time(number, pieces):
    labels = [", ".join(f"w{at}x{each}" for at in range(pieces)) for each in range(number)]
    reference = {"answers": labels, "many": True}
    assert verify("kg", "; ".join(labels[: 20_000 // len(labels[0])]), reference=reference).decided
    part = ", ".join(f"w{at}x0" for at in range(pieces - 1))
    for line in (
        "; ".join(labels),
        ", ".join("q" for _ in range(280)),
        ", ".join([part] * 9),
        ", ".join(["w0x0"] * 280),
    ):
        for text in (line, "\n".join([line] * 12), "\n".join([f"Answer: {line}"] * 12)):
            assert quickest(f"Answer: {text[:60_000]}", reference) < 2.0
