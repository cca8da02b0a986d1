"""Two processes that ask each other: the tests, and the candidate whose functions they call."""

from __future__ import annotations

import operator
import sys
import types
from typing import Any, NoReturn

from .plain import Decoder, Encoder, NotPlainError, packed, unpacked

_MAX_MESSAGE = 200
_MAX_LINE = 16_000_000
_MAX_ITEMS = 100_000
_BUILTINS = sys.modules["builtins"].__dict__
_PREDICATES = frozenset(
    name
    for kind in (str, set, float)
    for name in dir(kind)
    if name.startswith(("is", "startswith", "endswith")) and callable(getattr(kind, name))
)
"""What tests ask of plain values, and an object would affirm."""


def found(names: dict[str, Any], name: str) -> Any:
    """Return what the code calls ``name``, a method of its class ``Solution`` included."""
    if name not in names and hasattr(names.get("Solution"), name):
        return getattr(names["Solution"](), name)
    if name not in names:
        raise NameError(f"name '{name}' is not defined")
    return names[name]


def fault(error: BaseException) -> list[str]:
    """Return the message that tells of an exception."""
    try:
        message = str(error)[:_MAX_MESSAGE]
    except BaseException:
        message = ""
    return ["x", _name(type(error))[:_MAX_MESSAGE], message]


def _name(kind: type[BaseException]) -> str:
    """Return the name of the builtin exception that a class is or extends, else its own."""
    for base in kind.__mro__:
        if base in (Exception, BaseException):
            break
        if _BUILTINS.get(base.__name__) is base:
            return str(base.__name__)
    own = str(kind.__name__)
    # Its own may sound like a builtin one.
    return f"solution.{own}" if _BUILTINS.get(own, kind) is not kind else own


class _Peer:
    """One end of a conversation in which each side may ask the other while it is asked itself."""

    def __init__(self, fd: int) -> None:
        import socket

        self._socket = socket.socket(fileno=fd)
        self._in = self._socket.makefile("rb")
        self.broken = ""
        """Why no more can be asked; an answer that came before may be a forgery."""

    def ask(self, *request: Any) -> Any:
        """Return the other side's answer; its questions are answered meanwhile."""
        self.say(["ask", *request])
        while True:
            message = self.hear()
            if message[0] == "ask":
                self.say(self.answer(message[1:]))
            else:
                return self.result(message)

    def answer(self, request: list[Any]) -> list[Any]:
        """Return the answer to the other side's question."""
        raise NotImplementedError

    def result(self, message: list[Any]) -> Any:
        """Return the value of an answer, or raise the exception that it tells of."""
        raise NotImplementedError

    def say(self, message: Any) -> None:
        """Send a message."""
        self._socket.sendall(packed(message) + b"\n")

    def hear(self) -> list[Any]:
        """Return the next message.

        Raises:
            EOFError: none will come, or it is none.
        """
        line = self._in.readline(_MAX_LINE)
        try:
            message = unpacked(line)
            if line.endswith(b"\n") and type(message) is list and message and type(message[0]) is str:
                return message
        except NotPlainError:
            pass
        self.broken = "it wrote to the judge's channel" if line else "its process ended"
        raise EOFError(self.broken)


class Server(_Peer, Encoder, Decoder):
    """The candidate's side: calls its functions for the judge, and the judge's for them."""

    def __init__(self, fd: int) -> None:
        _Peer.__init__(self, fd)
        Encoder.__init__(self)
        self.names: dict[str, Any] = {}
        self._objects: dict[int, Any] = {}

    def other(self, value: Any) -> Any:
        """Encode an object as its number; decode a number, a name, or a function of the judge."""
        if type(value) is not list:
            self._objects[id(value)] = value
            return ["h", id(value), type(value).__name__]
        if value[0] == "h":
            return self._objects[value[1]]
        if value[0] == "n":
            return found(self.names, value[1])
        return lambda *args: self.ask(value[1], [self.encode(arg) for arg in args])

    def answer(self, request: list[Any]) -> list[Any]:
        """Call a function, or look at an object."""
        self._nodes = 0
        what, target, args, kwargs = request
        try:
            target = self.decode(target)
            given = [self.decode(tree) for tree in args]
            value = _OPERATIONS[what](target, *given, **{k: self.decode(v) for k, v in kwargs.items()})
            changed = [[i, after] for i, arg in enumerate(given) if (after := self._changed(args[i], arg))]
            return ["ok", self.encode(value), changed]
        except BaseException as error:
            return fault(error)

    def _changed(self, before: Any, arg: Any) -> Any:
        """Return the tree of an argument that the call changed in place, None where it did not."""
        if type(arg) not in (list, dict, set, bytearray):
            return None
        after = self.encode(arg)
        return after if after != before else None

    def result(self, message: list[Any]) -> Any:
        """Return the value of a callback, or raise its exception."""
        if message[0] == "ok":
            return self.decode(message[1])
        raise _error(message)


def _items(target: Any) -> list[Any]:
    import itertools

    return list(itertools.islice(target, _MAX_ITEMS))


_OPERATIONS: dict[str, Any] = {
    "call": lambda target, *args, **kwargs: target(*args, **kwargs),
    "get": getattr,
    "set": setattr,
    "put": operator.setitem,
    "len": len,
    "item": lambda target, key: target[key],
    "iter": _items,
    "next": next,
    "isinstance": lambda target, value: isinstance(value, target),
    "str": str,
    "repr": repr,
}


