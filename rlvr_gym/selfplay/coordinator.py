"""The coordinator: plan, play, credit, update, commit, over and over, so that a stop at any moment loses nothing.

A step is a deterministic function of the recipe, the seed and the recorded results. After a stop the steps since
the last checkpoint are played again: recorded trajectories and verdicts are read instead of made, the learner
repeats its updates, and the fingerprints of the weights must agree with those in the ledger.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlvr_gym.seeding import derive, generator, work_id
from rlvr_gym.selfplay.cast import Cast
from rlvr_gym.selfplay.credit import Credit
from rlvr_gym.selfplay.detectors import DETECTORS, Alarm
from rlvr_gym.selfplay.hall import Hall
from rlvr_gym.selfplay.loops import Plan
from rlvr_gym.selfplay.measure import heldout_accuracy, valid_rate
from rlvr_gym.selfplay.pages import proposal_rows
from rlvr_gym.selfplay.protocols import PROPOSER, SOLVER
from rlvr_gym.selfplay.recipe import Recipe
from rlvr_gym.store import RunStore
from rlvr_gym.types import Json

Watch = Callable[[str, int, int, Mapping[str, Any]], None]
"""``watch(stage, done, total, figures)``: told of progress, for bars and tests."""


_INEXACT = "resumed on a device that does not repeat bit for bit"
_ACTIONS = ("warn", "rollback", "stop")


def unwatched(stage: str, done: int, total: int, figures: Mapping[str, Any]) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run came to."""

    folder: Path
    steps: int
    """Steps committed."""
    heldout_before: Json
    """``{"mean", "low", "high"}`` after the warm start, before the first step."""
    heldout_after: Json
    valid_before: Json | None
    """The setter's valid share, None for a loop without a proposer."""
    valid_after: Json | None
    warm_start: str
    """One line on what the policy knew before the first step."""
    alarms: tuple[Alarm, ...]
    """All alarms, those that led to a rollback included."""
    stopped: str
    """Why the run ended before its last step, empty if it did not."""
    seconds: float
    """Wall time of this process."""

    def summary(self) -> dict[str, Json]:
        """Return the report as JSON values, as ``summary.json`` holds it."""
        return {
            "steps": self.steps,
            "heldout_before": _interval(self.heldout_before),
            "heldout_after": _interval(self.heldout_after),
            "valid_before": _mean(self.valid_before),
            "valid_after": _mean(self.valid_after),
            "valid_before_interval": _interval(self.valid_before),
            "valid_after_interval": _interval(self.valid_after),
            "warm_start": self.warm_start,
            "alarms": [{"detector": a.detector, "step": a.step, "message": a.message} for a in self.alarms],
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
        }


def _mean(row: Json | None) -> float | None:
    return None if row is None else row["mean"]


def _interval(row: Json | None) -> Json | None:
    return None if row is None else {key: row[key] for key in ("mean", "low", "high")}


@dataclass(slots=True)
class Fates:
    """What became of the trajectories of a step."""

    charged: tuple[str, ...] = ()
    dropped: dict[str, str] = field(default_factory=dict)
    masked: dict[str, str] = field(default_factory=dict)

    def of_works(self, works: Mapping[str, Sequence[str]]) -> Fates:
        """Return the fates of the pieces of work that trajectories are made of: a turn shares its trajectory's."""
        return Fates(
            tuple(work for id in self.charged for work in works[id]),
            {work: why for id, why in self.dropped.items() for work in works[id]},
            {work: why for id, why in self.masked.items() for work in works[id]},
        )


