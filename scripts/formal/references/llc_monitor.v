// The monitor beside a shared cache: of each bank the tags, owners and ages of its lines, and
// counters of demotions, evictions, hits and misses.
// Source: GDC, sections II-A and III, figure 1. What the paper leaves open, as the spec decides: a
// request is done three cycles after it came, or RAM_STAGES more, one after the other, and is told of
// a cycle later; an invalidated way becomes the oldest; a table gives requesters their kernels, all
// others share an entry; after a reset or a flush all sets are cleared, one per cycle, while requests
// are ignored; the read port sums the banks.
module ref_llc_monitor #(
    parameter WAYS = 2,
    // 2 at least: hits and misses are the first two rows of a square of counters.
    parameter KERNELS = 2,
    parameter SETS = 2,
    parameter BANKS = 1,
    parameter TAG_W = 1,
    parameter CNT_W = 2,
    parameter STAGES = 1,
    parameter RAM_STAGES = 0,
    parameter REQUESTERS = 2,
    parameter SET_W = $clog2(SETS),
    parameter WAY_W = $clog2(WAYS),
    parameter KID_W = $clog2(KERNELS),
    parameter REQ_W = $clog2(REQUESTERS + 1),
    parameter TOTAL_W = CNT_W + $clog2(BANKS)
) (
    input wire clock,
    input wire reset,
    input wire [BANKS-1:0] access_valid,
    input wire [BANKS-1:0] invalidate_valid,
    input wire [BANKS*SET_W-1:0] request_set,
    input wire [BANKS*TAG_W-1:0] access_tag,
    input wire [BANKS*REQ_W-1:0] access_requester,
    input wire [BANKS*WAY_W-1:0] invalidate_way,
    input wire flush,
    input wire snapshot,
    input wire map_valid,
    input wire [REQ_W-1:0] map_requester,
    input wire [KID_W-1:0] map_kid,
    input wire [1:0] read_matrix,
    input wire [KID_W-1:0] read_victim,
    input wire [KID_W-1:0] read_aggressor,
    input wire read_live,
    output wire ready,
    output wire [BANKS-1:0] done_valid,
    output wire [BANKS-1:0] done_hit,
    output wire [BANKS*WAY_W-1:0] done_way,
    output wire [BANKS-1:0] done_evict,
    output wire [BANKS*KID_W-1:0] done_owner,
    output reg [TOTAL_W-1:0] read_count,
    output reg read_overflow,
    output reg [KERNELS-1:0] overflow_gdc,
    output reg [KERNELS-1:0] overflow_ike,
    output reg [1:0] overflow_access,
    output wire [7:0] sequence_number,
    output wire [KID_W-1:0] mapped_kid
);
  // Sets that are still to be cleared; the sets are cleared from the first on.
  reg [SET_W:0] left;
  assign ready = left == 0;

  // The kernel of each requester; the last is for all others.
  (* mem2reg *) reg [KID_W-1:0] kid_of[0:REQUESTERS];
  assign mapped_kid = kid_of[map_requester < REQUESTERS ? map_requester : REQUESTERS];
  integer r;
  always @(posedge clock)
    if (reset) begin
      left <= SETS;
      for (r = 0; r <= REQUESTERS; r = r + 1)
        kid_of[r] <= r < REQUESTERS && r < KERNELS ? r : KERNELS - 1;
    end else begin
      left <= flush ? SETS : ready ? 0 : left - 1'b1;
      if (map_valid) kid_of[map_requester < REQUESTERS ? map_requester : REQUESTERS] <= map_kid;
    end

  wire [BANKS*TOTAL_W-1:0] counts;
  wire [BANKS-1:0] full;
  wire [BANKS*KERNELS-1:0] gdc, ike;
  wire [BANKS*2-1:0] access;
  wire [BANKS*8-1:0] numbers;
  assign sequence_number = numbers[7:0];
  reg [1:0] matrix;
  always @(posedge clock) matrix <= reset ? 0 : read_matrix;
  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : bank
      wire [REQ_W-1:0] requester = access_requester[b*REQ_W+:REQ_W];
      wire [KID_W-1:0] kid = kid_of[requester < REQUESTERS ? requester : REQUESTERS];
      wire [CNT_W-1:0] count;
      assign counts[b*TOTAL_W+:TOTAL_W] = count;
      ref_llc_bank #(
          .WAYS(WAYS), .KERNELS(KERNELS), .SETS(SETS), .TAG_W(TAG_W), .CNT_W(CNT_W), .STAGES(STAGES),
          .RAM_STAGES(RAM_STAGES)
      ) one (
          .clock(clock),
          .reset(reset),
          .clear(!ready && !flush),
          .invalidate(ready && !flush && invalidate_valid[b]),
          .access(ready && !flush && access_valid[b] && !invalidate_valid[b]),
          .set(ready || flush ? request_set[b*SET_W+:SET_W] : SETS - left),
          .tag(access_tag[b*TAG_W+:TAG_W]),
          .kid(kid),
          .way(invalidate_way[b*WAY_W+:WAY_W]),
          .snapshot(snapshot),
          .read_victim(read_victim),
          .read_aggressor(read_aggressor),
          .read_live(read_live),
          .read_matrix(matrix),
          .done_valid(done_valid[b]),
          .done_hit(done_hit[b]),
          .done_way(done_way[b*WAY_W+:WAY_W]),
          .done_evict(done_evict[b]),
          .done_owner(done_owner[b*KID_W+:KID_W]),
          .read_count(count),
          .read_overflow(full[b]),
          .overflow_gdc(gdc[b*KERNELS+:KERNELS]),
          .overflow_ike(ike[b*KERNELS+:KERNELS]),
          .overflow_access(access[b*2+:2]),
          .sequence_number(numbers[b*8+:8])
      );
    end
  endgenerate

  // All banks as one.
  reg [TOTAL_W-1:0] total;
  integer i;
  always @* begin
    total = 0;
    overflow_gdc = 0;
    overflow_ike = 0;
    overflow_access = 0;
    for (i = 0; i < BANKS; i = i + 1) begin
      total = total + counts[i*TOTAL_W+:TOTAL_W];
      overflow_gdc = overflow_gdc | gdc[i*KERNELS+:KERNELS];
      overflow_ike = overflow_ike | ike[i*KERNELS+:KERNELS];
      overflow_access = overflow_access | access[i*2+:2];
    end
  end
  always @(posedge clock) begin
    read_count <= reset ? 0 : total;
    read_overflow <= !reset && |full;
  end
endmodule
