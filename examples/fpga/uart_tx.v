// Sends bytes over a serial line: 8 data bits, no parity, 1 stop bit, lowest bit first.
// SPDX-License-Identifier: MIT OR Apache-2.0
`default_nettype none

module uart_tx #(
    // Clock cycles of a bit, at least 2.
    parameter DIVIDER = 104
) (
    input wire clock,
    // Synchronous, active high: the line goes idle, what is on its way is lost.
    input wire reset,
    // Send data; taken where ready is high.
    input wire valid,
    input wire [7:0] data,
    // The next byte can be given.
    output wire ready,
    // The line; idle high.
    output reg tx
);
  localparam TIME_W = $clog2(DIVIDER);

  reg [TIME_W-1:0] elapsed;
  reg [3:0] left; // bits to send, the stop bit included
  reg [8:0] shift;

  wire last_cycle = elapsed == DIVIDER - 1;

  assign ready = left == 0;

  initial tx = 1'b1;

  always @(posedge clock)
    if (reset) begin
      tx <= 1'b1;
      left <= 0;
      elapsed <= 0;
    end else if (ready) begin
      tx <= ~valid; // the start bit
      elapsed <= 0;
      if (valid) begin
        shift <= {1'b1, data};
        left <= 10;
      end
    end else if (last_cycle) begin
      // After the stop bit the line stays high.
      tx <= left == 1 ? 1'b1 : shift[0];
      shift <= {1'b1, shift[8:1]};
      left <= left - 1;
      elapsed <= 0;
    end else elapsed <= elapsed + 1;
endmodule
`default_nettype wire
