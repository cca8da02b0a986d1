import json

import pytest

FACTS = """ada\tborn in\tlondon
bob\tborn in\tparis
cyd\tborn in\tparis
london\tcapital of\tengland
paris\tcapital of\tfrance
ada\tknows\tbob
ada\tknows\tcyd
"""


@pytest.fixture
def facts(tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_text(FACTS)
    return path


def test_a_file_is_shown_with_its_relations_and_the_gate(shell, facts):
    result = shell("graph", facts, "--hops", 2)
    assert (result.code, result.err) == (0, "")
    assert "7 facts, 7 entities, 3 relations; 0 of 7 names mean several entities" in result.out
    # Three people were born in two cities, and each of them in one; Ada knows two.
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert "born in born in 3 3 2 100% 50%" in lines
    assert "knows knows 2 1 2 0% 100%" in lines
    assert any(line.startswith("1 5,000 ") and "not unique" in line for line in lines)


def test_json_holds_all_figures(call, facts):
    found = json.loads(call("graph", facts, "--hops", 3, "--questions", 4, "--json").out)
    assert (found["entities"], found["facts"], found["documents"]) == (7, 7, 0)
    assert (found["names"], found["ambiguous_names"], found["notes"]) == (7, 0, [])
    assert found["relations"][0] == {
        "id": "born in",
        "words": "born in",
        "facts": 3,
        "heads": 3,
        "tails": 2,
        "functional": 1.0,
        "inverse_functional": 0.5,
    }
    by_hops = {row["hops"]: row for row in found["hops"]}
    # "knows" leads from Ada to two people, so no question about it has one answer; the longest walk is ada, bob, paris,
    # france, and as many lead from Ada over Cyd to France: without the fact of either friend the answer is the same.
    assert set(by_hops[1]["rejects"]) == {"not_unique"}
    assert by_hops[1]["sound"] + by_hops[1]["rejects"]["not_unique"] == by_hops[1]["drawn"] == 5000
    assert by_hops[3]["rejects"] == {"unnecessary_hop": 5000}
    for question in found["questions"]:
        assert len(question["answers"]) == 1
        assert len(question["path"]) == 2 * question["hops"] + 1
    asked = {question["question"]: question["answers"] for question in found["questions"]}
    assert len(asked) == len(found["questions"])


def test_the_seed_decides_what_is_drawn(call, facts):
    def drawn(seed):
        return call("graph", facts, "--seed", seed, "--json").out

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_relations_may_be_walked_both_ways_and_gates_be_set(call, facts):
    def hops(*options):
        return json.loads(call("graph", facts, "--hops", 1, "--json", *options).out)["hops"][0]

    assert hops("--wording", "codes")["askable"] > 0
    # With sets as answers, "who does Ada know" is a question.
    assert hops("--gate", "answers=set", "--wording", "codes")["rejects"] == {}
    # From France a walk is possible only against the direction of its facts.
    walked = json.loads(call("graph", facts, "--hops", 1, "--inverse", "--questions", 50, "--json").out)[
        "questions"
    ]
    assert all(len(row["answers"]) == 1 for row in walked)
    assert hops("--inverse", "--wording", "codes")["sound"] != hops("--wording", "codes")["sound"]


def test_settings_belong_to_the_source(call, facts, tmp_path):
    labels = tmp_path / "labels.tsv"
    labels.write_text("ada\tAda Lovelace\tperson\nbob\tAda Lovelace\n")
    found = json.loads(call("graph", facts, "--set", f"labels={labels}", "--json").out)
    assert found["ambiguous_names"] == 1
    assert "'Ada Lovelace' being that of 2" in found["notes"][0]
    found = json.loads(call("graph", "pykeen", "--set", "dataset=kinships", "--hops", 1, "--json").out)
    assert found["entities"] == 104


def test_a_graph_is_written_to_another_format(call, facts, tmp_path):
    out = tmp_path / "graph.graphml"
    assert call("graph", facts, "--out", out, "--hops", 1).code == 0
    before, after = (json.loads(call("graph", file, "--hops", 1, "--json").out) for file in (facts, out))
    assert before["relations"] == after["relations"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.tsv"], "no.tsv: no such file."),
        (["pykin"], "graph: No graph source is named 'pykin'. Did you mean 'pykeen'?"),
        (["pykeen", "--set", "datset=umls"], "graph.datset is not a setting. Did you mean 'dataset'?"),
        (["world", "--gate", "answer=set"], "--gate.answer is not a setting. Did you mean 'answers'?"),
        (["dir/x.csv"], "graph: no graph source reads 'dir/x.csv'."),
    ],
)
def test_a_users_error_is_one_line_and_exit_2(call, arguments, message):
    result = call("graph", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"error: {message}")
    assert result.err.count("\n") == 1


def test_a_wrong_file_is_refused_with_its_line_and_nothing_is_written(shell, facts, tmp_path):
    facts.write_text(FACTS + "dan\tborn in\n")
    result = shell("graph", facts, "--out", tmp_path / "out.json")
    assert (result.code, result.out) == (2, "")
    assert result.err == f"error: {facts}:8: head, relation and tail are 3 fields with tabs between, got 2.\n"
    assert not (tmp_path / "out.json").exists()
