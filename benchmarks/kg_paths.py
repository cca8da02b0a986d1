"""Paths through a knowledge graph beside networkx's own neighbour walks, in one run: speed, memory, loading, questions.

Run: ``python benchmarks/kg_paths.py [--quick]``. Both sides read the same million-line file, each in a process of its
own; memory is what that process holds more when the graph stands than before, unused pages given back. Times are CPU
times, so that other jobs of the machine do not count. The dense graph has the size of FB15k-237, with many-valued
relations and worse hubs.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import networkx
import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.table import Table

from rlvr_gym.graphs import Entity, KnowledgeGraph, Relation, open_corpus
from rlvr_gym.graphs.sampling import Sampler
from rlvr_gym.graphs.structure import GateConfig

ENTITIES, RELATIONS, FACTS = 100_000, 100, 1_000_000
HOPS = 3
PATHS_WANTED, TIMES_WANTED, SHARE_WANTED, LOAD_WANTED_S, QUESTIONS_WANTED = 500_000, 10, 0.15, 5.0, 500
STRICT = GateConfig(answers="set", max_answers=3, max_in_degree=200, min_facts=10)
SAMPLERS = {
    "balanced over relations and against hubs": {},
    "the same, both ways": {"inverse": True},
    "balanced over relations": {"hubs": 0.0},
    "every fact alike": {"balance": "fact", "hubs": 0.0},
}


def write(path: Path, facts: int) -> None:
    """Write a uniform random graph."""
    rng = np.random.default_rng(0)
    columns = [rng.integers(size, size=facts).tolist() for size in (ENTITIES, RELATIONS, ENTITIES)]
    with path.open("w", encoding="ascii") as file:
        file.writelines(f"e{head}\tr{kind}\te{tail}\n" for head, kind, tail in zip(*columns, strict=True))


def resident_mib() -> float:
    """Return the memory of this process, in MiB, without what it only keeps for later."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def rate(draw: Callable[[int], int], number: int, rounds: int = 5) -> float:
    """Return the median rate of ``draw``, which draws about ``number`` things and says how many."""
    rates = []
    for _ in range(rounds):
        start = time.process_time()
        drawn = draw(number)
        rates.append(drawn / (time.process_time() - start))
    return statistics.median(rates)


def ours(path: Path, small: Path, paths: int) -> tuple[float, list[float], dict[str, float]]:
    """Return seconds to load, MiB of the graph and with a sampler beside it, and paths a second of each sampler."""
    # Whatever is set up once is set up by a small graph.
    open_corpus(str(small)).graph.steps  # noqa: B018
    before = resident_mib()
    start = time.process_time()
    graph = open_corpus(str(path)).graph
    graph.steps  # noqa: B018
    seconds = time.process_time() - start
    memory = [resident_mib() - before]
    rates = {}
    for name, settings in SAMPLERS.items():
        sampler = Sampler(graph, **settings)  # type: ignore[arg-type]
        rng = np.random.default_rng(0)
        sampler.sample(rng, 10, HOPS)
        memory.append(resident_mib() - before)
        rates[name] = rate(
            lambda number, sampler=sampler, rng=rng: len(sampler.sample(rng, number, HOPS)[0]), paths
        )  # type: ignore[misc]
    return seconds, memory[:2], rates


