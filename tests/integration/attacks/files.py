"""Ways to read or change what belongs to the host."""

FILES = {
    "host_secrets_in_etc": """
for path in ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssh/ssh_host_rsa_key", "/etc/ssl/private"):
    refused(path, lambda: os.listdir(path) if os.path.isdir(path) else open(path).read())
if "root:" in (text := open("/etc/passwd").read()) and HOST["user"] not in ("", "root") and HOST["user"] in text:
    print("ESCAPED accounts", text)
""",
    "homes": """
home = HOST["home"]
for name in (".ssh", ".bash_history", ".netrc", ".cache", ".config", ".bashrc"):
    refused(name, lambda: os.stat(f"{home}/{name}"))
refused("user homes", lambda: os.listdir("/home")[0])
""",
    "a_readable_file_of_the_caller": """
refused("secret", lambda: open(HOST["secret_path"]).read())
""",
    "walking_up_and_out": """
for path in ("/..", "/../../..", "/proc/self/root/..", "/proc/self/cwd/../../.."):
    if HOST["secret_path"].strip("/").split("/")[1] in os.listdir(path):
        print("ESCAPED", path)
for start in ("/proc/1/root", "/proc/self/root", ""):
    refused(start, lambda: open(start + HOST["secret_path"]).read())
""",
    "searching_everything_for_the_secret": """
for folder, folders, files in os.walk("/"):
    folders[:] = [f for f in folders if os.path.join(folder, f) not in ("/usr", "/proc", "/sys") and f != "lib"]
    for name in files:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.R_OK) and os.path.getsize(path) < 100_000:
            if HOST["secret_head"].encode() in open(path, "rb").read() and b"HOST" not in open(path, "rb").read():
                print("ESCAPED", path)
""",
    "environment_of_the_caller": """
if any(HOST["secret_head"] in value for value in os.environ.values()):
    print("ESCAPED own environment")
for pid in ["1", "self", *filter(str.isdigit, os.listdir("/proc"))]:
    try:
        text = open(f"/proc/{pid}/environ", "rb").read()
    except OSError:
        continue
    if HOST["secret_head"].encode() in text:
        print("ESCAPED environment of", pid)
""",
    "arguments_of_other_processes": """
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        text = open(f"/proc/{pid}/cmdline", "rb").read()
    except OSError:
        continue
    if pid != str(os.getpid()) and HOST["secret_head"].encode() in text:
        print("ESCAPED", pid)
""",
    "inherited_descriptors": """
for fd in os.listdir("/proc/self/fd"):
    try:
        target = os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        continue
    if int(fd) > 2 and "/proc/" not in target and "attack" not in target:
        print("ESCAPED", fd, target)
for fd in range(3, 256):
    refused(str(fd), lambda: os.pread(fd, 100, 0))
""",
    "descriptors_of_pid_1": """
def nonempty(value):
    if not value:
        raise OSError("empty")
    return value
own = os.getpid() == 1
if not own:
    refused("list", lambda: os.listdir("/proc/1/fd")[0])
    for fd in range(0, 20):
        refused(str(fd), lambda: os.open(f"/proc/1/fd/{fd}", os.O_RDWR))
    refused("memory", lambda: open("/proc/1/mem", "rb+"))
    refused("maps", lambda: nonempty(open("/proc/1/maps").read()))
""",
    "kernel_memory": """
for path in ("/proc/kcore", "/dev/mem", "/dev/kmem", "/dev/port", "/proc/kmsg", "/dev/kmsg"):
    def read():
        with open(path, "rb", buffering=0) as file:
            os.set_blocking(file.fileno(), False)
            data = file.read(16)
        if not data:
            raise OSError("empty")
        return data
    refused(path, read)
""",
    "kernel_addresses": """
try:
    lines = open("/proc/kallsyms").read().splitlines()
except OSError:
    lines = []
if any(not line.startswith("0000000000000000") for line in lines):
    print("ESCAPED", lines[0])
""",
    "disks_and_devices": """
for name in ("vda", "sda", "nvme0n1", "loop0", "kvm", "fuse", "net/tun", "vsock", "vhost-vsock", "tty0", "dri", "nvidia0"):
    refused(name, lambda: os.open(f"/dev/{name}", os.O_RDONLY | os.O_NONBLOCK))
""",
    "writing_to_system_folders": """
for folder in ("/", "/usr", "/usr/bin", "/usr/lib", "/bin", "/etc", "/lib", "/root", "/proc", "/dev", "/var"):
    refused(folder, lambda: open(f"{folder}/planted", "w"))
for path in ("/usr/bin/env", "/etc/passwd", "/bin/sh"):
    refused(path, lambda: open(path, "r+"))
    refused(path, lambda: os.chmod(path, 0o777))
    refused(path, lambda: os.rename(path, path + ".old"))
""",
    "writing_to_the_interpreter": """
refused("standard library", lambda: open(os.__file__, "a"))
refused("interpreter", lambda: open(os.path.realpath(sys.executable), "r+b"))
refused("site", lambda: open(os.path.join(os.path.dirname(os.__file__), "site-packages", "evil.pth"), "w"))
""",
    "kernel_settings": """
for path in ("kernel/core_pattern", "kernel/modprobe", "vm/overcommit_memory", "kernel/hostname", "net/ipv4/ip_forward",
             "kernel/randomize_va_space", "fs/binfmt_misc/register", "kernel/sysrq"):
    refused(path, lambda: open(f"/proc/sys/{path}", "w"))
for path in ("sysrq-trigger", "irq/0/smp_affinity", "bus/pci", "acpi/wakeup", "timer_list"):
    def write():
        if stat.S_ISCHR(os.stat(f"/proc/{path}").st_mode):
            raise OSError("masked")
        return open(f"/proc/{path}", "w")
    refused(path, write)
""",
    "the_system_tree": """
for path in ("/sys/kernel/uevent_helper", "/sys/power/state", "/sys/fs/cgroup/memory/tasks",
             "/sys/kernel/debug", "/sys/fs/cgroup/cgroup.procs", "/sys/kernel/mm/transparent_hugepage/enabled"):
    refused(path, lambda: os.open(path, os.O_WRONLY))
""",
    "control_groups": """
for root, folders, files in os.walk("/sys/fs/cgroup"):
    for name in files:
        if os.access(os.path.join(root, name), os.W_OK):
            print("ESCAPED", root, name)
""",
    "remounting_what_is_read_only": """
for path in ("/", "/usr", "/proc"):
    refused(path, lambda: syscall("mount", b"", path.encode(), b"", ctypes.c_ulong(0x20 | 0x1000), None))
""",
    "changing_the_prepared_workspace": """
open("/workspace/seed.txt", "w").write("changed")
os.chmod("/workspace/seed.txt", 0o777)
os.rename("/workspace/folder/inner.txt", "/workspace/moved.txt")
os.unlink("/workspace/other.txt")
os.link("/workspace/seed.txt", "/workspace/hard.txt")
open("/workspace/hard.txt", "a").write("more")
fd = os.open("/workspace/keep.txt", os.O_RDWR)
import mmap
with mmap.mmap(fd, 0) as view:
    view[:4] = b"evil"
""",
    "reaching_the_overlay_below": """
for line in open("/proc/self/mountinfo"):
    for word in line.replace(",", " ").split():
        for key in ("upperdir=", "lowerdir=", "workdir="):
            if word.startswith(key):
                path = word[len(key):].split(":")[0]
                refused(path, lambda: os.listdir(path))
""",
    "set_user_id_programs": """
for program in ("/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount", "/usr/bin/newgrp", "/usr/bin/chsh", "/usr/bin/sudo"):
    if os.path.exists(program):
        done = subprocess.run([program, "--help"], capture_output=True, stdin=subprocess.DEVNULL)
if os.geteuid() == 0 and open("/proc/self/uid_map").read().split()[:2] == ["0", "0"]:
    print("ESCAPED root")
import shutil
shutil.copy("/bin/sh", "/workspace/sh")
os.chmod("/workspace/sh", 0o6755)
out = subprocess.run(["/workspace/sh", "-p", "-c", "id -u"], capture_output=True, text=True).stdout.strip()
if out == "0" and os.getuid() != 0:
    print("ESCAPED set-user-id", out)
""",
    "device_nodes": """
for path, device in (("/workspace/disk", os.makedev(254, 0)), ("/tmp/mem", os.makedev(1, 1)), ("/dev/shm/kmsg", os.makedev(1, 11))):
    for kind in (stat.S_IFBLK, stat.S_IFCHR):
        refused(path, lambda: os.mknod(path, 0o666 | kind, device))
""",
}
