"""A writable view of a prepared folder that stays as it is: an overlay, with the owner shifted to the sandbox's user."""

from __future__ import annotations

import errno
import os
import signal

from . import root, syscalls
from .settings import Limits

_NEWUSER = 0x10000000
WORKSPACE = "/workspace"


Owner = tuple[int, int]


def owner_of(path: str) -> Owner:
    """Return the user and group that a host folder belongs to."""
    found = os.stat(path)
    return found.st_uid, found.st_gid


def shift(owner: Owner, uid: int, gid: int) -> int:
    """Return a user namespace in which ``owner`` is the sandbox's user.

    Call it before the process has a pid namespace for its children: it opens /proc by a child's number.
    """
    ready, wait = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        try:
            syscalls.unshare(_NEWUSER)
            os.write(ready[1], b"x")
            os.close(wait[1])
            os.read(wait[0], 1)
        finally:
            os._exit(0)
    try:
        os.close(ready[1])
        if not os.read(ready[0], 1):
            raise OSError(
                errno.EPERM, "cannot make a user namespace to shift the owner of the workspace with"
            )
        for name, inside, outside in (("uid", owner[0], uid), ("gid", owner[1], gid)):
            with open(f"/proc/{child}/{name}_map", "w") as file:
                file.write(f"{inside} {outside} 1")
        return os.open(f"/proc/{child}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for fd in (ready[0], *wait):
            os.close(fd)


class Source:
    """The prepared folder, taken before the host's folders are covered.

    Args:
        folder: Host folder; empty for an empty workspace.
        owner: What ``shift`` returned, -1 where the folder's owner already is the sandbox's user.
    """

    def __init__(self, folder: str, owner: int) -> None:
        self.shifted = True
        self._tree = -1
        if not folder:
            return
        self._tree = syscalls.clone_tree(folder)
        if owner >= 0:
            # Where this file system cannot shift owners a copy can.
            self.shifted = syscalls.shift_tree(self._tree, owner)
        syscalls.restrict_tree(
            self._tree, syscalls.MOUNT_READ_ONLY | syscalls.MOUNT_NOSUID | syscalls.MOUNT_NODEV
        )

    def mount(self, limits: Limits, uid: int, gid: int, *, in_user_namespace: bool) -> None:
        """Put the workspace and the folders for temporary files into the new root, all on one limited file system."""
        scratch = root.SCRATCH
        root.scratch(scratch, limits)
        for name, mode in (("tmp", 0o1777), ("shm", 0o1777), ("upper", 0o755)):
            root.own_folder(f"{scratch}/{name}", uid, gid, mode)
        workspace = f"{root.NEW_ROOT}{WORKSPACE}"
        if self._tree < 0:
            root.bind(f"{scratch}/upper", workspace)
        else:
            self._overlay(scratch, workspace, uid, gid, in_user_namespace=in_user_namespace)
        root.bind(f"{scratch}/tmp", f"{root.NEW_ROOT}/tmp")
        root.bind(f"{scratch}/shm", f"{root.NEW_ROOT}/dev/shm")
        # What was mounted from it stays; the overlay's own folders are no longer in reach.
        syscalls.unmount(scratch)
        os.rmdir(scratch)

    def _overlay(self, scratch: str, workspace: str, uid: int, gid: int, *, in_user_namespace: bool) -> None:
        os.mkdir(f"{scratch}/work")
        os.mkdir(f"{scratch}/lower")
        os.makedirs(workspace)
        syscalls.attach_tree(self._tree, f"{scratch}/lower")
        os.close(self._tree)
        lower = f"{scratch}/lower"
        if not self.shifted:
            lower = f"{scratch}/copied"
            os.mkdir(lower)
            syscalls.mount("copied", lower, "tmpfs", syscalls.MOUNT_NOSUID | syscalls.MOUNT_NODEV)
            copy_tree(f"{scratch}/lower", lower, uid, gid)
        # In a user namespace redirections are not to be had: a folder of the lower layer is renamed by copying.
        kind = "userxattr" if in_user_namespace else "redirect_dir=on"
        options = f"lowerdir={lower},upperdir={scratch}/upper,workdir={scratch}/work,{kind}"
        syscalls.mount(
            "workspace", workspace, "overlay", syscalls.MOUNT_NOSUID | syscalls.MOUNT_NODEV, options
        )


def copy_tree(source: str, target: str, uid: int, gid: int) -> None:
    """Copy folders, files and links, all owned by the sandbox's user."""
    with os.scandir(source) as entries:
        for entry in entries:
            there = f"{target}/{entry.name}"
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), there)
            elif entry.is_dir():
                os.mkdir(there)
                copy_tree(entry.path, there, uid, gid)
            elif entry.is_file():
                with open(entry.path, "rb") as read, open(there, "wb") as write:
                    while os.sendfile(write.fileno(), read.fileno(), None, 1 << 24):
                        pass
            else:
                continue
            os.lchown(there, uid, gid)
            if not entry.is_symlink():
                os.chmod(there, entry.stat().st_mode & 0o777)
