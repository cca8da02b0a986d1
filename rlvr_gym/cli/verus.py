"""``rlvr-gym verus``: verify one file and print what is wrong as a compiler does."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.text import Text

from rlvr_gym.errors import UsageError
from rlvr_gym.types import Verdict
from rlvr_gym.verifiers.verus.judging import Reference, VerusConfig, VerusJudge
from rlvr_gym.verifiers.verus.report import Finding, Outcome, Place, Report


def command(
    file: Annotated[Path, typer.Argument(help="A Verus program; - for stdin.")],
    dialect: Annotated[
        Literal["current", "classic"], typer.Option(help="Verus of 2026, or of 2024.")
    ] = "current",
    given: Annotated[
        Path | None, typer.Option(help="The program with its hole, whose items must stand unchanged in FILE.")
    ] = None,
    function: Annotated[str, typer.Option(help="A function that must be there and be proved.")] = "",
    engine: Annotated[
        Literal["auto", "embedded", "verus"],
        typer.Option(help="Which verifier; auto is the real one where it is."),
    ] = "auto",
    rlimit: Annotated[
        float, typer.Option(min=0.1, help="Resource limit of one query, in Verus' unit.")
    ] = 10.0,
    timeout_s: Annotated[float, typer.Option(min=0.1, help="Time of the whole file.")] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as one JSON object.")] = False,
) -> None:
    """Verify FILE and print each finding with its line, the clause it is about and a counterexample if there is one.

    Exit code 0 if every function is proved, else 1.
    """
    source = _text(file)
    config = VerusConfig(engine=engine, rlimit=rlimit, timeout_s=timeout_s, max_code_chars=10_000_000)
    reference = Reference(_text(given) if given is not None else "", function, dialect)
    report = VerusJudge(config).report(source, reference)
    if isinstance(report, Verdict):
        report = Report(Outcome.TIMEOUT, (Finding(report.reason, Place(0, 0)),), dialect=dialect)
    if as_json:
        print(json.dumps(report.to_dict()))
    else:
        name = "<stdin>" if str(file) == "-" else str(file)
        _print(report, source.splitlines(), name, Console(highlight=False, soft_wrap=True))
    if not report.verified:
        raise typer.Exit(1)


def _text(path: Path) -> str:
    if str(path) == "-":
        return sys.stdin.read()
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise UsageError(f"{path}: {reason}.") from None


def _print(report: Report, lines: list[str], name: str, console: Console) -> None:
    for finding in report.findings:
        for line in finding_lines(finding, lines, name, report.outcome):
            console.print(line)
        console.print()
    style = "green" if report.verified else "red"
    count = len(report.functions)
    rest = f", {len(report.findings)} to mend" if report.findings else ""
    console.print(
        Text(f"{report.outcome}", style=f"bold {style}")
        + Text(
            f": {count} {'function' if count == 1 else 'functions'} proved{rest} ({report.dialect}, {report.engine})"
        )
    )


def finding_lines(finding: Finding, lines: list[str], name: str, outcome: Outcome) -> list[Text]:
    """Return one finding as a compiler prints it: message, place, the line with carets, the clause, the values."""
    kind = "error" if outcome is Outcome.FAILED else f"error ({outcome})"
    found = [Text(f"{kind}: ", style="bold red") + Text(finding.message, style="bold")]
    gutter = len(str(max(finding.place.line, finding.related.line if finding.related else 0)))
    if finding.place.line:
        where = f" in {finding.function}" if finding.function else ""
        found.append(Text(f"{' ' * gutter}--> {name}:{finding.place.line}:{finding.place.column}{where}"))
        found += _shown(finding.place, lines, gutter, "red")
    if finding.related is not None and finding.related.line != finding.place.line:
        found.append(Text(f"{' ' * gutter} = about line {finding.related.line}:"))
        found += _shown(finding.related, lines, gutter, "cyan")
    if finding.model:
        values = ", ".join(f"{variable} = {value}" for variable, value in finding.model)
        found.append(Text(f"{' ' * gutter} = for example with {values}", style="yellow"))
    return found


def _shown(place: Place, lines: list[str], gutter: int, style: str) -> list[Text]:
    """Return the line at ``place`` with carets under what is meant."""
    if not 0 < place.line <= len(lines):
        return []
    line = lines[place.line - 1].replace("\t", " ").rstrip()
    start = min(max(place.column, 1), len(line) + 1) - 1
    if place.column == 0:
        start = len(line) - len(line.lstrip())
    end = place.end_column - 1 if place.end_line == place.line else len(line)
    width = max(1, min(end, len(line)) - start)
    return [
        Text(f"{place.line:>{gutter}} | {line}"),
        Text(f"{' ' * gutter} | {' ' * start}") + Text("^" * width, style=f"bold {style}"),
    ]
