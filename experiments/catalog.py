"""The experiments by name."""

from __future__ import annotations

from experiments.ancora import Ancora
from experiments.ancora_verus import AncoraVerus
from experiments.design import Experiment
from experiments.pass_rate import PassRateAgainstAll
from experiments.prefix_sampling import PrefixSamplingAgainstPlain
from experiments.sign_against_dr_grpo import SignAgainstDrGRPO
from experiments.spark import Spark
from experiments.vhg_against_naive import VHGAgainstNaive

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        Ancora(),
        AncoraVerus(),
        PassRateAgainstAll(),
        PrefixSamplingAgainstPlain(),
        SignAgainstDrGRPO(),
        Spark(),
        VHGAgainstNaive(),
    )
}
