"""The experiments: their worlds by hand, their statistics on made-up runs, their harness at a toy size."""

import importlib
import json
from collections import Counter

import numpy as np
import pytest
from typer.testing import CliRunner

from rlvr_gym.seeding import generator
from rlvr_gym.types import Status, Task


# Imported in fixtures: the worlds register themselves, and other files' tests go over the registries.
@pytest.fixture(scope="module")
def vhg():
    return importlib.import_module("experiments.vhg_against_naive")


@pytest.fixture(scope="module")
def sign():
    return importlib.import_module("experiments.sign_against_dr_grpo")


@pytest.fixture(scope="module")
def harness():
    return importlib.import_module("experiments.harness")


@pytest.fixture(scope="module")
def inference():
    return importlib.import_module("experiments.inference")


@pytest.fixture(scope="module")
def design():
    return importlib.import_module("experiments.design")


@pytest.fixture
def app(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    # The module sets it for the processes it starts.
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    return importlib.import_module("experiments.__main__").app


# Worlds


@pytest.mark.parametrize(
    ("problem", "answer"), [("1", "1"), ("123", "111"), ("66666", "63254"), ("00000", "00000")]
)
def test_antiderivatives_are_those_worked_by_hand(vhg, problem, answer):
    assert vhg.antiderivative(problem) == answer


def test_the_derivative_of_an_antiderivative_is_the_problem(vhg):
    rng = generator(0, "derivative")
    for _ in range(50):
        problem = "".join(map(str, rng.integers(0, 7, size=rng.integers(1, 6)).tolist()))
        answer = vhg.antiderivative(problem)
        assert "".join(str(k * int(digit) % 7) for k, digit in enumerate(answer, start=1)) == problem


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [
        ("123=111", Status.PASSED, "right pair"),
        ("123=112", Status.FAILED, "wrong_reference"),
        ("123=11", Status.FAILED, "wrong_reference"),
        ("123", Status.MALFORMED, "unreadable"),
        ("1231231=111", Status.MALFORMED, "unreadable"),
        ("7=7", Status.MALFORMED, "unreadable"),
        ("", Status.MALFORMED, "unreadable"),
        ("١=١", Status.MALFORMED, "unreadable"),
    ],
)
def test_the_gate_passes_right_pairs_alone(vhg, text, status, reason):
    from rlvr_gym.verifiers import verify

    verdict = verify(f"{vhg.WORLD}_setter", text, reference=None)
    assert verdict.status is status
    assert verdict.reason.startswith(reason)


def test_a_setter_teaches_wrong_references_three_times_in_ten(vhg):
    from rlvr_gym.agents.environment import make_domain

    domain = make_domain(vhg.WORLD)
    demos = domain.demonstrations(generator(0, "demos"), 4000, {"proposer": vhg.WRONG_REFERENCES})
    gate = [
        domain.gate.check(domain.gate_task(d.completion, None), d.completion)
        for d in demos
        if d.role == "proposer"
    ]
    assert len(gate) == 2000
    assert np.mean([not verdict.passed for verdict in gate]) == pytest.approx(0.3, abs=0.03)
    assert all(verdict.status is not Status.MALFORMED for verdict in gate)
    lengths = Counter(len(d.prompt[0].content) for d in demos if d.role == "solver")
    assert lengths[1] + lengths[2] > 0.7 * 2000
    assert not any(domain.held_out(vhg.pose(d.prompt[0].content)) for d in demos if d.role == "solver")
    assert all(d.completion == vhg.antiderivative(d.prompt[0].content) for d in demos if d.role == "solver")


def test_a_proposal_keeps_its_claim_hidden_and_its_truth_as_reference(vhg):
    from rlvr_gym.agents import claimed
    from rlvr_gym.agents.environment import make_domain

    domain = make_domain(vhg.WORLD)
    seed = domain.seed(generator(0, "seed"))
    task = domain.read("12=60", seed, trajectory="t", step=3)
    assert (task.prompt, task.reference, task.hidden["claim"]) == ("12", "11", "60")
    assert claimed(task).reference == "60"
    assert domain.read("no pair", seed, trajectory="t", step=3) is None
    assert seed.prompt not in domain.proposer_view(seed)[0].content


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("3+5*2", 16),
        ("9-9*9", 0),
        ("1-5*2", -8),
        ("2*3*4", 24),
        ("3+5", None),
        ("3+50*2", None),
        ("0+1+1", None),
    ],
)
def test_countdown_reads_from_left_to_right(sign, expression, value):
    assert sign.value(expression) == value


