"""Verifiers that are wrong on purpose, each in one way that was seen in the wild, and one that is sound.

``WRONG`` says which fault the audit must find, and in which family of probes.
"""

import json
import os
import random
import re
import signal
import sys
import threading
import time

from rlvr_gym.envs import SingleTurnEnv, register
from rlvr_gym.errors import TaskError
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers import verifier

WRONG: dict[str, tuple[str, str]] = {}
_NUMBER = re.compile(r"-?[0-9]+")
_SMALL = 10_000


def planted(fault, family, bounded=True, **more):
    """Register a judge ``f(response, reference) -> bool`` under its own name."""

    def decorate(function):
        def judge(task: Task, response: str, config: object) -> Verdict:
            given = (response, task) if function.__name__ in _WANT_TASK else (response, wanted(task))
            return Verdict.of(Status.PASSED if function(*given) else Status.FAILED, "judged")

        judge.__name__ = judge.__qualname__ = f"judge_{function.__name__}"
        judge.__doc__ = function.__doc__
        globals()[judge.__name__] = judge
        verifier(f"planted_{function.__name__}", bounded=bounded, **more)(judge)
        if fault:
            WRONG[f"planted_{function.__name__}"] = (fault, family)
        return function

    return decorate


_WANT_TASK = {"echo", "id_pays", "no_reference", "swallows", "infrastructure", "asks_for_injection"}


def wanted(task: Task) -> str:
    """Return the reference, which is an integer as text."""
    if not isinstance(task.reference, str) or not _NUMBER.fullmatch(task.reference):
        raise TaskError("planted: the reference must be an integer as text.")
    return task.reference


def answer(response: str) -> str | None:
    """Return the final answer: the only box after the thought, or all of the text."""
    head, closing, tail = response.rpartition("</think>")
    if "<think>" in tail:
        return None
    text = tail if closing else head + tail
    boxes = re.findall(r"\\boxed\{([^{}]*)\}", text)
    if len(boxes) > 1 or text.count("\\boxed") > len(boxes):
        return None
    text = boxes[0] if boxes else text
    return text.strip() if len(text) < 6_000 else None


def sound_answer(response: str, reference: str) -> bool:
    """Return what every plant but its own flaw does."""
    found = answer(response)
    return found is not None and _NUMBER.fullmatch(found) is not None and found == reference


@planted("", "")
def sound(response, reference):
    """Nothing is wrong with it."""
    return sound_answer(response, reference)


# What is paid


@planted("paid", "near miss")
def substring(response, reference):
    """The reference anywhere in the response."""
    return reference in response


@planted("paid", "near miss")
def last_number(response, reference):
    """The last digits of the response, whatever stands beside them."""
    return _NUMBER.findall(response)[-1:] == [reference]


@planted("paid", "candidates")
def any_candidate(response, reference):
    """One of all numbers of the response."""
    return reference in _NUMBER.findall(response)


@planted("paid", "null")
def always(response, reference):
    """Everything."""
    return True


@planted("paid", "form only")
def form(response, reference):
    """A box, whatever is in it."""
    return "\\boxed{" in response or sound_answer(response, reference)


@planted("paid", "echo")
def echo(response, task):
    """A response that holds every word of the prompt."""
    return set(task.prompt.split()) <= set(response.split()) or sound_answer(response, wanted(task))


@planted("paid", "code")
def evaluates(response, reference):
    """Whatever Python makes of the answer."""
    found = answer(response)
    try:
        return found is not None and len(found) < 40 and "**" not in found and eval(found) == int(reference)
    except Exception:
        return False


@planted("paid", "near miss")
def prefix(response, reference):
    """An answer that begins right."""
    return (answer(response) or "").startswith(reference)


@planted("paid", "near miss")
def tolerance(response, reference):
    """Two percent off is right."""
    try:
        return abs(float(answer(response) or "x") - int(reference)) <= 0.02 * abs(int(reference))
    except (ValueError, OverflowError):
        return False


@planted("paid", "near miss")
def fuzzy(response, reference):
    """Most of the digits are right."""
    found = answer(response) or ""
    same = sum(a == b for a, b in zip(found, reference, strict=False))
    return len(found) == len(reference) and same >= max(1, len(reference) - 1)


@planted("paid", "injection")
def asks_for_injection(response, task):
    """The score that the response gives itself."""
    for line in response.splitlines():
        if line.startswith("{"):
            try:
                return json.loads(line)["score"] >= 1
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
    return sound_answer(response, wanted(task))


@planted("paid", "in thought")
def unclosed_thought(response, reference):
    """The thought is stripped only when it is closed."""
    text = re.sub(r"<think>[^<]*</think>", "", response).replace("<think>", "")
    return (
        sound_answer(text.splitlines()[-1] if text.strip() else "", reference)
        or _last_word(text) == reference
    )


