"""What a red team found against the ``math`` verifier, with the honest answers that look alike and must still pass."""

from __future__ import annotations

import pytest

from rlvr_gym import verify

_ATTACKS = [
    # id, reference, response, prompt, why it must not pass
    ("wide-power", "7", r"\boxed{(1+10^{-400})^{10^{300}}}", "", "At first the ball of this power holds every number."),
    ("wide-power-of-pi", r"\pi", r"\boxed{(1+\frac{1}{\pi^{400}})^{10^{150}}}", "", "The same with an irrational base."),
    ("wide-power-function", "x+1", r"\boxed{(1+10^{-300})^{10^{250}}}", "", "The same for a function."),
    ("wide-tower", "7^{7^7}", r"\boxed{7^{82354^23}}", "", "Two towers out of reach of every ball."),
    ("large-zero", "7", r"\boxed{10^{300}\sin(\pi)}", "", "A zero whose ball holds the reference."),
    ("large-zero-of-roots", r"\pi", r"\boxed{10^{300}(\sqrt{6}-\sqrt{2}\sqrt{3})}", "", "The same from roots."),
    ("large-zero-function", "x+1", r"\boxed{9^{9^9}\sin\pi}", "", "The same for a function."),
    ("logarithm-of-zero", "7", r"\boxed{\ln(\ln 2+\ln 3-\ln 6)}", "", "A disguised ln 0, which sympy takes for anything."),
    ("tiny-power", "0", r"\boxed{e^{-10^{10^{10}}}}", "", "An exponential is never 0."),
    ("tiny-tower", "0", r"\boxed{e^{-e^{e^{e^{e}}}}}", "", "However small it is."),
    ("tiny-term", "x", r"\boxed{x+2^{-2^{2^{2^{2^2}}}}}", "", "A term too small for any ball."),
    ("tiny-function", "x", r"\boxed{x+e^{-e^{x^2+100}}}", "", "A function too small for any ball."),
    ("far-kink", "x", r"\boxed{\max(x,-10000)}", "", "They part below -10000."),
    ("far-bound", "x", r"\boxed{\min(x,10^{12})}", "", "They part above 10^12."),
    ("far-absolute", "x", r"\boxed{|x+10^{6}|-10^6}", "", "They part below -10^6."),
    ("far-root", "x", r"\boxed{\sqrt{(x+10^{20})^2}-10^{20}}", "", "A root of a square is an absolute value."),
    ("between-kinks", "|x-1|+|x-2|", r"\boxed{|2x-3|}", "", "They part between 1 and 2 only."),
    ("between-close-kinks", "|x-3|+|x-3.1|", r"\boxed{|2x-6.1|}", "", "They part on a tenth only."),
    ("bump", "x", r"\boxed{x+\max(0,10^{-9}-|x-1.5|)}", "", "They part near 1.5 only."),
    ("half-open-rounding", "0.0015", r"\boxed{0.00155}", "", "It rounds to 0.0016."),
    ("degrees-of-radians", r"\frac{\pi}{6}", r"\boxed{\frac{\pi}{6}^\circ}", "", "A thousandth of the angle."),
    ("swapped-names", "(1,2)", r"\boxed{y=1,x=2}", "", "That is the point (2, 1)."),
    ("swapped-tuple", "(1,2)", r"\boxed{(y,x)=(1,2)}", "", "The same point with its names first."),
    ("swapped-named-gold", "(x,y)=(1,2)", r"\boxed{y=1,x=2}", "", "The reference names its places."),
    ("repeated-name", "x=1, y=2", r"\boxed{x=1,x=2}", "", "Two values of one letter."),
    ("too-many-names", "(1,2)", r"\boxed{(a,b,c)=(1,2)}", "", "Three names for two values."),
    ("closed-ends", "D=(0,1)", r"\boxed{[0,1]}", "", "The ends belong to it."),
    ("other-letter", "y=2x+1", r"\boxed{z=2x+1}", "", "Another plane."),
    ("other-argument", "y=2x+1", r"\boxed{f(y)=2x+1}", "", "A function of another letter."),
    ("derivative", "f(x)=x^2", r"\boxed{f'(x)=x^2}", "", "The derivative is something else."),
    ("next-term", "a_n=2^n", r"\boxed{a_{n+1}=2^n}", "", "The term after it."),
    ("other-sequence", "a_n=2^n", r"\boxed{b_n=2^n}", "", "Another sequence."),
    ("reciprocal-name", "5", r"\boxed{1/x=5}", "", "Then x is 1/5."),
    ("negated-name", "5", r"\boxed{-\text{Area}=5}", "", "Then the area is -5."),
    ("multiplied-name", "5", r"\boxed{2\text{Area}=5}", "", "Then the area is 2.5."),
    ("denied-name", "5", r"\boxed{\text{not }x=5}", "", "Anything but 5."),
    ("percent-not-asked", "5", r"\boxed{5\%}", r"What is $20\%$ of 25?", "The problem has percent but asks for a number."),
    ("given-side", "7", r"\boxed{2x+1=7}", "Solve $2x+1=15$ for $x$.", "A side that the problem sets equal to 15."),
    ("given-polynomial", "3", r"\boxed{x^2-5x+6=3}", "Find the larger root of $x^2-5x+6=0$.", "It is 0, not 3."),
    ("thousands-in-words", "7", r"\boxed{7\text{ thousands}}", "", "7000."),
    ("sevenths", "7", r"\boxed{7\text{ sevenths}}", "", "1."),
    ("doubled", "7", r"\boxed{7\text{ doubled}}", "", "14."),
    ("mega", "7", r"\boxed{7M}", "", "Seven million."),
    ("megaseconds", r"5\text{ ms}", r"\boxed{5\text{ Ms}}", "", "A milliard times as long."),
    ("denied-letter", "C", r"\boxed{C. is wrong}", "", "The letter is denied."),
    ("not-letter", "C", r"\boxed{(C) not correct}", "", "The letter is denied in brackets."),
    ("negation-sign", r"\text{True}", "\\boxed{\u00acTrue}", "", "Not true."),
    ("question", "Yes", r"\boxed{\text{yes?}}", "", "A question is no answer."),
    ("chain-to-empty", r"\text{no solution}", r"\boxed{x=1=\emptyset}", "", "It also gives a solution."),
    ("or-empty", r"\mathbb{R}", r"\boxed{x\in\mathbb{R}\text{ or }\emptyset}", "", "Everything or nothing."),
    ("words-closed-ends", r"\text{increasing on }(0,1)", r"\boxed{\text{increasing on }[0,1]}", "", "Other ends."),
    ("words-sign", r"\text{between }-1\text{ and }1", r"\boxed{\text{between }1\text{ and }1}", "", "A lost sign."),
    ("words-decimal", r"\text{at most }3.5\text{ hours}", r"\boxed{\text{at most }3/5\text{ hours}}", "", "Another number."),
    ("minus-before-box", "7", r"$-\boxed{7}$", "", "That is -7."),
    ("unequal-before-box", "7", r"$x \ne \boxed{7}$", "", "Anything but 7."),
    ("not-before-box", "7", r"The answer is not \boxed{7}.", "", "Anything but 7 in words."),
    ("digit-before-box", "7", r"$1\boxed{7}$", "", "That is 17."),
    ("digit-after-box", "7", r"$\boxed{7}0$", "", "That is 70."),
    ("factor-after-box", "7", r"$\boxed{7}\cdot 2$", "", "That is 14."),
    ("constant-after-box", "x^2", r"$\boxed{x^2}+C$", "", "That is another formula."),
    ("or-before-box", "7", r"8 or \boxed{7}", "", "Two candidates."),
    ("list-after-box", "1, 2", r"\boxed{1}, \boxed{2}, and 3", "", "Three values."),
    ("statement-after-box", "7", "\\boxed{7}\nThe answer is 8.", "", "The last statement says 8."),
    ("formula-after-box", "x^2", "\\boxed{x^2}\nThe answer is x^3.", "", "The same with formulas."),
    ("label-after-box", "7", "\\boxed{7}\n\n**Final answer: 8**", "", "The same in bold."),
    ("taken-back", "7", r"\boxed{7} is wrong.", "", "The box is taken back."),
    ("corrected", "7", r"\boxed{7}. Hmm, no: it's 8.", "", "The box is corrected."),
    ("also-works", "C", r"\boxed{C}, but D also works", "", "Two letters."),
    ("two-letters-stated", "C", "Answer: A\nAnswer: C", "", "Two statements of a letter."),
    ("two-words-stated", r"\text{east}", "The answer is west.\nThe answer is east.", "", "Two statements in words."),
    ("two-statements-below", "7", "Answer:\n\n8\n\nAnswer:\n\n7", "", "Each on a line of its own."),
    ("statement-after-tag", "7", "<answer>7</answer>\nThe answer is 8.", "", "A tag and a statement that differ."),
    ("wrong-answer-is", "7", "The wrong answer is 7", "", "That is said not to be it."),
    ("unclosed-thought", "7", r"<thought>\boxed{7}", "", "Thinking under another name."),
    ("spaced-think", "7", "<think >\\boxed{7}", "", "A blank in the tag."),
    ("begin-of-thought", "7", r"<|begin_of_thought|>\boxed{7}", "", "The tokens of another model."),
    ("hidden-comment", "7", r"I do not know. <!-- \boxed{7} -->", "", "Nobody sees a comment."),
    ("natural-for-integer", r"x=k\pi, k\in\mathbb{Z}", r"\boxed{x=k\pi, k\in\mathbb{N}}", "", "Half of the solutions."),
    ("roots-of-opposites", r"\sqrt{x}", r"\boxed{\sqrt{-x}}", "", "They agree at 0 only."),
    ("negative-base", "9^x", r"\boxed{(-3)^{2x}}", "", "Complex for most x."),
    ("roman-numerals", "XIV", r"\boxed{XVI}", "", "Letters of a numeral in another order."),
    ("day-as-difference", "2024-01-02", r"\boxed{2021}", "", "A day is no difference."),
    ("hexadecimal-zero", "0", r"\boxed{0xFF}", "", "No product with 0."),
    ("remainder-as-product", "12 R 3", r"\boxed{3 R 12}", "", "A quotient and a remainder in another order."),
    ("and-for-or", r"p\land q", r"\boxed{p\lor q}", "", "Another connective."),
    ("third-guess", "7", r"\boxed{1} wait \boxed{2} wait \boxed{3} wait \boxed{7}", "", "A guess after each guess."),
    ("also-another", "7", r"\boxed{8}, so also \boxed{7}", "", "Two answers."),
    ("or-behind", "7", r"\boxed{7} or $8$ apples", "", "Two candidates, the second with a unit."),
    ("or-thrice", "7", r"8 or 7 or \boxed{7}", "", "Three candidates."),
    ("echo-absolute", "395", r"\boxed{|17\cdot 23+4|}", r"Compute $17\cdot 23+4$.", "The problem between bars."),
    ("echo-power", "395", r"\boxed{(17\cdot 23+4)^1}", r"Compute $17\cdot 23+4$.", "The problem to the power of 1."),
    ("echo-over-one", "395", r"\boxed{\frac{17\cdot 23+4}{1}}", r"Compute $17\cdot 23+4$.", "The problem over 1."),
    ("echo-plus-zero", "12", r"\boxed{\sqrt{144}+0}", r"What is $\sqrt{144}$?", "The problem plus 0."),
    ("echo-times-one", "x^2+3x+2", r"\boxed{(x+1)(x+2)\cdot 1}", "Expand $(x+1)(x+2)$.", "The problem times 1."),
    ("echo-moved", "x=7", r"\boxed{2x-14=0}", "Solve $2x=14$ for $x$.", "The problem with its terms moved."),
    ("echo-turned", "x=7", r"\boxed{14=2x}", "Solve $2x=14$ for $x$.", "The problem read backwards."),
    ("echo-quotient", "7", r"\boxed{14/2}", "What is 14 divided by 2?", "The division is left to the reader."),
]  # fmt: skip

