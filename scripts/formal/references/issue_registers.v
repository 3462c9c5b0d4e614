// What software may expect of mem_issue's registers, from the table in docs/registers.md: which
// accesses are errors, what reads give, what writes do.
module ref_issue_registers #(
    parameter KERNELS = 2,
    parameter LIMITER = 0,
    parameter PRIORITY = 0,
    parameter FAIL_W = 12,
    parameter RELEASE = 0,
    parameter CAP = 0,
    parameter COUNT_W = 7,
    parameter INTERVAL_W = 10,
    parameter LIMIT_W = 5,
    parameter QUOTA_W = 10
) (
    input wire clock,
    input wire reset,
    // A transfer that is over in this cycle.
    input wire done,
    input wire write,
    input wire [13:0] address,
    input wire [31:0] write_data,
    input wire [3:0] strobe,
    // What the unit says; limits are read a cycle before the transfer is over.
    input wire [KERNELS-1:0] active,
    input wire [KERNELS-1:0] allow,
    input wire [KERNELS-1:0] unlimited,
    input wire [KERNELS*COUNT_W-1:0] in_flight,
    input wire [KERNELS*COUNT_W-1:0] limit,
    input wire [KERNELS*QUOTA_W-1:0] quota,
    // It is no error.
    output wire right,
    // What it reads.
    output wire [31:0] value,
    // A limit is set, in the last cycle of a write.
    output wire set
);
  localparam [31:0] PARTS = KERNELS;
  localparam [31:0] GEOMETRY = KERNELS | LIMITER << 8 | PRIORITY << 9 | RELEASE << 10 | CAP << 11;
  localparam [31:0] WIDTHS = COUNT_W | LIMIT_W << 8 | INTERVAL_W << 16 | FAIL_W << 24;

  wire [13:0] line = {address[13:6], 6'b0};
  wire row = address[5:2] < PARTS;
  wire single = address <= 14'h028;
  wire captured = line == 14'h040 || line == 14'h080 || line == 14'h0c0
      || line == 14'h100 && QUOTA_W > 32;
  wire limits = line == 14'h140;
  wire control = address == 14'h01c;
  wire writable = control || limits && LIMITER == 0;
  wire refused = limits && !write_data[31]
      && (write_data[15:0] == 0 || write_data[15:0] >= 1 << LIMIT_W);
  wire error = address[1:0] != 0 || !(single || (captured || limits) && row)
      || write && (!writable || strobe != 4'hf || refused);
  wire writes = done && write && !error;
  wire snapshot = writes && control && write_data[0];
  assign right = !error;
  assign set = writes && limits;

  // What a snapshot captures, and the limits of the cycle before.
  reg [7:0] sequence_number;
  reg [KERNELS-1:0] active_then, allow_then, unlimited_then, unlimited_before;
  reg [KERNELS*COUNT_W-1:0] in_flight_then, limit_then, limit_before;
  reg [KERNELS*QUOTA_W-1:0] quota_then;
  always @(posedge clock) begin
    {limit_before, unlimited_before} <= {limit, unlimited};
    if (reset) begin
      sequence_number <= 0;
      {active_then, allow_then, unlimited_then} <= 0;
      {in_flight_then, limit_then, quota_then} <= 0;
    end else if (snapshot) begin
      sequence_number <= sequence_number + 1;
      {active_then, allow_then, unlimited_then} <= {active, allow, unlimited};
      {in_flight_then, limit_then, quota_then} <= {in_flight, limit, quota};
    end
  end

  wire [3:0] kernel = address[5:2];
  wire [63:0] quota_here = 64'b0 | quota_then[kernel*QUOTA_W+:QUOTA_W];
  assign value = error || write ? 0
      : line == 14'h040 ? in_flight_then[kernel*COUNT_W+:COUNT_W]
      : line == 14'h080 ? limit_then[kernel*COUNT_W+:COUNT_W]
      : line == 14'h0c0 ? quota_here[31:0]
      : line == 14'h100 ? quota_here[63:32]
      : limits ? limit_before[kernel*COUNT_W+:COUNT_W] | {unlimited_before[kernel], 31'b0}
      : address == 14'h000 ? 32'h434f544e
      : address == 14'h004 ? 32'h00010000
      : address == 14'h008 ? 2
      : address == 14'h00c ? GEOMETRY
      : address == 14'h010 ? WIDTHS
      : address == 14'h014 ? QUOTA_W
      : address == 14'h018 ? {sequence_number, 8'b0}
      : address == 14'h020 ? active_then
      : address == 14'h024 ? allow_then
      : address == 14'h028 ? unlimited_then
      : 0;
endmodule
