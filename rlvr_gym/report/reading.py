"""From a run folder to what its page shows; works beside the process that writes the run."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlvr_gym.report.run_data import Alarm, Attempt, Drawing, GraphNode, Measured, RunData, Sample
from rlvr_gym.store import Account, Event, RunStore
from rlvr_gym.types import Json

PAGE = "page.html"
"""Name of the page inside a run folder."""


def write_page(folder: Path) -> Path:
    """Write the page of the run in ``folder`` and return its path.

    Raises:
        StoreError: no run there, or a damaged one.
        MissingExtraError: matplotlib is not installed.
    """
    from rlvr_gym.report.page import render

    path = folder / PAGE
    path.write_text(render(read_run(folder)), encoding="utf-8")
    return path


def read_run(folder: Path) -> RunData:
    """Return what the page of the run in ``folder`` shows.

    Raises:
        StoreError: no run there, or a damaged one.
    """
    with RunStore.open(folder, readonly=True) as store:
        proposals = [(event.step, row) for event in store.events("proposed") for row in event.payload]
        refused = [row for _, row in proposals if row["status"] != "passed"]
        return RunData(
            title=f"{_name(store.config.get('loop'))} on {_name(store.config.get('environment'))}",
            facts=_facts(store),
            rows=_rows(store),
            strata=_strata(store),
            samples=[_sample(step, row) for step, row in proposals],
            alarms=_alarms(store),
            statuses=_statuses(store),
            # What follows the colon is particular to one proposal.
            reasons=Counter(row["reason"].partition(":")[0] for row in refused),
            rates=[row["solved"] / row["tried"] for _, row in proposals if row["tried"]],
            accounting=totals(store.accounting()),
            graph=_graph(store),
            config=store.config,
        )


def _name(table: Json) -> str:
    return str(table.get("name") if isinstance(table, Mapping) else table)


def _facts(store: RunStore) -> dict[str, str]:
    last = store.last_commit()
    sessions = store.sessions()
    facts = {
        "run": store.folder.name,
        "seed": str(store.seed),
        "step": f"{last if last is not None else 'none'} of {store.config.get('steps', '?')}",
        "code": store.code_version,
    }
    if sessions:
        facts["started"] = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(sessions[0][0]))
    if len(sessions) > 1:
        facts["resumed"] = f"{len(sessions) - 1} times"
    if store.branch:
        facts["rolled back"] = f"{store.branch} times"
    return facts


def _rows(store: RunStore) -> list[dict[str, Any]]:
    rows: dict[int, dict[str, Any]] = defaultdict(dict)
    for event in store.events("metrics"):
        rows[event.step] |= event.payload
    for event in store.events("evaluated"):
        rows[event.step] |= _measured(event.payload)
    return [{"step": step, **rows[step]} for step in sorted(rows)]


def _measured(payload: Mapping[str, Any]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for group, name, estimate in (
        ("heldout", "accuracy", payload.get("heldout")),
        ("measured", "valid_share", payload.get("valid")),
    ):
        if estimate and estimate.get("mean") is not None:
            figures[f"{group}/{name}"] = estimate["mean"]
            figures |= {f"{group}/{end}": estimate[end] for end in ("low", "high")}
    return figures


def _strata(store: RunStore) -> list[Measured]:
    found = []
    for event in store.events("evaluated"):
        for row in (event.payload.get("heldout") or {}).get("strata", ()):
            accuracy = row["accuracy"]
            # None where no attempt was decided.
            if accuracy is not None:
                ends = (accuracy["mean"], accuracy["low"], accuracy["high"])
                found.append(Measured(event.step, row["name"], row["value"], *ends, row["num_tasks"]))
    return found


def _sample(step: int, row: Mapping[str, Any]) -> Sample:
    return Sample(
        step,
        row["text"],
        row["status"],
        row["reason"],
        row["shelf"],
        row["solved"],
        row["tried"],
        tuple(Attempt(a["text"], a["status"], a["reason"]) for a in row.get("attempts", ())),
        _drawing(row.get("drawing")),
    )


def _drawing(row: Mapping[str, Any] | None) -> Drawing | None:
    if not row:
        return None
    nodes, edges = (tuple(map(tuple, row[part])) for part in ("nodes", "edges"))
    return Drawing(nodes, edges, row.get("width"))


def _graph(store: RunStore) -> list[GraphNode]:
    """Return the curriculum's graph at the last checkpoint, nothing for a curriculum without one."""
    checkpoint = store.last_checkpoint()
    state = checkpoint.state if checkpoint is not None else None
    curriculum = state.get("curriculum") if isinstance(state, Mapping) else None
    rows = curriculum.get("nodes", ()) if isinstance(curriculum, Mapping) else ()
    places = {row["task"]["id"]: i for i, row in enumerate(rows)}
    return [_node(row, places) for row in rows]


def _node(row: Mapping[str, Any], places: Mapping[str, int]) -> GraphNode:
    tried = sum(visit[0] for visit in row["recent"])
    solved = sum(visit[1] for visit in row["recent"])
    return GraphNode(
        text=row["form"],
        parent=places[row["parents"][0]] if row["parents"] else None,
        depth=row["depth"],
        visits=row["visits"],
        rate=solved / tried if tried else None,
        retired=row["retired"],
    )


def _statuses(store: RunStore) -> Counter[str]:
    """Count verdicts of single answers and those that ended conversations."""
    ends = [event.payload["verdict"] for event in store.events("stepped")]
    verdicts = [event.payload for event in store.events("judged")] + [end for end in ends if end is not None]
    return Counter(verdict["status"] for verdict in verdicts)


def _alarms(store: RunStore) -> list[Alarm]:
    # A rollback makes the alarm that led to it void; the page tells the whole story.
    found = [
        (event, _alarm(event)) for kind in ("alarm", "rollback") for event in store.events(kind, void=True)
    ]
    return [alarm for _, alarm in sorted(found, key=lambda pair: pair[0].seq)]


def _alarm(event: Event) -> Alarm:
    if event.kind == "rollback":
        return Alarm(
            event.step, "action", f"rolled back to step {event.payload['to']}", event.payload["reason"]
        )
    return Alarm(event.step, "alarm", event.payload["detector"], event.payload["message"])


def totals(accounts: Sequence[Account]) -> list[dict[str, Json]]:
    """Return the accounts summed over all steps, one row per role."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for account in accounts:
        rows[account.role or "none"] += Counter(columns(account))
    return [{"role": role, **{name: count[name] for name in COLUMNS}} for role, count in sorted(rows.items())]


COLUMNS = ("planned", "charged", "dropped", "masked", "void", "open")
"""Columns of an account; the first is the sum of the others."""


def columns(account: Account) -> dict[str, int]:
    """Return the counts of an account by the names of ``COLUMNS``."""
    return {
        "planned": account.planned,
        "charged": account.charged,
        "dropped": sum(account.dropped.values()),
        "masked": sum(account.masked.values()),
        "void": account.void,
        "open": account.open,
    }
