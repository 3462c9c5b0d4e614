"""Exported units as gates of a standard-cell library: `scripts/asic`."""
