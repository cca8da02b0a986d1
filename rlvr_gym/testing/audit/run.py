"""The audit: probes, behaviours, and what they found."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from rlvr_gym.errors import UsageError, did_you_mean
from rlvr_gym.testing.audit.behaviour import BEHAVIOURS, Behaviours
from rlvr_gym.testing.audit.bench import Bench, stalled
from rlvr_gym.testing.audit.families import FAMILIES, Family, Probe
from rlvr_gym.testing.audit.ground import CHANNELS, MENTION, Channel, Ground, grounds, taken_apart
from rlvr_gym.testing.audit.outcome import REFUSED, Outcome
from rlvr_gym.testing.audit.process import Judging, Lost
from rlvr_gym.testing.audit.report import AuditReport, Fault, Finding, Row
from rlvr_gym.testing.audit.target import Kind, find_target
from rlvr_gym.testing.contracts import HOSTILE_LIMIT_S
from rlvr_gym.testing.verifiers import Example

ALL = (*(family.name for family in FAMILIES), *BEHAVIOURS)
"""Names of all families of probes and of all behaviours."""
Watch = Callable[[str, int, int], None]
"""``watch(family, done, total)``: told of progress."""


def unwatched(family: str, done: int, total: int) -> None:
    """Tell nobody."""


def audit(
    thing: str | Callable[..., Any],
    *,
    kind: Kind | None = None,
    settings: Mapping[str, Any] | None = None,
    examples: Sequence[Example] = (),
    partial: float = 0.0,
    limit_s: float = HOSTILE_LIMIT_S,
    only: Collection[str] = ALL,
    watch: Watch = unwatched,
) -> AuditReport:
    """Return what a verifier, an environment or a reward function pays for, and how it fails.

    It is run in a process of its own, so that nothing it does can harm or hold up the caller.

    Args:
        thing: Registered name, or a function ``f(response, reference)`` at the top of a module; TRL's and verl's
            shapes are taken too.
        kind: Which of the two, where a name is both a verifier's and an environment's.
        settings: Its settings.
        examples: References with right responses, and optionally wrong ones. An environment has its own, and so has
            a verifier that an environment uses.
        partial: Score that a wrong answer may earn by design, such as for its form; 1 for what judges form alone.
        limit_s: Longest time that a verdict may take.
        only: Families and behaviours to try; all of them if left out.
        watch: Told of progress.

    Raises:
        UnknownNameError: no such verifier or environment.
        ConfigError: a wrong setting.
        UsageError: nothing to judge against, or a function that no other process can find.
    """
    start = time.perf_counter()
    for name in only:
        if name not in ALL:
            raise UsageError(f"audit: no family of probes is named '{name}'.{did_you_mean(name, ALL)}")
    target = find_target(thing, kind, settings or {}, examples)
    with Judging(target) as judging, Judging(target, hash_seed=1) as fresh:
        try:
            judging.start()
        except Lost as lost:
            finding = Finding("hung" if lost.hung else "crashed", "start", "import", str(lost))
            row = Row("start", 1, findings=[finding])
            return AuditReport(target.name, target.kind, [row], time.perf_counter() - start)
        bench = Bench(judging, limit_s)
        found = _grounds(bench, judging)
        probing = _Probing(bench, found, partial, only, watch)
        rows = list(probing.rows())
        references = target.kind != "env" and partial < 1.0
        for row in Behaviours(bench, fresh, found, kind=target.kind, references=references).rows(only):
            rows.append(row)
            probing.tell(row.family)
    return AuditReport(target.name, target.kind, rows, time.perf_counter() - start)


def _grounds(bench: Bench, judging: Judging) -> list[Ground]:
    """Return the examples taken apart, after asking in which forms a right answer is paid."""
    examples = [Example(**{**row, "wrong": tuple(row["wrong"])}) for row in judging.examples]
    paid: list[list[Channel]] = []
    for case, example in enumerate(examples):
        paid.append([])
        if example.right is None:
            continue
        _, core = taken_apart(example.right)
        for channel in (*CHANNELS, MENTION):
            if not bench.spent("start"):
                outcome, _ = bench.judge("start", {"case": case, "text": channel.wrap(core)})
                if outcome.pays():
                    paid[-1].append(channel)
    return grounds(examples, paid)


class _Probing:
    """Runs every family on the examples."""

    def __init__(
        self, bench: Bench, grounds: Sequence[Ground], partial: float, only: Collection[str], watch: Watch
    ) -> None:
        self._bench = bench
        self._partial = partial
        self._watch = watch
        self._plan = [
            (family, [probe for ground in grounds[: family.cases] for probe in family.probes(ground)])
            for family in FAMILIES
            if family.name in only
        ]
        self._total = sum(len(probes) for _, probes in self._plan) + len(set(BEHAVIOURS) & set(only))
        self._done = 0

    def tell(self, family: str) -> None:
        """Report one more probe or behaviour as done."""
        self._done += 1
        self._watch(family, self._done, self._total)

    def rows(self) -> Sequence[Row]:
        """Return one row per family."""
        return [self._row(family, probes) for family, probes in self._plan if probes]

    def _row(self, family: Family, probes: Sequence[Probe]) -> Row:
        row = Row(family.name, len(probes))
        for probe in probes:
            self.tell(family.name)
            if self._bench.spent(family.name):
                row.num_skipped += 1
                continue
            outcome, finding = self._probe(family, probe)
            row.statuses[outcome.status] += 1
            if finding is not None and not (finding.fault == "other" and _told(row, finding)):
                row.findings.append(finding)
        return row

    def _probe(self, family: Family, probe: Probe) -> tuple[Outcome, Finding | None]:
        outcome, fault = self._bench.judge(family.name, {"case": probe.case, "text": probe.text})
        detail = outcome.problem or outcome.shown()
        if fault is None and outcome.status == REFUSED:
            fault = "refused" if probe.expect == "paid" else "crashed"
        if fault is None and not family.heavy and stalled(outcome, probe.text):
            fault = "hung"
        if fault is None and probe.expect == "paid" and not outcome.pays(self._most(outcome)):
            fault = "refused"
        if fault is None and probe.expect == "unpaid" and outcome.pays(self._partial):
            fault = "paid"
        if fault is None and stalled(outcome, probe.text):
            return outcome, self._finding("hung", probe, detail, grave=False)
        if fault is None:
            return outcome, self._leak(probe, outcome)
        grave = probe.grave or fault not in ("paid", "refused")
        return outcome, self._finding(fault, probe, detail, grave=grave)

    def _finding(self, fault: Fault, probe: Probe, detail: str, *, grave: bool) -> Finding:
        reference = self._bench.judging.examples[probe.case]["reference"]
        return Finding(fault, probe.family, probe.name, detail, probe.text, reference, grave)

    def _most(self, outcome: Outcome) -> float:
        # What judges form alone pays right answers no more than others.
        return self._partial if self._partial < 1.0 else 0.0

    def _leak(self, probe: Probe, outcome: Outcome) -> Finding | None:
        """Return a remark on a reason that gives the answer away; environments of several turns may show it."""
        example = self._bench.judging.examples[probe.case]
        reference = example["reference"]
        text = reference if isinstance(reference, str) else json.dumps(reference)
        hidden = len(text) > 1 and text not in probe.text and text not in example["prompt"]
        if (
            outcome.pays()
            or not hidden
            or not re.search(rf"(?<![\w./-]){re.escape(text)}(?![\w./])", outcome.reason)
        ):
            return None
        detail = f"the reason shows the reference: {outcome.reason}"
        return self._finding("other", probe, detail, grave=False)


def _told(row: Row, finding: Finding) -> bool:
    """Return whether the row says the same of another text already."""
    return any(
        (f.fault, f.reference, f.grave) == (finding.fault, finding.reference, finding.grave)
        for f in row.findings
    )
