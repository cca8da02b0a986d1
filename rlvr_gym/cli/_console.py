"""Where tables go."""

from __future__ import annotations

from rich.console import Console

_WIDE = 110


def wide_console() -> Console:
    """Return a console as wide as the terminal, or wide enough for tables with texts where there is none."""
    console = Console()
    if not console.is_terminal:
        console.width = max(console.width, _WIDE)
    return console
