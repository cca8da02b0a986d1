"""Kinds of test suites, one file each: how an agent's workspace starts, and how a patch is graded."""

from rlvr_gym.repositories.suites.base import SUITES, Suite, Terms, Workspace

__all__ = ["SUITES", "Suite", "Terms", "Workspace"]
