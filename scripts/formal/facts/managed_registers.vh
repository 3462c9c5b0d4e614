// The registers of managed_llc, as a complete reference has them: each of its outputs is that of the
// register file in every cycle, and each of its registers is there, whatever the bus and the unit do.
// Inside the unit: its register file's ports, `file_*`, the registers of its port, `port_*`, and what
// software has set, `set_*`.
localparam ANSWERED_FACTS = 3, ASKED_FACTS = 4, TOLD_FACTS = 16, ACCESSED_FACTS = 8;
localparam KEPT_FACTS = 21, WIRED_FACTS = 6;
localparam POS_W = $clog2(WAYS + 1), APP_W = $clog2(APPLICATIONS);

wire done, error, ends, asks, read_matrix, read_live, choosing, expected_irq, writing, wrong;
wire [31:0] read_data, cycles, left, data, answer;
wire [APP_W-1:0] read_row, read_app;
wire [6:0] policy;
wire [APPLICATIONS-1:0] gpu, ucp_mask_given, rrip_mask_given;
wire [ID_W-1:0] pol1, pol2;
wire [CNT_W-1:0] stream_accesses;
wire [7:0] stream_rate;
wire [APPLICATIONS*POS_W-1:0] prepared, given;
wire [1:0] causes, enabled;
wire [2:0] cycle;
wire [32:0] hits;
wire [3:0] row, column;
ref_managed_registers #(
    .WAYS(WAYS), .SETS(SETS), .APPLICATIONS(APPLICATIONS), .LEADERS(LEADERS), .SAMPLED(SAMPLED),
    .CORES(CORES), .TILES(TILES), .PSEL_W(PSEL_W), .XS_W(XS_W), .CNT_W(CNT_W), .T_XS(T_XS),
    .ID_W(ID_W), .ROTATE(ROTATE)
) expects (
    .clock(clock), .reset(reset),
    .select(file_select), .write(file_write), .address(file_address),
    .write_data(file_write_data), .strobe(file_strobe),
    .ready(file_ready), .busy(file_busy), .decided(file_decided), .quota(file_quota),
    .psel(file_psel), .ucp_mask(file_ucp_mask), .rrip_mask(file_rrip_mask),
    .xsratio(file_xsratio), .insensitive(file_insensitive), .streaming(file_streaming),
    .read_count(file_read_count), .overflow_evictions(file_overflow_evictions),
    .overflow_accesses(file_overflow_accesses), .sequence_number(file_sequence_number),
    .done(done), .error(error), .read_data(read_data), .period(ends),
    .asks(asks), .read_matrix(read_matrix), .read_row(read_row), .read_app(read_app),
    .read_live(read_live),
    .policy(policy), .gpu(gpu), .pol1(pol1), .pol2(pol2), .choosing(choosing),
    .stream_accesses(stream_accesses), .stream_rate(stream_rate),
    .ucp_mask_given(ucp_mask_given), .rrip_mask_given(rrip_mask_given),
    .prepared(prepared), .given(given), .cycles(cycles), .left(left),
    .causes(causes), .enabled(enabled), .irq(expected_irq),
    .cycle(cycle), .hits(hits), .row(row), .column(column), .data(data), .writing(writing),
    .answer(answer), .wrong(wrong)
);

// The bus is answered.
wire [ANSWERED_FACTS-1:0] answered = {
  file_done == done, file_error == error, file_read_data == read_data
};

// A counter is asked for: which, where one is.
wire [ASKED_FACTS-1:0] asked = {
  !asks || file_read_matrix == read_matrix,
  !asks || file_read_row == read_row,
  !asks || file_read_app == read_app,
  !asks || file_read_live == read_live
};

// The unit is told what software has set, and software is called.
wire [TOLD_FACTS-1:0] told = {
  file_period == ends, file_policy == policy[1:0], file_aware == policy[2],
  file_sample == policy[3], file_detect == policy[4], file_quota_override == policy[5],
  file_mask_override == policy[6], file_gpu == gpu, file_choose == choosing,
  file_choose_pol1 == pol1 && file_choose_pol2 == pol2,
  file_stream_accesses == stream_accesses, file_stream_rate == stream_rate,
  file_quota_given == given, file_ucp_mask_given == ucp_mask_given,
  file_rrip_mask_given == rrip_mask_given,
  irq == expected_irq && file_irq == expected_irq
};

