"""Exported units mapped to a standard-cell library: `scripts/asic`."""
