"""How an experiment runs: a cached base, jobs that finish once, two processes of one torch thread each."""

from __future__ import annotations

import abc
import json
import os
import queue
import shutil
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from experiments.inference import Analysis
from rlvr_gym import __version__
from rlvr_gym.seeding import derive, generator, work_id
from rlvr_gym.store import RunStore

SizeName: TypeAlias = Literal["xs", "s", "m"]
"""``m`` is the evidence, ``s`` a smaller one of the same kind, ``xs`` only shows that everything runs."""
_SHAPES: dict[SizeName, tuple[int, int]] = {"xs": (1, 32), "s": (3, 64), "m": (5, 128)}
Curves: TypeAlias = dict[str, dict[int, float]]
"""Figure -> step -> value."""
LIMITS = (
    "All arms and seeds share one base checkpoint: seeds vary sampling and the order of tasks, not the base.",
    "The decoder is a small Llama (rotary positions, a token per character), trained from scratch; nothing here "
    "speaks of large models.",
)
"""What holds for every experiment."""
RUNS = Path("runs/experiments")
"""Where bases, unfinished runs and finished results are kept."""


def decoder(size: SizeName, alphabet: str, *, context: int) -> dict[str, Any]:
    """Return the policy of a size: a decoder from scratch, a token per character."""
    layers, width = _SHAPES[size]
    return {
        "name": "tiny",
        "alphabet": alphabet,
        "markers": [],
        "layers": layers,
        "width": width,
        "heads": 4,
        "context": context,
        "device": "cpu",
    }


@dataclass(frozen=True, slots=True)
class Base:
    """A checkpoint that arms share: a decoder after imitating its domain's demonstrations."""

    environment: str
    policy: dict[str, Any]
    steps: int
    examples: int
    mistakes: Mapping[str, float]
    batch_size: int = 64
    lr: float = 1e-3
    seed: int = 0

    @property
    def key(self) -> str:
        """A hash of the settings and of the library's version."""
        return _key("base", {**asdict(self), "mistakes": dict(self.mistakes), "version": __version__})


@dataclass(frozen=True, slots=True)
class Job:
    """One run: an arm with a seed."""

    experiment: str
    arm: str
    seed: int
    base: Base
    recipe: dict[str, Any]
    """Of ``rlvr_gym.selfplay``, without policies: the base is the only one."""

    @property
    def key(self) -> str:
        """A hash of all that fixes the result."""
        return _key("job", {"base": self.base.key, "recipe": self.recipe})

    @property
    def label(self) -> str:
        """Arm and seed, for people."""
        return f"{self.arm}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Run:
    """What a job came to."""

    arm: str
    seed: int
    curves: Curves
    cpu_seconds: float
    """CPU time of the process that finished it; after an interruption, of the last one only."""

    def first(self, curve: str) -> float:
        """Return the value at the first step."""
        return self.curves[curve][min(self.curves[curve])]

    def last(self, curve: str) -> float:
        """Return the value at the last step."""
        return self.curves[curve][max(self.curves[curve])]

    def tail(self, curve: str, steps: int) -> float:
        """Return the mean over the last ``steps`` steps that have a value."""
        values = self.curves[curve]
        return float(np.mean([values[step] for step in sorted(values)[-steps:]]))

    def mean(self, curve: str) -> float:
        """Return the mean over all steps."""
        return float(np.mean(list(self.curves[curve].values())))

    def to_dict(self) -> dict[str, Any]:
        """Return the run as JSON values: for each curve the steps, as first, last and stride, and the values."""
        rows = {
            name: {"steps": _stride(list(curve)), "values": [round(v, 5) for v in curve.values()]}
            for name, curve in self.curves.items()
        }
        return {"arm": self.arm, "seed": self.seed, "cpu_seconds": round(self.cpu_seconds, 2), "curves": rows}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Run:
        """Read what ``to_dict`` wrote."""
        curves = {
            name: dict(zip(_steps(curve["steps"]), curve["values"], strict=True))
            for name, curve in row["curves"].items()
        }
        return cls(row["arm"], row["seed"], curves, row["cpu_seconds"])


