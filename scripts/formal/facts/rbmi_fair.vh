// rbmi: a grant has a request, there is at most one, a lone kernel is never blocked, and while a
// kernel waits at most KERNELS - 1 grants go to others. Inside the unit: `last`.
localparam FAIR_FACTS = 4 * KERNELS + 3;
localparam WAIT_W = $clog2(2 * KERNELS + 1) + 1;

wire [KERNELS-1:0] asked, named, alone, in_turn;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : kernel
    assign asked[i] = !grant[i] || (accept && ready[i]);
    assign named[i] = !grant[i] || grant_kid == i;
    assign alone[i] = !(accept && ready == 1 << i) || grant[i];
    // Grants to others since it has been ready, and kernels that come before it.
    reg [WAIT_W-1:0] waited;
    wire [WAIT_W-1:0] before = last < i ? i - 1 - last : KERNELS + i - 1 - last;
    always @(posedge clock)
      waited <= reset || !ready[i] || grant[i] ? {WAIT_W{1'b0}} : waited + grant_valid;
    assign in_turn[i] = waited + before < KERNELS;
  end
endgenerate
wire [FAIR_FACTS-1:0] fair = {
  asked, named, alone, in_turn,
  grant_valid == (accept && |ready), (grant & (grant - 1'b1)) == 0, last < KERNELS
};
