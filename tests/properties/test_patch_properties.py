"""Patches go there and back, and git agrees."""

import contextlib
import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.repositories.patch_reading import path_fault
from rlvr_gym.repositories.patches import PatchError, apply_patch, changed_lines, make_patch, paths_of

NAMES = st.one_of(
    st.sampled_from(
        ["a", "b.py", "a b", " b", "é", "日本", 'q"uote', "back\\slash", "tab\tbed", "b/a b/b", "~"]
    ),
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=6),
)
PATHS = NAMES.filter(lambda path: not path_fault(path))
LINES = st.lists(
    st.sampled_from(["a", "b", "c", "", "\r", " x", "-", "+", "\\ No", "@@ -1 +1 @@", "é\u2028"]), max_size=12
)
TEXTS = st.builds(lambda lines, end: ("\n".join(lines) + end).encode(), LINES, st.sampled_from(["\n", ""]))
CONTENTS = st.one_of(TEXTS, TEXTS, st.binary(max_size=80))
TREES = st.dictionaries(PATHS, CONTENTS, max_size=4).filter(
    lambda files: not any(a != b and b.startswith(f"{a}/") for a in files for b in files)
)


@st.composite
def pairs(draw):
    """Two trees that have much in common."""
    before = draw(TREES)
    after = {**before, **draw(TREES)}
    for path in list(after):
        choice = draw(st.integers(0, 3))
        if choice == 0:
            del after[path]
        elif choice == 1:
            lines = after[path].split(b"\n")
            lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from([b"new", b"a", b""])))
            after[path] = b"\n".join(lines)
    if any(a != b and b.startswith(f"{a}/") for a in after for b in after):
        after = before
    return before, after


def applied(patch, files):
    found = dict(files)
    for path, content in apply_patch(patch, files.get).items():
        if content is None:
            del found[path]
        else:
            found[path] = content
    return found


def is_text(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def git(folder, *args, stdin=b""):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-c", "core.autocrlf=false", "-c", "core.safecrlf=false", *args]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, env=environment, check=False)


def write(folder, files):
    for path, content in files.items():
        place = Path(folder, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def read(folder):
    places = (place for place in Path(folder).rglob("*") if place.is_file())
    return {str(place.relative_to(folder)): place.read_bytes() for place in places}


@settings(deadline=None, max_examples=200)
@given(pairs())
def test_a_made_patch_leads_from_the_one_to_the_other(pair):
    before, after = pair
    patch = make_patch(before, after)
    assert applied(patch, before) == after
    assert applied(make_patch(after, before), after) == before
    assert set(paths_of(patch)) == {path for path in before | after if before.get(path) != after.get(path)}
    assert bool(patch) == (before != after)
    assert changed_lines(make_patch(after, before)) == changed_lines(patch)


@settings(deadline=None, max_examples=30)
@given(pairs())
def test_git_applies_what_is_made(pair):
    before, after = pair
    with tempfile.TemporaryDirectory() as folder:
        write(folder, before)
        done = git(folder, "apply", "--whitespace=nowarn", "-", stdin=make_patch(before, after).encode())
        assert before == after or not done.returncode, done.stderr
        assert read(folder) == after


@settings(deadline=None, max_examples=30)
@given(pairs(), st.sampled_from([[], ["--no-renames"], ["-M20%"], ["-U1"], ["--patience"]]))
def test_what_git_makes_is_applied(pair, options):
    before, after = pair
    with tempfile.TemporaryDirectory() as folder:
        git(folder, "init", "-q", ".")
        write(folder, before)
        git(folder, "add", "-f", "-A")
        tree = git(folder, "write-tree").stdout.decode().strip()
        for path in before:
            Path(folder, path).unlink()
        write(folder, after)
        git(folder, "add", "-f", "-A")
        made = git(folder, "diff", "--cached", "--binary", "--full-index", *options, tree).stdout
    # A patch is text here; git also writes bytes that are none, and differences of binary contents.
    if b"\ndelta " not in made and is_text(made):
        assert applied(made.decode(), before) == after


DAMAGE = st.sampled_from(
    ["@@", "+", "-", " ", "1", "2", "a/", "b/", "\n", "\\", "/dev/null", "--- ", "new file mode"]
)


@settings(deadline=None, max_examples=60)
@given(pairs(), st.data())
def test_where_a_damaged_patch_is_applied_git_does_the_same(pair, data):
    before, after = pair
    patch = make_patch(before, after)
    at = data.draw(st.integers(0, len(patch)))
    cut = data.draw(st.integers(0, 3))
    patch = patch[:at] + data.draw(DAMAGE) + patch[at + cut :]
    try:
        found = applied(patch, before)
    except PatchError:
        return
    with tempfile.TemporaryDirectory() as folder:
        write(folder, before)
        if not patch.endswith("\n"):
            patch += "\n"
        done = git(folder, "apply", "--whitespace=nowarn", "-", stdin=patch.encode())
        if done.returncode and found != before:
            pytest.fail(f"{done.stderr!r} {patch!r}")
        assert read(folder) == found


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_a_patch_or_refused(text):
    for use in (paths_of, changed_lines, lambda patch: apply_patch(patch, {}.get)):
        with contextlib.suppress(PatchError):
            use(text)
