"""``rlvr-gym check``: the contract of an environment or a verifier, ours or a third party's."""

from __future__ import annotations

import enum
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlvr_gym.cli._settings import Plugin, Settings, load_plugin, settings
from rlvr_gym.errors import UsageError

if TYPE_CHECKING:
    from rlvr_gym.types import Check


class Checkable(enum.StrEnum):
    """What has a contract."""

    ENV = "env"
    VERIFIER = "verifier"


def command(
    name: Annotated[str, typer.Argument(help="A registered environment or verifier.")],
    kind: Annotated[
        Checkable | None,
        typer.Option(help="Which of the two, where the short name is both.", show_default=False),
    ] = None,
    given: Settings = None,
    file: Plugin = None,
    reference: Annotated[
        str | None,
        typer.Option(help="For a verifier that no environment uses: a reference, as JSON or plain text."),
    ] = None,
    right: Annotated[str | None, typer.Option(help="A response that must pass for that reference.")] = None,
) -> None:
    """Run the contract tests of an environment or a verifier; exit code 1 if one fails."""
    from rlvr_gym.testing.audit.target import kind_of

    load_plugin(file)
    kind = kind or Checkable(kind_of(name))
    if kind is Checkable.ENV and (reference is not None or right is not None):
        raise UsageError("--reference and --right belong to a verifier; an environment has tasks of its own.")
    if right is not None and reference is None:
        raise UsageError("--right needs the --reference it is right for.")
    found = _checks(kind, name, settings(given), reference, right)
    table = Table(box=box.SIMPLE_HEAD, title=f"{kind} {name}", title_justify="left")
    table.add_column("claim", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("", overflow="fold")
    for check in found:
        held = "[green]holds[/]" if check.passed else "[red]fails[/]"
        table.add_row(check.name.replace("_", " "), held, escape(check.detail))
    Console().print(table)
    num_failed = sum(not check.passed for check in found)
    print(f"{num_failed} of {len(found)} claims fail" if num_failed else f"all {len(found)} claims hold")
    if num_failed:
        raise typer.Exit(1)


def _checks(
    kind: Checkable, name: str, values: dict[str, Any], reference: str | None, right: str | None
) -> Sequence[Check]:
    from rlvr_gym.testing import Example, check_environment, check_verifier

    if kind is Checkable.ENV:
        return check_environment(name, **values)
    examples = [] if reference is None else [Example(_json(reference), right)]
    return check_verifier(name, examples=examples, **values)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
