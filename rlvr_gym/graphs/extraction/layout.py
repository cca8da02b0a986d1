"""How documents are laid out: what marks the lines that are no sentences."""

from __future__ import annotations

from collections.abc import Sequence

TITLE, SECTION = "# ", "## "
KIND, OTHER_NAMES, SEE_ALSO = "Kind: ", "Also called: ", "See also: "
RECORD = "Record: "
"""Begins a line of JSON ids that says a fact for which no sentence is clear."""
CAPTION, ROW = "[", "|"
SEPARATOR = "; "
"""Stands between the names that such a line lists."""
MARKS = (TITLE, SECTION, KIND, OTHER_NAMES, SEE_ALSO, RECORD, CAPTION, ROW)
"""What no sentence may begin with."""


def row_text(row: Sequence[str]) -> str:
    r"""Return a row of a table as a line of text.

    Example:
        >>> row_text(["a|b", "c"])
        '| a\\|b | c |'
    """
    cells = [cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n") for cell in row]
    return f"| {' | '.join(cells)} |"


def row_cells(line: str) -> list[str]:
    r"""Return the cells of a line that ``row_text`` wrote.

    Example:
        >>> row_cells(r"| a\|b | c |")
        ['a|b', 'c']
    """
    cells, cell, at = [], "", line.find(ROW) + 1
    while 0 < at < len(line):
        letter = line[at]
        if letter == "\\" and at + 1 < len(line):
            cell += {"n": "\n"}.get(line[at + 1], line[at + 1])
            at += 1
        elif letter == ROW:
            cells.append(cell.strip(" "))
            cell = ""
        else:
            cell += letter
        at += 1
    return cells
