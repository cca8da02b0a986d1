"""A space of Unicode texts that Gymnasium's vectorisers carry unchanged, in one process or in many."""

from __future__ import annotations

import math
import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from ctypes import c_int32
from typing import Any, overload

import numpy as np
from gymnasium.spaces import Box, Space, Tuple
from gymnasium.spaces.utils import flatdim, flatten, flatten_space, unflatten
from gymnasium.vector.utils import (
    batch_differing_spaces,
    batch_space,
    concatenate,
    create_empty_array,
    create_shared_memory,
    iterate,
    read_from_shared_memory,
    write_to_shared_memory,
)
from numpy.typing import NDArray

_FIRST_SURROGATE, _NUM_SURROGATES = 0xD800, 0x800
_NUM_SCALARS = 0x110000 - _NUM_SURROGATES
_COMMON = np.array([ord("\n"), *range(0x20, 0x7F)], dtype=np.int32)
_PADDING = -1


def is_unicode(text: str) -> bool:
    """Return whether ``text`` is free of lone surrogates, so that it can be stored, hashed and sent."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class UnicodeText(Space[str]):
    """All texts of ``min_length`` to ``max_length`` code points, line breaks included, lone surrogates excluded.

    ``gymnasium.spaces.Text`` needs its alphabet listed and comes out of an ``AsyncVectorEnv`` blank when memory
    is shared; this space needs no alphabet and arrives as written.

    Args:
        max_length: Longest text, in code points.
        min_length: Shortest text.
        seed: Seed of ``sample``.

    Raises:
        ValueError: unless ``0 <= min_length <= max_length``.
    """

    def __init__(
        self, max_length: int, *, min_length: int = 0, seed: int | np.random.Generator | None = None
    ) -> None:
        if not 0 <= min_length <= max_length:
            raise ValueError(f"needs 0 <= min_length <= max_length, got {min_length} and {max_length}")
        self.min_length = int(min_length)
        self.max_length = int(max_length)
        # The type of the flattened form, which nested spaces ask for.
        super().__init__(shape=None, dtype=np.int32, seed=seed)

    def sample(self, mask: None = None, probability: None = None) -> str:
        """Return a random text: lengths of every scale, half of the code points printable ASCII.

        Raises:
            ValueError: when a mask is given; this space has no alphabet to mask.
        """
        if mask is not None or probability is not None:
            raise ValueError(
                "UnicodeText has no alphabet to mask: sample() takes no mask and no probability."
            )
        rng = self.np_random
        span = self.max_length - self.min_length
        length = self.min_length + min(span, int(math.exp(rng.uniform(0, math.log(span + 2)))) - 1)
        scalars = rng.integers(0, _NUM_SCALARS, size=length, dtype=np.int32)
        scalars[scalars >= _FIRST_SURROGATE] += _NUM_SURROGATES
        points = np.where(rng.random(length) < 0.5, rng.choice(_COMMON, size=length), scalars)
        return _decode(points)

    def contains(self, x: Any) -> bool:
        """Return whether ``x`` is a text of this space."""
        return isinstance(x, str) and self.min_length <= len(x) <= self.max_length and is_unicode(x)

    @property
    def is_np_flattenable(self) -> bool:
        """True: a text flattens to its code points, padded with -1."""
        return True

    def __repr__(self) -> str:
        return f"UnicodeText({self.max_length}, min_length={self.min_length})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, UnicodeText)
            and self.min_length == other.min_length
            and self.max_length == other.max_length
        )

    __hash__ = None  # type: ignore[assignment]  # spaces are mutable: they hold a generator


class TextBatch(Tuple):  # type: ignore[type-arg]  # generic in newer Gymnasium only
    """One text per environment of a vector, as a tuple of ``str``."""

    def contains(self, x: Any) -> bool:
        """Return whether ``x`` holds one text per environment."""
        return super().contains(tuple(x) if isinstance(x, SharedTexts) else x)


class SharedTexts(Sequence[str]):
    """Live view of the texts in shared memory; a deep copy is a plain tuple, as a vector environment returns it.

    Gymnasium reads shared memory once, when the vector environment is made, and expects the result to change
    with the memory. A tuple of strings cannot.
    """

    def __init__(self, memory: Any, num: int, max_length: int) -> None:
        self._memory = memory
        self._num = num
        self._max_length = max_length

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(self._num)))
        row = _row(self._memory, range(self._num)[index], self._max_length)
        return _decode(row[1 : 1 + int(row[0])])

    def __len__(self) -> int:
        return self._num

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # the texts change

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)


def _encode(text: str) -> NDArray[np.int32]:
    return np.frombuffer(text.encode("utf-32-le"), dtype="<i4").astype(np.int32)


def _decode(points: NDArray[np.int32]) -> str:
    return points.astype("<i4").tobytes().decode("utf-32-le")


def _row(memory: Any, index: int, max_length: int) -> NDArray[np.int32]:
    """Return environment ``index``'s stretch of the shared array: the length, then the code points."""
    width = 1 + max_length
    return np.frombuffer(memory.get_obj(), dtype=np.int32, count=width, offset=4 * index * width)


