"""Text that a policy wrote, made safe and visible in HTML."""

from __future__ import annotations

import html
import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: object, *, limit: int = 2000) -> str:
    r"""Return ``text`` escaped for HTML, element or attribute, cut at ``limit`` characters.

    Characters that do not show, or that reorder what does, appear as escapes: a page must not be able to lie
    about what a policy wrote.

    Example:
        >>> visible("<b>\u202e\x00")
        '&lt;b&gt;\\u202e\\x00'
    """
    whole = str(text)
    cut = whole[:limit] + (f" … ({len(whole) - limit} more characters)" if len(whole) > limit else "")
    return html.escape("".join(_shown(character) for character in cut), quote=True)


def _shown(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in _HIDDEN:
        return character
    return (
        character.encode("ascii", "backslashreplace").decode()
        if ord(character) > 127
        else f"\\x{ord(character):02x}"
    )
