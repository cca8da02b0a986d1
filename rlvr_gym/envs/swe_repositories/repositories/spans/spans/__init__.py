"""Sets of whole numbers as sorted half-open intervals."""

from spans.notation import SpanError, format_spans, parse
from spans.sets import SpanSet

__all__ = ["SpanError", "SpanSet", "format_spans", "parse"]
