"""Answers that name entities: found in a response, read as a list, and compared with the accepted names."""

from rlvr_gym.verifiers.kg_answers.channels import channels
from rlvr_gym.verifiers.kg_answers.claims import agrees, places, same_items
from rlvr_gym.verifiers.kg_answers.items import Item, Names, read_items
from rlvr_gym.verifiers.kg_answers.reference import Answer, Reference, read_reference
from rlvr_gym.verifiers.kg_answers.statement import Statement, find_statement

__all__ = [
    # References.
    "read_reference",
    "Reference",
    "Answer",
    # From the response to the items of its answer.
    "find_statement",
    "Statement",
    "read_items",
    "Names",
    "Item",
    # Whether all else that is said agrees.
    "same_items",
    "agrees",
    "places",
    # What a response is worth beside the answer.
    "channels",
]
