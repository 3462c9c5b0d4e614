// gdcu: the increments at the adders sum to the number of valid lines that the access demoted.
// The sums are led along the stack, position by position: solvers do not find that by themselves.
localparam COUNTED_FACTS = WAYS + 1;

wire [WAYS*(KERNELS+1)*SUM_W-1:0] partial;
wire [WAYS-1:0] adds_up;
generate
  for (i = 0; i < WAYS; i = i + 1) begin : until
    assign partial[i*(KERNELS+1)*SUM_W+:SUM_W] = 0;
    for (j = 0; j < KERNELS; j = j + 1) begin : victim
      assign partial[(i*(KERNELS+1)+j+1)*SUM_W+:SUM_W] =
          partial[(i*(KERNELS+1)+j)*SUM_W+:SUM_W] + above_of[(j*(WAYS+1)+i+1)*POS_W+:POS_W];
    end
    assign adds_up[i] =
        partial[(i*(KERNELS+1)+KERNELS)*SUM_W+:SUM_W] == above[(i+1)*SUM_W+:SUM_W];
  end
endgenerate
wire [COUNTED_FACTS-1:0] counted = {adder_sum[KERNELS*SUM_W+:SUM_W] == due_lines, adds_up};
