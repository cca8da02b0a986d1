"""OpenAI-compatible endpoints: one client for policies and for judges."""

from rlvr_gym.policies.chat.addresses import address, key_of
from rlvr_gym.policies.chat.client import Chat, Client, EndpointFailure, Said, needs_httpx

__all__ = ["Chat", "Client", "EndpointFailure", "Said", "address", "key_of", "needs_httpx"]
