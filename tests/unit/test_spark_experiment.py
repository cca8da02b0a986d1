"""The experiment on SPARK: what its arms play, and what its analysis says of made-up runs."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from rlvr_gym.agents.environment import make_domain
from rlvr_gym.seeding import generator
from rlvr_gym.selfplay.loops import LOOPS


@pytest.fixture(scope="module")
def spark() -> Any:
    return importlib.import_module("experiments.spark")


@pytest.fixture(scope="module")
def design() -> Any:
    return importlib.import_module("experiments.design")


def jobs(spark: Any) -> dict[str, Any]:
    plan = spark.Spark().plan("s", [0])
    first = next(plan)
    return {job.arm: job for job in [*first, *plan.send([])]}


def loop_of(job: Any) -> Any:
    table = dict(job.recipe["loop"])
    entry, settings = LOOPS.resolve(table, where="loop")
    return entry.value(settings, make_domain(job.recipe["environment"]))


def test_the_arms_of_a_pair_differ_in_their_corpus_alone(spark: Any) -> None:
    found = jobs(spark)
    for graph, flat in spark.PAIRS.values():
        one, other = found[graph].recipe, found[flat].recipe
        assert {**one, "loop": {**one["loop"], "corpus": "flat"}} == other


def test_the_pairs_differ_in_the_gate_alone(spark: Any) -> None:
    found = jobs(spark)
    one, other = found[spark.KG].recipe, found[spark.KG_GATED].recipe
    assert one["environment"]["gate"] == {"necessity": False, "shortcut": "off"}
    assert {**one, "environment": {**one["environment"], "gate": {}}} == other


@pytest.mark.parametrize("pair", ["all questions", "gated questions"])
def test_graph_and_flat_text_ask_alike_and_only_flat_text_labels_wrongly(spark: Any, pair: str) -> None:
    found = jobs(spark)
    asked = {}
    for arm in spark.PAIRS[pair]:
        loop = loop_of(found[arm])
        plan = loop.plan(1, generator(0, "plan"), lambda slot: f"w{slot}")
        tasks = [setup.task for setup in plan.setups]
        graph = loop.domain.graph
        wrong = []
        for task in tasks:
            # The first letter is the start, each capital a step; the truth is where they lead.
            start, steps = ord(task.prompt[0]) - ord("a"), [ord(c) - ord("A") for c in task.prompt[1:]]
            (truth,) = graph.answers(start, steps).tolist()
            wrong.append((len(steps), task.reference["answers"][0]["id"] != graph.entities[truth].id))
            assert not loop.domain.held_out(task)
        assert all(setup.attempts == 4 for setup in plan.setups)
        assert plan.train == {"solver"}
        asked[arm] = (len(tasks), wrong)
    graph, flat = (asked[arm] for arm in spark.PAIRS[pair])
    # 8 questions for each of 4 numbers of hops.
    assert graph[0] == flat[0] == 32
    assert not any(wrong for _, wrong in graph[1])
    assert not any(wrong for hops, wrong in flat[1] if hops == 1)
    # A passage holds 12 of 96 facts: a chain of several is seldom whole in it.
    assert np.mean([wrong for hops, wrong in flat[1] if hops > 1]) > 0.5


def test_the_controls_are_those_of_the_loop(spark: Any) -> None:
    found = jobs(spark)
    own = loop_of(found[spark.LOOP]).config
    assert (own.proposer, own.corpus, own.symmetric, own.method) == ("learned", "graph", False, "rl")
    assert loop_of(found["symmetric"]).config.symmetric
    assert loop_of(found["path only"]).config.gate["necessity"] is False
    assert loop_of(found["imitation"]).config.method == "imitation"


def a_run(spark: Any, design: Any, arm: str, seed: int, start: float, ends: list[float]) -> Any:
    curves: dict[str, dict[int, float]] = {
        spark.accuracy(h): {0: start, 9: end} for h, end in zip(spark.HOPS, ends, strict=True)
    }
    curves["heldout_accuracy"] = {0: start, 9: sum(ends) / 4}
    curves["solve_rate"] = {1: 0.5}
    return design.Run(arm, seed, curves | {name: {} for name in ("informative_share",)}, 1.0)


def made_up(spark: Any, design: Any, gap: list[float], gated: list[float]) -> list[Any]:
    runs = []
    for seed in range(8):
        noise = 0.001 * seed
        for (graph, flat), lead in zip(spark.PAIRS.values(), (gap, gated), strict=True):
            runs.append(a_run(spark, design, graph, seed, 0.2, [0.4 + noise + g for g in lead]))
            runs.append(a_run(spark, design, flat, seed, 0.2, [0.4 + noise] * 4))
    return runs


def test_a_gap_that_grows_and_a_lead_at_the_end_confirm_a_claim(spark: Any, design: Any) -> None:
    found = spark.Spark().analyse(made_up(spark, design, [0.0, 0.1, 0.2, 0.3], [0.1] * 4))
    both, gated = found.primaries
    # All of 8 seeds agree: 1 of 256 sign patterns. A gap that is the same at all hops has no slope.
    assert both.p == pytest.approx(1 / 256)
    assert gated.p > 0.4
    slopes = {part.name: part.interval.mean for part in found.parts}
    assert slopes["slope/all questions"] == pytest.approx(0.1)
    assert slopes["slope/gated questions"] == pytest.approx(0.0)
    assert slopes["gap/gated questions"] == pytest.approx(0.1)


def test_a_gap_that_grows_but_ends_below_confirms_nothing(spark: Any, design: Any) -> None:
    found = spark.Spark().analyse(made_up(spark, design, [-0.4, -0.3, -0.2, -0.1], [0.0] * 4))
    assert all(primary.p > 0.9 for primary in found.primaries)


def test_the_table_shows_the_base_the_arms_and_the_gap(spark: Any, design: Any) -> None:
    (table,) = spark.Spark().analyse(made_up(spark, design, [0.0, 0.1, 0.2, 0.3], [0.1] * 4)).tables
    assert table.columns == ["", "1 hop", "2 hops", "3 hops", "4 hops"]
    names = [row[0] for row in table.rows]
    assert names == [
        "base, all questions",
        *spark.PAIRS["all questions"],
        *spark.PAIRS["gated questions"],
        *(f"**graph - flat, {what}**" for what in spark.PAIRS),
    ]
    assert [cell.partition(" ")[0] for cell in table.rows[0][1:]] == ["0.200"] * 4
    assert [cell.partition(" ")[0] for cell in table.rows[-2][1:]] == ["0.000", "0.100", "0.200", "0.300"]


def test_a_page_shows_the_table_between_claims_and_curves(spark: Any, design: Any) -> None:
    results = importlib.import_module("experiments.results")
    experiment = spark.Spark()
    runs = made_up(spark, design, [0.0, 0.1, 0.2, 0.3], [0.1] * 4)
    made = {"parameters": 1, "last_loss": 1.0, "cpu_seconds": 1.0}
    found = results.document(experiment, "s", range(8), runs, command="c", made=made)
    page = results.page(experiment, found, experiment.analyse(runs))
    assert page.index("## Primary claims") < page.index("|  | 1 hop | 2 hops |") < page.index("![curves]")


def test_secondary_arms_run_on_the_first_seeds_after_the_pairs(spark: Any) -> None:
    plan = spark.Spark().plan("s", range(8))
    first = next(plan)
    assert {job.arm for job in first} == {arm for pair in spark.PAIRS.values() for arm in pair}
    assert len(first) == 32
    beside = plan.send([])
    assert {job.seed for job in beside} == set(range(spark._SETTINGS["s"]["beside"]))


def test_all_arms_are_compared_on_the_seeds_that_all_ran(spark: Any, design: Any) -> None:
    runs = made_up(spark, design, [0.0, 0.1, 0.2, 0.3], [0.1] * 4)
    assert spark.Spark().analyse(runs).notes == []
    others = [arm for arm in spark.ARMS if arm not in {run.arm for run in runs}]
    runs += [
        a_run(spark, design, arm, seed, 0.2, [0.5, 0.5, 0.5, 0.625]) for arm in others for seed in (1, 0)
    ]
    (note,) = spark.Spark().analyse(runs).notes
    assert "([0, 1])" in note
    # Seed 0 of the graph's arm ends at 0.4 + 0.3.
    assert "kg 0.700, 0.701;" in note
    assert "imitation 0.625, 0.625." in note
