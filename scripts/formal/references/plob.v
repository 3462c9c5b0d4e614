// PLOB's monitors: whose lines an access by each aggressor evicts, counted.
// Source: GDC, section II-A: a miss that replaces a valid line evicts it; the diagonal is counted,
// too. The eviction reaches the counters STAGES cycles later.
module ref_plob #(
    parameter KERNELS = 4,
    parameter CNT_W = 21,
    parameter STAGES = 1,
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire access_hit,
    input wire victim_valid,
    input wire [KID_W-1:0] victim_owner,
    input wire [KID_W-1:0] access_kid,
    input wire snapshot,
    input wire [KID_W-1:0] read_victim,
    input wire [KID_W-1:0] read_aggressor,
    input wire read_live,
    output wire [CNT_W-1:0] read_count,
    output wire read_overflow,
    output wire [KERNELS-1:0] overflow,
    output wire [7:0] sequence_number
);
  // Who loses a line.
  wire evicts = access_valid && !access_hit && victim_valid;
  reg [KERNELS-1:0] losses;
  integer v;
  always @* for (v = 0; v < KERNELS; v = v + 1) losses[v] = evicts && victim_owner == v;

  wire due_valid;
  wire [KID_W-1:0] due_kid;
  wire [KERNELS-1:0] due;
  ref_delay #(
      .WIDTH(1 + KID_W + KERNELS),
      .STAGES(STAGES)
  ) pipeline (
      .clock(clock),
      .reset(reset),
      .now({evicts, access_kid, losses}),
      .late({due_valid, due_kid, due})
  );

  ref_counter_matrix #(
      .KERNELS(KERNELS),
      .INC_W(1),
      .CNT_W(CNT_W)
  ) matrix (
      .clock(clock),
      .reset(reset),
      .inc_valid(due_valid),
      .inc_kid(due_kid),
      .inc(due),
      .snapshot(snapshot),
      .read_victim(read_victim),
      .read_aggressor(read_aggressor),
      .read_live(read_live),
      .read_count(read_count),
      .read_overflow(read_overflow),
      .overflow(overflow),
      .sequence_number(sequence_number)
  );
endmodule