// The access.
wire under_way = cycle != 0;
wire [ACCESSED_FACTS-1:0] accessed = {
  {port_answering, port_sampling, port_reading, port_looking}
      == {cycle == 4, cycle == 3, cycle == 2, cycle == 1},
  cycle <= 4,
  !under_way || port_hits == hits,
  !under_way || {hits[32:27], hits[18:16]} == 0 || port_row == {4'b0, row},
  !under_way || hits == 0 || port_column == (hits[32:31] == 0 ? 8'b0 : {4'b0, column}),
  !under_way || port_data == data && port_write == writing,
  port_error == wrong,
  port_read == answer
};

// What software has set, and the timer.
wire writes = cycle == 4 && writing && !wrong;
wire [KEPT_FACTS-1:0] kept = {
  set_policy == policy, set_gpu == gpu, set_pol1 == pol1, set_pol2 == pol2,
  set_choosing == choosing, set_accesses == stream_accesses, set_rate == stream_rate,
  set_ucp_mask == ucp_mask_given, set_rrip_mask == rrip_mask_given,
  set_prepared == prepared, set_given == given,
  set_causes == causes, set_enabled == enabled, set_irq == expected_irq,
  timer_period == cycles, timer_left == left, timer_expiring == (left == 1),
  // Cores that wait are two different ones that there are; one access at least streams.
  !choosing || pol1 < CORES && pol2 < CORES && pol1 != pol2,
  !(writes && hits[11]) || data[7:0] < CORES && data[15:8] < CORES && data[7:0] != data[15:8],
  stream_accesses != 0,
  !(writes && hits[12]) || data != 0 && data >> CNT_W == 0
};

// What the unit puts out goes to the cache and to the register file; what these put out goes to the
// unit.
wire [WIRED_FACTS-1:0] wired;
`ifdef CUT
assign wired = {
  {ready, done_valid, done_app, done_hit, done_fill, done_way, done_evict, done_owner}
      == {managed_ready, managed_done_valid, managed_done_app, managed_done_hit, managed_done_fill,
          managed_done_way, managed_done_evict, managed_done_owner},
  {file_ready, file_busy, file_decided, file_quota, file_psel, file_ucp_mask, file_rrip_mask}
      == {managed_ready, managed_busy, managed_decided, managed_quota, managed_psel,
          managed_ucp_mask, managed_rrip_mask},
  {file_xsratio, file_insensitive, file_streaming, file_read_count, file_overflow_evictions,
      file_overflow_accesses, file_sequence_number}
      == {managed_xsratio, managed_insensitive, managed_streaming, managed_read_count,
          managed_overflow_evictions, managed_overflow_accesses, managed_sequence_number},
  {managed_reset, managed_access_valid, managed_access_invalidate, managed_access_set,
      managed_access_tag, managed_access_app, managed_access_core, managed_retired}
      == {reset, access_valid, access_invalidate, access_set, access_tag, access_app, access_core,
          retired},
  {managed_period, managed_policy, managed_aware, managed_gpu, managed_sample, managed_choose,
      managed_choose_pol1, managed_choose_pol2, managed_detect, managed_stream_accesses,
      managed_stream_rate}
      == {file_period, file_policy, file_aware, file_gpu, file_sample, file_choose,
          file_choose_pol1, file_choose_pol2, file_detect, file_stream_accesses, file_stream_rate},
  {managed_quota_override, managed_quota_given, managed_mask_override, managed_ucp_mask_given,
      managed_rrip_mask_given, managed_read_matrix, managed_read_row, managed_read_app,
      managed_read_live}
      == {file_quota_override, file_quota_given, file_mask_override, file_ucp_mask_given,
          file_rrip_mask_given, file_read_matrix, file_read_row, file_read_app, file_read_live}
};
`else
assign wired = ~0;
`endif
