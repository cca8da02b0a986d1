"""Admission rules: which groups train at all."""

from rlvr_gym.learner.admissions.base import ADMISSIONS, Admission, admission, make_admission

__all__ = ["ADMISSIONS", "Admission", "admission", "make_admission"]
