// memory_queue: what the cache asks of memory, in order.
// SPDX-License-Identifier: MIT OR Apache-2.0
`default_nettype none

module memory_queue #(
    // A power of two, four or more.
    parameter DEPTH = 8,
    parameter DATA_W = 8,
    // Derived.
    parameter INDEX_W = $clog2(DEPTH)
) (
    input wire clock,
    input wire reset,
    // Only while there is room.
    input wire push,
    input wire [DATA_W-1:0] push_data,
    output wire room,
    // There will be room in the next cycle, whatever is pushed in this one.
    output wire room_next,
    output wire valid,
    output wire [DATA_W-1:0] data,
    input wire take
);
  reg [DATA_W-1:0] words [0:DEPTH-1];
  reg [INDEX_W-1:0] first, last;
  reg [INDEX_W:0] count;

  localparam [31:0] FULL = DEPTH, NEARLY = DEPTH - 1;
  assign room = count < FULL[INDEX_W:0];
  assign room_next = count < NEARLY[INDEX_W:0];
  assign valid = count != 0;
  assign data = words[first];
  wire pop = valid & take;

  always @(posedge clock) begin
    if (push) begin
      words[last] <= push_data;
      last <= last + 1'b1;
    end
    if (pop)
      first <= first + 1'b1;
    count <= count + {{INDEX_W{1'b0}}, push} - {{INDEX_W{1'b0}}, pop};
    if (reset) begin
      first <= 0;
      last <= 0;
      count <= 0;
    end
  end
endmodule
`default_nettype wire
