"""Patches: what is applied, what is refused, and how long it may take."""

import contextlib
import time
import zlib

import pytest

from rlvr_gym.repositories.patches import PatchError, apply_patch, changed_lines, make_patch, paths_of

FILES = {"a.py": b"one\ntwo\nthree\nfour\nfive\n", "end.txt": b"no end", "empty": b"", "twice": b"x\ny\n" * 4}
READ = FILES.get


def one(path, *lines):
    return "\n".join([f"--- a/{path}", f"+++ b/{path}", *lines, ""])


def test_a_hunk_is_applied_where_it_says():
    patch = one("a.py", "@@ -2,3 +2,3 @@", " two", "-three", "+3", " four")
    assert apply_patch(patch, READ) == {"a.py": b"one\ntwo\n3\nfour\nfive\n"}
    assert changed_lines(patch) == 2
    assert paths_of(patch) == ("a.py",)


def test_a_hunk_at_another_line_is_found_when_it_is_there_once():
    assert apply_patch(one("a.py", "@@ -9,3 +9,3 @@", " two", "-three", "+3", " four"), READ)
    with pytest.raises(PatchError, match="hunk 1 of twice does not fit"):
        apply_patch(one("twice", "@@ -2,3 +2,3 @@", " x", "-y", "+z", " x"), READ)
    there = apply_patch(one("twice", "@@ -3,3 +3,3 @@", " x", "-y", "+z", " x"), READ)
    assert there == {"twice": b"x\ny\nx\nz\nx\ny\nx\ny\n"}


def test_later_hunks_move_with_the_first():
    content = b"new\n" * 3 + b"".join(b"%d\n" % n for n in range(40)) + b"20\n21\n22\n"
    patch = one(
        "n", "@@ -5,3 +5,3 @@", " 4", "-5", "+five", " 6", "@@ -21,3 +21,3 @@", " 20", "-21", "+x", " 22"
    )
    (after,) = apply_patch(patch, {"n": content}.get).values()
    assert after == content.replace(b"5\n", b"five\n", 1).replace(b"21\n", b"x\n", 1)


def test_context_has_to_be_exact():
    for line in (" TWO", " two ", "  two", " two\r"):
        with pytest.raises(PatchError, match="does not fit"):
            apply_patch(one("a.py", "@@ -2,3 +2,3 @@", line, "-three", "+3", " four"), READ)


def test_a_line_without_an_end():
    marked = "\\ No newline at end of file"
    patch = one("end.txt", "@@ -1 +1 @@", "-no end", marked, "+an end")
    assert apply_patch(patch, READ) == {"end.txt": b"an end\n"}
    with pytest.raises(PatchError, match="does not fit"):
        apply_patch(one("end.txt", "@@ -1 +1 @@", "-no end", "+an end"), READ)


def test_an_empty_patch_changes_nothing():
    assert apply_patch("", READ) == apply_patch(" \n\n", READ) == {}
    assert changed_lines("") == 0
    assert paths_of("") == ()


def test_files_are_made_deleted_and_renamed():
    made = "diff --git a/new b/new\nnew file mode 100755\nindex 0000000..e69de29\n"
    assert apply_patch(made, READ) == {"new": b""}
    gone = "diff --git a/empty b/empty\ndeleted file mode 100644\nindex e69de29..0000000\n"
    assert apply_patch(gone, READ) == {"empty": None}
    moved = "diff --git a/a.py b/b/c d.py\nsimilarity index 100%\nrename from a.py\nrename to b/c d.py\n"
    assert apply_patch(moved, READ) == {"a.py": None, "b/c d.py": FILES["a.py"]}
    assert paths_of(moved) == ("a.py", "b/c d.py")
    copied = moved.replace("rename", "copy")
    assert apply_patch(copied, READ) == {"b/c d.py": FILES["a.py"]}
    swapped = (
        "diff --git a/a.py b/end.txt\nrename from a.py\nrename to end.txt\n"
        "diff --git a/end.txt b/a.py\nrename from end.txt\nrename to a.py\n"
    )
    assert apply_patch(swapped, READ) == {"a.py": FILES["end.txt"], "end.txt": FILES["a.py"]}


