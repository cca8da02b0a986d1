"""The nouns of the library: frozen records without torch that every layer shares.

Token ids and log-probabilities are numpy arrays and are the record; text is a view derived from them.
"""

from __future__ import annotations

import base64
import binascii
import enum
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.errors import TaskError, UsageError

Json: TypeAlias = Any
"""A value that ``json.dumps`` accepts."""
Ids: TypeAlias = NDArray[np.int32]
"""Token ids, shape (n,)."""
Floats: TypeAlias = NDArray[np.float32]
"""One value per token, shape (n,)."""
Role: TypeAlias = str
"""Who wrote a trajectory: ``"solver"``, ``"proposer"``, ``"agent"``, ..."""
Finish: TypeAlias = Literal["stop", "length", "abort"]
"""Why sampling ended: a sampled stop token, the token limit, or our own abort."""


class Status(enum.StrEnum):
    """What became of one verification. Only the first four are *decided* and carry a score."""

    PASSED = "passed"
    """Verified success; the only status that earns a reward."""
    FAILED = "failed"
    """Proven wrong."""
    MALFORMED = "malformed"
    """The policy's output could not be read as an answer."""
    OVER_LIMIT = "over_limit"
    """The policy's own program used up its declared budget on a healthy worker."""
    UNDECIDED = "undecided"
    """The verifier gave up without a proof either way."""
    UNSUPPORTED = "unsupported"
    """Outside what the verifier covers."""
    TIMEOUT = "timeout"
    """The verifier itself was killed at its wall-clock, CPU or memory limit."""
    INFRASTRUCTURE = "infrastructure"
    """A worker, sandbox or service failed; says nothing about the answer."""


DECIDED = frozenset({Status.PASSED, Status.FAILED, Status.MALFORMED, Status.OVER_LIMIT})
"""Statuses that count in a group; all others are masked and counted."""


_MEDIA_TYPE = re.compile(r"image/[a-z0-9.+-]{1,60}")


@dataclass(frozen=True, slots=True)
class Image:
    """A picture in a message.

    Raises:
        ValueError: a media type that is no image's.
    """

    media_type: str
    """Such as ``image/png``."""
    data: bytes = field(repr=False)
    """The bytes of its file."""
    text: str = ""
    """What it shows, for people and programs that are shown texts only; a policy that reads images never sees it."""

    def __post_init__(self) -> None:
        if not _MEDIA_TYPE.fullmatch(self.media_type):
            raise ValueError(f"an image's media type is written like image/png, got '{self.media_type[:80]}'")

    @property
    def digest(self) -> str:
        """SHA-256 over all three fields, by which records name the image: 64 hexadecimal digits."""
        parts = (self.media_type.encode(), self.text.encode("utf-8", "surrogatepass"), self.data)
        return hashlib.sha256(b"".join(b"%d:" % len(part) + part for part in parts)).hexdigest()

    def to_dict(self) -> dict[str, Json]:
        """Return the image as JSON values, its bytes in base64."""
        return {
            "media_type": self.media_type,
            "data": base64.b64encode(self.data).decode(),
            "text": self.text,
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Json]) -> Image:
        """Read what ``to_dict`` wrote.

        Raises:
            ValueError: no base64, or a media type that is no image's.
        """
        return cls(row["media_type"], base64.b64decode(row["data"], validate=True), row.get("text", ""))


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    images: tuple[Image, ...] = ()
    """Shown behind the text, in this order."""

    @property
    def shown(self) -> str:
        """The text, and for each image what it shows in words: for readers of texts."""
        lines = [f"[{image.media_type}, {len(image.data)} bytes: {image.text}]" for image in self.images]
        return "\n\n".join([self.content, *lines])

    def to_json(self) -> Json:
        """Return role and text, and the images where there are any."""
        row: list[Json] = [self.role, self.content]
        return [*row, [image.to_dict() for image in self.images]] if self.images else row

    @classmethod
    def from_json(cls, row: Json) -> Message:
        """Read what ``to_json`` wrote.

        Raises:
            ValueError: anything else.
        """
        role, content, *images = row
        return cls(role, content, tuple(Image.from_dict(image) for rows in images for image in rows))


Conversation: TypeAlias = tuple[Message, ...]
"""Messages in order."""


def refuse_images(conversation: Conversation) -> None:
    """Do nothing, unless there are images: to leave them out would pose another problem.

    Raises:
        UsageError: the conversation holds images.
    """
    number = sum(len(message.images) for message in conversation)
    if number:
        raise UsageError(
            f"This policy reads text only, and the conversation holds {number} image{'s' * (number > 1)}: take a "
            "policy that reads images, such as 'endpoint', or have the environment pose its tasks without them."
        )


