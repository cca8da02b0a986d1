"""Classes of difficulty by solve rate, as PSV labels and asks for them (arXiv:2512.18160)."""

from __future__ import annotations

CLASSES = ("easy", "medium", "hard", "impossible")


def class_of(solved: int, tried: int) -> str:
    """Return easy from 0.8 on, medium from 0.2 on, hard above 0, impossible at 0.

    Raises:
        ValueError: nothing was tried.

    Example:
        >>> [class_of(solved, 10) for solved in (8, 7, 2, 1, 0)]
        ['easy', 'medium', 'medium', 'hard', 'impossible']
    """
    if tried <= 0 or not 0 <= solved <= tried:
        raise ValueError(f"{solved} solved of {tried} tried")
    # In whole numbers: 0.8 * 5 is no exact product.
    if 10 * solved >= 8 * tried:
        return "easy"
    if 10 * solved >= 2 * tried:
        return "medium"
    return "hard" if solved else "impossible"
