"""Audit: what a verifier, an environment or a reward function really pays for."""

from rlvr_gym.testing.audit.report import FAULTS, AuditReport, Fault, Finding, Row
from rlvr_gym.testing.audit.run import ALL, audit

__all__ = ["ALL", "FAULTS", "AuditReport", "Fault", "Finding", "Row", "audit"]
