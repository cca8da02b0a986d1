"""How experiments run: cached bases, jobs that finish once, two processes of one torch thread each."""

from __future__ import annotations

import json
import os
import queue
import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from experiments.design import Base, Experiment, Job, Plan, Run
from rlvr_gym.seeding import derive, generator
from rlvr_gym.store import RunStore

RUNS = Path("runs/experiments")
"""Where bases, unfinished runs and finished results are kept."""
Tell: TypeAlias = Callable[[str, int, int], None]
"""``tell(label, done, total)``: steps of a job."""


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
    from rlvr_gym.learner import Learner, LearnerConfig, SFTConfig
    from rlvr_gym.policies import make_policy
    from rlvr_gym.selfplay.imitation import example_of

    torch.set_num_threads(1)
    lm: Any = make_policy({**base.policy, "seed": derive(base.seed, "weights")})
    rng = generator(base.seed, "demonstrations")
    demonstrations = make_domain(base.environment).demonstrations(rng, base.examples, base.mistakes)
    examples = [example_of(demo, lm) for demo in demonstrations]
    settings = SFTConfig(
        optimizer={"name": "adamw", "lr": base.lr, "warmup_steps": min(20, base.steps // 2)},
        steps=base.steps,
        batch_size=base.batch_size,
    )
    learner = Learner(LearnerConfig(), lm, seed=derive(base.seed, "imitation"))
    report = learner.sft(examples, settings, progress=lambda at, total, loss: tell("base", at, total))
    lm.save(folder)
    return {"parameters": lm.module.num_parameters(), **report.to_dict()}


def _write(path: Path, text: str) -> None:
    """Write a file that is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
