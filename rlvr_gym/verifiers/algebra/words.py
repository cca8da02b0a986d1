"""Words and LaTeX commands of the grammar, and the token each stands for."""

from __future__ import annotations

from typing import Final, TypeAlias

Token: TypeAlias = tuple[str, str]
"""Kind and text. The parser knows the kinds; operators and brackets are kinds of their own."""


_PLAIN: Final = [
    "ln", "log", "abs", "floor", "ceil", "sign", "factorial", "binom", "gcd", "lcm", "exp", "sqrt", "cbrt", "conj",
    "cis",
]  # fmt: skip


def _names() -> dict[str, Token]:
    table: dict[str, Token] = {}
    for name in ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "sech", "csch"):
        table[name] = table[name.capitalize()] = ("func", name)
        prefixes = ("a", "arc", "ar", "arg") if name.endswith("h") else ("a", "arc")
        for prefix in prefixes:
            table[prefix + name] = ("func", f"a{name}")
        table["Arc" + name] = table["Arc" + name.capitalize()] = ("func", f"a{name}")
    for name in _PLAIN:
        table[name] = ("func", name)
    table |= {
        "tg": table["tan"], "ctg": table["cot"], "cosec": table["csc"], "arctg": table["atan"],
        "arcctg": table["acot"], "Abs": table["abs"], "sgn": table["sign"], "ceiling": table["ceil"],
        "comb": table["binom"], "binomial": table["binom"], "conjugate": table["conj"], "Sqrt": table["sqrt"],
        "Log": table["log"], "Ln": table["ln"], "Exp": table["exp"], "lg": ("func", "lg"), "GCD": table["gcd"],
        "LCM": table["lcm"],
    }  # fmt: skip
    table |= {"pi": ("const", "pi"), "Pi": ("const", "pi"), "e": ("const", "e"), "i": ("const", "i")}
    table |= dict.fromkeys(("inf", "oo", "infinity", "Infinity", "infty"), ("const", "inf"))
    return table


NAMES: Final = _names()
"""Words that also count inside a run of letters: ``sinx``, ``2pir``; the longest one wins."""

LONGEST: Final = max(map(len, NAMES))

WHOLE_WORDS: Final[dict[str, Token]] = {
    "and": ("and", ""), "or": ("or", ""), "AND": ("and", ""), "OR": ("or", ""), "in": ("rel", "in"),
    "re": ("func", "re"), "im": ("func", "im"), "arg": ("func", "arg"), "mod": ("func", "mod"), "Re": ("func", "re"), "Im": ("func", "im"), "Arg": ("func", "arg"),
    "min": ("func", "min"), "max": ("func", "max"), "theta": ("sym", "theta"), "alpha": ("sym", "alpha"),
    "beta": ("sym", "beta"), "lambda": ("sym", "lambda"), "phi": ("sym", "phi"), "Matrix": ("skip", ""),
    "gamma": ("sym", "gamma"), "omega": ("sym", "omega"), "delta": ("sym", "delta"), "sigma": ("sym", "sigma"),
    "emptyset": ("emptyset", ""), "union": ("cup", ""),
}  # fmt: skip
"""Words that only count when no letter touches them."""

_GREEK: Final = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda",
    "Xi", "Sigma", "Upsilon", "Phi", "Psi", "Omega", "ell", "hbar",
]  # fmt: skip

_SKIPPED: Final = [
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl",
    "Biggr", "displaystyle", "textstyle", "limits", "nolimits", "quad", "qquad", "thinspace", "space",
    "large", "Large", "LARGE", "huge", "small", "normalsize", "middle", "mathbf", "mathit", "boldsymbol",
    "bm", "mathsf", "mathnormal", "rm", "bf", "it", "scriptstyle", "mathrm", "mathcal", "strut", "enspace",
]  # fmt: skip


def _commands() -> dict[str, Token]:
    table = {name: token for name, token in NAMES.items() if len(name) > 1 and name not in ("oo", "inf")}
    table |= {name: ("sym", name) for name in _GREEK}
    table |= {"varepsilon": ("sym", "epsilon"), "varphi": ("sym", "phi"), "vartheta": ("sym", "theta")}
    table |= dict.fromkeys(_SKIPPED, ("skip", ""))
    table |= {name: ("func", name) for name in ("min", "max", "arg")}
    table |= {
        "frac": ("frac", ""), "dfrac": ("frac", ""), "tfrac": ("frac", ""), "cfrac": ("frac", ""),
        "binom": ("binom", ""), "dbinom": ("binom", ""), "tbinom": ("binom", ""), "over": ("over", ""),
        "choose": ("choose", ""), "cdot": ("*", ""), "times": ("*", ""), "ast": ("*", ""), "div": ("/", ""),
        "vert": ("|", ""), "lvert": ("lbar", ""), "rvert": ("rbar", ""), "mid": ("|", ""),
        "lbrace": ("lset", ""), "rbrace": ("rset", ""), "lbrack": ("[", ""), "rbrack": ("]", ""),
        "langle": ("langle", ""), "rangle": ("rangle", ""), "lfloor": ("lfloor", ""), "rfloor": ("rfloor", ""),
        "lceil": ("lceil", ""), "rceil": ("rceil", ""), "cup": ("cup", ""), "bigcup": ("cup", ""),
        "cap": ("cap", ""), "setminus": ("setminus", ""), "backslash": ("setminus", ""),
        "smallsetminus": ("setminus", ""), "emptyset": ("emptyset", ""), "varnothing": ("emptyset", ""),
        "pm": ("pm", ""), "mp": ("mp", ""), "degree": ("degree", ""), "land": ("and", ""), "wedge": ("and", ""),
        "lor": ("or", ""), "vee": ("or", ""), "colon": (":", ""), "overline": ("overline", ""),
        "bar": ("overline", ""), "lim": ("bad", ""), "Re": ("func", "re"), "Im": ("func", "im"),
        "prime": ("bad", ""), "top": ("sym", "T"), "intercal": ("sym", "T"), "imath": ("const", "i"),
        "jmath": ("sym", "j"),
    }  # fmt: skip
    for op, names in {
        "<": "lt", ">": "gt", "<=": "le leq leqslant leqq", ">=": "ge geq geqslant geqq", "!=": "ne neq",
        "in": "in", "not in": "notin", "subset": "subset subseteq", "~": "sim", "approx": "approx thickapprox cong",
        "equiv": "equiv", "=": "eq",
    }.items():  # fmt: skip
        table |= dict.fromkeys(names.split(), ("rel", op))
    return table


COMMANDS: Final = _commands()
"""LaTeX commands without their backslash."""

SIGNS: Final[dict[str, Token]] = {sign: (sign, "") for sign in "+-*/^_!|()[]{},;:&"} | {
    "**": ("^", ""), "=": ("rel", "="), "==": ("rel", "="), "<": ("rel", "<"), ">": ("rel", ">"),
    "<=": ("rel", "<="), ">=": ("rel", ">="), "!=": ("rel", "!="), "=<": ("rel", "<="), "+/-": ("pm", ""),
}  # fmt: skip
"""Operators and brackets."""

ESCAPED: Final[dict[str, Token]] = {"\\{": ("lset", ""), "\\}": ("rset", ""), "\\\\": ("row", "")} | {
    f"\\{space}": ("skip", "") for space in ",;:!> "
}
"""A backslash and a sign."""

BASES: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "sixteen": 16,
}  # fmt: skip
