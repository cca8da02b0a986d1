"""Starts sandboxes and a zygote, keeps them busy, and waits to be killed."""

import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from rlvr_gym.runtimes.base import Limits, Spec
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.runtimes.zygote import Zygote


def main() -> None:
    runtime = LocalRuntime()
    sandboxes = [runtime.start(Spec()) for _ in range(2)]
    zygote = Zygote(workers=1)
    limits = Limits(wall_s=600)
    busy = [
        *(
            threading.Thread(target=s.exec, args=(["sleep", "600"],), kwargs={"wall_s": 600})
            for s in sandboxes
        ),
        threading.Thread(
            target=zygote.run, args=("import time; time.sleep(600)",), kwargs={"limits": limits}
        ),
    ]
    for thread in busy:
        thread.start()
    sys.stdout.write("busy\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
