"""Which metrics share a chart."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from rlvr_gym.report.run_data import RunData

MEASURED = {"heldout/accuracy": "held-out", "measured/valid_share": "measured valid"}
"""Metrics with an interval ``.../low`` to ``.../high``, and how legends call them."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart: metrics by name; a ``*`` stands for any role."""

    title: str
    metrics: tuple[str, ...]
    unit: bool = False
    """Whether the values are shares in [0, 1]."""
    note: str = ""

    def names(self, run: RunData) -> list[str]:
        """Return the metrics of ``run`` that belong here."""
        known = run.names()
        return [name for pattern in self.metrics for name in known if _matches(name, pattern)]

    @property
    def by_role(self) -> bool:
        """Whether the curves are one metric of several roles."""
        return any("*" in pattern for pattern in self.metrics)

    def label(self, name: str) -> str:
        """Return how a metric is called in this chart's legend: what sets it apart from the others."""
        if self.by_role:
            return role_of(name)
        return MEASURED.get(name, name.rpartition("/")[2]).removesuffix("_share").replace("_", " ")


def _matches(name: str, pattern: str) -> bool:
    return name.count("/") == pattern.count("/") and fnmatchcase(name, pattern)


def role_of(name: str) -> str:
    """Return the role in a metric's name, such as ``solver`` in ``learner/solver/loss``."""
    return name.rpartition("/")[0].rpartition("/")[2]


def roles(run: RunData) -> list[str]:
    """Return the roles that metrics name, the solver first, so that a role has one colour on the whole page."""
    found = {role_of(name) for panel in PANELS if panel.by_role for name in panel.names(run)}
    return sorted(found, key=lambda role: (role != "solver", role))


PANELS = (
    Panel(
        "Held-out accuracy beside the run's own tasks",
        ("heldout/accuracy", "solver/solve_rate"),
        unit=True,
        note="Held-out tasks are never proposed or trained on; the band is the 95 % interval. A solve rate that "
        "rises while held-out accuracy falls is a collapse.",
    ),
    Panel(
        "Valid, useful and distinct proposals",
        ("measured/valid_share", "proposer/valid_share", "proposer/useful_share", "proposer/distinct_share"),
        unit=True,
        note="Measured on fresh proposals with its 95 % interval, the others on the step's own. Useful: valid, new, "
        "and solved by some attempts but not by all.",
    ),
    Panel(
        "Signs of narrowing among valid proposals",
        ("proposer/near_duplicate_share", "proposer/never_solved_share", "proposer/always_solved_share"),
        unit=True,
        note="Never and always solved: of those that were attempted.",
    ),
    Panel("Specifications in the curriculum's graph", ("dag/nodes", "dag/retired")),
    Panel("Mean reward by role", ("*/reward",)),
    Panel("Groups that carry a signal", ("*/informative_share",), unit=True),
    Panel("Trajectories whose advantage is zero", ("learner/*/zero_advantage_share",), unit=True),
    Panel("Entropy of the sampling law, nats per token", ("*/entropy",)),
    Panel("KL from the reference policy, nats per token", ("learner/*/kl_reference",)),
    Panel("KL from the policy that sampled, nats per token", ("learner/*/kl_behaviour",)),
    Panel("Tokens per completion", ("*/length",)),
    Panel("Loss by role", ("learner/*/loss",)),
    Panel("Attempts without a verdict", ("*/masked_share",), unit=True),
    Panel("Completions cut off at the token limit", ("*/truncated_share",), unit=True),
)


def by_value(run: RunData) -> list[str]:
    """Return the metrics that count one value of a label of the tasks each, such as ``hops/3/solve_rate``.

    What also has figures of its own, as roles do, is no label.
    """
    names = run.names()
    own = {name.partition("/")[0] for name in names if name.count("/") != 2}
    return [
        name for name in names if name.count("/") == 2 and name.partition("/")[0] not in own | {"learner"}
    ]


_HIDDEN = frozenset(f"{name.partition('/')[0]}/{end}" for name in MEASURED for end in ("low", "high"))


def other_panels(run: RunData) -> list[Panel]:
    """Return panels of the remaining metrics that change, roles together, so that nothing stays unseen."""
    shown = {name for panel in PANELS for name in panel.names(run)} | _HIDDEN | set(by_value(run))
    found: dict[str, Panel] = {}
    for name in run.names():
        if name not in shown and len(set(run.series(name)[1])) > 1:
            panel = _panel_of(name)
            found.setdefault(panel.metrics[0], panel)
    return list(found.values())


def _panel_of(name: str) -> Panel:
    """Return the chart of a metric, which it shares with those that differ in their role, or in a part like it."""
    group, _, ending = name.rpartition("/")
    if group in ("", "learner", "heldout", "measured"):
        return Panel(name, (name,))
    above = group.rpartition("/")[0]
    words = ending.replace("_", " ")
    if not above:
        return Panel(words, (f"*/{ending}",))
    title = f"{words}, in the update" if above == "learner" else f"{words}, {above}"
    return Panel(title, (f"{above}/*/{ending}",))


FUNNEL = (
    ("proposer/parsed_share", "could be read"),
    ("proposer/valid_share", "passed the gate"),
    ("proposer/new_share", "no copy"),
    ("proposer/solvable_share", "solved at least once"),
    ("proposer/useful_share", "solved by some, not by all"),
)
"""Shares of ``proposer/proposals`` that remain, each a part of the one before."""


def funnel(run: RunData) -> dict[str, int]:
    """Return how many proposals reached each stage over the whole run, stages not recorded left out."""
    stages = {"proposed": 0.0}
    for row in run.rows:
        count = row.get("proposer/proposals")
        if not isinstance(count, int | float):
            continue
        stages["proposed"] += count
        for name, label in FUNNEL:
            share = row.get(name)
            if isinstance(share, int | float) and share == share:
                stages[label] = stages.get(label, 0.0) + count * share
    return {label: round(count) for label, count in stages.items()} if stages["proposed"] else {}
