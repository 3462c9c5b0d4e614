// The registers of llc_monitor and llc_counters, as a complete reference has them: each of its outputs is that of the
// register file in every cycle, and each of its registers is there, whatever the bus and the monitor
// do. Inside the unit: its register file's ports, `file_*`, the ports of the limits' memory,
// `limit_*`, and the registers of its port, `port_*`, timer, scan and budgets.
localparam TOTAL_W = CNT_W + $clog2(BANKS), REQ_W = $clog2(REQUESTERS + 1);
localparam PAIR_W = 2 * KID_W + 1, FLAGS = KERNELS * KERNELS;
localparam ANSWERED_FACTS = 3, ASKED_FACTS = 9, STORED_FACTS = 4, CALLED_FACTS = 2;
localparam ACCESSED_FACTS = 8, FOUND_FACTS = 12, KEPT_FACTS = 7;

wire done, error, flush, snapshot, map_valid, read_live, expected_irq;
wire [31:0] read_data;
wire [REQ_W-1:0] map_requester;
wire [KID_W-1:0] map_kid, read_victim, read_aggressor;
wire [1:0] read_matrix;
wire limit_write, limit_asks, writing, period_passed, exceeded, wrong;
wire [PAIR_W-1:0] limit_write_pair, limit_pair, turn, pair_1, pair_2, pair_3;
wire [31:0] limit_write_data, limit_2, data, period, left, answer;
wire [2:0] cycle, irq_enable;
wire [28:0] hits;
wire [3:0] row, column;
wire [7:0] entry;
wire [2*FLAGS-1:0] over, mask;
wire [PAIR_W:0] swept;
wire [9:0] closing;
wire [1:0] scanned;
ref_llc_registers #(
    .WAYS(WAYS), .KERNELS(KERNELS), .SETS(SETS), .BANKS(BANKS), .TAG_W(TAG_W), .CNT_W(CNT_W),
    .STAGES(STAGES), .REQUESTERS(REQUESTERS)
) expects (
    .clock(clock), .reset(reset),
    .select(file_select), .write(file_write), .address(file_address),
    .write_data(file_write_data), .strobe(file_strobe),
    .ready(file_ready), .mapped_kid(file_mapped_kid), .read_count(file_read_count),
    .read_overflow(file_read_overflow), .overflow_gdc(file_overflow_gdc),
    .overflow_ike(file_overflow_ike), .overflow_access(file_overflow_access),
    .sequence_number(file_sequence_number), .limit_given(limit_read_data),
    .done(done), .error(error), .read_data(read_data),
    .flush(flush), .snapshot(snapshot), .map_valid(map_valid), .map_requester(map_requester),
    .map_kid(map_kid), .read_matrix(read_matrix), .read_victim(read_victim),
    .read_aggressor(read_aggressor), .read_live(read_live),
    .limit_write(limit_write), .limit_write_pair(limit_write_pair),
    .limit_write_data(limit_write_data), .limit_asks(limit_asks), .limit_pair(limit_pair),
    .irq(expected_irq),
    .cycle(cycle), .hits(hits), .row(row), .column(column), .entry(entry), .data(data),
    .writing(writing), .over(over), .mask(mask), .period(period), .left(left),
    .period_passed(period_passed), .irq_enable(irq_enable), .swept(swept), .turn(turn),
    .closing(closing), .scanned(scanned), .pair_1(pair_1), .pair_2(pair_2), .limit_2(limit_2),
    .exceeded(exceeded), .pair_3(pair_3), .answer(answer), .wrong(wrong)
);

// The bus is answered.
wire [ANSWERED_FACTS-1:0] answered = {
  file_done == done, file_error == error, file_read_data == read_data
};

// The monitor is told and asked; the table's entry where it matters.
wire [ASKED_FACTS-1:0] asked = {
  file_flush == flush,
  file_snapshot == snapshot,
  file_map_valid == map_valid,
  cycle == 0 || !hits[18] || file_map_requester == map_requester,
  !map_valid || file_map_kid == map_kid,
  file_read_matrix == read_matrix,
  file_read_victim == read_victim,
  file_read_aggressor == read_aggressor,
  file_read_live == read_live
};

// The memory of the limits is told and asked.
wire [STORED_FACTS-1:0] stored = {
  limit_write_enable == limit_write,
  !limit_write || limit_write_address == limit_write_pair,
  !limit_write || limit_write_value == limit_write_data,
  !limit_asks || limit_read_address == limit_pair
};

// Software is called.
wire [CALLED_FACTS-1:0] called = {
  irq == expected_irq, file_irq == expected_irq
};

// The access.
wire matrix = |{hits[28:27], hits[24:23], hits[20:19]};
wire under_way = cycle != 0;
wire [ACCESSED_FACTS-1:0] accessed = {
  {port_answering, port_sampling, port_reading, port_looking}
      == {cycle == 4, cycle == 3, cycle == 2, cycle == 1},
  cycle <= 4,
  !under_way || port_hits == hits,
  !under_way || hits[28:14] == 0 || port_row == (hits[18] ? entry : {4'b0, row}),
  !under_way || hits == 0 || port_column == (matrix ? {4'b0, column} : 8'b0),
  !under_way || port_data == data && port_write == writing,
  port_error == wrong,
  port_read == answer
};

// The scan. Where its round in the period that ended is over is a place in the unit, so many pairs
// from here in the reference.
wire [9:0] here = (turn[PAIR_W-1] * KERNELS + turn[KID_W+:KID_W]) * KERNELS + turn[0+:KID_W];
wire [9:0] end_of_round = (scan_closing_pair[PAIR_W-1] * KERNELS
    + scan_closing_pair[KID_W+:KID_W]) * KERNELS + scan_closing_pair[0+:KID_W];
wire [10:0] there = here + closing;
localparam [KID_W:0] PARTS = KERNELS;
wire [FOUND_FACTS-1:0] found = {
  scan_sweep == !swept[PAIR_W] && scan_sweep_pair == swept[PAIR_W-1:0],
  swept <= (1 << PAIR_W),
  {scan_matrix, scan_victim, scan_aggressor} == turn,
  turn[KID_W+:KID_W] < PARTS && turn[0+:KID_W] < PARTS,
  scan_closing == (closing != 0),
  closing <= 2 * FLAGS,
  closing == 0 || there == end_of_round || there == end_of_round + 2 * FLAGS,
  scan_closing_pair[KID_W+:KID_W] < PARTS && scan_closing_pair[0+:KID_W] < PARTS,
  {scan_compared, scan_asked} == scanned,
  {scan_compared_pair, scan_asked_pair} == {pair_2, pair_1},
  // In simulation both are unknown until a limit is read.
  scan_limit === limit_2,
  scan_above == exceeded && scan_above_pair == pair_3
};

// What software reads and writes.
wire [KEPT_FACTS-1:0] kept = {
  file_over == over, file_mask == mask, timer_period == period, timer_left == left,
  timer_expiring == (left == 1), file_period_passed == period_passed, file_irq_enable == irq_enable
};
