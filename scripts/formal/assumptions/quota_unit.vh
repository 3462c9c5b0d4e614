// The ratios of the kernels that take part are some that there are.
wire [KERNELS-1:0] ratio_unknown;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : assumed
    assign ratio_unknown[i] = active[i]
        && (ratio[i*RATIO_W+:RATIO_W] == 0 || ratio[i*RATIO_W+:RATIO_W] > RATIO_MAX);
  end
endgenerate
wire legal = !start || ~|ratio_unknown;
