"""Which columns of a row hold problem, answer and labels: known layouts, detection, and settings of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rlvr_gym.envs.task_files.golds import bare, boxed, hashed, plain
from rlvr_gym.errors import ConfigError, did_you_mean

LayoutName: TypeAlias = Literal["auto", "gsm8k", "math", "aime", "dapo"]
"""A layout of ``LAYOUTS``, or ``auto``: the first that the first row fits."""
AnswerFrom: TypeAlias = Literal["auto", "plain", "boxed", "hashes"]
"""Where in its column the answer stands: all of it, its last box, or what follows ``####``.

``auto`` looks at the first row.
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """Column names of a family of data sets, in order of preference."""

    problems: tuple[str, ...]
    answers: tuple[str, ...]
    labels: tuple[str, ...] = ()
    answer_from: AnswerFrom = "auto"


LAYOUTS: Mapping[str, Layout] = {
    "gsm8k": Layout(("question",), ("answer",), answer_from="hashes"),
    "math": Layout(("problem",), ("answer", "solution"), ("level", "subject", "type")),
    "aime": Layout(("Problem", "problem", "question"), ("Answer", "answer"), ("Year", "year")),
    "dapo": Layout(
        ("prompt",), ("reward_model.ground_truth", "answer", "solution", "ground_truth"), ("data_source",)
    ),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Settings of the mapping; what is left empty is found out from the first row."""

    layout: LayoutName = "auto"
    problem: str = ""
    answer: str = ""
    answer_from: AnswerFrom = "auto"
    labels: tuple[str, ...] = ()

    def settle(self, row: Mapping[str, Any], where: str) -> Columns:
        """Return the mapping with nothing left open.

        Args:
            row: The first row.
            where: Its place.

        Raises:
            ConfigError: a column that is not there, or columns that no layout has; names those found.
        """
        layout = self._layout(row)
        problem = self.problem or _first(row, layout.problems if layout else ())
        answer = self.answer or _first(row, layout.answers if layout else ())
        for column in filter(None, (problem, answer, *self.labels)):
            if value_at(row, column) is None:
                raise ConfigError(f"{where}: there is no column '{column}'.{_found(row, column)}")
        if not problem or not answer:
            missing = "problem" if not problem else "answer"
            raise ConfigError(
                f"{where}: no column is known to hold the {missing}; set "
                f"{'prompt_column' if not problem else 'answer_column'}.{_found(row)}"
            )
        how = self.answer_from
        if how == "auto" and layout is not None and not self.answer:
            how = layout.answer_from
        if how == "auto":
            how = _seen(value_at(row, answer))
        labels = self.labels or tuple(name for name in (layout.labels if layout else ()) if name in row)
        return Columns(self.layout, problem, answer, how, labels)

    def _layout(self, row: Mapping[str, Any]) -> Layout | None:
        if self.layout != "auto":
            return LAYOUTS[self.layout]
        for name, layout in LAYOUTS.items():
            problem, answer = _first(row, layout.problems), _first(row, layout.answers)
            if not problem or not answer:
                continue
            # Other sets have a question and a bare answer; only this one ends its solutions so.
            if name != "gsm8k" or "####" in str(row[answer]):
                return layout
        return None

    def problem_of(self, row: Mapping[str, Any]) -> str:
        """Return the problem.

        Raises:
            ValueError: none there.
        """
        return _text(self._needed(row, self.problem), self.problem)

    def answer_of(self, row: Mapping[str, Any]) -> str:
        """Return the answer, as the ``math`` verifier takes a reference.

        Raises:
            ValueError: none there.
        """
        text = plain(self._needed(row, self.answer))
        found = {"boxed": boxed, "hashes": hashed}.get(self.answer_from, bare)(text)
        if not found:
            raise ValueError(f"'{self.answer}' is empty")
        return found

    def labels_of(self, row: Mapping[str, Any]) -> dict[str, str | int]:
        """Return the labels that this row has."""
        return {name: _label(value) for name in self.labels if (value := value_at(row, name)) is not None}

    def _needed(self, row: Mapping[str, Any], column: str) -> Any:
        value = value_at(row, column)
        if value is None:
            raise ValueError(f"there is no '{column}'")
        return value


def value_at(row: Mapping[str, Any], column: str) -> Any:
    """Return the value of a column, whose name may be a path such as ``reward_model.ground_truth``."""
    if column in row:
        return row[column]
    value: Any = row
    for name in column.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((name for name in names if value_at(row, name) is not None), "")


def _found(row: Mapping[str, Any], near: str = "") -> str:
    hint = did_you_mean(near, row) if near else ""
    return hint if "Did you mean" in hint else f" Columns found: {', '.join(map(str, row)) or 'none'}."


def _seen(answer: Any) -> AnswerFrom:
    if isinstance(answer, str) and "####" in answer:
        return "hashes"
    return "boxed" if isinstance(answer, str) and "\\boxed" in answer else "plain"


def _text(value: Any, column: str) -> str:
    """Return a problem given as text, or as the messages of a chat before the answer.

    Raises:
        ValueError: neither.
    """
    if isinstance(value, list):
        parts = []
        for message in value:
            if not isinstance(message, Mapping) or not isinstance(message.get("content"), str):
                raise ValueError(f"'{column}' is a list, but not of messages with text")
            if message.get("role") not in ("system", "user"):
                raise ValueError(f"'{column}' has a message of the role {message.get('role')!r:.30}")
            parts.append(message["content"])
        value = "\n\n".join(parts)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"'{column}' must be a text, got {value!r:.40}")
    return _unframed(value.strip())


def _unframed(problem: str) -> str:
    """Return a problem without the first and last paragraph of DAPO's template, which ask for another answer line."""
    first, _, rest = problem.partition("\n\n")
    body, _, last = rest.rpartition("\n\n")
    framed = first.startswith("Solve the following math problem step by step.") and "Answer:" in last
    return body.strip() if framed and body.strip() else problem


def _label(value: Any) -> str | int:
    if isinstance(value, int):
        return int(value)
    text = str(value)
    # "Level 3" sorts as the number it is.
    number = text.removeprefix("Level ")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else text
