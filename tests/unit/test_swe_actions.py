"""Reading actions out of responses, and edits by exact text."""

import pytest

from rlvr_gym.envs.swe_play.actions import ActionError, Command, Edit, Replacement, fenced, read_action
from rlvr_gym.envs.swe_play.edits import edited
from rlvr_gym.envs.swe_play.texts import cut, told
from rlvr_gym.runtimes.base import End, Result


def edit(*parts, path="a.py"):
    return Edit(path, tuple(Replacement(old, new) for old, new in parts))


@pytest.mark.parametrize("kind", ["bash", "sh", "shell", "Bash"])
def test_a_fenced_block_is_a_command(kind):
    assert read_action(f"I look around.\n```{kind}\nls\ncat x\n```\nThen I go on.") == Command("ls\ncat x")


def test_windows_line_ends_are_taken():
    assert read_action("```bash\r\nls\r\n```\r\n") == Command("ls")


def test_a_longer_fence_holds_shorter_ones():
    text = "cat > README.md <<'E'\n```python\nx\n```\nE"
    assert read_action(fenced(text)) == Command(text)


def test_blocks_of_other_languages_are_talk():
    assert read_action("```python\nx = 1\n```\n```bash\nls\n```") == Command("ls")


@pytest.mark.parametrize(
    ("response", "says"),
    [
        ("", "No action"),
        ("ls -la", "No action"),
        ("```python\nx\n```", "No action"),
        ("```bash\nls\n```\n```bash\npwd\n```", "2 fenced blocks"),
        ("```bash\nls\n```\n```edit a.py\n```", "2 fenced blocks"),
        ("```bash\nls", "not closed"),
        ("```bash\n \n```", "empty"),
        ("```bash\nls \0\n```", "NUL"),
        ("```edit\nx\n```", "names its file"),
        ("```edit a.py\nx\n```", "outside of its parts"),
        ("```edit a.py\n```", "made of the lines"),
        ("```edit a.py\n<<<<<<< SEARCH\nx\n=======\n```", "made of the lines"),
        ("<think>```bash\nls\n```", "thinking has no end"),
    ],
)
def test_other_responses_are_told_what_is_wrong(response, says):
    with pytest.raises(ActionError, match=says):
        read_action(response)


def test_what_stands_in_the_thinking_is_no_action():
    thought = "<think>maybe\n```bash\nrm -r .\n```\n</think>\n"
    assert read_action(f"{thought}```bash\nls\n```") == Command("ls")
    # Chat templates may have written the beginning themselves.
    assert read_action(f"{thought.removeprefix('<think>')}```bash\nls\n```") == Command("ls")


def test_an_edit_may_hold_the_end_of_a_thought():
    text = "```edit a.html\n<<<<<<< SEARCH\n</think>\n=======\nx\n>>>>>>> REPLACE\n```"
    assert read_action(text) == edit(("</think>", "x"), path="a.html")


@pytest.mark.parametrize("text", ["submit", " submit\n", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"])
def test_submitting(text):
    assert Command(text).submits
    assert not Command(f"{text} now").submits


def test_an_edit_of_several_parts():
    parts = (
        "<<<<<<< SEARCH\na\n\nb\n=======\nc\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\nd\n=======\n>>>>>>> REPLACE"
    )
    assert read_action(f"```edit src/my file.py\n{parts}\n```") == edit(
        ("a\n\nb", "c"), ("d", ""), path="src/my file.py"
    )


def test_edits_replace_exact_text():
    assert edited(edit(("b\n", "x\ny\n")), b"a\nb\nc\n") == b"a\nx\ny\nc\n"
    assert edited(edit(("b", "x"), ("c", "z")), b"a\nb\nc\n") == b"a\nx\nz\n"


def test_removing_lines_takes_their_ends_along():
    assert edited(edit(("b", "")), b"a\nb\nc\n") == b"a\nc\n"


def test_whole_lines_go_before_parts_of_lines():
    assert edited(edit(("x = 1", "x = 2")), b"max = 1\nx = 1\n") == b"max = 1\nx = 2\n"


def test_windows_files_stay_such():
    assert edited(edit(("a\nb", "c\nd")), b"a\r\nb\r\n") == b"c\r\nd\r\n"


def test_a_new_file_ends_with_a_line_end():
    assert edited(edit(("", "x\ny")), None) == b"x\ny\n"
    assert edited(edit(("", "x")), b"") == b"x\n"


@pytest.mark.parametrize(
    ("change", "before", "says"),
    [
        (edit(("z", "x")), b"a\nb\n", "does not occur"),
        (edit(("  a", "x")), b"\ta\n", "lines 1 to 1 differ from it in blanks only"),
        (edit(("a", "x")), b"a\nb\na\n", "occurs 2 times, in lines 1, 3"),
        (edit(("aa", "x")), b"aaa", "occurs 2 times"),
        (edit(("a", "x")), None, "no such file"),
        (edit(("", "x")), b"a\n", "exists already"),
        (edit(("a", "x")), b"\xff", "not UTF-8"),
    ],
)
def test_edits_that_do_not_fit_say_why(change, before, says):
    with pytest.raises(ActionError, match=says):
        edited(change, before)


def test_a_later_part_that_does_not_fit_leaves_the_file_alone():
    with pytest.raises(ActionError, match="part 2"):
        edited(edit(("a", "x"), ("z", "y")), b"a\n")


def test_long_output_loses_its_middle():
    text = cut("a" * 50 + "b" * 50, 20)
    assert text.startswith("a" * 10 + "\n[... 80 characters left out")
    assert text.endswith("b" * 10)
    assert cut("a" * 20, 20) == "a" * 20


def test_observations_tell_the_end_of_a_command():
    assert told(Result(End.EXITED, 3, b"out\n", b"", 1.5), 100) == "Exit code 3.\nout"
    assert told(Result(End.EXITED, 0, b" \n", b"", 1.5), 100) == "Exit code 0. No output."
    assert told(Result(End.TIMEOUT, None, b"x\0\xff", b"", 1.5), 100).startswith(
        "The command was stopped at its time"
    )
    assert "\0" not in told(Result(End.EXITED, 0, b"\0", b"", 1.5), 100)
