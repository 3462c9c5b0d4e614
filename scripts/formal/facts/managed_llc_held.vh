// managed_llc: what holds of it, whatever stands where its parts are that do what is proven of them.
//
// `told`: the parts are told what they may be: UCP starts with an application that may get more than one
// way, and ratios of at least 1; an access to the directory is of one sampled core at most, and of none
// unless it is by an application of the GPU; what is counted is of an application that there is.
// `held`: unless software gives them, quotas are all ways, and each application has one. An application
// that was masked as UCP started has one way from that decision to the next, so that a masked application
// of the GPU never gets a second one.
// `once`: an access that is reported is counted once in each place, as a hit or as a miss, and an eviction
// of one owner, all in the same period.
localparam TOLD_FACTS = 6, HELD_FACTS = 1 + 2 * APPLICATIONS, ONCE_FACTS = 5;

wire [(APPLICATIONS+1)*SUM_W-1:0] quota_sums;
assign quota_sums[0+:SUM_W] = 0;
wire [APPLICATIONS-1:0] has_quota, has_one_only, divides;
generate
  for (i = 0; i < APPLICATIONS; i = i + 1) begin : quota_of
    wire [POS_W-1:0] its = quota[i*POS_W+:POS_W];
    assign quota_sums[(i+1)*SUM_W+:SUM_W] = quota_sums[i*SUM_W+:SUM_W] + its;
    assign has_quota[i] = quota_override || its != 0;
    assign has_one_only[i] = quota_override || !one_way[i] || its == 1;
    assign divides[i] = shares_xsratio[i*XS_W+:XS_W] != 0;
  end
endgenerate
wire [TOLD_FACTS-1:0] told = {
  !shares_start || &divides, !shares_start || !(&shares_ucp_mask),
  !(directory_access_pol1 && directory_access_pol2),
  !(directory_access_pol1 || directory_access_pol2) || gpu[access_app],
  !evictions_inc_valid || evictions_inc_kid == done_app && done_app < APPLICATIONS,
  !(gpu_ratio_access_valid || masks_access_valid || accesses_inc_valid)
      || gpu_ratio_access_app < APPLICATIONS && gpu_ratio_access_app == masks_access_app
      && gpu_ratio_access_app == accesses_inc_kid
};
wire [HELD_FACTS-1:0] held = {
  quota_override || quota_sums[APPLICATIONS*SUM_W+:SUM_W] == WAYS, has_quota, has_one_only
};
wire [ONCE_FACTS-1:0] once = {
  {gpu_ratio_access_valid, masks_access_valid, accesses_inc_valid} == {3{done_valid}},
  accesses_inc == (done_hit ? 1 : 2) && masks_access_hit == done_hit,
  evictions_inc_valid == done_evict,
  !done_evict || evictions_inc == 1 << done_owner,
  {gpu_ratio_period, masks_period, sampler_period, accesses_snapshot, evictions_snapshot} == {5{period}}
};
