// qbmi, LAG 0: while a kernel waits, each other is granted fewer than 2 ** (QUOTA_W + 1) times,
// unless a kernel is launched or exits, from which on they restart. Each grant takes one from a
// quota that is not below the waiting one's, which does not fall; once that has been refilled it is
// above 1, and nothing is refilled again before it has had its turn. Inside the unit: `emptied`.
localparam WAITING_FACTS = 3 * KERNELS + KERNELS * KERNELS;
localparam SUM_W = QUOTA_W + 1;
localparam [SUM_W-1:0] FULL = (1 << QUOTA_W) - 1;

wire [KERNELS-1:0] refilled, at_rest, solvent;
wire [KERNELS*KERNELS-1:0] bounded, none;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : waiting_of
    wire [QUOTA_W-1:0] mine = quota[i*QUOTA_W+:QUOTA_W];
    wire waits = !reset && ready[i] && active[i] && !grant[i] && ~|launch && ~|exit;
    reg filled;
    always @(posedge clock) filled <= waits && (filled || |emptied);
    for (j = 0; j < KERNELS; j = j + 1) begin : behind
      // How often the other was granted, and how often it can be before this one goes first.
      wire [QUOTA_W-1:0] its = quota[j*QUOTA_W+:QUOTA_W];
      wire [SUM_W-1:0] ahead = i != j && its >= mine ? its - mine + 1 : 0;
      reg [SUM_W-1:0] waited;
      always @(posedge clock) waited <= waits ? waited + grant[j] : 0;
      // A bit wider, so that it cannot wrap.
      wire [SUM_W:0] sum = {1'b0, waited} + ahead;
      assign bounded[i*KERNELS+j] = !active[i] || !active[j]
          || sum <= (filled ? 2 * FULL - 1 : FULL);
      assign none[i*KERNELS+j] = active[i] && active[j] || waited == 0;
    end
    assign refilled[i] = !filled || mine > 1;
    assign at_rest[i] = &none[i*KERNELS+:KERNELS];
    assign solvent[i] = active[i] == |mine;
  end
endgenerate
wire [WAITING_FACTS-1:0] waiting = {bounded, refilled, at_rest, solvent};
