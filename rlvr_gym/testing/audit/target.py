"""Names what is to be audited, so that another process can find it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from rlvr_gym.envs import ENVS, find
from rlvr_gym.errors import UnknownNameError, UsageError, did_you_mean
from rlvr_gym.testing.audit.subject import EnvironmentSubject, FunctionSubject, Subject, VerifierSubject
from rlvr_gym.testing.verifiers import Example, examples_for
from rlvr_gym.types import Json
from rlvr_gym.verifiers import VERIFIERS, Verifier
from rlvr_gym.verifiers.pool.reference import Reference

Kind = Literal["verifier", "env", "function"]


@dataclass(frozen=True, slots=True)
class Target:
    """What is audited, as JSON can hold it."""

    kind: Kind
    name: str
    settings: Mapping[str, Any]
    where: tuple[str, ...] = ()
    """Encoded references of what no registry finds by itself: the function, or what third parties registered."""
    examples: tuple[Example, ...] = field(default=())

    def open(self) -> Subject:
        """Return the thing itself, in the process that judges."""
        found = [Reference.decode(where.encode()).load() for where in self.where]
        if self.kind == "env":
            return EnvironmentSubject(self.name, self.settings)
        if self.kind == "verifier":
            subject = VerifierSubject(self.name, self.settings, self.examples)
            subject.warm()
            return subject
        return FunctionSubject(found[0], self.examples)

    def to_dict(self) -> dict[str, Json]:
        """Return the target as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Json]) -> Target:
        """Read what ``to_dict`` wrote."""
        examples = tuple(Example(**{**e, "wrong": tuple(e["wrong"])}) for e in row["examples"])
        return cls(**{**row, "where": tuple(row["where"]), "examples": examples})


def find_target(
    thing: str | Callable[..., Any],
    kind: Kind | None,
    settings: Mapping[str, Any],
    examples: Sequence[Example],
) -> Target:
    """Return the target that ``thing`` names.

    Raises:
        UnknownNameError: no such verifier or environment.
        ConfigError: a wrong setting.
        UsageError: a verifier or function without examples, or examples for an environment.
    """
    if callable(thing):
        if settings:
            raise UsageError(f"{thing.__name__} is a plain function, which has no settings.")
        if not examples:
            raise UsageError(
                f"{thing.__name__}: a reward function is audited on examples of yours: give some."
            )
        return Target("function", thing.__name__, {}, (_where(thing),), tuple(examples))
    kind = kind or kind_of(thing)
    if kind == "env":
        entry = find(thing)
        entry.settings(settings, where=f"env '{entry.name}'")
        if examples:
            raise UsageError(f"env '{thing}' has tasks of its own, and takes no examples.")
        return Target("env", entry.name, dict(settings), _registered(entry.value))
    verifier = Verifier(thing, settings)
    found = list(examples) or [e for e in examples_for(thing) if e.right is not None]
    if not found:
        raise UsageError(
            f"verifier '{thing}': no environment uses it, so that examples are needed: on the command line --cases."
        )
    where = _registered(VERIFIERS[thing].value.judge)
    return Target("verifier", verifier.name, dict(settings), where, tuple(found))


def kind_of(name: str) -> Literal["verifier", "env"]:
    """Return whether ``name`` is an environment or a verifier; an id with its version is an environment's.

    Raises:
        UnknownNameError: neither.
    """
    if name in VERIFIERS:
        return "verifier"
    try:
        find(name)
    except UnknownNameError:
        known = [*VERIFIERS, *(id.rpartition("-v")[0] for id in ENVS), *ENVS]
        raise UnknownNameError(f"No env or verifier is named '{name}'.{did_you_mean(name, known)}") from None
    return "env"


def _registered(thing: object) -> tuple[str, ...]:
    """Return where to find ``thing``, and whatever else third parties registered in this process: it may use it.

    Raises:
        UsageError: no other process can find ``thing``.
    """
    found = {}
    for value in (thing, *(e.value.judge for e in VERIFIERS.entries()), *(e.value for e in ENVS.entries())):
        module = getattr(value, "__module__", "rlvr_gym.")
        if not callable(value) or module.startswith("rlvr_gym.") or module in found:
            continue
        try:
            found[module] = _where(value)
        except UsageError:
            if value is thing:
                raise
    return tuple(found.values())


def _where(thing: Callable[..., Any]) -> str:
    return Reference.of(thing).encode().decode()
