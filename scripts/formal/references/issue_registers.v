// The registers of mem_issue, all of them, written from docs/registers.md: what each access does in
// which cycle, what a snapshot captures, which limits are set.
//
// An access is taken in cycle 0; values are sampled in 3, the answer is in 4.
module ref_issue_registers #(
    parameter KERNELS = 2,
    parameter LIMITER = 0,
    parameter PRIORITY = 0,
    parameter FAIL_W = 12,
    parameter RELEASE = 0,
    parameter CAP = 0,
    parameter LAG = 0,
    parameter COUNT_W = 7,
    parameter INTERVAL_W = 10,
    parameter LIMIT_W = 5,
    parameter QUOTA_W = 10,
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1
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
    input wire [KERNELS-1:0] active,
    input wire [KERNELS-1:0] allow,
    input wire [KERNELS-1:0] unlimited,
    input wire [KERNELS*COUNT_W-1:0] in_flight,
    input wire [KERNELS*COUNT_W-1:0] limit,
    input wire [KERNELS*QUOTA_W-1:0] quota,
    // The answer.
    output wire done,
    output wire error,
    output wire [31:0] read_data,
    // The limit that is set.
    output wire set_valid,
    output wire [KID_W-1:0] set_kid,
    output wire [LIMIT_W-1:0] set_limit,
    output wire set_unlimited,
    // The cycle of an access, 0 without one; what it is to, registers in the order of their
    // addresses, none if that is an error whatever is written; its kernel and data.
    output reg [2:0] cycle,
    output wire [15:0] hits,
    output wire [3:0] kernel,
    output reg [31:0] data,
    output reg writing,
    output reg [31:0] answer,
    output reg wrong,
    // What the last snapshot captured, and how many there were.
    output reg [7:0] sequence_number,
    output reg [KERNELS-1:0] active_then,
    output reg [KERNELS-1:0] allow_then,
    output reg [KERNELS-1:0] unlimited_then,
    output reg [KERNELS*COUNT_W-1:0] in_flight_then,
    output reg [KERNELS*COUNT_W-1:0] limit_then,
    output reg [KERNELS*QUOTA_W-1:0] quota_then
);
  localparam [31:0] PARTS = KERNELS;
  localparam [31:0] GEOMETRY = KERNELS | LIMITER << 8 | PRIORITY << 9 | (RELEASE & 1) << 10
      | CAP << 11 | LAG << 12 | (RELEASE >> 1) << 14;
  localparam [31:0] WIDTHS = COUNT_W | LIMIT_W << 8 | INTERVAL_W << 16 | FAIL_W << 24;

  // The access.
  reg [13:0] place;
  reg [3:0] bytes;

  // What it is to: single registers, and one per kernel.
  wire aligned = place[1:0] == 0;
  wire [13:0] line = {place[13:6], 6'b0};
  assign kernel = place[5:2];
  wire in_row = kernel < PARTS;
  wire [15:0] named = {
    line == 14'h140 && in_row,
    line == 14'h100 && in_row && QUOTA_W > 32,
    line == 14'h0c0 && in_row, line == 14'h080 && in_row, line == 14'h040 && in_row,
    place == 14'h028, place == 14'h024, place == 14'h020, place == 14'h01c, place == 14'h018,
    place == 14'h014, place == 14'h010, place == 14'h00c,
    place == 14'h008, place == 14'h004, place == 14'h000
  };
  // CONTROL, and limits if software sets them.
  wire [15:0] writable = {LIMITER == 0, 15'b0} | 16'h0080;
  assign hits = aligned && (!writing || bytes == 4'hf) ? named & (writing ? writable : 16'hffff) : 0;

  // Its cycles. One whose request ends before the answer is dropped.
  always @(posedge clock)
    if (reset || cycle == 4 || !select) cycle <= 0;
    else cycle <= cycle + 1'b1;
  always @(posedge clock)
    if (cycle == 0) {writing, place, data, bytes} <= {write, address, write_data, strobe};
  wire writes = cycle == 4 && writing && !wrong;

  // Snapshots.
  always @(posedge clock)
    if (reset) begin
      sequence_number <= 0;
      {active_then, allow_then, unlimited_then} <= 0;
      {in_flight_then, limit_then, quota_then} <= 0;
    end else if (writes && hits[7] && data[0]) begin
      sequence_number <= sequence_number + 1'b1;
      {active_then, allow_then, unlimited_then} <= {active, allow, unlimited};
      {in_flight_then, limit_then, quota_then} <= {in_flight, limit, quota};
    end

  // Limits: 1 to what LIMIT_W bits hold, or none.
  wire refused = hits == 0 || writing && hits[15] && !data[31]
      && (data[15:0] == 0 || data[15:0] >= 1 << LIMIT_W);
  assign set_valid = writes && hits[15];
  assign set_kid = kernel;
  assign set_limit = data;
  assign set_unlimited = data[31];

  // What is sampled: a value, and whether it is an error.
  wire [COUNT_W-1:0] in_flight_here = in_flight_then >> kernel * COUNT_W;
  wire [COUNT_W-1:0] limit_here = limit_then >> kernel * COUNT_W;
  wire [COUNT_W-1:0] limit_now = limit >> kernel * COUNT_W;
  wire [QUOTA_W-1:0] quota_here = quota_then >> kernel * QUOTA_W;
  wire [63:0] quota_words = quota_here;
  wire [KERNELS-1:0] unlimited_now = unlimited >> kernel;
  wire [31:0] value = hits[0] ? 32'h434f544e
      : hits[1] ? 32'h00010000 | RELEASE >> 1
      : hits[2] ? 2
      : hits[3] ? GEOMETRY
      : hits[4] ? WIDTHS
      : hits[5] ? QUOTA_W
      : hits[6] ? {sequence_number, 8'b0}
      : hits[8] ? active_then
      : hits[9] ? allow_then
      : hits[10] ? unlimited_then
      : hits[11] ? in_flight_here
      : hits[12] ? limit_here
      : hits[13] ? quota_words[31:0]
      : hits[14] ? quota_words[63:32]
      : hits[15] ? {unlimited_now[0], 31'b0 | limit_now}
      : 0;
  always @(posedge clock) begin
    wrong <= !reset && cycle == 3 && select && refused;
    answer <= !reset && cycle == 3 && select && !writing && !refused ? value : 0;
  end
  assign done = cycle == 4;
  assign error = wrong;
  assign read_data = answer;
endmodule
