import json
import sqlite3

import pytest

from rlvr_gym.report.reading import read_run


def test_the_page_is_built_from_the_folder(shell, made_run):
    result = shell("page", made_run)
    assert (result.code, result.out) == (0, f"{made_run / 'page.html'}\n")
    page = (made_run / "page.html").read_text()
    assert "<title>vhg on integral-v0</title>" in page
    assert "0.200 → 0.400" in page
    assert "&lt;b&gt;up&lt;/b&gt;" in page


def test_what_the_page_reads_is_what_was_recorded(made_run):
    run = read_run(made_run)
    assert run.series("heldout/accuracy") == ([0.0, 1.0, 2.0], pytest.approx([0.2, 0.3, 0.4]))
    assert run.series("measured/low") == ([0.0, 1.0, 2.0], pytest.approx([0.15, 0.25, 0.35]))
    assert run.statuses == {"passed": 6, "failed": 2}
    assert run.reasons == {"differs": 2}
    assert run.rates == [0.5, 0.5]
    assert [alarm.step for alarm in run.alarms] == [1, 2]
    assert run.accounting == [
        {"role": "proposer", "planned": 2, "charged": 0, "dropped": 2, "masked": 0, "void": 0, "open": 0},
        {"role": "solver", "planned": 6, "charged": 4, "dropped": 0, "masked": 2, "void": 0, "open": 0},
    ]


def test_reading_a_run_changes_nothing_in_it(call, made_run):
    def contents():
        return {
            path.name: path.read_bytes()
            for path in made_run.rglob("*")
            if path.is_file() and path.name != "page.html"
        }

    before = contents()
    for command in ("page", "log", "accounts"):
        assert call(command, made_run).code == 0
    assert {name: data for name, data in contents().items() if not name.startswith("run.sqlite-")} == {
        name: data for name, data in before.items() if not name.startswith("run.sqlite-")
    }


def test_accounts_that_add_up_exit_with_0(shell, made_run):
    result = shell("accounts", made_run, "--files")
    assert (result.code, result.err) == (0, "")
    (solver,) = [line.split() for line in result.out.splitlines() if "solver" in line]
    assert solver == ["solver", "6", "4", "0", "2", "0", "0"]
    assert "every piece of work is accounted for" in result.out


def test_accounts_that_do_not_add_up_exit_with_1(call, made_run):
    with sqlite3.connect(made_run / "run.sqlite") as connection:
        connection.execute("UPDATE work SET state = 'dropped' WHERE work_id = '1/1'")
    connection.close()
    result = call("accounts", made_run)
    assert result.code == 1
    assert "1/1" in result.err


def test_the_log_shows_events_in_order(shell, made_run):
    result = shell("log", made_run)
    assert result.code == 0
    numbers = [int(line.split()[0]) for line in result.out.splitlines()]
    assert numbers == sorted(numbers)
    assert len(numbers) > 10


def test_the_log_can_be_narrowed(call, made_run):
    result = call("log", made_run, "--step", 2, "--kind", "alarm")
    (line,) = result.out.splitlines()
    assert "step 2" in line
    assert "drift" in line


def test_the_log_never_sends_control_characters_to_the_terminal(call, made_run):
    assert "\x1b" not in call("log", made_run).out
    assert "\x1b" not in call("log", made_run, "--json").out


def test_whole_events_come_as_json_lines(call, made_run):
    rows = [json.loads(line) for line in call("log", made_run, "--kind", "alarm", "--json").out.splitlines()]
    assert [row["step"] for row in rows] == [1, 2]
    assert rows[0]["payload"]["detector"] == "drift"


def test_an_unknown_kind_gets_the_nearest(call, made_run):
    result = call("log", made_run, "--kind", "alarms")
    assert result.code == 2
    assert "Did you mean 'alarm'?" in result.err


@pytest.mark.parametrize("command", ["page", "log", "accounts"])
def test_a_folder_without_a_run_is_one_line(call, tmp_path, command):
    result = call(command, tmp_path)
    assert (result.code, result.err) == (2, f"error: {tmp_path}: there is no run here.\n")


@pytest.mark.parametrize("command", ["page", "log", "accounts"])
def test_a_damaged_run_is_one_line(call, tmp_path, command):
    (tmp_path / "run.sqlite").write_bytes(b"this is no database" * 100)
    result = call(command, tmp_path)
    assert result.code == 2
    assert result.err.startswith("error: ")
    assert result.err.count("\n") == 1
