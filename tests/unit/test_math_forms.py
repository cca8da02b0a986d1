r"""Right answers in the forms that people and models write, each beside a neighbour that is wrong.

A row is a reference, an answer, whether it is right, and why. Answers stand in a box unless they have one, or begin
with ``>`` for a whole response.
"""

from __future__ import annotations

import pytest

from rlvr_gym import verify

YES, NO = True, False

NUMBERS = [
    ("18.90", "18.9 dollars", YES, "a zero at the end and a currency in words"),
    (r"\$1.2\text{ million}", r"\$1{,}200{,}000", YES, "a word that multiplies"),
    ("1000000", "1~000~000", YES, "ties between the groups"),
    ("12345", r"12\ 345", YES, "a control space between the groups"),
    ("12345", r"12\ 34", NO, "a group of two digits"),
    (r"1.5\times10^{-3}", "1.5 x 10^-3", YES, "the letter x for the sign of multiplication"),
    ("6 x 10^8", r"6\times 10^7", NO, "another power of ten"),
    ("3.14", r"\approx 3.14", YES, "a sign before the number"),
    (r"\approx 3.14", "3.14", YES, "the same in the reference"),
    ("42", "= 42", YES, "an equality sign without a left side"),
    ("42", r"\Rightarrow 42", YES, "an arrow before the answer"),
    ("0.6666666666666666", r"\frac{2}{3}", YES, "the reference is the float of two thirds"),
    ("1.4142135623730951", r"\sqrt{2}", YES, "the reference is the float of the root of two"),
    ("0.6666666666666666", r"\frac{666}{1000}", NO, "a coarse rounding of it"),
    ("three", "3", YES, "the reference is a word"),
    (r"\frac{1}{4}", r"\nicefrac{1}{4}", YES, "a slanted fraction"),
    ("42", r"\textcolor{red}{42}", YES, "colour says nothing"),
    (r"28\%", r"{28\%}", YES, "one more pair of braces"),
    ("252", "C_{10}^{5}", YES, "a binomial with both numbers at its letter"),
    ("252", "{}^{10}C_5", YES, "a binomial with the upper number in front"),
    ("210", "C_{10}^{5}", NO, "another binomial"),
    ("5", r"\max\{3,5\}", YES, "the largest of a set"),
]

WHOLE_NUMBERS = [
    (r"(2n-1)!!", r"\frac{(2n)!}{2^n n!}", YES, "a double factorial"),
    (r"\lceil \frac{n}{2} \rceil", r"\lfloor \frac{n+1}{2} \rfloor", YES, "rounded up, or the next one down"),
    (r"\lceil \frac{n}{2} \rceil", r"\lfloor \frac{n}{2} \rfloor", NO, "rounded down"),
    (r"\lfloor \frac{n}{2} \rfloor", r"\frac{2n-1+(-1)^n}{4}", YES, "a power of -1 for the parity"),
    (r"\lfloor \frac{n}{2} \rfloor", r"\frac{n}{2}", NO, "the parity is left out"),
    (
        r"\lfloor n/2 \rfloor",
        r"\lfloor n/2 \rfloor + \lfloor n/1000 \rfloor",
        NO,
        "the same for small numbers",
    ),
    (r"\lfloor n/2 \rfloor", r"\lfloor n/2 \rfloor + (n-1)(n-2)(n-3)", NO, "the same for the first three"),
    ("(-1)^n", r"\cos(n\pi)", YES, "a cosine for the sign"),
    ("(-1)^n", "(-1)^{n+1}", NO, "the other sign"),
    ("n!", "n!+(n-1)(n-2)(n-3)", NO, "the same for the first three"),
    (r"\lceil \frac{x}{2} \rceil", r"\lfloor \frac{x+1}{2} \rfloor", NO, "x is any number"),
]

