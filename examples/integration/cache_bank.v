// cache_bank: one bank of the example cache, set-associative, LRU.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Protocol: one request every cycle, without stall, while ready is high. A
// request at t reads the RAMs; at t + 1 (decide_*) it hits or misses and changes
// its set; done_* say at t + 2 what became of it. A miss fills at once: what
// fetches the line from memory, and the data array, are not part of the example,
// since nothing in them concerns a monitor.
//
// Replacement: every way has an age, 0 the most recently used and WAYS - 1 the
// least. A miss replaces the oldest way. An invalidated way becomes the oldest,
// so that invalid ways are filled before valid ones. After reset and flush, age
// and way are the same number.
//
// Reset is synchronous. RAMs have none: after reset, and after flush, a sweep
// clears one set per cycle, and ready is low meanwhile.
`default_nettype none

module cache_bank #(
    // Two or more.
    parameter WAYS = 4,
    // A power of two, two or more.
    parameter SETS = 64,
    parameter TAG_W = 36,
    parameter REQ_W = 3,
    // Derived.
    parameter SET_W = $clog2(SETS),
    parameter WAY_W = $clog2(WAYS)
) (
    input wire clock,
    input wire reset,
    // Invalidate all; no request is taken in its cycle.
    input wire flush,
    output wire ready,

    // Read or write request_tag in request_set.
    input wire access_valid,
    // Invalidate that line if it is here; not together with access_valid.
    input wire invalidate_valid,
    input wire [SET_W-1:0] request_set,
    input wire [TAG_W-1:0] request_tag,
    // Whose request it is.
    input wire [REQ_W-1:0] requester,

    // The request that changes its set in this cycle: what a monitor sees.
    output reg decide_access,
    // A line is invalidated: decide_way of decide_set.
    output wire decide_invalidate,
    output reg [SET_W-1:0] decide_set,
    output reg [TAG_W-1:0] decide_tag,
    output reg [REQ_W-1:0] decide_requester,
    // The way hit, or else the one to be filled.
    output reg [WAY_W-1:0] decide_way,
    // What a counter of a cache's own LRU state is told besides: the access hits; the lines that it
    // makes older; it replaces a valid line.
    output wire decide_hit,
    output reg [WAYS-1:0] decide_demoted,
    output wire decide_evicts,

    // An access was done in the cycle before; all 0 if not.
    output reg done_valid,
    output reg done_hit,
    // The way hit or filled.
    output reg [WAY_W-1:0] done_way,
    // A valid line was replaced.
    output reg done_evict
);
  localparam [31:0] LAST = WAYS - 1;
  localparam [WAY_W-1:0] OLDEST = LAST[WAY_W-1:0];

  // One word per set: ages, WAY_W bits per way, and valid bits.
  localparam STATE_W = WAYS * WAY_W + WAYS;

  // The sweep.
  reg sweeping;
  reg [SET_W-1:0] sweep_set;
  wire takes = !sweeping & !flush;
  assign ready = !sweeping;

  always @(posedge clock)
    if (reset | flush) begin
      sweeping <= 1'b1;
      sweep_set <= 0;
    end else if (sweeping) begin
      sweeping <= sweep_set != {SET_W{1'b1}};
      sweep_set <= sweep_set + 1'b1;
    end

  // The request, one cycle later.
  reg probes;
  always @(posedge clock) begin
    decide_access <= access_valid & takes & !reset;
    probes <= invalidate_valid & takes & !reset;
    decide_set <= request_set;
    decide_tag <= request_tag;
    decide_requester <= requester;
  end

  // Its set: from the RAM, or as the request before it has just left it.
  wire [STATE_W-1:0] state_read;
  reg [STATE_W-1:0] state_written;
  reg state_bypass;
  wire [WAYS*WAY_W-1:0] age;
  wire [WAYS-1:0] valid;
  assign {valid, age} = state_bypass ? state_written : state_read;

  reg [TAG_W-1:0] tag_written;
  reg [WAYS-1:0] tag_bypass;
  wire [WAYS-1:0] matching;

  // Hit or miss, and which way.
  integer w;
  reg hit;
  always @* begin
    hit = 1'b0;
    decide_way = 0;
    for (w = 0; w < WAYS; w = w + 1)
      if (valid[w] & matching[w]) begin
        hit = 1'b1;
        decide_way = w[WAY_W-1:0];
      end
    if (!hit)
      for (w = 0; w < WAYS; w = w + 1)
        if (age[w*WAY_W +: WAY_W] == OLDEST)
          decide_way = w[WAY_W-1:0];
  end
  assign decide_invalidate = probes & hit;
  assign decide_hit = decide_access & hit;
  assign decide_evicts = decide_access & !hit & valid[decide_way];

  // The set afterwards: younger ways than the one accessed grow older, older
  // ones than the one invalidated grow younger.
  integer v;
  reg [WAYS*WAY_W-1:0] age_next;
  reg [WAYS-1:0] valid_next;
  reg [WAY_W-1:0] was;
  always @* begin
    // A line that is replaced moves beyond the last place.
    for (v = 0; v < WAYS; v = v + 1)
      decide_demoted[v] = decide_access & valid[v]
          & (!hit | (age[v*WAY_W +: WAY_W] < age[decide_way*WAY_W +: WAY_W]));
    age_next = age;
    valid_next = valid;
    was = age[decide_way*WAY_W +: WAY_W];
    valid_next[decide_way] = decide_access;
    for (v = 0; v < WAYS; v = v + 1)
      if (v[WAY_W-1:0] == decide_way)
        age_next[v*WAY_W +: WAY_W] = decide_access ? {WAY_W{1'b0}} : OLDEST;
      else if (decide_access & (age[v*WAY_W +: WAY_W] < was))
        age_next[v*WAY_W +: WAY_W] = age[v*WAY_W +: WAY_W] + 1'b1;
      else if (!decide_access & (age[v*WAY_W +: WAY_W] > was))
        age_next[v*WAY_W +: WAY_W] = age[v*WAY_W +: WAY_W] - 1'b1;
    if (sweeping) begin
      valid_next = 0;
      for (v = 0; v < WAYS; v = v + 1)
        age_next[v*WAY_W +: WAY_W] = v[WAY_W-1:0];
    end
  end

  // Nothing decides during a sweep but its own clearing.
  wire state_write = sweeping | decide_access | decide_invalidate;
  wire [SET_W-1:0] write_set = sweeping ? sweep_set : decide_set;

  cache_ram #(.ADDRESS_W(SET_W), .DATA_W(STATE_W)) state (
      .clock(clock),
      .read_address(request_set),
      .read_data(state_read),
      .write_enable(state_write),
      .write_address(write_set),
      .write_data({valid_next, age_next})
  );

  wire [WAYS-1:0] fills;
  always @(posedge clock) begin
    state_written <= {valid_next, age_next};
    state_bypass <= state_write & (write_set == request_set);
    tag_written <= decide_tag;
    tag_bypass <= fills & {WAYS{decide_set == request_set}};
  end

  genvar i;
  generate
    for (i = 0; i < WAYS; i = i + 1) begin : way
      wire [TAG_W-1:0] tag_read;
      assign fills[i] = decide_access & !hit & (decide_way == i);
      assign matching[i] = (tag_bypass[i] ? tag_written : tag_read) == decide_tag;
      cache_ram #(.ADDRESS_W(SET_W), .DATA_W(TAG_W)) tags (
          .clock(clock),
          .read_address(request_set),
          .read_data(tag_read),
          .write_enable(fills[i]),
          .write_address(decide_set),
          .write_data(decide_tag)
      );
    end
  endgenerate

  always @(posedge clock) begin
    done_valid <= decide_access & !reset;
    done_hit <= decide_access & hit & !reset;
    done_way <= decide_way & {WAY_W{decide_access & !reset}};
    done_evict <= decide_access & !hit & valid[decide_way] & !reset;
  end
endmodule
`default_nettype wire
