// arbiter: one of two, round-robin: of two that ask, the one not served last.
// SPDX-License-Identifier: MIT OR Apache-2.0
`default_nettype none

module arbiter (
    input wire clock,
    input wire reset,
    input wire [1:0] ask,
    // One-hot, or 0 if none asks; combinational.
    output wire [1:0] grant,
    // The grant was used.
    input wire take
);
  // Requester 1 was served last.
  reg last;
  wire first = ask[0] & (!ask[1] | last);
  assign grant = {ask[1] & !first, first};

  always @(posedge clock)
    if (reset)
      last <= 1'b1;
    else if (take)
      last <= grant[1];
endmodule
`default_nettype wire
