"""Agents: roles played by a policy, and what each of them sees."""

from rlvr_gym.agents.base import DOMAINS, Demonstration, Domain, claimed
from rlvr_gym.agents.environment import EnvironmentDomain, make_domain

__all__ = ["DOMAINS", "Demonstration", "Domain", "EnvironmentDomain", "claimed", "make_domain"]
