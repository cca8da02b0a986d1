"""Graphs in tables: what they say, and which lines are refused."""

import re
import time

import numpy as np
import psutil
import pytest

from rlvr_gym.graphs import Entity, Relation, open_corpus
from rlvr_gym.graphs.reading import MAX_LINE_BYTES
from tests.graph_files import FACTS, by_ids, refusal, write


def test_tables_say_what_things_are_called(tmp_path):
    corpus = open_corpus(
        {
            "name": "tsv",
            "file": str(write(tmp_path / "facts.tsv", FACTS)),
            "labels": str(write(tmp_path / "labels.tsv", "ada\tAda Lovelace\tperson\nlondon\t\tcity\n")),
            "aliases": str(write(tmp_path / "aliases.tsv", "ada\tCountess\tA. L.\nada\tCountess\n")),
            "relations": str(
                write(tmp_path / "relations.tsv", "born in\tbirthplace\tperson born in\tperson\tcity\n")
            ),
        }
    )
    assert by_ids(corpus.graph) == (
        {("ada", "born in", "london"), ("london", "part of", "england")},
        {
            # Two lines gave Ada aliases, one of them twice.
            "ada": Entity("ada", "Ada Lovelace", "person", ("Countess", "A. L.")),
            "london": Entity("london", "", "city"),
            "england": Entity("england"),
        },
        {
            "born in": Relation("born in", "birthplace", "person born in", "person", "city"),
            "part of": Relation("part of"),
        },
    )
    assert corpus.notes == ()


@pytest.mark.parametrize(
    "content",
    [
        FACTS.replace("\n", "\r\n"),
        FACTS.rstrip("\n"),
        "\n" + FACTS.replace("\n", "\n\n\n"),
        b"\xef\xbb\xbf" + FACTS.encode(),
    ],
    ids=["windows", "no last newline", "empty lines", "mark of UTF-8"],
)
def test_harmless_differences_of_files_change_nothing(tmp_path, content):
    plain = open_corpus(str(write(tmp_path / "plain.tsv", FACTS))).graph
    assert open_corpus(str(write(tmp_path / "facts.txt", content))).graph.digest == plain.digest


def test_a_header_is_left_out_only_when_the_settings_say_so(tmp_path):
    file = str(write(tmp_path / "facts.tsv", "head\trelation\ttail\n" + FACTS))
    assert "head" in open_corpus(file).graph
    assert "head" not in open_corpus({"name": "tsv", "file": file, "header": True}).graph


def test_what_a_reader_should_know_is_noted(tmp_path):
    file = write(tmp_path / "facts.tsv", FACTS + FACTS + "ada\tknows\tada\n")
    labels = write(tmp_path / "labels.tsv", "ada\tLondon\nlondon\tLondon\n")
    assert open_corpus({"name": "tsv", "file": str(file), "labels": str(labels)}).notes == (
        "facts that the file repeats: 2",
        "facts whose head is also their tail: 1",
        "labels that several entities share, ambiguous as names: 1, 'London' being that of 2",
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("ada\tborn in\n", ":3: head, relation and tail are 3 fields with tabs between, got 2."),
        ("ada born in london\n", ":3: .* got 1: 'ada born in london'."),
        ("a\tb\tc\td\n", ":3: .* got 4."),
        ("ada\t\tlondon\n", ":3: the relation is empty."),
        ("ada\tborn in\t \n", ":3: the tail ' ' is empty."),
        ("ada\tborn in\tparis \n", ":3: the tail 'paris ' begins or ends with a space."),
        (b"ada\tborn in\tpar\xe9s\n", r":3: not UTF-8 at byte 16 of the line \(0xe9\)."),
        (b"ada\tborn in\t\xed\xa0\x80\n", r":3: not UTF-8 at byte 13 of the line \(0xed\)."),
        (b"ada\tborn\0in\tparis\n", r":3: control character U\+0000 at column 9."),
        ("ada\tborn in\tparis\u2028\n", r":3: control character U\+2028 at column 18."),
        ("ada\tborn in\tparis\rbob\n", r":3: control character U\+000D at column 18."),
        ("a" * MAX_LINE_BYTES + "\tb\tc\n", ":3: the line is longer than 1 MiB."),
    ],
)
def test_a_bad_line_is_refused_with_its_number_and_the_reason(tmp_path, content, reason):
    content = content if isinstance(content, bytes) else content.encode()
    file = write(tmp_path / "facts.tsv", FACTS.encode() + content + b"x\ty\tz\n")
    assert re.fullmatch(re.escape(str(file)) + reason, refusal(str(file)))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", ": no facts."),
        (b"\n\n", ": no facts."),
        (FACTS.encode("utf-16"), ":1: the file is UTF-16; save it as UTF-8."),
        (FACTS.encode("utf-32"), ":1: the file is UTF-32; save it as UTF-8."),
        # Without a mark, UTF-16 is text with a NUL behind every letter.
        (FACTS.encode("utf-16-le"), ":1: control character U+0000 at column 2."),
        (b"\x80\x04\x95" + bytes(100) + b"\n", ":1: not UTF-8 at byte 1 of the line (0x80)."),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path, content, reason):
    file = write(tmp_path / "facts.tsv", content)
    assert refusal(str(file)) == f"{file}{reason}"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("labels", "lodon\tLondon\n", ":1: no entity of the facts has the id 'lodon'. Did you mean 'london'?"),
        ("aliases", "ada\tA\nengl\tE\n", ":2: no entity of the facts has the id 'engl'. Did you mean 'england'?"),
        ("relations", "bornin\tx\n", ":1: no relation of the facts has the id 'bornin'. Did you mean 'born in'?"),
        ("labels", "ada\tAda\nlondon\tL\nada\tAda L.\n", ":3: 'ada' has another label in line 1."),
        ("labels", "ada\tAda\tperson\nada\tAda\tcity\n", ":2: 'ada' has another type in line 1."),
        ("labels", "ada\n", ":1: id, label and optionally type are 2 or 3 fields, got 1: 'ada'."),
        ("labels", "ada\t\n", ":1: the label is empty."),
        ("aliases", "ada\n", ":1: id and aliases are at least 2 fields, got 1: 'ada'."),
        ("aliases", "ada\tA\t\n", ":1: the alias is empty."),
        ("relations", "part of\twhole\tpart\tx\n", ":1: id, phrase, inverse phrase, head type and tail type are 2, 3 or 5 fields, got 4."),
        ("relations", "part of\tw\npart of\tv\n", ":2: 'part of' is described otherwise in line 1."),
        ("relations", "part of\t w\n", ":1: the phrase ' w' begins or ends with a space."),
    ],
)  # fmt: skip
def test_a_bad_line_beside_the_facts_is_refused(tmp_path, name, content, reason):
    file, other = write(tmp_path / "facts.tsv", FACTS), write(tmp_path / "other.tsv", content)
    assert refusal({"name": "tsv", "file": str(file), name: str(other)}) == f"{other}{reason}"


