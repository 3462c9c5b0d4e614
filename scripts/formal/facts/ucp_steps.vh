// ucp: a decision takes no longer than documented; it gives out all ways, at least one to each
// application, at its end and at every time before; quotas change with `done` and with a reset.
// `steps` says how far a round is: the counters of an application are asked for one after the other,
// those of the next behind them, and are added a cycle later, and compared in the next one.
// Inside the unit: all registers but those of the utilities.
localparam POS_W = $clog2(WAYS + 1), APP_W = APPLICATIONS > 2 ? $clog2(APPLICATIONS) : 1;
localparam GIVEN = WAYS - APPLICATIONS;
localparam BOUND = 2 + APPLICATIONS * GIVEN * (GIVEN + 1) / 2 + 3 * GIVEN;
localparam TIME_W = $clog2(BOUND + 2) + 1;
localparam SHARES_FACTS = 2 + APPLICATIONS, TIMELY_FACTS = 4 + APPLICATIONS;
localparam STEPS_FACTS = 16 + 2 * APPLICATIONS;

// Cycles since the start, and since the round began; 0 and 0 if there is none under way.
reg [TIME_W-1:0] age, round_cycle;
reg [APPLICATIONS*POS_W-1:0] kept;
reg reset_before;
wire working = age != 0;
wire ends = working && balance == 0;
always @(posedge clock) begin
  age <= reset ? 0 : start ? 1 : working && !ends ? age + 1 : 0;
  round_cycle <= reset || start || deciding || !working || ends ? 0 : round_cycle + 1;
  kept <= quota;
  reset_before <= reset;
end

// How many counters a round asks for, and the cycles until the round with so many ways to give.
wire [TIME_W-1:0] asked = APPLICATIONS * balance;
wire [TIME_W-1:0] asked_before = application * balance + blocks - 1;
wire [TIME_W-1:0] answered_before = answering_application * balance + answering_blocks - 1;
wire [TIME_W-1:0] compared_before = comparing_application * balance + comparing_blocks - 1;
wire [TIME_W*(GIVEN+2)-1:0] until;
assign until[0+:TIME_W] = 0;
generate
  for (i = 0; i <= GIVEN; i = i + 1) begin : left
    localparam [TIME_W-1:0] CYCLES =
        APPLICATIONS * (GIVEN * (GIVEN + 1) - i * (i + 1)) / 2 + 3 * (GIVEN - i);
    assign until[(i+1)*TIME_W+:TIME_W] = until[i*TIME_W+:TIME_W] | (balance == i ? CYCLES : 0);
  end
endgenerate
wire [TIME_W-1:0] limit = until[(GIVEN+1)*TIME_W+:TIME_W];

wire [(APPLICATIONS+1)*(POS_W+4)-1:0] quotas, allocated;
assign quotas[0+:POS_W+4] = 0, allocated[0+:POS_W+4] = 0;
wire [APPLICATIONS-1:0] has_quota, has_way, unchanged, seen, ratios;
generate
  for (i = 0; i < APPLICATIONS; i = i + 1) begin : each
    wire [POS_W-1:0] its = quota[i*POS_W+:POS_W], way = allocation[i*POS_W+:POS_W];
    assign quotas[(i+1)*(POS_W+4)+:POS_W+4] = quotas[i*(POS_W+4)+:POS_W+4] + its;
    assign allocated[(i+1)*(POS_W+4)+:POS_W+4] = allocated[i*(POS_W+4)+:POS_W+4] + way;
    assign has_quota[i] = its != 0;
    assign has_way[i] = way != 0;
    assign unchanged[i] = done || reset_before || its == kept[i*POS_W+:POS_W];
    // It may get ways, and one of its counters has been compared.
    assign seen[i] = !mask[i] && i * balance + 2 < round_cycle;
    assign ratios[i] = ratio[i*XS_W+:XS_W] != 0;
  end
endgenerate
wire [SHARES_FACTS-1:0] shares = {
  quotas[APPLICATIONS*(POS_W+4)+:POS_W+4] == WAYS,
  allocated[APPLICATIONS*(POS_W+4)+:POS_W+4] + balance == WAYS, has_quota
};
wire [TIMELY_FACTS-1:0] timely = {
  busy == working, !working || age <= 1 + limit + round_cycle,
  !working || age < BOUND, !(done && busy), unchanged
};
wire [STEPS_FACTS-1:0] steps = {
  working || round_cycle == 0, !ends || round_cycle == 0, round_cycle <= asked + 2,
  asking == (working && (ends || round_cycle < asked)),
  answering == (working && !ends && round_cycle >= 1 && round_cycle <= asked),
  answering_last == (working && !ends && round_cycle == asked),
  comparing == (working && !ends && round_cycle >= 2 && round_cycle <= asked + 1),
  comparing_last == (working && !ends && round_cycle == asked + 1),
  deciding == (working && !ends && round_cycle == asked + 2),
  !working || (asking && !ends ? asked_before == round_cycle && application < APPLICATIONS
      && blocks >= 1 && blocks <= balance : blocks == 1 && (!ends || application == 0)),
  !answering || answered_before + 1 == round_cycle && answering_application < APPLICATIONS
      && answering_blocks >= 1 && answering_blocks <= balance,
  !comparing || compared_before + 2 == round_cycle && comparing_application < APPLICATIONS
      && comparing_blocks >= 1 && comparing_blocks <= balance,
  !found || best_blocks >= 1 && best_blocks <= balance && best_application < APPLICATIONS,
  !found || working && !ends, working && !ends ? found == |seen : !found, !(&mask),
  has_way, ratios
};
