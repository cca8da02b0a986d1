import pytest

from rlvr_gym.factory.changelogs import changelog

OLD = """Changes
=======

1.0 (2020-01-01)
----------------

* First.
"""
NEW = """Changes
=======

1.1.0 (2021-02-03)
------------------

* Fixed ``parse`` of an empty text (#12, thanks @somebody).
* ``split`` keeps the `separator <https://example.org/x>`_
  when ``keep`` is set.
* Added tests for Python 3.12.
* Version bump

1.0 (2020-01-01)
----------------

* First.
"""


def test_items_that_are_new_are_told_without_versions_names_links_and_housekeeping():
    told = changelog({"CHANGES.rst": OLD.encode()}, {"CHANGES.rst": NEW.encode()})
    assert told == (
        "* Fixed ``parse`` of an empty text.\n* ``split`` keeps the separator\n  when ``keep`` is set."
    )


def test_of_a_readme_only_items_of_lists_count():
    old = "# pkg\n\nText.\n"
    new = (
        "# pkg\n\nOther text.\n\n**Version history**:\n\n- 1.2.1 Correct handling of zero\n- 1.2.0 Release\n"
    )
    assert changelog({"README.md": old.encode()}, {"README.md": new.encode()}) == "- Correct handling of zero"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("CHANGES.rst", OLD),
        ("pkg/changes.py", NEW),
        ("CHANGES.rst", OLD + "\n2.0\n---\n\n* Dropped Python 2\n* Updated docs.\n"),
    ],
)
def test_nothing_is_told_where_nothing_about_behaviour_is_new(path: str, text: str):
    assert changelog({"CHANGES.rst": OLD.encode()}, {path: text.encode()}) == ""


def test_a_changelog_wins_over_a_readme():
    files = {"README.md": b"- something else\n", "docs/CHANGELOG.md": b"- the real thing\n"}
    assert changelog({}, files) == "- the real thing"


def test_a_cause_is_no_name():
    files = {"CHANGES.md": b"- No crash caused by empty input, by @someone\n- Faster (by Some Body, #3)\n"}
    assert changelog({}, files) == "- No crash caused by empty input\n- Faster"
