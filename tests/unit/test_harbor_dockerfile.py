import contextlib
import time

import pytest

from rlvr_gym.repositories.harbor import packages
from rlvr_gym.repositories.harbor.copying import copied
from rlvr_gym.repositories.harbor.dockerfile import Copy, parse_dockerfile
from rlvr_gym.repositories.harbor.errors import UnsupportedError
from rlvr_gym.repositories.harbor.run_lines import Apt, Pip, Shell

GOOD = """\
# syntax is a comment
FROM docker.io/library/python:3.12-slim AS base
LABEL a=b
ARG WHO=world
ENV GREETING="hello $WHO" MODE=test
ENV OLD form of value
ENV PATH="/app/bin:$PATH"
USER root
RUN apt-get update && apt-get install -y --no-install-recommends git curl=7.* \\
    # a comment within
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --chown=1:1 src/ .
ADD ["a file.txt", "data/"]
WORKDIR sub
RUN pip install --no-cache-dir 'pytest>=8,<9' requests[socks]==2.32 && python -m pip install -r ../req.txt
RUN mkdir -p ${MODE} && echo "$GREETING" > x && cd y
CMD ["bash"]
"""


def parsed(*lines):
    return parse_dockerfile("\n".join(["FROM python:3", *lines]), where="Dockerfile")


def refused(*lines):
    with pytest.raises(UnsupportedError) as raised:
        parsed(*lines)
    return str(raised.value)


def test_the_subset_is_understood():
    recipe = parse_dockerfile(GOOD, where="Dockerfile", path="/usr/bin")
    assert (recipe.base, recipe.tag, recipe.workdir) == ("python", "3.12-slim", "/app/sub")
    assert recipe.env == {
        "GREETING": "hello world",
        "MODE": "test",
        "OLD": "form of value",
        "PATH": "/app/bin:/usr/bin",
    }
    assert recipe.notes == (
        "Dockerfile:8: USER root has no effect: commands never run as root, nor as another's user.",
    )
    update, install, src, data, pip, more, shell = recipe.steps
    assert (update, install) == (Apt(9, ()), Apt(9, ("git", "curl")))
    assert src == Copy(13, ("src/",), "/app", True)
    assert data == Copy(14, ("a file.txt",), "/app/data", True)
    assert pip == Pip(16, ("pytest>=8,<9", "requests[socks]==2.32"), ())
    assert more == Pip(16, (), ("/app/sub/../req.txt",))
    assert isinstance(shell, Shell)
    assert (shell.line, shell.cwd, shell.env["MODE"]) == (17, "/app/sub", "test")
    assert shell.command == 'mkdir -p ${MODE} && echo "$GREETING" > x && cd y'


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("FROM debian:12", "a second stage"),
        ("ENTRYPOINT run.sh", "needs a container engine"),
        ("VOLUME /data", "needs a container engine"),
        ("HEALTHCHECK CMD true", "needs a container engine"),
        ("COPY --from=base /x /app", "--from=base is not understood"),
        ("COPY ../../etc/passwd /app/", "'../../etc/passwd' leads out of environment/"),
        ("COPY a/../../x /app/", "leads out of environment/"),
        ("COPY x", "needs sources and a target"),
        ("ADD https://example.com/x /app/", "is not a file of the task folder"),
        ("ADD git@example.com:x /app/", "is not a file of the task folder"),
        ("ADD x.tar.gz /app/", "would be unpacked"),
        ("RUN --mount=type=secret,id=x true", "only plain RUN lines"),
        ('RUN ["true"]', "only plain RUN lines"),
        ("RUN cat <<EOF > x", "only plain RUN lines"),
        ("RUN pip install git+https://example.com/x", "is not a package by name and version"),
        ("RUN pip install evil@https://example.com/x.whl", "is not a package by name and version"),
        ("RUN pip install ./evil", "is not a package by name and version"),
        ("RUN pip install -e .", "is not a package by name and version"),
        ("RUN pip install --index-url http://example.com x", "is not a package by name and version"),
        ("RUN PIP_INDEX_URL=http://example.com pip install x", "it uses pip in a way"),
        ("ENV PIP_INDEX_URL=http://example.com", "this machine's index only"),
        ("RUN pip install $(cat names)", "it uses pip in a way"),
        ("RUN pip install x; true", "it uses pip in a way"),
        ("RUN sh -c 'pip install x'", "it uses pip in a way"),
        ("RUN cd x && pip install y", "changes the shell before an installation"),
        ("RUN apt-get install -y ./evil.deb", "apt: './evil.deb' is not understood"),
        ("RUN curl -LsSf https://example.com/i.sh | sh", "it uses curl, and there is no network"),
        ("RUN npm install", "it uses npm"),
        ("ENV 1=2", "no name of a variable"),
        ("ENV A=${B:+c}", "only ${NAME} and ${NAME:-default}"),
        ("RUN echo 'x", "No closing quotation"),
    ],
)
def test_anything_else_is_refused_by_its_line(line, told):
    message = refused("WORKDIR /app", line)
    assert message.startswith(f"Dockerfile:3: {line.split()[0]} ")
    assert told in message


