// gdcu: what reaches the adders is what the access STAGES cycles ago demoted of each victim,
// found line by line. Inside the unit: `adder_valid`, `adder_inc`.
localparam POS_W = $clog2(WAYS + 1);
localparam SUM_W = POS_W + $clog2(KERNELS + 1);
localparam LINES_FACTS = KERNELS + 2;

// Valid lines demoted among the first i positions: in all, and of each victim.
wire [(WAYS+1)*SUM_W-1:0] above;
wire [KERNELS*(WAYS+1)*POS_W-1:0] above_of;
assign above[0+:SUM_W] = 0;
generate
  for (i = 0; i < WAYS; i = i + 1) begin : line
    wire demoted = access_valid && stack_valid[i] && (access_pos == WAYS || i < access_pos);
    assign above[(i+1)*SUM_W+:SUM_W] = above[i*SUM_W+:SUM_W] + demoted;
    for (j = 0; j < KERNELS; j = j + 1) begin : of
      assign above_of[(j*(WAYS+1)+i+1)*POS_W+:POS_W] = above_of[(j*(WAYS+1)+i)*POS_W+:POS_W]
          + (demoted && stack_owner[i*KID_W+:KID_W] == j);
    end
  end
  for (j = 0; j < KERNELS; j = j + 1) begin : none
    assign above_of[j*(WAYS+1)*POS_W+:POS_W] = 0;
  end
endgenerate

// The same, STAGES cycles later.
localparam LATE_W = 1 + SUM_W + KERNELS * POS_W;
wire [(STAGES+1)*LATE_W-1:0] late;
generate
  assign late[LATE_W-1] = access_valid;
  assign late[LATE_W-2-:SUM_W] = above[WAYS*SUM_W+:SUM_W];
  for (j = 0; j < KERNELS; j = j + 1) begin : now
    assign late[j*POS_W+:POS_W] = above_of[(j*(WAYS+1)+WAYS)*POS_W+:POS_W];
  end
  for (i = 0; i < STAGES; i = i + 1) begin : stage
    reg [LATE_W-1:0] ago;
    always @(posedge clock) ago <= reset ? {LATE_W{1'b0}} : late[i*LATE_W+:LATE_W];
    assign late[(i+1)*LATE_W+:LATE_W] = ago;
  end
endgenerate
wire due = late[(STAGES+1)*LATE_W-1];
wire [SUM_W-1:0] due_lines = late[(STAGES+1)*LATE_W-2-:SUM_W];
wire [KERNELS*POS_W-1:0] due_of = late[STAGES*LATE_W+:KERNELS*POS_W];

// Sums over the victims.
wire [(KERNELS+1)*SUM_W-1:0] due_sum, adder_sum;
assign due_sum[0+:SUM_W] = 0;
assign adder_sum[0+:SUM_W] = 0;
wire [KERNELS-1:0] same_of;
generate
  for (j = 0; j < KERNELS; j = j + 1) begin : sum
    assign due_sum[(j+1)*SUM_W+:SUM_W] = due_sum[j*SUM_W+:SUM_W] + due_of[j*POS_W+:POS_W];
    assign adder_sum[(j+1)*SUM_W+:SUM_W] = adder_sum[j*SUM_W+:SUM_W] + adder_inc[j*POS_W+:POS_W];
    assign same_of[j] = adder_inc[j*POS_W+:POS_W] == due_of[j*POS_W+:POS_W];
  end
endgenerate
wire [LINES_FACTS-1:0] lines = {
  due_sum[KERNELS*SUM_W+:SUM_W] == due_lines, same_of, adder_valid == due
};
