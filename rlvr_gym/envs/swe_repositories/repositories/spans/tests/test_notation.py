import pytest
from spans import SpanError, SpanSet, format_spans, parse


def test_ranges_hold_both_ends():
    assert list(parse("1-3,7")) == [1, 2, 3, 7]
    assert list(parse("4-4")) == [4]


def test_blanks_and_empty_parts_do_not_matter():
    assert list(parse(" 1 - 2 , , 5 ")) == [1, 2, 5]
    assert not parse("")


def test_an_open_range_goes_to_the_last_number():
    assert list(parse("8-", last=10)) == [8, 9, 10]
    assert list(parse("0-", last=0)) == [0]
    with pytest.raises(SpanError, match="open"):
        parse("8-")


@pytest.mark.parametrize("text", ["x", "1-x", "-3", "1.5"])
def test_other_texts_are_refused(text):
    with pytest.raises(SpanError, match="no number"):
        parse(text)


def test_a_range_that_runs_backwards_is_refused():
    with pytest.raises(SpanError, match="backwards"):
        parse("5-3")


def test_formatting():
    assert format_spans(SpanSet([(1, 4), (7, 8)])) == "1-3,7"
    assert format_spans(SpanSet([(1, 4), (7, 8)]), separator=", ") == "1-3, 7"


def test_what_is_written_is_read_back():
    for text in ("1", "1-2", "1,3-9,12"):
        assert format_spans(parse(text)) == text
