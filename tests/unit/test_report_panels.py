from rlvr_gym.report.panels import PANELS, by_value, other_panels, roles
from rlvr_gym.report.run_data import RunData


def run_with(**values: float) -> RunData:
    named = {name.replace("__", "/"): value for name, value in values.items()}
    return RunData("a run", rows=[{"step": 0, **named}, {"step": 1, **{n: v + 1 for n, v in named.items()}}])


def test_a_role_in_the_update_is_not_mixed_with_the_role_at_play():
    (entropy,) = [panel for panel in PANELS if "Entropy" in panel.title]
    run = run_with(solver__entropy=1.0, learner__solver__entropy=2.0)
    assert entropy.names(run) == ["solver/entropy"]


def test_roles_share_a_chart_and_the_legend_names_them():
    run = run_with(learner__solver__clip_low=0.1, learner__proposer__clip_low=0.2)
    (panel,) = other_panels(run)
    assert panel.title == "clip low, in the update"
    assert [panel.label(name) for name in panel.names(run)] == ["solver", "proposer"]


def test_a_figure_of_the_whole_step_stands_alone():
    (panel,) = other_panels(run_with(learner__grad_norm=1.0))
    assert (panel.title, panel.by_role) == ("learner/grad_norm", False)


def test_nothing_recorded_is_shown_twice_or_never():
    run = run_with(
        **{
            "solver__reward": 1.0,
            "proposer__reward": 1.0,
            "learner__loss": 1.0,
            "learner__solver__loss": 1.0,
        },
        **{"heldout__accuracy": 0.1, "heldout__low": 0.1, "heldout__high": 0.2, "odd": 3.0},
    )
    shown = [name for panel in (*PANELS, *other_panels(run)) for name in panel.names(run)]
    assert sorted(shown) == sorted(set(run.names()) - {"heldout/low", "heldout/high"})


def test_a_figure_that_never_changes_needs_no_chart():
    run = RunData("a run", rows=[{"step": step, "learner/lr": 1e-3} for step in range(3)])
    assert other_panels(run) == []


def test_the_solver_has_the_first_colour_everywhere():
    assert roles(run_with(proposer__reward=1.0, solver__reward=1.0, agent__length=1.0)) == [
        *("solver", "agent", "proposer"),
    ]


def test_figures_below_a_role_share_a_chart_of_their_own():
    run = run_with(solver__reward=1.0, solver__channel__path=0.5, solver__channel__answer=0.25)
    assert by_value(run) == []
    assert [panel.title for panel in other_panels(run)] == ["path, solver", "answer, solver"]
    deep = run_with(solver__reward=1.0, learner__solver__channel__path__mean=1.0)
    (panel,) = other_panels(deep)
    assert panel.names(deep) == ["learner/solver/channel/path/mean"]
    assert panel.label(panel.names(deep)[0]) == "path"


def test_figures_by_a_label_are_told_by_their_names_alone():
    run = run_with(hops__1__solve_rate=0.5, hops__2__solve_rate=0.25, learner__solver__loss=1.0)
    assert by_value(run) == ["hops/1/solve_rate", "hops/2/solve_rate"]
    assert other_panels(run) == []
