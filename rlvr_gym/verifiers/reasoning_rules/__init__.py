"""How answers to `reasoning-gym` problems are judged: a rule for every generator, and upstream's scorers behind guards."""

from rlvr_gym.verifiers.reasoning_rules.base import Entry, Rule, Unreadable
from rlvr_gym.verifiers.reasoning_rules.extraction import answer_of
from rlvr_gym.verifiers.reasoning_rules.table import RULES, rule_for

__all__ = ["RULES", "Entry", "Rule", "Unreadable", "answer_of", "rule_for"]
