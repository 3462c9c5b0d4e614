// A register file: when it answers. Inside the unit: the register port, `port_*`, and `port_waits`.
localparam ANSWERED_FACTS = 1, SILENT_FACTS = 1, HELD_FACTS = 1;
wire answered, silent, held;

register_port register_port (
    .clock(clock), .reset(reset),
    .select(port_select), .write(port_write), .address(port_address),
    .write_data(port_write_data), .strobe(port_strobe), .done(port_done), .error(port_error),
    .read_data(port_read_data), .waits(port_waits),
    .answered(answered), .silent(silent), .held(held)
);