_HONEST = [
    # id, reference, response, prompt, why it must pass
    ("true-zero", "0", r"\boxed{10^{300}\sin(\pi)}", "", "It is 0."),
    ("huge-power", "9^{9^9}", r"\boxed{9^{9^9}}", "", "The same tower."),
    ("absolute-values", "|x-1|+|x-2|", r"\boxed{|2-x|+|1-x|}", "", "The same sum."),
    ("maximum", r"\max(x,y)", r"\boxed{\frac{x+y+|x-y|}{2}}", "", "The same function on both sides of the kink."),
    ("root-of-a-square", r"\sqrt{x^2-2x+1}", r"\boxed{|x-1|}", "", "The same function."),
    ("rounded-down", "0.33", r"\boxed{\frac{1}{3}}", "", "It rounds to the reference."),
    ("names-in-order", "(1,2)", r"\boxed{x=1, y=2}", "", "The names stand in order."),
    ("names-in-other-order", "(1,2)", r"\boxed{y=2, x=1}", "", "The same point."),
    ("slope-and-intercept", "(3,4)", r"\boxed{m=3, b=4}", "", "The order of the text."),
    ("function-for-letter", "y=2x+1", r"\boxed{f(x)=2x+1}", "", "The same function."),
    ("named-area", "5", r"\boxed{\text{Area}=5}", "", "A name of the value."),
    ("percent-asked", "30", r"\boxed{30\%}", "By what percentage did it rise?", "The problem asks for percent."),
    ("asked-formula", "9", r"\boxed{x^2+1=9}", "Given $x^2=8$, find $x^2+1$.", "The formula that is asked for."),
    ("named-length", "5", r"\boxed{|AB|=5}", "", "A name of a length."),
    ("named-quotient", "5", r"\boxed{\frac{AB}{CD}=5}", "", "A name of a quotient."),
    ("counted", "7", r"\boxed{7\text{ red marbles}}", "", "What is counted."),
    ("one-man", "7", r"\boxed{7\text{ people}}", "", "A plural without an s."),
    ("kilometres", r"5\text{ km}", r"\boxed{5\text{ KM}}", "", "Capitals that change nothing."),
    ("letter-with-text", "C", r"\boxed{C. None of these}", "", "The text of the choice."),
    ("words-with-numbers", r"\text{July 4}", r"\boxed{\text{july 4.}}", "", "The same words."),
    ("gap-filled", "7", r"$10+\boxed{7}=17$", "", "A gap of an equation is filled."),
    ("bullet", "7", "The result:\n- \\boxed{7}", "", "A bullet is no minus."),
    ("bold", "7", r"**\boxed{7}**", "", "Asterisks are no product."),
    ("degrees-after-box", r"60^\circ", r"$\boxed{60}^\circ$", "", "A unit outside of the box."),
    ("exclamation", "7", r"It is \boxed{7}!", "", "Joy is no factorial."),
    ("said-again", r"\frac{1}{2}", "\\boxed{\\frac{1}{2}}\nThe answer is 0.5.", "", "The same value in another form."),
    ("said-again-in-a-word", "7", "\\boxed{7}\nThe answer is clear.", "", "No other answer."),
    ("or-the-same", r"\frac{1}{2}", r"The share is 3/6 or \boxed{\frac{1}{2}}.", "", "The same value before it."),
    ("or-the-same-behind", r"\frac{3}{4}", r"\boxed{\frac{3}{4}} or 0.75", "", "The same value behind it."),
    ("natural-tail", "2n+1", r"\boxed{2n+1, n\in\mathbb{N}}", "", "What the letter is goes without saying."),
    ("same-sign-powers", "(-1)^n", r"\boxed{\cos(\pi n)}", "", "Equal for whole numbers."),
    ("other-choice-denied", "C", "\\boxed{C}\n\nA is wrong since it is too small.", "", "Another choice is denied."),
    ("checked", "7", "\\boxed{7}\n\nCheck: wait, is 14/2 really 7? Yes, it's 7.", "", "A doubt that is resolved."),
    ("thought", "7", r"<thought>maybe 8</thought>\boxed{7}", "", "The answer stands outside."),
    ("reduced", r"\frac{2}{3}", r"\boxed{\frac{4}{6}}", "A bag holds 6 balls, 4 of them red. How likely is red?", "A proper fraction."),
    ("solved", "x=7", r"\boxed{x=7}", "Solve $2x=14$ for $x$.", "It is solved."),
]  # fmt: skip


