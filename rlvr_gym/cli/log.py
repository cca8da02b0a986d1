"""``rlvr-gym log``: what happened in a run, one line per event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from rlvr_gym.errors import UsageError, did_you_mean
from rlvr_gym.store import Event, RunStore

_WIDTH = 160
_KINDS = frozenset(
    [
        "alarm",
        "evaluated",
        "judged",
        "metrics",
        "plan",
        "planned",
        "posed",
        "proposed",
        "rollback",
        "settled",
        "sft_done",
        "stepped",
        "update_done",
    ]
)


def command(
    folder: Annotated[Path, typer.Argument(help="Run folder.")],
    step: Annotated[int | None, typer.Option(help="Only this step.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="Only events of this kind, such as alarm or judged.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print whole events as JSON lines.")] = False,
) -> None:
    """Print the events of a run in the order of writing."""
    with RunStore.open(folder, readonly=True) as store:
        events = store.events(kind, step)
        if kind is not None and not events:
            kinds = _KINDS | {event.kind for event in store.events()}
            if kind not in kinds:
                raise UsageError(f"{folder}: no event is of kind '{kind}'.{did_you_mean(kind, kinds)}")
    for event in events:
        print(json.dumps(_row(event)) if as_json else _line(event))


def _row(event: Event) -> dict[str, object]:
    return {
        "seq": event.seq,
        "step": event.step,
        "kind": event.kind,
        "key": event.key,
        "payload": event.payload,
    }


def _line(event: Event) -> str:
    # ASCII only: what a policy wrote must not reach the terminal as control characters.
    payload = json.dumps(event.payload)
    key = json.dumps(event.key)[1:-1]
    line = f"{event.seq:>6}  step {event.step:<4} {event.kind:<11} {key:<20.40}  {payload}"
    return line if len(line) <= _WIDTH else line[: _WIDTH - 3] + "..."
