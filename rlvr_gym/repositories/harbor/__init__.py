"""Task folders of the Harbor format: read, checked, written, and prepared to run without a container engine."""
