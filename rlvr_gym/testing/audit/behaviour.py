"""Behaviours: what must hold whatever the verdicts are."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rlvr_gym.testing.audit.bench import Bench
from rlvr_gym.testing.audit.child import MEMORY_WINDOWS
from rlvr_gym.testing.audit.ground import Ground
from rlvr_gym.testing.audit.outcome import ERROR, REFUSED, Outcome
from rlvr_gym.testing.audit.process import Judging, Lost
from rlvr_gym.testing.audit.report import Fault, Finding, Row
from rlvr_gym.testing.audit.target import Kind
from rlvr_gym.types import Json

_REPEATS = 4
_KEPT_BYTES = 48.0
"""Bytes that one more call may keep: less than the shortest text."""
_RESIDENT_BYTES = 20_000.0
"""The same for memory as the system counts it, which grows in large steps."""


BEHAVIOURS = ("repeats", "threads", "asyncio", "task names", "bad references", "memory", "traces")
"""Names of all behaviours, in the order they are asked for."""


class Behaviours:
    """Asks the same questions again, in other ways.

    Args:
        bench: The target.
        fresh: A second process of it, with another order of sets.
        grounds: The examples.
        kind: What the target is.
        references: Whether the reference matters, and can be another.
    """

    def __init__(
        self, bench: Bench, fresh: Judging, grounds: Sequence[Ground], *, kind: Kind, references: bool
    ) -> None:
        self._bench = bench
        self._fresh = Bench(fresh, bench.limit_s)
        self._grounds = grounds
        self._kind = kind
        self._references = references
        self._calls: list[dict[str, Json]] = [
            {"case": g.case, "text": text} for g in grounds[:3] for text in _texts(g)
        ]
        self._first: list[Outcome] = []
        self._asks: Mapping[str, Callable[[Row], None]] = {
            "repeats": self._repeats,
            "threads": self._together,
            "asyncio": self._together,
            "task names": self._ids,
            "bad references": self._bad_references,
            "memory": self._memory,
            "traces": self._traces,
        }

    def rows(self, wanted: Collection[str]) -> Iterator[Row]:
        """Yield one row per behaviour of ``wanted`` that the target can have."""
        for name in BEHAVIOURS:
            if name in wanted and self._has(name):
                row = Row(name)
                self._asks[name](row)
                yield row

    def _has(self, name: str) -> bool:
        if name == "task names":
            return self._kind != "function"
        return name != "bad references" or self._references

    def _repeats(self, row: Row) -> None:
        """Judge again, by a second thing of the same settings, and in another process."""
        for call, first in zip(self._calls, self._alone(row), strict=True):
            for bench, where in ((self._bench, "again"), (self._fresh, "in another process")):
                for _ in range(_REPEATS):
                    self._compare(row, where, call, first, self._judge(bench, row, call))
        twins = self._bench.together(row.family, "twin", self._calls)
        self._compare_all(row, "by a second one", self._calls, self._alone(row), twins)

    def _alone(self, row: Row) -> list[Outcome]:
        """Return what became of each text by itself; judged when first asked for."""
        if not self._first:
            self._first = [self._judge(self._bench, row, call) for call in self._calls]
        return self._first

    def _judge(self, bench: Bench, row: Row, call: Json) -> Outcome:
        row.num_probes += 1
        if bench.spent(row.family):
            row.num_skipped += 1
            return Outcome("skipped")
        outcome, fault = bench.judge(row.family, call)
        row.statuses[outcome.status] += 1
        # A text that crashes has been found before; here it matters that it does so again.
        if fault == "hung":
            self._add(row, "hung", "again", outcome.reason, call)
        return outcome

    def _compare(self, row: Row, name: str, call: Json, first: Outcome, now: Outcome) -> None:
        if "skipped" not in (first.status, now.status) and now.same != first.same:
            detail = f"first {first.shown()}; then {now.shown()}"
            if not any(f.name == name and f.text == call["text"] for f in row.findings):
                self._add(row, "changed", name, detail, call)

    def _compare_all(
        self, row: Row, name: str, calls: Sequence[Json], first: Sequence[Outcome], now: Json | Lost
    ) -> None:
        row.num_probes += len(calls)
        if isinstance(now, Lost):
            fault: Fault = "hung" if now.hung else "crashed"
            row.findings.append(Finding(fault, row.family, name, str(now)))
            return
        for call, before, after in zip(calls, first, map(Outcome.from_dict, now), strict=True):
            self._compare(row, name, call, before, after)

    def _together(self, row: Row) -> None:
        """Judge all at once, each several times."""
        calls, how = self._calls * 2, row.family
        self._compare_all(row, how, calls, self._alone(row) * 2, self._bench.together(how, how, calls))

    def _ids(self, row: Row) -> None:
        """Judge tasks of other names."""
        for call, first in zip(self._calls, self._alone(row), strict=True):
            core = self._grounds[call["case"]].core
            for id in dict.fromkeys(["", "0", "test/1", core[:200]]):
                now = self._judge(self._bench, row, {**call, "id": id})
                self._compare(row, f"task named '{id:.40}'", call, first, now)

    def _bad_references(self, row: Row) -> None:
        """Judge against references that say nothing."""
        known = {type(example["reference"]) for example in self._bench.judging.examples}
        for ground in self._grounds[:1]:
            for bad in _bad(known):
                texts = [ground.right or "0", "", str(bad), *ground.others[:1]]
                for text in dict.fromkeys(texts):
                    self._judge_bad(row, {"case": ground.case, "text": text, "reference": [bad]}, bad)

    def _judge_bad(self, row: Row, call: Json, bad: Json) -> None:
        outcome = self._judge(self._bench, row, call)
        name = f"reference {bad!r:.40}"
        if any(f.name == name for f in row.findings) or outcome.status in (REFUSED, "skipped"):
            return
        # Where examples need no reference, a strange one is no less to go by.
        grave = all(example["reference"] is not None for example in self._bench.judging.examples)
        if outcome.pays():
            self._add(row, "paid", name, outcome.shown(), call, grave=grave)
        elif outcome.status == ERROR:
            # A plain function has no better way of saying so.
            if self._kind == "verifier":
                self._add(
                    row,
                    "crashed",
                    name,
                    f"{outcome.reason}; a TaskError would say that the task is wrong",
                    call,
                )
        elif outcome.score is not None:
            detail = f"{outcome.shown()}; the policy gets the blame for a task without an answer"
            self._add(row, "refused", name, detail, call, grave=grave and self._kind == "verifier")

    def _memory(self, row: Row) -> None:
        """Judge the same few texts many times."""
        quick = [
            (call, outcome.seconds)
            for call, outcome in zip(self._calls, self._alone(row), strict=True)
            if outcome.score is not None and outcome.seconds < 0.005
        ][:6]
        if not quick:
            return
        # As often as takes a third of a second per window without being watched.
        times = max(30, min(100, int(0.3 / sum(seconds for _, seconds in quick))))
        row.num_probes = MEMORY_WINDOWS * times * len(quick)
        grown = self._bench.together(row.family, "memory", [call for call, _ in quick], times=times)
        if isinstance(grown, Lost):
            fault: Fault = "hung" if grown.hung else "crashed"
            row.findings.append(Finding(fault, row.family, "many calls", str(grown)))
        elif grown["python"] > _KEPT_BYTES or grown["resident"] > _RESIDENT_BYTES:
            kept = max(grown["python"], grown["resident"])
            detail = f"every call keeps {kept:,.0f} bytes"
            row.findings.append(Finding("other", row.family, "many calls", detail))

    def _traces(self, row: Row) -> None:
        """Judge and look at what has changed in the process."""
        row.num_probes = len(self._calls)
        found = self._bench.together(row.family, "traces", self._calls)
        if isinstance(found, Lost):
            fault: Fault = "hung" if found.hung else "crashed"
            row.findings.append(Finding(fault, row.family, "traces", str(found)))
        else:
            row.findings += [Finding("other", row.family, name, detail) for name, detail in found.items()]

    def _add(self, row: Row, fault: Fault, name: str, detail: str, call: Json, *, grave: bool = True) -> None:
        reference = call.get("reference", [self._bench.judging.examples[call["case"]]["reference"]])[0]
        row.findings.append(Finding(fault, row.family, name, detail, call["text"], reference, grave))


def _texts(ground: Ground) -> Iterable[str]:
    wrapped = [channel.wrap(ground.decoys[0]) for channel in ground.channels[:2]]
    texts = [*([] if ground.right is None else [ground.right]), *wrapped, *ground.others[:1], "no idea", ""]
    return dict.fromkeys(texts)


def _bad(known: Iterable[type]) -> list[Any]:
    """Return references of types that no example has, and texts that say nothing."""
    values: list[Any] = [None, [], {}, {"nothing": "known"}, math.nan]
    found = [value for value in values if type(value) not in known]
    # JSON has one kind of number.
    if int in known:
        found = [value for value in found if not isinstance(value, float)]
    return found + (["", " \n"] if str in known else [])
