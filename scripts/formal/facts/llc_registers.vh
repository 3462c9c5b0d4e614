// The registers of llc_monitor: errors, what is kept, what goes to the monitor and what comes from
// it, limits and who is above them. Inside the unit: the register port, `port_*`, of which
// `port_looks` and `port_waits` say that a transfer waits; what goes to the monitor, `asks_*`, and
// what comes from it, `counter_read`; `timer_expires`; the ports of the limits' RAM, `limit_*`, and
// `sweeping`; a slot of the scan, `slots`, a comparison with a limit, `weighs`, and that limit,
// `weighed_limit`; the bits of DEMOTION_OVER and EVICTION_OVER, `over`.
localparam OVER_BITS = 2 * KERNELS * KERNELS;
localparam PAIR_W = 2 * KID_W + 1;
localparam DECIDED_FACTS = 1, KEPT_FACTS = 1, EFFECTIVE_FACTS = 4, READ_FACTS = 2;
localparam LIMITED_FACTS = 5, SET_FACTS = 4, WEIGHED_FACTS = 6;
localparam BLAMED_FACTS = OVER_BITS, CLEARED_FACTS = OVER_BITS;

wire right, known, is_counter, is_live, is_limit, may_snapshot, may_flush, may_map;
wire [1:0] is_matrix;
wire [3:0] is_victim, is_aggressor;
wire [8:0] is_pair;
wire [31:0] value;
wire [OVER_BITS-1:0] clears;
ref_llc_registers #(
    .WAYS(WAYS), .KERNELS(KERNELS), .SETS(SETS), .BANKS(BANKS), .TAG_W(TAG_W), .CNT_W(CNT_W),
    .STAGES(STAGES), .REQUESTERS(REQUESTERS)
) expects (
    .clock(clock), .reset(reset),
    .done(port_done), .write(port_write), .address(port_address), .write_data(port_write_data),
    .strobe(port_strobe),
    .right(right), .known(known), .value(value), .counter(is_counter), .live(is_live),
    .matrix(is_matrix), .victim(is_victim), .aggressor(is_aggressor), .limit(is_limit),
    .pair(is_pair), .snapshot(may_snapshot), .flush(may_flush), .map(may_map), .clears(clears)
);

// An access is an error if and only if it should be.
wire decided = !port_done || port_error == !right;

// Reads give what was written last without error, or what is never written.
wire kept = !port_done || !known || port_read_data == value;

// What goes to the monitor was asked for: no error does, nor a write to what is only read.
wire [EFFECTIVE_FACTS-1:0] effective = {
  asks_flush == may_flush,
  asks_snapshot == (may_snapshot || timer_expires),
  asks_map == may_map,
  !asks_map || asks_requester == port_address[9:2] && asks_kid == port_write_data[7:0]
};

// A counter reads what the monitor gave in the cycle before, for what it was asked two cycles
// before that: this counter.
wire [3:0] asks_row = asks_victim, asks_column = asks_aggressor;
reg [31:0] gave;
reg [10:0] asked_1, asked_2, asked_3;
always @(posedge clock) begin
  gave <= counter_read;
  asked_1 <= {asks_live, asks_matrix, asks_row, asks_column};
  asked_2 <= asked_1;
  asked_3 <= asked_2;
end
wire counter_done = port_done && is_counter;
wire [READ_FACTS-1:0] read = {
  !counter_done || port_read_data == gave,
  !counter_done || asked_3 == {is_live, is_matrix, is_victim, is_aggressor}
};

// Limits are words of a RAM, that of the pair: a write without error sets it, nothing else does but
// a sweep after a reset, which sets them all to ones, one after the other.
wire [PAIR_W-1:0] pair = {is_pair[8], is_pair[4+:KID_W], is_pair[0+:KID_W]};
wire [PAIR_W-1:0] asks_pair = {asks_matrix[0], asks_victim, asks_aggressor};
reg [PAIR_W:0] swept;
always @(posedge clock) swept <= reset ? 0 : swept + !swept[PAIR_W];
wire sweeps = !swept[PAIR_W];
wire [SET_FACTS-1:0] set = {
  sweeping == sweeps,
  limit_writes == (sweeps || port_done && port_write && is_limit),
  !sweeps || limit_write_pair == swept[PAIR_W-1:0] && &limit_write_data,
  sweeps || !limit_writes || limit_write_pair == pair && limit_write_data == port_write_data
};

