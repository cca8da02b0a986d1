"""Language models in torch: loading, sampling, log-probabilities. Importing this package needs the ``train`` extra."""

from rlvr_gym.lm.char_codec import CharCodec
from rlvr_gym.lm.codec import Codec
from rlvr_gym.lm.load import load
from rlvr_gym.lm.logprobs import TokenStats, token_logprobs
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.lm.sampler import sample
from rlvr_gym.lm.tiny import tiny

__all__ = ["CharCodec", "Codec", "TokenStats", "TorchLM", "load", "sample", "tiny", "token_logprobs"]