@pytest.mark.parametrize(
    "base", ["alpine:3", "python:3.12-alpine", "node:22", "ghcr.io/x/python:3", "scratch", ""]
)
def test_other_bases_are_refused(base):
    with pytest.raises(UnsupportedError, match=r"Dockerfile:1: FROM"):
        parse_dockerfile(f"FROM {base}\n", where="Dockerfile")


@pytest.mark.parametrize(
    "base",
    [
        "python",
        "library/debian:12",
        "public.ecr.aws/docker/library/ubuntu:24.04",
        f"python:3@sha256:{'0' * 64}",
    ],
)
def test_known_bases_are_known_by_all_their_names(base):
    assert parse_dockerfile(f"FROM {base}\n", where="Dockerfile").base in ("python", "debian", "ubuntu")


def test_options_that_change_nothing_here_are_passed_over():
    (step,) = parsed(
        "RUN --network=host --mount=type=cache,target=/x pip install --only-binary=:all: pytest"
    ).steps
    assert step == Pip(2, ("pytest",), ())


def test_a_file_without_a_base_is_refused():
    with pytest.raises(UnsupportedError, match="there is no FROM"):
        parse_dockerfile("# nothing\n", where="Dockerfile")
    with pytest.raises(UnsupportedError, match="Dockerfile:1: RUN true: it comes before FROM"):
        parse_dockerfile("RUN true\nFROM python:3", where="Dockerfile")


CONTEXT = {
    name: (name.encode(), False) for name in ("a.txt", "b.txt", "src/x.py", "src/deep/y.py", "Dockerfile")
}


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("COPY . .", {"a.txt", "b.txt", "src/x.py", "src/deep/y.py", "Dockerfile"}),
        ("COPY src/ /app/", {"x.py", "deep/y.py"}),
        ("COPY src lib", {"lib/x.py", "lib/deep/y.py"}),
        ("COPY a.txt c.txt", {"c.txt"}),
        ("COPY a.txt sub/", {"sub/a.txt"}),
        ("COPY ./a.txt /b.txt /app/sub", {"sub/a.txt", "sub/b.txt"}),
        ("COPY *.txt ./", {"a.txt", "b.txt"}),
        ("COPY src/d* /app/z", {"z/y.py"}),
        ("COPY ${X:-a.txt} .", {"a.txt"}),
    ],
)
def test_copy_puts_files_where_docker_would(line, paths):
    (step,) = parsed("WORKDIR /app", line).steps
    assert copied(step, CONTEXT, "/app", where="x").keys() == paths


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("COPY a.txt /etc/passwd", "only /app can be filled, not /etc/passwd"),
        ("COPY a.txt /app/../etc/x", "only /app can be filled, not /etc/x"),
        ("COPY a.txt /application", "only /app can be filled, not /application"),
        ("COPY none.txt .", "there is no environment/none.txt"),
        ("COPY *.none .", "there is no environment/"),
    ],
)
def test_copy_stays_in_the_working_folder(line, told):
    (step,) = parsed("WORKDIR /app", line).steps
    with pytest.raises(UnsupportedError) as raised:
        copied(step, CONTEXT, "/app", where="Dockerfile:3")
    assert str(raised.value).startswith(f"Dockerfile:3: {told}")


def test_a_file_of_requirements_may_name_packages_only():
    (step,) = parsed("WORKDIR /app", "RUN pip install -r req.txt").steps
    good = {"req.txt": (b"# c\nx==1 # why\n\ny>=2; python_version > '3'\n", False)}
    assert packages.asked_for(step, good, "/app", where="w") == ["x==1", "y>=2; python_version > '3'"]
    for line in (b"--index-url http://e", b"-e .", b"x @ file:///etc", b"./x", b"-r other.txt"):
        with pytest.raises(UnsupportedError, match=r"w: /app/req\.txt:1: .* is not a package"):
            packages.asked_for(step, {"req.txt": (line, False)}, "/app", where="w")
    with pytest.raises(UnsupportedError, match=r"there is no /app/req\.txt"):
        packages.asked_for(step, {}, "/app", where="w")


@pytest.mark.parametrize(
    "line",
    [
        f"RUN pip install x{'!' * 400}(",
        f"RUN pip install x{'=1' * 200}(",
        f"RUN pip install 'x{' ' * 400}('",
        f"RUN pip install {'x' * 100_000}",
        f"COPY {'[' * 100_000} x",
        f"COPY {'*a' * 1000} .",
        f"ENV A={'$' * 50_000}" + "{",
        f"ENV A={'${A:-' * 20_000}",
        f"FROM {'a' * 100_000}",
    ],
)
def test_a_hostile_line_costs_no_time(line):
    started = time.monotonic()
    with contextlib.suppress(UnsupportedError):
        steps = parsed("WORKDIR /app", line).steps
        copied(steps[0], {"a" * 200: (b"", False)}, "/app", where="x")
    assert time.monotonic() - started < 5


def test_programs_are_here_or_named():
    packages.require_programs(Apt(1, ("sed", "ca-certificates")), where="w")
    with pytest.raises(UnsupportedError, match="w: not on this machine: no-such-program, python3-numpy"):
        packages.require_programs(Apt(1, ("sed", "no-such-program", "python3-numpy")), where="w")
