// qbmi: while a kernel waits, fewer than 2 * (KERNELS - 1) * 2 ** QUOTA_W grants go to others,
// unless a kernel is launched or exits, from which on they count anew. Each of them takes one from
// a quota that is not below its own, which does not fall; once it has been refilled it is above 1,
// and nothing is refilled before it has had its turn. Inside the unit: `empties`.
localparam WAITING_FACTS = 3 * KERNELS;
localparam SUM_W = QUOTA_W + $clog2(KERNELS) + 2;
localparam [SUM_W-1:0] FULL = (1 << QUOTA_W) - 1;
localparam [SUM_W-1:0] OTHERS = KERNELS - 1;
localparam [SUM_W-1:0] FIRST = OTHERS * FULL;
localparam [SUM_W-1:0] SECOND = OTHERS * (FULL - 1);

wire [KERNELS-1:0] bounded, refilled, at_rest;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : waiting_of
    wire [QUOTA_W-1:0] mine = quota[i*QUOTA_W+:QUOTA_W];
    // What others can still take before it is first: its distance to them, a turn included.
    wire [(KERNELS+1)*SUM_W-1:0] ahead;
    assign ahead[0+:SUM_W] = 0;
    for (j = 0; j < KERNELS; j = j + 1) begin : other
      wire [QUOTA_W-1:0] its = quota[j*QUOTA_W+:QUOTA_W];
      assign ahead[(j+1)*SUM_W+:SUM_W] = ahead[j*SUM_W+:SUM_W]
          + (i != j && active[j] && its >= mine ? its - mine + {{SUM_W - 1{1'b0}}, 1'b1} : 0);
    end
    wire waits = !reset && ready[i] && active[i] && !grant[i] && ~|launch && ~|exit;
    reg [SUM_W-1:0] waited;
    reg filled;
    always @(posedge clock) begin
      waited <= waits ? waited + grant_valid : 0;
      filled <= waits && (filled || empties);
    end
    assign bounded[i] = waited + ahead[KERNELS*SUM_W+:SUM_W] <= (filled ? FIRST + SECOND : FIRST)
        || !active[i];
    assign refilled[i] = !filled || mine > 1;
    assign at_rest[i] = active[i] || waited == 0;
  end
endgenerate
wire [WAITING_FACTS-1:0] waiting = {bounded, refilled, at_rest};
