"""The root that a sandbox sees: system folders read-only, a small /dev and /etc, and one limited place to write."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping

from . import syscalls
from .settings import Limits

# Flags of mount(2).
_REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 0x20, 0x1000, 0x4000, 0x40000
_READ_ONLY, _NOSUID, _NODEV, _NOEXEC = 1, 2, 4, 8

NEW_ROOT = "/tmp"
"""Where the root is put together. Every machine has this folder, so none has to be made and removed."""
SCRATCH = f"{NEW_ROOT}/.scratch"

_EMPTY = ".empty"
_SYSTEM = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_ETC_COPIES = ("ld.so.cache", "localtime", "ssl/openssl.cnf")
_ETC_FOLDERS = ("alternatives", "ssl/certs")
# Of the host, not of the sandbox: kernel memory and addresses, boot settings, hardware.
_MASKED_FILES = (
    "cmdline config.gz diskstats interrupts iomem ioports kallsyms kcore key-users keys kmsg kpagecgroup kpagecount "
    "kpageflags modules partitions sched_debug slabinfo softirqs sysrq-trigger timer_list vmallocinfo"
).split()
_MASKED_FOLDERS = ("acpi", "asound", "bus", "driver", "fs", "irq", "pressure", "scsi", "sysvipc", "tty")


class Trees:
    """Detached copies of host folders, taken before anything is covered, and attached one by one."""

    def __init__(self, binds: Mapping[str, str], owners: Mapping[str, int]) -> None:
        flags = _READ_ONLY | _NOSUID | _NODEV
        sources = {f"/{name}": f"/{name}" for name in _SYSTEM if _is_real_folder(f"/{name}")}
        sources |= {
            f"/etc/{name}": f"/etc/{name}" for name in _ETC_FOLDERS if _is_real_folder(f"/etc/{name}")
        }
        self._trees = {inside: _tree(host, flags) for inside, host in sorted({**sources, **binds}.items())}
        for inside, owner in owners.items():
            # Where it cannot be shifted, what everybody may read is readable still.
            syscalls.shift_tree(self._trees[inside], owner)
        self._trees |= {f"/dev/{name}": _tree(f"/dev/{name}", _NOSUID | _NOEXEC) for name in _DEVICES}
        self.links = {name: os.readlink(f"/{name}") for name in _SYSTEM if os.path.islink(f"/{name}")}
        self.copies = {
            name: _content(f"/etc/{name}") for name in _ETC_COPIES if os.path.exists(f"/etc/{name}")
        }

    def attach(self) -> None:
        """Mount all of them under the new root."""
        for inside, tree in self._trees.items():
            target = NEW_ROOT + inside
            if stat.S_ISDIR(os.fstat(tree).st_mode):
                os.makedirs(target, exist_ok=True)
            else:
                write_file(target, b"")
            syscalls.attach_tree(tree, target)
            os.close(tree)


def _is_real_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _tree(path: str, flags: int) -> int:
    tree = syscalls.clone_tree(path)
    syscalls.restrict_tree(tree, flags)
    return tree


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def write_file(path: str, content: bytes) -> None:
    """Write a file and the folders above it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def begin(binds: Mapping[str, str], owners: Mapping[str, int]) -> Trees:
    """Cut this mount namespace off from the host's, and cover ``NEW_ROOT``; return what was taken before.

    Args:
        binds: Host path of what appears read-only, by the path inside.
        owners: For some of them, the user namespace that shifts their owner.
    """
    syscalls.mount("", "/", "", _RECURSIVE | _PRIVATE)
    trees = Trees(binds, owners)
    syscalls.mount("sandbox", NEW_ROOT, "tmpfs", _NOSUID | _NODEV, "size=4m,nr_inodes=4096,mode=755")
    return trees


def scratch(target: str, limits: Limits) -> None:
    """Mount the one file system that a sandbox may write to."""
    os.makedirs(target, exist_ok=True)
    # A few more inodes than asked for: the folders that we make in it ourselves.
    options = f"size={limits.disk_mib}m,nr_inodes={limits.inodes + 16},mode=755"
    syscalls.mount("scratch", target, "tmpfs", _NOSUID | _NODEV, options)


def own_folder(path: str, uid: int, gid: int, mode: int) -> None:
    """Make a folder for the sandbox's user."""
    os.mkdir(path)
    os.chown(path, uid, gid)
    os.chmod(path, mode)


