"""``rlvr-gym audit``: what a verifier, an environment or a reward function really pays for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from rlvr_gym.cli._console import wide_console
from rlvr_gym.cli._examples import read_examples
from rlvr_gym.cli._progress import progress_bar
from rlvr_gym.cli._settings import Plugin, Settings, load_plugin, settings
from rlvr_gym.cli.check import Checkable
from rlvr_gym.errors import UsageError, did_you_mean
from rlvr_gym.store.canonical import finite

if TYPE_CHECKING:
    from rlvr_gym.testing import Example
    from rlvr_gym.testing.audit import AuditReport, Fault, Finding, Row

_TEXT = 160
_TITLES = {
    "paid": "paid wrongly",
    "refused": "refused wrongly",
    "hung": "hung",
    "crashed": "crashed",
    "changed": "changed",
    "other": "other",
}
_COLUMNS: Mapping[str, tuple[Fault, ...]] = {
    "wrongly paid": ("paid",),
    "wrongly refused": ("refused",),
    "hung": ("hung",),
    "crashed": ("crashed",),
    "other": ("changed", "other"),
}


def command(
    name: Annotated[
        str,
        typer.Argument(
            help="A registered verifier or environment, or FILE.py:FUNCTION for a reward function."
        ),
    ],
    kind: Annotated[
        Checkable | None,
        typer.Option(help="Which of the two, where the short name is both.", show_default=False),
    ] = None,
    given: Settings = None,
    file: Plugin = None,
    cases: Annotated[
        Path | None,
        typer.Option(
            help="JSON lines with reference, right (a text or a list), and optionally wrong and prompt."
        ),
    ] = None,
    reference: Annotated[str | None, typer.Option(help="A reference, as JSON or plain text.")] = None,
    right: Annotated[str | None, typer.Option(help="A response that is right for that reference.")] = None,
    partial: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Score that a wrong answer may earn by design; 1 for what judges form alone.",
        ),
    ] = 0.0,
    only: Annotated[
        list[str] | None, typer.Option(help="Only this family of probes; may be given several times.")
    ] = None,
    show: Annotated[int, typer.Option(min=1, help="Findings shown per family and kind.")] = 3,
    out: Annotated[Path | None, typer.Option("--json", help="Where the whole report goes.")] = None,
) -> None:
    """Try on a verifier, an environment or a reward function what policies try; exit code 1 if anything is found.

    Everything runs in a process of its own, so that a verifier that hangs or dies costs nothing but a finding.
    """
    from rlvr_gym.testing.audit import ALL, audit

    load_plugin(file)
    thing = _thing(name)
    with progress_bar() as bar:
        task = bar.add_task(f"audit {name}", total=None, figures="")

        def watch(family: str, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, figures=family)

        report = audit(
            thing,
            kind=None if kind is None else cast(Any, str(kind)),
            settings=settings(given),
            examples=_examples(cases, reference, right),
            partial=partial,
            only=only or ALL,
            watch=watch,
        )
    _print(report, show)
    if out is not None:
        _write(out, report)
    if not report.clean:
        raise typer.Exit(1)


def _thing(name: str) -> str | Callable[..., Any]:
    """Return the function that ``FILE.py:FUNCTION`` names, or the name itself.

    Raises:
        UsageError: no such file or function.
    """
    path, colon, attribute = name.rpartition(":")
    if not colon or not path.endswith(".py"):
        return name
    from rlvr_gym.testing import load_file

    module = load_file(path)
    found = getattr(module, attribute, None)
    if not callable(found):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise UsageError(f"{path}: there is no function '{attribute}'.{did_you_mean(attribute, known)}")
    return cast(Callable[..., Any], found)


def _examples(cases: Path | None, reference: str | None, right: str | None) -> Sequence[Example]:
    from rlvr_gym.testing import Example

    if (reference is None) != (right is None):
        raise UsageError("--reference and --right go together: a reference, and what is right for it.")
    found = [] if cases is None else read_examples(cases)
    if reference is not None:
        found.append(Example(_json(reference), right))
    return found


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _print(report: AuditReport, show: int) -> None:
    console = wide_console()
    title = f"{report.kind} {report.name}"
    table = Table(
        box=box.SIMPLE_HEAD,
        title=title,
        title_justify="left",
        title_style="bold",
        padding=(0, 1),
        pad_edge=False,
    )
    table.add_column("family", no_wrap=True)
    table.add_column("probes", justify="right", no_wrap=True)
    for head in _COLUMNS:
        table.add_column(head, justify="right", min_width=max(map(len, head.split())))
    # The column that a narrow terminal cuts.
    table.add_column("verdicts", no_wrap=True, overflow="ellipsis", ratio=1)
    for row in report.rows:
        table.add_row(*_cells(row))
    console.print(table)
    for title, found in (("finding", report.findings), ("remark", report.remarks)):
        for line in _lines(title, found, show):
            console.print(line, soft_wrap=True, highlight=False)
    print(_summary(report))


def _cells(row: Row) -> Iterator[str]:
    yield row.family
    yield f"{row.num_probes - row.num_skipped:,}"
    for faults in _COLUMNS.values():
        number = sum(row.num(fault) for fault in faults)
        yield f"[red]{number:,}[/]" if number else ""
    verdicts = [
        f"{number:,} {status}" for status, number in row.statuses.most_common() if status != "skipped"
    ]
    yield ", ".join([*verdicts, *([f"[red]{row.num_skipped:,} not tried[/]"] if row.num_skipped else [])])


def _lines(title: str, found: Sequence[Finding], show: int) -> Iterator[str]:
    for (family, fault), group in groupby(sorted(found, key=_key), key=_key):
        same = list(group)
        for finding in same[:show]:
            where = f"{family}, {finding.name}: {_TITLES[fault]}"
            yield f"[bold]{title}[/] {escape(where)}"
            yield f"  {escape(_line(finding.detail))}"
            if finding.text or fault in ("paid", "refused"):
                length = f"  ({len(finding.text):,} characters)" if len(finding.text) > _TEXT else ""
                yield f"  response  {escape(_line(finding.text))}{length}"
                yield f"  reference {escape(_line(finding.reference))}"
        if len(same) > show:
            yield f"  and {len(same) - show:,} more in {family}, {_TITLES[fault]}"


def _key(finding: Finding) -> tuple[str, str]:
    return finding.family, finding.fault


def _line(value: object) -> str:
    # ASCII only: what probes hold must not reach the terminal as control characters.
    text = json.dumps(value if not isinstance(value, str) else value[: _TEXT + 1])
    return text if len(text) <= _TEXT else f"{text[:_TEXT]}..."


def _summary(report: AuditReport) -> str:
    probes = sum(row.num_probes - row.num_skipped for row in report.rows)
    skipped = sum(row.num_skipped for row in report.rows)
    found = f"{len(report.findings):,} findings" if report.findings else "nothing found"
    left = f", {skipped:,} probes not tried after hangs or crashes" if skipped else ""
    remarks = f", {len(report.remarks):,} remarks" if report.remarks else ""
    return f"{found}{remarks} in {probes:,} probes, {report.seconds:.1f} s{left}"


def _write(path: Path, report: AuditReport) -> None:
    try:
        path.write_text(json.dumps(finite(report.to_dict()), indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from None
