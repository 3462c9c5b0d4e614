// The kernel of a request is one that there is.
localparam KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1;
localparam RATIO_MAX = INTERVAL_W >= 5 ? 32 : 1 << INTERVAL_W;
wire legal = !request_valid || request_kid < KERNELS;
