"""Types as inference and the logic see them: a name and arguments, immutable and compared by value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A type.

    Names: ``int nat bool char u8 ... u128 usize i8 ... i128 isize`` · ``tuple`` (``()`` has no arguments) ·
    ``& T``, ``&mut T`` and ``Box T`` (erased by `erased`) · ``Vec T``, ``slice T``, ``array T`` (``size`` set),
    ``Seq T``, ``Set T``, ``Map K V``, ``Multiset T``, ``str``, ``String`` · ``spec_fn`` (parameters, then the result) ·
    ``!`` (never) · a datatype's id with its arguments (``Option T``, ``Point``) · ``'T`` for a generic parameter ·
    ``?n`` for a variable of inference (none is left when inference ends) · ``range`` (of exec integers).
    """

    name: str
    args: tuple[Type, ...] = ()
    size: int | str | None = None
    """Length of an array; a generic constant's name where it is one."""

    def __str__(self) -> str:
        if self.name == "tuple":
            return "(" + ", ".join(map(str, self.args)) + ")"
        if self.name in ("&", "&mut"):
            return f"{self.name}{' ' if self.name == '&mut' else ''}{self.args[0]}"
        if self.name == "slice":
            return f"[{self.args[0]}]"
        if self.name == "array":
            return f"[{self.args[0]}; {self.size}]"
        if self.name == "spec_fn":
            return f"spec_fn({', '.join(map(str, self.args[:-1]))}) -> {self.args[-1]}"
        name = self.name.removeprefix("'")
        return name if not self.args else f"{name}<{', '.join(map(str, self.args))}>"


INT, NAT, BOOL, CHAR = Type("int"), Type("nat"), Type("bool"), Type("char")
UNIT, NEVER = Type("tuple"), Type("!")
SIGNED = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "i128": 128, "isize": 0}
"""Width in bits; 0 where it is the machine's, which is not known."""
UNSIGNED = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "u128": 128, "usize": 0}
WIDTHS = SIGNED | UNSIGNED
MACHINE = {name: Type(name) for name in WIDTHS}


def is_machine(type: Type) -> bool:
    """Return whether ``type`` is an integer type of compiled code."""
    return type.name in WIDTHS


def is_integer(type: Type) -> bool:
    """Return whether ``type`` is any integer type, ``int`` and ``nat`` included."""
    return type.name in WIDTHS or type.name in ("int", "nat")


def parameter(name: str) -> Type:
    """Return the type that a generic parameter stands for."""
    return Type("'" + name)


def erased(type: Type) -> Type:
    """Return ``type`` without references and boxes, at every depth: what the logic sees."""
    while type.name in ("&", "&mut", "Box"):
        type = type.args[0]
    if not type.args:
        return type
    return Type(type.name, tuple(erased(arg) for arg in type.args), type.size)


def substituted(type: Type, values: dict[str, Type]) -> Type:
    """Return ``type`` with generic parameters (keys without the quote mark) replaced."""
    if type.name.startswith("'"):
        return values.get(type.name[1:], type)
    if not type.args and not isinstance(type.size, str):
        return type
    size = type.size
    if isinstance(size, str) and (value := values.get(size)) is not None:
        size = value.size
    return Type(type.name, tuple(substituted(arg, values) for arg in type.args), size)
