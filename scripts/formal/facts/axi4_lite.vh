// A readout on AXI4-Lite: the protocol of its bus, and that each write and read reaches the
// registers once. Inside the unit: the register port, `port_*`.
localparam REQUESTED_FACTS = 1, COUNTED_FACTS = 1, STABLE_FACTS = 1, BOUNDED_FACTS = 1;
localparam QUIET_FACTS = 1, ERRORS_FACTS = 1, PASSED_FACTS = 1, ONCE_FACTS = 1;
localparam RETURNED_FACTS = 1;
wire passed, once, returned;

axi4_lite_port bridge (
    .clock(clock), .reset(reset),
    .awvalid(s_axi_awvalid), .awaddr(s_axi_awaddr), .awready(s_axi_awready),
    .wvalid(s_axi_wvalid), .wdata(s_axi_wdata), .wstrb(s_axi_wstrb), .wready(s_axi_wready),
    .bvalid(s_axi_bvalid), .bresp(s_axi_bresp), .bready(s_axi_bready),
    .arvalid(s_axi_arvalid), .araddr(s_axi_araddr), .arready(s_axi_arready),
    .rvalid(s_axi_rvalid), .rdata(s_axi_rdata), .rresp(s_axi_rresp), .rready(s_axi_rready),
    .select(port_select), .write(port_write), .address(port_address),
    .write_data(port_write_data), .strobe(port_strobe), .done(port_done), .error(port_error),
    .read_data(port_read_data), .passed(passed), .once(once), .returned(returned)
);
