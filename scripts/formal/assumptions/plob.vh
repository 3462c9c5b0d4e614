// Kernels are some that there are, where they matter; the read port may ask for any.
wire legal = !access_valid
    || (access_kid < KERNELS && (access_hit || !victim_valid || victim_owner < KERNELS));
