"""Proofs about exported Verilog: see ../README.md."""