@batch_space.register(UnicodeText)
def _batch_space(space: UnicodeText, n: int = 1) -> TextBatch:
    # The seeds come from a copy of the generator: batching must not advance the single space's.
    seeds = UnicodeText(0, seed=_copied(space.np_random)).np_random.integers(0, 2**31, size=n)
    return TextBatch(
        [UnicodeText(space.max_length, min_length=space.min_length, seed=int(seed)) for seed in seeds],
        seed=_copied(space.np_random),
    )


@batch_differing_spaces.register(UnicodeText)
def _batch_differing_spaces(spaces: Sequence[UnicodeText]) -> TextBatch:  # type: ignore[misc]  # as Gymnasium does
    return TextBatch(
        [
            UnicodeText(space.max_length, min_length=space.min_length, seed=_copied(space.np_random))
            for space in spaces
        ],
        seed=_copied(spaces[0].np_random),
    )


def _copied(rng: np.random.Generator) -> np.random.Generator:
    bits = type(rng.bit_generator)()
    bits.state = rng.bit_generator.state
    return np.random.Generator(bits)


# `iterate` is registered for the batch and not for the single text: Gymnasium's tuples would otherwise hand out
# the characters of each text instead of the texts.
@iterate.register(TextBatch)
def _iterate(space: TextBatch, items: Iterable[str]) -> Iterator[str]:  # type: ignore[misc]  # as Gymnasium does
    return iter(items)


@concatenate.register(UnicodeText)
def _concatenate(space: UnicodeText, items: Iterable[str], out: object) -> tuple[str, ...]:
    return tuple(items)


@create_empty_array.register(UnicodeText)
def _create_empty_array(space: UnicodeText, n: int = 1, fn: Any = np.zeros) -> tuple[str, ...]:
    return (" " * space.min_length,) * n


@create_shared_memory.register(UnicodeText)
def _create_shared_memory(space: UnicodeText, n: int = 1, ctx: Any = multiprocessing) -> Any:
    return ctx.Array(c_int32, n * (1 + space.max_length))


@read_from_shared_memory.register(UnicodeText)
def _read_from_shared_memory(space: UnicodeText, shared_memory: Any, n: int = 1) -> SharedTexts:
    return SharedTexts(shared_memory, n, space.max_length)


@write_to_shared_memory.register(UnicodeText)
def _write_to_shared_memory(space: UnicodeText, index: int, value: str, shared_memory: Any) -> None:
    if len(value) > space.max_length:
        raise ValueError(f"a text of {len(value)} code points does not fit into {space}")
    row = _row(shared_memory, index, space.max_length)
    row[0] = len(value)
    row[1 : 1 + len(value)] = _encode(value)


@flatdim.register(UnicodeText)
def _flatdim(space: UnicodeText) -> int:
    return space.max_length


@flatten.register(UnicodeText)
def _flatten(space: UnicodeText, x: str) -> NDArray[np.int32]:  # type: ignore[misc]  # as Gymnasium does
    points = np.full(space.max_length, _PADDING, dtype=np.int32)
    points[: len(x)] = _encode(x)
    return points


@unflatten.register(UnicodeText)
def _unflatten(space: UnicodeText, x: NDArray[np.int32]) -> str:  # type: ignore[misc]  # as Gymnasium does
    return _decode(x[x != _PADDING])


@flatten_space.register(UnicodeText)
def _flatten_space(space: UnicodeText) -> Box:
    return Box(_PADDING, 0x10FFFF, (space.max_length,), np.int32)


__all__ = ["SharedTexts", "TextBatch", "UnicodeText", "is_unicode"]
