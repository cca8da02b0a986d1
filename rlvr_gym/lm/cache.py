"""A KV cache that appends in place and drops rows, on transformers' own cache classes."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer


class _ReservedLayer(DynamicLayer):  # type: ignore[misc]  # transformers is untyped here
    """Keys and values in buffers with room to grow: ``torch.cat`` would copy all of them at every token."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room
        self._length = 0

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Append, and return views of all keys and values so far."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
            self._keys = self._buffer(key_states)
            self._values = self._buffer(value_states)
        end = self._length + key_states.shape[-2]
        self._keys[:, :, self._length : end] = key_states
        self._values[:, :, self._length : end] = value_states
        return self._view(end)

    def batch_select_indices(self, indices: Tensor) -> None:
        """Keep the rows ``indices``, in that order; a row may be named more than once."""
        self._keys = self._buffer(self.keys, indices)
        self._values = self._buffer(self.values, indices)
        self._view(self._length)

    def _view(self, length: int) -> tuple[Tensor, Tensor]:
        self._length = length
        self.keys, self.values = self._keys[:, :, :length], self._values[:, :, :length]
        return self.keys, self.values

    def _buffer(self, like: Tensor, rows: Tensor | None = None) -> Tensor:
        num_rows = len(like) if rows is None else len(rows)
        buffer = like.new_empty(num_rows, like.shape[1], self._room, like.shape[3])
        if rows is not None:
            torch.index_select(like, 0, rows, out=buffer[:, :, : self._length])
        return buffer


def new_cache(config: Any, *, room: int) -> tuple[Any, bool]:
    """Return an empty cache and whether all its layers are of the plain kind.

    Args:
        config: The model's configuration.
        room: Most tokens that a row will hold.
    """
    cache = DynamicCache(config=config)
    plain = bool(cache.layers) and all(type(layer) is DynamicLayer for layer in cache.layers)
    if plain:
        cache.layers = [_ReservedLayer(room) for _ in cache.layers]
    return cache, plain
