// qbmi: at most 2 * LATENCY cycles after a new ratio or a change of the kernels the set in force
// has been made from it, unless a change comes in between, from which on they restart.
// Inside the unit: `dirty`, `updates`, `begins`, `unit_left`.
localparam STEPS = RATIO_MAX == 32 ? 40 : RATIO_MAX == 8 ? 8 : 3;
localparam LATENCY = KERNELS * (STEPS + 1) + 1;
localparam AGE_W = $clog2(2 * LATENCY + 2) + 1;
localparam FRESH_FACTS = 5;

// Cycles since the oldest event that no set has been begun for, and since the oldest that the set
// under way was begun for.
reg [AGE_W-1:0] asked_ago, begun_ago;
reg owed;
wire change = |launch || |exit;
always @(posedge clock) begin
  owed <= !reset && (change || updates || owed && !begins);
  asked_ago <= reset ? 0 : change || updates && (!owed || begins) ? 1 : asked_ago + 1;
  begun_ago <= reset ? 0 : begins ? asked_ago + 1 : begun_ago + 1;
end
wire under_way = unit_left != 0;
wire [FRESH_FACTS-1:0] fresh = {
  owed == dirty,
  !owed || asked_ago + unit_left <= LATENCY,
  !under_way || begun_ago + unit_left <= 2 * LATENCY,
  // The last cycle in which an older set is in force.
  unit_left != 1 || begun_ago < 2 * LATENCY,
  unit_left < LATENCY
};
