// A binary number as decimal digits, by doubling: one bit per cycle.
// SPDX-License-Identifier: MIT OR Apache-2.0
`default_nettype none

module decimal #(
    parameter VALUE_W = 21,
    // Enough for 2**VALUE_W - 1.
    parameter DIGITS = 7
) (
    input wire clock,
    // Synchronous, active high.
    input wire reset,
    // Take value and begin.
    input wire start,
    input wire [VALUE_W-1:0] value,
    // High from the cycle after start on, for VALUE_W cycles.
    output wire busy,
    // Four bits per digit, ones lowest; valid while not busy.
    output reg [4*DIGITS-1:0] digits
);
  localparam LEFT_W = $clog2(VALUE_W + 1);

  reg [VALUE_W-1:0] rest;
  reg [LEFT_W-1:0] left;
  reg [4*DIGITS-1:0] adjusted;
  integer i;

  assign busy = left != 0;

  // A digit of five or more carries when doubled: three more makes it do so in binary.
  always @* begin
    adjusted = digits;
    for (i = 0; i < DIGITS; i = i + 1)
      if (digits[4*i +: 4] >= 5) adjusted[4*i +: 4] = digits[4*i +: 4] + 4'd3;
  end

  always @(posedge clock)
    if (reset) left <= 0;
    else if (start) begin
      rest <= value;
      digits <= 0;
      left <= VALUE_W;
    end else if (busy) begin
      digits <= {adjusted[4*DIGITS-2:0], rest[VALUE_W-1]};
      rest <= rest << 1;
      left <= left - 1;
    end
endmodule
`default_nettype wire
