"""``rlvr-gym verus`` as a person runs it."""

import json

BROKEN = """use vstd::prelude::*;
verus! {
fn larger(a: u32, b: u32) -> (r: u32)
    ensures
        r >= a,
        r >= b,
{
    a
}
}
"""
RIGHT = BROKEN.replace("    a\n}", "    if a > b { a } else { b }\n}")


def test_a_proved_program_exits_0(call, tmp_path):
    file = tmp_path / "right.rs"
    file.write_text(RIGHT)
    done = call("verus", str(file))
    assert done.code == 0
    assert done.out.startswith("verified: 1 function proved")


def test_a_failed_one_is_shown_like_a_compiler_does(call, tmp_path):
    file = tmp_path / "broken.rs"
    file.write_text(BROKEN)
    done = call("verus", str(file))
    assert done.code == 1
    assert "error: postcondition not satisfied" in done.out
    assert "broken.rs:8:5" in done.out
    assert "8 |     a\n" in done.out
    assert "  |     ^\n" in done.out
    assert "= about line 6:" in done.out
    assert "6 |         r >= b," in done.out
    assert "= for example with" in done.out


def test_the_report_as_json(call, tmp_path):
    file = tmp_path / "broken.rs"
    file.write_text(BROKEN)
    done = call("verus", str(file), "--json")
    row = json.loads(done.out)
    assert (done.code, row["outcome"]) == (1, "failed")
    assert row["findings"][0]["line"] == 8
    assert row["findings"][0]["related"] == 6
    model = row["findings"][0]["model"]
    assert int(model["a"]) < int(model["b"])


def test_a_given_program_must_stand_in_the_file(call, tmp_path):
    given, file = tmp_path / "given.rs", tmp_path / "solution.rs"
    given.write_text(BROKEN.replace("    a\n}", "    unimplemented!()\n}"))
    file.write_text(RIGHT.replace("        r >= b,\n", ""))
    done = call("verus", str(file), "--given", str(given), "--function", "larger")
    assert done.code == 1
    assert "error (spec_changed): the given `larger` has another signature or contract" in done.out


def test_a_file_that_is_not_there_is_named(call, tmp_path):
    done = call("verus", str(tmp_path / "none.rs"))
    assert done.code == 2
    assert "none.rs: No such file" in done.err
