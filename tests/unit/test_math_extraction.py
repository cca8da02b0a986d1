"""Where the math verifier finds the answer of a response."""

import pytest

from rlvr_gym.verifiers.answers import TAIL, Refusal, extract, normalise


def found(response, mode="auto"):
    return normalise(extract(response, mode).text)


def code(response, mode="auto"):
    with pytest.raises(Refusal) as refusal:
        extract(response, mode)
    return refusal.value.code


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        (r"So it is \boxed{42}.", "42"),
        (r"\fbox{$\frac{1}{2}$}", r"\frac{1}{2}"),
        (r"\boxed 7", "7"),
        (r"$\boxed7$", "7"),
        (r"\boxed{\{1,2\}}", r"\{1,2\}"),
        (r"\boxed{\boxed{9}}", "9"),
        (r"\boxed{\text{(B)}}", "(B)"),
        ("\\[\n\\boxed{\n6\n}\n\\]", "6"),
        (r"Put it in \boxed{}. Well: \boxed{6}", "6"),
    ],
)
def test_a_box_is_read_with_its_braces(response, answer):
    assert found(response) == answer


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("<think>Is it 41? \\boxed{41}</think>\\boxed{42}", "42"),
        ("no opening tag</think> 42", "42"),
        ("<THINK>a</THINK>42", "42"),
        ("<think>a</think>b</think>\\boxed{5}", "5"),
    ],
)
def test_thinking_is_dropped(response, answer):
    assert found(response) == answer


def test_thinking_without_an_end_has_no_answer():
    assert code("<think>It is \\boxed{42}") == "unclosed_think"
    assert code("<think>a</think>\\boxed{1}<think>") == "unclosed_think"


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("<answer>42</answer>", "42"),
        ("<answer> \\boxed{42} </answer>", "42"),
        ("The answer is 42.", "42"),
        ("**Answer:** 7", "7"),
        ("Steps.\n\n**Final Answer:**\n$7$", "7"),
        ("Final Answer: The final answer is $28$. I hope it is correct.", "28"),
        ("Adding gives 7.\n#### 7", "7"),
        ("$\\frac12$", r"\frac12"),
    ],
)
def test_without_a_box_a_tag_a_last_line_or_the_whole_text_is_the_answer(response, answer):
    assert found(response) == answer


@pytest.mark.parametrize(
    "response",
    [
        r"\boxed{1} or \boxed{2}",
        r"Either 8 or \boxed{7}",
        r"\boxed{7}, or maybe \boxed{8}",
        r"\boxed{7} \text{ or } 8",
        r"\boxed{7} \pm 1",
        r"$\boxed{7}$, $8$.",
        r"\boxed{7}. Another possibility: \boxed{8}",
        r"The answer is \boxed{7}. The answer is \boxed{8}.",
        "<answer>7</answer><answer>8</answer>",
        r"\boxed{7} <answer>8</answer>",
        "The answer is 7.\nThe answer is 8.",
        "#### 7\n#### 8",
        r"\boxed{7}. Actually, the answer should be 8.",
    ],
)
def test_two_answers_are_a_hedge(response):
    assert code(response) == "hedge"


def test_the_same_box_twice_is_one_answer():
    assert found(r"\boxed{5}, so the final answer is \boxed{5}.") == "5"
    assert found(r"\boxed{5} or equivalently \boxed{5}") == "5"


def test_boxes_with_nothing_but_and_between_them_are_one_list():
    assert found(r"\boxed{1} and \boxed{2}") == "1; 2"
    assert found(r"$\boxed{1}$, $\boxed{2}$") == "1; 2"


def test_a_correction_or_a_later_step_replaces_a_box():
    assert found(r"The answer is \boxed{2}. Wait, I forgot a case: \boxed{3}") == "3"
    assert found(r"First \boxed{5}, which we use to get \boxed{17}") == "17"


@pytest.mark.parametrize(
    "remark",
    [
        ". Note that the value should be positive.",
        ". Alternatively, we could use induction.",
        "!",
        "**",
        "<|im_end|>",
        ", which is odd.",
    ],
)
def test_a_remark_behind_a_box_changes_nothing(remark):
    assert found(rf"\boxed{{\frac52}}{remark}") == r"\frac52"


def test_a_list_of_candidates_one_correction_after_the_other_is_refused():
    assert code(" wait ".join(rf"\boxed{{{n}}}" for n in range(9))) == "hedge"


def test_a_box_that_never_closes_is_no_answer():
    assert code(r"\boxed{42") == "no_answer"
    assert code(r"\boxed{3} then \boxed{\frac{1}{2}") == "no_answer"
    assert code(r"\boxed{5} oops \boxed{}") == "no_answer"


def test_the_mode_says_where_to_look():
    text = r"<answer>1</answer> \boxed{1}"
    assert found(text, "boxed") == found(text, "answer") == "1"
    assert code("42", "boxed") == code("42", "answer") == "no_answer"
    assert found("42", "whole") == "42"


def test_lenient_mode_reads_the_end_of_the_last_line():
    assert found("She earns 9 * 2 = $18 every day.", "lenient") == "$18"
    assert found("The answer is 5.\nThank you.", "lenient") == "5"
    assert code("It is 4 or 5.", "lenient") == "hedge"


def test_only_the_tail_of_a_long_response_is_searched():
    padding = "so " * TAIL
    assert found(padding + r"\boxed{42}") == "42"
    assert code(r"\boxed{42}" + padding) == "too_long"


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("４２", "42"),
        ("4\u200b2", "42"),
        ("\u22125", "-5"),
        (r"$\mathrm{East}$.", "East"),
        (r"10{,}000", "10,000"),
        (r"10,\!000", "10,000"),
        (r"\(x\)", "x"),
        (r"**7**", "7"),
        (r"\color{red}{7}", "7"),
        ("x\u00a0+\u2009y", "x + y"),
    ],
)
def test_what_prints_the_same_is_spelled_the_same(given, plain):
    assert normalise(given) == plain


def test_digits_of_other_scripts_and_raised_ones_stay_what_they_are():
    # NFKC would make a 2 of the raised one.
    assert normalise("x²") == "x²"
    assert normalise("٤٢") == "٤٢"


def test_a_box_of_a_text_that_was_escaped_twice_is_a_box():
    assert extract(r"so \\boxed{2}").text == "2"
    assert extract(r"x=1 \\\boxed{2}").text == "2"
