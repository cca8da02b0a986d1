"""What the registries hold, as rows for the terminal, for JSON and for the docs."""

from __future__ import annotations

import importlib
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from rlvr_gym.config import Config
from rlvr_gym.errors import MissingExtraError, UnknownNameError, did_you_mean
from rlvr_gym.registry import REGISTRIES, Entry
from rlvr_gym.types import Json

HOMES: Mapping[str, str] = {
    "env": "rlvr_gym.envs",
    "math_problem": "rlvr_gym.envs.math_problems",
    "code_problem": "rlvr_gym.envs.code_problems",
    "swe layout": "rlvr_gym.envs.swe_files.layouts",
    "test suite": "rlvr_gym.repositories.suites",
    "log parser": "rlvr_gym.repositories.log_parsers",
    "mutation": "rlvr_gym.factory.mutations",
    "verifier": "rlvr_gym.verifiers",
    "policy": "rlvr_gym.policies",
    "graph source": "rlvr_gym.graphs",
    "runtime": "rlvr_gym.runtimes",
    "loop": "rlvr_gym.selfplay.loops",
    "curriculum": "rlvr_gym.selfplay.curricula",
    "difficulty": "rlvr_gym.selfplay.difficulty",
    "detector": "rlvr_gym.selfplay.detectors",
    "domain": "rlvr_gym.agents",
    "algorithm": "rlvr_gym.learner.algorithms",
    "advantage": "rlvr_gym.learner.advantages",
    "credit": "rlvr_gym.learner.credits",
    "baseline": "rlvr_gym.learner.baselines",
    "shaping": "rlvr_gym.learner.shapings",
    "admission": "rlvr_gym.learner.admissions",
    "optimizer": "rlvr_gym.learner.optimizers",
}
"""Kind -> where its registry is defined; listing one kind leaves the homes of the others unimported."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One field of a settings class."""

    name: str
    type: str
    required: bool
    default: Json
    help: str

    @property
    def assignment(self) -> str:
        """``name=default``, or ``name (type)`` where there is no default."""
        return f"{self.name} ({self.type})" if self.required else f"{self.name}={_plain(self.default)}"


@dataclass(frozen=True, slots=True)
class Thing:
    """One registered thing."""

    name: str
    summary: str
    paper: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """All things of one kind, or why they cannot be listed."""

    kind: str
    things: tuple[Thing, ...]
    missing: str = ""

    def to_dict(self) -> dict[str, Json]:
        """Return JSON values; the keys stay as they are from release to release."""
        return {"missing": self.missing or None, "entries": [asdict(thing) for thing in self.things]}


def catalog(kind: str | None = None) -> list[Kind]:
    """Return one kind, or all of them in the order of ``HOMES``.

    Raises:
        UnknownNameError: no such kind.
    """
    if kind is None:
        return [_read(name) for name in HOMES]
    if kind not in HOMES:
        raise UnknownNameError(f"No kind is named '{kind}'.{did_you_mean(kind, HOMES)}")
    return [_read(kind)]


def _read(kind: str) -> Kind:
    try:
        importlib.import_module(HOMES[kind])
        entries = REGISTRIES[kind].entries()
    except MissingExtraError as error:
        return Kind(kind, (), str(error))
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("rlvr_gym"):
            raise
        # Only what builds on torch can be without its dependency.
        return Kind(kind, (), str(MissingExtraError(f"{kind}s", "train")))
    return Kind(kind, tuple(_thing(entry) for entry in entries))


def _thing(entry: Entry[Any]) -> Thing:
    summary = _prose(entry.summary or _imported_summary(entry.value))
    return Thing(entry.name, summary, entry.paper, settings_of(entry.config))


def _imported_summary(value: object) -> str:
    """Return the first docstring line of what an entry point such as ``"module:Class"`` names."""
    if not isinstance(value, str):
        return ""
    module, _, attribute = value.partition(":")
    found = getattr(importlib.import_module(module), attribute)
    return (found.__doc__ or "").strip().partition("\n")[0]


def settings_of(config: type[Config]) -> tuple[Setting, ...]:
    """Return the fields of a settings class in the order of their definition."""
    return tuple(_setting(name, field) for name, field in config.model_fields.items())


def _prose(docstring: str) -> str:
    """Return one line, code marked as Markdown does."""
    return " ".join(docstring.split()).replace("``", "`")


def _setting(name: str, field: FieldInfo) -> Setting:
    required = field.is_required()
    default = None if required else field.get_default(call_default_factory=True, validated_data={})
    return Setting(
        name=name,
        type=_type_text(field),
        required=required,
        default=to_jsonable_python(default, inf_nan_mode="strings"),
        help=_prose(field.description or ""),
    )


_BOUNDS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}


def _type_text(field: FieldInfo) -> str:
    bounds = [
        f"{sign} {getattr(mark, name)}"
        for mark in field.metadata
        for name, sign in _BOUNDS.items()
        if hasattr(mark, name)
    ]
    return " ".join([_annotation(field.annotation), *bounds])


def _annotation(annotation: Any) -> str:
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        return " | ".join(repr(value) for value in typing.get_args(annotation))
    if origin is typing.Annotated:
        return _annotation(typing.get_args(annotation)[0])
    if origin in (types.UnionType, typing.Union):
        return " | ".join(_annotation(part) for part in typing.get_args(annotation))
    if origin is not None:
        inner = ", ".join("..." if part is ... else _annotation(part) for part in typing.get_args(annotation))
        return f"{origin.__name__}[{inner}]"
    if annotation is type(None):
        return "None"
    return str(getattr(annotation, "__name__", annotation)).removeprefix("typing.")


def _plain(value: Json) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_plain(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_plain, value)) + "]"
    return (
        str(value)
        if isinstance(value, str)
        else str(value).lower()
        if isinstance(value, bool)
        else repr(value)
    )


def markdown(kinds: Sequence[Kind]) -> str:
    """Return the tables of ``docs/registered.md``."""
    lines = ["# What is registered", "", "Made by `rlvr-gym list --markdown > docs/registered.md`.", ""]
    for kind in kinds:
        lines += [f"## {kind.kind}", ""]
        if kind.missing:
            lines += [kind.missing, ""]
        for thing in kind.things:
            paper = f" ({thing.paper})" if thing.paper else ""
            lines += [f"### `{thing.name}`", "", f"{thing.summary}{paper}", ""]
            if thing.settings:
                lines += ["| setting | type | default | what it does |", "|---|---|---|---|"]
                lines += [_row(setting) for setting in thing.settings]
                lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _row(setting: Setting) -> str:
    default = (
        "required" if setting.required else f"`{_plain(setting.default)}`" if setting.default != "" else ""
    )
    cells = (f"`{setting.name}`", f"`{setting.type}`", default, setting.help)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
