// GDC unit: how many lines of each victim an access by each aggressor demotes, counted.
// Source: GDC, section III. The demotions of an access are found at once, line by line, and reach
// the counters STAGES cycles later.
module ref_gdcu #(
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
    input wire [POS_W-1:0] access_pos,
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
  // How many lines of each kernel the access demotes.
  reg [KERNELS*POS_W-1:0] demotions;
  integer i;
  integer v;
  always @* begin
    demotions = 0;
    for (i = 0; i < WAYS; i = i + 1)
      for (v = 0; v < KERNELS; v = v + 1)
        if (access_valid && i < access_pos && stack_valid[i]
            && stack_owner[i*KID_W+:KID_W] == v)
          demotions[v*POS_W+:POS_W] = demotions[v*POS_W+:POS_W] + 1'b1;
  end

  wire due_valid;
  wire [KID_W-1:0] due_kid;
  wire [KERNELS*POS_W-1:0] due;
  ref_delay #(
      .WIDTH(1 + KID_W + KERNELS * POS_W),
      .STAGES(STAGES)
  ) pipeline (
      .clock(clock),
      .reset(reset),
      .now({access_valid, access_kid, demotions}),
      .late({due_valid, due_kid, due})
  );

  ref_counter_matrix #(
      .KERNELS(KERNELS),
      .INC_W(POS_W),
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
