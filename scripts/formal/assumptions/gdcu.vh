// Kernels are some that there are, the access to a set that can be.
localparam KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1;

wire [WAYS-1:0] owner_unknown, hits_invalid;
generate
  for (i = 0; i < WAYS; i = i + 1) begin : assumed
    assign owner_unknown[i] =
        stack_valid[i] && stack_owner[i*KID_W+:KID_W] >= KERNELS;
    assign hits_invalid[i] = access_pos == i && !stack_valid[i];
  end
endgenerate
wire legal_access =
    access_pos <= WAYS && access_kid < KERNELS && ~|owner_unknown && ~|hits_invalid;
wire legal = (!access_valid || legal_access) && read_victim < KERNELS && read_aggressor < KERNELS;
