"""``rlvr-gym play``: watch one episode."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from rlvr_gym.cli._playing import Sampling, Turn, turns
from rlvr_gym.cli._settings import Plugin, Settings, load_plugin, settings
from rlvr_gym.cli._transcript import transcript, verdict_lines
from rlvr_gym.envs import TaskEnv, make_env
from rlvr_gym.errors import UsageError, did_you_mean
from rlvr_gym.evaluation import PLAYERS, make_player
from rlvr_gym.policies import make_policy
from rlvr_gym.types import Task

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def command(
    env: Annotated[str, typer.Argument(help="A registered environment.")],
    policy: Annotated[
        str,
        typer.Option(
            help="A registered policy, a model folder, a hub id or a GGUF file; 'oracle' solves, 'empty' gives up."
        ),
    ],
    task: Annotated[str | None, typer.Option(help="Id of the task; drawn when left out.")] = None,
    transcript_to: Annotated[
        Path | None,
        typer.Option("--transcript", metavar="FILE.md", help="Also write the episode as Markdown."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Fixes task and sampling.")] = 0,
    temperature: Annotated[float, typer.Option(min=0.0, help="0 is greedy.")] = 1.0,
    top_p: Annotated[float, typer.Option(min=0.0, max=1.0, help="Nucleus of the sampling.")] = 1.0,
    max_new_tokens: Annotated[int, typer.Option(min=1, help="Token limit of a completion.")] = 1024,
    given: Settings = None,
    policy_given: Annotated[
        list[str] | None, typer.Option("--policy-set", metavar="a.b=c", help="One setting of the policy.")
    ] = None,
    file: Plugin = None,
) -> None:
    """Play one task and print each turn as it happens, and the verdict.

    Exit code 0 if the verdict is passed, else 1.
    """
    load_plugin(file)
    if transcript_to is not None and not transcript_to.parent.is_dir():
        raise UsageError(f"{transcript_to}: there is no folder {transcript_to.parent}.")
    with closing(make_env({"name": env, **settings(given)})) as world:
        chosen = _task(world, task, seed)
        if policy in PLAYERS:
            player, max_new_tokens = make_player(policy, world, [chosen]), world.max_response_chars
        else:
            player = make_policy({"name": policy, **settings(policy_given)} if policy_given else policy)
        console = Console(highlight=False)
        console.rule(escape(f"{world.id}: {chosen.id}"))
        _print(console, chosen.conversation()[-1].shown)
        played = []
        for turn in turns(player, world, chosen, Sampling(seed, temperature, top_p, max_new_tokens)):
            _show(console, turn)
            played.append(turn)
        if transcript_to is not None:
            text = transcript(world.id, player.version, chosen, played)
            transcript_to.write_text(text, encoding="utf-8")
    verdict = played[-1].verdict
    if verdict is None or not verdict.passed:
        raise typer.Exit(1)


def _task(world: TaskEnv, id: str | None, seed: int) -> Task:
    if id is None:
        return world.tasks(1, seed=seed)[0]
    known = {task.id: task for task in world.all_tasks()}
    if id not in known:
        raise UsageError(f"env '{world.id}' has no task '{id}' with these settings.{did_you_mean(id, known)}")
    return known[id]


def _show(console: Console, turn: Turn) -> None:
    console.rule(f"[bold]turn {turn.number}[/]", align="left")
    _print(console, turn.response, "cyan")
    if turn.observation:
        _print(console, turn.observation)
    if turn.verdict is not None:
        console.rule("[bold]verdict[/]", align="left")
        style = "green" if turn.verdict.passed else "red"
        for line in verdict_lines(turn.verdict):
            _print(console, line, style)


def _print(console: Console, text: str, style: str | None = None) -> None:
    # What others wrote must not steer the terminal.
    console.print(Text(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)), style=style, soft_wrap=True)
