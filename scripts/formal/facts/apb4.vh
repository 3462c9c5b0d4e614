// A readout on APB4: the protocol of its bus, and that each access reaches the registers once.
// Inside the unit: the register port, `port_*`.
localparam REQUESTED_FACTS = 1, STABLE_FACTS = 1, BOUNDED_FACTS = 1, QUIET_FACTS = 1;
localparam ERRORS_FACTS = 1, PASSED_FACTS = 1, ONCE_FACTS = 1, RETURNED_FACTS = 1;
wire passed, once, returned;

apb4_port bridge (
    .clock(clock), .reset(reset),
    .paddr(paddr), .psel(psel), .penable(penable), .pwrite(pwrite), .pwdata(pwdata), .pstrb(pstrb),
    .pready(pready), .prdata(prdata), .pslverr(pslverr),
    .select(port_select), .write(port_write), .address(port_address),
    .write_data(port_write_data), .strobe(port_strobe), .done(port_done), .error(port_error),
    .read_data(port_read_data), .passed(passed), .once(once), .returned(returned)
);
