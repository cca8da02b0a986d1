"""Small text templates."""

from stencil.errors import TemplateError
from stencil.render import render

__all__ = ["TemplateError", "render"]
