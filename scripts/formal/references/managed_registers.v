// The registers of managed_llc, all of them, written from docs/registers.md: what each access does in
// which cycle, what the unit is told, when a period ends, when software is called.
//
// An access is taken in cycle 0; a counter is asked for in 2, values are sampled in 3, the answer is in
// 4.
module ref_managed_registers #(
    parameter WAYS = 4,
    parameter SETS = 8,
    parameter APPLICATIONS = 2,
    parameter LEADERS = 1,
    parameter SAMPLED = 4,
    parameter CORES = 2,
    parameter TILES = 1,
    parameter PSEL_W = 10,
    parameter XS_W = 3,
    parameter CNT_W = 4,
    parameter T_XS = 2,
    parameter ID_W = 5,
    parameter ROTATE = 0,
    parameter POS_W = $clog2(WAYS + 1),
    parameter APP_W = $clog2(APPLICATIONS)
) (
    input wire clock,
    input wire reset,
    // An access is wanted.
    input wire select,
    input wire write,
    input wire [13:0] address,
    input wire [31:0] write_data,
    input wire [3:0] strobe,
    // What the unit says.
    input wire ready,
    input wire busy,
    input wire decided,
    input wire [APPLICATIONS*POS_W-1:0] quota,
    input wire [APPLICATIONS*PSEL_W-1:0] psel,
    input wire [APPLICATIONS-1:0] ucp_mask,
    input wire [APPLICATIONS-1:0] rrip_mask,
    input wire [XS_W-1:0] xsratio,
    input wire insensitive,
    input wire [APPLICATIONS-1:0] streaming,
    input wire [CNT_W-1:0] read_count,
    input wire [APPLICATIONS-1:0] overflow_evictions,
    input wire [1:0] overflow_accesses,
    input wire [7:0] sequence_number,
    // The answer.
    output wire done,
    output wire error,
    output wire [31:0] read_data,
    // The period ends.
    output wire period,
    // The counter that is asked for, if one is.
    output wire asks,
    output wire read_matrix,
    output wire [APP_W-1:0] read_row,
    output wire [APP_W-1:0] read_app,
    output wire read_live,
    // What is set: POLICY, and the other registers by their names.
    output reg [6:0] policy,
    output reg [APPLICATIONS-1:0] gpu,
    output reg [ID_W-1:0] pol1,
    output reg [ID_W-1:0] pol2,
    output reg choosing,
    output reg [CNT_W-1:0] stream_accesses,
    output reg [7:0] stream_rate,
    output reg [APPLICATIONS-1:0] ucp_mask_given,
    output reg [APPLICATIONS-1:0] rrip_mask_given,
    // Quotas that are prepared, and those that hold if software gives them.
    output reg [APPLICATIONS*POS_W-1:0] prepared,
    output reg [APPLICATIONS*POS_W-1:0] given,
    // The timer: cycles of a period, and how many are left.
    output reg [31:0] cycles,
    output reg [31:0] left,
    // Causes of the interrupt, those that are enabled, the interrupt.
    output reg [1:0] causes,
    output reg [1:0] enabled,
    output reg irq,
    // The cycle of an access, 0 without one; what it is to, registers in the order of their addresses,
    // none if that is an error whatever is written; its row, column and data.
    output reg [2:0] cycle,
    output wire [32:0] hits,
    output wire [3:0] row,
    output wire [3:0] column,
    output reg [31:0] data,
    output reg writing,
    output reg [31:0] answer,
    output reg wrong
);
  localparam [31:0] PARTS = APPLICATIONS, BLOCKS = WAYS, PROCESSORS = CORES;
  localparam [31:0] GEOMETRY = WAYS | APPLICATIONS << 8 | CORES << 16 | $clog2(SETS) << 24;
  localparam [31:0] WIDTHS = CNT_W | PSEL_W << 6 | XS_W << 11 | T_XS << 16;
  localparam [31:0] SAMPLING = $clog2(LEADERS) | $clog2(SAMPLED) << 8 | $clog2(TILES) << 16
      | ROTATE << 24;

  // The access, and what it is to: single registers, one per application, matrices of owner and evictor.
  reg [13:0] place;
  reg [3:0] bytes;
  wire matrix = place[13:10] == 1 || place[13:10] == 2;
  assign row = matrix ? place[9:6] : place[5:2];
  assign column = place[5:2];
  wire in_row = place[5:2] < PARTS;
  wire in_matrix = in_row && place[9:6] < PARTS;
  wire [13:0] line = {place[13:6], 6'b0};
  wire [32:0] named = {
    place[13:10] == 2 && in_matrix, place[13:10] == 1 && in_matrix,
    line == 14'h200 && in_row, line == 14'h1c0 && in_row,
    line == 14'h180 && in_row, line == 14'h140 && in_row,
    place == 14'h11c, place == 14'h118, place == 14'h114, place == 14'h110,
    place == 14'h10c, place == 14'h108, place == 14'h104, place == 14'h100,
    line == 14'h0c0 && in_row, line == 14'h080 && in_row, line == 14'h040 && in_row,
    place == 14'h03c, place == 14'h038, place == 14'h034, place == 14'h030,
    place == 14'h02c, place == 14'h028, place == 14'h024, place == 14'h020, place == 14'h01c,
    place == 14'h018, place == 14'h014, place == 14'h010, place == 14'h00c,
    place == 14'h008, place == 14'h004, place == 14'h000
  };
  // From CONTROL to QUOTA_GIVEN; IRQ_STATUS and IRQ_ENABLE.
  localparam [32:0] WRITABLE = 33'h00601ff80;
  assign hits = place[1:0] == 0 && (!writing || bytes == 4'hf)
      ? named & (writing ? WRITABLE : ~33'h0) : 33'h0;

  // Its cycles. One whose request ends before the answer is dropped.
  always @(posedge clock)
    if (reset || cycle == 4 || !select) cycle <= 0;
    else cycle <= cycle + 1'b1;
  always @(posedge clock)
    if (cycle == 0) {writing, place, data, bytes} <= {write, address, write_data, strobe};
  wire writes = cycle == 4 && writing && !wrong;

  // Periods, by software and by the timer.
  wire expires = left == 1;
  assign period = expires || writes && hits[7] && data[0];
  always @(posedge clock)
    if (reset) {cycles, left} <= 0;
    else if (writes && hits[8]) {cycles, left} <= {data, data};
    else if (expires) left <= cycles;
    else if (left != 0) left <= left - 1;

  // Counters: evictions, hits, misses, then the running ones of the same.
  assign asks = cycle == 2 && |hits[32:27];
  assign read_live = hits[32] || hits[30] || hits[29];
  assign read_matrix = |hits[30:27];
  assign read_row = read_matrix ? hits[30] || hits[28] : row;
  assign read_app = column;

  // What is set.
  wire [7:0] first = data[7:0], second = data[15:8];
  integer i;
  always @(posedge clock)
    if (reset) begin
      {policy, gpu, pol1, pol2, choosing} <= 0;
      stream_accesses <= 1;
      {stream_rate, ucp_mask_given, rrip_mask_given, prepared, given, enabled} <= 0;
    end else begin
      if (period) choosing <= 0;
      if (writes && hits[9]) policy <= data;
      if (writes && hits[9] && data[5]) given <= prepared;
      if (writes && hits[10]) gpu <= data;
      if (writes && hits[11]) {choosing, pol1, pol2} <= {1'b1, first[ID_W-1:0], second[ID_W-1:0]};
      if (writes && hits[12]) stream_accesses <= data;
      if (writes && hits[13]) stream_rate <= data;
      if (writes && hits[14]) ucp_mask_given <= data;
      if (writes && hits[15]) rrip_mask_given <= data;
      for (i = 0; i < APPLICATIONS; i = i + 1)
        if (writes && hits[16] && row == i) prepared[i*POS_W+:POS_W] <= data;
      if (writes && hits[26]) enabled <= data;
    end

  // The interrupt.
  always @(posedge clock)
    if (reset) {causes, irq} <= 0;
    else begin
      causes <= {decided, period} | (writes && hits[25] ? causes & ~data[1:0] : causes);
      irq <= |(causes & enabled);
    end

  // What is refused: quotas that are not all ways or with a 0; cores that there are not, or one and
  // the same; fewer accesses than one, or more than a counter holds.
  reg [9:0] sum;
  reg none;
  always @* begin
    sum = 0;
    none = 0;
    for (i = 0; i < APPLICATIONS; i = i + 1) begin
      sum = sum + prepared[i*POS_W+:POS_W];
      none = none || prepared[i*POS_W+:POS_W] == 0;
    end
  end
  wire [63:0] largest = (64'd1 << CNT_W) - 1;
  wire refused = hits == 0 || writing && (
      hits[9] && data[5] && (none || sum != BLOCKS)
      || hits[11] && (first >= PROCESSORS || second >= PROCESSORS || first == second)
      || hits[12] && (data == 0 || data > largest));

  // What is sampled: a value, and whether it is an error.
  wire [POS_W-1:0] prepared_here = prepared >> row * POS_W;
  wire [POS_W-1:0] quota_here = quota >> row * POS_W;
  wire [PSEL_W-1:0] psel_here = psel >> row * PSEL_W;
  wire [31:0] value = hits[0] ? 32'h434f544e
      : hits[1] ? 32'h00010000
      : hits[2] ? 3
      : hits[3] ? GEOMETRY
      : hits[4] ? WIDTHS
      : hits[5] ? SAMPLING
      : hits[6] ? {sequence_number, 4'b0, choosing, insensitive, busy, ready}
      : hits[8] ? cycles
      : hits[9] ? policy
      : hits[10] ? gpu
      : hits[11] ? (pol2 << 8 | pol1)
      : hits[12] ? stream_accesses
      : hits[13] ? stream_rate
      : hits[14] ? ucp_mask_given
      : hits[15] ? rrip_mask_given
      : hits[16] ? prepared_here
      : hits[17] ? quota_here
      : hits[18] ? psel_here
      : hits[19] ? ucp_mask
      : hits[20] ? rrip_mask
      : hits[21] ? streaming
      : hits[22] ? xsratio
      : hits[23] ? overflow_evictions
      : hits[24] ? overflow_accesses
      : hits[25] ? causes
      : hits[26] ? enabled
      : |hits[32:27] ? read_count
      : 0;
  always @(posedge clock) begin
    wrong <= !reset && cycle == 3 && select && refused;
    answer <= !reset && cycle == 3 && select && !writing && !refused ? value : 0;
  end
  assign done = cycle == 4;
  assign error = wrong;
  assign read_data = answer;
endmodule
