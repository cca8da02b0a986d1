"""The pass-rate experiment: its world by hand, its statistics on made-up runs."""

import importlib

import pytest

from rlvr_gym.errors import TaskError
from rlvr_gym.seeding import generator
from rlvr_gym.types import Status
from rlvr_gym.verifiers import verify

ABS = "3,2,1,0,1,2,3,4"


# Imported in a fixture: the world registers itself, and other files' tests go over the registries.
@pytest.fixture(scope="module")
def world():
    return importlib.import_module("experiments.pass_rate")


@pytest.fixture(scope="module")
def design():
    return importlib.import_module("experiments.design")


@pytest.fixture(scope="module")
def inference():
    return importlib.import_module("experiments.inference")


@pytest.mark.parametrize(
    ("program", "behaviour"),
    [
        ("aaa", ABS),
        ("nnn", "3,2,1,0,-1,-2,-3,-4"),
        # -3 ... 4, at least -1, doubled, one more.
        ("ldi", "-1,-1,-1,1,3,5,7,9"),
        # At most 3, less 2, mod 3: -5 mod 3 is 1.
        ("msr", "1,2,0,1,2,0,1,1"),
        ("ddd", "-24,-16,-8,0,8,16,24,32"),
    ],
)
def test_programs_run_from_left_to_right(world, program, behaviour):
    assert world.behaviour(program) == behaviour


def test_512_programs_behave_in_262_ways_of_which_90_are_held_out(world):
    from rlvr_gym.envs import make

    assert sum(map(len, world.programs().values())) == 512
    assert len(world.programs()) == 262
    split = {
        name: {task.prompt for task in make(world.WORLD, split=name).tasks(300, seed=0)}
        for name in ("train", "heldout")
    }
    assert {name: len(found) for name, found in split.items()} == {"train": 172, "heldout": 90}
    assert not split["train"] & split["heldout"]


@pytest.mark.parametrize(
    ("response", "status", "binary", "rate"),
    [
        ("aaa", Status.PASSED, 1.0, 1.0),
        ("ann", Status.PASSED, 1.0, 1.0),
        # max(x, -1) instead: right from -1 on, but for -1 itself.
        ("lll", Status.FAILED, 0.0, 5 / 8),
        ("nnn", Status.FAILED, 0.0, 4 / 8),
        ("sss", Status.FAILED, 0.0, 0.0),
        ("aa", Status.MALFORMED, 0.0, 0.0),
        ("aaaa", Status.MALFORMED, 0.0, 0.0),
        ("aab", Status.MALFORMED, 0.0, 0.0),
        ("aa\n", Status.MALFORMED, 0.0, 0.0),
        (ABS, Status.MALFORMED, 0.0, 0.0),
        ("", Status.MALFORMED, 0.0, 0.0),
    ],
)
def test_both_rewards_judge_alike_and_pay_differently(world, response, status, binary, rate):
    for mode, score in {"all": binary, "rate": rate}.items():
        verdict = verify("pass_rate", response, reference=ABS, verifier=world.WORLD, mode=mode)
        assert (verdict.status, verdict.score) == (status, score)


def test_a_reference_that_no_program_has_is_refused(world):
    with pytest.raises(TaskError, match="must be a behaviour"):
        verify(world.WORLD, "aaa", reference="1,2,3")


@pytest.mark.parametrize("reward", ["all", "rate"])
def test_the_world_keeps_the_library_s_contracts(world, reward):
    from rlvr_gym.testing import Example, check_environment, check_verifier, require

    require(check_environment(world.WORLD, reward=reward))
    examples = [Example(ABS, "aaa"), Example("-24,-16,-8,0,8,16,24,32", "ddd")]
    require(check_verifier("pass_rate", examples=examples, verifier=world.WORLD, mode=reward))


