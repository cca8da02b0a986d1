"""The run store: a ledger, bulk data and checkpoints from which a run resumes bit for bit.

A run is a folder: ``run.sqlite`` (the ledger), ``blobs/`` (arrays), ``checkpoints/``, ``config.json``, and
``metrics.jsonl``, a mirror for other programs.
"""

from __future__ import annotations

from rlvr_gym.store.accounts import Account, Fold, accounts
from rlvr_gym.store.checkpoints import Checkpoint
from rlvr_gym.store.failures import DivergedError
from rlvr_gym.store.points import CRASH_POINTS, reached, set_hook
from rlvr_gym.store.rows import Commit, Event, Record, Work, WorkState
from rlvr_gym.store.run import RunStore

__all__ = [
    "RunStore",
    "Work",
    "Record",
    "Event",
    "WorkState",
    "Commit",
    "Checkpoint",
    "Account",
    "Fold",
    "accounts",
    "DivergedError",
    "CRASH_POINTS",
    "reached",
    "set_hook",
]
