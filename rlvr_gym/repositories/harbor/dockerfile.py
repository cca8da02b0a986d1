"""Dockerfiles: the part of them that a sandbox can stand in for. What is not understood is refused by its line."""

from __future__ import annotations

import json
import platform
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rlvr_gym.repositories.harbor.errors import UnsupportedError
from rlvr_gym.repositories.harbor.run_lines import Apt, Pip, Shell, parse_run

_BASE = re.compile(
    r"(?:docker\.io/|public\.ecr\.aws/docker/)?(?:library/)?(python|debian|ubuntu)(?::([\w.-]+))?(?:@sha256:[0-9a-f]{64})?"
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VARIABLE = re.compile(r"\\\$|\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}$]*))?\})")
_RUN_OPTION = re.compile(r"^(--(network=\S+|mount=type=cache\S*)\s+)+")
"""Options of RUN without effect here: there is no network, and nothing to keep."""
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_OTHER_INDEXES = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONFIG_FILE")
_WITHOUT_EFFECT = ("LABEL", "EXPOSE", "CMD", "MAINTAINER")
"""Harbor starts a container with a command of its own."""
_IMAGE_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True, slots=True)
class Copy:
    """``COPY`` or ``ADD`` of files of the task folder."""

    line: int
    sources: tuple[str, ...]
    """Paths or patterns from ``environment/``."""
    target: str
    """Absolute path."""
    into: bool
    """Whether the target is a folder, whatever the sources are."""


Step = Copy | Pip | Apt | Shell


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a Dockerfile asks for."""

    base: str
    """``python``, ``debian`` or ``ubuntu``."""
    tag: str
    """Of the base, such as ``3.12-slim``."""
    steps: tuple[Step, ...]
    workdir: str
    """The last WORKDIR; ``/`` where none is set."""
    env: Mapping[str, str]
    notes: tuple[str, ...]
    """What is understood and has no effect."""


@dataclass(slots=True)
class _State:
    """What the lines so far have set."""

    base: str = ""
    tag: str = ""
    workdir: str = "/"
    env: dict[str, str] = field(default_factory=dict)
    args: dict[str, str] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def parse_dockerfile(text: str, *, where: str, path: str = _IMAGE_PATH) -> Recipe:
    """Return what a Dockerfile asks for.

    Args:
        text: Its content.
        where: Names the file in messages.
        path: What ``$PATH`` stands for at first.

    Raises:
        UnsupportedError: an instruction that is not of the part that is understood; names the line.
    """
    state = _State(env={"PATH": path})
    for line, word, rest in _instructions(text):
        try:
            _take(state, line, word, rest)
        except (ValueError, RecursionError) as error:
            raise UnsupportedError(f"{where}:{line}: {word} {rest:.80}: {error}") from None
    if not state.base:
        raise UnsupportedError(f"{where}: there is no FROM.")
    env = {name: value for name, value in state.env.items() if (name, value) != ("PATH", path)}
    return Recipe(
        state.base,
        state.tag,
        tuple(state.steps),
        state.workdir,
        env,
        tuple(f"{where}:{note}" for note in state.notes),
    )


def _instructions(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line number, word in capitals, and the rest with continued lines joined."""
    parts: list[str] = []
    first = 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            # A comment within a continued line is dropped, and does not end it.
            continue
        first = first if parts else number
        stripped = line.rstrip()
        if stripped.endswith("\\"):
            parts.append(stripped[:-1])
            continue
        word, _, rest = " ".join([*parts, stripped]).strip().partition(" ")
        yield first, word.upper(), rest.strip()
        parts = []
    if parts:
        word, _, rest = " ".join(parts).strip().partition(" ")
        yield first, word.upper(), rest.strip()


