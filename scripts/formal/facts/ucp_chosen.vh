// ucp: each round gives its ways to the highest hits per way that there are, of equal ones to the
// application with the lower id, and of one application to the fewest ways: what is chosen is as good
// as the candidate that is watched, any one, and better if that comes first. Quotas are what the rounds
// have given. Inside the unit: as `ucp_watched`.
localparam CHOSEN_FACTS = 12 + 2 * GIVEN;

// It is one of this round, and has been compared with the best; it is the best, or comes before it.
wire [TIME_W-1:0] its_turn = watched * balance + ways - 1;
wire compared = working && !ends && watched < APPLICATIONS && ways >= 1 && ways <= balance
    && !mask[watched] && its_turn + 2 < round_cycle;
wire it_is_best = watched == best_application && ways == best_blocks;
wire it_is_first = watched < best_application || watched == best_application && ways < best_blocks;
wire comparing_it = comparing && comparing_application == watched;

// What the rounds have given, and the quotas that come of it.
reg [POS_W-1:0] asked_position, remaining;
reg [APPLICATIONS*POS_W-1:0] given, decided;
reg new_decision;
integer n;
always @(posedge clock) begin
  asked_position <= read_position;
  new_decision <= ends && !start && !reset;
  if (ends && !start) decided <= given;
  if (deciding) remaining <= remaining - best_blocks;
  if (start || reset) remaining <= GIVEN;
  for (n = 0; n < APPLICATIONS; n = n + 1) begin
    if (deciding && best_application == n)
      given[n*POS_W+:POS_W] <= given[n*POS_W+:POS_W] + best_blocks;
    if (start || reset) given[n*POS_W+:POS_W] <= 1;
    if (reset) decided[n*POS_W+:POS_W] <= WAYS / APPLICATIONS + (n < WAYS % APPLICATIONS ? 1 : 0);
  end
end

wire [CHOSEN_FACTS-1:0] chosen = {
  fits, ours_a == sum && ours_b == best_cost && theirs_a == best_sum && theirs_b == cost,
  read_position == (asking && !ends ? allocation[application*POS_W+:POS_W] + blocks - 1 : 0),
  !answering || asked_position
      == allocation[answering_application*POS_W+:POS_W] + answering_blocks - 1,
  !comparing_it || sum == sums[comparing_blocks*(SUM_W+1)+:SUM_W+1],
  !comparing_it || cost != 0 && cost == costs[comparing_blocks*(COST_W+1)+:COST_W+1],
  !found || !mask[best_application],
  !found || best_application * balance + best_blocks + 1 < round_cycle,
  !compared || found && its_cost != 0,
  !compared || best_by_its >= its_by_best,
  !compared || !it_is_first || best_by_its > its_by_best,
  !compared || !it_is_best || best_sum == its_sum && best_cost == its_cost,
  given == allocation && remaining == balance && decided == quota && new_decision == done
};
