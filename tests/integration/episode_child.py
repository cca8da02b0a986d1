"""Plays many episodes of ``swe-v0`` at once, is in the middle of a command in each, and waits to be killed."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import rlvr_gym

COMMANDS = (
    "sleep {mark}",
    "(setsid sleep {mark} >/dev/null 2>&1 &); sleep {mark}",
    "echo half > started.py; nohup sleep {mark} >/dev/null 2>&1 & sleep {mark}",
    "python3 -c 'import os, time; os.fork(); os.setsid() if os.getpid() % 2 else 0; time.sleep({mark})' & sleep {mark}",
    "while :; do head -c 100000 /dev/zero > /tmp/x; sleep 0.5; done",
)
"""What agents are at, some with children that become daemons."""


def main(runtime: str, episodes: int, mark: str) -> None:
    envs = [rlvr_gym.make("swe-v0", runtime=runtime, command_s=600, memory_mib=256) for _ in range(episodes)]

    def first(number: int) -> None:
        envs[number].reset(seed=number)
        envs[number].step("```bash\necho started > mine; cat mine\n```")

    def second(number: int) -> None:
        envs[number].step(f"```bash\n{COMMANDS[number % len(COMMANDS)].format(mark=mark)}\n```")

    for act in (first, second):
        threads = [threading.Thread(target=act, args=(number,)) for number in range(episodes)]
        for thread in threads:
            thread.start()
        if act is first:
            for thread in threads:
                thread.join()
    sys.stdout.write("busy\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
