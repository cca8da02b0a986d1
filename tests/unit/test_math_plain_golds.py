"""The short way to read the commonest references gives what the long way gives."""

from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.verifiers.answers import gold
from rlvr_gym.verifiers.answers.normalise import normalise

NUMBERS = st.one_of(st.integers(-200, 2100), st.integers(-(10**18), 10**18))
FRACTIONS = st.builds(
    "{}\\{}{{{}}}{{{}}}".format,
    st.sampled_from(["", "-"]),
    st.sampled_from(["frac", "dfrac", "tfrac"]),
    st.integers(0, 10**15) | st.integers(0, 30),
    st.integers(1, 10**15) | st.integers(1, 30),
)


@given(NUMBERS.map(str) | FRACTIONS)
def test_the_short_way_changes_no_reference(text):
    short = gold._plain(text)
    assert short is None or short == gold._typed(normalise(text), "", text)


def test_the_short_way_is_taken():
    assert gold._plain("-1234") is not None
    assert gold._plain(r"\dfrac{3}{4}") is not None
    assert gold._plain(r"\frac{6}{3}") is None
    assert gold._plain("007") is None