def _take(state: _State, line: int, word: str, rest: str) -> None:
    """Add one instruction to the state.

    Raises:
        ValueError: it is not understood; says why.
    """
    if word == "FROM":
        _take_from(state, rest)
    elif word == "ARG":
        for item in _words(rest):
            name, _, default = item.partition("=")
            state.args[name] = _filled(state, default)
    elif not state.base:
        raise ValueError("it comes before FROM")
    elif word == "ENV":
        state.env |= _env(state, rest)
    elif word == "WORKDIR":
        state.workdir = posixpath.normpath(posixpath.join(state.workdir, _filled(state, rest.strip("\"'"))))
    elif word in ("COPY", "ADD"):
        state.steps.append(_copy(state, line, word, rest))
    elif word == "RUN":
        rest = _RUN_OPTION.sub("", rest)
        if rest.startswith(("[", "--")) or "<<" in rest:
            raise ValueError("only plain RUN lines are understood: no lists, here-documents or secrets")
        # ARG and ENV are variables of the shell.
        variables = {**state.args, **state.env}
        state.steps += parse_run(line, rest, state.workdir, variables)
    elif word == "USER":
        state.notes.append(
            f"{line}: USER {rest} has no effect: commands never run as root, nor as another's user."
        )
    elif word not in _WITHOUT_EFFECT:
        raise ValueError("this instruction needs a container engine")


def _take_from(state: _State, rest: str) -> None:
    if state.base:
        raise ValueError("a second stage needs a container engine")
    words = _words(_filled(state, rest))
    while words and words[0].startswith("--"):
        option = words.pop(0)
        if option != "--platform=linux/amd64" or platform.machine() != "x86_64":
            raise ValueError(f"the option {option} needs a container engine")
    if not words or not (found := _BASE.fullmatch(words[0])):
        raise ValueError("only the bases python, debian and ubuntu can be stood in for")
    state.base, state.tag = found[1], found[2] or "latest"
    if "alpine" in state.tag:
        raise ValueError("programs for Alpine are built otherwise than those here")


def _env(state: _State, rest: str) -> dict[str, str]:
    first, _, value = rest.partition(" ")
    if "=" not in first:
        # The old form: one name, and the rest of the line is its value.
        pairs = {first: value.strip()}
    else:
        pairs = {}
        for item in _words(rest):
            name, equals, text = item.partition("=")
            if not equals:
                raise ValueError(f"'{item}' is no NAME=value")
            pairs[name] = text
    for name in pairs:
        if not _NAME.fullmatch(name):
            raise ValueError(f"'{name}' is no name of a variable")
        if name in _OTHER_INDEXES:
            raise ValueError(f"{name}: packages are taken from this machine's index only")
    return {name: _filled(state, text) for name, text in pairs.items()}


def _copy(state: _State, line: int, word: str, rest: str) -> Copy:
    words = rest.split()
    while words and words[0].startswith("--"):
        option = words.pop(0)
        # Files belong to the sandbox's user in any case.
        if not option.startswith(("--chown=", "--link")):
            raise ValueError(f"the option {option} is not understood")
    text = _filled(state, " ".join(words))
    items = json.loads(text) if text.startswith("[") else _words(text)
    if len(items) < 2 or not all(isinstance(item, str) for item in items):
        raise ValueError("it needs sources and a target")
    *sources, target = items
    for source in sources:
        if "://" in source or source.startswith("git@"):
            raise ValueError(f"'{source}' is not a file of the task folder")
        if ".." in source.split("/"):
            raise ValueError(f"'{source}' leads out of environment/")
        if word == "ADD" and source.endswith(_ARCHIVES):
            raise ValueError(f"'{source}' would be unpacked, which is not done here")
        if "<<" in source:
            raise ValueError("here-documents are not understood")
    place = posixpath.normpath(posixpath.join(state.workdir, target))
    into = target.endswith("/") or target in (".", "..") or len(sources) > 1
    return Copy(line, tuple(sources), place, into)


def _words(text: str) -> list[str]:
    return shlex.split(text)


def _filled(state: _State, text: str) -> str:
    """Return ``text`` with ``$NAME``, ``${NAME}`` and ``${NAME:-default}`` replaced, as Docker does outside RUN."""
    known = {**state.args, **state.env}

    def value(found: re.Match[str]) -> str:
        if found[0] == "\\$":
            return "$"
        return known.get(found[1] or found[2], "") or found[3] or ""

    if "${" in _VARIABLE.sub("", text):
        raise ValueError("only ${NAME} and ${NAME:-default} are understood")
    return _VARIABLE.sub(value, text)
