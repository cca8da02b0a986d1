"""An algorithm of one's own, trained for a few steps on one-digit sums with a policy from scratch."""

from jaxtyping import Float
from pydantic import PositiveFloat
from torch import Tensor

from rlvr_gym.learner.algorithms import AlgorithmConfig, Table, algorithm
from rlvr_gym.learner.batch import Batch
from rlvr_gym.learner.ratios import token_ratio
from rlvr_gym.learner.reductions import token_mean
from rlvr_gym.learner.regularisers import penalty


class SoftClip(AlgorithmConfig):
    """Settings of the soft clip."""

    advantage: Table = "centred"
    """Reward minus the group's mean."""
    width: PositiveFloat = 0.5
    """How far a token's ratio may go before its gain flattens."""


@algorithm("soft_clip", config=SoftClip)
def soft_clip(batch: Batch, config: SoftClip) -> Float[Tensor, ""]:
    """Return minus the gain, with tanh in place of PPO's hard clip."""
    moved_BT = config.width * ((token_ratio(batch) - 1.0) / config.width).tanh()
    return token_mean(-moved_BT * batch.advantages_BT + penalty(batch, config), batch)


if __name__ == "__main__":
    import tempfile
    from pathlib import Path

    from rlvr_gym.selfplay import train

    recipe = {
        "loop": {"name": "rlvr", "prompts": 8, "attempts": 4},
        "environment": {"name": "sums-v0", "style": "compact"},
        "steps": 3,
        "policies": {"main": {"name": "tiny", "layers": 1, "width": 32, "heads": 2}},
        "sampling": {"max_new_tokens": 4},
        "learner": {"algorithm": {"name": "soft_clip", "width": 0.3}},
        "warm_start": {"examples": 512, "steps": 60, "batch_size": 32},
        "evaluation": {"tasks": 40},
    }
    report = train(recipe, folder=Path(tempfile.mkdtemp()) / "run")
    print(f"held-out accuracy {report.heldout_before['mean']:.2f} -> {report.heldout_after['mean']:.2f}")
    print(f"{report.steps} steps in {report.folder}")
