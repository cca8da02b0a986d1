import json

import pytest

import rlvr_gym
from rlvr_gym.cli.main import command_names


def test_help_names_every_command(shell):
    result = shell("--help")
    assert result.code == 0
    for name in command_names():
        assert f"  {name} " in result.out


def test_every_command_has_a_help_of_its_own(call):
    for name in command_names():
        result = call(name, "--help")
        assert result.code == 0, name
        assert result.out.startswith(f"Usage: rlvr-gym {name}")


def test_the_version_is_printed(call):
    assert call("--version").out == f"{rlvr_gym.__version__}\n"


def test_an_unknown_command_gets_the_nearest_name(shell):
    result = shell("lisst")
    assert result.code == 2
    assert "No such command 'lisst'. Did you mean 'list'?" in result.err
    assert "Traceback" not in result.err


def test_an_unknown_option_gets_the_nearest_name(call):
    result = call("list", "--jsn")
    assert result.code == 2
    assert "--json" in result.err


def test_a_users_error_is_one_line_and_exit_2(shell):
    result = shell("list", "envv")
    assert result.code == 2
    assert result.err == "error: No kind is named 'envv'. Did you mean 'env'?\n"
    assert result.out == ""


def test_a_bug_keeps_its_traceback(monkeypatch):
    from rlvr_gym.cli import list as command_list
    from rlvr_gym.cli.main import main

    def broken(kind):
        raise RuntimeError("a bug")

    monkeypatch.setattr(command_list, "catalog", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        main(["list"])


def test_ctrl_c_ends_with_130(call, monkeypatch):
    from rlvr_gym.cli import list as command_list

    def interrupted(kind):
        raise KeyboardInterrupt

    monkeypatch.setattr(command_list, "catalog", interrupted)
    result = call("list")
    assert (result.code, result.err) == (130, "interrupted\n")


def test_a_closed_pipe_is_no_error(shell):
    assert json.loads(shell("list", "detector", "--json").out)
