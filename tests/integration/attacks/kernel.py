"""Calls that only the machine's owner should make."""

KERNEL = {
    "new_namespaces": """
for name, flag in dict(user=0x10000000, mount=0x20000, pid=0x20000000, net=0x40000000, ipc=0x8000000, uts=0x4000000,
                       cgroup=0x2000000, time=0x80).items():
    refused(name, lambda: syscall("unshare", flag))
""",
    "clone_into_namespaces": """
def clone(flags):
    child = syscall("clone", ctypes.c_long(flags | signal.SIGCHLD), 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    return child
for flag in (0x10000000, 0x20000, 0x20000000, 0x10000000 | 0x20000):
    refused(hex(flag), lambda: clone(flag))
""",
    "clone3_into_namespaces": """
import struct
def clone3():
    arguments = ctypes.create_string_buffer(struct.pack("11Q", 0x10000000, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, 0))
    child = syscall("clone3", arguments, 88)
    if child == 0:
        os._exit(0)
    return child
refused("clone3", clone3)
""",
    "joining_namespaces": """
for kind in ("mnt", "net", "pid", "user", "ipc", "uts"):
    for pid in ("1", "self"):
        refused(f"{pid} {kind}", lambda: syscall("setns", os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY), 0))
""",
    "mounts": """
refused("tmpfs", lambda: syscall("mount", b"x", b"/workspace", b"tmpfs", 0, None))
refused("proc", lambda: syscall("mount", b"proc", b"/tmp", b"proc", 0, None))
refused("bind", lambda: syscall("mount", b"/", b"/tmp", b"", ctypes.c_ulong(0x1000), None))
refused("unmount", lambda: syscall("umount2", b"/proc", 2))
""",
    "new_mount_calls": """
refused("fsopen", lambda: syscall("fsopen", b"tmpfs", 0))
refused("open_tree", lambda: syscall("open_tree", -100, b"/", ctypes.c_uint(1)))
refused("move_mount", lambda: syscall("move_mount", -100, b"/proc", -100, b"/tmp", 0))
""",
    "another_root": """
refused("chroot", lambda: os.chroot("/tmp"))
refused("pivot_root", lambda: syscall("pivot_root", b"/tmp", b"/tmp"))
""",
    "chroot_escape": """
def escape():
    os.makedirs("/tmp/jail", exist_ok=True)
    here = os.open(".", os.O_RDONLY)
    os.chroot("/tmp/jail")
    os.fchdir(here)
    for _ in range(20):
        os.chdir("..")
    os.chroot(".")
    return os.listdir("/")
refused("chroot", escape)
""",
    "files_by_handle": """
handle = ctypes.create_string_buffer(8 + 128)
ctypes.memmove(handle, (128).to_bytes(4, "little") + (1).to_bytes(4, "little"), 8)
mount_id = ctypes.c_int()
refused("open", lambda: syscall("open_by_handle_at", os.open("/", os.O_RDONLY), handle, 0))
""",
    "io_uring": """
parameters = ctypes.create_string_buffer(248)
refused("io_uring", lambda: syscall("io_uring_setup", 8, parameters))
""",
    "bpf": """
attributes = ctypes.create_string_buffer(128)
for command in (0, 5, 17):
    refused(str(command), lambda: syscall("bpf", command, attributes, 128))
""",
    "key_rings": """
refused("keyctl", lambda: syscall("keyctl", 0, -3, 1))
refused("add", lambda: syscall("add_key", b"user", b"name", b"data", 4, -4))
refused("request", lambda: syscall("request_key", b"user", b"name", None, -4))
""",
    "userfaultfd": """
refused("userfaultfd", lambda: syscall("userfaultfd", 0))
refused("user mode only", lambda: syscall("userfaultfd", 1))
""",
    "performance_counters": """
attributes = ctypes.create_string_buffer(128)
refused("perf", lambda: syscall("perf_event_open", attributes, 0, -1, -1, 0))
""",
    "odd_personality": """
refused("no randomisation", lambda: syscall("personality", 0x0040000))
refused("read implies exec", lambda: syscall("personality", 0x0400000))
""",
    "kernel_modules": """
refused("init", lambda: syscall("init_module", b"x", 1, b""))
refused("finit", lambda: syscall("finit_module", 0, b"", 0))
refused("delete", lambda: syscall("delete_module", b"ext4", 0))
refused("kexec", lambda: syscall("kexec_load", 0, 0, None, 0))
""",
    "reboot": """
refused("reboot", lambda: syscall("reboot", ctypes.c_uint(0xFEE1DEAD), 672274793, 0x89ABCDEF - (1 << 32), 0))
""",
    "swap_quota_accounting": """
refused("swapon", lambda: syscall("swapon", b"/workspace/x", 0))
refused("acct", lambda: syscall("acct", b"/workspace/x"))
refused("quotactl", lambda: syscall("quotactl", 0x800001 << 8, b"/dev/vda", 0, None))
refused("fanotify", lambda: syscall("fanotify_init", 0, 0))
""",
    "kernel_log": """
buffer = ctypes.create_string_buffer(4096)
refused("syslog", lambda: syscall("syslog", 3, buffer, 4096))
""",
    "clock_and_names": """
refused("clock", lambda: time.clock_settime(time.CLOCK_REALTIME, 0))
refused("host name", lambda: socket.sethostname("owned"))
""",
    "system_calls_of_32_bits": """
# getpid by int 0x80, where call numbers are others: a filter that forgets this is no filter.
if os.uname().machine == "x86_64":
    import mmap
    child = os.fork()
    if not child:
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        # mov eax, 310 (unshare); mov ebx, CLONE_NEWUSER; int 0x80; ret
        page.write(bytes.fromhex("b836010000" "bb00000010" "cd80" "c3"))
        call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
        os._exit(0 if call() == 0 else 1)
    _, status = os.waitpid(child, 0)
    if status == 0:
        print("ESCAPED 32 bit unshare")
""",
    "system_calls_of_x32": """
if os.uname().machine == "x86_64":
    child = os.fork()
    if not child:
        result = libc.syscall(ctypes.c_long(0x40000000 | 272), 0x10000000)
        os._exit(0 if result == 0 else 1)
    _, status = os.waitpid(child, 0)
    if status == 0:
        print("ESCAPED x32 unshare")
""",
    "capabilities": """
status = open("/proc/self/status").read()
for name in ("CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb"):
    value = int(status.split(name + ":")[1].split()[0], 16)
    if value:
        print("ESCAPED", name, hex(value))
if "NoNewPrivs:\\t1" not in status:
    print("ESCAPED new privileges")
""",
    "becoming_root": """
for change in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]), lambda: os.setresuid(0, 0, 0)):
    if os.getuid() != 0:
        refused("ids", change)
""",
}
