"""``rlvr-gym eval``: measure a policy on an environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from rlvr_gym.cli._progress import progress_bar
from rlvr_gym.cli._settings import Plugin, Settings, load_plugin, settings
from rlvr_gym.errors import UsageError
from rlvr_gym.evaluation import evaluate


def command(
    env: Annotated[str, typer.Argument(help="A registered environment.")],
    policy: Annotated[
        str, typer.Option(help="A registered policy, a model folder, a hub id or a GGUF file.")
    ],
    tasks: Annotated[
        str,
        typer.Option(metavar="N|FILE", help="How many tasks to draw, or a task file to play all of."),
    ] = "100",
    n: Annotated[int, typer.Option("-n", "--n", help="Attempts per task.")] = 1,
    k: Annotated[str, typer.Option(help="Which pass@k to report, such as 1,8.")] = "1",
    seed: Annotated[int, typer.Option(help="Fixes tasks and sampling.")] = 0,
    temperature: Annotated[float, typer.Option(min=0.0, help="0 is greedy.")] = 1.0,
    top_p: Annotated[float, typer.Option(min=0.0, max=1.0, help="Nucleus of the sampling.")] = 1.0,
    max_new_tokens: Annotated[int, typer.Option(help="Token limit of a completion.")] = 256,
    batch_size: Annotated[int, typer.Option(help="Completions sampled together.")] = 64,
    given: Settings = None,
    policy_given: Annotated[
        list[str] | None, typer.Option("--policy-set", metavar="a.b=c", help="One setting of the policy.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Also write the figures and all attempts as JSON.")
    ] = None,
    file: Plugin = None,
) -> None:
    """Print accuracy, pass@k and intervals of a policy; held-out tasks where the environment has a split.

    With a task file every row is played. For a sample of one, give it as a setting: --set file=FILE --tasks 20.
    """
    load_plugin(file)
    if out is not None and not out.parent.is_dir():
        raise UsageError(f"{out}: there is no folder {out.parent}.")
    wanted = int(tasks) if tasks.removeprefix("-").isdecimal() else Path(tasks)
    table = {"name": policy, **settings(policy_given)} if policy_given else policy
    with progress_bar() as bar:
        task = bar.add_task(f"eval {env}", total=wanted * n if isinstance(wanted, int) else None, figures="")
        report = evaluate(
            table,
            {"name": env, **settings(given)},
            n=n,
            k=_numbers(k),
            tasks=wanted,
            seed=seed,
            temperature=temperature,
            top_p=top_p,
            max_new_tokens=max_new_tokens,
            batch_size=batch_size,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    if out is not None:
        out.write_text(
            json.dumps({**report.to_dict(), "attempts": report.rows()}, indent=1), encoding="utf-8"
        )
    Console().print(report.table())


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"--k {text}: write whole numbers with commas, such as 1,8.") from None
