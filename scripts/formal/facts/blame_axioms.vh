// blame: what makes Shapley's value the only fair division. The parts of a miss add up to it; a
// co-runner without lines has no part; co-runners with as many lines have equal parts. Of an own
// miss all is the victim's, of a contention miss nothing.
localparam POS_W = $clog2(WAYS + 1);
localparam AXIOMS_FACTS = 4 + KERNELS + KERNELS * KERNELS;
wire own = access_valid && miss && !contention;

wire [(KERNELS+1)*8-1:0] part_sum;
wire [KERNELS-1:0] nothing_for_nothing;
wire [KERNELS*KERNELS-1:0] equals;
wire [KERNELS-1:0] victims;
assign part_sum[0+:8] = 0;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : axiom
    assign part_sum[(i+1)*8+:8] = part_sum[i*8+:8] + sixths[i*3+:3];
    assign victims[i] = access_kid != i || sixths[i*3+:3] == (own ? 6 : 0);
    assign nothing_for_nothing[i] = access_kid == i || above[i*POS_W+:POS_W] != 0
        || sixths[i*3+:3] == 0;
    for (j = 0; j < KERNELS; j = j + 1) begin : pair
      assign equals[i*KERNELS+j] = access_kid == i || access_kid == j
          || above[i*POS_W+:POS_W] != above[j*POS_W+:POS_W]
          || sixths[i*3+:3] == sixths[j*3+:3];
    end
  end
endgenerate
wire [AXIOMS_FACTS-1:0] axioms = {
  equals, nothing_for_nothing, &victims,
  part_sum[KERNELS*8+:8] == (miss ? 6 : 0), !contention || miss, access_valid || !miss
};
