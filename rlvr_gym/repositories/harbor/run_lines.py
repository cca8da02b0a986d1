"""``RUN`` lines: which install packages, and which only change files. None of them is ever run on this machine itself."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

_REQUIREMENT = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9._, -]+\])?\s*((===?|[<>!~]=?)\s*[\w.*+-]+\s*,?\s*)*(;[^@]*)?"
)
"""A name with extras, versions and markers: nothing that is fetched from an address or built from a folder."""
_LONGEST = 500
_APT_PACKAGE = re.compile(r"[a-z0-9][a-z0-9+.-]*(:amd64)?(=.+)?")
_PIP = re.compile(r"pip(3(\.\d+)?)?")
_HARMLESS = re.compile(
    r"(DEBIAN_FRONTEND|PIP_(NO_CACHE_DIR|DISABLE_PIP_VERSION_CHECK|BREAK_SYSTEM_PACKAGES|ROOT_USER_ACTION))=\S*"
)
_PYTHON = re.compile(r"python(3(\.\d+)?)?")
_QUIET = frozenset(
    (
        "--no-cache-dir",
        "-q",
        "-qq",
        "--quiet",
        "-U",
        "--upgrade",
        "--break-system-packages",
        "--disable-pip-version-check",
        "--no-input",
        "--root-user-action=ignore",
        "--prefer-binary",
        "--no-compile",
        "--only-binary=:all:",
    )
)
_APT_QUIET = frozenset(
    (
        "-y",
        "-yq",
        "-yqq",
        "-q",
        "-qq",
        "--yes",
        "--assume-yes",
        "--no-install-recommends",
        "--no-install-suggests",
    )
)
_TOOLS = frozenset(("pip", "setuptools", "wheel"))
"""What only builds packages, and so has nothing to do here."""
_STATEFUL = ("cd", "export", "set", "source", ".")
"""What changes the shell for the commands after it."""


@dataclass(frozen=True, slots=True)
class Pip:
    """Packages of Python that are installed."""

    line: int
    requirements: tuple[str, ...]
    files: tuple[str, ...]
    """Files of requirements, absolute paths."""


@dataclass(frozen=True, slots=True)
class Apt:
    """Packages of the system that are installed."""

    line: int
    packages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shell:
    """Anything else: run in a sandbox, where only the working folder can be changed."""

    line: int
    command: str
    cwd: str
    env: Mapping[str, str]


def parse_run(line: int, text: str, cwd: str, env: Mapping[str, str]) -> list[Pip | Apt | Shell]:
    """Return what a ``RUN`` line does, in order.

    Raises:
        ValueError: it installs something in a way that is not understood; says why.
    """
    commands = _split(text)
    if commands is None:
        # Pipes, redirections, loops: for a shell, which is given neither pip nor apt.
        _refuse_installers(text)
        return [Shell(line, text, cwd, env)]
    found: list[Pip | Apt | Shell] = []
    pending: list[str] = []
    for source, words in commands:
        step = _installed(line, words, cwd)
        if step is None and _cleans(words):
            continue
        if step is None:
            _refuse_installers(source)
            pending.append(source)
            continue
        if pending:
            if any(each.split()[0] in _STATEFUL for each in pending):
                raise ValueError(
                    f"'{pending[0]}' changes the shell before an installation; use WORKDIR or ENV"
                )
            found.append(Shell(line, " && ".join(pending), cwd, env))
            pending = []
        found.append(step)
    if pending:
        found.append(Shell(line, " && ".join(pending), cwd, env))
    return found


def _split(text: str) -> list[tuple[str, list[str]]] | None:
    """Return the commands between ``&&``, as text and as words; None where the line is more than that."""
    lexer = shlex.shlex(text, posix=False, punctuation_chars="();<>|&")
    lexer.whitespace_split = True
    lexer.commenters = ""
    commands: list[list[str]] = [[]]
    for token in lexer:
        if token == "&&":
            commands.append([])
        elif set(token) <= set("();<>|&"):
            return None
        else:
            commands[-1].append(token)
    if not all(commands):
        raise ValueError("an empty command")
    if any("$" in token or "`" in token for command in commands for token in command):
        return None
    return [(" ".join(command), shlex.split(" ".join(command))) for command in commands]


def _installed(line: int, words: list[str], cwd: str) -> Pip | Apt | None:
    words = words[1:] if words[0] == "sudo" else words
    while words and _HARMLESS.fullmatch(words[0]):
        words = words[1:]
    if len(words) > 2 and _PYTHON.fullmatch(words[0]) and words[1] == "-m":
        words = words[2:]
    if len(words) > 1 and _PIP.fullmatch(words[0]) and words[1] == "install":
        return _pip(line, words[2:], cwd)
    if words and words[0] in ("apt", "apt-get"):
        rest = [word for word in words[1:] if word not in _APT_QUIET]
        if rest[:1] == ["install"]:
            for word in rest[1:]:
                if not _APT_PACKAGE.fullmatch(word):
                    raise ValueError(f"apt: '{word}' is not understood")
            return Apt(line, tuple(word.partition("=")[0].removesuffix(":amd64") for word in rest[1:]))
        if rest[:1] in (["update"], ["clean"], ["autoremove"], ["autoclean"], ["upgrade"]):
            return Apt(line, ())
    return None


def _pip(line: int, words: list[str], cwd: str) -> Pip:
    requirements, files = [], []
    rest = iter(words)
    for word in rest:
        if word in _QUIET:
            continue
        if word in ("-r", "--requirement"):
            name = next(rest, "")
            files.append(name if name.startswith("/") else f"{cwd.rstrip('/')}/{name.removeprefix('./')}")
        elif is_requirement(word):
            requirements.append(word)
        else:
            raise ValueError(
                f"pip: '{word}' is not a package by name and version, which is all that is installed"
            )
    return Pip(line, tuple(name for name in requirements if name not in _TOOLS), tuple(files))


def is_requirement(text: str) -> bool:
    """Return whether ``text`` asks for a package by its name, with versions and markers at most."""
    # Bounded, and without a character that could be of two parts: a hostile line must not cost time.
    return (
        len(text) <= _LONGEST
        and "@" not in text
        and "/" not in text.partition(";")[0]
        and bool(_REQUIREMENT.fullmatch(text))
    )


def _cleans(words: list[str]) -> bool:
    return words[:2] == ["rm", "-rf"] and all(word.startswith("/var/lib/apt/lists") for word in words[2:])


def _refuse_installers(source: str) -> None:
    for word in re.split(r"[\s;|&()<>\"'`]+", source):
        name = word.rpartition("/")[2]
        if name in ("apt", "apt-get", "apk", "npm", "uv", "conda", "cargo", "dpkg") or _PIP.fullmatch(name):
            raise ValueError(f"it uses {name} in a way that is not understood")
        if name in ("curl", "wget"):
            raise ValueError(f"it uses {name}, and there is no network where it would run")