@dataclass(frozen=True, slots=True)
class Check:
    """One named part of a verdict, such as one unit test."""

    name: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verifier says of one response.

    Raises:
        ValueError: when score and status contradict each other.
    """

    status: Status
    score: float | None
    reason: str
    checks: tuple[Check, ...] = ()
    parts: tuple[Verdict, ...] = ()
    """Verdicts that this one was composed of, in order."""
    verifier: str = ""
    """``name@version`` of the verifier."""
    label: Literal["hard", "soft", "pseudo"] = "hard"
    """Whether the score is proven, judged, or a majority label."""
    tries: int = 1
    seconds: float = field(default=0.0, compare=False)
    """Time the verification took; never part of equality, so that replays compare equal."""

    def __post_init__(self) -> None:
        if self.status in DECIDED:
            if self.score is None or not 0.0 <= self.score <= 1.0:
                raise ValueError(f"a {self.status} verdict needs a score in [0, 1], got {self.score}")
            if self.status is not Status.PASSED and self.status is not Status.FAILED and self.score != 0.0:
                raise ValueError(f"a {self.status} verdict scores 0, got {self.score}")
        elif self.score is not None:
            raise ValueError(f"a {self.status} verdict has no score, got {self.score}")

    @property
    def passed(self) -> bool:
        """True for a verified success and nothing else."""
        return self.status is Status.PASSED

    @property
    def decided(self) -> bool:
        """True when the verdict counts in its group."""
        return self.status in DECIDED

    @classmethod
    def of(cls, status: Status, reason: str, **more: Any) -> Verdict:
        """Return a verdict with the score that ``status`` implies: 1 passed, 0 other decided, else none."""
        score = None if status not in DECIDED else float(status is Status.PASSED)
        return cls(status=status, score=score, reason=reason, **more)

    def signed(self, verifier: str, seconds: float) -> Verdict:
        """Return the verdict under the name of ``verifier``, as `dataclasses.replace` would, in a fifth of the time."""
        copy = object.__new__(Verdict)
        put = object.__setattr__
        put(copy, "status", self.status)
        put(copy, "score", self.score)
        put(copy, "reason", self.reason)
        put(copy, "checks", self.checks)
        put(copy, "parts", self.parts)
        put(copy, "verifier", verifier)
        put(copy, "label", self.label)
        put(copy, "tries", self.tries)
        put(copy, "seconds", seconds)
        return copy

    def to_dict(self) -> dict[str, Json]:
        """Return the verdict as JSON values."""
        return {
            "status": str(self.status),
            "passed": self.passed,
            "score": self.score,
            "reason": self.reason,
            "checks": [{"name": c.name, "passed": c.passed, "detail": c.detail} for c in self.checks],
            "parts": [part.to_dict() for part in self.parts],
            "verifier": self.verifier,
            "label": self.label,
            "tries": self.tries,
            "seconds": round(self.seconds, 6),
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Json]) -> Verdict:
        """Read what ``to_dict`` wrote."""
        return cls(
            status=Status(row["status"]),
            score=row["score"],
            reason=row["reason"],
            checks=tuple(Check(**c) for c in row["checks"]),
            parts=tuple(cls.from_dict(part) for part in row.get("parts", ())),
            verifier=row["verifier"],
            label=row["label"],
            tries=row["tries"],
            seconds=row["seconds"],
        )


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a task came from."""

    origin: Literal["seed", "generated", "proposed", "edited"] = "generated"
    parents: tuple[str, ...] = ()
    trajectory: str | None = None
    step: int = -1
    policy: str | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One problem. ``prompt`` and ``public`` may be shown to a solver; ``reference`` and ``hidden`` never."""

    id: str
    prompt: str
    reference: Json = None
    """What the verifier judges against."""
    verifier: str = ""
    """Registered name of the verifier that judges responses."""
    env: str = ""
    public: Mapping[str, Json] = field(default_factory=dict)
    hidden: Mapping[str, Json] = field(default_factory=dict)
    strata: Mapping[str, str | int] = field(default_factory=dict)
    """Labels such as difficulty or hop count, for quotas and for tables."""
    provenance: Provenance = Provenance()

    def conversation(self) -> Conversation:
        """Return the opening a solver sees: the prompt, with the images that ``public["images"]`` holds as rows.

        Raises:
            TaskError: a row that is no image.
        """
        return (Message("user", self.prompt, self._images()),)

    def _images(self) -> tuple[Image, ...]:
        rows = self.public.get("images", ())
        try:
            return tuple(Image.from_dict(row) for row in rows)
        except (KeyError, TypeError, AttributeError, binascii.Error, ValueError) as error:
            raise TaskError(f"task '{self.id}': public['images'] holds what is no image ({error}).") from None

    def to_dict(self) -> dict[str, Json]:
        """Return the task as JSON values."""
        p = self.provenance
        return {
            "id": self.id,
            "prompt": self.prompt,
            "reference": self.reference,
            "verifier": self.verifier,
            "env": self.env,
            "public": dict(self.public),
            "hidden": dict(self.hidden),
            "strata": dict(self.strata),
            "provenance": {
                "origin": p.origin,
                "parents": list(p.parents),
                "trajectory": p.trajectory,
                "step": p.step,
                "policy": p.policy,
            },
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Json]) -> Task:
        """Read what ``to_dict`` wrote."""
        p = dict(row["provenance"])
        p["parents"] = tuple(p["parents"])
        return cls(**{**row, "provenance": Provenance(**p)})


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """One completion to sample. The same request gives the same completion from the same weights."""

    key: str
    """Names the work; batches are composed in the order of the caller, never of arrival."""
    prompt_ids: Ids
    seed: int
    max_new_tokens: int
    temperature: float = 1.0
    """0 means greedy; log-probabilities are then those of the untempered law."""
    top_p: float = 1.0
    stop: tuple[str, ...] = ()
    """Texts that end the completion as soon as they appear, besides the stop tokens of the policy."""


@dataclass(frozen=True, slots=True, eq=False)
class Completion:
    """What a policy sampled for one request, shape (n,) each; a sampled stop token is included."""

    ids: Ids
    logprobs: Floats
    """Log-probability of each id under the law it was actually drawn from (temperature, top-p)."""
    entropies: Floats
    """Entropy of that law at each position, in nats."""
    finish: Finish
    text: str
    """Decoded view of ``ids`` without the stop token."""
    version: str = ""
    """Policy version that sampled it."""


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """A run of tokens of one origin. Only ``sampled`` tokens carry loss."""

    kind: Literal["prompt", "sampled", "environment", "replay"]
    ids: Ids
    logprobs: Floats | None = None
    entropies: Floats | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """All tokens of one rollout in the order the sampler saw them."""

    id: str
    role: Role
    task: str
    """Task id."""
    segments: tuple[Segment, ...]
    finish: Finish
    temperature: float = 1.0
    top_p: float = 1.0
    text: str = ""
    """Decoded view of the last sampled segment."""
    scored_prompt: Ids | None = None
    """Prompt under which the learner scores the tokens, where it differs from the one sampled under."""
    seconds: float = 0.0
    turns: tuple[str, ...] = ()
    """Work ids of the turns of a conversation in order, those of a replayed prefix first; empty for one text."""

    @property
    def works(self) -> tuple[str, ...]:
        """Work ids of what was sampled in this rollout, at least its own id."""
        return self.turns[sum(s.kind == "replay" for s in self.segments) :] or (self.id,)

    @property
    def ids(self) -> Ids:
        """All token ids, as sampled, shape (n,)."""
        return np.concatenate([s.ids for s in self.segments]) if self.segments else np.zeros(0, np.int32)

    @property
    def loss_mask(self) -> NDArray[np.bool_]:
        """True where a token was sampled by the policy in this rollout, shape (n,)."""
        parts = [np.full(len(s.ids), s.kind == "sampled") for s in self.segments]
        return np.concatenate(parts) if parts else np.zeros(0, bool)

    @property
    def logprobs(self) -> Floats:
        """Behaviour log-probabilities, 0 where nothing was sampled, shape (n,)."""
        parts = [
            s.logprobs if s.logprobs is not None else np.zeros(len(s.ids), np.float32) for s in self.segments
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    @property
    def entropies(self) -> Floats:
        """Entropies of the sampling law, 0 where nothing was sampled, shape (n,)."""
        parts = [
            s.entropies if s.entropies is not None else np.zeros(len(s.ids), np.float32)
            for s in self.segments
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    @property
    def num_sampled(self) -> int:
        """Number of tokens that carry loss."""
        return sum(len(s.ids) for s in self.segments if s.kind == "sampled")

    @property
    def num_replayed(self) -> int:
        """Number of replayed prefix tokens."""
        return sum(len(s.ids) for s in self.segments if s.kind == "replay")

    @property
    def versions(self) -> tuple[str, ...]:
        """Policy versions that sampled tokens, in order, without repeats."""
        return tuple(dict.fromkeys(s.version for s in self.segments if s.version is not None))

    @classmethod
    def single_turn(
        cls, id: str, role: Role, task: str, request: SampleRequest, completion: Completion
    ) -> Trajectory:
        """Return the trajectory of one prompt and one completion."""
        return cls(
            id=id,
            role=role,
            task=task,
            segments=(
                Segment("prompt", request.prompt_ids),
                Segment(
                    "sampled", completion.ids, completion.logprobs, completion.entropies, completion.version
                ),
            ),
            finish=completion.finish,
            temperature=request.temperature,
            top_p=request.top_p,
            text=completion.text,
        )


@dataclass(frozen=True, slots=True)
class GroupKey:
    """What the members of a group have in common; groups of different roles never mix."""

    role: Role
    scope: Literal["task", "parent", "episode", "game_role", "batch"]
    key: str


@dataclass(frozen=True, slots=True)
class Channel:
    """A further reward of a group's members: it has advantages of its own, which are added with a weight.

    Rewards of different kinds that were added up before the advantage rule could be traded against each other.
    """

    name: str
    weight: float
    """Factor on the channel's advantages; those of the group's own rewards have 1."""
    rewards: tuple[float | None, ...]
    """One per member; None for a member of which the channel says nothing, which then gains nothing from it."""

    @property
    def informative(self) -> bool:
        """True when the rewards differ and count."""
        return self.weight != 0.0 and len({r for r in self.rewards if r is not None}) > 1


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Trajectories whose rewards are compared with each other.

    ``rewards[i]`` is None when attempt ``i`` was masked; it then has left the group, with all channels, and is only
    counted.
    """

    key: GroupKey
    members: tuple[Trajectory, ...]
    rewards: tuple[float | None, ...]
    channels: tuple[Channel, ...] = ()

    def __post_init__(self) -> None:
        if len(self.members) != len(self.rewards):
            raise ValueError(f"{len(self.members)} members but {len(self.rewards)} rewards")
        for channel in self.channels:
            if len(self.members) != len(channel.rewards):
                raise ValueError(
                    f"{len(self.members)} members but {len(channel.rewards)} rewards in channel '{channel.name}'"
                )
        if len({channel.name for channel in self.channels}) < len(self.channels):
            raise ValueError(f"a channel comes twice: {[channel.name for channel in self.channels]}")

    def decided(self) -> Group:
        """Return the group without its masked members."""
        keep = [i for i, r in enumerate(self.rewards) if r is not None]
        return replace(
            self,
            members=tuple(self.members[i] for i in keep),
            rewards=tuple(self.rewards[i] for i in keep),
            channels=tuple(
                replace(channel, rewards=tuple(channel.rewards[i] for i in keep)) for channel in self.channels
            ),
        )

    @property
    def num_masked(self) -> int:
        """Number of members without a reward."""
        return sum(r is None for r in self.rewards)

    @property
    def informative(self) -> bool:
        """True when the decided rewards, or those of a channel, are not all equal."""
        if len({r for r in self.rewards if r is not None}) > 1:
            return True
        return bool(self.channels) and any(channel.informative for channel in self.decided().channels)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Success of a policy on a task. Sources are never merged: a replayed prefix is another experiment."""

    task: str
    tried: int = 0
    """Decided attempts; masked ones are in neither count."""
    solved: int = 0
    masked: int = 0
    source: Literal["plain", "prefix", "perturbed"] = "plain"

    @property
    def rate(self) -> float | None:
        """Solved over tried, None before the first decided attempt."""
        return self.solved / self.tried if self.tried else None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A task that a proposer wrote, with what became of it."""

    trajectory: str
    task: Task | None
    gate: Verdict
    novelty: float = 1.0
    """1 for a task never seen, 1/copies otherwise, 0 when refused as a copy."""
    near: str | None = None
    """Canonical form of the task that it is a near-duplicate of."""
    shelf: Literal["rejected", "confirm", "admitted", "retired"] = "rejected"

    @property
    def valid(self) -> bool:
        """True when the gate passed it."""
        return self.task is not None and self.gate.passed


