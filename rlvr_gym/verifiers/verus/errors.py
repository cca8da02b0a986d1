"""Why the front end stops reading a program. Every one of these becomes a report; none is a bug."""

from __future__ import annotations

from rlvr_gym.errors import RLVRError
from rlvr_gym.verifiers.verus.report import Outcome, Place


class Stop(RLVRError, ValueError):
    """Reading ends here, with an outcome and a place."""

    outcome = Outcome.CRASH

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


class Rejected(Stop):
    """The compiler would refuse this."""

    outcome = Outcome.REJECTED


class Unsupported(Stop):
    """Outside the subset; nothing is claimed."""

    outcome = Outcome.UNSUPPORTED


class Cheat(Stop):
    """The program assumes what it should prove."""

    outcome = Outcome.CHEAT
