from types import SimpleNamespace

import pytest
from stencil import TemplateError, render


def test_text_stays_as_it_is():
    assert render("no tags, {one brace}\n") == "no tags, {one brace}\n"


def test_values():
    assert render("Dear {{ name }}, {{n}}!", {"name": "Ada", "n": 3}) == "Dear Ada, 3!"


def test_dots_lead_to_keys_positions_and_attributes():
    values = {"user": {"tags": ["a", "b"]}, "point": SimpleNamespace(x=4)}
    assert render("{{ user.tags.1 }}{{ point.x }}", values) == "b4"


def test_a_missing_name_is_told_with_its_line():
    with pytest.raises(TemplateError, match="line 3: there is no 'x.y'"):
        render("\n\n{{ x.y }}", {"x": {}})


def test_a_position_beyond_the_end_is_missing():
    with pytest.raises(TemplateError, match="there is no"):
        render("{{ a.2 }}", {"a": [1, 2]})


def test_private_attributes_are_out_of_reach():
    with pytest.raises(TemplateError, match="there is no"):
        render("{{ a.__class__ }}", {"a": 1})


def test_remarks_vanish():
    assert render("a{# not\nshown {{ x }} #}b") == "ab"


def test_if_and_else():
    template = "{% if on %}yes{% else %}no{% end %}"
    assert [render(template, {"on": on}) for on in (True, False, [], "x")] == ["yes", "no", "no", "yes"]


def test_if_not():
    assert render("{% if not on %}off{% end %}", {"on": False}) == "off"
    assert render("{% if not on %}off{% end %}", {"on": True}) == ""


def test_a_missing_name_is_false():
    assert render("{% if a.b %}yes{% else %}no{% end %}") == "no"


def test_for_repeats():
    assert render("{% for n in ns %}[{{ n }}]{% end %}", {"ns": [1, 2]}) == "[1][2]"


def test_for_knows_its_position():
    template = "{% for n in ns %}{{ loop.number }}{{ n }}{% if not loop.last %}, {% end %}{% end %}"
    assert render(template, {"ns": "abc"}) == "1a, 2b, 3c"


def test_the_first_round_is_marked():
    template = "{% for n in ns %}{% if loop.first %}<{% end %}{{ n }}{% end %}"
    assert render(template, {"ns": [7, 8]}) == "<78"


def test_a_loop_variable_ends_with_its_loop():
    assert render("{% for n in ns %}{{ n }}{% end %}{{ n }}", {"ns": [1, 2], "n": 9}) == "129"


def test_blocks_in_blocks():
    template = "{% for r in rows %}{% for c in r %}{{ c }}{% end %};{% end %}"
    assert render(template, {"rows": [[1, 2], [3]]}) == "12;3;"


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{% end %}", "an end without"),
        ("{% else %}", "an else without"),
        ("{% for a in b %}{% else %}{% end %}", "an else without"),
        ("\n{% if a %}x", "line 2: a block without an end"),
        ("{% repeat %}", "unknown tag 'repeat'"),
        ("{{ }}", "is no value"),
        ("{{ a | }}", "is no value"),
    ],
)
def test_broken_templates_are_refused(template, says):
    with pytest.raises(TemplateError, match=says):
        render(template, {"a": 1, "b": []})


def test_an_error_knows_its_line():
    with pytest.raises(TemplateError) as caught:
        render("a\n{{ nothing }}")
    assert caught.value.line == 2
