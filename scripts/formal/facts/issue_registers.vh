// The registers of mem_issue, as a complete reference has them: each of its outputs is that of the
// register file in every cycle, and each of its registers is there, whatever the bus and the unit
// do. Inside the unit: its register file's ports, `file_*`, the registers of its port, `port_*`, and
// what a snapshot captured, `then_*`.
localparam ANSWERED_FACTS = 3, SET_FACTS = 4, ACCESSED_FACTS = 7, CAPTURED_FACTS = 7;
localparam WIRED_FACTS = 6;

wire done, error, set_valid, set_unlimited, writing, wrong;
wire [31:0] read_data, data, answer;
wire [KID_W-1:0] set_kid;
wire [LIMIT_W-1:0] set_limit;
wire [2:0] cycle;
wire [15:0] hits;
wire [3:0] kernel;
wire [7:0] sequence_number;
wire [KERNELS-1:0] active_then, allow_then, unlimited_then;
wire [KERNELS*COUNT_W-1:0] in_flight_then, limit_then;
wire [KERNELS*QUOTA_W-1:0] quota_then;
ref_issue_registers #(
    .KERNELS(KERNELS), .LIMITER(LIMITER), .PRIORITY(PRIORITY), .FAIL_W(FAIL_W), .RELEASE(RELEASE),
    .CAP(CAP), .LAG(LAG), .COUNT_W(COUNT_W), .INTERVAL_W(INTERVAL_W), .LIMIT_W(LIMIT_W), .QUOTA_W(QUOTA_W)
) expects (
    .clock(clock), .reset(reset),
    .select(file_select), .write(file_write), .address(file_address),
    .write_data(file_write_data), .strobe(file_strobe),
    .active(file_active), .allow(file_allow), .unlimited(file_unlimited),
    .in_flight(file_in_flight), .limit(file_limit), .quota(file_quota),
    .done(done), .error(error), .read_data(read_data),
    .set_valid(set_valid), .set_kid(set_kid), .set_limit(set_limit),
    .set_unlimited(set_unlimited),
    .cycle(cycle), .hits(hits), .kernel(kernel), .data(data), .writing(writing),
    .answer(answer), .wrong(wrong), .sequence_number(sequence_number),
    .active_then(active_then), .allow_then(allow_then), .unlimited_then(unlimited_then),
    .in_flight_then(in_flight_then), .limit_then(limit_then), .quota_then(quota_then)
);

// The bus is answered.
wire [ANSWERED_FACTS-1:0] answered = {
  file_done == done, file_error == error, file_read_data == read_data
};

// A limit is set: which, where one is.
wire [SET_FACTS-1:0] set = {
  file_set_valid == set_valid,
  !set_valid || file_set_kid == set_kid,
  !set_valid || file_set_limit == set_limit,
  !set_valid || file_set_unlimited == set_unlimited
};

// The access.
wire under_way = cycle != 0;
wire [ACCESSED_FACTS-1:0] accessed = {
  {port_answering, port_sampling, port_reading, port_looking}
      == {cycle == 4, cycle == 3, cycle == 2, cycle == 1},
  cycle <= 4,
  !under_way || port_hits == hits,
  !under_way || hits[15:11] == 0 || port_row == kernel,
  !under_way || port_data == data && port_write == writing,
  port_error == wrong,
  port_read == answer
};

// What the last snapshot captured.
wire [CAPTURED_FACTS-1:0] captured = {
  then_sequence == sequence_number,
  then_active == active_then, then_allow == allow_then, then_unlimited == unlimited_then,
  then_in_flight == in_flight_then, then_limit == limit_then, then_quota == quota_then
};

// What the issue logic puts out goes to the SM and to the register file; what these put out goes to
// the issue logic.
wire [WIRED_FACTS-1:0] wired;
`ifdef CUT
assign wired = {
  {grant, grant_valid, grant_kid} == {issue_grant, issue_grant_valid, issue_grant_kid},
  {active, allow, unlimited, in_flight, limit, quota} == {issue_active, issue_allow,
      issue_unlimited, issue_in_flight, issue_limit, issue_quota},
  {file_active, file_allow, file_unlimited, file_in_flight, file_limit, file_quota}
      == {issue_active, issue_allow, issue_unlimited, issue_in_flight, issue_limit, issue_quota},
  {issue_reset, issue_launch, issue_exit, issue_want, issue_lsu_ready, issue_complete}
      == {reset, launch, exit, want, lsu_ready, complete},
  {issue_request_valid, issue_request_first, issue_fail_valid, issue_lsu_kid}
      == {request_valid, request_first, fail_valid, lsu_kid},
  {issue_set_valid, issue_set_kid, issue_set_limit, issue_set_unlimited}
      == {file_set_valid, file_set_kid, file_set_limit, file_set_unlimited}
};
`else
assign wired = ~0;
`endif
