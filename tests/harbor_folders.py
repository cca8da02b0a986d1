"""Harbor task folders that tests write by hand."""

from __future__ import annotations

from pathlib import Path

TOML = """\
schema_version = "1.4"

[task]
name = "ours/adder"

[verifier]
timeout_sec = 60
"""
DOCKERFILE = """\
FROM python:3-slim
WORKDIR /app
COPY src/ .
"""
TEST_SH = """\
#!/bin/sh
if python3 -c 'from adder import add; assert add(1, 2) == 3'; then reward=1; else reward=0; fi
echo $reward > /logs/verifier/reward.txt
"""
SOLVE_SH = """\
#!/bin/sh
sed -i 's/a - b/a + b/' /app/adder.py
"""
FILES = {
    "task.toml": TOML,
    "instruction.md": "Make add() add.\n",
    "environment/Dockerfile": DOCKERFILE,
    "environment/src/adder.py": "def add(a, b):\n    return a - b\n",
    "tests/test.sh": TEST_SH,
    "solution/solve.sh": SOLVE_SH,
}
"""A small Python task."""


def write_task(folder: Path, **changed: str | None) -> Path:
    """Write the small task with some files changed; ``task_toml`` is ``task.toml``, None leaves a file out."""
    names = {name.replace("/", "_").replace(".", "_"): name for name in FILES}
    files: dict[str, str | None] = dict(FILES)
    files |= {names[key]: text for key, text in changed.items()}
    return write_files(folder, {name: text for name, text in files.items() if text is not None})


def write_files(folder: Path, files: dict[str, str]) -> Path:
    """Write texts by path; scripts can run."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if name.endswith(".sh"):
            path.chmod(0o755)
    return folder
