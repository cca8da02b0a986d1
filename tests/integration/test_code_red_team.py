"""Found by a second look at the code verifier: tests that an exception ends too early, and odd ways to use a sandbox up."""

import pytest

from rlvr_gym.types import Status, Task
from rlvr_gym.verifiers import make_verifier
from tests.data.code_exploits import CALLS, FORGED, INSIDE, LIMITS, PATIENT, WANTED
from tests.integration.side_by_side import SideBySide, selected

W = f"W = {WANTED}\n"
STOP = "def answer(n): raise StopIteration"
SWALLOWED = {
    # Loops take StopIteration for their end: then nothing was tested.
    "all of a map": (W + "assert all(map(lambda n: answer(n) == W[n], W))", STOP),
    "nothing left by a filter": (W + "assert not list(filter(lambda n: answer(n) != W[n], W))", STOP),
    "a sum": (W + "assert sum(map(lambda n: answer(n) != W[n], W)) == 0", STOP),
    "an iterator of the tests'": (
        W
        + "class Each:\n    def __init__(self): self.left = [*W]\n    def __iter__(self): return self\n    def __next__(self):\n        if not self.left: raise StopIteration\n        n = self.left.pop()\n        return answer(n) == W[n]\nassert all(Each())",
        STOP,
    ),
    "iter() with an end": (W + "assert not [1 for _ in iter(lambda: answer(3) == W[3], True)]", STOP),
    "a message of that name": (
        W + "assert all(map(lambda n: answer(n) == W[n], W))",
        FORGED + 'def answer(n):\n    spray(b\'["x","StopIteration",""]\\n\')\n    while True: pass',
    ),
    # Sequences end with an IndexError, and getattr() has a default for an AttributeError.
    "a sequence of the tests'": (
        W
        + "class Each:\n    def __getitem__(self, i): return answer([*W][i]) == W[[*W][i]]\nassert all(Each())",
        "def answer(n): raise IndexError",
    ),
    "a property of the tests'": (
        W
        + "class Found:\n    @property\n    def wrong(self):\n        if answer(3) != W[3]: return True\nassert not getattr(Found(), 'wrong', False)",
        "def answer(n): raise AttributeError",
    ),
}
EXPLOITS = {
    "stops its parent": (
        INSIDE,
        "import os, signal\ndef answer(n):\n    os.kill(os.getppid(), signal.SIGSTOP)\n    return 1",
    ),
    "stops all it can": (
        CALLS,
        "import os, signal\ndef answer(n):\n    os.kill(0, signal.SIGSTOP)\n    os.kill(-1, signal.SIGSTOP)",
    ),
    "every signal to process 1": (
        CALLS,
        "import os\ndef answer(n):\n    for s in range(1, 65):\n        try: os.kill(1, s)\n        except OSError: pass\n    return 1",
    ),
    "folders that nobody may enter": (
        CALLS,
        "import os\ndef answer(n):\n    os.makedirs('/workspace/a/b')\n    for p in ('a/b', 'a', ''): os.chmod(f'/workspace/{p}', 0)\n    return 1",
    ),
    "folders in folders": (
        CALLS,
        "import os\ndef answer(n):\n    os.chdir('/workspace')\n    for _ in range(3000): os.mkdir('d'); os.chdir('d')\n    return 1",
    ),
    "names that are no text": (
        CALLS,
        "import os\ndef answer(n):\n    for name in (b'\\xff', b'a\\nb', b'-rf'): open(b'/workspace/' + name, 'w').close()\n    os.mkfifo('/workspace/fifo'); os.symlink('/', '/workspace/root')\n    return 1",
    ),
    "memory of no process": (
        CALLS,
        "import os\ndef answer(n):\n    while True: os.write(os.memfd_create('x'), b'x' * (1 << 24))",
    ),
    "children that stay": (
        CALLS,
        "import os, time\ndef answer(n):\n    if os.fork() == 0:\n        os.setsid(); time.sleep(1000)\n    return 1",
    ),
    "modules for the tests to import": (
        ["import queue, wave\n" + f"for n in [3]:\n    assert answer(n) == {WANTED[3]}"],
        "import os, sys\nfor p in [*sys.path, '.', '/tmp', '/workspace', '/opt/code']:\n    try:\n        for m in ('queue', 'wave'): open(os.path.join(p, m + '.py'), 'w').write('import os; os._exit(0)')\n    except OSError: pass\ndef answer(n): return 1",
    ),
    "asks the judge for what it holds": (
        [f"W = {WANTED}\ndef key(n): return 1\nfor n in W:\n    assert answer(key, n) == W[n]"],
        "def answer(key, n): return getattr(key, '__globals__', {}).get('W', {}).get(n)",
    ),
    "a type that goes by another's name": (
        CALLS,
        "import fractions\nclass Fraction(fractions.Fraction):\n    __eq__ = lambda s, o: True\n    __hash__ = None\nfractions.Fraction = Fraction\ndef answer(n): return Fraction(1)",
    ),
    "a tuple that has fields": (
        CALLS,
        "class T(tuple):\n    _fields = ()\n    __eq__ = lambda s, o: True\ndef answer(n): return T()",
    ),
    "program whose child prints": (
        [{"stdin": "3", "stdout": f"{WANTED[3]}"}],
        f"import os\nif os.fork(): os._exit(1)\nprint({WANTED[3]})",
    ),
    "program that ends with a word": (
        [{"stdin": "3", "stdout": f"{WANTED[3]}"}],
        f"import sys\nprint({WANTED[3]})\nsys.exit('failed')",
    ),
}
HONEST = {
    "next": (
        "g = f()\nassert next(g) == 1\nassert [*g] == [2]\nassert next(g, None) is None",
        "def f():\n    yield 1\n    yield 2",
    ),
    "the end of a generator": (
        "g = f()\nnext(g)\ntry:\n    next(g)\n    assert False\nexcept StopIteration:\n    pass",
        "def f(): yield",
    ),
    "repr": (
        "assert repr(P(1)) == 'P(1)'\nassert str([P(2)]) == '[P(2)]'",
        "class P:\n    def __init__(self, x): self.x = x\n    def __repr__(self): return f'P({self.x})'",
    ),
    "isinstance": (
        "assert isinstance(B(), A)\nassert not isinstance(A(), B)\nassert not isinstance(1, A)",
        "class A: pass\nclass B(A): pass",
    ),
    "hasattr": ("assert hasattr(S(), 'x')\nassert not hasattr(S(), 'y')", "class S: x = 1"),
    "assertRaises": (
        "import unittest\nwith unittest.TestCase().assertRaises(ValueError):\n    f(-1)",
        "def f(x): raise ValueError",
    ),
    "decorator": (
        "calls = []\n@f\ndef g(x):\n    calls.append(x)\n    return x\nassert g(1) == g(1) == 1\nassert calls == [1]",
        "import functools\ndef f(g): return functools.cache(g)",
    ),
    "types of starter code": (
        {"input_output": {"fn_name": "f", "inputs": [[[1, 2]]], "outputs": [3]}},
        "class Solution:\n    def f(self, xs: List[int]) -> Optional[int]: return sum(xs)",
    ),
    "file 0": ([{"stdin": "1 2\n", "stdout": "3"}], "print(sum(map(int, open(0).read().split())))"),
    "another input()": (
        [{"stdin": "2\n1\n2\n", "stdout": "3"}],
        "import sys\ninput = sys.stdin.readline\nprint(sum(int(input()) for _ in range(int(input()))))",
    ),
    "lines of Windows": ([{"stdin": "", "stdout": "1\r\n2\r\n"}], "print(1)\nprint(2)"),
    "os.write": ([{"stdin": "", "stdout": "ok"}], "import os\nos.write(1, b'ok\\n')"),
    "os._exit after all is written": (
        [{"stdin": "", "stdout": "1"}],
        "import os\nprint(1, flush=True)\nos._exit(0)",
    ),
    "a program of its own": (
        [{"stdin": "", "stdout": "hi"}],
        "import subprocess\nprint(subprocess.run(['echo', 'hi'], capture_output=True, text=True).stdout)",
    ),
    "letters of any script": ([{"stdin": "é\n", "stdout": "é€"}], "print(input() + '€')"),
}


def judged(reference, code, **settings):
    verifier = make_verifier("code", **settings)
    reference = {"tests": [reference]} if isinstance(reference, str) else reference
    return verifier.check(Task(id="exploit", prompt="", reference=reference), f"```python\n{code}\n```")


HOSTILE = SWALLOWED | EXPLOITS


@pytest.fixture(scope="module")
def verdicts(request):
    with SideBySide(lambda name: judged(*HOSTILE[name], **LIMITS), selected(request, "exploit")) as found:
        yield found


@pytest.mark.parametrize("exploit", HOSTILE)
def test_an_exploit_earns_nothing_and_is_not_masked(exploit, verdicts):
    verdict = verdicts[exploit]
    assert verdict.status in (Status.FAILED, Status.OVER_LIMIT), verdict
    assert not any(check.passed for check in verdict.checks), verdict


@pytest.mark.parametrize("source", SWALLOWED)
def test_the_same_tests_pass_right_code(source):
    reference, _ = SWALLOWED[source]
    assert judged(reference, f"def answer(n): return {WANTED}[n]", **PATIENT).passed


@pytest.mark.parametrize("name", HONEST)
def test_honest_code_passes(name):
    verdict = judged(*HONEST[name], **PATIENT)
    assert verdict.passed, verdict
