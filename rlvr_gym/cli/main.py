"""The application: every module of this package with a function ``command`` is one command."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import rlvr_gym
from rlvr_gym import cli
from rlvr_gym.errors import RLVRError

USER_ERROR = 2
INTERRUPTED = 130


class Commands(TyperGroup):
    """Turns deliberate errors into one line; a bug keeps its traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that ``ctx`` names.

        Raises:
            typer.Exit: 2 after a user's error, 130 after Ctrl-C.
        """
        try:
            return super().invoke(ctx)
        except RLVRError as error:
            print(f"error: {error}", file=sys.stderr)
            raise typer.Exit(USER_ERROR) from None
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None


def command_names() -> list[str]:
    """Return the names of all commands: the public modules of this package but ``main``, with hyphens."""
    names = (module.name for module in pkgutil.iter_modules(cli.__path__))
    return sorted(name.replace("_", "-") for name in names if name != "main" and not name.startswith("_"))


def build_app() -> typer.Typer:
    """Return the application with every command."""
    # Without rich markup, messages stay on one line however narrow the terminal is.
    app = typer.Typer(
        cls=Commands,
        rich_markup_mode=None,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
    )

    @app.callback()
    def root(
        version: Annotated[
            bool,
            typer.Option(
                "--version", help="Print the version and exit.", callback=_show_version, is_eager=True
            ),
        ] = False,
    ) -> None:
        """Verifiable rewards, self-play and learning for language models."""

    for name in command_names():
        module = importlib.import_module(f"{cli.__name__}.{name.replace('-', '_')}")
        app.command(name)(module.command)
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        print(rlvr_gym.__version__)
        raise typer.Exit


def main(arguments: list[str] | None = None) -> None:
    """Run the command line.

    Raises:
        SystemExit: always, with the exit code: 0 done, 1 done with findings, 2 wrong use, 130 interrupted.
    """
    build_app()(args=arguments, prog_name="rlvr-gym")
