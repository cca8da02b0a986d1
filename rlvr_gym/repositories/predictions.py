"""Patches in files, as SWE-bench and the agents around it exchange them, and its report on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlvr_gym.errors import TaskError, UsageError
from rlvr_gym.types import DECIDED, Json, Verdict

_COLUMNS = ("instance_id", "model_name_or_path", "model_patch")


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model answered to one instance."""

    id: str
    """Of the instance."""
    model: str
    patch: str
    """A git-style diff; empty when it gave none."""


def read_predictions(path: Path) -> list[Prediction]:
    """Return the predictions of a file: JSON lines, a JSON list, or a JSON table by id as in ``preds.json``.

    Raises:
        TaskError: a row that is none, with its place, or two for one instance.
        UsageError: no such file, or no JSON.
    """
    found: dict[str, Prediction] = {}
    for where, row in _rows(path):
        prediction = _prediction(where, row)
        if prediction.id in found:
            raise TaskError(f"{where}: there is an earlier prediction for '{prediction.id}'.")
        found[prediction.id] = prediction
    return list(found.values())


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> None:
    """Write predictions: JSON lines to a file that ends in ``.jsonl``, otherwise one JSON table by id."""
    rows = [dict(zip(_COLUMNS, (each.id, each.model, each.patch), strict=True)) for each in predictions]
    if path.suffix == ".jsonl":
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
    else:
        text = json.dumps({row["instance_id"]: row for row in rows}, indent=2) + "\n"
    path.write_text(text, encoding="utf-8")


def report(ids: Iterable[str], predictions: Iterable[Prediction], verdicts: Mapping[str, Verdict]) -> Json:
    """Return the figures of a run with the names that SWE-bench's reports give them.

    Args:
        ids: Of all instances of the data set.
        predictions: What was graded.
        verdicts: By id. One that decides nothing, such as of a lost sandbox, counts as an error.
    """
    every, given = set(ids), {each.id: each for each in predictions}
    decided = {id for id, verdict in verdicts.items() if verdict.status in DECIDED}
    sets = {
        "submitted": set(given),
        "completed": decided,
        "incomplete": every - set(given),
        "resolved": {id for id in decided if verdicts[id].passed},
        "unresolved": {id for id in decided if not verdicts[id].passed},
        "empty_patch": {id for id, each in given.items() if not each.patch.strip()},
        "error": set(verdicts) - decided,
    }
    counts = {f"{name}_instances": len(found) for name, found in sets.items() if name != "incomplete"}
    lists = {f"{name}_ids": sorted(found) for name, found in sets.items()}
    return {"total_instances": len(every), **counts, **lists, "schema_version": 2}


def _rows(path: Path) -> Iterable[tuple[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            lines = [(f"{path}:{number}", line) for number, line in enumerate(text.split("\n"), 1)]
            return [(where, json.loads(line)) for where, line in lines if line.strip()]
        found = json.loads(text)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: no JSON ({error}).") from None
    if isinstance(found, dict) and "instance_id" not in found:
        return [(f"{path}: {id}", row) for id, row in found.items()]
    rows = found if isinstance(found, list) else [found]
    return [(f"{path}: row {number}", row) for number, row in enumerate(rows, 1)]


def _prediction(where: str, row: Any) -> Prediction:
    if not isinstance(row, dict):
        raise TaskError(f"{where}: a prediction is a table, not {type(row).__name__}.")
    id, model, patch = row.get("instance_id"), row.get("model_name_or_path"), row.get("model_patch")
    if not isinstance(id, str):
        raise TaskError(f"{where}: 'instance_id' must be a text, got {id!r:.40}.")
    if not isinstance(patch, str | None):
        raise TaskError(f"{where}: 'model_patch' must be a text, got {patch!r:.40}.")
    return Prediction(id, str(model or ""), patch or "")
