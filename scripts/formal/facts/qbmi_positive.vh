// qbmi: no quota of the set in force is 0: what is proven of quota_unit. Inside the unit: `sets`.
wire [KERNELS-1:0] empty_set;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : in_force
    assign empty_set[i] = sets[i*(QUOTA_W-1)+:QUOTA_W-1] == 0;
  end
endgenerate
wire positive = ~|empty_set;
