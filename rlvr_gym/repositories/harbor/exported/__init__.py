"""What exported tasks carry along: scripts that run where this library is not installed."""
