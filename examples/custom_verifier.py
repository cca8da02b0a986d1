"""A verifier of one's own: a response must use all given words, in a sentence of at most so many words."""

from rlvr_gym import verify
from rlvr_gym.config import Config
from rlvr_gym.errors import TaskError
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers import verifier


class UsesWords(Config):
    """Settings of the verifier."""

    max_words: int = 12
    """Longest sentence that counts."""


@verifier("uses_words", config=UsesWords, bounded=True)
def uses_words(task: Task, response: str, config: UsesWords) -> Verdict:
    """Pass when every word of the reference occurs in a short sentence."""
    if not isinstance(task.reference, list):
        raise TaskError(f"verifier 'uses_words' needs a list of words, got {task.reference!r}.")
    said = [word.strip(".,;:!?").lower() for word in response.split()]
    if not said:
        return Verdict.of(Status.MALFORMED, "no words")
    checks = tuple(Check(word, word.lower() in said) for word in task.reference)
    missing = [check.name for check in checks if not check.passed]
    if missing:
        return Verdict.of(Status.FAILED, f"not used: {', '.join(missing)}", checks=checks)
    if len(said) > config.max_words:
        return Verdict.of(Status.FAILED, f"{len(said)} words", checks=checks)
    return Verdict.of(Status.PASSED, "all used", checks=checks)


for sentence in ("The cat sat on the mat.", "The cat slept.", "cat mat " * 20):
    verdict = verify("uses_words", sentence, reference=["cat", "mat"])
    print(verdict.status, "-", verdict.reason)