def _stride(steps: list[int]) -> dict[str, int] | list[int]:
    """Return evenly spaced steps in short, others as they are."""
    gap = steps[1] - steps[0] if len(steps) > 1 else 1
    if steps and steps == list(range(steps[0], steps[-1] + 1, gap)):
        return {"first": steps[0], "last": steps[-1], "every": gap}
    return steps


def _steps(written: dict[str, int] | list[int]) -> list[int]:
    if isinstance(written, list):
        return written
    return list(range(written["first"], written["last"] + 1, written["every"]))


Plan: TypeAlias = Generator[list[Job], list[Run], None]
"""Yields jobs that may run side by side and is sent their results, so that later jobs can depend on earlier ones."""
Tell: TypeAlias = Callable[[str, int, int], None]
"""``tell(label, done, total)``: steps of a job."""


class Experiment(abc.ABC):
    """A question, the runs that answer it, and what follows from them."""

    name: str
    title: str
    expected: str
    """What was expected before anything ran."""
    limits: tuple[str, ...]
    """What its outcome does not show."""

    @abc.abstractmethod
    def settings(self, size: SizeName) -> dict[str, Any]:
        """Return what a size fixes."""

    @abc.abstractmethod
    def base(self, size: SizeName) -> Base:
        """Return the checkpoint that all arms start from."""

    @abc.abstractmethod
    def plan(self, size: SizeName, seeds: Sequence[int]) -> Plan:
        """Return the jobs, in stages."""

    @abc.abstractmethod
    def curves(self, store: RunStore) -> Curves:
        """Return the figures of a finished run."""

    @abc.abstractmethod
    def analyse(self, runs: Sequence[Run]) -> Analysis:
        """Return what the runs say; a function of them alone."""


def run_plan(
    experiment: Experiment, plan: Plan, *, processes: int, root: Path = RUNS, tell: Tell | None = None
) -> list[Run]:
    """Run all jobs of a plan that have no result yet and return all results, in plan order.

    Args:
        experiment: Whose plan it is.
        plan: The jobs, in stages.
        processes: Jobs that run side by side; 1 runs them in this process.
        root: Where bases and results are kept.
        tell: Told of every job's steps.
    """
    told = tell or (lambda label, done, total: None)
    results: list[Run] = []
    try:
        jobs = next(plan)
        while True:
            done = _stage(experiment, jobs, processes, root, told)
            results += done
            jobs = plan.send(done)
    except StopIteration:
        return results


def _stage(experiment: Experiment, jobs: Sequence[Job], processes: int, root: Path, tell: Tell) -> list[Run]:
    missing = [job for job in jobs if read_result(job, root) is None]
    for base in {job.base.key: job.base for job in missing}.values():
        make_base(base, root, tell)
    for job in missing:
        tell(job.label, 0, job.recipe["steps"])
    if processes == 1:
        for job in missing:
            finish(experiment, job, root, tell)
    elif missing:
        _side_by_side(experiment, missing, processes, root, tell)
    found = [read_result(job, root) for job in jobs]
    return [run for run in found if run is not None]


def _side_by_side(
    experiment: Experiment, jobs: Sequence[Job], processes: int, root: Path, tell: Tell
) -> None:
    # More threads than cores make each run several times slower; set before the children import torch.
    os.environ["OMP_NUM_THREADS"] = "1"
    context = get_context("spawn")
    news = context.Queue()
    over = threading.Event()

    def pass_on() -> None:
        while not (over.is_set() and news.empty()):
            try:
                tell(*news.get(timeout=0.2))
            except queue.Empty:
                continue

    listener = threading.Thread(target=pass_on, daemon=True)
    listener.start()
    try:
        with ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(news,)) as pool:
            waiting = [pool.submit(_finish_there, experiment, job, root) for job in jobs]
            try:
                for future in as_completed(waiting):
                    future.result()
            except BaseException:
                # Jobs that have not begun would only keep the failure waiting.
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        over.set()
        listener.join()


_news: Any = None


