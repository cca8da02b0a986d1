"""Verifiers: functions from a task and a response to a typed verdict."""

from rlvr_gym.verifiers.base import VERIFIERS, Verifier, make_verifier, verifier, verify

__all__ = ["VERIFIERS", "Verifier", "make_verifier", "verifier", "verify"]
