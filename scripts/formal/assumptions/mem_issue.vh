// Completed is what is in flight; a request is accepted or refused; kernels are some that there
// are; a limit lets something pass.
localparam KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1;
wire [KERNELS-1:0] flying;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : assumed
    assign flying[i] = |in_flight[i*COUNT_W+:COUNT_W];
  end
endgenerate
wire legal = ~|(complete & ~flying) && !(request_valid && fail_valid)
    && (!(request_valid || fail_valid) || lsu_kid < KERNELS)
    && (!set_valid || (set_kid < KERNELS && (set_unlimited || |set_limit)));
