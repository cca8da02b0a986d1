"""Diagnostics of one update, summed on the device and read once at the end."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from rlvr_gym.learner.batch import Batch, Sample
from rlvr_gym.learner.ratios import log_ratio
from rlvr_gym.types import Role


class Figures:
    """Sums over the micro-batches and optimizer steps of one update."""

    def __init__(self) -> None:
        self._notes: dict[Role, dict[str, Tensor]] = {}
        self._tokens: dict[Role, int] = {}
        self._losses: dict[Role, Tensor] = {}
        self._steps: dict[str, list[float | Tensor]] = {}
        self._read = 0
        self._padded = 0

    def add_step(self, **values: float | Tensor) -> None:
        """Add figures of one optimizer step; the update reports their means."""
        for name, value in values.items():
            self._steps.setdefault(name, []).append(value)

    def add(self, role: Role, samples: Sequence[Sample], batch: Batch, loss: Tensor) -> None:
        """Add a micro-batch: its loss, the notes of the loss, its distance from the behaviour policy."""
        log_ratio_BT = log_ratio(batch).detach()
        batch.note("kl_behaviour", log_ratio_BT.exp() - 1.0 - log_ratio_BT)
        notes = self._notes.setdefault(role, {})
        for name, value in batch.notes.items():
            notes[name] = notes[name] + value if name in notes else value
        self._losses[role] = self._losses[role] + loss if role in self._losses else loss
        self._tokens[role] = self._tokens.get(role, 0) + sum(s.num_tokens for s in samples)
        self._read += sum(len(s.ids) for s in samples)
        self._padded += batch.ids_BL.numel()

    def result(self) -> tuple[dict[str, float], dict[Role, dict[str, float]]]:
        """Return the figures of the update and those of each role."""
        metrics = {name: sum(map(float, values)) / len(values) for name, values in self._steps.items()}
        num_steps = max((len(values) for values in self._steps.values()), default=0)
        roles = {}
        for role, notes in self._notes.items():
            tokens = max(self._tokens[role], 1)
            roles[role] = {name: float(value) / tokens for name, value in notes.items()}
            roles[role]["loss"] = float(self._losses[role]) / max(num_steps, 1)
            roles[role]["tokens_computed"] = float(self._tokens[role])
        metrics["loss"] = sum(figures["loss"] for figures in roles.values())
        metrics["optimizer_steps"] = float(num_steps)
        metrics["tokens_computed"] = float(sum(self._tokens.values()))
        metrics["padding_share"] = 1.0 - self._read / max(self._padded, 1)
        return metrics, roles
