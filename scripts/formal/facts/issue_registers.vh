// The registers of mem_issue: errors, what is captured and what is kept, which limits are set.
// Inside the unit: the register port, `port_*`; what the unit says, `says_*`, and is told, `told_*`.
localparam DECIDED_FACTS = 1, KEPT_FACTS = 1, EFFECTIVE_FACTS = 2;

wire right, may_set;
wire [31:0] value;
ref_issue_registers #(
    .KERNELS(KERNELS), .LIMITER(LIMITER), .PRIORITY(PRIORITY), .FAIL_W(FAIL_W), .RELEASE(RELEASE),
    .CAP(CAP), .COUNT_W(COUNT_W), .INTERVAL_W(INTERVAL_W), .LIMIT_W(LIMIT_W), .QUOTA_W(QUOTA_W)
) expects (
    .clock(clock), .reset(reset),
    .done(port_done), .write(port_write), .address(port_address), .write_data(port_write_data),
    .strobe(port_strobe),
    .active(active), .allow(allow), .unlimited(unlimited), .in_flight(in_flight), .limit(limit),
    .quota(quota),
    .right(right), .value(value), .set(may_set)
);

// An access is an error if and only if it should be.
wire decided = !port_done || port_error == !right;

// Reads give what the last snapshot captured, what is in force, or what is never written.
wire kept = !port_done || port_read_data == value;

// A limit is set if and only if a write without error says so: this one.
wire [EFFECTIVE_FACTS-1:0] effective = {
  told_valid == may_set,
  !told_valid || told_kid == port_address[5:2] && told_unlimited == port_write_data[31]
      && (told_unlimited || told_limit == port_write_data[15:0])
};
