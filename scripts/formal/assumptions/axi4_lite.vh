// The manager keeps to the protocol of AXI4-Lite. What the subordinate keeps to is for facts/axi4_lite.vh.
wire legal, requested, counted, stable, bounded, quiet, errors;
axi4_lite_protocol #(
    .DEPTH(2),
    .WAITS(WAITS),
    .SLOW(SLOW)
) protocol (
    .clock(clock), .reset(reset),
    .awvalid(s_axi_awvalid), .awaddr(s_axi_awaddr), .awprot(s_axi_awprot), .awready(s_axi_awready),
    .wvalid(s_axi_wvalid), .wdata(s_axi_wdata), .wstrb(s_axi_wstrb), .wready(s_axi_wready),
    .bvalid(s_axi_bvalid), .bresp(s_axi_bresp), .bready(s_axi_bready),
    .arvalid(s_axi_arvalid), .araddr(s_axi_araddr), .arprot(s_axi_arprot), .arready(s_axi_arready),
    .rvalid(s_axi_rvalid), .rdata(s_axi_rdata), .rresp(s_axi_rresp), .rready(s_axi_rready),
    .legal(legal), .requested(requested), .counted(counted), .stable(stable), .bounded(bounded),
    .quiet(quiet), .errors(errors)
);
