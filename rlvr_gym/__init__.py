"""Gymnasium environments with verifiable rewards, self-play loops, and a learner for language models."""

__version__ = "0.1.0"
