// ucp and its reference are as far, and have found the same best utility, the one from what it has
// kept of it, the other from all counters of the round.
localparam SAME_FACTS = 12;
wire [8:0] naive_cycle;
wire naive_done;
wire [APPLICATIONS*POS_W-1:0] naive_quota;
wire [POS_W-1:0] naive_balance, naive_best_application, naive_best_blocks;
wire [APPLICATIONS*POS_W-1:0] naive_allocation;
wire [APPLICATIONS-1:0] naive_mask;
wire [APPLICATIONS*XS_W-1:0] naive_ratio;
wire naive_found;
wire [CNT_W+POS_W-1:0] naive_best_sum, naive_sum;
wire [XS_W+POS_W-1:0] naive_best_cost;
wire [XS_W+POS_W-1:0] per_way = ratio[comparing_application*XS_W+:XS_W];
wire [SAME_FACTS-1:0] same = {
  naive_done == done, naive_quota == quota, naive_cycle == (working ? 9'd256 + round_cycle : 9'd0), naive_balance == balance,
  naive_allocation == allocation, naive_mask == mask, naive_ratio == ratio, naive_found == found,
  !found || best_application == naive_best_application && best_blocks == naive_best_blocks,
  !found || best_sum == naive_best_sum && best_cost == naive_best_cost,
  !comparing || sum == naive_sum, !comparing || cost == comparing_blocks * per_way
};
