// mem_issue: what is proven of QBMI, which is left out: it grants one that asks, one at most, and
// only if the LSU takes it.
wire granted = (qbmi_0_grant & ~(qbmi_0_ready & {KERNELS{qbmi_0_accept}})) == 0
    && (qbmi_0_grant & (qbmi_0_grant - 1'b1)) == 0;
