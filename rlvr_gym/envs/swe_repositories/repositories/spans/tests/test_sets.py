import pytest
from spans import SpanSet


def test_touching_and_overlapping_spans_become_one():
    assert SpanSet([(5, 7), (1, 3), (3, 5)]).spans == ((1, 7),)
    assert SpanSet([(1, 5), (2, 3)]).spans == ((1, 5),)
    assert SpanSet([(1, 4), (3, 8)]).spans == ((1, 8),)


def test_empty_spans_are_dropped():
    assert SpanSet([(3, 3), (5, 4)]).spans == ()
    assert not SpanSet()


def test_membership():
    numbers = SpanSet([(1, 3), (5, 6)])
    assert [n for n in range(8) if n in numbers] == [1, 2, 5]
    assert list(numbers) == [1, 2, 5]


def test_length_counts_numbers():
    assert len(SpanSet([(1, 4), (10, 12)])) == 5


def test_union():
    assert (SpanSet([(1, 3)]) | SpanSet([(2, 5), (9, 10)])).spans == ((1, 5), (9, 10))


def test_intersection():
    assert (SpanSet([(1, 5), (8, 12)]) & SpanSet([(3, 9), (11, 20)])).spans == ((3, 5), (8, 9), (11, 12))
    assert not SpanSet([(1, 3)]) & SpanSet([(3, 5)])


def test_intersection_of_one_span_with_many():
    assert (SpanSet([(0, 10)]) & SpanSet([(1, 2), (4, 6), (9, 15)])).spans == ((1, 2), (4, 6), (9, 10))


def test_difference():
    assert (SpanSet([(0, 10)]) - SpanSet([(2, 4), (6, 7)])).spans == ((0, 2), (4, 6), (7, 10))
    assert (SpanSet([(0, 3), (5, 9)]) - SpanSet([(2, 6)])).spans == ((0, 2), (6, 9))
    assert not SpanSet([(2, 3)]) - SpanSet([(0, 9)])


def test_spans_before_the_first_take_nothing():
    assert (SpanSet([(5, 9)]) - SpanSet([(0, 2)])).spans == ((5, 9),)
    assert (SpanSet([(0, 1), (5, 9)]) - SpanSet([(2, 3)])).spans == ((0, 1), (5, 9))


def test_symmetric_difference():
    assert (SpanSet([(0, 4)]) ^ SpanSet([(2, 6)])).spans == ((0, 2), (4, 6))


def test_gaps_lie_between():
    assert SpanSet([(0, 2), (5, 6), (9, 10)]).gaps().spans == ((2, 5), (6, 9))
    assert not SpanSet([(0, 2)]).gaps()


def test_shifting():
    assert SpanSet([(0, 2), (5, 6)]).shifted(-3).spans == ((-3, -1), (2, 3))


def test_widening_joins_neighbours():
    assert SpanSet([(2, 4), (6, 8)]).widened(1).spans == ((1, 9),)
    assert SpanSet([(2, 4), (6, 12)]).widened(-1).spans == ((7, 11),)


def test_nearest():
    numbers = SpanSet([(2, 5), (10, 12)])
    assert [numbers.nearest(n) for n in (-4, 3, 5, 7, 8, 30)] == [2, 3, 4, 4, 10, 11]


def test_nearest_of_two_equally_near_is_the_smaller():
    assert SpanSet([(1, 2), (5, 6)]).nearest(3) == 1


def test_nearest_of_nothing_is_refused():
    with pytest.raises(ValueError, match="empty"):
        SpanSet().nearest(1)


def test_equal_sets_have_equal_hashes():
    one, two = SpanSet([(1, 3), (3, 4)]), SpanSet([(1, 4)])
    assert one == two
    assert hash(one) == hash(two)
    assert one != SpanSet([(1, 5)])
