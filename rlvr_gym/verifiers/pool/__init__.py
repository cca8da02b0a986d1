"""The killable verifier pool: judges run in warm workers that end at their limit, whatever they are doing."""

from rlvr_gym.verifiers.pool.core import VerifierPool, shared_pool
from rlvr_gym.verifiers.pool.reply import VerifierBug, trimmed
from rlvr_gym.verifiers.pool.state import PoolStats
from rlvr_gym.verifiers.pool.worker import in_worker

__all__ = ["PoolStats", "VerifierBug", "VerifierPool", "in_worker", "shared_pool", "trimmed"]
