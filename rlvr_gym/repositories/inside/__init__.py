"""What runs the tests inside a sandbox. It is trusted, starts in a fresh interpreter, and imports nothing of ours.

``main`` is the judge's process: it writes the files, starts the worker, and believes of what the worker says only what is
complete and in order. ``worker`` is the process in which pytest and the code under test run. ``watching`` is the plugin that
tells the judge what became of each test.
"""
