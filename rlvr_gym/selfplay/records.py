"""What the run store keeps of an attempt: its trajectory, the task it was judged on, and the verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from rlvr_gym.errors import StoreError
from rlvr_gym.seeding import work_id
from rlvr_gym.store import Record, RunStore
from rlvr_gym.store.canonical import canonical
from rlvr_gym.types import Segment, Task, Trajectory, Verdict


def write_trajectory(trajectory: Trajectory) -> Record:
    """Return the record of a trajectory; nothing of it is lost."""
    arrays: dict[str, np.ndarray] = {}
    segments = []
    for i, segment in enumerate(trajectory.segments):
        segments.append({"kind": segment.kind, "version": segment.version})
        arrays[f"ids{i}"] = segment.ids
        if segment.logprobs is not None:
            arrays[f"logprobs{i}"] = segment.logprobs
        if segment.entropies is not None:
            arrays[f"entropies{i}"] = segment.entropies
    if trajectory.scored_prompt is not None:
        arrays["scored_prompt"] = trajectory.scored_prompt
    payload = {
        "role": trajectory.role,
        "task": trajectory.task,
        "segments": segments,
        "finish": trajectory.finish,
        "temperature": trajectory.temperature,
        "top_p": trajectory.top_p,
        "text": trajectory.text,
    }
    return Record(trajectory.id, payload=payload, arrays=arrays)


def read_trajectory(record: Record) -> Trajectory:
    """Return the trajectory of a record."""
    row, arrays = record.payload, record.arrays
    segments = tuple(
        Segment(
            kind=segment["kind"],
            ids=arrays[f"ids{i}"],
            logprobs=arrays.get(f"logprobs{i}"),
            entropies=arrays.get(f"entropies{i}"),
            version=segment["version"],
        )
        for i, segment in enumerate(row["segments"])
    )
    return Trajectory(
        id=record.work_id,
        role=row["role"],
        task=row["task"],
        segments=segments,
        finish=row["finish"],
        temperature=row["temperature"],
        top_p=row["top_p"],
        text=row["text"],
        scored_prompt=arrays.get("scored_prompt"),
    )


def task_key(task: Task) -> str:
    """Return the key under which a task is recorded: fixed by all that it says, so that each is kept once."""
    return work_id("task", canonical(task.to_dict()))


@dataclass(frozen=True, slots=True)
class JudgedText:
    """A recorded text with its task and its verdict."""

    step: int
    trajectory: str
    role: str
    task: Task
    attempt: int
    """Which of the step's texts on this task, from 1."""
    text: str
    verdict: Verdict
    """As the verifier gave it; a rule of the loop may have replaced it."""


def read_judged(store: RunStore) -> list[JudgedText]:
    """Return all texts of a run that were judged, in the order of their verdicts.

    Raises:
        StoreError: a run of an older version, which did not record its tasks.
    """
    # Verdicts first: what they name was recorded before them, also in a run that goes on meanwhile.
    judged = store.events("judged")
    tasks = {event.key: Task.from_dict(event.payload) for event in store.events("posed")}
    texts = {event.key: event.payload for event in store.events("settled")}
    attempts: Counter[tuple[int, str, str]] = Counter()
    found = []
    for event in judged:
        row = event.payload
        if "posed" not in row:
            raise StoreError(
                f"{store.folder}: the run was recorded by a version that did not keep its tasks."
            )
        said = texts[row["trajectory"]]
        place = (event.step, said["role"], row["posed"])
        attempts[place] += 1
        found.append(
            JudgedText(
                step=event.step,
                trajectory=row["trajectory"],
                role=said["role"],
                task=tasks[row["posed"]],
                attempt=attempts[place],
                text=said["text"],
                verdict=Verdict.from_dict(row),
            )
        )
    return found
