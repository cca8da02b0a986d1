"""Ways to hurt, watch or outlive other processes."""

PROCESSES = {
    "seeing_host_processes": """
pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
if len(pids) > 20 or HOST["pid"] in pids and HOST["pid"] > 200:
    print("ESCAPED", pids)
""",
    "killing_host_processes": """
for pid in (HOST["pid"], HOST["parent"]):
    if pid > 200:
        refused(str(pid), lambda: os.kill(pid, signal.SIGKILL))
""",
    "killing_pid_1": """
if os.getpid() != 1:
    for number in signal.valid_signals():
        try:
            os.kill(1, number)
        except PermissionError:
            pass
""",
    "limits_and_priority_of_pid_1": """
if os.getpid() != 1:
    refused("limit", lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0)))
    refused("cpu limit", lambda: resource.prlimit(1, resource.RLIMIT_CPU, (0, 0)))
    refused("priority", lambda: os.setpriority(os.PRIO_PROCESS, 1, 19))
    refused("priority of the user", lambda: os.setpriority(os.PRIO_USER, os.getuid(), 19))
    refused("scheduler", lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)))
    refused("processors", lambda: os.sched_setaffinity(1, {0}))
""",
    "flooding_pid_1_with_signals": """
if os.getpid() != 1:
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        try:
            os.kill(1, signal.SIGCHLD)
        except PermissionError:
            break
""",
    "tracing_pid_1": """
refused("attach", lambda: syscall("ptrace", 16, 1, 0, 0))
refused("seize", lambda: syscall("ptrace", 0x4206, 1, 0, 0))
""",
    "tracing_a_child": """
child = os.fork()
if not child:
    time.sleep(1)
    os._exit(0)
refused("attach", lambda: syscall("ptrace", 16, child, 0, 0))
os.kill(child, 9)
""",
    "reading_another_memory": """
class Range(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
buffer = ctypes.create_string_buffer(64)
local, remote = Range(ctypes.addressof(buffer), 64), Range(0x400000, 64)
for pid in (1, os.getppid() or 1):
    for name in ("process_vm_readv", "process_vm_writev"):
        refused(name, lambda: syscall(name, pid, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0))
""",
    "taking_descriptors_of_pid_1": """
pidfd = os.pidfd_open(1)
for fd in range(10):
    refused(str(fd), lambda: syscall("pidfd_getfd", pidfd, fd, 0))
""",
    "comparing_kernel_objects": """
refused("kcmp", lambda: syscall("kcmp", 1, os.getpid(), 1, 0, 0))
""",
    "better_priority": """
refused("nice", lambda: os.nice(-5))
refused("fifo", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
refused("rr", lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1)))
""",
    "safe_from_the_memory_killer": """
def write():
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("-1000")
refused("score", write)
""",
    "locking_memory": """
import mmap
view = mmap.mmap(-1, 64 << 20)
address = ctypes.addressof(ctypes.c_char.from_buffer(view))
def lock():
    if libc.mlock(ctypes.c_void_p(address), ctypes.c_size_t(64 << 20)):
        raise OSError(ctypes.get_errno(), "mlock")
refused("mlock", lock)
""",
    "raising_limits": """
for kind in (resource.RLIMIT_CORE, resource.RLIMIT_NOFILE, resource.RLIMIT_MEMLOCK):
    soft, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        refused(str(kind), lambda: resource.setrlimit(kind, (hard + 1, hard + 1)))
""",
    "many_descriptors": """
taken = []
try:
    while len(taken) < 5000:
        taken.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    pass
if len(taken) >= 5000:
    print("ESCAPED", len(taken))
for fd in taken:
    os.close(fd)
""",
    "core_dumps": """
child = os.fork()
if not child:
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (OSError, ValueError):
        pass
    os.chdir("/workspace")
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)
    os._exit(0)
_, status = os.waitpid(child, 0)
if os.WCOREDUMP(status) or any(name.startswith("core") for name in os.listdir("/workspace")):
    print("ESCAPED core")
""",
    "input_into_a_terminal": """
import fcntl
for path in ("/dev/tty", "/dev/console", "/dev/pts/0"):
    refused(path, lambda: fcntl.ioctl(os.open(path, os.O_RDWR), 0x5412, b"x"))
for fd in (0, 1, 2):
    refused(str(fd), lambda: fcntl.ioctl(fd, 0x5412, b"x"))
""",
    "a_tracer_by_permission": """
libc.prctl(0x59616D61, ctypes.c_ulong(0xFFFFFFFFFFFFFFFF), 0, 0, 0)
refused("attach", lambda: syscall("ptrace", 16, os.getppid() or 1, 0, 0))
""",
}
