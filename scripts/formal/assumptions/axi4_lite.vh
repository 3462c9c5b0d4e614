// The manager keeps to the protocol of AXI4-Lite. What the subordinate keeps to is for facts/axi4_lite.vh.
wire legal, requested, counted, stable, bounded, quiet, errors;
axi4_lite_protocol #(
    .DEPTH(2),
    .WAITS(WAITS),
    .SLOW(SLOW)
) protocol (
    .clock(clock), .reset(reset),
    .awvalid(awvalid), .awaddr(awaddr), .awready(awready),
    .wvalid(wvalid), .wdata(wdata), .wstrb(wstrb), .wready(wready),
    .bvalid(bvalid), .bresp(bresp), .bready(bready),
    .arvalid(arvalid), .araddr(araddr), .arready(arready),
    .rvalid(rvalid), .rdata(rdata), .rresp(rresp), .rready(rready),
    .legal(legal), .requested(requested), .counted(counted), .stable(stable), .bounded(bounded),
    .quiet(quiet), .errors(errors)
);