@dataclass(slots=True)
class SelfPlay:
    """One run in one folder.

    Args:
        recipe: What to run.
        store: Where it is recorded.
        cast: Who plays and learns; built from the recipe.
        watch: Told of progress.
    """

    recipe: Recipe
    store: RunStore
    cast: Cast
    watch: Watch = unwatched
    rows: list[Mapping[str, float]] = field(init=False, default_factory=list)
    alarms: list[Alarm] = field(init=False, default_factory=list)

    def run(self) -> RunReport:
        """Play until the last step, an alarm that stops, or an interruption; resumes what the store holds."""
        start = time.perf_counter()
        recipe = self.recipe
        step = self._resume()
        if step < 0:
            step = self._warm_start()
        before = self._measure(0)
        stopped = self._stop_at(step)
        while step < recipe.steps and not stopped:
            step += 1
            step, stopped = self._step(step)
        after = self._measure(step)
        return RunReport(
            folder=self.store.folder,
            steps=step,
            heldout_before=before["heldout"],
            heldout_after=after["heldout"],
            valid_before=before["valid"],
            valid_after=after["valid"],
            warm_start=(
                self.cast.domain.warm_start(recipe.warm_start.mistakes)
                if recipe.warm_start
                else "no warm start"
            ),
            alarms=tuple(self._all_alarms(void=True)),
            stopped=stopped,
            seconds=time.perf_counter() - start,
        )

    @property
    def _num_rollbacks(self) -> int:
        return sum(
            event.payload["reason"] != _INEXACT for event in self.store.events(kind="rollback", void=True)
        )

    @property
    def _root(self) -> int:
        return derive(self.recipe.seed, "branch", self.store.branch)

    def _resume(self) -> int:
        """Return the step to go on from, -1 for the beginning.

        Where arithmetic repeats bit for bit, the steps after the last checkpoint are played again from the
        ledger. Elsewhere, on a GPU, they are made void: their work is not charged, and new work takes its place.
        """
        last, checkpoint = self.store.last_commit(), self.store.last_checkpoint()
        if checkpoint is not None and last is not None and not self.cast.exact:
            begun = max([last, *(event.step for event in self.store.events())])
            if begun > checkpoint.step:
                self.store.rollback(begun + 1, checkpoint.step, _INEXACT)
        return self._restore()

    def _restore(self) -> int:
        """Load the last checkpoint and return its step, -1 when there is none."""
        checkpoint = self.store.last_checkpoint()
        if checkpoint is None:
            return -1
        self.cast.load(checkpoint.path, checkpoint.state)
        self.rows = [e.payload for e in self.store.events(kind="metrics") if e.step <= checkpoint.step]
        self.alarms = [a for a in self._all_alarms(void=False) if a.step <= checkpoint.step]
        return checkpoint.step

    def _all_alarms(self, *, void: bool) -> list[Alarm]:
        events = self.store.events(kind="alarm", void=void)
        return [Alarm(e.payload["detector"], e.step, e.payload["message"]) for e in events]

    def _warm_start(self) -> int:
        """Imitate, measure and commit as step 0."""
        version = self.cast.version
        if self.recipe.warm_start is not None:
            report = self.cast.warm_start(self.recipe.warm_start, self._root, self.watch)
            self.store.event(0, "sft_done", "sft", report)
        self._note(0, {"heldout/accuracy": self._measure(0)["heldout"]["mean"]})
        self._commit(0, {"phase": "warm start"}, version, Fates())
        return 0

    def _measure(self, step: int) -> dict[str, Json]:
        """Return held-out accuracy and valid share of the current policies, measured once per step."""
        recipe, cast = self.recipe, self.cast
        seed = derive(recipe.seed, "measure")

        def make() -> Json:
            self.watch("evaluate", step, recipe.steps, {})
            config = recipe.evaluation
            valid = None
            if PROPOSER in cast.loop.roles and config.proposals:
                valid = valid_rate(
                    cast.policies[PROPOSER], cast.domain, config, cast.sampling_config(PROPOSER), seed
                )
            heldout = heldout_accuracy(
                cast.policies[SOLVER], recipe.environment, config, cast.sampling_config(SOLVER), seed
            )
            return {"heldout": heldout, "valid": valid}

        return dict(self.store.once(step, "evaluated", str(step), make))

    def _step(self, step: int) -> tuple[int, str]:
        """Play one step and commit it, or go back if an alarm asks for that.

        Returns:
            The last step that stands, and why the run stops, empty if it goes on.
        """
        recipe, cast, store = self.recipe, self.cast, self.store
        run = work_id(store.run_id, store.branch)
        plan = cast.loop.plan(
            step, generator(self._root, "plan", step), lambda slot: work_id(run, step, "slot", slot)
        )
        store.event(
            step, "plan", str(step), {"phase": plan.phase, "setups": [setup.work for setup in plan.setups]}
        )
        version = cast.version
        if plan.lesson is not None:
            store.event(step, "sft_done", str(step), cast.teach(plan.lesson, self.watch))
        cast.freeze(plan)
        hall = Hall(
            store,
            cast.playing(plan),
            cast.sampling,
            root=self._root,
            run=run,
            step=step,
            batch_size=recipe.batch_size,
        )
        episodes = hall.play([(setup, cast.loop.play(setup)) for setup in plan.setups])
        works = {t.id: t.works for episode in episodes for t in episode.trajectories}
        credit = cast.loop.credit(plan, episodes)
        fates, figures = self._update(step, plan, credit)
        cast.loop.fold(step, plan, credit)
        if credit.proposals:
            store.event(step, "proposed", str(step), list(proposal_rows(credit)))
        row = {**cast.loop.health(plan, credit), **figures}
        # Nothing recorded within a step may depend on the number of steps, which a resumed run may change.
        every = recipe.evaluation.every
        if every and step % every == 0:
            measured = self._measure(step)
            row["heldout/accuracy"] = measured["heldout"]["mean"]
        action, why = self._detect(step, row)
        healthy = store.last_checkpoint(healthy=True)
        if action == "rollback" and self._num_rollbacks < recipe.max_rollbacks and healthy is not None:
            store.rollback(step, healthy.step, why)
            stands = self._restore()
            self.watch("rollback", stands, recipe.steps, row)
            return stands, ""
        self._note(step, row)
        manifest = {"phase": plan.phase, "groups": len(credit.groups)}
        self._commit(step, manifest, version, fates.of_works(works), stops=action != "warn")
        self.watch("step", step, recipe.steps, row)
        return step, "" if action == "warn" else why

    def _update(self, step: int, plan: Plan, credit: Credit) -> tuple[Fates, dict[str, float]]:
        """Train what the plan trains, and say what became of every trajectory."""
        fates = Fates(masked=dict(credit.masked), dropped=dict(credit.dropped))
        training = []
        for group in credit.groups:
            why = "phase" if group.key.role not in plan.train else self.cast.untrained(group.key.role)
            if why:
                decided = [t.id for t, r in zip(group.members, group.rewards, strict=True) if r is not None]
                fates.dropped.update(dict.fromkeys(decided, why))
            else:
                training.append(group)
        figures: dict[str, float] = {}
        for report in self.cast.update(training, step):
            fates.charged += report.charged
            fates.dropped.update(report.dropped)
            figures |= {f"learner/{key}": value for key, value in report.metrics.items()}
            for role, metrics in report.roles.items():
                figures |= {f"learner/{role}/{key}": value for key, value in metrics.items()}
        return fates, figures

    def _detect(self, step: int, row: Mapping[str, float]) -> tuple[str, str]:
        """Return the strongest action that new alarms ask for, and the message of the alarm that does."""
        action, why = "warn", ""
        rows = [*self.rows, row]
        for entry in DETECTORS.entries():
            wanted = self.recipe.alarms.get(entry.name, "warn")
            message = None if wanted == "ignore" else entry.value(rows, self.recipe.window)
            if message is None or self._alarmed(entry.name, step):
                continue
            self.alarms.append(Alarm(entry.name, step, message))
            self.store.event(
                step,
                "alarm",
                f"{step}/{entry.name}",
                {"detector": entry.name, "message": message},
            )
            if _ACTIONS.index(wanted) > _ACTIONS.index(action):
                action, why = wanted, f"{entry.name}: {message}"
        return action, why

    def _stop_at(self, step: int) -> str:
        """Return why a run that stands at ``step`` was stopped there, empty if it was not."""
        return next(
            (
                f"{alarm.detector}: {alarm.message}"
                for alarm in self.alarms
                if alarm.step == step
                and self.recipe.alarms.get(alarm.detector, "warn") in ("stop", "rollback")
            ),
            "",
        )

    def _alarmed(self, name: str, step: int) -> bool:
        """Return True when the detector spoke within the window: one alarm per window and detector."""
        return any(a.detector == name and step - a.step < self.recipe.window for a in self.alarms)

    def _note(self, step: int, row: Mapping[str, float | None]) -> None:
        known = {key: float(v) for key, v in row.items() if v is not None and not math.isnan(v)}
        self.store.metrics(step, known)
        self.rows.append(known)

    def _commit(self, step: int, manifest: Json, version: str, fates: Fates, *, stops: bool = False) -> None:
        recipe, cast = self.recipe, self.cast
        # On an exact device without a warm start the recipe itself is the state at step 0.
        due = (
            stops
            or step == recipe.steps
            or (step % recipe.checkpoint_every == 0 if step else not cast.exact or bool(recipe.warm_start))
        )
        quiet = not any(step - alarm.step < recipe.window for alarm in self.alarms)
        self.store.commit(
            step,
            manifest=manifest,
            charged=fates.charged,
            dropped=fates.dropped,
            masked=fates.masked,
            state=cast.loop.state(),
            fingerprint=cast.fingerprint(),
            version_in=version,
            version_out=cast.version,
            checkpoint=cast.save if due else None,
            healthy=quiet,
        )
