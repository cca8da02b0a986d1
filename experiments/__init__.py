"""Small controlled experiments, built on the library as a third party would build them.

One file per experiment holds its world (an environment, its verifiers, its domain), its arms and its analysis.
Importing such a file registers the world. ``python -m experiments list`` tells what there is.
"""
