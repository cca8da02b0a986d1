"""Reading a whole run: what contradicts itself in it, and all of it that is deterministic."""

from __future__ import annotations

from rlvr_gym.errors import StoreError
from rlvr_gym.store.accounts import Fold, accounts
from rlvr_gym.store.blobs import Blobs
from rlvr_gym.store.canonical import canonical, timeless
from rlvr_gym.store.checkpoints import Checkpoints
from rlvr_gym.store.commits import Commits
from rlvr_gym.store.ledger import Ledger
from rlvr_gym.types import Json


def account_problems(ledger: Ledger) -> list[str]:
    """Fold the events from the beginning; return where they, the table of work and the identity disagree."""
    fold = Fold(ledger.events(None, None, void=True))
    lines = list(fold.problems)
    table = {(work.branch, work.work_id): work for work in ledger.works()}
    folded = {(work.branch, work.work_id): work for work in fold.works}
    for branch, work_id in sorted({*table, *folded}):
        if table.get((branch, work_id)) != folded.get((branch, work_id)):
            lines.append(f"work {work_id} of branch {branch}: the table of work and the events differ")
    for account in accounts(table.values()):
        if not account.balanced:
            lines.append(f"step {account.step}, {account.role or 'no role'}: the account does not balance")
    return lines


def file_problems(ledger: Ledger, commits: Commits, blobs: Blobs, checkpoints: Checkpoints) -> list[str]:
    """Read every event, blob and checkpoint; return those that are not what was written."""
    lines = ledger.damaged()
    for _, ref in ledger.blobs():
        try:
            blobs.read(ref)
        except StoreError as error:
            lines.append(str(error))
    for row in commits.rows():
        if row.checkpoint:
            try:
                checkpoints.check(row.checkpoint, row.files or {})
            except StoreError as error:
                lines.append(str(error))
    return lines


def dump(about: Json, ledger: Ledger, commits: Commits) -> Json:
    """Return all that is deterministic in a run, sorted."""
    blobs = {number: ref.digest for number, ref in ledger.blobs()}
    events = [
        [e.branch, e.step, e.kind, e.key, timeless(e.payload), None if e.blob is None else blobs[e.blob]]
        for e in ledger.events(None, None, void=True)
    ]
    works = [
        [w.branch, w.work_id, w.step, w.kind, w.role, w.parent, w.state, w.reason, w.closed]
        for w in ledger.works()
    ]
    rows = [
        [r.branch, r.step, r.checkpoint, timeless(r.state), r.healthy, r.void]
        for r in commits.rows(void=True)
    ]
    return {
        "run": about,
        "events": sorted(events, key=canonical),
        "works": sorted(works, key=canonical),
        "commits": rows,
    }
