// qbmi: the unit holds what the reference holds; while a ratio is found, the candidate is as many as
// could be tried and hold, and the sum is that of the next one. Inside the unit: `turn`, `dirty`,
// `delayed`; of the meters `accepted`, `begun`, `to_go`, `total`, `sum`, `candidate`.
localparam SET_W = QUOTA_W - 1;
localparam LEFT_W = $clog2(RATIO_MAX);
localparam TOTAL_W = INTERVAL_W + 1;
localparam QUEUE_W = KERNELS * (LAG + 1);
localparam [QUEUE_W-1:0] NOT_YET = (1 << KERNELS * LAG) - 1;
localparam STEPS_FACTS = KERNELS * (10 + RATIO_MAX) + 5;

wire [KID_W-1:0] last;
wire owed;
wire [QUEUE_W-1:0] undeducted;
wire [KERNELS*INTERVAL_W-1:0] requests, instructions;
wire [KERNELS*TOTAL_W-1:0] counted;
wire [KERNELS*RATIO_W-1:0] next, due;

wire [KERNELS-1:0] quotas, ratios, same_requests, same_instructions, same_due, totals, sums, candidates, within, range;
wire [KERNELS*RATIO_MAX-1:0] rounded;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : steps_of
    wire [RATIO_W-1:0] left = to_go[i*LEFT_W+:LEFT_W];
    wire [RATIO_W-1:0] found = next[i*RATIO_W+:RATIO_W];
    wire [RATIO_W-1:0] tried = candidate[i*RATIO_W+:RATIO_W];
    wire [TOTAL_W-1:0] n = counted[i*TOTAL_W+:TOTAL_W];
    // The product with the lowest bit, which the unit leaves out.
    wire [TOTAL_W+RATIO_W+1:0] product = n * ({1'b0, tried, 1'b0} + 1'b1);
    wire idle = left == 0;
    assign quotas[i] = quota[i*QUOTA_W+:QUOTA_W] == ref_quota[i*QUOTA_W+:QUOTA_W];
    assign ratios[i] = ratio[i*RATIO_W+:RATIO_W] == ref_ratio[i*RATIO_W+:RATIO_W];
    assign same_requests[i] = accepted[i*INTERVAL_W+:INTERVAL_W] == requests[i*INTERVAL_W+:INTERVAL_W];
    assign same_instructions[i] =
        begun[i*INTERVAL_W+:INTERVAL_W] == instructions[i*INTERVAL_W+:INTERVAL_W];
    assign same_due[i] = left == due[i*RATIO_W+:RATIO_W];
    assign totals[i] = idle || total[i*TOTAL_W+:TOTAL_W] == n;
    assign sums[i] = idle || sum[i*TOTAL_W+:TOTAL_W] == product >> 1;
    assign candidates[i] = idle
        || tried == (found < RATIO_MAX - left ? found : RATIO_MAX - left);
    assign within[i] = begun[i*INTERVAL_W+:INTERVAL_W] <= accepted[i*INTERVAL_W+:INTERVAL_W];
    assign range[i] = idle || n <= 1 << INTERVAL_W;
    // A ratio is above j if n instructions fit into two intervals 2 j + 1 times.
    for (j = 0; j < RATIO_MAX; j = j + 1) begin : above
      assign rounded[i*RATIO_MAX+j] =
          idle || (found > j) == (j == 0 || n <= (2 << INTERVAL_W) / (2 * j + 1)) && found <= RATIO_MAX;
    end
  end
endgenerate
wire [STEPS_FACTS-1:0] steps = {
  quotas, ratios, same_requests, same_instructions, same_due, totals, sums, candidates, within, range,
  rounded, active == ref_active, turn == last, turn < KERNELS, dirty == owed,
  LAG == 0 || delayed == (undeducted & NOT_YET)
};
