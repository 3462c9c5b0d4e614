// counted_cache: the example cache, which keeps its own LRU state, with llc_counters.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// In the cycle in which an access changes its set the cache tells what it finds there: the lines
// that grow older, whose they are, and the line that is replaced. The owner of a line, which a cache
// does not know by itself, is the kernel of the last access to it; it is kept here, beside the tags.
//
// Timing: a request at t is decided, and told, at t + 1; it is in the counters at t + 2 + STAGES.
`default_nettype none

// The name of the exported module, as the last line of files.f has it.
`ifndef LLC_COUNTERS
`define LLC_COUNTERS llc_counters_ways4_kernels4_banks1_cntw21_stages1_requesters4
`endif

module counted_cache #(
    // Those of the exported counters, and the cache's sets.
    parameter WAYS = 4,
    parameter KERNELS = 4,
    parameter SETS = 64,
    parameter BANKS = 1,
    parameter TAG_W = 36,
    parameter CNT_W = 21,
    // The cache's own: bytes.
    parameter LINE = 128,
    // Derived.
    parameter WAY_W = $clog2(WAYS),
    parameter KID_W = $clog2(KERNELS),
    parameter SET_W = $clog2(SETS),
    // Requesters are the kernels here, and one code more for others.
    parameter REQ_W = $clog2(KERNELS + 1),
    parameter ADDRESS_W = TAG_W + SET_W + $clog2(BANKS) + $clog2(LINE),
    parameter TOTAL_W = CNT_W + $clog2(BANKS)
) (
    input wire clock,
    input wire reset,
    // Requests are taken.
    output wire ready,

    // The cache's requests, see cache.v.
    input wire access_valid,
    input wire invalidate_valid,
    input wire [ADDRESS_W-1:0] address,
    input wire [REQ_W-1:0] requester,
    input wire flush,

    // For software: ends a period, and reads the counters of the last one.
    input wire snapshot,
    input wire [1:0] read_matrix,
    input wire [KID_W-1:0] read_victim,
    input wire [KID_W-1:0] read_aggressor,
    // The running period's instead.
    input wire read_live,
    output wire [TOTAL_W-1:0] read_count,
    output wire read_overflow,
    output wire [7:0] sequence_number,
    // A counter of the last period saturated.
    output wire overflow,

    // What was done and counted, packed by bank, as late as a monitor's answer.
    output wire [BANKS-1:0] done_valid,
    output wire [BANKS-1:0] done_hit,
    output wire [BANKS*WAY_W-1:0] done_way,
    output wire [BANKS-1:0] done_evict,
    output wire [BANKS*KID_W-1:0] done_owner,
    // What the cache said of it.
    output wire [BANKS-1:0] cache_valid,
    output wire [BANKS-1:0] cache_hit,
    output wire [BANKS*WAY_W-1:0] cache_way,
    output wire [BANKS-1:0] cache_evict,
    // Nothing else has an opinion of it.
    output wire agrees
);
  wire [BANKS-1:0] decide_access, decide_hit, decide_evicts, unused_invalidate;
  wire [BANKS*SET_W-1:0] decide_set;
  wire [BANKS*TAG_W-1:0] unused_tag;
  wire [BANKS*REQ_W-1:0] decide_requester;
  wire [BANKS*WAY_W-1:0] decide_way;
  wire [BANKS*WAYS-1:0] decide_demoted;
  wire [BANKS-1:0] early_valid, early_hit, early_evict;
  wire [BANKS*WAY_W-1:0] early_way;

  cache #(
      .WAYS(WAYS), .SETS(SETS), .BANKS(BANKS), .LINE(LINE), .TAG_W(TAG_W), .REQ_W(REQ_W)
  ) cache (
      .clock(clock),
      .reset(reset),
      .flush(flush),
      .ready(ready),
      .access_valid(access_valid & ready),
      .invalidate_valid(invalidate_valid & ready),
      .address(address),
      .requester(requester),
      .decide_access(decide_access),
      .decide_invalidate(unused_invalidate),
      .decide_set(decide_set),
      .decide_tag(unused_tag),
      .decide_requester(decide_requester),
      .decide_way(decide_way),
      .decide_hit(decide_hit),
      .decide_demoted(decide_demoted),
      .decide_evicts(decide_evicts),
      .done_valid(early_valid),
      .done_hit(early_hit),
      .done_way(early_way),
      .done_evict(early_evict)
  );

  // The owner of each line, and what it is of the line accessed.
  wire [BANKS*KID_W-1:0] kid, owner_there;
  wire [BANKS*WAYS*KID_W-1:0] line_owner;
  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : bank
      reg [WAYS*KID_W-1:0] owners[0:SETS-1];
      wire [SET_W-1:0] set = decide_set[b*SET_W +: SET_W];
      wire [WAY_W-1:0] way = decide_way[b*WAY_W +: WAY_W];
      wire [WAYS*KID_W-1:0] here = owners[set];
      assign line_owner[b*WAYS*KID_W +: WAYS*KID_W] = here;
      assign owner_there[b*KID_W +: KID_W] = here[way*KID_W +: KID_W];
      always @(posedge clock)
        if (decide_access[b]) owners[set][way*KID_W +: KID_W] <= kid[b*KID_W +: KID_W];
    end
  endgenerate

  wire [KERNELS-1:0] overflow_gdc, overflow_ike;
  wire [1:0] overflow_access;
  // The table is not read back here.
  wire [KID_W-1:0] unused_kid;
  assign overflow = |{overflow_gdc, overflow_ike, overflow_access};

  `LLC_COUNTERS counters (
      .clock(clock),
      .reset(reset),
      .access_valid(decide_access),
      .access_hit(decide_hit),
      .access_requester(decide_requester),
      .demoted(decide_demoted),
      .line_owner(line_owner),
      .victim_valid(decide_evicts),
      .victim_owner(owner_there),
      .snapshot(snapshot),
      // As after reset: requester r is kernel r.
      .map_valid(1'b0),
      .map_requester({REQ_W{1'b0}}),
      .map_kid({KID_W{1'b0}}),
      .read_matrix(read_matrix),
      .read_victim(read_victim),
      .read_aggressor(read_aggressor),
      .read_live(read_live),
      .access_kid(kid),
      .read_count(read_count),
      .read_overflow(read_overflow),
      .overflow_gdc(overflow_gdc),
      .overflow_ike(overflow_ike),
      .overflow_access(overflow_access),
      .sequence_number(sequence_number),
      .mapped_kid(unused_kid)
  );

  // The cache's answer, as late as that of a monitor, with the owner of the line hit or replaced.
  localparam ANSWER_W = 3 * BANKS + BANKS * WAY_W;
  reg [ANSWER_W-1:0] answer, answer_before, cache_answer;
  reg [BANKS*KID_W-1:0] owner_decided, owner_done, owner_before, owner_late;
  always @(posedge clock) begin
    owner_decided <= owner_there;
    owner_done <= owner_decided;
    owner_before <= owner_done;
    owner_late <= owner_before;
    if (reset) begin
      answer <= 0;
      answer_before <= 0;
      cache_answer <= 0;
    end else begin
      answer <= {early_valid, early_hit, early_evict, early_way};
      answer_before <= answer;
      cache_answer <= answer_before;
    end
  end
  assign {cache_valid, cache_hit, cache_evict, cache_way} = cache_answer;
  assign {done_valid, done_hit, done_evict, done_way} = cache_answer;
  assign done_owner = owner_late;
  assign agrees = 1'b1;
endmodule
`default_nettype wire