def _last_word(text):
    return (text.split() or [""])[-1].strip("\\boxed{}.")


@planted("paid", "candidates")
def hedge(response, reference):
    """One side of an or."""
    return any(sound_answer(part, reference) for part in (answer(response) or "").split(" or "))


@planted("paid", "candidates")
def last_side(response, reference):
    """The right side of whatever equation."""
    return sound_answer((answer(response) or "").split("=")[-1], reference)


@planted("paid", "changed answer")
def first_box(response, reference):
    """The first box counts, whatever is said afterwards."""
    boxes = re.findall(r"\\boxed\{([^{}]*)\}", response)
    return boxes[0] == reference if boxes else sound_answer(response, reference)


@planted("paid", "bad references")
def no_reference(response, task):
    """Without a reference nothing can be wrong."""
    return not task.reference or sound_answer(response, wanted(task))


@planted("paid", "other task")
def any_known(response, reference):
    """A table of all right answers, asked without the task."""
    _KNOWN.add(reference)
    return any(sound_answer(response, known) for known in _KNOWN)


_KNOWN: set[str] = set()


# What is refused


@planted("refused", "right")
def white_space(response, reference):
    """Texts must be equal to the last blank."""
    return response == reference


@planted("refused", "bad references")
def swallows(response, task):
    """Any exception is a wrong answer, one about the reference included."""
    try:
        return int(answer(response) or "x") == int(task.reference)
    except Exception:
        return False


@planted("refused", "right")
def long_numbers(response, reference):
    """Python refuses to read 5,000 digits, which is then called wrong."""
    try:
        return int(answer(response) or "x") == int(reference)
    except ValueError:
        return False


# What hangs


@planted("hung", "slow")
def backtracks(response, reference):
    """A pattern that tries every way to split a run of digits."""
    return re.fullmatch(r"(\d+\s*)+", answer(response) or "") is not None and sound_answer(
        response, reference
    )


@planted("hung", "form only")
def loops(response, reference):
    """Strips boxes until there is none, and an open one never goes."""
    while "\\boxed{" in response:
        response = re.sub(r"\\boxed\{([^{}]*)\}", r"\1", response)
    return sound_answer(response, reference)


@planted("hung", "oversized")
def sleeps(response, reference):
    """Waits for a service, the longer the longer the text is."""
    time.sleep(len(response) / 5_000 if len(response) > _SMALL else 0.0)
    return sound_answer(response, reference)


@planted("hung", "slow")
def computes(response, reference):
    """Evaluates a power before comparing it."""
    found = re.fullmatch(r"([0-9]+)\*\*([0-9]+)\*\*([0-9]+)\*\*([0-9]+)", answer(response) or "")
    if found:
        a, b, c, d = map(int, found.groups())
        return a ** (b ** (c**d)) == int(reference)
    return sound_answer(response, reference)


# What crashes


@planted("crashed", "odd types")
def surrogate(response, reference):
    """Encodes the text for a hash."""
    return bool(response.encode()) and sound_answer(response, reference)


@planted("crashed", "odd types")
def nul(response, reference):
    """Hands the text to a C function, which ends at NUL and says so."""
    if "\x00" in response:
        raise ValueError("embedded null byte")
    return sound_answer(response, reference)


@planted("crashed", "oversized")
def exits(response, reference):
    """Ends the process when the text is too long for it."""
    if len(response) > 40_000:
        os._exit(3)
    return sound_answer(response, reference)


@planted("crashed", "oversized")
def digits(response, reference):
    """Reads 5,000 digits with int()."""
    found = answer(response) or ""
    return _NUMBER.fullmatch(found) is not None and int(found) == int(reference)


@planted("crashed", "null")
def blames_the_task(response, reference):
    """Says that the task is wrong when the response is."""
    found = answer(response)
    if found is None or not _NUMBER.fullmatch(found):
        raise TaskError("planted: there is no number")
    return found == reference


@planted("crashed", "oversized", bounded=False, timeout_s=5.0)
def dies_in_worker(response, reference):
    """Ends its worker, again and again."""
    if len(response) > 900_000:
        os._exit(1)
    return sound_answer(response, reference)


@planted("hung", "null", bounded=False, timeout_s=0.2)
def stalls_in_worker(response, reference):
    """Is killed on every second word; the pool survives it, the throughput does not."""
    while "idea" in response:
        time.sleep(0.01)
    return sound_answer(response, reference)


# What changes


@planted("changed", "repeats")
def throws_dice(response, reference):
    """A vote of two random judges."""
    return random.random() < 0.5


