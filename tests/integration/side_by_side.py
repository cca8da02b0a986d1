"""Runs what the selected tests will ask for two at a time, before they ask: most of it waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

import pytest

T = TypeVar("T")


class SideBySide(Generic[T]):
    """The results of ``do`` for each of ``cases``, of which two run at once."""

    def __init__(self, do: Callable[[Any], T], cases: Iterable[Any]) -> None:
        self._threads = ThreadPoolExecutor(2)
        self._results: dict[Any, Future[T]] = {case: self._threads.submit(do, case) for case in cases}

    def __getitem__(self, case: Any) -> T:
        return self._results[case].result(120)

    def __enter__(self) -> SideBySide[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)


def selected(request: pytest.FixtureRequest, *names: str, **given: Any) -> list[Any]:
    """Return the values of the parameters ``names`` in the module's tests that this session runs.

    Args:
        request: Of a fixture of the module.
        names: Parameters; with several of them each case is a tuple.
        given: Values of other parameters that count only.
    """
    specs = [getattr(item, "callspec", None) for item in request.session.items if item.path == request.path]
    params = [spec.params for spec in specs if spec and given.items() <= spec.params.items()]
    found = [tuple(one[name] for name in names) for one in params if set(names) <= set(one)]
    return [case[0] if len(names) == 1 else case for case in dict.fromkeys(found)]
