import os
import tomllib
from pathlib import Path

import pytest

from rlvr_gym.errors import UsageError
from rlvr_gym.repositories.harbor.build import refuse_unsupported
from rlvr_gym.repositories.harbor.errors import HarborError, UnsupportedError
from rlvr_gym.repositories.harbor.folder import read_folder, without_canary, write_folder
from rlvr_gym.repositories.harbor.settings import TaskFile, parse_settings
from rlvr_gym.repositories.harbor.toml_writer import to_toml
from tests.harbor_folders import FILES, TOML, write_files, write_task

FULL = """\
schema_version = "1.4"
artifacts = ["/app/out", { source = "/app/log", destination = "log", exclude = ["*.tmp"] }]

[task]
name = "ours/full"
version = "2"
description = "Quotes \\" and a line\\nbreak"
keywords = ["a", "b"]

[[task.authors]]
name = "Ada"

[metadata]
difficulty = "hard"
"odd key" = [1, 2.5, true]

[metadata.deep]
x = 1

[environment]
os = "Linux"
cpus = 2
memory_mb = 512
network_mode = "allowlist"
allowed_hosts = ["example.com"]
env = { A = "1" }

[agent]
timeout_sec = 30.5
user = 1000

[verifier]
env = { B = "2" }

[solution]
env = { C = "3" }
"""


def problems(folder: Path) -> str:
    with pytest.raises(HarborError) as raised:
        read_folder(folder)
    return str(raised.value)


def test_a_folder_is_read(tmp_path):
    folder = read_folder(
        write_task(tmp_path, instruction_md="<!-- harbor-canary x -->\n# canary y\n\nDo it.\n")
    )
    assert folder.name == "ours/adder"
    assert folder.instruction == "Do it.\n"
    assert folder.settings.verifier.timeout_sec == 60
    assert folder.settings.environment.build_timeout_sec == 600
    assert folder.has_solution
    assert folder.warnings == ()
    assert folder.files("tests")["test.sh"] == (FILES["tests/test.sh"].encode(), True)


def test_every_key_of_the_format_is_known_and_survives_writing(tmp_path):
    settings = parse_settings(FULL, where="task.toml")
    files = {name: (text.encode(), False) for name, text in FILES.items() if "/" in name}
    write_folder(tmp_path / "new", settings, "Do it.", files)
    found = read_folder(tmp_path / "new")
    assert found.settings == settings
    assert found.warnings == ()
    assert found.instruction == "Do it."
    assert (
        tomllib.loads((tmp_path / "new/task.toml").read_text())["metadata"] == tomllib.loads(FULL)["metadata"]
    )
    with pytest.raises(UsageError, match="exists"):
        write_folder(tmp_path / "new", settings, "", {})


def test_what_would_break_the_format_is_not_written(tmp_path):
    with pytest.raises(HarborError, match=r"tests/test\.sh: no such file"):
        write_folder(tmp_path / "new", TaskFile(), "Do it.", {"environment/Dockerfile": (b"FROM x", False)})
    assert list(tmp_path.iterdir()) == []


def test_unknown_and_old_keys_are_kept_and_warned_of(tmp_path):
    old = 'version = "1.0"\nfuture = 1\n[environment]\nmemory = "2G"\nstorage = "512M"\nallow_internet = false\ncpuz = 1\n'
    folder = read_folder(write_task(tmp_path, task_toml=old))
    environment = folder.settings.environment
    assert (environment.memory_mb, environment.storage_mb, environment.network_mode) == (
        2048,
        512,
        "no-network",
    )
    assert folder.settings.schema_version == "1.0"
    assert folder.settings.model_extra == {"future": 1}
    told = "\n".join(folder.warnings)
    for part in (
        "task.toml: version is an old name of schema_version",
        "environment.memory is an old name of memory_mb",
        "environment.allow_internet is an old name of network_mode",
        "future is not a key of the format",
        "environment.cpuz is not a key of the format, and has no effect. Did you mean 'cpus'?",
    ):
        assert part in told


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        (
            "[verifier]\ntimeout_sec = 0",
            "task.toml: verifier.timeout_sec: Input should be greater than 0, got 0.",
        ),
        ("[environment]\ncpus = 'two'", "task.toml: environment.cpus: "),
        ("[environment]\nmemory = 'much'", "task.toml: environment: Value error, memory = 'much' is no size"),
        ("[environment]\nmemory = '1G'\nmemory_mb = 5", "contradicts memory_mb = 5"),
        ("[environment]\nenv = { A = 1 }", "task.toml: environment.env.A: "),
        ("[environment]\nallowed_hosts = ['a.b']", "allowed_hosts needs network_mode = 'allowlist'"),
        ("[task]\nname = 'nameless'", "task.toml: task.name: "),
        ("[task]", "task.toml: task.name is required."),
        ("artifacts = [{ source = '../x' }]", "a path with '..'"),
        ("[verifier]\nenvironment_mode = 'shared'\n[verifier.environment]", "contradicts a table"),
        ("[[steps]]\nname = 'a'\n[[steps]]\nname = 'A'", "two steps are called 'a'"),
        ("[[steps]]\nname = '../a'", "task.toml: steps.0.name: "),
        ("x = ", "task.toml: Invalid value"),
    ],
)
def test_a_wrong_key_is_told_with_its_file_and_place(tmp_path, toml, told):
    assert told in problems(write_task(tmp_path, task_toml=toml))


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("task_toml", "task.toml: no such file."),
        ("instruction_md", "instruction.md: no such file."),
        ("tests_test_sh", "tests/test.sh: no such file."),
        (
            "environment_Dockerfile",
            "Dockerfile: no such file, and task.toml: environment.docker_image is not set.",
        ),
    ],
)
def test_a_missing_file_is_told(tmp_path, missing, told):
    assert told in problems(write_task(tmp_path, **{missing: None}))


