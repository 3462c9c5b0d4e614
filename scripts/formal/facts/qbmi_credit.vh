// qbmi: an inactive kernel has no quota left, and one active kernel at most, while the set is added;
// each grant is taken off its kernel's quota two cycles later, and nothing else is; a grant has a
// request, there is at most one, to the highest quota among those that ask, among equals not to the
// last winner, and a lone kernel is never blocked; ratios stay in range. Inside the unit:
// `candidates`, `steps_left`, `pending`, `refill`, `turn`; `newest`, one less than the set in force,
// and `single`, where it is 1.
localparam STEPS_W = $clog2(RATIO_MAX);
localparam CREDIT_FACTS = 10 * KERNELS + 2 * KERNELS * KERNELS + 6;

wire change = |launch || |exit;
wire [KERNELS-1:0] asks = ready & active & {KERNELS{accept}};
wire [KERNELS-1:0] solvent, in_range, measured, asked, named, alone, used_up, paid, latest, some, one;
wire [KERNELS*KERNELS-1:0] highest, in_turn;
// What was granted in the cycle before, and whether quotas were only taken from then.
reg [KERNELS-1:0] owed, taken;
reg [KERNELS*QUOTA_W-1:0] before;
reg quiet = 0;
always @(posedge clock) begin
  owed <= reset || change ? 0 : grant;
  taken <= owed;
  before <= quota;
  quiet <= !reset && !change && !refill;
end
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : credit_of
    wire [RATIO_W-1:0] requests = ratio[i*RATIO_W+:RATIO_W];
    wire [RATIO_W-1:0] counted = candidates[i*RATIO_W+:RATIO_W];
    wire [STEPS_W-1:0] to_go = steps_left[i*STEPS_W+:STEPS_W];
    wire [QUOTA_W-1:0] mine = quota[i*QUOTA_W+:QUOTA_W];
    assign solvent[i] = active[i] || mine == 0;
    assign used_up[i] = active[i] && mine == 0;
    assign paid[i] = !quiet || mine + taken[i] == before[i*QUOTA_W+:QUOTA_W];
    assign in_range[i] = requests >= 1 && requests <= RATIO_MAX;
    assign measured[i] = counted >= 1 && {1'b0, counted} + to_go <= RATIO_MAX;
    assign asked[i] = !grant[i] || asks[i];
    assign named[i] = !grant[i] || grant_kid == i;
    assign alone[i] = asks != 1 << i || grant[i];
    assign some[i] = newest[i*(QUOTA_W-1)+:QUOTA_W-1] != {QUOTA_W - 1{1'b1}};
    assign one[i] = single[i] == (newest[i*(QUOTA_W-1)+:QUOTA_W-1] == 0);
    assign latest[i] = !pending[i] || active[i] && turn == i;
    for (j = 0; j < KERNELS; j = j + 1) begin : against
      wire [QUOTA_W-1:0] its = quota[j*QUOTA_W+:QUOTA_W];
      assign highest[i*KERNELS+j] = !(grant[i] && asks[j]) || its <= mine;
      assign in_turn[i*KERNELS+j] = !(grant[i] && asks[j]) || i == j || its != mine || turn != i;
    end
  end
endgenerate
wire [CREDIT_FACTS-1:0] credit = {
  solvent, in_range, measured, asked, named, alone, paid, latest, some, one, highest, in_turn,
  grant_valid == |asks, (grant & (grant - 1'b1)) == 0,
  refill == (|used_up ? active : 0), (used_up & (used_up - 1'b1)) == 0,
  pending == owed, (pending & (pending - 1'b1)) == 0
};
