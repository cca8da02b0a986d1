import io
import json
import re

import numpy as np
import pytest
from rich.console import Console

from rlvr_gym.envs import MultiTurnEnv, Reply, make
from rlvr_gym.errors import ConfigError, UnknownNameError, UsageError
from rlvr_gym.evaluation import evaluate
from rlvr_gym.metrics import pass_at_k
from rlvr_gym.policies.scripted import STOP_ID, ScriptedPolicy
from rlvr_gym.types import Status, Task, Verdict


class StatusEnv(MultiTurnEnv):
    """Ends with the status that is asked for."""

    def __init__(self):
        super().__init__("number", max_turns=2)

    def draw(self, rng):
        number = int(rng.integers(12))
        return Task(id=f"t{number}", prompt=f"task {number}", strata={"parity": number % 2, "kind": "status"})

    def reply(self, task, conversation):
        said = conversation[-1].content
        return Reply("again", None if said == "again" else Verdict.of(Status(said), "as asked"))


def table(*rows):
    """A policy whose answer is fixed by task and attempt: rows[task][attempt]."""

    def answer(message, request):
        _, task, attempt, _ = request.key.split("/")
        return rows[int(task[1:]) % len(rows)][int(attempt)]

    return ScriptedPolicy(answer)


def adder(message, request):
    left, right = re.search(r"(\d+) \+ (\d+)", message).groups()
    return str(int(left) + int(right))


P, F, U = "passed", "failed", "undecided"


def test_the_estimates_are_those_of_the_counts():
    rows = ([P, F, F, F], [P, P, F, F], [F, F, F, F])
    report = evaluate(table(*rows), StatusEnv(), n=4, k=(1, 2, 4), tasks=12)
    right = [1, 2, 0] * 4
    assert report.num_tasks == 12
    assert report.accuracy.mean == pytest.approx(np.mean(right) / 4)
    for k in (1, 2, 4):
        assert report.pass_at[k].mean == pytest.approx(np.mean([pass_at_k(4, c, k) for c in right]))
    assert report.statuses == {"failed": 36, "passed": 12}
    assert report.accuracy == report.score
    assert report.accuracy.low < report.accuracy.mean < report.accuracy.high
    assert report.notes == ()


def test_pass_at_k_is_undefined_for_fewer_attempts():
    report = evaluate(table([P, F]), StatusEnv(), n=2, k=(1, 2, 3), tasks=12)
    assert report.pass_at[3] is None
    assert report.pass_at[2].mean == 1.0
    assert report.notes == ("pass@3 is undefined for 2 attempts per task.",)
    assert report.to_dict()["pass_at"]["3"] is None


def test_masked_attempts_leave_the_estimates_and_bound_them():
    rows = ([P, U, F, F], [P, P, P, P], [U, "timeout", "infrastructure", "unsupported"])
    report = evaluate(table(*rows), StatusEnv(), n=4, k=(1, 3, 4), tasks=12)
    assert report.num_masked == 20
    assert report.accuracy.mean == pytest.approx((1 / 3 + 1) / 2)
    assert report.if_masked_wrong == pytest.approx((1 / 4 + 1 + 0) / 3)
    assert report.if_masked_right == pytest.approx((2 / 4 + 1 + 1) / 3)
    assert report.pass_at[3].mean == 1.0
    assert report.pass_at[4].mean == 1.0
    assert report.notes == (
        "20 of 48 attempts were masked and are in no estimate.",
        "pass@1 leaves out 4 tasks with fewer than 1 decided attempts.",
        "pass@3 leaves out 4 tasks with fewer than 3 decided attempts.",
        "pass@4 leaves out 8 tasks with fewer than 4 decided attempts.",
    )


def test_when_all_is_masked_there_is_no_estimate():
    report = evaluate(table([U]), StatusEnv(), tasks=12)
    assert (report.accuracy, report.score, report.pass_at) == (None, None, {1: None})
    assert (report.if_masked_wrong, report.if_masked_right) == (0.0, 1.0)
    assert "undefined" in shown(report)


