"""How programming tasks are put."""

from __future__ import annotations

import ast
from collections.abc import Sequence

INSTRUCTION = "Answer with one block of Python code."


def fenced(code: str) -> str:
    """Return code as a fenced block, with a fence that does not occur in it."""
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}python\n{code.strip(chr(10))}\n{fence}"


def header_of(solution: str, name: str) -> str:
    """Return the first line of a function of a solution, nothing where there is none that can be read."""
    try:
        tree = ast.parse(solution)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return f"def {name}({ast.unparse(node.args)}):"
    return ""


def imports_and_helpers(prompt: str, entry_point: str) -> str:
    """Return what a prompt that is Python code gives besides the function to be written: imports and other functions."""
    try:
        tree = ast.parse(prompt)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    given = [node for node in tree.body if not isinstance(node, ast.Expr)]
    others = [node for node in given if getattr(node, "name", "") != entry_point]
    return "\n".join(ast.unparse(node) for node in others)


def with_examples(problem: str, examples: Sequence[str]) -> str:
    """Return a problem with tests that its solver may see."""
    if not examples:
        return problem
    return f"{problem}\n\nFor example:\n" + fenced("\n".join(examples))
