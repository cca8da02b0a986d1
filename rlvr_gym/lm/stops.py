"""Whether rows being written have come to their end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.lm.codec import Codec


class StopWatch:
    """Looks for stop tokens, and for stop texts in what each request has written so far."""

    def __init__(self, codec: Codec, stops: Sequence[tuple[str, ...]]) -> None:
        self._codec = codec
        self._stops = stops
        self._watched = any(stops)
        # Tokens that decode to nothing must not push the start of a stop text out of the window.
        self._shown: list[list[int]] = [[] for _ in stops]
        # A stop text covers at most as many tokens as it has bytes; some more give the decoder its context.
        self._windows = [max((len(s.encode()) for s in texts), default=0) + 4 for texts in stops]

    def feed(self, requests: NDArray[np.int64], tokens: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Take one new token per request and return which of them end here."""
        ended = np.isin(tokens, self._codec.stop_ids)
        if self._watched:
            for row, (request, token) in enumerate(zip(requests.tolist(), tokens.tolist(), strict=True)):
                if self._stops[request] and not ended[row]:
                    ended[row] = self._stop_text(request, token)
        return ended

    def _stop_text(self, request: int, token: int) -> bool:
        if token in self._codec.silent_ids:
            return False
        shown = self._shown[request]
        shown.append(token)
        tail = self._codec.decode(np.array(shown[-self._windows[request] :], np.int32))
        return any(text in tail for text in self._stops[request])
