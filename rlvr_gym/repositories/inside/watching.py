"""The plugin that tells what became of each test, phase by phase."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator, Iterator
from typing import Any

Hook = Generator[None, Any, None]


def sender(token: str, channel: int) -> Callable[..., None]:
    """Return a function that sends an event to the judge. What it uses it holds itself: names can be patched."""
    write, dumps, own, getpid = os.write, json.dumps, os.getpid(), os.getpid
    count = 0

    def send(kind: str, **more: Any) -> None:
        nonlocal count
        if getpid() != own:
            return  # a child of a test that went on as if it were pytest
        line = f"{token} {count} {dumps({'kind': kind, **more})}\n".encode()
        count += 1
        while line:
            line = line[write(channel, line) :]

    return send


def plugin(
    send: Callable[..., None], job: dict[str, Any], differences: Callable[[], Iterator[str]]
) -> object:
    """Return the plugin.

    A phase counts as passed when it raised nothing, as seen from outside of all other plugins, and pytest's report says so
    too.
    """
    import pytest

    wrapper = pytest.hookimpl(hookwrapper=True, tryfirst=True)
    wanted = None if job["selection"] is None else frozenset(job["selection"])
    raised: set[str] = set()
    phases: dict[str, str] = {}

    def watched(phase: str) -> Callable[..., Hook]:
        @wrapper
        def hook(self: object, item: Any) -> Hook:
            outcome = yield
            if outcome.excinfo is not None:
                raised.add(phase)

        return hook

    class Watching:
        pytest_runtest_setup = watched("setup")
        pytest_runtest_call = watched("call")
        pytest_runtest_teardown = watched("teardown")

        @pytest.hookimpl(trylast=True)
        def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
            if wanted is None:
                return
            dropped = [item for item in items if item.nodeid not in wanted]
            items[:] = [item for item in items if item.nodeid in wanted]
            if dropped:
                config.hook.pytest_deselected(items=dropped)

        def pytest_collectreport(self, report: Any) -> None:
            if report.outcome == "failed":
                send("collection", id=report.nodeid)

        @wrapper
        def pytest_runtest_protocol(self, item: Any) -> Hook:
            raised.clear()
            phases.clear()
            send("begin", id=item.nodeid)
            yield
            send("test", id=item.nodeid, phases=phases)

        @wrapper
        def pytest_runtest_makereport(self, item: Any, call: Any) -> Hook:
            report = (yield).get_result()
            phases[call.when] = report.outcome
            if call.when in raised and report.outcome == "passed":
                phases[call.when] = "failed"
                send("fault", what=f"{item.nodeid} raised, and was reported as passed")

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self) -> None:
            for what in differences():
                send("fault", what=what)

        @pytest.hookimpl(trylast=True)
        def pytest_sessionfinish(self, exitstatus: int) -> None:
            for what in [*_strangers(job["modules"]), *differences()]:
                send("fault", what=what)
            send("end", code=int(exitstatus))

    return Watching()


def _strangers(names: list[str]) -> Iterator[str]:
    """Yield which modules of the repository were loaded from elsewhere, such as from an installed release of it."""
    for name in names:
        file = getattr(sys.modules.get(name), "__file__", None)
        # Some packages put modules in place that come from no file, or from another one of theirs.
        if isinstance(file, str) and file.startswith("/") and not file.startswith("/workspace/"):
            yield f"module {name} is not that of the repository"
