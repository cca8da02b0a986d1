"""Runs pip such that nothing of a package is executed: a script for ``python -I``, never imported.

``pip download`` of a source release prepares its metadata by running the package's own build. Here pip reads them from
the release's PKG-INFO instead. The audit hook makes sure of it, whatever a version of pip does: this process can
start no other.
"""

import runpy
import sys
from pathlib import Path
from typing import Any

_STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty")


def _refuse(event: str, _: Any) -> None:
    if event.startswith(_STARTS):
        # The error of a program that is not there: pip asks one for the name of the system, and lives without.
        raise PermissionError(f"a release may not be built here, and pip tried to ({event})")


def _metadata(requirement: Any) -> Any:
    from pip._internal.metadata import get_metadata_distribution

    file = Path(requirement.unpacked_source_directory, "PKG-INFO")
    name = requirement.name or file.parent.name
    return get_metadata_distribution(file.read_bytes(), file.name, name)


def _main() -> None:
    from pip._internal.distributions.sdist import SourceDistribution
    from pip._internal.req.req_install import InstallRequirement

    InstallRequirement.get_dist = _metadata  # type: ignore[assignment]
    SourceDistribution.prepare_distribution_metadata = lambda *_, **__: None  # type: ignore[method-assign]
    SourceDistribution.get_metadata_distribution = lambda self: _metadata(self.req)  # type: ignore[method-assign]
    sys.addaudithook(_refuse)
    runpy.run_module("pip", run_name="__main__")


if __name__ == "__main__":
    _main()
