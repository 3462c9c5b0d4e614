// Ways and kernels are some that there are; what is hit is valid.
localparam WAY_W = WAYS > 1 ? $clog2(WAYS) : 1;
localparam KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1;

wire [WAYS-1:0] hits_invalid;
generate
  for (i = 0; i < WAYS; i = i + 1) begin : assumed
    assign hits_invalid[i] =
        stack_way[i*WAY_W+:WAY_W] == access_way && !stack_valid[i];
  end
endgenerate
wire legal = access_way < WAYS && invalidate_way < WAYS && access_kid < KERNELS
    && !(access_valid && access_hit && |hits_invalid);
