"""The task factory: validated instances from real packages, by their own releases and by seeded bugs."""