def theirs(path: Path, small: Path, paths: int) -> tuple[float, list[float], dict[str, float]]:
    """Return the same of networkx."""
    read_networkx(small)
    before = resident_mib()
    start = time.process_time()
    graph = read_networkx(path)
    seconds = time.process_time() - start
    memory = resident_mib() - before
    rng = random.Random(0)
    nodes = list(graph)

    def walks(number: int) -> int:
        arrived = 0
        for _ in range(number):
            at, path = rng.choice(nodes), []
            for _ in range(HOPS):
                if not graph.succ[at]:
                    break
                end = rng.choice(list(graph.succ[at]))
                path += [at, rng.choice(list(graph.succ[at][end]))]
                at = end
            arrived += len(path) == 2 * HOPS
        return arrived

    return seconds, [memory], {"every neighbour alike": rate(walks, paths // 50)}


def read_networkx(path: Path) -> networkx.MultiDiGraph:
    """Return the MultiDiGraph of a file; each name is one string, which makes it as small as it can be."""
    names: dict[str, str] = {}
    graph = networkx.MultiDiGraph()
    with path.open(encoding="ascii") as file:
        for line in file:
            head, kind, tail = (names.setdefault(name, name) for name in line.rstrip("\n").split("\t"))
            graph.add_edge(head, tail, kind)
    return graph


def dense(entities: int = 14_541, relations: int = 237, facts: int = 310_000) -> KnowledgeGraph:
    """Return a graph with Zipf's law in everything: sizes of relations, and who is head and tail; some go both ways."""
    rng = np.random.default_rng(0)
    popular = 1 / np.arange(1, entities + 1) ** 0.8
    sizes = 1 / np.arange(1, relations + 1)
    parts: list[NDArray[np.int64]] = []
    for kind, size in enumerate((1.5 * facts * sizes / sizes.sum()).astype(int) + 40):
        fan = rng.choice([1, 1, 2, 5, 20])
        num_heads = min(entities, max(5, size // fan))
        num_tails = int(np.exp(rng.uniform(np.log(10), np.log(entities / 2))))
        heads = rng.choice(entities, num_heads, replace=False, p=popular**0.5 / np.sum(popular**0.5))
        tails = np.sort(rng.choice(entities, num_tails, replace=False, p=popular / popular.sum()))
        mass = np.cumsum(1 / np.arange(1, num_tails + 1))
        drawn = np.stack(
            [
                rng.choice(heads, size),
                np.full(size, kind),
                tails[np.searchsorted(mass / mass[-1], rng.random(size))],
            ],
            axis=1,
        )
        parts.append(drawn)
        if kind % 7 == 0:
            parts.append(drawn[:, [2, 1, 0]])
    different = np.unique(np.concatenate(parts), axis=0)
    return KnowledgeGraph(
        [Entity(f"e{place}") for place in range(entities)],
        [Relation(f"r{place}") for place in range(relations)],
        rng.permutation(different)[:facts],
    )


def questions(graph: KnowledgeGraph, hops: int, config: GateConfig, number: int) -> tuple[float, float, str]:
    """Return sound questions a second, their share of the paths, and what refused most."""
    sampler = Sampler(graph)
    rng = np.random.default_rng(hops)
    sampler.sound(rng, 10, hops, config)
    sampler.rejected.clear()
    counts: list[int] = []

    def draw(number: int) -> int:
        counts.append(len(sampler.sound(rng, number, hops, config)))
        return counts[-1]

    found = rate(draw, number)
    refused = sampler.rejected.total()
    why = ", ".join(
        f"{reason.value} {count / refused:.0%}" for reason, count in sampler.rejected.most_common(3)
    )
    return found, sum(counts) / (sum(counts) + refused), why


def columns(title: str, *names: str) -> Table:
    """Return an empty table."""
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    for place, name in enumerate(names):
        table.add_column(name, justify="right" if place else "left")
    return table


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    scale = 10 if parser.parse_args().quick else 1
    console = Console(width=130)
    with tempfile.TemporaryDirectory() as folder:
        path, small = Path(folder, "facts.tsv"), Path(folder, "small.tsv")
        write(path, FACTS // scale)
        write(small, 1000)
        found = []
        for side in (ours, theirs):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                found.append(pool.submit(side, path, small, 200_000 // scale).result())
    (load_s, (memory, with_sampler), rates), (their_load_s, (their_memory,), their_rates) = found
    table = columns(
        f"{FACTS // scale:,} facts, {ENTITIES:,} entities, {RELATIONS} relations",
        "",
        "ours",
        "networkx",
        "ratio",
        "wanted",
    )
    table.add_row(
        "load of the file, CPU s",
        f"{load_s:.2f}",
        f"{their_load_s:.2f}",
        f"{load_s / their_load_s:.2f}",
        f"under {LOAD_WANTED_S:.0f} s",
    )
    table.add_row(
        "memory, MiB",
        f"{memory:.1f}",
        f"{their_memory:.1f}",
        f"{memory / their_memory:.1%}",
        f"at most {SHARE_WANTED:.0%}",
    )
    table.add_row(
        "with a sampler's tables beside it, MiB",
        f"{with_sampler:.1f}",
        "",
        f"{with_sampler / their_memory:.1%}",
        "",
    )
    ((_, their_rate),) = their_rates.items()
    for name, value in rates.items():
        table.add_row(
            f"{HOPS}-hop paths/s, {name}",
            f"{value:,.0f}",
            f"{their_rate:,.0f}",
            f"{value / their_rate:,.0f}x",
            f"{PATHS_WANTED:,} and {TIMES_WANTED}x",
        )
    console.print(table)
    graph = dense()
    table = columns(
        f"questions that pass the strict filter; {graph.num_facts:,} facts, {graph.num_entities:,} entities, "
        f"{graph.num_relations} relations, in-degrees to {graph.in_degrees.max():,}",
        "hops",
        "shortcuts refused",
        "questions/s",
        "share of paths",
        "wanted",
        "refused for",
    )
    for hops, shortcut in ((2, "any"), (2, "question"), (3, "question"), (4, "question")):
        config = STRICT.model_copy(update={"shortcut": shortcut})
        value, share, why = questions(graph, hops, config, 2000 // scale)
        wanted = f"{QUESTIONS_WANTED}" if hops == 2 else ""
        table.add_row(str(hops), shortcut, f"{value:,.0f}", f"{share:.1%}", wanted, why)
    console.print(table)


if __name__ == "__main__":
    main()