def bind(source: str, target: str) -> None:
    """Show ``source`` at ``target`` too."""
    os.makedirs(target, exist_ok=True)
    syscalls.mount(source, target, "", _BIND)


def fill(trees: Trees, uid: int, gid: int) -> None:
    """Put the read-only parts into the new root."""
    for name, target in trees.links.items():
        os.symlink(target, f"{NEW_ROOT}/{name}")
    for name, content in trees.copies.items():
        write_file(f"{NEW_ROOT}/etc/{name}", content)
    accounts = {
        "passwd": f"root:x:0:0:root:/root:/bin/sh\nsandbox:x:{uid}:{gid}:sandbox:/tmp:/bin/sh\n",
        "group": f"root:x:0:\nsandbox:x:{gid}:\n",
        "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
        "hostname": "sandbox\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    for name, text in accounts.items():
        write_file(f"{NEW_ROOT}/etc/{name}", text.encode())
    trees.attach()
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"{NEW_ROOT}/dev/{name}")
    os.symlink("/proc/self/fd", f"{NEW_ROOT}/dev/fd")
    for folder in ("proc", "var", _EMPTY):
        os.makedirs(f"{NEW_ROOT}/{folder}", exist_ok=True)
    # A mount of its own, so that what it covers is read-only too: without root its owner is the sandbox's user.
    bind(f"{NEW_ROOT}/{_EMPTY}", f"{NEW_ROOT}/{_EMPTY}")
    syscalls.mount("", f"{NEW_ROOT}/{_EMPTY}", "", _REMOUNT | _BIND | _READ_ONLY | _NOSUID | _NODEV)
    os.symlink("/tmp", f"{NEW_ROOT}/var/tmp")


def link_box() -> None:
    """Let the writable paths lead to ``/box``, where each run of a zygote mounts its own file system."""
    os.mkdir(f"{NEW_ROOT}/box")
    for link, name in (("tmp", "tmp"), ("workspace", "workspace"), ("dev/shm", "shm")):
        os.symlink(f"/box/{name}", f"{NEW_ROOT}/{link}")


def mount_proc(*, hide_others: bool) -> None:
    """Mount the process list of this pid namespace, with the machine's own files masked.

    Args:
        hide_others: Show a user its own processes only. Without control groups pid 1 reads there what all of them use,
            and a process could hide itself from it.
    """
    proc = f"{NEW_ROOT}/proc"
    flags = _NOSUID | _NODEV | _NOEXEC
    syscalls.mount("proc", proc, "proc", flags, "hidepid=2" if hide_others else "")
    for name in _MASKED_FILES:
        if os.path.exists(f"{proc}/{name}"):
            syscalls.mount(f"{NEW_ROOT}/dev/null", f"{proc}/{name}", "", _BIND)
    for name in _MASKED_FOLDERS:
        if os.path.isdir(f"{proc}/{name}"):
            syscalls.mount(f"{NEW_ROOT}/{_EMPTY}", f"{proc}/{name}", "", _BIND)
    syscalls.mount("", proc, "", _REMOUNT | _BIND | _READ_ONLY | flags)


def mount_own_proc() -> None:
    """Mount the bare process list of a zygote's run: nothing of the machine in it."""
    syscalls.mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC | _READ_ONLY, "hidepid=2,subset=pid")


def enter(hidden: Iterable[str], links: Mapping[str, str]) -> None:
    """Make the new root the root, read-only, and drop the old one.

    Args:
        hidden: Folders to cover by an empty one.
        links: Targets of symbolic links to make, by their paths.
    """
    os.chdir(NEW_ROOT)
    # The old root goes on top of the new one, from where it can be taken off without a folder for it.
    syscalls.pivot_root(".", ".")
    syscalls.unmount(".")
    os.chdir("/")
    # Only here do absolute links lead where they will lead.
    for path in hidden:
        if os.path.isdir(path):
            syscalls.mount(f"/{_EMPTY}", path, "", _BIND)
    for path, target in links.items():
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(target, path)
        except OSError as error:
            raise OSError(error.errno, f"link {path} -> {target}: {error.strerror}") from None
    syscalls.mount("", "/", "", _REMOUNT | _BIND | _READ_ONLY | _NOSUID | _NODEV)