class Remote:
    """An object or a function of the candidate, as the tests see it.

    What it does and holds can be asked for, what it is equal to cannot: no comparison and no arithmetic reaches the candidate,
    whose methods would agree to anything.
    """

    def __init__(self, judge: Judge, tree: list[Any]) -> None:
        self._judge = judge
        self._tree = tree

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the candidate's function."""
        return self._judge.do("call", self, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or (name in _PREDICATES and not self._judge.has_classes):
            raise AttributeError(name)
        return self._judge.do("get", self, (name,), {})

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self._judge.do("set", self, (name, value), {})

    def __setitem__(self, key: Any, value: Any) -> None:
        self._judge.do("put", self, (key, value), {})

    def __len__(self) -> int:
        length = int(self._judge.do("len", self, (), {}))
        self._judge.measured(self._tree[1], length)
        return length

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        return self._judge.do("item", self, (key,), {})

    def __iter__(self) -> Any:
        items = list(self._judge.do("iter", self, (), {}))
        if len(items) < _MAX_ITEMS:
            self._judge.counted(self._tree[1], len(items))
        return iter(items)

    def __next__(self) -> Any:
        return self._judge.do("next", self, (), {})

    def __instancecheck__(self, value: Any) -> bool:
        # The candidate is asked of its own classes alone: what is plain is of none of them.
        return type(value) is Remote and self._judge.do("isinstance", self, (value,), {}) is True

    def __str__(self) -> str:
        return str(self._judge.do("str", self, (), {}))

    def __repr__(self) -> str:
        return str(self._judge.do("repr", self, (), {}))

    def __eq__(self, other: object) -> bool:
        return type(other) is Remote and other._tree[:2] == self._tree[:2]

    def __hash__(self) -> int:
        return hash(self._tree[1])


class Judge(_Peer, Encoder, Decoder):
    """The tests' side: asks the candidate's process, and gets plain values or objects that it can only ask again."""

    def __init__(self, fd: int, *, in_place: bool, has_classes: bool) -> None:
        _Peer.__init__(self, fd)
        Encoder.__init__(self)
        self._in_place = in_place
        self.has_classes = has_classes
        """Whether the tests ask for classes, whose objects may have methods that are called like those of ``str``."""
        self._functions: list[Any] = []
        self._lengths: dict[int, int] = {}
        self._counts: dict[int, int] = {}
        self.raised = ""
        """The exception that a call of the candidate's raised, the last if there were several."""

    def other(self, value: Any) -> Any:
        """Encode the candidate's own objects and our functions; decode an object's number."""
        if type(value) is list:
            if value[0] == "h" and len(value) == 3 and type(value[1]) is int and type(value[2]) is str:
                return Remote(self, value)
            raise NotPlainError("an unknown tag")
        if type(value) is Remote:
            return value._tree
        if isinstance(value, types.FunctionType | types.BuiltinFunctionType | type):
            self._functions.append(value)
            return ["fn", len(self._functions) - 1]
        return None

    def do(self, what: str, target: Remote, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return what the candidate's process answers.

        What it changed in place is changed here only where the tests look for that: a test that computes what it
        expects from its own arguments after the call must find them as they were.
        """
        self._nodes = 0
        if what in ("call", "set", "put", "next"):
            self._lengths.clear()
            self._counts.clear()
        trees = [self.encode(arg) for arg in args]
        keywords = {name: self.encode(arg) for name, arg in kwargs.items()}
        try:
            value, changed = self.ask(what, target._tree, trees, keywords)
        except StopIteration as error:
            if what == "next":
                raise
            # It would end whatever loop of the tests the call is in, as if all had been tested (cf. PEP 479).
            self.raised = "StopIteration"
            raise RuntimeError("the call raised StopIteration") from error
        except Exception as error:
            if what == "call":
                self.raised = type(error).__name__
            raise
        for index, tree in changed if self._in_place else ():
            _put(args[index], self.decode(tree))
        return value

    def measured(self, number: int, length: int) -> None:
        """Hold an object to its length, until something is done that may change it."""
        # A loop may have used up the object.
        looped = length > 0 and self._counts.get(number, length) != length
        if looped or self._lengths.get(number, length) != length:
            self._lied()
        self._lengths[number] = length

    def counted(self, number: int, count: int) -> None:
        """Hold an object to its length in a loop, which would end early otherwise, as if all had been tested."""
        if self._lengths.pop(number, count) != count:
            self._lied()
        self._counts[number] = count

    def _lied(self) -> NoReturn:
        self.raised = "RuntimeError"
        raise RuntimeError("an object is not as long as it says")

    def answer(self, request: list[Any]) -> list[Any]:
        """Call a function of the tests for the candidate."""
        try:
            index, args = request
            return ["ok", self.encode(self._functions[index](*[self.decode(arg) for arg in args]))]
        except Exception as error:
            return fault(error)

    def result(self, message: list[Any]) -> Any:
        """Return the value and what was changed in place, or raise what the call raised."""
        if message[0] == "ok":
            try:
                _, tree, changed = message
                return self.decode(tree), [(index, after) for index, after in changed]
            except (NotPlainError, TypeError, ValueError) as error:
                self.broken = "it wrote to the judge's channel"
                raise EOFError(self.broken) from error
        raise _error(message)


def _put(target: Any, value: Any) -> None:
    if type(value) is not type(target):
        return
    if type(target) in (list, bytearray):
        target[:] = value
    elif type(target) in (dict, set):
        target.clear()
        target.update(value)


class RemoteError(Exception):
    """An exception that is no builtin one."""


def _error(message: list[Any]) -> Exception:
    kind = _BUILTINS.get(message[1]) if len(message) == 3 and type(message[1]) is str else None
    if isinstance(kind, type) and issubclass(kind, Exception):
        for base in kind.__mro__[: kind.__mro__.index(Exception)] or (Exception,):
            try:
                error: Exception = base(message[2])
                return error
            except TypeError:
                pass  # UnicodeDecodeError wants five arguments
    return RemoteError(": ".join(map(str, message[1:])))
