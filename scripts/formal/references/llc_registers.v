// What software may expect of llc_monitor's registers, from the table in docs/registers.md: which
// accesses are errors, what reads give, what writes do. Of counters and limits, only where they are.
module ref_llc_registers #(
    parameter WAYS = 4,
    parameter KERNELS = 4,
    parameter SETS = 64,
    parameter BANKS = 1,
    parameter TAG_W = 36,
    parameter CNT_W = 21,
    parameter STAGES = 1,
    parameter REQUESTERS = 4
) (
    input wire clock,
    input wire reset,
    // A transfer that is over in this cycle.
    input wire done,
    input wire write,
    input wire [13:0] address,
    input wire [31:0] write_data,
    input wire [3:0] strobe,
    // It is no error.
    output wire right,
    // It is to a register whose value software knows: this one.
    output wire known,
    output wire [31:0] value,
    // It is a read of a counter: this one, as the monitor is asked.
    output wire counter,
    output wire live,
    output wire [1:0] matrix,
    output wire [3:0] victim,
    output wire [3:0] aggressor,
    // It is to a limit: this one.
    output wire limit,
    output wire [8:0] pair,
    // What a write asks for, in its last cycle.
    output wire snapshot,
    output wire flush,
    output wire map,
    // Bits that a write clears: demotions, evictions, each KERNELS per victim, victim 0 lowest.
    output wire [2*KERNELS*KERNELS-1:0] clears
);
  localparam [31:0] PARTS = KERNELS;
  localparam [31:0] TOTAL_W = CNT_W + $clog2(BANKS);
  localparam [31:0] SET_W = $clog2(SETS) > 0 ? $clog2(SETS) : 1;
  localparam [31:0] GEOMETRY = WAYS | KERNELS << 8 | BANKS << 16 | REQUESTERS << 24;
  localparam [31:0] WIDTHS = SET_W | TAG_W << 8 | CNT_W << 16 | TOTAL_W << 24;

  // Rows of up to 16 kernels; matrices of rows; the table of requesters.
  wire row = address[5:2] < PARTS;
  wire square = row && address[9:6] < PARTS;
  wire requester = address[9:2] <= REQUESTERS;
  wire aligned = address[1:0] == 0;
  wire [13:0] word = {address[13:2], 2'b0};
  wire [13:0] line = {address[13:6], 6'b0};
  wire [13:0] block = {address[13:10], 10'b0};

  wire fixed = word <= 14'h018;
  wire overflow = word >= 14'h02c && word <= 14'h034;
  wire control = word == 14'h01c, period = word == 14'h020, status = word == 14'h024;
  wire enable = word == 14'h028;
  wire over = (line == 14'h080 || line == 14'h0c0) && row;
  wire mask = (line == 14'h100 || line == 14'h140) && row;
  wire table_entry = block == 14'h400 && requester;
  wire counts = (block == 14'h800 || block == 14'hc00 || block == 14'h1800 || block == 14'h1c00)
      && square;
  wire accesses = (line == 14'h1000 || line == 14'h1040 || line == 14'h2000 || line == 14'h2040)
      && row;
  wire limits = (block == 14'h2800 || block == 14'h2c00) && square;

  wire read_only = fixed || overflow || counts || accesses;
  wire writable = control || period || status || enable || over || mask || table_entry || limits;
  wire refused = table_entry && write_data[7:0] >= PARTS;
  wire error = !aligned || !(read_only || writable)
      || write && (!writable || strobe != 4'hf || refused);

  assign right = !error;
  wire writes = done && write && !error;
  assign counter = !error && !write && (counts || accesses);
  assign live = word >= 14'h1800;
  assign matrix = accesses ? 2 : block == 14'hc00 || block == 14'h1c00 ? 1 : 0;
  assign victim = accesses ? address[6] : address[9:6];
  assign aggressor = address[5:2];
  assign limit = !error && limits;
  assign pair = {block == 14'h2c00, address[9:2]};
  assign map = writes && table_entry;
  assign snapshot = writes && control && write_data[0];
  assign flush = writes && control && write_data[1];

  // What is kept.
  reg [31:0] cycles;
  reg [2:0] enabled;
  reg [KERNELS-1:0] masks[0:2*KERNELS-1];
  wire [31:0] masked[0:2*KERNELS];
  assign masked[0] = 0;
  genvar i;
  generate
    for (i = 0; i < 2 * KERNELS; i = i + 1) begin : row_of
      localparam [13:0] PLACE = i < KERNELS ? 14'h100 + 4 * i : 14'h140 + 4 * (i - KERNELS);
      localparam [13:0] OVER = i < KERNELS ? 14'h080 + 4 * i : 14'h0c0 + 4 * (i - KERNELS);
      always @(posedge clock)
        if (reset) masks[i] <= 0;
        else if (writes && word == PLACE) masks[i] <= write_data[KERNELS-1:0];
      assign masked[i+1] = masked[i] | (word == PLACE ? masks[i] : 0);
      assign clears[i*KERNELS+:KERNELS] =
          {KERNELS{writes && word == OVER}} & write_data[KERNELS-1:0];
    end
  endgenerate
  always @(posedge clock)
    if (reset) begin
      cycles <= 0;
      enabled <= 0;
    end else if (writes) begin
      if (period) cycles <= write_data;
      if (enable) enabled <= write_data[2:0];
    end

  assign known = error || word <= 14'h014 || control || period || enable || mask;
  assign value = error || control || write ? 0
      : word == 14'h000 ? 32'h434f544e
      : word == 14'h004 ? 32'h00010000
      : word == 14'h008 ? 1
      : word == 14'h00c ? GEOMETRY
      : word == 14'h010 ? WIDTHS
      : word == 14'h014 ? STAGES
      : period ? cycles
      : enable ? enabled
      : masked[2*KERNELS];
endmodule
