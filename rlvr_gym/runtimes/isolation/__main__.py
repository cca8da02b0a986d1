"""The fresh interpreter that ``spawn`` starts: ``python -I -S isolation/__main__.py CONTROL_FD``.

It starts from a clean process, because a fork of the caller would carry the caller's memory into the sandbox.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    # Last, so that none of our file names hides a module of the standard library.
    sys.path.append(str(Path(__file__).parent.parent))
    from isolation.launcher import main  # type: ignore[import-not-found]  # by the line above

    sys.path.pop()
    main(int(sys.argv[1]))
