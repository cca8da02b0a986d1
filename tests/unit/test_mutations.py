import ast

import pytest

from rlvr_gym.factory.mutations import MUTATIONS, Source, edits, sound

# One worked example for each kind: a body, and each body that the kind makes of it.
WORKED = {
    "arguments_swapped": ("return f(a,  b.c)", ["return f(b.c,  a)"]),
    "arithmetic_swapped": ("return (a)+ (b)", ["return (a)- (b)"]),
    "boolean_swapped": ("return a  and  b", ["return a  or  b"]),
    "comparison_bound": ("return a <b <= c", ["return a <=b <= c", "return a <b < c"]),
    "comparison_negated": ("return a not in b", ["return a in b"]),
    "condition_dropped": ("return a or b( 1 )", ["return a", "return b( 1 )"]),
    "condition_negated": ("return 1 if not a else 2", ["return 1 if a else 2"]),
    "exception_narrowed": (
        "try:\n        a()\n    except (A,  B):\n        b()",
        ["try:\n        a()\n    except A:\n        b()", "try:\n        a()\n    except B:\n        b()"],
    ),
    "guard_dropped": ("if a:\n        return 1  # why\n    return 2", ["return 2"]),
    "index_swapped": ("return a[0]", ["return a[-1]"]),
    "keyword_dropped": ("return f(a, key=b)", ["return f(a)"]),
    "loop_left": (
        "for a in b:\n        if a: continue\n        c()",
        ["for a in b:\n        if a: break\n        c()"],
    ),
    "method_swapped": ("return a.lstrip( 'x' )", ["return a.rstrip( 'x' )"]),
    "number_shifted": ("return a + 2", ["return a + 3", "return a + 1"]),
    "result_replaced": ("return f(a,1)", ["return a"]),
    "slice_shifted": ("return a[b:-1]", ["return a[b + 1:-1]", "return a[b:]"]),
    "statement_dropped": ("a.append(1)\n    return a", ["return a"]),
    "text_emptied": ("return a + ', '", ["return a + ''"]),
    "truth_flipped": ("return f(True)", ["return f(False)"]),
}


def function(body: str) -> bytes:
    return f"# über\ndef g(a, b):\n    '''Text, 1 < 2.'''\n    {body}\n\n\n\nx  =  1 # kept\n".encode()


def test_each_kind_has_a_worked_example():
    assert list(WORKED) == sorted(MUTATIONS)


@pytest.mark.parametrize("kind", WORKED)
def test_a_kind_changes_what_it_says_and_keeps_all_else_as_it_is_written(kind: str):
    body, wanted = WORKED[kind]
    source = Source(function(body))
    made = [edit.apply(source.content) for edit in edits(source) if edit.kind == kind]
    # Where lines go, so does their indentation.
    expected = [function(each) for each in wanted]
    assert sorted(made) == sorted(expected)


@pytest.mark.parametrize("kind", WORKED)
def test_what_a_kind_makes_parses_and_is_another_program(kind: str):
    source = Source(function(WORKED[kind][0]))
    for edit in edits(source):
        if edit.kind == kind:
            assert sound(source, edit)
            assert ast.dump(ast.parse(edit.apply(source.content))) != ast.dump(source.tree)


def test_an_edit_that_changes_nothing_or_does_not_parse_is_not_sound():
    source = Source(b"def f(a):\n    return a\n")
    whole = edits(Source(b"def f(a):\n    return a + 1\n"))[0]
    assert not sound(source, type(whole)(21, 22, b"a"))
    assert not sound(source, type(whole)(21, 22, b"a("))
    assert sound(source, type(whole)(21, 22, b"b"))


def test_nothing_outside_functions_and_nothing_that_only_describes_is_edited():
    text = b"""
N = 1 + 2
@wraps(3)
def f(a: X[4] = 5) -> Y[6]:
    "7 < 8"
    b: Z[9] = 10
    raise ValueError("x" + "y", 11)
class C:
    M = 12
    def g(self):
        assert self.h(13)
"""
    touched = {edit.apply(text)[edit.start : edit.start + len(edit.text)] for edit in edits(Source(text))}
    assert touched == {b"6", b"4", b"11", b"9"}  # the default and the value, one more and one less


def test_functions_are_named_by_the_outermost_of_them():
    text = b"class C:\n    def g(self):\n        def inner():\n            return 1\n        return 2\n"
    assert {(edit.function, edit.line) for edit in edits(Source(text))} == {("C.g", 4), ("C.g", 5)}


def test_offsets_count_bytes_and_line_ends_of_any_kind_stay():
    text = "def f(a):\r\n    s = 'äöü' + a; return s[0]\r\n".encode()
    made = [edit.apply(text) for edit in edits(Source(text)) if edit.kind == "index_swapped"]
    assert made == ["def f(a):\r\n    s = 'äöü' + a; return s[-1]\r\n".encode()]