def test_a_mode_alone_is_ignored():
    patch = "diff --git a/a.py b/a.py\nold mode 100644\nnew mode 100755\n"
    assert apply_patch(patch, READ) == {"a.py": FILES["a.py"]}


def new_file(path):
    return one(path, "@@ -0,0 +1 @@", "+x").replace(f"--- a/{path}", "--- /dev/null")


PATHS = {
    "/etc/passwd": "absolute",
    "../out": "leaves",
    "a/../../out": "leaves",
    ".git/hooks/post-checkout": "git's own",
    "sub/.GIT/config": "git's own",
    "git~1/config": "git's own",
    "a//b": "empty part",
    "./a": "empty part",
    "n" * 300: "too long",
}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:20])
def test_no_path_leaves_the_repository(path):
    read = {path: b"x\n"}.get
    hostile = [
        new_file(path),
        one(path, "@@ -1 +1 @@", "-x", "+y"),
        f"diff --git a/{path} b/{path}\nnew file mode 100644\n",
        f"diff --git a/a.py b/{path}\nrename from a.py\nrename to {path}\n",
        f"diff --git a/{path} b/a2\ncopy from {path}\ncopy to a2\n",
    ]
    for patch in hostile:
        with pytest.raises(PatchError):
            apply_patch(patch, lambda asked: pytest.fail("it was read") if asked == path else read(asked))
    with pytest.raises(PatchError, match=PATHS[path]):
        apply_patch(hostile[0], read)