WORDED = [
    (r"[0,\infty)", r"\text{all nonnegative real numbers}", YES, "a half-line in words"),
    (r"\text{all positive real numbers}", "x>0", YES, "the same in the reference"),
    (r"\text{all positive real numbers}", r"[0,\infty)", NO, "0 is not positive"),
    ("-2", r"\text{negative two}", YES, "a sign in words"),
    ("2", r"\text{minus two}", NO, "another sign"),
    ("y=e^{x^2}", "y(x)=e^{x^2}", YES, "the name of the function with its argument"),
    ("(1,2),(2,1)", r"a=1,b=2 \text{ or } a=2,b=1", YES, "solutions letter by letter"),
    ("(1,2),(2,1)", r"a=1,b=1 \text{ or } a=2,b=2", NO, "other solutions"),
    (
        r"\begin{pmatrix}1\\2\end{pmatrix}",
        r"\begin{pmatrix}x\\y\end{pmatrix}=\begin{pmatrix}1\\2\end{pmatrix}",
        YES,
        "a column of names",
    ),
    (
        r"\begin{pmatrix}1\\2\end{pmatrix}",
        r"\begin{pmatrix}y\\x\end{pmatrix}=\begin{pmatrix}1\\2\end{pmatrix}",
        NO,
        "names in another order",
    ),
    (r"\sqrt{2}", r">$\boxed{\sqrt2}$. So the answer is about 1.41.", YES, "a rounding beside the answer"),
    (r"\sqrt{2}", r">$\boxed{\sqrt2}$. So the answer is 3.", NO, "another answer beside it"),
    ("B", ">**Answer: B**. The other options are too large.", YES, "a remark behind the answer"),
    ("5", ">**Answer: 5** is wrong.", NO, "taken back"),
    (
        "B",
        r">The answer is \boxed{B}. Option A is incorrect, as 3 is odd.",
        YES,
        "what is wrong with another option",
    ),
    ("B", r">The answer is \boxed{B}. Option B is incorrect.", NO, "what is wrong with this option"),
    (
        "B",
        r">The answer is \boxed{B}. The other options are incorrect.",
        YES,
        "what is wrong with all others",
    ),
    ("0.5", ">The answer is .5", YES, "a decimal that begins with its point"),
    ("12", ">Answer: Rs. 12", YES, "a full stop that ends no sentence"),
    ("2x", r"\dfrac{dy}{dx}=2x", YES, "a derivative as the name"),
    ("2x", "dy/dx=2x", YES, "the same in one line"),
    (r"p \land q", r"p \wedge q", YES, "another sign for the same"),
    (r"p \land q", r"p \lor q", NO, "another sign"),
    (r"50 \text{ mph}", r"50 \frac{\text{miles}}{\text{hour}}", YES, "a quotient of units"),
    (r"50 \text{ km/h}", r"50 \frac{\text{km}}{\text{s}}", NO, "another quotient"),
    ("(x,y)=(1,1)", "x=y=1", YES, "two letters with one value"),
    ("(x,y)=(1,2)", "x=y=1", NO, "two values"),
]

