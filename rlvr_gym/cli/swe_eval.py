"""``rlvr-gym swe-eval``: grade a file of patches."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from rlvr_gym.cli._progress import progress_bar
from rlvr_gym.cli._settings import Settings, settings
from rlvr_gym.envs.swe_files import load_rows
from rlvr_gym.errors import TaskError, UsageError, did_you_mean
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.predictions import Prediction, read_predictions, report
from rlvr_gym.types import Json, Task, Verdict
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.many import check_each


def command(
    rows: Annotated[str, typer.Argument(help="A data set of instances: file, folder, or name on the hub.")],
    predictions: Annotated[
        Path | None,
        typer.Argument(help="Patches as SWE-bench has them (preds.json or JSON lines).", show_default=False),
    ] = None,
    gold: Annotated[bool, typer.Option("--gold", help="Grade the reference patches instead.")] = False,
    layout: Annotated[str, typer.Option("--layout", help="Layout of the rows.")] = "auto",
    split: Annotated[str, typer.Option("--split", help="Split of a data set on the hub.")] = "test",
    ids: Annotated[
        list[str] | None, typer.Option("--id", help="Only this instance; may be given several times.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out rows that are no tasks.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="JSON lines: a verdict for each prediction.")
    ] = None,
    report_file: Annotated[
        Path | None, typer.Option("--report", help="JSON: the run with the names of SWE-bench's report.")
    ] = None,
    given: Settings = None,
) -> None:
    """Grade patches against the tests of their instances, and say how many are resolved.

    `--set` takes the settings of verifier `swe`, such as `wall_s=1800`. Instances whose tests lie in images are graded
    on the runtime `docker` unless `--set runtime=...` says otherwise. Exit code 1 when a patch could not be graded.
    """
    if gold == (predictions is not None):
        raise UsageError(
            "swe-eval grades either a file of predictions or, with --gold, the reference patches."
        )
    loaded = load_rows(rows, layout, on_bad="skip" if skip_bad else "refuse", hub_split=split)
    for note in loaded.notes:
        print(f"note: {note}", file=sys.stderr)
    known = {instance.id: instance for instance in loaded.instances}
    found = read_predictions(predictions) if predictions else [_gold(each) for each in loaded.instances]
    chosen = [each for each in found if not ids or each.id in ids]
    for id in [*(ids or ()), *(each.id for each in chosen)]:
        if id not in known:
            raise UsageError(f"{rows}: no instance is named '{id}'.{did_you_mean(id, known)}")
    if not chosen:
        raise UsageError("There is no prediction to grade.")
    verifier = Verifier("swe", _settings(given, [known[each.id] for each in chosen]))
    verdicts, faults = _graded(verifier, known, chosen, out)
    if report_file:
        text = json.dumps(report(ids or known, chosen, verdicts), indent=2)
        report_file.write_text(f"{text}\n", encoding="utf-8")
    resolved = sum(verdict.passed for verdict in verdicts.values())
    print(f"{resolved} of {len(chosen)} resolved")
    undecided = faults + sum(not verdict.decided for verdict in verdicts.values())
    if undecided:
        print(f"{undecided} of {len(chosen)} could not be graded", file=sys.stderr)
        raise typer.Exit(1)


def _gold(instance: Instance) -> Prediction:
    return Prediction(instance.id, "gold", instance.patch)


def _settings(given: list[str] | None, instances: Sequence[Instance]) -> dict[str, object]:
    values = settings(given)
    if "runtime" not in values and any(each.suite.kind == "script" for each in instances):
        values["runtime"] = "docker"
    return values


def _graded(
    verifier: Verifier, known: dict[str, Instance], chosen: list[Prediction], out: Path | None
) -> tuple[dict[str, Verdict], int]:
    """Return the verdicts by id, and how many instances could not be judged at all."""
    cases = [
        (Task(id=each.id, prompt="", reference=known[each.id].to_dict(), verifier="swe"), each.patch)
        for each in chosen
    ]
    verdicts: dict[str, Verdict] = {}
    faults = 0
    with contextlib.ExitStack() as stack:
        # Line by line, so that whatever ends the process leaves the verdicts so far.
        sink = stack.enter_context(out.open("w", encoding="utf-8", buffering=1)) if out else None
        bar = stack.enter_context(progress_bar())
        task = bar.add_task("swe-eval", total=len(chosen), figures="")
        for each, verdict in zip(chosen, check_each(verifier, cases), strict=True):
            row: dict[str, Json] = {"instance_id": each.id, "model_name_or_path": each.model}
            if isinstance(verdict, TaskError):
                faults += 1
                print(f"{each.id}: {verdict}", file=sys.stderr)
                row |= {"status": None, "error": str(verdict)}
            else:
                verdicts[each.id] = verdict
                print(f"{each.id}: {'resolved' if verdict.passed else verdict.status}: {verdict.reason}")
                row |= verdict.to_dict()
            if sink:
                sink.write(json.dumps(row) + "\n")
            done = f"{sum(found.passed for found in verdicts.values())} resolved"
            bar.update(task, advance=1, figures=done)
    return verdicts, faults