def test_every_solution_is_found_and_no_other(sign):
    # 2, 2, 5 to 9: two sums in three orders; 2 * 2 + 5 from the front; (5 - 2) * 2 is 6, not 9.
    assert sign.solutions("225", 9) == ["2+2+5", "2*2+5", "2+5+2", "5+2+2"]
    assert sign.solutions("111", 99) == []


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("2+2+5", Status.PASSED),
        ("5+2*2", Status.FAILED),
        ("2+2*5", Status.FAILED),
        ("1+3+5", Status.FAILED),
        ("9", Status.MALFORMED),
        ("2+2+5\n", Status.MALFORMED),
    ],
)
def test_countdown_judges_digits_and_target(sign, text, status):
    from rlvr_gym.verifiers import verify

    assert verify(sign.WORLD, text, reference="225:9").status is status


def test_a_reference_that_is_no_problem_is_refused(vhg, sign):
    from rlvr_gym.errors import TaskError
    from rlvr_gym.verifiers import verify

    for world in (vhg.WORLD, sign.WORLD):
        with pytest.raises(TaskError, match="must be"):
            verify(world, "1", reference="x")


def test_both_worlds_keep_the_library_s_contracts(vhg, sign):
    from rlvr_gym.testing import check_environment, check_verifier, require

    for world in (vhg.WORLD, sign.WORLD):
        require(check_environment(world))
        require(check_verifier(world))


# Statistics


def test_six_wins_of_six_have_the_smallest_p(inference):
    test = inference.superiority(
        "a", "a claim", dict(enumerate([0.1, 0.2, 0.1, 0.3, 0.2, 0.1])), side="greater"
    )
    assert test.p == 1 / 64
    assert test.interval.mean == pytest.approx(1 / 6)
    assert test.holds


def test_one_loss_that_is_larger_than_the_wins_shows_nothing(inference):
    test = inference.superiority(
        "a", "a claim", dict(enumerate([0.1, 0.1, 0.1, 0.1, 0.1, -0.9])), side="greater"
    )
    assert test.p > 0.5
    assert test.holds is False


def test_arms_without_the_same_seeds_are_no_pairs(inference):
    with pytest.raises(ValueError, match="not paired"):
        inference.paired({0: 1.0, 1: 1.0}, {0: 1.0, 2: 1.0})


def test_a_claim_of_two_parts_is_as_weak_as_the_weaker(inference):
    strong = inference.superiority("s", "s", dict(enumerate([1.0] * 6)), side="greater")
    weak = inference.superiority("w", "w", dict(enumerate([1.0, -1.0] * 3)), side="greater")
    assert inference.both("b", "b", [strong, weak]).p == weak.p > strong.p


def test_holm_can_take_a_claim_back(inference):
    a = inference.superiority("a", "a", dict(enumerate([1.0] * 5)), side="greater")
    b = inference.superiority("b", "b", dict(enumerate([1.0] * 5)), side="greater")
    assert a.p == 1 / 32
    assert a.holds
    assert [test.adjusted for test in inference.adjusted([a, b])] == [2 / 32, 2 / 32]
    assert not any(test.holds for test in inference.adjusted([a, b]))


def vhg_runs(design, naive_end, vhg_end):
    def run(arm, seed, invalid, end):
        curves = {
            "heldout_accuracy": {0: 0.4, 2: end + 0.01 * seed},
            "invalid_share": {1: 0.3, 2: invalid},
            "distinct_share": {1: 1.0, 2: 1.0},
            "solve_rate": {1: 0.5, 2: 0.5},
            "rollouts": {1: 10.0, 2: 12.0},
        }
        return design.Run(arm, seed, curves, 1.0)

    return [
        run(*row)
        for seed in range(6)
        for row in (("naive", seed, 0.9, naive_end), ("vhg", seed, 0.1, vhg_end))
    ]


