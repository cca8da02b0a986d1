"""Edits of a file by exact text."""

from __future__ import annotations

from rlvr_gym.envs.swe_play.actions import ActionError, Edit

_SHOWN = 3
_MAX_COMPARISONS = 10_000_000
"""Of lines, in search for a hint."""


def edited(edit: Edit, before: bytes | None) -> bytes:
    """Return the content of the file after ``edit``, all of it or nothing.

    Args:
        edit: What to replace.
        before: Content of the file, None where there is none.

    Raises:
        ActionError: a text that does not occur, or not once, or a new file that exists; nothing was changed.
    """
    if before is None:
        if len(edit.replacements) != 1 or edit.replacements[0].old:
            raise ActionError(
                f"{edit.path}: there is no such file. A new one is made with an empty SEARCH part."
            )
        return _text_file(edit.replacements[0].new)
    try:
        text = before.decode()
    except UnicodeDecodeError:
        raise ActionError(f"{edit.path}: the file is not UTF-8 text; change it with a command.") from None
    windows = "\r\n" in text
    for number, replacement in enumerate(edit.replacements, 1):
        old, new = replacement.old, replacement.new
        if not old:
            if text:
                raise ActionError(
                    f"{edit.path}: the file exists already, so that the SEARCH part must not be empty."
                )
            text = new + "\n"
            continue
        if windows:
            old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
        text = _replaced(text, old, new, f"{edit.path}: part {number}")
    return text.encode()


def _replaced(text: str, old: str, new: str, where: str) -> str:
    places = _places(text, old)
    if not places:
        raise ActionError(
            f"{where}: its SEARCH text does not occur in the file{_nearest(text, old)}. Nothing was changed; "
            "look at the file again, blanks count."
        )
    if len(places) > 1:
        lines = ", ".join(str(text.count("\n", 0, place) + 1) for place in places[:_SHOWN])
        more = "" if len(places) <= _SHOWN else " and more"
        raise ActionError(
            f"{where}: its SEARCH text occurs {len(places)} times, in lines {lines}{more}. Nothing was changed; "
            "add lines around it until it occurs once."
        )
    start = places[0]
    end = start + len(old)
    # Removing whole lines takes their line end along.
    if not new and text.startswith("\n", end) and (start == 0 or text[start - 1] == "\n"):
        end += 1
    return text[:start] + new + text[end:]


def _places(text: str, old: str) -> list[int]:
    """Return where ``old`` occurs as whole lines; where it does nowhere, as any part of the text."""
    found: list[int] = []
    start = text.find(old)
    while start >= 0:
        found.append(start)
        # Not one character further: a file of one letter would make this quadratic.
        start = text.find(old, start + len(old))
    if len(found) == 1 and (overlapping := text.find(old, found[0] + 1)) >= 0:
        found.append(overlapping)
    whole = [
        place
        for place in found
        if (place == 0 or text[place - 1] == "\n")
        and text[place + len(old) : place + len(old) + 1] in ("", "\n", "\r")
    ]
    return whole or found


def _nearest(text: str, old: str) -> str:
    """Return a hint when the lines occur with other blanks."""
    wanted = [line.strip() for line in old.split("\n")]
    lines = [line.strip() for line in text.split("\n")]
    if not any(wanted) or len(wanted) * len(lines) > _MAX_COMPARISONS:
        return ""
    for number in range(len(lines) - len(wanted) + 1):
        if lines[number : number + len(wanted)] == wanted:
            return f"; lines {number + 1} to {number + len(wanted)} differ from it in blanks only"
    return ""


def _text_file(text: str) -> bytes:
    return (text if text.endswith("\n") or not text else text + "\n").encode()
