// The registers of llc_monitor, all of them, written from docs/registers.md: what each access does
// in which cycle, what the monitor is asked, budgets, periods, the interrupt. Only the memory of the
// limits is outside: it is told what to write, asked for a limit, and gives it a cycle later.
//
// An access is taken in cycle 0; counters are asked for in 1, values sampled in 3, the answer is in
// 4. A budget that is compared in a cycle is flagged two later.
module ref_llc_registers #(
    parameter WAYS = 4,
    parameter KERNELS = 4,
    parameter SETS = 64,
    parameter BANKS = 1,
    parameter TAG_W = 36,
    parameter CNT_W = 21,
    parameter STAGES = 1,
    parameter REQUESTERS = 4,
    parameter TOTAL_W = CNT_W + $clog2(BANKS),
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1,
    parameter REQ_W = $clog2(REQUESTERS + 1),
    parameter PAIR_W = 2 * KID_W + 1,
    parameter FLAGS = KERNELS * KERNELS
) (
    input wire clock,
    input wire reset,
    // An access is wanted.
    input wire select,
    input wire write,
    input wire [13:0] address,
    input wire [31:0] write_data,
    input wire [3:0] strobe,
    // What the monitor says.
    input wire ready,
    input wire [KID_W-1:0] mapped_kid,
    input wire [TOTAL_W-1:0] read_count,
    input wire read_overflow,
    input wire [KERNELS-1:0] overflow_gdc,
    input wire [KERNELS-1:0] overflow_ike,
    input wire [1:0] overflow_access,
    input wire [7:0] sequence_number,
    // What the memory of the limits gives.
    input wire [31:0] limit_given,
    // The answer.
    output wire done,
    output wire error,
    output wire [31:0] read_data,
    // What the monitor is told.
    output wire flush,
    output wire snapshot,
    output wire map_valid,
    output wire [REQ_W-1:0] map_requester,
    output wire [KID_W-1:0] map_kid,
    output wire [1:0] read_matrix,
    output wire [KID_W-1:0] read_victim,
    output wire [KID_W-1:0] read_aggressor,
    output wire read_live,
    // What the memory of the limits is told: a write; a read that matters.
    output wire limit_write,
    output wire [PAIR_W-1:0] limit_write_pair,
    output wire [31:0] limit_write_data,
    output wire limit_asks,
    output wire [PAIR_W-1:0] limit_pair,
    output reg irq,
    // The cycle of an access, 0 without one; what it is to, registers in the order of their
    // addresses, none if that is an error whatever is written; its row, column and data.
    output reg [2:0] cycle,
    output wire [28:0] hits,
    output wire [3:0] row,
    output wire [3:0] column,
    output wire [7:0] entry,
    output reg [31:0] data,
    output reg writing,
    // Registers that software reads: budgets exceeded and enabled, by matrix, victim, aggressor.
    output reg [2*FLAGS-1:0] over,
    output reg [2*FLAGS-1:0] mask,
    output reg [31:0] period,
    output reg [31:0] left,
    output reg period_passed,
    output reg [2:0] irq_enable,
    // How far the limits have been set after a reset; all are.
    output reg [PAIR_W:0] swept,
    // The scan: what it looks at next, for so many pairs in the period that ended; the pairs of the
    // last two cycles, with what the second's limit is; the one that is flagged in this cycle.
    output reg [PAIR_W-1:0] turn,
    output reg [9:0] closing,
    output reg [1:0] scanned,
    output reg [PAIR_W-1:0] pair_1,
    output reg [PAIR_W-1:0] pair_2,
    output reg [31:0] limit_2,
    output reg exceeded,
    output reg [PAIR_W-1:0] pair_3,
    output reg [31:0] answer,
    output reg wrong
);
  localparam [31:0] PARTS = KERNELS;
  // The highest limit, but for all ones, which are none.
  localparam [31:0] MOST = 32'hffffffff >> (32 - CNT_W);
  // Without a directory there are neither sets nor tags.
  localparam [31:0] SET_W = TAG_W == 0 ? 0 : $clog2(SETS) > 0 ? $clog2(SETS) : 1;
  localparam [31:0] WIDE = TOTAL_W;
  localparam [31:0] GEOMETRY = WAYS | KERNELS << 8 | BANKS << 16 | REQUESTERS << 24;
  localparam [31:0] WIDTHS = SET_W | TAG_W << 8 | CNT_W << 16 | WIDE << 24;

  // The access.
  reg [13:0] place;
  reg [3:0] bytes;

  // What it is to. Rows have 16 words, matrices 16 rows; the table of requesters its own.
  wire aligned = place[1:0] == 0;
  wire [13:0] line = {place[13:6], 6'b0};
  wire [13:0] block = {place[13:10], 10'b0};
  assign column = place[5:2];
  assign entry = place[9:2];
  wire in_row = column < PARTS;
  wire in_square = in_row && place[9:6] < PARTS;
  wire of_matrix = block == 14'h800 || block == 14'hc00 || block == 14'h1800 || block == 14'h1c00
      || block == 14'h2800 || block == 14'h2c00;
  // A flat row is counted in its rows.
  assign row = of_matrix ? place[9:6] : place[5:2];
  wire [28:0] named = {
    block == 14'h2c00 && in_square, block == 14'h2800 && in_square,
    line == 14'h2040 && in_row, line == 14'h2000 && in_row,
    block == 14'h1c00 && in_square, block == 14'h1800 && in_square,
    line == 14'h1040 && in_row, line == 14'h1000 && in_row,
    block == 14'hc00 && in_square, block == 14'h800 && in_square,
    block == 14'h400 && entry <= REQUESTERS,
    line == 14'h140 && in_row, line == 14'h100 && in_row,
    line == 14'h0c0 && in_row, line == 14'h080 && in_row,
    place == 14'h034, place == 14'h030, place == 14'h02c,
    place == 14'h028, place == 14'h024, place == 14'h020, place == 14'h01c,
    place == 14'h018, place == 14'h014, place == 14'h010, place == 14'h00c,
    place == 14'h008, place == 14'h004, place == 14'h000
  };
  // Limits, MAP, the masks, bits of exceeded budgets; IRQ_ENABLE to CONTROL.
  localparam [28:0] WRITABLE = 29'b11_00000000_1_1111_000_1111_0000000;
  assign hits = aligned && (!writing || bytes == 4'hf) ? named & (writing ? WRITABLE : ~29'b0) : 0;
  wire to_status = hits[6], to_control = hits[7], to_period = hits[8], to_irq_status = hits[9];
  wire to_irq_enable = hits[10], to_map = hits[18];
  wire to_over = hits[14] || hits[15], to_mask = hits[16] || hits[17];
  wire to_counter = |hits[26:19];
  wire to_limit = hits[27] || hits[28];
  wire of_evictions = hits[15] || hits[17] || hits[28];

  // Its cycles. One whose request ends before the answer is dropped. One to a limit waits until
  // all limits are set; nothing else does.
  wire sweeping = !swept[PAIR_W];
  wire waits = cycle == 1 && to_limit && sweeping;
  always @(posedge clock)
    if (reset || cycle == 4 || !select) cycle <= 0;
    else if (!waits) cycle <= cycle + 1'b1;
  always @(posedge clock) if (cycle == 0) {writing, place, data, bytes} <= {write, address, write_data, strobe};
  wire writes = cycle == 4 && writing && !wrong;

  // Counters: who is asked for. The bus goes first, else it is the scan's turn.
  wire reads_counter = cycle == 1 && to_counter;
  wire to_accesses = hits[21] || hits[22] || hits[25] || hits[26];
  wire [PAIR_W-1:0] own_pair = {of_evictions, row[KID_W-1:0], column[KID_W-1:0]};
  assign {read_matrix, read_victim, read_aggressor} = !reads_counter ? {1'b0, turn}
      : to_accesses ? {2'd2, {KID_W{1'b0}} | (hits[22] || hits[26]), column[KID_W-1:0]}
      : {1'b0, hits[20] || hits[24], row[KID_W-1:0], column[KID_W-1:0]};
  assign read_live = reads_counter ? |hits[26:23] : closing == 0;

  // Limits: set one after the other to all ones after a reset, then by writes.
  assign limit_write = sweeping || writes && to_limit;
  assign limit_write_pair = sweeping ? swept[PAIR_W-1:0] : own_pair;
  assign limit_write_data = sweeping ? 32'hffffffff : data;
  always @(posedge clock) swept <= reset ? 0 : swept + sweeping;

  // The scan: a pair per cycle, but not while the bus reads a counter or is at a limit.
  wire reads_limit = cycle == 1 && to_limit;
  wire scans = !sweeping && !reads_counter && !reads_limit && !(writes && to_limit);
  assign limit_asks = scans || reads_limit && !sweeping;
  assign limit_pair = reads_limit ? own_pair : turn;
  wire [KID_W-1:0] last = KERNELS - 1;
  wire [PAIR_W-1:0] after = turn[KID_W-1:0] != last ? turn + 1'b1
      : turn[KID_W+:KID_W] != last ? {turn[PAIR_W-1:KID_W] + 1'b1, {KID_W{1'b0}}}
      : {!turn[PAIR_W-1], {2 * KID_W{1'b0}}};
  always @(posedge clock) begin
    turn <= reset ? 0 : scans ? after : turn;
    closing <= reset ? 0 : snapshot ? 2 * FLAGS : closing - (scans && closing != 0);
    scanned <= reset ? 0 : {scanned[0], scans};
    {pair_2, pair_1} <= reset ? 0 : {pair_1, turn};
    limit_2 <= reset ? 0 : limit_given;
    // What a saturated counter comes to is not known; a limit of all ones is none.
    exceeded <= !reset && scanned[1]
        && (read_count > limit_2 || read_overflow && limit_2 != 32'hffffffff);
    pair_3 <= reset ? 0 : pair_2;
  end

  // Budgets exceeded: set and cleared at once, a bit is set.
  genvar m, v, a;
  generate
    for (m = 0; m < 2; m = m + 1) begin : matrix
      for (v = 0; v < KERNELS; v = v + 1) begin : victim
        wire here = writes && of_evictions == m && row == v;
        for (a = 0; a < KERNELS; a = a + 1) begin : aggressor
          localparam BIT = (m * KERNELS + v) * KERNELS + a;
          localparam [KID_W-1:0] V = v, A = a;
          localparam [0:0] M = m;
          always @(posedge clock)
            if (reset) {over[BIT], mask[BIT]} <= 0;
            else begin
              over[BIT] <= exceeded && pair_3 == {M, V, A}
                  || over[BIT] && !(here && to_over && data[a]);
              if (here && to_mask) mask[BIT] <= data[a];
            end
        end
      end
    end
  endgenerate

  // Periods: they end by a write, and every so many cycles since they were set.
  wire expires = left == 1;
  always @(posedge clock)
    if (reset) {period, left} <= 0;
    else if (writes && to_period) {period, left} <= {data, data};
    else left <= expires ? period : left == 0 ? 0 : left - 1;
  assign snapshot = expires || writes && to_control && data[0];
  assign flush = writes && to_control && data[1];

  // The interrupt.
  wire [2*FLAGS-1:0] counts = over & mask;
  wire [2:0] irq_status = {period_passed, |counts[FLAGS+:FLAGS], |counts[0+:FLAGS]};
  always @(posedge clock)
    if (reset) {period_passed, irq_enable, irq} <= 0;
    else begin
      period_passed <= expires || period_passed && !(writes && to_irq_status && data[2]);
      if (writes && to_irq_enable) irq_enable <= data[2:0];
      irq <= |(irq_status & irq_enable);
    end

  // The table of requesters.
  assign map_valid = writes && to_map;
  assign map_requester = entry;
  assign map_kid = data;

  // What is sampled: a value, and whether it is an error.
  wire [KERNELS-1:0] over_here = over >> (of_evictions * FLAGS + row * KERNELS);
  wire [KERNELS-1:0] mask_here = mask >> (of_evictions * FLAGS + row * KERNELS);
  wire [31:0] value = hits[0] ? 32'h434f544e
      : hits[1] ? 32'h00010000
      : hits[2] ? 1
      : hits[3] ? GEOMETRY
      : hits[4] ? WIDTHS
      : hits[5] ? STAGES
      : to_status ? {sequence_number, 7'b0, ready && !sweeping}
      : to_period ? period
      : to_irq_status ? irq_status
      : to_irq_enable ? irq_enable
      : hits[11] ? overflow_gdc
      : hits[12] ? overflow_ike
      : hits[13] ? overflow_access
      : to_over ? over_here
      : to_mask ? mask_here
      : to_map ? mapped_kid
      : to_counter ? read_count
      : to_limit ? limit_2
      : 0;
  wire refused = hits == 0 || writing && to_map && data[7:0] >= PARTS
      || writing && to_limit && data > MOST && data != 32'hffffffff;
  always @(posedge clock) begin
    wrong <= !reset && cycle == 3 && select && refused;
    answer <= !reset && cycle == 3 && select && !writing && !refused ? value : 0;
  end
  assign done = cycle == 4;
  assign error = wrong;
  assign read_data = answer;
endmodule
