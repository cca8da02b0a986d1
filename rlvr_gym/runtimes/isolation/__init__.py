"""Our own launcher: the kernel's isolation, one idea per file.

These modules also run as a package of their own, in a fresh interpreter without site-packages: they import the standard
library and each other, nothing else.
"""