def test_the_teacher_shows_every_right_program_of_train_behaviours_alone(world):
    from rlvr_gym.agents.environment import make_domain
    from rlvr_gym.envs.splits import in_split

    demos = make_domain(world.WORLD).demonstrations(generator(0, "demos"), 3000, {})
    shown = {(demo.prompt[0].content, demo.completion) for demo in demos}
    assert all(world.behaviour(program) == asked for asked, program in shown)
    assert all(in_split(asked, "train", world.HELDOUT_SHARE) for asked, _ in shown)
    assert {program for asked, program in shown if asked == ABS} == set(world.programs()[ABS])


def test_a_gain_below_the_margin_is_no_gain_and_one_above_it_is(inference):
    small = inference.not_above("a", "a", dict(enumerate([0.01, -0.01, 0.02, 0.0, 0.01, 0.02])), margin=0.03)
    assert small.p == 1 / 64
    assert small.holds
    assert small.interval.mean == pytest.approx(0.05 / 6)
    large = inference.not_above("a", "a", dict(enumerate([0.05] * 6)), margin=0.03)
    assert large.p == 1.0
    assert large.holds is False


def runs(world, design, train, heldout, informative):
    """Return runs of six seeds: ``all`` ends at .6, .2 and .5, ``rate`` differs from it as given."""

    def run(arm, seed, more):
        ends = {"train_full_pass": 0.6 + more[0], "heldout_full_pass": 0.2 + more[1]}
        curves = {name: {0: 0.1, 1: 0.4, 2: end + 0.001 * seed} for name, end in ends.items()}
        curves["train_full_pass"] = dict.fromkeys((1, 2), ends["train_full_pass"] + 0.01 * seed)
        curves |= {"informative_share": dict.fromkeys((1, 2), 0.5 + more[2] + 0.01 * seed)}
        curves |= {"entropy": {1: 0.2, 2: 0.1}, "reward": {1: 0.2, 2: 0.3}}
        if seed == 0:
            curves |= {"alignment": {2: 0.5}, "full_reachable_50": {2: 0.9}}
        return design.Run(arm, seed, curves, 1.0)

    return [
        run(arm, seed, more)
        for seed in range(6)
        for arm, more in ((world.ALL, (0, 0, 0)), (world.RATE, (train, heldout, informative)))
    ]


@pytest.mark.parametrize(
    ("train", "heldout", "informative", "p"),
    [
        (-0.01, 0.01, 0.1, 1 / 64),
        (0.05, 0.01, 0.1, 1.0),
        (-0.01, 0.05, 0.1, 1.0),
        (-0.01, 0.01, -0.1, 1.0),
    ],
    ids=["as expected", "better on train", "better on held out", "fewer groups"],
)
def test_the_claim_needs_all_three_parts(world, design, train, heldout, informative, p):
    analysis = world.PassRateAgainstAll().analyse(runs(world, design, train, heldout, informative))
    (primary,) = analysis.primaries
    assert primary.p == p
    assert {test.name: test.interval.mean for test in analysis.parts} == pytest.approx(
        {"train_full_pass": train, "heldout_full_pass": heldout, "informative_share": informative}
    )


def test_diagnostics_of_the_first_seed_are_shown_as_such(world, design):
    analysis = world.PassRateAgainstAll().analyse(runs(world, design, 0, 0, 0))
    levels = {test.name: test.values for test in analysis.secondary}
    assert levels["rate/alignment"] == {0: 0.5}
    assert levels["rate/full_reachable_50"] == {0: 0.9}
    assert "rate/conflict" not in levels
    assert set(analysis.curves["alignment"]["all"].seeds) == {0}


def test_the_first_seed_alone_is_diagnosed(world):
    (jobs,) = world.PassRateAgainstAll().plan("xs", [3, 4])
    assert [(job.seed, bool(job.recipe["learner"]["diagnose_every"])) for job in jobs] == [
        (3, True),
        (3, True),
        (4, False),
        (4, False),
    ]
    assert len({job.key for job in jobs}) == 4