REFUSED = {
    "a link": "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n",
    "a link that is changed": "diff --git a/a.py b/a.py\nindex aaaa..bbbb 120000\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+/etc\n",
    "a file that becomes a link": "diff --git a/a.py b/a.py\nold mode 100644\nnew mode 120000\n",
    "a submodule": "diff --git a/s b/s\nnew file mode 160000\nindex 0000000..1234567\n",
    "a quoted NUL": 'diff --git "a/x\\000y" "b/x\\000y"\nnew file mode 100644\n',
    "a NUL": "diff --git a/x\0y b/x\0y\nnew file mode 100644\n",
    "quoted dots": 'diff --git "a/\\056\\056/x" "b/\\056\\056/x"\nnew file mode 100644\n',
    "a lone surrogate": new_file("a\ud800"),
    "no UTF-8 in a name": 'diff --git "a/\\377" "b/\\377"\nnew file mode 100644\n',
    "words before": "I think that this is right:\n" + one("a.py", "@@ -1,2 +1,2 @@", "-one", "+1", " two"),
    "other words": "I changed the file as you asked.",
    "another file in the header": "diff --git a/x b/x\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+1\n",
    "another file in the hunk": "--- a/a.py\n+++ b/empty\n@@ -1 +1 @@\n-one\n+1\n",
    "another file than renamed": "diff --git a/a.py b/b\nrename from a.py\nrename to b\n--- a/a.py\n+++ b/c\n@@ -1 +1 @@\n-one\n+1\n",
    "a file that is there": new_file("a.py"),
    "a file in a file": new_file("a.py/b"),
    "a file and its folder": new_file("new") + new_file("new/b"),
    "a file that is not there": one("b.py", "@@ -1 +1 @@", "-x", "+y"),
    "a file twice": one("a.py", "@@ -1,2 +1,2 @@", "-one", "+1", " two") * 2,
    "deleted by halves": one("a.py", "@@ -1,2 +1 @@", "-one", " two").replace("+++ b/a.py", "+++ /dev/null"),
    "too few lines": one("a.py", "@@ -1,4 +1,4 @@", "-one", "+1", " two"),
    "too many lines": one("a.py", "@@ -1 +1 @@", "-one", "+1", " two"),
    "no hunk": one("a.py"),
    "a hunk that changes nothing": one("a.py", "@@ -1 +1 @@", " one"),
    "hunks out of order": one(
        "a.py", "@@ -4,2 +4,2 @@", "-four", "+4", " five", "@@ -1,2 +1,2 @@", "-one", "+1", " two"
    ),
    "an end in the middle": one(
        "a.py", "@@ -1,2 +1,2 @@", "-one", "\\ No newline at end of file", "+1", " two"
    ),
    "no prefix": "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-one\n+1\n",
    "words between": one("a.py", "@@ -1,2 +1,2 @@", "-one", "+1", " two", "and more words"),
    "other binary content": make_patch({"a.py": b"\0"}, {"a.py": b"\1\0"}),
    "no hash": "diff --git a/a.py b/a.py\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\n",
    "damaged binary": "diff --git a/x b/x\nnew file mode 100644\nGIT binary patch\nliteral 1\nAxxxx\n\n",
    "no base 85": 'diff --git a/x b/x\nnew file mode 100644\nGIT binary patch\nliteral 1\nA""""\n\n',
    "a delta": "diff --git a/a.py b/a.py\nindex 1234..4567\nGIT binary patch\ndelta 1\nAxxxx\n\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_patch_is_refused_that_is(name):
    with pytest.raises(PatchError):
        apply_patch(REFUSED[name], READ)


def test_a_binary_content_is_as_long_as_it_says():
    patch = make_patch({}, {"x": bytes(5000)})
    assert apply_patch(patch, READ) == {"x": bytes(5000)}
    for size in (0, 4999, 5001, 10**11):
        with pytest.raises(PatchError):
            apply_patch(patch.replace("literal 5000", f"literal {size}"), READ)
    assert len(zlib.compress(bytes(5000))) < 100


def timed(work):
    start = time.process_time()
    with contextlib.suppress(PatchError):
        work()
    return time.process_time() - start


SLOW = {
    "hunks all over": (
        one("f", *["@@ -7,3 +7,3 @@\n x\n-no\n+y\n x"] * 20_000),
        b"x\n" * 300_000,
    ),
    "one that almost fits": (
        one("f", "@@ -9,30000 +9,29999 @@", *[" x"] * 29_999, "-y"),
        b"x\n" * 300_000,
    ),
    "in the middle of lines": (one("f", "@@ -9,3 +9,2 @@", " b", "-b", " b"), b"ab\n" * 300_000),
    "a header of many names": ("diff --git a/x" + " b/x" * 200_000 + "\nnew file mode 100644\n", b""),
    "quoted names": ('diff --git "a/' + "\\\\" * 300_000 + '" "b/x"\n', b""),
    "folders": ("".join(new_file(f"{n}/" + "d/" * 400 + "f") for n in range(500)), None),
    "copies": (
        "".join(f"diff --git a/f b/{n}\ncopy from f\ncopy to {n}\n" for n in range(9_000)),
        b"x" * 900_000,
    ),
    "bombs": (make_patch({}, {f"{n}": bytes(30 << 20) for n in range(3)}), None),
}


@pytest.mark.parametrize("name", SLOW)
def test_time_is_bounded_for(name):
    patch, content = SLOW[name]
    assert timed(lambda: apply_patch(patch, {"f": content}.get)) < 2.0


def test_time_is_bounded_for_making():
    numbers = [b"%d\n" % (n * n % 7919) for n in range(100_000)]
    before = {f"{n}": b"".join(numbers) for n in range(3)}
    after = {f"{n}": b"".join(numbers[::-1]) for n in range(3)}
    start = time.process_time()
    patch = make_patch(before, after)
    assert time.process_time() - start < 5.0
    assert apply_patch(patch, before.get) == after


def test_a_small_change_of_a_large_file_is_a_small_patch():
    lines = [b"line %d\n" % n for n in range(100_000)]
    before = b"".join(lines)
    lines[50_000:50_001], lines[100] = [], b"other\n"
    patch = make_patch({"f": before}, {"f": b"".join(lines)})
    assert changed_lines(patch) == 3
    assert len(patch) < 600