NAMES = [
    (r"\frac14", r"\sin\theta=\frac14", YES, "what was asked for may be a sine"),
    ("12", r"V_{\max}=12", YES, "a named extreme"),
    ("12", r"V_{\text{max}}=12", YES, "the same in words"),
    ("12", "P(X=1)=12", YES, "an equality sign inside of brackets"),
    (r"\frac14", r"\mathbb{P}(A)=\frac14", YES, "a probability"),
    ("12", r"\operatorname{Var}(X)=12", YES, "a variance"),
    ("12", r"\deg P=12", YES, "a degree"),
    ("12", "f(f(2))=12", YES, "a function of a function"),
    ("12", r"\gcd(24,36)=12", YES, "a true equation with commas in it"),
    ("12", r"\gcd(24,32)=12", NO, "an equation that does not hold"),
    ("12", "2x=12", NO, "an equation that has yet to be solved"),
    ("12", "x-3=12", NO, "another one"),
    ("x=11", "x=5+6=11", YES, "a chain of which all links hold"),
    ("x=11", "x=5+7=11", NO, "a chain of which one does not"),
    ("x=\\frac13", r"x=\frac13\approx 0.333", YES, "an exact value with its decimal"),
    (r"\frac{x-3}{2}", r"f^{-1}(x)=\frac{x-3}{2}", YES, "an inverse function"),
    (r"f^{-1}(x)=\frac{x-3}{2}", r"\frac{x-3}{2}", YES, "its formula alone"),
    ("f(x)=x", "f(n)=n", YES, "the argument may have any name"),
    ("f(x)=2x", "f(n)=n", NO, "another function"),
    ("f(x)=0", r"f(x)\equiv 0", YES, "the sign of identity"),
    ("a=b=c", "b=a=c", YES, "equal to each other in any order"),
    ("x=y=z=1", "(1,1,1)", YES, "three letters with one value"),
    ("x=y=z=1", "(1,1,2)", NO, "one of them with another"),
    (r"\frac{x^3}{3}+C", r"\frac{1}{3}x^3+c", YES, "a constant of integration in a small letter"),
    (r"C_1e^{x}+C_2e^{-x}", r"c_1e^{x}+c_2e^{-x}", YES, "two constants"),
    (r"C_1e^{x}+C_2e^{-x}", r"c_1e^{x}+c_1e^{-x}", NO, "one constant twice"),
    (r"2C_1e^{2x}", r"C_1\cdot 2e^{2x}", YES, "a digit before a constant with a number"),
    ("6-5i", "6-5*I", YES, "the imaginary unit of a program"),
    ("2e", "2*E", YES, "Euler's number of a program"),
    (
        r"\frac{m_{p} m_{n}}{m_{p}+m_{n}}",
        r"\frac{m_pm_n}{m_p+m_n}",
        YES,
        "a subscript of one letter ends after it",
    ),
    (r"x_{\text{max}}", r"x_{\max}", YES, "a subscript in words"),
    ("3s^2", "3*s**2", YES, "a letter, not a second"),
    (r"\dot{x}_0", "x_0", NO, "a velocity is no place"),
]

SETS = [
    ("x<1", "-x>-1", YES, "both signs turned round"),
    ("x<1", "x>-1", NO, "one sign turned round"),
    (r"(-\infty,-3)\cup(3,\infty)", "|x|>3", YES, "a distance from zero"),
    (r"|x|\le 3", "[-3,3]", YES, "the same the other way round"),
    (r"1\le |z|\le \frac32", r"z\in[-\frac32,-1]\cup[1,\frac32]", YES, "a distance between two bounds"),
    (r"|x-1|<2", "(-1,3)", YES, "a distance from one"),
    (r"|x-1|<2", "(-3,1)", NO, "a distance from minus one"),
    (r"(-\infty,-3)\cup(3,\infty)", r"(-\infty,-3), (3,\infty)", YES, "two intervals beside each other"),
    (r"(-\infty,-3)\cup(3,\infty)", r"(-\infty,-3)\text{ and }(3,\infty)", YES, "the same with a word"),
    (r"[1,2)\cup(2,3]", r"1\le x\le 3, x\ne 2", YES, "an interval without a point"),
    (r"x>0, x\ne 1", r"(0,1)\cup(1,\infty)", YES, "two conditions in the reference"),
    (r"[-2,7]", r"x\ge -2, x\le 7", YES, "two conditions"),
    (r"\mathbb{R}\setminus\{3\}", r"\mathbb{R}-\{3\}", YES, "minus for sets"),
    (r"\mathbb{R}\setminus\{3\}", r"\mathbb{R}-\{2\}", NO, "another point"),
    (r"\{1\}\cup(2,\infty)", r"x=1 \text{ or } x>2", YES, "a point and a half line"),
    (r"[1,\infty)", r"f(x)\ge 1", YES, "a range by the name of its function"),
    ("2, 3", r"x=2 \lor x=3", YES, "the logical sign for or"),
    ("2", r"x=2 \lor x=3", NO, "two candidates for one value"),
    (r"k\in\{1,2,3\}", "k=1,2,3", YES, "values of a letter"),
    ("(3,4)", r"\{(3,4)\}", YES, "a set of one point"),
    ("x=2", r"\{2\}", YES, "a set of one solution"),
    ("3, 4", "A=3, B=4", YES, "values by the names of a list"),
    ("f(2)<f(1)<f(4)", "f(4)>f(1)>f(2)", YES, "a chain read from the other end"),
    ("f(2)<f(1)<f(4)", "f(4)>f(2)>f(1)", NO, "another order"),
]

