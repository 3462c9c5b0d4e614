// managed_llc: what is proven of its parts, which are left out: of tap that not all applications are
// masked and ratios are at least 1, as that of xsratio is; of ucp that its quotas are all ways, at least
// one each, and change with `done` only, to one way for those that were masked as it started; of
// core_sampling that an access of a sampled core is of one of them, at the tile where a GPU core accesses;
// of managed_directory that an access is of an application that there is, and evicts if it misses.
localparam POS_W = $clog2(WAYS + 1), SUM_W = POS_W + 4;

// The masks of the start before, and those of the newest decision.
reg [APPLICATIONS-1:0] started, decided_before;
reg [APPLICATIONS*POS_W-1:0] kept;
reg reset_before;
wire [APPLICATIONS-1:0] one_way = reset_before ? 0 : shares_done ? started : decided_before;
always @(posedge clock) begin
  if (shares_start) started <= shares_ucp_mask;
  if (reset) started <= 0;
  decided_before <= reset ? 0 : one_way;
  kept <= shares_quota;
  reset_before <= reset;
end
wire [(APPLICATIONS+1)*SUM_W-1:0] share_sums;
assign share_sums[0+:SUM_W] = 0;
wire [APPLICATIONS-1:0] has_share, has_one, has_ratio;
generate
  for (i = 0; i < APPLICATIONS; i = i + 1) begin : part_of
    wire [POS_W-1:0] its = shares_quota[i*POS_W+:POS_W];
    assign share_sums[(i+1)*SUM_W+:SUM_W] = share_sums[i*SUM_W+:SUM_W] + its;
    assign has_share[i] = its != 0;
    assign has_one[i] = !one_way[i] || its == 1;
    assign has_ratio[i] = masks_ratio[i*XS_W+:XS_W] != 0;
  end
endgenerate
wire proven = !(&masks_ucp_mask) && (&has_ratio) && gpu_ratio_xsratio != 0
    && (&has_share) && (&has_one) && share_sums[APPLICATIONS*SUM_W+:SUM_W] == WAYS
    && (shares_done || reset_before || shares_quota == kept)
    && !(|sampler_pol1 && |sampler_pol2) && ((sampler_pol1 | sampler_pol2) & ~sampler_access_gpu) == 0
    && directory_done_app < APPLICATIONS && directory_done_owner < APPLICATIONS
    && (!directory_done_evict || directory_done_valid && !directory_done_hit);
