"""Synthesis, place and route of exported Verilog: the demo and the table of docs/fpga.md."""
