"""Gives the candidate's code ``exit`` and ``quit``, which an interpreter lacks that was started without ``site``."""

import site

site.setquit()
