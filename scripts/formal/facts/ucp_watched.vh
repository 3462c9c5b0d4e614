// ucp: in each round one candidate is watched, any application with any number of ways more. Inside
// the unit: as `ucp_steps`, and what is compared.
localparam SUM_W = CNT_W + WAY_W, COST_W = XS_W + WAY_W, PRODUCT_W = SUM_W + COST_W;

reg [APP_W-1:0] watched;
reg [POS_W-1:0] ways;
always @(posedge clock)
  if (reset || start || deciding) begin
    watched <= any_application;
    ways <= any_ways;
  end

// Hits of the watched application with one way more, two, and so on, as its counters are read, and
// as often its XSRATIO. They are a bit wider than in the unit, and fit: no sum is cut.
wire [(GIVEN+1)*(SUM_W+1)-1:0] sums;
wire [(GIVEN+1)*(COST_W+1)-1:0] costs;
assign sums[0+:SUM_W+1] = 0, costs[0+:COST_W+1] = 0;
wire [2*GIVEN-1:0] fits;
generate
  for (i = 1; i <= GIVEN; i = i + 1) begin : with_ways
    localparam [SUM_W:0] MOST_HITS = i * ((64'd1 << CNT_W) - 1);
    localparam [COST_W:0] MOST_COST = i * ((64'd1 << XS_W) - 1);
    reg [SUM_W:0] its_hits;
    reg [COST_W:0] its_ratios;
    always @(posedge clock)
      if (reset || start || deciding) {its_hits, its_ratios} <= 0;
      else if (answering && answering_application == watched && answering_blocks == i) begin
        its_hits <= sums[(i-1)*(SUM_W+1)+:SUM_W+1] + read_count[watched*CNT_W+:CNT_W];
        its_ratios <= costs[(i-1)*(COST_W+1)+:COST_W+1] + ratio[watched*XS_W+:XS_W];
      end
    assign sums[i*(SUM_W+1)+:SUM_W+1] = its_hits, costs[i*(COST_W+1)+:COST_W+1] = its_ratios;
    assign fits[2*i-2+:2] = {its_hits <= MOST_HITS, its_ratios <= MOST_COST};
  end
endgenerate
wire [SUM_W-1:0] its_sum = ways <= GIVEN ? sums[ways*(SUM_W+1)+:SUM_W] : 0;
wire [COST_W-1:0] its_cost = ways <= GIVEN ? costs[ways*(COST_W+1)+:COST_W] : 0;

// Products of the best candidate so far, of the watched one (`its`), and of that which is compared in
// this cycle (`this`). What multiplies in the unit may be left out: then they may be anything.
localparam CALL_W = SUM_W + COST_W + PRODUCT_W;
wire [PRODUCT_W-1:0] best_by_its, its_by_best, this_by_its, its_by_this;
`ifdef CUT
assign {best_by_its, its_by_best, this_by_its, its_by_this} = any_products;
`else
wire [SUM_W-1:0] ours_a = sum, theirs_a = best_sum;
wire [COST_W-1:0] ours_b = best_cost, theirs_b = cost;
wire [PRODUCT_W-1:0] ours_product = ours_a * ours_b, theirs_product = theirs_a * theirs_b;
assign best_by_its = best_sum * its_cost, its_by_best = its_sum * best_cost;
assign this_by_its = sum * its_cost, its_by_this = its_sum * cost;
`endif

wire [CALL_W-1:0] ours_call = {ours_a, ours_b, ours_product};
wire [CALL_W-1:0] theirs_call = {theirs_a, theirs_b, theirs_product};
wire [CALL_W-1:0] best_call = {best_sum, its_cost, best_by_its};
wire [CALL_W-1:0] its_call = {its_sum, best_cost, its_by_best};
wire higher = ours_product > theirs_product;
