"""From demonstrations to what a learner imitates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rlvr_gym.agents import Demonstration

if TYPE_CHECKING:
    from rlvr_gym.learner import SFTExample
    from rlvr_gym.lm import TorchLM


def example_of(demonstration: Demonstration, lm: TorchLM) -> SFTExample:
    """Return a demonstration in the tokens of ``lm``; in a conversation what others wrote is shown, not imitated."""
    from rlvr_gym.learner import SFTExample

    stop = np.int32(lm.stop_ids[0])
    parts = [np.append(lm.codec.encode(demonstration.completion), stop)]
    imitated = [np.ones(len(parts[0]), bool)]
    for shown, written in demonstration.more:
        given, own = lm.render_added(shown), np.append(lm.codec.encode(written), stop)
        parts += [given, own]
        imitated += [np.zeros(len(given), bool), np.ones(len(own), bool)]
    return SFTExample(
        lm.render(demonstration.prompt),
        np.concatenate(parts),
        demonstration.weight,
        np.concatenate(imitated) if demonstration.more else None,
    )
