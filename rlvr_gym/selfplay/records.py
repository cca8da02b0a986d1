"""Trajectories as the run store keeps them: a JSON payload and arrays."""

from __future__ import annotations

import numpy as np

from rlvr_gym.store import Record
from rlvr_gym.types import Segment, Trajectory


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
