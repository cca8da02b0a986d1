"""Triples of RDF files, parsed by rdflib and nothing from anywhere else: no context, no other file, no import."""

from __future__ import annotations

import contextlib
import json
import logging
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rlvr_gym.errors import DataError, MissingExtraError
from rlvr_gym.graphs.reading import MAX_LINE_BYTES, decoded, shown, whole

FORMATS = {
    ".ttl": "turtle",
    ".nt": "nt",
    # What N3 adds to Turtle are rules and formulas, which are no facts.
    ".n3": "turtle",
    ".rdf": "xml",
    ".owl": "xml",
    ".jsonld": "json-ld",
}
"""What rdflib calls the format of each suffix."""
_ENTITY = re.compile(r"<!ENTITY\s{1,20}([\w.:-]{1,60})\s{1,20}[\"']([^\"'&%<>]{0,500})[\"']\s{0,20}>")
"""What RDF/XML may declare: an abbreviation, which refers to no other and to no file."""


def read_triples(path: Path, max_bytes: int) -> list[tuple[Any, Any, Any]]:
    """Return all triples in the order of the file.

    Raises:
        MissingExtraError: rdflib is not installed.
        DataError: a file that does not parse.
    """
    try:
        import rdflib
    except ImportError as error:
        raise MissingExtraError(f"{path}: reading RDF", "rdf") from error
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        raise DataError(f"{path}: RDF is read from files that end in {', '.join(FORMATS)}.")
    text = decoded(path, whole(path, max_bytes))
    if kind == "nt":
        _refuse_long_lines(path, text)
    if kind == "json-ld":
        text = _without_remote(path, text)
    if kind == "xml":
        _refuse_other_files(path, text)
    found: list[tuple[Any, Any, Any]] = []
    graph = rdflib.Graph()
    # Its own store would return triples in an order that differs between runs.
    graph.store.add = lambda triple, context, quoted=False: found.append(triple)
    try:
        with _quiet():
            # Without a base of its own a relative name would begin with the folder that the program runs in.
            graph.parse(data=text, format=kind, publicID=f"file:///{quote(path.name)}")
    except RecursionError:
        raise DataError(f"{path}: nested too deep for a graph.") from None
    except Exception as error:
        # Every parser of rdflib has errors of its own, some of them plain ones of Python.
        raise DataError(f"{path}{_line(error, kind, text)}: {_reason(error)}.") from None
    return found


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep rdflib from warnings that nobody can act on."""
    # Its parser of JSON-LD uses what it advises against, and it logs a traceback for every number that is none.
    logger = logging.getLogger("rdflib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    finally:
        logger.setLevel(level)


def _refuse_long_lines(path: Path, text: str) -> None:
    """Refuse lines on which rdflib would take for ever, as it looks for their end again with every 2048 characters."""
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) >= MAX_LINE_BYTES:
            raise DataError(f"{path}:{number}: the line is longer than {MAX_LINE_BYTES >> 20} MiB.")


def _without_remote(path: Path, text: str) -> str:
    """Return JSON-LD as it was understood here, so that a name that comes twice means the same to everybody.

    Raises:
        DataError: a context that stands elsewhere: reading a graph must not depend on the network.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{path}:{error.lineno}: not JSON at column {error.colno}: {error.msg}.") from None
    except (ValueError, RecursionError):
        raise DataError(f"{path}: not JSON, or nested too deep.") from None
    waiting = [document]
    while waiting:
        at = waiting.pop()
        if isinstance(at, dict):
            contexts = at.get("@context", [])
            remote = [
                one
                for one in (contexts if isinstance(contexts, list) else [contexts])
                if isinstance(one, str)
            ]
            if "@import" in at:
                remote.append(f"{at['@import']}")
            if remote:
                raise DataError(
                    f"{path}: the context {shown(remote[0])} stands elsewhere and nothing is fetched; put it into the file."
                )
            waiting += at.values()
        elif isinstance(at, list):
            waiting += at
    return json.dumps(document)


def _refuse_other_files(path: Path, text: str) -> None:
    """Refuse XML that refers to other files, that grows when read, or whose encoding is not the one it is read in."""
    if found := re.search(r"<!DOCTYPE[^>\[]{0,300}?\s(?:SYSTEM|PUBLIC)\s", text):
        line = text.count("\n", 0, found.start()) + 1
        raise DataError(f"{path}:{line}: refers to another file, which is not read.")
    plain = list(_ENTITY.finditer(text))
    if len(plain) != text.count("<!ENTITY"):
        starts = {match.start() for match in plain}
        at = next(match.start() for match in re.finditer("<!ENTITY", text) if match.start() not in starts)
        line = text.count("\n", 0, at) + 1
        raise DataError(f"{path}:{line}: only entities that stand for a short plain text are read.")
    if sum(text.count(f"&{match[1]};") * len(match[2]) for match in plain) > 4 * len(text):
        raise DataError(f"{path}: its entities make it several times as large.")
    declared = re.match(r"<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([^\"'>]{0,40})", text)
    if declared and declared.group(1).lower() not in ("utf-8", "utf8", "us-ascii", "ascii"):
        raise DataError(
            f"{path}:1: the encoding {shown(declared.group(1))} is declared; save the file as UTF-8."
        )


def _line(error: Exception, kind: str, text: str) -> str:
    """Return ``:line`` where a parser's error tells it."""
    if kind == "turtle" and isinstance(lines := getattr(error, "lines", None), int):
        return f":{lines + 1}"
    if callable(number := getattr(error, "getLineNumber", None)):
        return f":{number()}"
    return f":{_bad_triple(text)}" if kind == "nt" else ""


def _bad_triple(text: str) -> int:
    """Return the first line that is no triple, which rdflib does not tell."""
    from rdflib.exceptions import ParserError
    from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

    parser = W3CNTriplesParser()
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            parser.parsestring(line)
        except ParserError:
            return number
    return 1


def _reason(error: Exception) -> str:
    """Return what a parser says, on one line."""
    why = getattr(error, "_why", None) or getattr(error, "getMessage", lambda: f"{error}")()
    return " ".join(f"{why}".split())[:200].rstrip(".") or type(error).__name__
