"""How the logs of test runners are read, one file per family, under the names that SWE-bench rows use.

What a log says is written by the code under test: see `rlvr_gym.repositories.suites.script`.
"""

from rlvr_gym.repositories.log_parsers.base import LOG_PARSERS, LogParser, log_parser

__all__ = ["LOG_PARSERS", "LogParser", "log_parser"]
