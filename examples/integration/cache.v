// cache: a small shared cache of BANKS banks, the example to put a monitor beside.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// An address is, from the low bits: offset in the line, bank, set, tag. One
// request per cycle goes to one bank; timing and replacement are cache_bank's.
// Ports of banks are packed, bank 0 in the low bits.
`default_nettype none

module cache #(
    parameter WAYS = 4,
    // Of a bank; powers of two, as BANKS and LINE are.
    parameter SETS = 64,
    parameter BANKS = 1,
    // Bytes.
    parameter LINE = 128,
    parameter TAG_W = 36,
    parameter REQ_W = 3,
    // Derived.
    parameter OFFSET_W = $clog2(LINE),
    parameter BANK_W = $clog2(BANKS),
    parameter SET_W = $clog2(SETS),
    parameter WAY_W = $clog2(WAYS),
    parameter ADDRESS_W = TAG_W + SET_W + BANK_W + OFFSET_W
) (
    input wire clock,
    input wire reset,
    input wire flush,
    output wire ready,

    input wire access_valid,
    input wire invalidate_valid,
    // In bytes.
    input wire [ADDRESS_W-1:0] address,
    input wire [REQ_W-1:0] requester,

    // What each bank does in this cycle: for a monitor.
    output wire [BANKS-1:0] decide_access,
    output wire [BANKS-1:0] decide_invalidate,
    output wire [BANKS*SET_W-1:0] decide_set,
    output wire [BANKS*TAG_W-1:0] decide_tag,
    output wire [BANKS*REQ_W-1:0] decide_requester,
    output wire [BANKS*WAY_W-1:0] decide_way,
    output wire [BANKS-1:0] decide_hit,
    output wire [BANKS*WAYS-1:0] decide_demoted,
    output wire [BANKS-1:0] decide_evicts,

    // What each bank did in the cycle before.
    output wire [BANKS-1:0] done_valid,
    output wire [BANKS-1:0] done_hit,
    output wire [BANKS*WAY_W-1:0] done_way,
    output wire [BANKS-1:0] done_evict
);
  wire [SET_W-1:0] request_set = address[OFFSET_W+BANK_W +: SET_W];
  wire [TAG_W-1:0] request_tag = address[ADDRESS_W-1 -: TAG_W];
  // A line is the unit of all this.
  wire unused = &{1'b0, address[OFFSET_W-1:0]};

  wire [BANKS-1:0] bank_ready;
  assign ready = &bank_ready;

  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : bank
      wire here;
      if (BANKS == 1)
        assign here = 1'b1;
      else
        assign here = address[OFFSET_W +: BANK_W] == b;

      cache_bank #(.WAYS(WAYS), .SETS(SETS), .TAG_W(TAG_W), .REQ_W(REQ_W)) bank (
          .clock(clock),
          .reset(reset),
          .flush(flush),
          .ready(bank_ready[b]),
          .access_valid(access_valid & here),
          .invalidate_valid(invalidate_valid & here),
          .request_set(request_set),
          .request_tag(request_tag),
          .requester(requester),
          .decide_access(decide_access[b]),
          .decide_invalidate(decide_invalidate[b]),
          .decide_set(decide_set[b*SET_W +: SET_W]),
          .decide_tag(decide_tag[b*TAG_W +: TAG_W]),
          .decide_requester(decide_requester[b*REQ_W +: REQ_W]),
          .decide_way(decide_way[b*WAY_W +: WAY_W]),
          .decide_hit(decide_hit[b]),
          .decide_demoted(decide_demoted[b*WAYS +: WAYS]),
          .decide_evicts(decide_evicts[b]),
          .done_valid(done_valid[b]),
          .done_hit(done_hit[b]),
          .done_way(done_way[b*WAY_W +: WAY_W]),
          .done_evict(done_evict[b])
      );
    end
  endgenerate
endmodule
`default_nettype wire
