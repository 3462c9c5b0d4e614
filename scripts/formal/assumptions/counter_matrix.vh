// Kernels are some that there are.
wire legal = (!inc_valid || inc_kid < KERNELS) && read_victim < KERNELS && read_aggressor < KERNELS;
