"""Gymnasium environments with verifiable rewards, self-play loops, and a learner for language models."""

from rlvr_gym.config import Config
from rlvr_gym.envs import ENVS, MultiTurnEnv, Reply, SingleTurnEnv, TaskEnv, make, register
from rlvr_gym.errors import RLVRError
from rlvr_gym.evaluation import EvalReport, evaluate
from rlvr_gym.policies import POLICIES, Policy, make_policy
from rlvr_gym.types import Completion, Image, Message, SampleRequest, Status, Task, Trajectory, Verdict
from rlvr_gym.verifiers import VERIFIERS, Verifier, make_verifier, verifier, verify

__version__ = "0.1.0"

__all__ = [
    # environments
    "make",
    "register",
    "TaskEnv",
    "SingleTurnEnv",
    "MultiTurnEnv",
    "Reply",
    "ENVS",
    # verifiers
    "verify",
    "verifier",
    "Verifier",
    "make_verifier",
    "VERIFIERS",
    # policies
    "Policy",
    "make_policy",
    "POLICIES",
    # evaluation
    "evaluate",
    "EvalReport",
    # records
    "Task",
    "Message",
    "Image",
    "Status",
    "Verdict",
    "SampleRequest",
    "Completion",
    "Trajectory",
    # settings and errors
    "Config",
    "RLVRError",
]
