"""What a solver reads around a question in English."""

from __future__ import annotations

_ONE = "End with a line 'Answer: ...' that gives the answer and nothing else."
_MANY = (
    "End with a line 'Answer: ...' that gives all answers and nothing else; where there are several, separate them "
    "by semicolons: 'Answer: ...; ...'."
)
_ACTIONS = """\
Look the answer up. Each of your responses must hold one action, on a line of its own:
search: WORDS (shows the passages that fit the words best)
neighbours: ENTITY (shows what is known of an entity; for more of it, neighbours: ENTITY, page 2)
answer: {answer}
You have {turns} turns, the answer included."""


def closed_prompt(question: str, *, many: bool) -> str:
    """Return the question alone, with the form of the answer."""
    return f"{question}\n\n{_MANY if many else _ONE}"


def open_prompt(question: str, documents: str, *, many: bool) -> str:
    """Return the documents, then the question."""
    return f"{documents}\n\nQuestion: {question}\n\n{_MANY if many else _ONE}"


def retrieval_prompt(question: str, turns: int, *, many: bool) -> str:
    """Return the question with the actions that help to answer it."""
    answer = (
        "ANSWER; ANSWER (all of them, separated by semicolons; ends the task)"
        if many
        else "ANSWER (ends the task)"
    )
    return f"{question}\n\n{_ACTIONS.format(answer=answer, turns=turns)}"