def test_a_collapse_and_a_gain_confirm_the_first_experiment(vhg, design):
    analysis = vhg.VHGAgainstNaive().analyse(vhg_runs(design, 0.05, 0.6))
    (primary,) = analysis.primaries
    assert primary.p == 1 / 64
    assert {test.name: test.interval.mean for test in analysis.parts} == pytest.approx(
        {"invalid_share": -0.4, "heldout_accuracy": 0.55}
    )


def test_fewer_invalid_problems_without_a_better_solver_confirm_nothing(vhg, design):
    (primary,) = vhg.VHGAgainstNaive().analyse(vhg_runs(design, 0.6, 0.5)).primaries
    assert primary.p == 1.0


def sign_runs(sign, design, ends):
    """Return runs whose accuracy at the end is ``ends[algorithm][group, rate]`` plus a hundredth per seed."""

    def run(arm, seed, end):
        steps = {1: 0.2, 2: end}
        curves = {"heldout_accuracy": {0: 0.1, 2: end}, "reward": steps, "entropy": steps}
        curves |= {"degenerate_share": steps, "degenerate_excess": {1: 0.1, 2: 0.05 + 0.001 * seed}}
        return design.Run(arm, seed, curves, 1.0)

    found = []
    for arm in sign.ARMS:
        for rate in sign.RATES:
            name = sign.arm_name(arm, 4, "adamw", rate, tuning=True)
            found += [run(name, seed, ends[arm].get((4, rate), 0.1)) for seed in sign.TUNING_SEEDS]
        for (group, rate), end in ends[arm].items():
            found += [run(sign.arm_name(arm, group, "adamw", rate), s, end + 0.01 * s) for s in range(6)]
        for rate in sign._SGD_RATES:
            found += [run(sign.arm_name(arm, 4, "sgd", rate), s, 0.2) for s in range(2)]
    return found


def test_the_second_experiment_compares_at_the_common_rate_and_at_each_arm_s_own(sign, design):
    ends = {
        "sign": {(4, 3e-4): 0.62, (16, 3e-4): 0.52},
        "dr_grpo": {(4, 3e-4): 0.5, (4, 1e-3): 0.55, (16, 3e-4): 0.5},
    }
    analysis = sign.SignAgainstDrGRPO().analyse(sign_runs(sign, design, ends))
    excess, accuracy = analysis.primaries
    assert excess.p == accuracy.p == 1 / 64
    assert accuracy.interval.mean == pytest.approx(0.12)
    secondary = {test.name: test for test in analysis.secondary}
    assert secondary["each_at_its_own_rate"].interval.mean == pytest.approx(0.07)
    assert secondary["gap_shrinks"].interval.mean == pytest.approx(0.1)
    assert secondary["equal_at_16"].holds
    assert secondary["no_large_gap"].holds is False
    assert "common rate 0.0003; sign alone 0.0003, dr_grpo alone 0.001" in analysis.notes[0]


def test_groups_of_mixed_difficulty_are_degenerate_more_often(sign):
    easy_and_hard = np.mean([sign.degenerate_if_alike(p, 4) for p in (0.1, 0.9)])
    assert easy_and_hard == pytest.approx(0.6562)
    assert sign.degenerate_if_alike(0.5, 4) == 0.125


def test_a_figure_shows_means_of_neighbouring_steps(inference):
    figure = importlib.import_module("experiments.figure")
    steps, values = figure.smooth(inference.Curve(list(range(100)), {0: [0.0, 1.0] * 50, 1: [2.0] * 100}))
    assert steps == [2 * i + 0.5 for i in range(50)]
    assert np.allclose(values, [[0.5] * 50, [2.0] * 50])


# Harness and command