def test_skipping_leaves_out_bad_lines_and_counts_them(tmp_path):
    file = write(tmp_path / "facts.tsv", FACTS + "paris\tpart of\nparis\tpart of\t \nada\tis\tada\n")
    labels = write(tmp_path / "labels.tsv", "ada\tAda\nparis\tParis\n")
    table = {
        "name": "tsv",
        "file": str(file),
        "labels": str(labels),
        "on_bad": "skip",
        "self_loops": "refuse",
    }
    corpus = open_corpus(table)
    # Nothing of a line that was left out is in the graph: neither Paris nor the relation "is".
    assert {entity.id for entity in corpus.graph.entities} == {"ada", "london", "england"}
    assert {relation.id for relation in corpus.graph.relations} == {"born in", "part of"}
    assert corpus.notes == (
        f"lines left out: 3, the first {file}:3: "
        "head, relation and tail are 3 fields with tabs between, got 2.",
        f"lines left out: 1, the first {labels}:2: no entity of the facts has the id 'paris'. "
        "Known: ada, england, london.",
    )


def test_very_many_bad_lines_are_left_out_in_no_time(tmp_path):
    # Looking for the nearest name takes some hundredths of a second, which nobody has a thousand times.
    file = write(tmp_path / "facts.tsv", "".join(f"{n:05}\tnext\t{n + 1:05}\n" for n in range(4000)))
    labels = write(tmp_path / "labels.tsv", "".join(f"x{n:05}\tx\n" for n in range(5000)))
    began = time.process_time()
    corpus = open_corpus({"name": "tsv", "file": str(file), "labels": str(labels), "on_bad": "skip"})
    assert time.process_time() - began < 10
    assert "lines left out: 5000, the first " in corpus.notes[0]


def test_a_file_of_two_gigabytes_without_a_newline_is_refused_after_one_mebibyte(tmp_path):
    file = tmp_path / "huge.tsv"
    with file.open("wb") as out:
        out.truncate(2 << 30)
    read = psutil.Process().io_counters().read_chars
    assert refusal(str(file)) == f"{file}:1: the line is longer than 1 MiB."
    # The figure is that of the whole process, which reads its own files for the figure.
    assert psutil.Process().io_counters().read_chars - read < MAX_LINE_BYTES + (1 << 16)


@pytest.mark.slow
def test_a_million_lines_load_in_five_seconds(tmp_path):
    rng = np.random.default_rng(0)
    ends, kinds = rng.integers(0, 100_000, (1_000_000, 2)).tolist(), rng.integers(0, 200, 1_000_000).tolist()
    with (tmp_path / "facts.tsv").open("w") as out:
        out.writelines(
            f"/m/{head}\tkind/{kind}\t/m/{tail}\n" for (head, tail), kind in zip(ends, kinds, strict=True)
        )
    began = time.process_time()
    graph = open_corpus(str(tmp_path / "facts.tsv")).graph
    assert time.process_time() - began < 5
    assert (graph.num_entities, graph.num_relations) == (100_000, 200)
