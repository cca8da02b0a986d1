"""What a machine lacks for a tier, told apart before anything is tried."""

from __future__ import annotations

import os
import platform
import re

from . import cgroups, landlock, seccomp

_OLDEST = (5, 12)
"""First kernel whose mounts can be restricted as trees and shifted in owner."""


_CAPABILITIES = {
    "CHOWN": 0,
    "DAC_OVERRIDE": 1,
    "KILL": 5,
    "SETGID": 6,
    "SETUID": 7,
    "SETPCAP": 8,
    "NET_ADMIN": 12,
    "SYS_ADMIN": 21,
}


def groups(tier: str) -> cgroups.Groups:
    """Return the control groups that a tier uses: needed as root, taken where delegated otherwise."""
    return cgroups.find()[0] if tier in ("root", "unprivileged") else ()


def missing(tier: str) -> list[str]:
    """Return what is missing for ``tier``, one line each."""
    if platform.system() != "Linux":
        return [f"Linux (this is {platform.system()})"]
    lines = []
    if not seccomp.supported():
        lines.append(f"seccomp filters for {os.uname().machine}")
    if tier == "root":
        lines += _for_root()
    elif tier == "unprivileged":
        lines += _for_others()
    else:
        lines += _for_pods()
    return lines


def of_kernel(release: str) -> list[str]:
    """Return what a kernel of this release is too old for."""
    numbers = tuple(map(int, re.findall("[0-9]+", release)[:2]))
    if numbers < _OLDEST:
        return [f"Linux {'.'.join(map(str, _OLDEST))} or later (this is {release})"]
    return []


def _for_root() -> list[str]:
    if os.geteuid() != 0:
        return ['root (this user may have tier = "unprivileged")']
    lines = of_kernel(os.uname().release)
    lines += _capabilities_missing("SYS_ADMIN", "SETUID", "SETGID", "SETPCAP", "KILL", "CHOWN", "NET_ADMIN")
    return lines + cgroups.find()[1]


def _for_pods() -> list[str]:
    if os.geteuid() != 0:
        return ["root, to run commands as a user who owns nothing"]
    lines = _capabilities_missing("SETUID", "SETGID", "SETPCAP", "KILL", "CHOWN", "DAC_OVERRIDE")
    if (found := landlock.abi()) < landlock.OLDEST_ABI:
        lines.append(f"Landlock ABI {landlock.OLDEST_ABI}, Linux 6.12 (this kernel has {found or 'none'})")
    return lines


def _capabilities_missing(*names: str) -> list[str]:
    held = _capabilities()
    return [f"the capability CAP_{name}" for name in names if not held >> _CAPABILITIES[name] & 1]


def _for_others() -> list[str]:
    if os.geteuid() == 0:
        return ["a user that is not root: in a user namespace root would stay root"]
    lines = of_kernel(os.uname().release)
    if not os.path.exists("/proc/self/ns/user"):
        return [*lines, "user namespaces in this kernel"]
    return lines + of_settings()


def of_settings(folder: str = "/proc/sys") -> list[str]:
    """Return which kernel settings keep users from making namespaces."""
    lines = []
    for setting, refused in (
        ("user/max_user_namespaces", "0"),
        ("kernel/unprivileged_userns_clone", "0"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1"),
    ):
        if _content(f"{folder}/{setting}") == refused:
            lines.append(f"user namespaces: sysctl {setting.replace('/', '.')} is {refused}")
    return lines


def _content(path: str) -> str:
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return ""


def _capabilities() -> int:
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith("CapEff:"):
                return int(line.split()[1], 16)
    return 0
