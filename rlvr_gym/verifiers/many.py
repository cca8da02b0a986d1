"""Judging many cases although some of them cannot be judged."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from rlvr_gym.errors import TaskError
from rlvr_gym.types import Task, Verdict
from rlvr_gym.verifiers.base import Verifier

_AT_ONCE = 256


def check_each(verifier: Verifier, cases: Iterable[tuple[Task, str]]) -> Iterator[Verdict | TaskError]:
    """Yield the verdict on each case, or what is wrong with its task, judged side by side as `check_many` does.

    No more than a few hundred cases are read ahead of what has been taken.
    """
    cases = iter(cases)
    while chunk := list(itertools.islice(cases, _AT_ONCE)):
        done = 0
        while done < len(chunk):
            try:
                for verdict in verifier.check_many(chunk[done:]):
                    done += 1
                    yield verdict
            except TaskError as error:
                # Nothing follows an error; the rest is judged anew.
                done += 1
                yield error
