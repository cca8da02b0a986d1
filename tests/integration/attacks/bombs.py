"""Programs that take all that they can get, and how each may end."""

from __future__ import annotations

from typing import NamedTuple

from rlvr_gym.runtimes.base import End

_ANY_STOP = (End.EXITED, End.TIMEOUT, End.MEMORY)


class Bomb(NamedTuple):
    """A program and the ends that are right for it."""

    source: str
    ends: tuple[End, ...]
    wall_s: float = 20.0
    cpu_s: float = 0.0
    """Its limit of CPU time, where that is the point."""


_FILL = """
taken = 0
try:
    with open("{path}", "wb", buffering=0) as file:
        while taken < 200 << 20:
            taken += file.write(bytes(1 << 20))
except OSError as error:
    print("stopped", error.errno, taken)
if taken > 40 << 20:
    print("ESCAPED", taken)
"""

BOMBS = {
    "fork": Bomb(
        """
made = 0
try:
    while made < 500:
        if not os.fork():
            time.sleep(60)
        made += 1
except OSError as error:
    print("stopped", made)
if made > 64:
    print("ESCAPED", made)
""",
        _ANY_STOP,
    ),
    "fork, exponentially": Bomb(
        """
while True:
    try:
        os.fork()
    except OSError:
        pass
""",
        (End.TIMEOUT,),
        0.5,
    ),
    "fork in a shell": Bomb(
        """
open("/tmp/bomb.sh", "w").write("b() { b | b & }; b; sleep 60")
os.execvp("sh", ["sh", "/tmp/bomb.sh"])
""",
        (End.TIMEOUT, End.EXITED, End.OUTPUT, End.MEMORY),
        0.5,
    ),
    "threads": Bomb(
        """
import threading
made = 0
try:
    while made < 500:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        made += 1
except RuntimeError:
    print("stopped", made)
if made > 64:
    print("ESCAPED", made)
sys.stdout.flush()
os._exit(0)
""",
        _ANY_STOP,
    ),
    "memory": Bomb(
        """
held = []
for _ in range(60):
    held.append(bytearray(10 << 20))
print("ESCAPED", len(held))
""",
        (End.MEMORY, End.EXITED),
    ),
    "memory in many processes": Bomb(
        """
for _ in range(12):
    if not os.fork():
        held = bytearray(60 << 20)
        time.sleep(8)
        print("ESCAPED" if held else "", flush=True)
        os._exit(0)
time.sleep(12)
""",
        (End.MEMORY,),
    ),
    "shared memory": Bomb(
        """
import mmap
view = mmap.mmap(-1, 600 << 20)
for at in range(0, 600 << 20, 4096):
    view[at] = 1
print("ESCAPED")
""",
        (End.MEMORY, End.EXITED),
    ),
    "files in memory": Bomb(
        """
fd = os.memfd_create("x")
taken = 0
for _ in range(600):
    taken += os.write(fd, bytes(1 << 20))
print("ESCAPED", taken)
""",
        (End.MEMORY, End.EXITED),
    ),
    "many files in memory": Bomb(
        """
held, taken = [], 0
try:
    while taken < 500 << 20:
        held.append(os.memfd_create("x"))
        taken += os.write(held[-1], bytes(20 << 20))
except OSError as error:
    print("stopped", error.errno, taken)
if taken > 300 << 20:
    print("ESCAPED", taken)
""",
        (End.MEMORY, End.EXITED),
    ),
    "memory that outlives its process": Bomb(
        """
# A System V segment is in no process's size as soon as it is detached.
libc.shmat.restype = ctypes.c_void_p
taken = 0
while taken < 500 << 20:
    segment = libc.shmget(0, ctypes.c_size_t(20 << 20), 0o1666)
    if segment < 0:
        break
    at = libc.shmat(segment, None, 0)
    ctypes.memset(at, 1, 20 << 20)
    libc.shmdt(ctypes.c_void_p(at))
    taken += 20 << 20
print("taken", taken)
if taken > 300 << 20:
    print("ESCAPED", taken)
""",
        (End.MEMORY, End.EXITED),
    ),
    "messages that outlive their process": Bomb(
        """
# Queues of messages are kernel memory that no process has.
taken, message = 0, ctypes.create_string_buffer(8 + 8192)
ctypes.memmove(message, (1).to_bytes(8, sys.byteorder), 8)
while taken < 400 << 20:
    queue = libc.msgget(0, 0o1666)
    if queue < 0:
        break
    for _ in range(2):
        taken += 8192 * (not libc.msgsnd(queue, message, ctypes.c_size_t(8192), 0o4000))
print("taken", taken)
if taken > 300 << 20:
    print("ESCAPED", taken)
""",
        (End.MEMORY, End.EXITED),
    ),
    "attributes of files": Bomb(
        """
taken = 0
os.makedirs("/workspace/bomb", exist_ok=True)
try:
    for number in range(1500):
        open(f"/workspace/bomb/{number}", "w").close()
        for name in range(8):
            os.setxattr(f"/workspace/bomb/{number}", f"user.x{name}", bytes(60_000))
            taken += 60_000
except OSError as error:
    print("stopped", error.errno, taken)
if taken > 300 << 20:
    print("ESCAPED", taken)
""",
        (End.MEMORY, End.EXITED),
    ),
    "disk: workspace": Bomb(_FILL.format(path="/workspace/bomb"), (End.EXITED, End.MEMORY)),
    "disk: temporary files": Bomb(_FILL.format(path="/tmp/bomb"), (End.EXITED, End.MEMORY)),
    "disk: shared memory folder": Bomb(_FILL.format(path="/dev/shm/bomb"), (End.EXITED, End.MEMORY)),
    "inodes": Bomb(
        """
made = 0
os.makedirs("/workspace/bombs")
try:
    while made < 30_000:
        os.close(os.open(f"/workspace/bombs/{made}", os.O_CREAT | os.O_WRONLY))
        made += 1
except OSError as error:
    print("stopped", made)
if made > 2100:
    print("ESCAPED", made)
""",
        (End.EXITED, End.MEMORY),
    ),
    "a sparse file": Bomb(
        """
try:
    os.truncate(os.open("/workspace/bomb", os.O_CREAT | os.O_WRONLY), 1 << 40)
    print("ESCAPED")
except OSError as error:
    print("stopped", error.errno)
""",
        (End.EXITED,),
    ),
    "output": Bomb("while True: os.write(1, b'x' * 65536)", (End.OUTPUT,)),
    "errors": Bomb("while True: os.write(2, b'x' * 65536)", (End.OUTPUT,)),
    "output, in small pieces": Bomb("while True: os.write(1, b'x')", (End.OUTPUT, End.TIMEOUT), 10.0),
    "output of many processes": Bomb(
        "[os.fork() for _ in range(3)]\nwhile True: os.write(1, b'x' * 4096)", (End.OUTPUT,)
    ),
    "output after the end": Bomb(
        "if not os.fork():\n    while True: os.write(1, b'x' * 65536)\nos._exit(0)", (End.EXITED, End.OUTPUT)
    ),
    "spinning": Bomb("while True: pass", (End.TIMEOUT,), 0.3),
    "spinning in many processes": Bomb(
        "[os.fork() for _ in range(4)]\nwhile True: pass", (End.TIMEOUT,), 1.0
    ),
    "spinning without a wall": Bomb(
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n[os.fork() for _ in range(3)]\nwhile True: pass",
        (End.TIMEOUT,),
        60.0,
        0.4,
    ),
    "sleeping": Bomb("time.sleep(60)", (End.TIMEOUT,), 0.3),
    "waiting for input": Bomb("sys.stdin.read(); time.sleep(60)", (End.TIMEOUT,), 0.3),
    "closing its output": Bomb("os.close(1); os.close(2); time.sleep(60)", (End.TIMEOUT,), 0.3),
    "pipes": Bomb(
        """
held = []
try:
    while len(held) < 4000:
        held.extend(os.pipe())
        os.set_blocking(held[-1], False)
        os.write(held[-1], bytes(65536))
except OSError as error:
    print("stopped", len(held))
if len(held) > 256:
    print("ESCAPED", len(held))
os._exit(0)
""",
        (End.EXITED, End.MEMORY),
    ),
}
