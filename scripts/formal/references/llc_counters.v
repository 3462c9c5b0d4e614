// Counters of a cache that keeps its own replacement bits: demotions, evictions, hits and misses of
// each bank, as the cache tells of them.
// Source: GDC, sections II-A and III, figure 1. What the paper leaves open, as the spec decides: a
// table gives requesters their kernels, all others share an entry; the read port sums the banks.
module ref_llc_counters #(
    parameter WAYS = 2,
    // 2 at least: hits and misses are the first two rows of a square of counters.
    parameter KERNELS = 2,
    parameter BANKS = 1,
    parameter CNT_W = 2,
    parameter STAGES = 1,
    parameter REQUESTERS = 2,
    parameter KID_W = $clog2(KERNELS),
    parameter POS_W = $clog2(WAYS + 1),
    parameter REQ_W = $clog2(REQUESTERS + 1),
    parameter TOTAL_W = CNT_W + $clog2(BANKS)
) (
    input wire clock,
    input wire reset,
    input wire [BANKS-1:0] access_valid,
    input wire [BANKS-1:0] access_hit,
    input wire [BANKS*REQ_W-1:0] access_requester,
    input wire [BANKS*WAYS-1:0] demoted,
    input wire [BANKS*WAYS*KID_W-1:0] line_owner,
    input wire [BANKS-1:0] victim_valid,
    input wire [BANKS*KID_W-1:0] victim_owner,
    input wire snapshot,
    input wire map_valid,
    input wire [REQ_W-1:0] map_requester,
    input wire [KID_W-1:0] map_kid,
    input wire [1:0] read_matrix,
    input wire [KID_W-1:0] read_victim,
    input wire [KID_W-1:0] read_aggressor,
    input wire read_live,
    output wire [BANKS*KID_W-1:0] access_kid,
    output reg [TOTAL_W-1:0] read_count,
    output reg read_overflow,
    output reg [KERNELS-1:0] overflow_gdc,
    output reg [KERNELS-1:0] overflow_ike,
    output reg [1:0] overflow_access,
    output wire [7:0] sequence_number,
    output wire [KID_W-1:0] mapped_kid
);
  // The kernel of each requester; the last is for all others.
  (* mem2reg *) reg [KID_W-1:0] kid_of[0:REQUESTERS];
  assign mapped_kid = kid_of[map_requester < REQUESTERS ? map_requester : REQUESTERS];
  integer r;
  always @(posedge clock)
    if (reset)
      for (r = 0; r <= REQUESTERS; r = r + 1)
        kid_of[r] <= r < REQUESTERS && r < KERNELS ? r : KERNELS - 1;
    else if (map_valid) kid_of[map_requester < REQUESTERS ? map_requester : REQUESTERS] <= map_kid;

  wire [BANKS*CNT_W-1:0] counts[0:2];
  wire [BANKS-1:0] full[0:2];
  wire [BANKS*KERNELS-1:0] marks[0:2];
  wire [BANKS*8-1:0] numbers;
  assign sequence_number = numbers[7:0];
  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : bank
      wire [REQ_W-1:0] requester = access_requester[b*REQ_W+:REQ_W];
      wire [KID_W-1:0] kid = kid_of[requester < REQUESTERS ? requester : REQUESTERS];
      assign access_kid[b*KID_W+:KID_W] = kid;
      // An access that moves these lines is to the GDC unit a miss in a set of them alone.
      ref_gdcu #(
          .WAYS(WAYS),
          .KERNELS(KERNELS),
          .CNT_W(CNT_W),
          .STAGES(STAGES)
      ) gdcu (
          .clock(clock),
          .reset(reset),
          .access_valid(access_valid[b]),
          .access_pos(WAYS[POS_W-1:0]),
          .access_kid(kid),
          .stack_owner(line_owner[b*WAYS*KID_W+:WAYS*KID_W]),
          .stack_valid(demoted[b*WAYS+:WAYS]),
          .snapshot(snapshot),
          .read_victim(read_victim),
          .read_aggressor(read_aggressor),
          .read_live(read_live),
          .read_count(counts[0][b*CNT_W+:CNT_W]),
          .read_overflow(full[0][b]),
          .overflow(marks[0][b*KERNELS+:KERNELS]),
          .sequence_number(numbers[b*8+:8])
      );
      ref_plob #(
          .KERNELS(KERNELS),
          .CNT_W(CNT_W),
          .STAGES(STAGES)
      ) plob (
          .clock(clock),
          .reset(reset),
          .access_valid(access_valid[b]),
          .access_hit(access_hit[b]),
          .victim_valid(victim_valid[b]),
          .victim_owner(victim_owner[b*KID_W+:KID_W]),
          .access_kid(kid),
          .snapshot(snapshot),
          .read_victim(read_victim),
          .read_aggressor(read_aggressor),
          .read_live(read_live),
          .read_count(counts[1][b*CNT_W+:CNT_W]),
          .read_overflow(full[1][b]),
          .overflow(marks[1][b*KERNELS+:KERNELS])
      );
      // Hits in row 0, misses in row 1.
      wire due_valid;
      wire [KID_W-1:0] due_kid;
      wire [1:0] due;
      wire [KERNELS-1:0] rows = due;
      wire hits = access_valid[b] && access_hit[b];
      wire misses = access_valid[b] && !access_hit[b];
      ref_delay #(
          .WIDTH(3 + KID_W),
          .STAGES(STAGES)
      ) counted (
          .clock(clock),
          .reset(reset),
          .now({access_valid[b], kid, misses, hits}),
          .late({due_valid, due_kid, due})
      );
      ref_counter_matrix #(
          .KERNELS(KERNELS),
          .INC_W(1),
          .CNT_W(CNT_W)
      ) accesses (
          .clock(clock),
          .reset(reset),
          .inc_valid(due_valid),
          .inc_kid(due_kid),
          .inc(rows),
          .snapshot(snapshot),
          .read_victim(read_victim),
          .read_aggressor(read_aggressor),
          .read_live(read_live),
          .read_count(counts[2][b*CNT_W+:CNT_W]),
          .read_overflow(full[2][b]),
          .overflow(marks[2][b*KERNELS+:KERNELS])
      );
    end
  endgenerate

  // All banks as one.
  reg [1:0] matrix;
  reg [TOTAL_W-1:0] total;
  reg some_full;
  integer i;
  always @* begin
    total = 0;
    some_full = 0;
    overflow_gdc = 0;
    overflow_ike = 0;
    overflow_access = 0;
    for (i = 0; i < BANKS; i = i + 1) begin
      if (matrix < 3) begin
        total = total + counts[matrix][i*CNT_W+:CNT_W];
        some_full = some_full | full[matrix][i];
      end
      overflow_gdc = overflow_gdc | marks[0][i*KERNELS+:KERNELS];
      overflow_ike = overflow_ike | marks[1][i*KERNELS+:KERNELS];
      overflow_access = overflow_access | marks[2][i*KERNELS+:2];
    end
  end
  always @(posedge clock) begin
    matrix <= reset ? 0 : read_matrix;
    read_count <= reset ? 0 : total;
    read_overflow <= !reset && some_full;
  end
endmodule