def test_a_run_survives_json_with_even_steps_and_with_gaps(design):
    curves = {
        "even": {0: 0.1, 25: 0.2, 50: 0.3},
        "gaps": {1: 0.1, 2: 0.2, 4: 0.3},
        "one": {3: 0.5},
        "none": {},
    }
    run = design.Run("an arm", 7, curves, 1.5)
    written = json.loads(json.dumps(run.to_dict()))
    assert written["curves"]["even"]["steps"] == {"first": 0, "last": 50, "every": 25}
    assert design.Run.from_dict(written) == run
    assert (run.first("gaps"), run.last("gaps")) == (0.1, 0.3)
    assert run.tail("gaps", 2) == pytest.approx(0.25)


def test_a_killed_experiment_goes_on_and_finished_arms_are_skipped(vhg, harness, tmp_path, monkeypatch):
    experiment = vhg.VHGAgainstNaive()
    started = []
    finish = harness.finish

    def stopping(experiment, job, root, tell):
        started.append((job.arm, job.seed))
        if len(started) == 2:
            raise KeyboardInterrupt
        finish(experiment, job, root, tell)

    monkeypatch.setattr(harness, "finish", stopping)
    with pytest.raises(KeyboardInterrupt):
        harness.run_plan(experiment, experiment.plan("xs", [0]), processes=1, root=tmp_path)
    bases = [path.stat().st_mtime_ns for path in tmp_path.glob("bases/*/model.safetensors")]
    runs = harness.run_plan(experiment, experiment.plan("xs", [0]), processes=1, root=tmp_path)
    assert started == [("naive", 0), ("vhg", 0), ("vhg", 0)]
    assert [path.stat().st_mtime_ns for path in tmp_path.glob("bases/*/model.safetensors")] == bases
    assert [(run.arm, run.seed) for run in runs] == [("naive", 0), ("vhg", 0)]
    assert not list(tmp_path.glob("unfinished/*"))
    # Both arms began with the same weights and met the same first step.
    naive, gated = (run.curves for run in runs)
    assert naive["heldout_accuracy"][0] == gated["heldout_accuracy"][0]
    assert naive["invalid_share"][1] == gated["invalid_share"][1]


def test_every_arm_of_all_experiments_runs_and_its_pages_can_be_written_again(
    app, sign, tmp_path, monkeypatch
):
    # One rate and one tuning seed are enough to play every kind of arm.
    monkeypatch.setattr(sign, "RATES", (3e-4,))
    monkeypatch.setattr(sign, "TUNING_SEEDS", (1000,))
    monkeypatch.setattr(sign, "_SGD_RATES", (0.1,))
    command = CliRunner()
    given = ["run", "all", "--size", "XS", "--seeds", "1", "--processes", "1", "--out", "out"]
    outcome = command.invoke(app, given, catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    out = tmp_path / "out"
    names = sorted(f"{name}-xs" for name in importlib.import_module("experiments.catalog").EXPERIMENTS)
    written = {path.name: path.read_bytes() for path in out.iterdir()}
    assert sorted(written) == sorted(
        ["index.md", *(f"{n}.{kind}" for n in names for kind in ("json", "md", "svg"))]
    )
    for name in names:
        found = json.loads(written[f"{name}.json"])
        assert found["cpu_seconds"] > 0
        assert found["command"].startswith("python -m experiments run")
        assert {"python", "torch", "numpy"} <= found["versions"].keys()
        assert "not shown" in written[f"{name}.md"].decode()
    for path in [*out.glob("*.md"), *out.glob("*.svg")]:
        path.unlink()
    assert command.invoke(app, ["report", "--out", "out"], catch_exceptions=False).exit_code == 0
    assert {path.name: path.read_bytes() for path in out.iterdir()} == written


def test_an_unknown_experiment_is_told_with_the_nearest(app):
    outcome = CliRunner().invoke(app, ["run", "vhg_against_naiv"])
    assert "Did you mean 'vhg_against_naive'?" in str(outcome.exception)
    assert "sign_against_dr_grpo" in CliRunner().invoke(app, ["list"]).output


def test_a_task_of_another_world_is_refused(vhg):
    from rlvr_gym.envs import make
    from rlvr_gym.errors import TaskError

    with pytest.raises(TaskError, match="asks for 'number'"):
        make(vhg.WORLD, seed=0).reset(options={"task": Task("x", "1", verifier="number")})
