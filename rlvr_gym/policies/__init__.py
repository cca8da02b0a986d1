"""Policies: who writes text. Token ids in, token ids out."""

from rlvr_gym.policies.base import POLICIES, Policy, make_policy, opening, resolve_policy, room_left

__all__ = ["POLICIES", "Policy", "make_policy", "opening", "resolve_policy", "room_left"]
