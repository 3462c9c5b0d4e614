// pivot: who may be charged. Exactly one kernel for each miss, and none for a hit; for an own miss
// the victim, for a contention miss another one, which has lines. It is the pivot of the order: with
// the lines of those that join before it there are fewer lines than ways, with its own there are not.
// Inside the unit: `lfsr`.
localparam POS_W = $clog2(WAYS + 1);
localparam ONE_FACTS = 2 + KERNELS, OWN_FACTS = 4, LINES_FACTS = KERNELS, PIVOTAL_FACTS = KERNELS;
localparam KEY_W = KERNELS > 4 ? 8 : 7;
localparam ORDER_W = KEY_W * KERNELS + KID_W;
localparam SUM_W = $clog2(KERNELS * WAYS + 1) + 1;

// The bits of an order, the first lowest: those of the register, and then each from two before it.
wire [ORDER_W+30:0] leaving;
generate
  for (i = 0; i < 31; i = i + 1) begin : held
    assign leaving[i] = lfsr[30-i];
  end
  for (i = 31; i < ORDER_W + 31; i = i + 1) begin : fed_back
    assign leaving[i] = leaving[i-31] ^ leaving[i-28];
  end
endgenerate
wire [KID_W-1:0] order_mask = leaving[KEY_W*KERNELS+:KID_W];

wire [KERNELS-1:0] named, another, has_lines, pivotal;
wire [KERNELS*KID_W-1:0] among_equals;
wire [KERNELS*(KERNELS+1)*SUM_W-1:0] joined;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : tie
    wire [KID_W-1:0] kid = i;
    assign among_equals[i*KID_W+:KID_W] = kid ^ order_mask;
  end
  for (i = 0; i < KERNELS; i = i + 1) begin : charge
    wire victim = access_kid == i;
    wire [SUM_W-1:0] its = above[i*POS_W+:POS_W];
    assign named[i] = !charged[i] || charged_kid == i;
    assign another[i] = !victim || charged[i] == (miss && !contention);
    assign has_lines[i] = !contention || !charged[i] || its != 0;
    assign joined[i*(KERNELS+1)*SUM_W+:SUM_W] = 0;
    for (j = 0; j < KERNELS; j = j + 1) begin : other
      wire lower = leaving[KEY_W*j+:KEY_W] < leaving[KEY_W*i+:KEY_W];
      wire equal = leaving[KEY_W*j+:KEY_W] == leaving[KEY_W*i+:KEY_W];
      // The victim is there from the beginning.
      wire before = access_kid == j || lower
          || equal && among_equals[j*KID_W+:KID_W] < among_equals[i*KID_W+:KID_W];
      assign joined[(i*(KERNELS+1)+j+1)*SUM_W+:SUM_W] =
          joined[(i*(KERNELS+1)+j)*SUM_W+:SUM_W] + (before ? above[j*POS_W+:POS_W] : 1'b0);
    end
    wire [SUM_W-1:0] until = joined[(i*(KERNELS+1)+KERNELS)*SUM_W+:SUM_W];
    assign pivotal[i] = !contention || !charged[i] || until < WAYS && until + its >= WAYS;
  end
endgenerate

wire [ONE_FACTS-1:0] one = {named, (|charged) == miss, (charged & (charged - 1'b1)) == 0};
wire [OWN_FACTS-1:0] own = {
  &another, !contention || miss, access_valid || !miss, !access_valid || access_again || miss && !contention
};
wire [LINES_FACTS-1:0] lines = has_lines;
