// monitored_cache: the example cache with llc_monitor beside it.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The monitor hears each request where the cache decides it, in the order in
// which sets change; it answers nothing that the cache waits for. Both say what
// became of an access, and agrees is low for a cycle in which they differ.
//
// Timing: a request at t is decided, and put to the monitor, at t + 1; done_* of
// monitor and cache are compared at t + 4; it is in the counters at t + 4 +
// STAGES, so that a snapshot from then on includes it.
`default_nettype none

// The name of the exported module, as the last line of files.f has it.
`ifndef LLC_MONITOR
`define LLC_MONITOR llc_monitor_ways4_kernels4_sets64_banks1_tagw36_cntw21_stages1_requesters4
`endif

module monitored_cache #(
    // Those of the exported monitor.
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

    // What the monitor says of an access, packed by bank.
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
    // They say the same.
    output wire agrees
);
  wire cache_ready, monitor_ready;
  assign ready = cache_ready & monitor_ready;

  wire [BANKS-1:0] decide_access, decide_invalidate;
  wire [BANKS*SET_W-1:0] decide_set;
  wire [BANKS*TAG_W-1:0] decide_tag;
  wire [BANKS*REQ_W-1:0] decide_requester;
  wire [BANKS*WAY_W-1:0] decide_way;
  wire [BANKS-1:0] early_valid, early_hit, early_evict;
  wire [BANKS*WAY_W-1:0] early_way;
  // The monitor finds these by itself.
  wire [BANKS-1:0] unused_hit, unused_evicts;
  wire [BANKS*WAYS-1:0] unused_demoted;

  cache #(
      .WAYS(WAYS), .SETS(SETS), .BANKS(BANKS), .LINE(LINE), .TAG_W(TAG_W), .REQ_W(REQ_W)
  ) cache (
      .clock(clock),
      .reset(reset),
      .flush(flush),
      .ready(cache_ready),
      .access_valid(access_valid & ready),
      .invalidate_valid(invalidate_valid & ready),
      .address(address),
      .requester(requester),
      .decide_access(decide_access),
      .decide_invalidate(decide_invalidate),
      .decide_set(decide_set),
      .decide_tag(decide_tag),
      .decide_requester(decide_requester),
      .decide_way(decide_way),
      .decide_hit(unused_hit),
      .decide_demoted(unused_demoted),
      .decide_evicts(unused_evicts),
      .done_valid(early_valid),
      .done_hit(early_hit),
      .done_way(early_way),
      .done_evict(early_evict)
  );

  // A flush goes with the requests, which are put to the monitor a cycle later.
  reg flush_decided;
  always @(posedge clock) flush_decided <= flush & !reset;

  wire [KERNELS-1:0] overflow_gdc, overflow_ike;
  wire [1:0] overflow_access;
  // The table is not read back here.
  wire [KID_W-1:0] unused_kid;
  assign overflow = |{overflow_gdc, overflow_ike, overflow_access};

  `LLC_MONITOR monitor (
      .clock(clock),
      .reset(reset),
      .access_valid(decide_access),
      .invalidate_valid(decide_invalidate),
      .request_set(decide_set),
      .access_tag(decide_tag),
      .access_requester(decide_requester),
      .invalidate_way(decide_way),
      .flush(flush_decided),
      .snapshot(snapshot),
      // As after reset: requester r is kernel r.
      .map_valid(1'b0),
      .map_requester({REQ_W{1'b0}}),
      .map_kid({KID_W{1'b0}}),
      .read_matrix(read_matrix),
      .read_victim(read_victim),
      .read_aggressor(read_aggressor),
      .read_live(read_live),
      .ready(monitor_ready),
      .done_valid(done_valid),
      .done_hit(done_hit),
      .done_way(done_way),
      .done_evict(done_evict),
      .done_owner(done_owner),
      .read_count(read_count),
      .read_overflow(read_overflow),
      .overflow_gdc(overflow_gdc),
      .overflow_ike(overflow_ike),
      .overflow_access(overflow_access),
      .sequence_number(sequence_number),
      .mapped_kid(unused_kid)
  );

  // The cache's answer, until the monitor has its own: three cycles.
  localparam ANSWER_W = 3 * BANKS + BANKS * WAY_W;
  reg [ANSWER_W-1:0] answer, answer_before, cache_answer;
  always @(posedge clock)
    if (reset) begin
      answer <= 0;
      answer_before <= 0;
      cache_answer <= 0;
    end else begin
      answer <= {early_valid, early_hit, early_evict, early_way};
      answer_before <= answer;
      cache_answer <= answer_before;
    end
  assign {cache_valid, cache_hit, cache_evict, cache_way} = cache_answer;
  assign agrees = cache_answer == {done_valid, done_hit, done_evict, done_way};
endmodule
`default_nettype wire