ARRAYS = [
    (
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
        r"\begin{pmatrix}1&2\\[4pt]3&4\end{pmatrix}",
        YES,
        "a gap between rows",
    ),
    (
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
        r"\begin{pmatrix}1&2\cr 3&4\end{pmatrix}",
        YES,
        "TeX's older end of a row",
    ),
    (
        r"\begin{pmatrix}4\\6\end{pmatrix}",
        r"\begin{pmatrix}1\\2\end{pmatrix}+\begin{pmatrix}3\\4\end{pmatrix}",
        YES,
        "a sum",
    ),
    (
        r"\begin{pmatrix}4\\6\end{pmatrix}",
        r"\begin{pmatrix}1\\2\end{pmatrix}-\begin{pmatrix}3\\4\end{pmatrix}",
        NO,
        "a difference",
    ),
    (r"\begin{pmatrix}1\\2\end{pmatrix}", "[1,2]^T", YES, "a transposed row"),
    (r"\begin{pmatrix}1&2\end{pmatrix}", "[1,2]^T", NO, "a column for a row"),
    (
        r"\begin{pmatrix}1\\2\end{pmatrix}",
        r"\mathbf{i}+2\mathbf{j}",
        YES,
        "components by the names of the axes",
    ),
    (r"2\hat{i}-3\hat{j}+\hat{k}", "(2,-3,1)", YES, "the same in the reference"),
    (r"2\hat{i}-3\hat{j}+\hat{k}", "(2,3,1)", NO, "another sign"),
    (r"x=1, y=2", r"\begin{cases} x=1 \\ y=2 \end{cases}", YES, "a system set under each other"),
    (r"\left\{\begin{array}{l}x=1\\y=2\end{array}\right.", "(1,2)", YES, "the same in the reference"),
    (r"\begin{cases} x=1 \\ y=2 \end{cases}", "(2,1)", NO, "the values exchanged"),
    ("42", r"\begin{aligned} x &= 40+2 \\ &= 42 \end{aligned}", YES, "a chain over two rows"),
    ("42", r"\begin{aligned} x &= 40+1 \\ &= 42 \end{aligned}", NO, "a chain that does not hold"),
]

FAMILIES = [
    (r"x\equiv 3\pmod 7", r"x \equiv 3\ (\text{mod } 7)", YES, "a modulus in brackets"),
    (r"x\equiv 3\pmod 7", r"3 \bmod 7", YES, "the class without a letter"),
    (r"x\equiv 3\pmod 7", r"x\equiv 10\pmod 7", YES, "another member of the class"),
    (r"x\equiv 3\pmod 7", r"x\equiv 4\pmod 7", NO, "another class"),
    (r"x\equiv 3\pmod 7", r"x\equiv 3\pmod{14}", NO, "another modulus"),
    (r"n\equiv 0,1\pmod 4", r"n\equiv 1 \text{ or } 0 \pmod{4}", YES, "two classes"),
    (r"\frac{\pi}{4}+k\pi", r"x=\frac{\pi}{4}+n\pi,\ n\in\mathbb{Z}", YES, "an integer by another letter"),
    (
        r"x=\frac{\pi}{4}+k\pi, k\in\mathbb{Z}",
        r"x=\frac{\pi}{4}+k\pi\quad(k\in\mathbb{Z})",
        YES,
        "the range in brackets",
    ),
    (
        r"x=\frac{\pi}{4}+k\pi, k\in\mathbb{Z}",
        r"x=\frac{\pi}{4}+2k\pi, k\in\mathbb{Z}",
        NO,
        "every other one",
    ),
    ("2^{n-1}", r"2^{n-1}\text{ for all }n\geq 1", YES, "where it holds, said after it"),
    (r"f(x)=2x+1", r"f(x)=2x+1\quad\forall x\in\mathbb{R}", YES, "the same in signs"),
    (r"1,2,\ldots,n", r"1, 2, \dots, n", YES, "another command for the dots"),
    (r"1,2,\ldots,n", r"1, 3, \dots, n", NO, "another sequence"),
]

