"""Harbor tasks in an image, in the runtime ``docker``."""

from __future__ import annotations

import contextlib
import io
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.repositories.harbor.loading import read_task
from rlvr_gym.repositories.harbor.validating import validate
from rlvr_gym.repositories.suites.base import Terms
from rlvr_gym.runtimes import image_links
from rlvr_gym.runtimes.base import Limits
from rlvr_gym.runtimes.docker import Docker
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.types import Status
from tests.harbor_folders import FILES, TOML, write_task
from tests.integration.attacks.runtimes import OPENERS

NAME = "rlvr-gym-test-harbor:latest"
INSIDE = {
    "app/adder.py": FILES["environment/src/adder.py"],
    # As an image may bring it, by mistake or not.
    "logs/verifier/reward.txt": "1\n",
    "logs/verifier/reward.json": '{"reward": 1}\n',
    "tests/test.sh": "echo 1 > /logs/verifier/reward.txt\n",
}
IN_IMAGE = f"{TOML}[environment]\ndocker_image = '{NAME}'\nworkdir = '/app'\n"


@pytest.fixture(scope="module")
def runtime() -> Iterator[Any]:
    with OPENERS["docker"]() as opened:
        if missing := opened.missing():
            pytest.skip(f"docker: {'; '.join(missing)}")
        import docker

        with contextlib.closing(docker.APIClient(os.environ.get("DOCKER_HOST"), version="auto")) as client:
            linked = {each["Id"] for each in client.images(image_links.REPOSITORY)}
            made = client.create_container(Docker().image, "true")["Id"]
            try:
                client.put_archive(made, "/", _archive())
                client.commit(made, *NAME.split(":"))
            finally:
                client.remove_container(made)
            try:
                yield opened
            finally:
                for each in client.images(image_links.REPOSITORY):
                    if each["Id"] not in linked:
                        client.remove_image(each["Id"], force=True)
                client.remove_image(NAME, force=True)


def _archive() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, text in INSIDE.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), 0o644
            archive.addfile(entry, io.BytesIO(text.encode()))
    return file.getvalue()


def test_a_task_in_an_image_holds_and_what_the_image_planted_does_not_count(
    tmp_path: Path, runtime: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    named = write_task(tmp_path / "named", task_toml=IN_IMAGE, environment_Dockerfile=None)
    assert validate(named, runtime).problems == ()
    built = write_task(
        tmp_path / "built",
        task_toml=f"{TOML}[environment]\nworkdir = '/app'\n",
        environment_Dockerfile="FROM scratch\n",
    )
    outside = read_task(built, image=NAME, runtime=runtime)
    assert "a + b" in outside.patch
    assert outside.suite.workspace(outside, Limits()).spec.image == NAME
    silent = write_task(
        tmp_path / "silent",
        task_toml=IN_IMAGE,
        environment_Dockerfile=None,
        tests_test_sh="#!/bin/sh\nls -R /logs\n",
    )
    task = read_task(silent, runtime=runtime)
    verdict = task.suite.grade(task, "", Terms(runtime, Limits(wall_s=30)))
    assert verdict.status is Status.FAILED
    assert "wrote neither" in verdict.reason
    assert "reward" not in verdict.checks[0].detail
    refused = task.suite.grade(task, "", Terms(LocalRuntime(), Limits()))
    assert refused.status is Status.UNSUPPORTED
    assert f"the image '{NAME}' needs a runtime with images" in refused.reason
