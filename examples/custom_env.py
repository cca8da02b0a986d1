"""An environment of one's own, checked against the contract and played through Gymnasium."""

import gymnasium
import numpy as np
from pydantic import PositiveInt

from rlvr_gym.config import Config
from rlvr_gym.envs import SingleTurnEnv, register
from rlvr_gym.types import Task


class Remainders(Config):
    """Settings of the environment."""

    largest: PositiveInt = 99
    """Largest number."""


class RemaindersEnv(SingleTurnEnv):
    """Find the remainder of a division."""

    def __init__(self, config: Remainders) -> None:
        super().__init__("number")
        self.config = config

    def draw(self, rng: np.random.Generator) -> Task:
        """Draw both numbers from ``rng``."""
        number = int(rng.integers(0, self.config.largest + 1))
        divisor = int(rng.integers(2, 10))
        return Task(
            id=f"remainders:{number}:{divisor}",
            prompt=f"What is the remainder of {number} divided by {divisor}? Answer with a number only.",
            reference=number % divisor,
            strata={"divisor": divisor},
        )

    def oracle(self, task: Task) -> str:
        """Return the remainder."""
        return str(task.reference)


register("remainders", RemaindersEnv, Remainders)

if __name__ == "__main__":
    # Guarded, since the contract starts processes that import this file.
    from rlvr_gym.testing import check_environment

    for check in check_environment("remainders", largest=50):
        print("holds" if check.passed else "FAILS", check.name.replace("_", " "))

    envs = gymnasium.make_vec("rlvr_gym/remainders-v0", num_envs=2, vectorization_mode="sync")
    prompts, _ = envs.reset(seed=0)
    _, rewards, *_ = envs.step(("0", "1"))
    for prompt, reward in zip(prompts, rewards, strict=True):
        print(prompt, "->", reward)
    envs.close()
