// qbmi: an active kernel always has quota left, an inactive one none; a grant has a request, there
// is at most one, to the highest quota among those that ask, and a lone kernel is never blocked;
// at most one quota reaches zero in a cycle; ratios stay in range. Inside the unit: `candidates`,
// `steps_left`.
localparam STEPS_W = $clog2(RATIO_MAX);
localparam CREDIT_FACTS = 6 * KERNELS + KERNELS * KERNELS + 3;

wire [KERNELS-1:0] asks = ready & active & {KERNELS{accept}};
wire [KERNELS-1:0] solvent, in_range, measured, asked, named, alone, emptied;
wire [KERNELS*KERNELS-1:0] highest;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : credit_of
    wire [RATIO_W-1:0] requests = ratio[i*RATIO_W+:RATIO_W];
    wire [RATIO_W-1:0] counted = candidates[i*RATIO_W+:RATIO_W];
    wire [STEPS_W-1:0] to_go = steps_left[i*STEPS_W+:STEPS_W];
    assign solvent[i] = active[i] == |quota[i*QUOTA_W+:QUOTA_W];
    assign in_range[i] = requests >= 1 && requests <= RATIO_MAX;
    assign measured[i] = counted >= 1 && {1'b0, counted} + to_go <= RATIO_MAX;
    assign asked[i] = !grant[i] || asks[i];
    assign named[i] = !grant[i] || grant_kid == i;
    assign alone[i] = asks != 1 << i || grant[i];
    assign emptied[i] = grant[i] && quota[i*QUOTA_W+:QUOTA_W] == 1;
    for (j = 0; j < KERNELS; j = j + 1) begin : against
      assign highest[i*KERNELS+j] = !(grant[i] && asks[j])
          || quota[j*QUOTA_W+:QUOTA_W] <= quota[i*QUOTA_W+:QUOTA_W];
    end
  end
endgenerate
wire [CREDIT_FACTS-1:0] credit = {
  solvent, in_range, measured, asked, named, alone, highest,
  grant_valid == |asks, (grant & (grant - 1'b1)) == 0, (emptied & (emptied - 1'b1)) == 0
};
