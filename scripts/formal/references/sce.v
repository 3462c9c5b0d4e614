// Share at eviction: when a line of a victim is evicted, the lines of each kernel above it, the new
// line included, counted per victim and aggressor.
// Source: docs/attribution.md. The lines are found at once and reach the counters STAGES cycles later.
module ref_sce #(
    parameter WAYS = 16,
    parameter KERNELS = 4,
    parameter CNT_W = 21,
    parameter STAGES = 1,
    parameter POS_W = $clog2(WAYS + 1),
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire access_hit,
    input wire [KID_W-1:0] access_kid,
    input wire [WAYS*KID_W-1:0] stack_owner,
    input wire [WAYS-1:0] stack_valid,
    input wire snapshot,
    input wire [KID_W-1:0] read_victim,
    input wire [KID_W-1:0] read_aggressor,
    input wire read_live,
    output wire [CNT_W-1:0] read_count,
    output wire read_overflow,
    output wire [KERNELS-1:0] overflow,
    output wire [7:0] sequence_number
);
  wire evicts = access_valid && !access_hit && stack_valid[WAYS-1];
  wire [KID_W-1:0] victim = stack_owner[(WAYS-1)*KID_W+:KID_W];

  // How many lines of each kernel are above that which goes.
  reg [KERNELS*POS_W-1:0] lines;
  integer i;
  integer j;
  always @* begin
    lines = 0;
    for (j = 0; j < KERNELS; j = j + 1) begin
      if (evicts && access_kid == j) lines[j*POS_W+:POS_W] = 1;
      for (i = 0; i < WAYS - 1; i = i + 1)
        if (evicts && stack_valid[i] && stack_owner[i*KID_W+:KID_W] == j)
          lines[j*POS_W+:POS_W] = lines[j*POS_W+:POS_W] + 1'b1;
    end
  end

  wire due_valid;
  wire [KID_W-1:0] due_victim;
  wire [KERNELS*POS_W-1:0] due;
  ref_delay #(
      .WIDTH(1 + KID_W + KERNELS * POS_W),
      .STAGES(STAGES)
  ) pipeline (
      .clock(clock),
      .reset(reset),
      .now({evicts, victim, lines}),
      .late({due_valid, due_victim, due})
  );

  // A row of the counters is an aggressor.
  ref_counter_matrix #(
      .KERNELS(KERNELS),
      .INC_W(POS_W),
      .CNT_W(CNT_W)
  ) matrix (
      .clock(clock),
      .reset(reset),
      .inc_valid(due_valid),
      .inc_kid(due_victim),
      .inc(due),
      .snapshot(snapshot),
      .read_victim(read_aggressor),
      .read_aggressor(read_victim),
      .read_live(read_live),
      .read_count(read_count),
      .read_overflow(read_overflow),
      .overflow(overflow),
      .sequence_number(sequence_number)
  );
endmodule
