// The manager keeps to the protocol of APB4. What the subordinate keeps to is for facts/apb4.vh.
wire legal, requested, stable, bounded, quiet, errors;
apb4_protocol #(
    .WAITS(WAITS),
    .SLOW(SLOW),
    .SHARED_RESET(0)
) protocol (
    .clock(clock), .reset(reset),
    .paddr(paddr), .pprot(pprot), .psel(psel), .penable(penable), .pwrite(pwrite), .pwdata(pwdata), .pstrb(pstrb),
    .pready(pready), .prdata(prdata), .pslverr(pslverr),
    .legal(legal), .requested(requested), .stable(stable), .bounded(bounded), .quiet(quiet),
    .errors(errors)
);
