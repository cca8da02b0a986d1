"""Pictures of charts and tables, drawn from the numbers and texts that their entities carry."""

from __future__ import annotations

import io
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rlvr_gym.errors import MissingExtraError, UsageError
from rlvr_gym.graphs.extraction.figures import rows_of
from rlvr_gym.graphs.graph import Entity
from rlvr_gym.graphs.quantities import read_quantity

_WIDTH, _HEIGHT, _MARGIN = 640, 400, 48
_ROW_HEIGHT, _MAX_ROWS, _MAX_COLUMNS, _MAX_BARS = 28, 60, 8, 24
_MAX_LETTERS = 40
_INK, _PAPER, _FILL = (34, 34, 34), (255, 255, 255), (70, 120, 180)


def draw(entity: Entity) -> bytes:
    """Return the picture of a chart or a table as the bytes of a PNG file; the same entity gives the same picture.

    Every bar has its value written above it, so that all a picture states can be read off exactly.

    Raises:
        UsageError: an entity that carries neither labels and values nor rows, or too many to be legible.
        MissingExtraError: Pillow is not installed.
    """
    if entity.modality == "table":
        return _png(*_table(entity))
    labels, values = _bars(entity)
    return _png(_WIDTH, _HEIGHT, lambda canvas, font: _chart(canvas, font, entity, labels, values))


def described(entity: Entity) -> str:
    """Return what the picture of a chart states, in words, for those who cannot see it.

    Raises:
        UsageError: as for `draw`.
    """
    title, unit = _text(entity, "title"), _text(entity, "unit")
    bars = ", ".join(f"{label} {value} {unit}".strip() for label, value in zip(*_bars(entity), strict=True))
    return f"{title}: {bars}" if title else bars


def _bars(entity: Entity) -> tuple[list[str], list[str]]:
    labels, values = entity.attributes.get("labels"), entity.attributes.get("values")
    if (
        not isinstance(labels, list)
        or not isinstance(values, list)
        or len(labels) != len(values)
        or not labels
    ):
        raise UsageError(f"picture of '{entity.id}': needs as many 'labels' as 'values', and at least one.")
    if len(labels) > _MAX_BARS:
        raise UsageError(
            f"picture of '{entity.id}': at most {_MAX_BARS} bars are legible, got {len(labels)}."
        )
    for value in values:
        read = read_quantity(str(value))
        if read is None or read.value < 0:
            raise UsageError(
                f"picture of '{entity.id}': a bar needs a number of 0 or more, got '{value!s:.40}'."
            )
    return [str(label) for label in labels], [str(value) for value in values]


def _chart(canvas: Any, font: Any, entity: Entity, labels: list[str], values: list[str]) -> None:
    heights = [_number(value) for value in values]
    most = max(heights) or Fraction(1)
    top, bottom = 2 * _MARGIN, _HEIGHT - _MARGIN
    unit = _text(entity, "unit")
    canvas.text(
        (_WIDTH / 2, _MARGIN / 2), _short(_text(entity, "title") or entity.name, 70), _INK, font, anchor="mm"
    )
    canvas.text((_MARGIN, _MARGIN), f"in {unit}" if unit else "", _INK, font, anchor="lm")
    canvas.line((_MARGIN, bottom, _WIDTH - _MARGIN, bottom), _INK, 2)
    step = Fraction(_WIDTH - 2 * _MARGIN, len(labels))
    for place, (label, value, height) in enumerate(zip(labels, values, heights, strict=True)):
        middle = float(_MARGIN + (place + Fraction(1, 2)) * step)
        upper = float(bottom - height / most * (bottom - top))
        canvas.rectangle((middle - float(step) * 0.3, upper, middle + float(step) * 0.3, bottom), _FILL, _INK)
        canvas.text((middle, upper - 10), _short(value, 12), _INK, font, anchor="mm")
        canvas.text((middle, bottom + 16), _short(label, max(3, int(step) // 8)), _INK, font, anchor="mm")


def _table(entity: Entity) -> tuple[int, int, Callable[[Any, Any], None]]:
    rows = rows_of(entity)
    columns = max(map(len, rows), default=0)
    if not columns or len(rows) > _MAX_ROWS or columns > _MAX_COLUMNS:
        raise UsageError(
            f"picture of '{entity.id}': needs 'rows', at most {_MAX_ROWS} of {_MAX_COLUMNS} cells, "
            f"got {len(rows)} of {columns}."
        )
    longest = [
        max((len(_short(row[at])) for row in rows if at < len(row)), default=0) for at in range(columns)
    ]
    lefts = [_MARGIN]
    for letters in longest:
        lefts.append(lefts[-1] + 24 + 9 * letters)
    width, height = lefts[-1] + _MARGIN, 2 * _MARGIN + _ROW_HEIGHT * len(rows)

    def paint(canvas: Any, font: Any) -> None:
        canvas.text(
            (_MARGIN, _MARGIN / 2),
            _short(_text(entity, "title") or entity.name, width // 9),
            _INK,
            font,
            anchor="lm",
        )
        for number, row in enumerate(rows):
            middle = _MARGIN + (number + 0.5) * _ROW_HEIGHT
            for left, cell in zip(lefts, row, strict=False):
                canvas.text((left + 12, middle), _short(cell), _INK, font, anchor="lm")
        for number in range(len(rows) + 1):
            line = _MARGIN + number * _ROW_HEIGHT
            canvas.line((_MARGIN, line, lefts[-1], line), _INK, 2 if number == 1 else 1)
        for left in lefts:
            canvas.line((left, _MARGIN, left, _MARGIN + len(rows) * _ROW_HEIGHT), _INK, 1)

    return width, height, paint


def _png(width: int, height: int, paint: Callable[[Any, Any], None]) -> bytes:
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        # Pillow comes with matplotlib, which this extra brings.
        raise MissingExtraError("a picture", "train") from None
    image = Image.new("RGB", (width, height), _PAPER)
    paint(ImageDraw.Draw(image), ImageFont.load_default(size=16))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _number(value: str) -> Fraction:
    read = read_quantity(value)
    assert read is not None
    return read.value


def _text(entity: Entity, name: str) -> str:
    return " ".join(str(entity.attributes.get(name, "")).split())


def _short(text: str, letters: int = _MAX_LETTERS) -> str:
    text = " ".join(text.split())
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