WORDS = [
    (r"\text{May 13}", r"\text{May }13", YES, "the day outside of the words"),
    (r"\text{May 13}", "13th of May", YES, "the day first"),
    (r"\text{May 13}", "May 14", NO, "the next day"),
    (r"\text{Thursday}", "on Thursday", YES, "a small word before it"),
    (r"\mathbb{Z}", r"\text{all integers}", YES, "a set in words"),
    (r"\text{infinitely many}", r"\infty", YES, "how many, as a sign"),
    ("C", r"\left(C\right)", YES, "brackets that grow"),
    ("A,B,D", r"\{A, B, D\}", YES, "letters in braces"),
    ("30^\\circ, 60^\\circ, 90^\\circ", "30, 60, 90", YES, "degrees left out of a list"),
    (r"1.6\times 10^{-19}\text{ C}", r"1.6\times 10^{-19}", YES, "a unit of charge left out"),
    ("12", r"12\text{ N}\cdot\text{m}", YES, "a product of units"),
    ("12", "12 positive integers", YES, "what is counted, with an adjective"),
    ("1:20", r"\frac{1}{20}", YES, "a ratio that looks like a time"),
    ("2516_8", "2516 (base 8)", YES, "a base in brackets"),
]

RESPONSES = [
    ("42", ">The answer is **42**.", YES, "bold, and a full stop"),
    ("42", ">### Final Answer\n42", YES, "a heading over it"),
    ("42", ">**Answer**\n\n42", YES, "a bold heading over it"),
    ("42", ">Answer \\[ 42 \\]", YES, "no colon before the formula"),
    ("42", ">6 * 7 = <<6*7=42>>42\n#### 42", YES, "how GSM8K writes it"),
    ("C", ">The correct answer is **C**.", YES, "a bold letter"),
    ("5", ">The answer is 5.<|im_end|>", YES, "the end of the turn"),
    (
        "5",
        r">So $a=\boxed{2}$ and $b=\boxed{3}$, giving $a+b=\boxed{5}$.",
        YES,
        "parts that lead to the whole",
    ),
    ("x_1=2, x_2=3", r">$x_1=\boxed{2}$ and $x_2=\boxed{3}$", YES, "a box for each letter"),
    ("42", ">### Final Answer\n43", NO, "another number under the heading"),
]

ROWS = [*WHOLE_NUMBERS, *WORDED, *NUMBERS, *NAMES, *SETS, *ARRAYS, *FAMILIES, *WORDS, *RESPONSES]


def _judge(gold, answer):
    if answer.startswith(">"):
        return verify("math", answer[1:], reference=gold)
    return verify("math", rf"\boxed{{{answer}}}", reference=gold)


@pytest.mark.parametrize(
    ("gold", "answer", "right", "why"), ROWS, ids=[f"{row[0]}-{row[1]}"[:60] for row in ROWS]
)
def test_a_form_is_judged_by_what_it_says(gold, answer, right, why):
    verdict = _judge(gold, answer)
    assert verdict.passed is right, f"{why}: {verdict.status.name}, {verdict.reason}"


GOLDS = [
    r"8\operatorname{cis}(120^\circ)",
    r"\text{cis } 45^\circ",
    r"x_{0} \cos (\omega t)+\frac{\dot{x}_{0}}{\omega} \sin (\omega t)",
    r"S_{\min} = 4",
    r"\frac{\partial f}{\partial x}",
    r"\operatorname{tr}(A)",
    r"\det A",
    r"P(A \cup B)",
    "N(0,1)",
    r"\mathbb{Z}_2 \times \mathbb{Z}_3",
    r"\mathbb{Q}(\sqrt{2})",
    r"x+1 \text{ with remainder } 3",
    r"\text{Quotient: } x+1, \text{ remainder: } 3",
    r"45^{\circ}30'",
    "①③④",
    "$g(x)=x^a$ for some $a>0$",
]


@pytest.mark.parametrize("gold", GOLDS)
def test_references_that_data_sets_have_are_read_and_pass_against_themselves(gold):
    assert verify("math", rf"\boxed{{{gold}}}", reference=gold).passed
    assert not verify("math", r"\boxed{17}", reference=gold).passed