// A limit reads what the RAM gave for its pair, when nothing was written.
reg [PAIR_W-1:0] limit_pair_1, limit_pair_2, limit_pair_3, asks_pair_1, asks_pair_2;
reg wrote_1, wrote_2, wrote_3;
reg [31:0] limit_1, limit_2;
always @(posedge clock) begin
  {limit_pair_3, limit_pair_2, limit_pair_1} <= {limit_pair_2, limit_pair_1, limit_read_pair};
  {asks_pair_2, asks_pair_1} <= {asks_pair_1, asks_pair};
  {wrote_3, wrote_2, wrote_1} <= {wrote_2, wrote_1, limit_writes};
  {limit_2, limit_1} <= {limit_1, limit_given};
end
wire limit_done = port_done && is_limit && !port_write;
wire [LIMITED_FACTS-1:0] limited = {
  !limit_done || port_read_data == limit_2,
  !limit_done || limit_pair_3 == pair,
  !limit_done || !wrote_3,
  !limit_done || !sweeps,
  // Nothing else waits for a sweep.
  !(port_looks && port_waits) || is_limit && sweeps
};

// What is compared is a counter, two cycles after its slot, and what the RAM gave for its pair at
// that time. Pairs have slots in turn, none is left out. From the cycle after a snapshot on, until
// the turn is again where it was then, they are of the period that ended, else of the running one.
localparam [3:0] LAST = KERNELS - 1;
reg slot_1, slot_2, closing;
reg [8:0] turn, first;
wire [8:0] after_turn = turn[3:0] != LAST ? turn + 9'd1
    : turn[7:4] != LAST ? {turn[8], turn[7:4] + 4'd1, 4'd0} : {~turn[8], 8'd0};
wire [8:0] next_turn = slots ? after_turn : turn;
always @(posedge clock) begin
  {slot_2, slot_1} <= reset ? 0 : {slot_1, slots};
  turn <= reset ? 0 : next_turn;
  first <= reset ? 0 : asks_snapshot ? next_turn : first;
  closing <= !reset && (asks_snapshot || closing && !(slots && after_turn == first));
end
wire [WEIGHED_FACTS-1:0] weighed = {
  weighs == slot_2,
  !slots || {asks_matrix, asks_row, asks_column} == turn,
  !slots || asks_live == !closing,
  !weighs || limit_pair_2 == asks_pair_2,
  !weighs || !wrote_2,
  !weighs || weighed_limit == limit_1
};

// A bit is set only if such a counter was above such a limit; it stays until a write clears it.
reg above_3, above_4;
reg [8:0] pair_3, pair_4;
reg [OVER_BITS-1:0] was_over, cleared_before;
always @(posedge clock) begin
  above_3 <= weighs && counter_read > weighed_limit;
  pair_3 <= asked_2[8:0];
  above_4 <= above_3;
  pair_4 <= pair_3;
  was_over <= reset ? 0 : over;
  cleared_before <= clears;
end
wire [BLAMED_FACTS-1:0] blamed;
generate
  for (i = 0; i < 2 * KERNELS; i = i + 1) begin : victim_of
    for (j = 0; j < KERNELS; j = j + 1) begin : aggressor_of
      localparam [8:0] PAIR = i / KERNELS << 8 | i % KERNELS << 4 | j;
      assign blamed[i*KERNELS+j] = !over[i*KERNELS+j] || was_over[i*KERNELS+j]
          || above_4 && pair_4 == PAIR;
    end
  end
endgenerate
wire [CLEARED_FACTS-1:0] cleared = over | ~was_over | cleared_before;
