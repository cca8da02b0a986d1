"""Importing this module reads the model of the library, so that a worker's first program does not wait for it."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.inference.library import library
from rlvr_gym.verifiers.verus.lowering.library import core_library

core_library(library())