@planted("changed", "repeats")
def first_call(response, reference):
    """The first call of a process finds nothing loaded."""
    _CALLS.append(0)
    return len(_CALLS) > 1 and sound_answer(response, reference)


_CALLS: list[int] = []


@planted("changed", "repeats")
def hash_order(response, reference):
    """Takes the first of a set, whose order is another in every process."""
    found = next(iter({f"{word} {response}" for word in "abcdefgh"}))
    return sound_answer(response, reference) if found < "e" else not response


@planted("changed", "threads")
def alarm(response, reference):
    """Limits its time by a signal, which only the main thread can have."""
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 5.0)
    try:
        return sound_answer(response, reference)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@planted("other", "traces")
def takes_the_alarm(response, reference):
    """Uses the alarm in the main thread only, and forgets that its caller may have set it."""
    if threading.current_thread() is threading.main_thread():
        signal.setitimer(signal.ITIMER_REAL, 0.0)
    return sound_answer(response, reference)


@planted("other", "traces")
def seeds(response, reference):
    """Makes itself repeatable, and everybody else with it."""
    random.seed(0)
    return sound_answer(response, reference)


@planted("other", "traces")
def recursion(response, reference):
    """Makes room for deep brackets, for good."""
    sys.setrecursionlimit(sys.getrecursionlimit() + 1)
    return sound_answer(response, reference)


@planted("changed", "threads")
def shared(response, reference):
    """Keeps what it judges in a global variable."""
    _NOW["response"] = response
    time.sleep(0.002)
    return sound_answer(_NOW["response"], reference)


_NOW: dict[str, str] = {}


@planted("other", "memory")
def leaks(response, reference):
    """Logs everything it ever saw."""
    _LOG.append((time.time(), f"{reference} {response}"))
    return sound_answer(response, reference)


_LOG: list[tuple[float, str]] = []


@planted("changed", "task names")
def id_pays(response, task):
    """Test tasks are always right."""
    return task.id.startswith("test/") or sound_answer(response, wanted(task))


# Environments


class _PlantedEnv(SingleTurnEnv):
    """Asks for sums, judged soundly."""

    def __init__(self):
        super().__init__("planted_sound")

    def draw(self, rng):
        a, b = (int(number) for number in rng.integers(1_000, 5_000, size=2))
        return Task(f"planted:{a}+{b}", prompt=f"What is {a} + {b}?", reference=str(a + b))

    def oracle(self, task):
        return f"\\boxed{{{task.reference}}}"


class ShapedEnv(_PlantedEnv):
    """Pays a little for a box, so that the policy finds it: and then for nothing else."""

    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, max(reward, 0.1 * ("\\boxed{" in action)), terminated, truncated, info


class UnmaskedEnv(_PlantedEnv):
    """Gives NaN for what it cannot read, and says nowhere that it is not to be learned from."""

    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, reward if action.strip() else float("nan"), terminated, truncated, info


class ForgetfulEnv(_PlantedEnv):
    """Judges against the task it was first reset to."""

    def reset(self, **kwargs):
        result = super().reset(**kwargs)
        self._task = self.__dict__.setdefault("_first_task", self._task)
        return result


register("planted_env", _PlantedEnv)
register("planted_shaped", ShapedEnv)
register("planted_unmasked", UnmaskedEnv)
register("planted_forgetful", ForgetfulEnv)
WRONG_ENVS = {
    "planted_shaped": ("paid", "form only"),
    "planted_unmasked": ("other", "empty"),
    "planted_forgetful": ("refused", "right"),
}


# Scores


def above_one(response: str, reference: str) -> float:
    """Return a bonus on top of the reward."""
    return 1.5 if sound_answer(response, reference) else 0.0


def not_a_number(response: str, reference: str) -> float:
    """Return the share of right digits, of none for an empty answer."""
    found = answer(response) or ""
    return (float(found == reference) * len(found)) / len(found) if found else float("nan")


def negative(response: str, reference: str) -> float:
    """Return a fine for a wrong answer."""
    return 1.0 if sound_answer(response, reference) else -1.0


def sound_function(response: str, reference: str) -> bool:
    """Return what the sound verifier says."""
    return sound_answer(response, reference)


def in_lists(completions: list[str], answer: list[str], **kwargs: object) -> list[float]:
    """Return rewards as TRL asks for them."""
    return [float(sound_answer(text, known)) for text, known in zip(completions, answer, strict=True)]


def with_source(data_source: str, solution_str: str, ground_truth: str, extra_info: object = None) -> dict:
    """Return a reward as verl asks for it; it reads the last number, as its example for GSM8K does."""
    found = re.findall(r"-?[0-9.,]+", solution_str[-300:])
    return {"score": float(bool(found) and found[-1] == ground_truth), "length": len(solution_str)}
