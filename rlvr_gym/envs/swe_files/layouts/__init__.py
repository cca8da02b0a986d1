"""One file per family of data sets."""
