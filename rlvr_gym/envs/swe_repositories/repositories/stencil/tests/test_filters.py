import pytest
from stencil import TemplateError, render


@pytest.mark.parametrize(
    ("template", "values", "text"),
    [
        ("{{ a | upper }}", {"a": "abc"}, "ABC"),
        ("{{ a | title }}", {"a": "old iOS phone"}, "Old IOS Phone"),
        ("{{ a | default:none }}", {"a": ""}, "none"),
        ("{{ a | default:none }}", {"a": None}, "none"),
        ("{{ a | default:none }}", {"a": 0}, "0"),
        ("{{ b.c | default:none }}", {}, "none"),
        ("{{ a | join }}", {"a": [1, 2, 3]}, "1, 2, 3"),
        ("{{ a | join:- }}", {"a": "xyz"}, "x-y-z"),
        ("{{ a | short:8 }}", {"a": "12345678"}, "12345678"),
        ("{{ a | short:8 }}", {"a": "123456789"}, "12345..."),
        ("{{ a | short:8 }}", {"a": "one two three"}, "one t..."),
        ("{{ a | short:7 }}", {"a": "one two three"}, "one..."),
        ("{{ a | pad:4 }}", {"a": 12}, "  12"),
        ("file{{ n | plural }}", {"n": 1}, "file"),
        ("file{{ n | plural }}", {"n": 0}, "files"),
        ("entr{{ n | plural:ies,y }}", {"n": 1}, "entry"),
        ("entr{{ n | plural:ies,y }}", {"n": 2}, "entries"),
        ("{{ a | upper | short:5 }}", {"a": "abcdefg"}, "AB..."),
    ],
)
def test_filters(template, values, text):
    assert render(template, values) == text


def test_an_unknown_filter_is_told():
    with pytest.raises(TemplateError, match="unknown filter 'lower'"):
        render("{{ a | lower }}", {"a": 1})