def test_strata_split_the_tasks_and_leave_out_labels_that_say_nothing():
    report = evaluate(table([P], [F]), StatusEnv(), tasks=12)
    assert [(s.name, s.value, s.num_tasks, s.accuracy.mean) for s in report.strata] == [
        ("parity", "0", 6, 1.0),
        ("parity", "1", 6, 0.0),
    ]


def test_partial_credit_moves_the_score_and_not_the_accuracy():
    env = {"name": "sums", "lenient_score": 0.5}
    report = evaluate(ScriptedPolicy(lambda m, r: f"It is {adder(m, r)}."), env, tasks=10)
    assert (report.accuracy.mean, report.score.mean) == (1.0, 0.5)


def test_an_environment_by_name_plays_its_heldout_tasks():
    heldout = {task.id for task in make("sums", digits=2, split="heldout").tasks(400, seed=5)}
    report = evaluate(ScriptedPolicy(adder), {"name": "sums", "digits": 2}, tasks=50)
    assert {attempt.task.id for attempt in report.attempts} <= {
        task.id for task in make("sums", digits=2, split="heldout").tasks(10_000, seed=5)
    }
    assert len(heldout) == 400
    trained = evaluate(ScriptedPolicy(adder), {"name": "sums", "digits": 2, "split": "train"}, tasks=50)
    assert {attempt.task.id for attempt in trained.attempts}.isdisjoint(heldout)
    own = make("sums", digits=2)
    assert {a.task.id for a in evaluate(ScriptedPolicy(adder), own, tasks=50).attempts}.isdisjoint(heldout)


def test_fewer_tasks_than_asked_for_are_noted():
    report = evaluate(ScriptedPolicy(adder), "sums", tasks=90)
    assert report.num_tasks < 40
    assert report.notes == (f"sums-v0 has {report.num_tasks} different tasks here, not 90.",)


def test_given_tasks_are_played():
    chosen = [Task(id=str(i), prompt=f"What is {i} + 1?", reference=i + 1) for i in range(3)]
    report = evaluate(ScriptedPolicy(adder), "sums", tasks=chosen, n=2)
    assert [attempt.task.id for attempt in report.attempts] == ["0", "0", "1", "1", "2", "2"]
    assert report.accuracy.mean == 1.0


def test_the_same_seed_gives_the_same_report_whatever_the_batches():
    policy = ScriptedPolicy.random(["3", "7", "11"])
    one, two = (evaluate(policy, "sums", n=4, tasks=15, seed=3, batch_size=size) for size in (1, 64))
    assert strip(one) == strip(two)
    other = evaluate(policy, "sums", n=4, tasks=15, seed=4)
    assert strip(other) != strip(one)
    longer = evaluate(policy, "sums", n=8, tasks=15, seed=3)
    assert [row for row in strip(longer) if row["attempt"] < 4] == strip(one)


def strip(report):
    rows = report.rows()
    for row in rows:
        row["verdict"].pop("seconds")
    return rows


