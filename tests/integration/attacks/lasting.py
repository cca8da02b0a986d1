"""Ways to keep, hide or smuggle things: past a command, past a limit, past the folders that are watched."""

LASTING = {
    "writable_kernel_settings": """
import glob
for path in glob.glob("/proc/sys/**/*", recursive=True):
    if os.path.isfile(path) and os.access(path, os.W_OK):
        print("ESCAPED", path)
""",
    "a_program_that_lies_in_memory_only": """
# Neither a file's flags nor a read-only mount hold for it; a set-user-id bit must still count for nothing.
try:
    fd = os.memfd_create("program")
except PermissionError:
    fd = -1
if fd >= 0:
    with open("/bin/sh", "rb") as file:
        os.write(fd, file.read())
    os.fchmod(fd, 0o6755)
    out = subprocess.run([f"/proc/self/fd/{fd}", "-p", "-c", "id -u; umount /proc"], capture_output=True, pass_fds=[fd])
    if out.stdout.split()[:1] == [b"0"] and os.getuid():
        print("ESCAPED", out.stdout)
""",
    "changing_the_given_input": """
for path in ("/proc/self/fd/0", "/dev/stdin"):
    def change():
        with open(path, "r+b", buffering=0) as file:
            return file.write(b"x")
    refused(path, change)
    refused(path + " size", lambda: os.truncate(path, 100))
""",
    "whiteouts": """
def rename(flags):
    for name in ("one", "two"):
        open(name, "w").close()
    number = dict(x86_64=316, aarch64=276)[os.uname().machine]
    if libc.syscall(ctypes.c_long(number), -100, b"one", -100, b"two", flags):
        raise OSError(ctypes.get_errno(), "renameat2")
    return stat.S_ISCHR(os.lstat("one").st_mode) and os.open("one", os.O_RDWR)
refused("whiteout", lambda: os.mknod("w", 0o666 | stat.S_IFCHR, 0))
refused("opening what a rename left", lambda: rename(4))
""",
    "attributes_of_the_overlay": """
# What lies below can be redirected by attributes; a program that may set them reads elsewhere.
os.mkdir("view")
for prefix in ("trusted.overlay.", "user.overlay.", "user.overlay.overlay."):
    for name, value in (("redirect", b"/"), ("redirect", b"/../../etc"), ("opaque", b"y"), ("origin", bytes(30)), ("metacopy", b"")):
        try:
            os.setxattr("view", prefix + name, value)
        except OSError:
            pass
if os.listdir("view"):
    print("ESCAPED", os.listdir("view"))
for name in ("security.capability", "trusted.x"):
    refused(name, lambda: os.setxattr("view", name, bytes.fromhex("0100000200000000" * 3)[:20]))
""",
    "signals_through_a_descriptor": """
import fcntl
one, other = socket.socketpair()
for target in (1, -1):
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
        try:
            fcntl.fcntl(one, 8, target)
            fcntl.fcntl(one, 10, number)
            fcntl.fcntl(one, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        except OSError:
            continue
        if target == 1:
            other.send(b"x")
""",
    "signals_of_other_kinds_to_pid_1": """
import threading
if os.getpid() != 1:
    for number in (9, 19, 11, 6, 15):
        try:
            signal.pidfd_send_signal(os.pidfd_open(1), number)
        except OSError:
            pass
        for call, arguments in dict(x86_64=((234, (1, 1, number)), (200, (1, number))), aarch64=((131, (1, 1, number)), (130, (1, number))))[os.uname().machine]:
            libc.syscall(ctypes.c_long(call), *arguments)
""",
    "descriptors_that_travel": """
# Kept in flight in a socket that nobody holds: a way to outlive the limit of open files.
import array
pairs, sent = [], 0
try:
    for _ in range(40):
        pairs.append(socket.socketpair())
        for _ in range(200):
            one, other = socket.socketpair()
            pairs[-1][0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [one.fileno()]))])
            one.close(); other.close()
            sent += 1
except OSError:
    pass
if sent > 5000:
    print("ESCAPED", sent)
""",
    "instances_of_file_watchers": """
taken = 0
try:
    while taken < 5000:
        fd = libc.inotify_init()
        if fd < 0:
            break
        taken += 1
except OSError:
    pass
if taken > 300:
    print("ESCAPED", taken)
""",
    "the_time_of_a_file_system": """
for path in ("/usr/bin/env", "/etc/passwd", "/usr"):
    refused(path, lambda: os.utime(path, (0, 0)))
    refused(path + " owner", lambda: os.chown(path, os.getuid(), os.getgid()))
refused("foreign owner", lambda: os.chown(".", 0, 0))
""",
    "freezing_its_file_system": """
import fcntl
fd = os.open(".", os.O_RDONLY)
immutable = (0x10).to_bytes(8, sys.byteorder) + bytes(56)
for number in (0xC0045877, 0xC0045878, 0x40086602):
    refused(hex(number), lambda: fcntl.ioctl(fd, number, immutable))
""",
    "another_personality_of_a_program": """
# vm86, iopl and a local descriptor table: doors to real mode and ports.
if os.uname().machine == "x86_64":
    for number in (154, 172, 173):
        result = libc.syscall(ctypes.c_long(number), 3, 0, 0)
        if result >= 0 and number != 154:
            print("ESCAPED", number)
""",
    "what_an_earlier_program_left_in_the_kernel": """
# Names that outlive a process: a second attack of this kind would find them.
key = libc.shmget(0x5EED, 4096, 0)
queue = libc.msgget(0x5EED, 0)
if key >= 0 or queue >= 0:
    print("ESCAPED another's", key, queue)
""",
}
