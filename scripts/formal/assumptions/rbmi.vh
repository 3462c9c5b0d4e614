// Any request is legal.
localparam KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1;
wire legal = 1'b1;
