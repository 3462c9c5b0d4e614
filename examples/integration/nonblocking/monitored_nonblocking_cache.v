// monitored_nonblocking_cache: the cache with MSHRs, with llc_monitor beside it.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The monitor hears each request in the cycle in which it hits, replays included.
// It has a directory of its own: the request that missed first, which is replayed
// first, is a miss there, and those that were merged with it are hits.
//
// Timing: what the cache decides at t is put to the monitor at t; its answer and the
// cache's are compared at t + 4; it is in the counters at t + 4 + STAGES, so that a
// snapshot from then on includes it.
`default_nettype none

// The name of the exported module, as the last line of files.f has it.
`ifndef LLC_MONITOR
`define LLC_MONITOR llc_monitor_ways4_kernels4_sets64_banks1_tagw36_cntw21_stages1_requesters4
`endif

module monitored_nonblocking_cache #(
    // Those of the exported monitor.
    parameter WAYS = 4,
    parameter KERNELS = 4,
    parameter SETS = 64,
    parameter TAG_W = 36,
    parameter CNT_W = 21,
    // The cache's own, see nonblocking_cache.v.
    parameter LINE = 32,
    parameter ID_W = 4,
    parameter MSHRS = 8,
    parameter TARGETS = 4,
    parameter QUEUE = 8,
    parameter POLICY = 0,
    // Derived.
    parameter WAY_W = $clog2(WAYS),
    parameter KID_W = $clog2(KERNELS),
    parameter SET_W = $clog2(SETS),
    parameter MSHR_W = $clog2(MSHRS),
    // The monitor's requesters are the kernels here, and one code more for others.
    parameter REQ_W = $clog2(KERNELS + 1),
    parameter ADDRESS_W = TAG_W + SET_W + $clog2(LINE)
) (
    input wire clock,
    input wire reset,
    // Requests are taken.
    output wire ready,
    // A flush is done: no lines are left.
    input wire flush,

    // The cache's, see nonblocking_cache.v.
    input wire [1:0] request_valid,
    output wire [1:0] request_ready,
    input wire [1:0] request_write,
    input wire [2*ADDRESS_W-1:0] request_address,
    input wire [63:0] request_data,
    input wire [7:0] request_strobe,
    input wire [2*REQ_W-1:0] request_source,
    input wire [2*ID_W-1:0] request_id,
    output wire [1:0] response_valid,
    output wire [ID_W-1:0] response_id,
    output wire [31:0] response_data,
    input wire invalidate_valid,
    output wire invalidate_ready,
    input wire [ADDRESS_W-1:0] invalidate_address,
    output wire memory_valid,
    input wire memory_ready,
    output wire memory_write,
    output wire [ADDRESS_W-1:0] memory_address,
    output wire [MSHR_W-1:0] memory_id,
    output wire [31:0] memory_data,
    output wire [3:0] memory_strobe,
    input wire fill_valid,
    output wire fill_ready,
    input wire [MSHR_W-1:0] fill_id,
    input wire [8*LINE-1:0] fill_data,
    output wire invalidated,
    output wire evict_valid,
    output wire [ADDRESS_W-1:0] evict_address,
    output wire accept,
    output wire accept_miss,
    output wire accept_merge,
    output wire refused,
    output wire [2:0] refuse,
    output wire [REQ_W-1:0] accept_source,

    // For software: ends a period, and reads the counters of the last one.
    input wire snapshot,
    input wire [1:0] read_matrix,
    input wire [KID_W-1:0] read_victim,
    input wire [KID_W-1:0] read_aggressor,
    output wire [CNT_W-1:0] read_count,
    // A counter of the last period saturated.
    output wire overflow,

    // The monitor has an answer. It is the cache's: hit or miss, and all of it (hit,
    // way, eviction). With LRU both are always high.
    output wire done_valid,
    output wire same_hit,
    output wire agrees
);
  wire cache_ready, monitor_ready;
  assign ready = cache_ready & monitor_ready;

  wire flush_done;
  wire decide_access, decide_invalidate, decide_filled, decide_evict;
  wire [SET_W-1:0] decide_set;
  wire [TAG_W-1:0] decide_tag, evict_tag;
  wire [REQ_W-1:0] decide_source;
  wire [WAY_W-1:0] decide_way;
  assign invalidated = decide_invalidate;
  assign evict_address = {evict_tag, decide_set, {$clog2(LINE){1'b0}}};

  wire [1:0] taken;
  assign request_ready = taken & {2{ready}};
  wire invalidate_taken;
  assign invalidate_ready = invalidate_taken & ready;

  nonblocking_cache #(
      .WAYS(WAYS), .SETS(SETS), .LINE(LINE), .TAG_W(TAG_W), .REQ_W(REQ_W), .ID_W(ID_W),
      .MSHRS(MSHRS), .TARGETS(TARGETS), .QUEUE(QUEUE), .POLICY(POLICY)
  ) cache (
      .clock(clock),
      .reset(reset),
      .ready(cache_ready),
      .flush(flush),
      .flush_done(flush_done),
      .request_valid(request_valid & {2{ready}}),
      .request_ready(taken),
      .request_write(request_write),
      .request_address(request_address),
      .request_data(request_data),
      .request_strobe(request_strobe),
      .request_source(request_source),
      .request_id(request_id),
      .response_valid(response_valid),
      .response_id(response_id),
      .response_data(response_data),
      .invalidate_valid(invalidate_valid & ready),
      .invalidate_ready(invalidate_taken),
      .invalidate_address(invalidate_address),
      .memory_valid(memory_valid),
      .memory_ready(memory_ready),
      .memory_write(memory_write),
      .memory_address(memory_address),
      .memory_id(memory_id),
      .memory_data(memory_data),
      .memory_strobe(memory_strobe),
      .fill_valid(fill_valid),
      .fill_ready(fill_ready),
      .fill_id(fill_id),
      .fill_data(fill_data),
      .decide_access(decide_access),
      .decide_invalidate(decide_invalidate),
      .decide_set(decide_set),
      .decide_tag(decide_tag),
      .decide_source(decide_source),
      .decide_way(decide_way),
      .decide_filled(decide_filled),
      .decide_evict(decide_evict),
      .evict_valid(evict_valid),
      .evict_tag(evict_tag),
      .accept(accept),
      .accept_miss(accept_miss),
      .accept_merge(accept_merge),
      .refused(refused),
      .refuse(refuse),
      .accept_source(accept_source)
  );

  // Only a cache that is LRU has the monitor's numbers of the ways.
  wire hears_invalidate = decide_invalidate & (POLICY == 0);

  wire [WAY_W-1:0] done_way;
  wire done_hit, done_evict;
  wire [KERNELS-1:0] overflow_gdc, overflow_ike;
  wire [1:0] overflow_access;
  assign overflow = |{overflow_gdc, overflow_ike, overflow_access};
  // Not read here.
  wire [KID_W-1:0] unused_kid, unused_owner;
  wire [7:0] unused_number;
  wire unused_overflow;

  `LLC_MONITOR monitor (
      .clock(clock),
      .reset(reset),
      .access_valid(decide_access),
      .invalidate_valid(hears_invalidate),
      .request_set(decide_set),
      .access_tag(decide_tag),
      .access_requester(decide_source),
      .invalidate_way(decide_way),
      .flush(flush_done),
      .snapshot(snapshot),
      // As after reset: requester r is kernel r.
      .map_valid(1'b0),
      .map_requester({REQ_W{1'b0}}),
      .map_kid({KID_W{1'b0}}),
      .read_matrix(read_matrix),
      .read_victim(read_victim),
      .read_aggressor(read_aggressor),
      .read_live(1'b0),
      .ready(monitor_ready),
      .done_valid(done_valid),
      .done_hit(done_hit),
      .done_way(done_way),
      .done_evict(done_evict),
      .done_owner(unused_owner),
      .read_count(read_count),
      .read_overflow(unused_overflow),
      .overflow_gdc(overflow_gdc),
      .overflow_ike(overflow_ike),
      .overflow_access(overflow_access),
      .sequence_number(unused_number),
      .mapped_kid(unused_kid)
  );

  // The cache's answer, until the monitor has its own: four cycles. A request for
  // which the line was fetched is a miss.
  localparam ANSWER_W = 3 + WAY_W;
  reg [4*ANSWER_W-1:0] answers;
  always @(posedge clock)
    if (reset)
      answers <= 0;
    else
      answers <= {answers[3*ANSWER_W-1:0], {ANSWER_W{decide_access}} &
                  {1'b1, !decide_filled, decide_evict, decide_way}};
  wire [ANSWER_W-1:0] answer = answers[3*ANSWER_W +: ANSWER_W];
  assign agrees = answer == {done_valid, done_hit, done_evict, done_way};
  assign same_hit = answer[ANSWER_W-1 -: 2] == {done_valid, done_hit};
endmodule
`default_nettype wire
