"""Unit tests as a reward: tests as calls whose values are compared outside the sandbox that the code runs in."""
