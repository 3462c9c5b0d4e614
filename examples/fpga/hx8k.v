// The demo on Lattice's iCE40-HX8K Breakout Board; pins in hx8k.pcf.
// SPDX-License-Identifier: MIT OR Apache-2.0
`default_nettype none

module hx8k #(
    parameter BAUD = 115200
) (
    input wire clock, // 12 MHz
    input wire rx,
    output wire tx,
    output wire led // lit: all of the text is sent
);
  demo #(
      .CLOCK_HZ(12000000),
      .BAUD(BAUD)
  ) demo (
      .clock(clock),
      .rx(rx),
      .again(1'b0), // the board has no button for the design
      .tx(tx),
      .finished(led)
  );
endmodule
`default_nettype wire
