"""``rlvr-gym verify``: judge a file of responses."""

from __future__ import annotations

import contextlib
import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated

import typer

from rlvr_gym.cli._cases import Case, read_cases
from rlvr_gym.cli._progress import progress_bar
from rlvr_gym.cli._settings import Plugin, Settings, load_plugin, settings
from rlvr_gym.errors import TaskError, UsageError
from rlvr_gym.types import Json, Verdict
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.many import check_each
from rlvr_gym.verifiers.pool import shared_pool

_AT_ONCE = 256


def command(
    name: Annotated[str, typer.Argument(help="A registered verifier.")],
    cases: Annotated[
        Path,
        typer.Argument(
            help="JSON lines with reference, response, and optionally prompt and id; - for stdin."
        ),
    ],
    given: Settings = None,
    out: Annotated[Path, typer.Option("--out", help="Where the verdicts go; - for stdout.")] = Path("-"),
    file: Plugin = None,
) -> None:
    """Judge every row and write one verdict per row, in order.

    A row that cannot be judged (not JSON, a field missing, a reference that does not parse) gets a row with `error`
    and no status, is named on stderr, and makes the exit code 1; all other rows are judged all the same.
    """
    load_plugin(file)
    verifier = Verifier(name, settings(given))
    if str(cases) != "-" and str(out) != "-" and out.exists() and cases.exists() and out.samefile(cases):
        raise UsageError(f"{out}: the verdicts would replace the cases.")
    num_bad = num_done = 0
    with contextlib.ExitStack() as stack:
        source = stack.enter_context(_reading(cases))
        total = None if str(cases) == "-" else _count(cases)
        sink = stack.enter_context(_writing(out))
        bar = stack.enter_context(progress_bar())
        task = bar.add_task(f"verify {name}", total=total, figures="")
        try:
            for case, row in _judged(verifier, read_cases(source, name)):
                sink.write(json.dumps(row) + "\n")
                num_done += 1
                if "error" in row:
                    num_bad += 1
                    where = "stdin" if str(cases) == "-" else cases
                    print(f"{where}:{case.line}: {row['error'].rstrip('.')}: {case.given}", file=sys.stderr)
                bar.update(task, advance=1, figures=f"{num_bad} bad" if num_bad else "")
        except KeyboardInterrupt:
            # Ends what runs in the workers; the process would wait for it otherwise.
            shared_pool().close()
            kept = "" if str(out) == "-" else f", kept in {out}"
            print(f"interrupted: {num_done} verdicts written{kept}", file=sys.stderr)
            raise typer.Exit(130) from None
    if num_bad:
        print(f"{num_bad} of {num_done} rows could not be judged", file=sys.stderr)
        raise typer.Exit(1)


def _count(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip())


def _judged(verifier: Verifier, cases: Iterator[Case]) -> Iterator[tuple[Case, Json]]:
    """Yield every case with its row, in order."""
    while chunk := list(itertools.islice(cases, _AT_ONCE)):
        found = check_each(verifier, [(case.task, case.response) for case in chunk if case.task is not None])
        for case in chunk:
            yield case, _row(case, next(found) if case.task is not None else case.error)


def _row(case: Case, found: Verdict | TaskError | str) -> dict[str, Json]:
    if isinstance(found, Verdict):
        return {"id": case.id, **found.to_dict()}
    return {"id": case.id, "status": None, "passed": False, "score": None, "error": str(found)}


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[IO[bytes]]:
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        with path.open("rb") as file:
            yield file
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise UsageError(f"{path}: {error.strerror}.") from None


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[IO[str]]:
    if str(path) == "-":
        yield sys.stdout
        return
    try:
        # Line by line, so that whatever ends the process leaves the verdicts so far.
        with path.open("w", encoding="utf-8", buffering=1) as file:
            yield file
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise UsageError(f"{path}: {error.strerror}.") from None
