"""A keyword argument is not passed on."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def keyword_dropped(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Leave out the last argument of a call, if it is given by name."""
    if isinstance(node, ast.Call) and node.keywords and node.keywords[-1].arg:
        last = node.keywords[-1].value
        before = [*node.args, *(keyword.value for keyword in node.keywords[:-1])]
        if before:
            start, end = max(source.end(each) for each in before), source.end(last)
            if b"#" not in source.content[start:end] and source.start(last) > start:
                yield Edit(start, end, b"")


MUTATIONS.add("keyword_dropped", keyword_dropped)
