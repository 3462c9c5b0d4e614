// nonblocking_cache: a cache with MSHRs, the example to put a monitor beside where
// requests miss, wait, merge and are replayed.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Two requesters; one request, replay, fill or invalidation enters per cycle. In
// cycle t it reads the RAMs, in t + 1 (decide) it hits or misses and changes its
// set, in t + 2 its response is there. Replays go before fills, fills before
// invalidations, these before a request that was refused, and that before new ones.
//
//   hit       read or written, response
//   miss      waits in an MSHR and the line is asked of memory; if the line is on
//             its way already, it waits in the same MSHR (merged)
//   refused   no MSHR is free, that of its line is full, or the queue to memory is
//             (reservation failure): it is tried again every second cycle, and no
//             new request is taken until it is accepted
//
// Fill: when a line comes, its victim is chosen and it is written; then all that
// wait for it are replayed, in their order, before anything else. So each request
// hits exactly once, and it hits in the cycle in which it changes its set: what
// decide_access tells is each request, once.
//
// Writes: write-through, write-allocate. A write is done on its hit, in the line and
// in the queue to memory, and is answered then. Lines are never dirty.
//
// Order: requests to one line are done in the order in which they were accepted at
// the ports, of both requesters; those to different lines in any order.
//
// Memory does reads and writes of a line in the order in which it takes them, gives
// lines back in any order, and takes what is asked whether or not the lines that it
// has to give are taken.
//
// Flush: what has been accepted is ended, and then all lines are dropped
// (flush_done). Reset is synchronous. After either a sweep clears one set per cycle,
// and ready is low meanwhile.
`default_nettype none

module nonblocking_cache #(
    // Powers of two, two or more.
    parameter WAYS = 4,
    parameter SETS = 64,
    // Bytes; a power of two, eight or more.
    parameter LINE = 32,
    parameter TAG_W = 36,
    // Bits that tell whose a request is, and of its number.
    parameter REQ_W = 3,
    parameter ID_W = 4,
    parameter MSHRS = 8,
    // Requests that can wait for one line.
    parameter TARGETS = 4,
    // Places in the queue to memory; a power of two, four or more.
    parameter QUEUE = 8,
    // 0 LRU, 1 tree pseudo-LRU.
    parameter POLICY = 0,
    // Derived.
    parameter OFFSET_W = $clog2(LINE),
    parameter SET_W = $clog2(SETS),
    parameter WAY_W = $clog2(WAYS),
    parameter MSHR_W = $clog2(MSHRS),
    parameter ADDRESS_W = TAG_W + SET_W + OFFSET_W
) (
    input wire clock,
    input wire reset,
    output wire ready,
    // Drop all lines; a pulse.
    input wire flush,
    // They are dropped in this cycle, in which nothing else is decided.
    output wire flush_done,

    // Requests of the two, requester 0 in the low bits. Held until ready is high.
    input wire [1:0] request_valid,
    output wire [1:0] request_ready,
    input wire [1:0] request_write,
    // In bytes, of a 32-bit word.
    input wire [2*ADDRESS_W-1:0] request_address,
    input wire [63:0] request_data,
    // Which bytes are written.
    input wire [7:0] request_strobe,
    // Whose it is: goes to the monitor with it.
    input wire [2*REQ_W-1:0] request_source,
    input wire [2*ID_W-1:0] request_id,

    // One-hot by requester; there is no way to refuse it.
    output reg [1:0] response_valid,
    output reg [ID_W-1:0] response_id,
    // The word read; of a write the word before it.
    output reg [31:0] response_data,

    // Drop one line if it is here; a line on its way is not.
    input wire invalidate_valid,
    output wire invalidate_ready,
    input wire [ADDRESS_W-1:0] invalidate_address,

    // To memory: a line to read, or a word to write.
    output wire memory_valid,
    input wire memory_ready,
    output wire memory_write,
    output wire [ADDRESS_W-1:0] memory_address,
    output wire [MSHR_W-1:0] memory_id,
    output wire [31:0] memory_data,
    output wire [3:0] memory_strobe,
    // From memory: the line that was read with this number.
    input wire fill_valid,
    output wire fill_ready,
    input wire [MSHR_W-1:0] fill_id,
    input wire [8*LINE-1:0] fill_data,

    // What is decided in this cycle: for a monitor. A request hits, replays included.
    output wire decide_access,
    // A line is dropped: decide_way of decide_set.
    output wire decide_invalidate,
    output wire [SET_W-1:0] decide_set,
    output wire [TAG_W-1:0] decide_tag,
    output wire [REQ_W-1:0] decide_source,
    output reg [WAY_W-1:0] decide_way,
    // With decide_access: it is the one for which the line was fetched, and for that
    // line a valid one was replaced.
    output wire decide_filled,
    output wire decide_evict,

    // A line is replaced in this cycle, that of the evict_tag in decide_set.
    output wire evict_valid,
    output wire [TAG_W-1:0] evict_tag,

    // For mem_issue and statistics. A request is accepted: hits, or waits from now on.
    output wire accept,
    output wire accept_miss,
    output wire accept_merge,
    // The oldest request is refused in this cycle, or waits to be tried again.
    output wire refused,
    // Its attempt has failed in this cycle: no MSHR, its MSHR full, or the queue full.
    output wire [2:0] refuse,
    // Whose request is accepted, or refused.
    output wire [REQ_W-1:0] accept_source
);
  localparam LINE_W = TAG_W + SET_W;
  localparam WORD_W = OFFSET_W - 2;
  localparam STATE_W = POLICY == 0 ? WAYS * WAY_W : WAYS - 1;
  // A request without its line: who, number, source, write, data, strobe, word.
  localparam BODY_W = 1 + ID_W + REQ_W + 1 + 32 + 4 + WORD_W;
  localparam REQUEST_W = LINE_W + BODY_W;

  // ---- Cycle t: what enters.

  // The sweep. A flush waits until nothing is under way.
  reg sweeping, flush_waits;
  reg [SET_W-1:0] sweep_set;
  wire mshrs_idle, retry_none;
  reg is_request, is_replay, is_fill, is_invalidate;
  wire stage_idle = !(is_request | is_replay | is_fill | is_invalidate);
  assign ready = !sweeping & !flush_waits;
  assign flush_done = flush_waits & mshrs_idle & retry_none & stage_idle;

  always @(posedge clock)
    if (reset | flush_done) begin
      sweeping <= 1'b1;
      sweep_set <= 0;
      flush_waits <= 1'b0;
    end else begin
      if (flush)
        flush_waits <= 1'b1;
      if (sweeping) begin
        sweeping <= sweep_set != {SET_W{1'b1}};
        sweep_set <= sweep_set + 1'b1;
      end
    end

  // A replayed write needs a place in the queue; the one before may take one now.
  wire replay_valid, replay_first, room, room_next;
  wire [LINE_W-1:0] replay_line, fill_line;
  wire [BODY_W-1:0] replay_body;
  wire replay_take = replay_valid & room_next;
  assign fill_ready = !replay_valid & !sweeping;
  wire fill_take = fill_valid & fill_ready;
  wire busy = replay_valid | fill_take | sweeping;
  assign invalidate_ready = !busy & ready;
  wire invalidate_take = invalidate_valid & invalidate_ready;

  // The request that was refused, and the one that had entered behind it.
  reg [REQUEST_W-1:0] retry_first, retry_second;
  reg [1:0] retry_count;
  reg is_retry;
  assign retry_none = retry_count == 0;
  wire retry_take = !retry_none & !is_retry & !busy & !invalidate_take;

  wire new_take = retry_none & !busy & !invalidate_take & ready;
  wire [1:0] grant;
  assign request_ready = grant & {2{new_take}};
  arbiter arbiter (
      .clock(clock),
      .reset(reset),
      .ask(request_valid),
      .grant(grant),
      .take(new_take & (request_valid != 0))
  );
  wire chosen = grant[1];
  wire [ADDRESS_W-1:0] new_address = request_address[chosen*ADDRESS_W +: ADDRESS_W];
  wire [BODY_W-1:0] new_body = {
      chosen, request_id[chosen*ID_W +: ID_W], request_source[chosen*REQ_W +: REQ_W],
      request_write[chosen], request_data[chosen*32 +: 32], request_strobe[chosen*4 +: 4],
      new_address[OFFSET_W-1:2]};
  // Requests are of whole words, and invalidations and memory of whole lines.
  wire unused = &{1'b0, new_address[1:0], invalidate_address[OFFSET_W-1:0]};

  wire [LINE_W-1:0] enter_line =
      replay_valid ? replay_line :
      fill_take ? fill_line :
      invalidate_take ? invalidate_address[ADDRESS_W-1:OFFSET_W] :
      !retry_none ? retry_first[REQUEST_W-1:BODY_W] : new_address[ADDRESS_W-1:OFFSET_W];
  wire [BODY_W-1:0] enter_body =
      replay_valid ? replay_body : !retry_none ? retry_first[BODY_W-1:0] : new_body;
  wire [SET_W-1:0] enter_set = enter_line[SET_W-1:0];

  // ---- Cycle t + 1: what is decided.

  reg [LINE_W-1:0] line;
  reg [BODY_W-1:0] body;
  reg is_first;
  reg [8*LINE-1:0] came;
  always @(posedge clock) begin
    is_request <= (retry_take | (new_take & (request_valid != 0))) & !reset;
    is_retry <= retry_take & !reset;
    is_replay <= replay_take & !reset;
    is_first <= replay_first;
    is_fill <= fill_take & !reset;
    is_invalidate <= invalidate_take & !reset;
    line <= enter_line;
    body <= enter_body;
    came <= fill_data;
  end
  wire port, writes;
  wire [ID_W-1:0] id;
  wire [31:0] data;
  wire [3:0] strobe;
  wire [WORD_W-1:0] word;
  assign {port, id, decide_source, writes, data, strobe, word} = body;
  assign {decide_tag, decide_set} = line;

  // Its set: from the RAM, or as it has just been left.
  wire [WAYS+STATE_W-1:0] set_read;
  reg [WAYS+STATE_W-1:0] set_written;
  reg set_bypass;
  wire [WAYS-1:0] valid;
  wire [STATE_W-1:0] state;
  assign {valid, state} = set_bypass ? set_written : set_read;

  // Tag and data of its ways, the same.
  wire [WAYS*(TAG_W+8*LINE)-1:0] ways_now;
  wire [WAYS-1:0] matching;
  wire [WAY_W-1:0] victim;
  integer w;
  reg hit;
  always @* begin
    hit = 1'b0;
    decide_way = victim;
    for (w = 0; w < WAYS; w = w + 1)
      if (valid[w] & matching[w] & !is_fill) begin
        hit = 1'b1;
        decide_way = w[WAY_W-1:0];
      end
  end
  wire [TAG_W-1:0] tag_there;
  wire [8*LINE-1:0] data_there;
  assign {tag_there, data_there} = ways_now[decide_way*(TAG_W+8*LINE) +: TAG_W+8*LINE];

  // What becomes of a request. One that entered behind a refused one is not tried.
  wire found, found_full, free;
  wire behind = is_request & !is_retry & !retry_none;
  wire tried = is_request & !behind;
  wire hits = hit & (!writes | room);
  wire merges = !hit & found & !found_full;
  wire allocates = !hit & !found & free & room;
  assign accept = tried & (hits | merges | allocates);
  assign accept_miss = tried & allocates;
  assign accept_merge = tried & merges;
  assign accept_source = tried | retry_none ? decide_source : retry_first[WORD_W+37 +: REQ_W];
  assign refuse[0] = tried & !hit & !found & !free;
  assign refuse[1] = tried & !hit & found & found_full;
  assign refuse[2] = tried & !room & (hit ? writes : !found & free);
  assign refused = (tried | !retry_none) & !accept;

  // A request changes its set where it hits, and only there.
  assign decide_access = (tried & hits) | is_replay;
  assign decide_invalidate = is_invalidate & hit;
  assign evict_valid = is_fill & valid[victim];
  assign evict_tag = tag_there;
  reg fill_evicted;
  assign decide_filled = is_replay & is_first;
  assign decide_evict = decide_filled & fill_evicted;

  always @(posedge clock) begin
    if (is_fill)
      fill_evicted <= evict_valid;
    response_valid <= {port, !port} & {2{decide_access & !reset}};
    response_id <= id;
    response_data <= data_there[word*32 +: 32];
  end

  // Refused ones, in their order.
  wire retry_pop = is_retry & accept;
  wire retry_push = (tried & !is_retry & !accept) | behind;
  always @(posedge clock) begin
    if (retry_pop)
      retry_first <= retry_second;
    if (retry_push) begin
      if (retry_none)
        retry_first <= {line, body};
      else
        retry_second <= {line, body};
    end
    retry_count <= reset ? 2'd0 : retry_count + {1'b0, retry_push} - {1'b0, retry_pop};
  end

  wire [MSHR_W-1:0] free_id;
  mshr_file #(
      .MSHRS(MSHRS), .TARGETS(TARGETS), .LINE_W(LINE_W), .TARGET_W(BODY_W)
  ) mshrs (
      .clock(clock),
      .reset(reset),
      .line(line),
      .found(found),
      .found_full(found_full),
      .free(free),
      .idle(mshrs_idle),
      .hold(accept_miss | accept_merge),
      .target(body),
      .free_id(free_id),
      .replay_start(fill_take),
      .start_id(fill_id),
      .start_line(fill_line),
      .replay_valid(replay_valid),
      .replay_line(replay_line),
      .replay_target(replay_body),
      .replay_first(replay_first),
      .replay_take(replay_take)
  );

  wire through = decide_access & writes;
  localparam TO_MEMORY_W = 1 + ADDRESS_W + MSHR_W + 32 + 4;
  memory_queue #(.DEPTH(QUEUE), .DATA_W(TO_MEMORY_W)) queue (
      .clock(clock),
      .reset(reset),
      .push(through | accept_miss),
      .push_data({through, line, through ? word : {WORD_W{1'b0}}, 2'b00, free_id, data, strobe}),
      .room(room),
      .room_next(room_next),
      .valid(memory_valid),
      .data({memory_write, memory_address, memory_id, memory_data, memory_strobe}),
      .take(memory_ready)
  );

  // The set afterwards.
  wire [STATE_W-1:0] state_empty, state_next;
  replacement #(.WAYS(WAYS), .POLICY(POLICY)) replacement (
      .valid(valid),
      .state(state),
      .victim(victim),
      .state_empty(state_empty),
      .invalidates(is_invalidate),
      .way(decide_way),
      .state_next(state_next)
  );
  reg [WAYS-1:0] valid_next;
  always @* begin
    valid_next = valid;
    valid_next[decide_way] = !is_invalidate;
  end
  wire set_write = sweeping | decide_access | is_fill | decide_invalidate;
  wire [SET_W-1:0] write_set = sweeping ? sweep_set : decide_set;
  wire [WAYS+STATE_W-1:0] set_next =
      sweeping ? {{WAYS{1'b0}}, state_empty} : {valid_next, state_next};
  cache_ram #(.ADDRESS_W(SET_W), .DATA_W(WAYS + STATE_W)) sets (
      .clock(clock),
      .read_address(enter_set),
      .read_data(set_read),
      .write_enable(set_write),
      .write_address(write_set),
      .write_data(set_next)
  );

  // The line afterwards: fetched, or with the bytes written.
  reg [8*LINE-1:0] line_next;
  integer b;
  always @* begin
    line_next = is_fill ? came : data_there;
    for (b = 0; b < 4; b = b + 1)
      if (!is_fill & strobe[b])
        line_next[word*32 + 8*b +: 8] = data[8*b +: 8];
  end
  wire line_write = is_fill | through;

  reg [TAG_W+8*LINE-1:0] way_written;
  reg [WAYS-1:0] way_bypass;
  wire [WAYS-1:0] way_write;
  always @(posedge clock) begin
    set_written <= set_next;
    set_bypass <= set_write & (write_set == enter_set);
    way_written <= {decide_tag, line_next};
    way_bypass <= way_write & {WAYS{decide_set == enter_set}};
  end

  genvar i;
  generate
    for (i = 0; i < WAYS; i = i + 1) begin : way
      wire [TAG_W+8*LINE-1:0] read;
      wire [TAG_W+8*LINE-1:0] now = way_bypass[i] ? way_written : read;
      assign ways_now[i*(TAG_W+8*LINE) +: TAG_W+8*LINE] = now;
      assign matching[i] = now[8*LINE +: TAG_W] == decide_tag;
      assign way_write[i] = line_write & (decide_way == i);
      cache_ram #(.ADDRESS_W(SET_W), .DATA_W(TAG_W + 8*LINE)) lines (
          .clock(clock),
          .read_address(enter_set),
          .read_data(read),
          .write_enable(way_write[i]),
          .write_address(decide_set),
          .write_data({decide_tag, line_next})
      );
    end
  endgenerate
endmodule
`default_nettype wire
