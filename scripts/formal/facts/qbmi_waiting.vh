// qbmi: while a kernel waits, each other is granted fewer than 2 ** (QUOTA_W + 2) times, unless a
// kernel is launched or exits, from which on they restart. What the other spends it had or was
// given, and it is given something five times at most: each time the waiting one's quota rises, and
// from 2 on no other is granted down to zero; but two refills may be under way by then. Inside the
// unit: `pending`, `refill`.
localparam WAITING_FACTS = 6 * KERNELS + 2 * KERNELS * KERNELS;
localparam SUM_W = QUOTA_W + 3;
localparam [SUM_W-1:0] FULL = (1 << QUOTA_W) - 1;
localparam [SUM_W-1:0] HALF = 1 << (QUOTA_W - 1);

wire [KERNELS-1:0] rises, rose, risen, young, few, drained;
wire [KERNELS*KERNELS-1:0] spent, above;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : waiting_of
    wire [QUOTA_W-1:0] mine = quota[i*QUOTA_W+:QUOTA_W];
    wire waits = !reset && ready[i] && active[i] && !grant[i] && ~|launch && ~|exit;
    // Cycles, up to 2; refills since then; the same and its quota one and two cycles before.
    reg [1:0] age;
    reg [2:0] refills, refills_1, refills_2;
    reg [QUOTA_W-1:0] mine_1, mine_2;
    always @(posedge clock) begin
      age <= !waits ? 0 : age == 2 ? 2 : age + 1;
      refills <= waits ? refills + |refill : 0;
      refills_1 <= waits ? refills : 0;
      refills_2 <= waits ? refills_1 : 0;
      mine_1 <= mine;
      mine_2 <= mine_1;
    end
    for (j = 0; j < KERNELS; j = j + 1) begin : behind
      wire [QUOTA_W-1:0] its = quota[j*QUOTA_W+:QUOTA_W];
      reg [SUM_W-1:0] waited;
      always @(posedge clock) waited <= waits ? waited + (i != j && grant[j]) : 0;
      // It had FULL at most, and a set is HALF at most.
      assign spent[i*KERNELS+j] = i == j ? waited == 0
          : {1'b0, waited} + its <= FULL + refills * HALF + pending[j];
      assign above[i*KERNELS+j] = age == 0 || !pending[j] || i != j && (its >= mine_1 || its >= 2);
    end
    assign rises[i] = mine >= 2 || refills <= mine + 1;
    assign rose[i] = age < 1 || mine_1 >= 2 || refills_1 <= mine_1 + 1;
    assign risen[i] = age < 2 || mine_2 >= 2 || refills_2 <= mine_2 + 1;
    assign young[i] = (age == 2 || refills <= age) && age <= 2
        && (age == 0 || refills <= refills_1 + 1) && (age < 2 || refills_1 <= refills_2 + 1);
    assign few[i] = refills <= 5;
    assign drained[i] = age < 2 || ~|refill || mine_2 < 2;
  end
endgenerate
wire [WAITING_FACTS-1:0] waiting = {rises, rose, risen, young, few, drained, spent, above};