@dataclass(frozen=True, slots=True)
class Prefix:
    """The first turns of an earlier trajectory, which all attempts of an episode replay before they go on."""

    trajectory: str
    """Id of the trajectory that it is taken from."""
    turns: tuple[str, ...]
    """Work ids of the turns that are replayed, under which the run store keeps tokens and observations."""
    kind: Literal["head_start", "handicap"]
    """Whether the trajectory succeeded or failed."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What one episode is played with; a plan is a list of these."""

    work: str
    """Work id: a hash of run, step and slot, so that a retry reuses it."""
    protocol: str
    task: Task | None = None
    parents: tuple[Task, ...] = ()
    attempts: int = 1
    siblings: int = 1
    views: Mapping[Role, Json] = field(default_factory=dict)
    opponents: Mapping[Role, str] = field(default_factory=dict)
    prefix: Prefix | None = None
    """Turns that the attempts replay first, of conversations only."""


@dataclass(frozen=True, slots=True, eq=False)
class Episode:
    """One played setup: a tree of trajectories with their verdicts."""

    id: str
    setup: Setup
    trajectories: tuple[Trajectory, ...]
    parents: Mapping[str, str | None]
    """Trajectory id -> id of the trajectory it hangs from."""
    proposals: tuple[Proposal, ...] = ()
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    """Trajectory id -> verdict."""
