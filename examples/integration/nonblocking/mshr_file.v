// mshr_file: miss status holding registers, and the replay of what waits in them.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// An MSHR holds the line that it waits for and its targets: the request that
// missed first and those that missed after it while the line was on its way
// (secondary misses), in their order. When the line comes (replay_start), the
// targets are given out again, one per cycle, and with the last one the MSHR is
// free. Whoever takes them does nothing else meanwhile, so that the line stays in
// the cache until all of them have hit.
//
// Timing: lookup, allocation and the targets given out are combinational from
// registers; what is allocated or merged in a cycle is there in the next.
`default_nettype none

module mshr_file #(
    parameter MSHRS = 8,
    // Requests that one MSHR can hold, the first one included; two or more.
    parameter TARGETS = 4,
    // Bits of a line's address.
    parameter LINE_W = 42,
    // Bits of a target; they are not looked at.
    parameter TARGET_W = 8,
    // Derived.
    parameter MSHR_W = $clog2(MSHRS),
    parameter COUNT_W = $clog2(TARGETS + 1)
) (
    input wire clock,
    input wire reset,

    // Is the line on its way, and is there room for one more target?
    input wire [LINE_W-1:0] line,
    output reg found,
    output reg found_full,
    // An MSHR is free.
    output reg free,
    // All are.
    output wire idle,

    // Holds target: in the MSHR found, or, with none found, in the free one. Only
    // if there is one, and if it is not full.
    input wire hold,
    input wire [TARGET_W-1:0] target,
    // The one that is free.
    output reg [MSHR_W-1:0] free_id,

    // The line of an MSHR comes; only if no replay is going on.
    input wire replay_start,
    input wire [MSHR_W-1:0] start_id,
    output wire [LINE_W-1:0] start_line,
    // A target is to be replayed, until replay_take is high.
    output reg replay_valid,
    output wire [LINE_W-1:0] replay_line,
    output wire [TARGET_W-1:0] replay_target,
    // It is the one that missed first.
    output wire replay_first,
    input wire replay_take
);
  reg [MSHRS-1:0] busy;
  reg [MSHRS*LINE_W-1:0] lines;
  reg [MSHRS*COUNT_W-1:0] count;
  reg [TARGET_W-1:0] targets [0:MSHRS*TARGETS-1];
  assign idle = busy == 0;

  localparam [31:0] MOST = TARGETS;
  integer m;
  reg [MSHR_W-1:0] found_id;
  always @* begin
    found = 1'b0;
    found_full = 1'b0;
    found_id = 0;
    free = 1'b0;
    free_id = 0;
    for (m = MSHRS - 1; m >= 0; m = m - 1) begin
      if (busy[m] & (lines[m*LINE_W +: LINE_W] == line)) begin
        found = 1'b1;
        found_full = count[m*COUNT_W +: COUNT_W] == MOST[COUNT_W-1:0];
        found_id = m[MSHR_W-1:0];
      end
      if (!busy[m]) begin
        free = 1'b1;
        free_id = m[MSHR_W-1:0];
      end
    end
  end

  // The place of a target: MSHR times TARGETS, and its number there.
  function integer place;
    input [MSHR_W-1:0] mshr;
    input [COUNT_W-1:0] number;
    place = {{32-MSHR_W{1'b0}}, mshr} * TARGETS + {{32-COUNT_W{1'b0}}, number};
  endfunction

  reg [MSHR_W-1:0] replay_id;
  reg [COUNT_W-1:0] replay_number;
  wire [COUNT_W-1:0] replay_after = replay_number + 1'b1;
  wire replay_last = replay_after == count[replay_id*COUNT_W +: COUNT_W];
  assign start_line = lines[start_id*LINE_W +: LINE_W];
  assign replay_line = lines[replay_id*LINE_W +: LINE_W];
  assign replay_target = targets[place(replay_id, replay_number)];
  assign replay_first = replay_number == 0;

  always @(posedge clock) begin
    if (hold) begin
      if (found) begin
        targets[place(found_id, count[found_id*COUNT_W +: COUNT_W])] <= target;
        count[found_id*COUNT_W +: COUNT_W] <= count[found_id*COUNT_W +: COUNT_W] + 1'b1;
      end else begin
        targets[place(free_id, {COUNT_W{1'b0}})] <= target;
        count[free_id*COUNT_W +: COUNT_W] <= 1;
        lines[free_id*LINE_W +: LINE_W] <= line;
        busy[free_id] <= 1'b1;
      end
    end
    if (replay_start) begin
      replay_valid <= 1'b1;
      replay_id <= start_id;
      replay_number <= 0;
    end else if (replay_valid & replay_take) begin
      replay_number <= replay_after;
      if (replay_last) begin
        replay_valid <= 1'b0;
        busy[replay_id] <= 1'b0;
      end
    end
    if (reset) begin
      busy <= 0;
      replay_valid <= 1'b0;
    end
  end
endmodule
`default_nettype wire
