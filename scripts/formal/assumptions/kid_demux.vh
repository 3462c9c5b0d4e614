// The kernel is one that there is.
wire legal = select < KERNELS;
