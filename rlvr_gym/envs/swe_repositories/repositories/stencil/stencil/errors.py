"""What can be wrong with a template."""


class TemplateError(ValueError):
    """A template that cannot be read, or a name that has no value; says in which line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
