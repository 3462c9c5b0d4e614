// A readout on AXI4-Lite: the protocol of its bus, and that each write and read reaches the
// registers once. Inside the unit: the register port, `port_*`.
localparam REQUESTED_FACTS = 1, COUNTED_FACTS = 1, STABLE_FACTS = 1, BOUNDED_FACTS = 1;
localparam QUIET_FACTS = 1, ERRORS_FACTS = 1, PASSED_FACTS = 1, ONCE_FACTS = 1;
localparam RETURNED_FACTS = 1;
wire passed, once, returned;

axi4_lite_port bridge (
    .clock(clock), .reset(reset),
    .awvalid(awvalid), .awaddr(awaddr), .awready(awready),
    .wvalid(wvalid), .wdata(wdata), .wstrb(wstrb), .wready(wready),
    .bvalid(bvalid), .bresp(bresp), .bready(bready),
    .arvalid(arvalid), .araddr(araddr), .arready(arready),
    .rvalid(rvalid), .rdata(rdata), .rresp(rresp), .rready(rready),
    .select(port_select), .write(port_write), .address(port_address),
    .write_data(port_write_data), .strobe(port_strobe), .done(port_done), .error(port_error),
    .read_data(port_read_data), .passed(passed), .once(once), .returned(returned)
);