def _begin(news: Any) -> None:
    global _news
    _news = news
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when ``parent`` is gone: an orphan would keep its run locked against the next call.

    The run store loses nothing by it.
    """
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def _finish_there(experiment: Experiment, job: Job, root: Path) -> None:
    finish(experiment, job, root, lambda label, done, total: _news.put((label, done, total)))


def finish(experiment: Experiment, job: Job, root: Path, tell: Tell) -> None:
    """Run a job, going on where an interruption left it, and keep its result."""
    from rlvr_gym.selfplay import train

    start = time.process_time()
    folder = root / "unfinished" / job.key
    model = base_folder(job.base, root)
    recipe = {
        **job.recipe,
        "policies": {"main": {"name": "torch_lm", "model": str(model), "device": "cpu"}},
        "checkpoint_every": 50,
        "batch_size": 512,
        "threads": 1,
    }

    def watch(stage: str, done: int, total: int, figures: Mapping[str, Any]) -> None:
        if stage == "step":
            tell(job.label, done, total)

    train(recipe, folder=folder, resume=RunStore.exists(folder), watch=watch)
    with RunStore.open(folder, readonly=True) as store:
        curves = experiment.curves(store)
    result = Run(job.arm, job.seed, curves, time.process_time() - start)
    _write(result_path(job, root), json.dumps(result.to_dict()))
    shutil.rmtree(folder)
    tell(job.label, job.recipe["steps"], job.recipe["steps"])


def result_path(job: Job, root: Path) -> Path:
    """Return where a job's result is kept."""
    return root / "results" / f"{job.experiment}-{job.arm.replace(' ', '_')}-{job.seed}-{job.key}.json"


def read_result(job: Job, root: Path) -> Run | None:
    """Return the result of a job that was finished before."""
    path = result_path(job, root)
    return Run.from_dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def base_folder(base: Base, root: Path) -> Path:
    """Return where a base is kept."""
    return root / "bases" / base.key


def make_base(base: Base, root: Path, tell: Tell) -> dict[str, Any]:
    """Make a base unless it is there, and return what was done: losses and CPU seconds."""
    folder = base_folder(base, root)
    card = folder / "base.json"
    if not card.is_file():
        start = time.process_time()
        draft = folder.with_suffix(".draft")
        shutil.rmtree(draft, ignore_errors=True)
        report = _imitate(base, draft, tell)
        report["cpu_seconds"] = round(time.process_time() - start, 2)
        _write(draft / "base.json", json.dumps(report))
        draft.rename(folder)
    return dict(json.loads(card.read_text(encoding="utf-8")))


def _imitate(base: Base, folder: Path, tell: Tell) -> dict[str, Any]:
    import torch

    from rlvr_gym.agents.environment import make_domain
    from rlvr_gym.learner import Learner, LearnerConfig, SFTConfig, SFTExample
    from rlvr_gym.policies import make_policy

    torch.set_num_threads(1)
    lm: Any = make_policy({**base.policy, "seed": derive(base.seed, "weights")})
    rng = generator(base.seed, "demonstrations")
    demonstrations = make_domain(base.environment).demonstrations(rng, base.examples, base.mistakes)
    stop = np.int32(lm.stop_ids[0])
    examples = [
        SFTExample(lm.render(demo.prompt), np.append(lm.codec.encode(demo.completion), stop))
        for demo in demonstrations
    ]
    settings = SFTConfig(
        optimizer={"name": "adamw", "lr": base.lr, "warmup_steps": min(20, base.steps // 2)},
        steps=base.steps,
        batch_size=base.batch_size,
    )
    learner = Learner(LearnerConfig(), lm, seed=derive(base.seed, "imitation"))
    report = learner.sft(examples, settings, progress=lambda at, total, loss: tell("base", at, total))
    lm.save(folder)
    return {"parameters": lm.module.num_parameters(), **report.to_dict()}


def _key(*parts: Any) -> str:
    return work_id(*(json.dumps(part, sort_keys=True) for part in parts))


def _write(path: Path, text: str) -> None:
    """Write a file that is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
