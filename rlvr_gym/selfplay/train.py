"""From a recipe to a finished run in a folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rlvr_gym.errors import StoreError
from rlvr_gym.selfplay.cast import Cast
from rlvr_gym.selfplay.coordinator import RunReport, SelfPlay, Watch, unwatched
from rlvr_gym.selfplay.recipe import load_recipe
from rlvr_gym.store import RunStore

DEMO = Path(__file__).with_name("demo.toml")
"""The embedded default: VHG on elementary integrals with a tiny policy."""
_FREE = ("steps", "threads", "alarms")
"""Settings that a resumed run may change."""


def train(
    recipe: Path | str | dict[str, Any],
    *,
    folder: Path | str,
    overrides: Sequence[str] = (),
    resume: bool = False,
    watch: Watch | None = None,
) -> RunReport:
    """Run a recipe in ``folder`` and return what it came to; ``summary.json`` there holds the same.

    Args:
        recipe: A TOML file, or its tables.
        folder: Where the run is recorded; made if missing.
        overrides: ``a.b=value`` each.
        resume: Go on with the run that ``folder`` holds; its settings must be the same, but for ``steps``,
            ``threads`` and ``alarms``.
        watch: Told of progress.

    Raises:
        ConfigError: a wrong setting.
        StoreError: a folder that holds a run although ``resume`` is off, or holds none although it is on, or is
            damaged, foreign, full or not writable.
    """
    from rlvr_gym import __version__

    folder = Path(folder)
    settings = load_recipe(Path(recipe) if isinstance(recipe, str) else recipe, overrides)
    config = settings.model_dump(mode="json")
    exists = RunStore.exists(folder)
    if exists and not resume:
        raise StoreError(f"{folder}: there is a run here already. Resume it or choose another folder.")
    if resume and not exists:
        raise StoreError(f"{folder}: there is no run here to resume.")
    # A new run's cast is built first, so that a wrong setting leaves no folder behind.
    cast = None if exists else Cast(settings)
    store = (
        RunStore.open(folder, config=config, free=_FREE)
        if exists
        else RunStore.create(folder, config=config, seed=settings.seed, code_version=__version__)
    )
    with store:
        run = SelfPlay(settings, store, cast or Cast(settings), watch or unwatched)
        report = run.run()
        (folder / "summary.json").write_text(f"{json.dumps(report.summary(), indent=2)}\n", encoding="utf-8")
    return report