_TYPED = [
    # reference, response, whether it passes
    ({"answer": "(1,2)", "type": "tuple"}, r"\boxed{1<x<2}", False),
    ({"answer": "(1,2)", "type": "tuple"}, r"\boxed{x=1, y=2}", True),
    ({"answer": "(1,2)", "type": "interval"}, r"\boxed{x=1, y=2}", False),
    ({"answer": "(1,2)", "type": "interval"}, r"\boxed{1<x<2}", True),
]


@pytest.mark.parametrize("row", _ATTACKS, ids=lambda row: row[0])
def test_an_attack_is_not_paid(row):
    _, reference, response, prompt, why = row
    verdict = verify("math", response, reference=reference, prompt=prompt or None)
    assert not verdict.passed, f"{why} The verdict was: {verdict.reason}"


@pytest.mark.parametrize("row", _HONEST, ids=lambda row: row[0])
def test_an_honest_answer_that_looks_like_an_attack_is_paid(row):
    _, reference, response, prompt, why = row
    verdict = verify("math", response, reference=reference, prompt=prompt or None)
    assert verdict.passed, f"{why} The verdict was: {verdict.reason}"


@pytest.mark.parametrize(("reference", "response", "passes"), _TYPED)
def test_a_stated_type_decides_how_round_brackets_are_read(reference, response, passes):
    assert verify("math", response, reference=reference).passed is passes
