"""Attacks on a sandbox: programs that print ESCAPED when they get what they must not, and ``held`` at their end."""

from tests.integration.attacks.files import FILES
from tests.integration.attacks.kernel import KERNEL
from tests.integration.attacks.lasting import LASTING
from tests.integration.attacks.network import NETWORK
from tests.integration.attacks.processes import PROCESSES

ATTACKS = {**NETWORK, **FILES, **PROCESSES, **KERNEL, **LASTING}

PRELUDE = '''
import ctypes, errno, json, os, resource, signal, socket, stat, subprocess, sys, time
HOST = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)

def refused(what, do):
    """Say so when ``do`` works."""
    try:
        got = do()
    except Exception as error:
        print("refused", what, type(error).__name__, error)
        return
    print("ESCAPED", what, repr(got)[:200])

def syscall(name, *arguments):
    """Call by number; raises like the os module."""
    number = NUMBERS[os.uname().machine][name]
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result

NUMBERS = {
    "x86_64": dict(ptrace=101, unshare=272, mount=165, umount2=166, pivot_root=155, chroot=161, setns=308, bpf=321,
        io_uring_setup=425, userfaultfd=323, perf_event_open=298, keyctl=250, add_key=248, request_key=249,
        open_by_handle_at=304, name_to_handle_at=303, process_vm_readv=310, process_vm_writev=311, personality=135,
        init_module=175, finit_module=313, delete_module=176, kexec_load=246, reboot=169, swapon=167, acct=163,
        pidfd_getfd=438, fsopen=430, open_tree=428, move_mount=429, clone3=435, memfd_secret=447, syslog=103,
        settimeofday=164, clock_settime=227, sethostname=170, quotactl=179, kcmp=312, fanotify_init=300, clone=56),
    "aarch64": dict(ptrace=117, unshare=97, mount=40, umount2=39, pivot_root=41, chroot=51, setns=268, bpf=280,
        io_uring_setup=425, userfaultfd=282, perf_event_open=241, keyctl=219, add_key=217, request_key=218,
        open_by_handle_at=265, name_to_handle_at=264, process_vm_readv=270, process_vm_writev=271, personality=92,
        init_module=105, finit_module=273, delete_module=106, kexec_load=104, reboot=142, swapon=224, acct=89,
        pidfd_getfd=438, fsopen=430, open_tree=428, move_mount=429, clone3=435, memfd_secret=447, syslog=116,
        settimeofday=170, clock_settime=112, sethostname=161, quotactl=60, kcmp=272, fanotify_init=262, clone=220),
}
'''
END = "\nprint('held')\n"
