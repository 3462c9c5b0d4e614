// The golden models in simulation: what the checkers share.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Link with libcotenant_capi, which has the functions imported here.

`ifndef COTENANT_PKG_SV
`define COTENANT_PKG_SV
package cotenant_pkg;
  // A model in its reset state; null if there is none, see cotenant_dpi_message.
  import "DPI-C" function chandle cotenant_dpi_new(input string unit, input string parameters);
  import "DPI-C" function void cotenant_dpi_free(input chandle model);
  // Why the last call failed.
  import "DPI-C" function string cotenant_dpi_message();
  // Width of a port in bits, 0 if there is none; direction 0 for inputs, 1 for outputs.
  import "DPI-C" function int cotenant_dpi_width(input chandle model, input int direction, input int port);
  // A word of the row of inputs of the next cycle.
  import "DPI-C" function void cotenant_dpi_input(input chandle model, input int word, input longint unsigned bits);
  // A clock cycle with these inputs: 0, or not 0 if the unit may not be driven like this.
  import "DPI-C" function int cotenant_dpi_step(input chandle model);
  // A word of the row of outputs of the last cycle.
  import "DPI-C" function longint unsigned cotenant_dpi_output(input chandle model, input int word);
  // A word of the row of outputs that the design has shown, and which of its bits are unknown.
  import "DPI-C" function void cotenant_dpi_seen(input chandle model, input int word, input longint unsigned bits, input longint unsigned unknown);
  // What differs from the last cycle's outputs: port and both values; empty if nothing does.
  import "DPI-C" function string cotenant_dpi_mismatch(input chandle model);

  // Width of a port that carries one of n ids.
  function automatic int unsigned id_w(int unsigned n);
    return n <= 2 ? 1 : $clog2(n);
  endfunction

  // Width of a position code, 0 to ways.
  function automatic int unsigned pos_w(int unsigned ways);
    return $clog2(ways + 1);
  endfunction

  // Bits that tell n values apart.
  function automatic int unsigned clog2(int unsigned n);
    return $clog2(n);
  endfunction

  // 64-bit words of a port.
  function automatic int unsigned words(int unsigned width);
    return (width + 63) / 64;
  endfunction
endpackage
`endif
