"""Accounts as a fold over the ledger: planned = charged + dropped + masked + void + open, at all times.

The table ``work`` of a run is a cache of this fold; ``RunStore.problems`` compares the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rlvr_gym.store.rows import Event, State, WorkState
from rlvr_gym.types import Role


@dataclass(frozen=True, slots=True)
class Account:
    """Where the planned work of one role and step went."""

    step: int
    role: Role
    planned: int
    charged: int
    dropped: dict[str, int] = field(default_factory=dict)
    """Reason -> number."""
    masked: dict[str, int] = field(default_factory=dict)
    """Reason -> number."""
    void: int = 0
    open: int = 0

    @property
    def balanced(self) -> bool:
        """True when every planned piece of work is in exactly one column."""
        closed = self.charged + sum(self.dropped.values()) + sum(self.masked.values())
        return self.planned == closed + self.void + self.open


def accounts(works: Iterable[WorkState]) -> list[Account]:
    """Return one account per step and role, in that order."""
    counts: dict[tuple[int, Role], Counter[tuple[State, str]]] = {}
    for work in works:
        counts.setdefault((work.step, work.role), Counter())[work.state, work.reason] += 1
    table = []
    for (step, role), count in sorted(counts.items()):
        ordered = sorted(count.items())
        table.append(
            Account(
                step=step,
                role=role,
                planned=count.total(),
                charged=sum(n for (state, _), n in ordered if state == "charged"),
                dropped={reason: n for (state, reason), n in ordered if state == "dropped"},
                masked={reason: n for (state, reason), n in ordered if state == "masked"},
                void=sum(n for (state, _), n in ordered if state == "void"),
                open=sum(n for (state, _), n in ordered if state in ("planned", "settled")),
            )
        )
    return table


class Fold:
    """The state of all work after some first events of a ledger.

    Applying the rest of the events to the fold of a first part gives the fold of the whole.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.branch = 0
        self.problems: list[str] = []
        """One line per event that contradicts those before it."""
        self._works: dict[tuple[int, str], WorkState] = {}
        self._live: dict[str, tuple[int, str]] = {}
        for event in events:
            self.apply(event)

    @property
    def works(self) -> list[WorkState]:
        """All work, ordered by branch and id."""
        return [self._works[key] for key in sorted(self._works)]

    def apply(self, event: Event) -> None:
        """Take in the next event."""
        if event.kind == "planned":
            self._plan(event)
        elif event.kind == "settled":
            self._move(event, event.key, "settled", ("planned",))
        elif event.kind == "update_done":
            for work_id in event.payload["charged"]:
                self._move(event, work_id, "charged", ("settled",))
            for state in ("dropped", "masked"):
                for work_id, reason in event.payload[state].items():
                    self._move(event, work_id, state, ("planned", "settled"), reason)
        elif event.kind == "rollback":
            self._roll_back(int(event.key), event.payload["to"])

    def _plan(self, event: Event) -> None:
        if event.key in self._live:
            self.problems.append(f"step {event.step}: work {event.key} is planned twice")
            return
        key = (event.branch, event.key)
        self._live[event.key] = key
        self._works[key] = WorkState(
            work_id=event.key,
            branch=event.branch,
            step=event.step,
            kind=event.payload["kind"],
            role=event.payload["role"],
            parent=event.payload["parent"],
            state="planned",
            reason="",
            settled=False,
            closed=None,
        )

    def _move(
        self, event: Event, work_id: str, state: State, allowed: tuple[State, ...], reason: str = ""
    ) -> None:
        key = self._live.get(work_id)
        work = self._works[key] if key else None
        if key is None or work is None or work.state not in allowed:
            now = work.state if work else "not planned"
            self.problems.append(f"step {event.step}: work {work_id} becomes {state} but is {now}")
            return
        if state == "settled":
            self._works[key] = replace(work, state=state, settled=True)
        else:
            self._works[key] = replace(work, state=state, reason=reason, closed=event.step)

    def _roll_back(self, branch: int, to: int) -> None:
        self.branch = branch
        for work_id, key in list(self._live.items()):
            work = self._works[key]
            if work.step > to:
                self._works[key] = replace(work, state="void", reason="", closed=None)
                del self._live[work_id]
            elif work.closed is not None and work.closed > to:
                state: State = "settled" if work.settled else "planned"
                self._works[key] = replace(work, state=state, reason="", closed=None)