def bisecting(message, request):
    low, high = 1, 100
    for guess, hint in re.findall(r"(\d+)(Higher|Lower)\.", ScriptedPolicy("").decode(request.prompt_ids)):
        low, high = (int(guess) + 1, high) if hint == "Higher" else (low, int(guess) - 1)
    return str((low + high) // 2)


def test_halving_always_finds_the_number_in_rounds_of_many_episodes():
    report = evaluate(ScriptedPolicy(bisecting), "guess", tasks=60, n=2, batch_size=7)
    assert report.num_tasks == 60
    assert report.accuracy.mean == 1.0
    assert max(len(attempt.responses) for attempt in report.attempts) >= 6
    assert len({len(attempt.responses) for attempt in report.attempts}) > 2


def test_a_turn_limit_is_a_failure_and_not_masked():
    report = evaluate(ScriptedPolicy(["1"]), {"name": "guess", "low": 2, "high": 9}, tasks=5)
    assert report.statuses == {"failed": 5}
    assert {len(attempt.responses) for attempt in report.attempts} == {4}


@pytest.mark.parametrize("by", ["context", "limit"])
def test_no_room_for_another_turn_is_a_failure_and_not_masked(by):
    policy = ScriptedPolicy(["1"])
    if by == "context":
        policy.context = 110
    limit = 110 if by == "limit" else None
    report = evaluate(policy, {"name": "guess", "low": 2, "high": 9}, tasks=3, max_trajectory_tokens=limit)
    assert (report.num_masked, report.statuses) == (0, {"failed": 3})
    for attempt in report.attempts:
        assert "no room for another turn" in attempt.verdict.reason
        assert 1 <= len(attempt.responses) < 4


def test_later_turns_continue_the_ids_that_were_sampled():
    seen = []

    def answer(message, request):
        seen.append(request.prompt_ids)
        return "again" if message.startswith("task") else "passed"

    policy = ScriptedPolicy(answer)
    report = evaluate(policy, StatusEnv(), tasks=1)
    first, second = seen
    assert report.attempts[0].responses == ("again", "passed")
    assert report.attempts[0].tokens == len("again") + len("passed") + 2
    assert second[: len(first) + 6].tolist() == [*first.tolist(), *map(ord, "again"), STOP_ID]


def test_a_completion_cut_by_the_limit_is_counted_and_closed():
    seen = []

    def answer(message, request):
        seen.append(request.prompt_ids)
        return "again and again"

    report = evaluate(ScriptedPolicy(answer), StatusEnv(), tasks=1, max_new_tokens=5)
    assert report.truncation_rate == 1.0
    first, second = seen
    assert second[len(first) : len(first) + 6].tolist() == [*map(ord, "again"), STOP_ID]


def test_progress_ends_at_all_attempts():
    calls = []
    evaluate(ScriptedPolicy(bisecting), "guess", tasks=10, n=2, progress=lambda *call: calls.append(call))
    assert calls == sorted(calls)
    assert calls[-1] == (20, 20)


def shown(report):
    out = io.StringIO()
    Console(file=out, width=200).print(report)
    return out.getvalue()


def test_the_report_is_json_and_a_table():
    report = evaluate(table([P, U], [F, F]), StatusEnv(), n=2, k=(1, 8), tasks=12)
    assert json.loads(json.dumps(report.to_dict())) == report.to_dict()
    assert json.loads(json.dumps(report.rows())) == report.rows()
    text = shown(report)
    for expected in (
        "accuracy (avg@2)",
        "pass@8",
        "undefined",
        "masked",
        "6 of 24",
        "parity",
        "note: pass@8",
    ):
        assert expected in text


def test_a_policy_may_be_named():
    answers = {f"task {number}": "passed" for number in range(12)}
    report = evaluate({"name": "scripted", "answers": answers}, StatusEnv(), tasks=12)
    assert (report.policy, report.accuracy.mean) == ("scripted:0", 1.0)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n": 0}, UsageError, "n must be at least 1, got 0"),
        ({"k": (1, 0)}, UsageError, "every k must be at least 1"),
        ({"tasks": []}, UsageError, "at least one task"),
        ({"tasks": 0}, UsageError, "at least one task"),
        ({"tasks": [Task("a", "x", reference=1)] * 2}, UsageError, "two tasks share an id"),
        ({"env": "smus"}, UnknownNameError, "Did you mean 'sums'"),
        ({"env": {"name": "sums", "digit": 2}}, ConfigError, "Did you mean 'digits'"),
        ({"policy": 5}, ConfigError, "must be a Policy, a name or a path, got int"),
        ({"policy": "scriptd"}, ConfigError, "Did you mean 'scripted'"),
    ],
)
def test_calls_that_cannot_be_served_say_why(arguments, error, message):
    call = {"policy": ScriptedPolicy(["1"]), "env": "sums", **arguments}
    with pytest.raises(error, match=message):
        evaluate(**call)