def test_all_mistakes_are_told_at_once(tmp_path):
    folder = write_task(tmp_path, instruction_md=None, tests_test_sh=None)
    assert len(problems(folder).splitlines()) == 2


def test_steps_need_their_instructions_and_tests(tmp_path):
    toml = TOML + "[[steps]]\nname = 'one'\n[[steps]]\nname = 'two'\n"
    write_task(tmp_path, task_toml=toml, instruction_md=None, tests_test_sh=None)
    write_files(tmp_path, {"steps/one/instruction.md": "x", "steps/one/tests/test.sh": "x"})
    told = problems(tmp_path)
    assert "steps.1.name: there is no steps/two/instruction.md." in told
    assert "steps.1.name: there is neither steps/two/tests/test.sh nor tests/test.sh." in told
    write_files(tmp_path, {"steps/two/instruction.md": "x", "tests/test.sh": "x"})
    with pytest.raises(UnsupportedError, match="steps: several steps"):
        refuse_unsupported(read_folder(tmp_path))


def test_a_link_out_of_the_folder_is_refused_wherever_it_lies(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("s")
    for number, place in enumerate(
        ("environment/src/x", "tests/x", "solution/x", "instruction.md", "task.toml")
    ):
        folder = write_task(tmp_path / str(number))
        (folder / place).unlink(missing_ok=True)
        (folder / place).symlink_to(secret)
        assert "a link that leads out of the task folder" in problems(folder)
    folder = write_task(tmp_path / "folder")
    (folder / "tests/etc").symlink_to("/etc")
    assert "tests/etc: a link that leads out of the task folder" in problems(folder)
    folder = write_task(tmp_path / "whole")
    (folder / "tests").rename(tmp_path / "elsewhere")
    (folder / "tests").symlink_to(tmp_path / "elsewhere")
    assert "tests: not a folder" in problems(folder)


def test_links_inside_count_as_their_files_and_pipes_are_refused(tmp_path):
    folder = write_task(tmp_path)
    (folder / "tests/same.sh").symlink_to("test.sh")
    assert read_folder(folder).files("tests")["same.sh"][0] == FILES["tests/test.sh"].encode()
    (folder / "tests/broken").symlink_to("nothing")
    assert "tests/broken: a link to nothing." in problems(folder)
    (folder / "tests/broken").unlink()
    os.mkfifo(folder / "tests/pipe")
    assert "tests/pipe: not a regular file." in problems(folder)


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("[environment]\nos = 'windows'", "environment.os: Windows"),
        ("[environment]\ngpus = 1", "environment.gpus"),
        ("[environment]\nmcp_servers = [{ name = 'x' }]", "environment.mcp_servers"),
        ("[environment.healthcheck]\ncommand = 'x'", "environment.healthcheck"),
        ("[verifier]\nenvironment_mode = 'separate'", "verifier.environment"),
        (
            "[verifier]\nenv = { K = '${OPENAI_API_KEY}' }",
            "verifier.env.K: variables of this machine are never",
        ),
        ("[environment]\nenv = { K = '${HOME:-x}' }", "environment.env.K"),
    ],
)
def test_what_needs_more_than_a_sandbox_is_named(tmp_path, toml, told):
    with pytest.raises(UnsupportedError) as raised:
        refuse_unsupported(read_folder(write_task(tmp_path, task_toml=toml)))
    assert told in str(raised.value)


def test_compose_files_are_not_supported(tmp_path):
    folder = write_task(tmp_path)
    write_files(folder, {"environment/docker-compose.yaml": "services: {}"})
    with pytest.raises(UnsupportedError, match=r"docker-compose\.yaml: needs a container engine"):
        refuse_unsupported(read_folder(folder))


def test_a_canary_is_cut_only_where_it_stands_first():
    assert (
        without_canary("<!-- CANARY a -->\n\nText\n# canary in the text\n") == "Text\n# canary in the text\n"
    )
    assert without_canary("# Title\n") == "# Title\n"
    many = f"<!-- {'canary ' * 100_000}"
    assert without_canary(many) == many


def test_toml_round_trips():
    table = {
        "a": 1,
        "text": 'quotes " \\ and \x7f\n\té',
        "list": [1, 2.5, True, "x", [1]],
        "inner": {"deep": {"x": False}, "odd key": "y"},
        "rows": [{"name": "a", "t": {"z": 1}}, {"name": "b"}],
        "mixed": ["plain", {"source": "x"}],
    }
    assert tomllib.loads(to_toml(table)) == table
    with pytest.raises(TypeError, match="no form"):
        to_toml({"x": object()})
