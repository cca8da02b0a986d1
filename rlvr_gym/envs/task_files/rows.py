"""Rows of task files: JSONL, JSON, CSV, Parquet, folders of these, and data sets of the Hugging Face hub."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from rlvr_gym.errors import ConfigError, MissingExtraError, did_you_mean

_MAX_DEPTH_NOTE = "nested too deeply"


@dataclass(frozen=True, slots=True)
class HubSet:
    """One split of a data set on the Hugging Face hub."""

    name: str
    config: str | None = None
    split: str = "train"

    def __str__(self) -> str:
        return (
            f"{self.name} ({self.split})"
            if self.config is None
            else f"{self.name}/{self.config} ({self.split})"
        )


Source: TypeAlias = Path | HubSet
"""Where rows come from."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row, or why there is none at this place."""

    where: str
    """File and line, or file and row number where a format has no lines."""
    values: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""


def read_rows(source: Source) -> Iterator[Row]:
    """Yield the rows of a file, of all files of a folder in order of their names, or of a hub data set.

    Raises:
        ConfigError: nothing there, a format that is not read, or a file that cannot be read at all.
        MissingExtraError: Parquet or the hub without the extra ``data``.
    """
    if isinstance(source, HubSet):
        yield from _hub(source)
        return
    for file in _files(source):
        try:
            yield from _READERS[file.suffix](file)
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file}: {error}") from None


def stamp(source: Source) -> tuple[Any, ...]:
    """Return what changes when the files change; equal stamps mean equal rows."""
    if isinstance(source, HubSet):
        return (source,)
    files = _files(source)
    return tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)


def _files(path: Path) -> list[Path]:
    if path.is_file():
        if path.suffix not in _READERS:
            raise ConfigError(f"{path}: a task file ends in {', '.join(_READERS)}.")
        return [path]
    if not path.is_dir():
        siblings = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
        near = did_you_mean(path.name, [name for name in siblings if Path(name).suffix in _READERS])
        raise ConfigError(f"{path}: no such task file.{near}")
    found = sorted(each for each in path.rglob("*") if each.suffix in _READERS and each.is_file())
    if not found:
        raise ConfigError(f"{path}: no file in this folder ends in {', '.join(_READERS)}.")
    return found


def _jsonl(path: Path) -> Iterator[Row]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _parsed(f"{path}:{number}", line)


def _parsed(where: str, text: bytes) -> Row:
    try:
        return _row(where, json.loads(text))
    except (ValueError, RecursionError) as error:
        return Row(where, fault=f"no JSON ({str(error) or _MAX_DEPTH_NOTE})")


def _row(where: str, values: object) -> Row:
    if isinstance(values, dict):
        return Row(where, values)
    return Row(where, fault=f"a row is a table of columns, not {type(values).__name__}")


def _json(path: Path) -> Iterator[Row]:
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: no JSON ({str(error) or _MAX_DEPTH_NOTE}).") from None
    if isinstance(found, list):
        yield from _numbered(path, found)
    else:
        yield _row(str(path), found)


def _csv(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        try:
            for values in reader:
                where = f"{path}:{reader.line_num}"
                if None in values or None in values.values():
                    yield Row(where, fault=f"not {len(reader.fieldnames or ())} fields")
                else:
                    yield Row(where, values)
        except csv.Error as error:
            raise ConfigError(f"{path}:{reader.line_num}: {error}.") from None


def _parquet(path: Path) -> Iterator[Row]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise MissingExtraError(f"{path}: a Parquet file", "data") from None
    try:
        with ParquetFile(path) as file:
            yield from _numbered(path, (row for batch in file.iter_batches() for row in batch.to_pylist()))
    except ArrowException as error:
        raise ConfigError(f"{path}: {error}.") from None


def _hub(source: HubSet) -> Iterator[Row]:
    try:
        from datasets import load_dataset
    except ImportError:
        raise MissingExtraError(f"hub data set '{source.name}'", "data") from None
    try:
        found = load_dataset(source.name, source.config, split=source.split)
    except (OSError, ValueError) as error:
        # Unreachable, unknown, without that configuration or split: the library says which, in its first line.
        reason = (str(error) or type(error).__name__).strip().splitlines()[0].rstrip(".")
        raise ConfigError(f"hub data set {source}: {reason}.") from None
    yield from _numbered(source, found)


def _numbered(source: Source, rows: Iterable[object]) -> Iterator[Row]:
    for number, values in enumerate(rows, 1):
        yield _row(f"{source}: row {number}", values)


_READERS: Mapping[str, Callable[[Path], Iterator[Row]]] = {
    ".jsonl": _jsonl,
    ".json": _json,
    ".csv": _csv,
    ".parquet": _parquet,
}
