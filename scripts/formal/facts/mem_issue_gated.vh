// mem_issue: a kernel is granted only if it wants to, is active and is below its limit, and at
// most one; if any such kernel is there, one is granted, a lone one in any case. Inside the unit:
// `scheduled`.
localparam GATED_FACTS = 4 * KERNELS + 3;

wire [KERNELS-1:0] may, let_in, named, alone, below;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : gate_of
    assign below[i] = in_flight[i*COUNT_W+:COUNT_W] < limit[i*COUNT_W+:COUNT_W];
    assign may[i] = lsu_ready && want[i] && active[i] && below[i];
    assign let_in[i] = !grant[i] || may[i];
    assign named[i] = !grant[i] || grant_kid == i;
    assign alone[i] = may != 1 << i || grant[i];
  end
endgenerate
wire [GATED_FACTS-1:0] gated = {
  ~(allow ^ below), let_in, named, alone, scheduled == active,
  grant_valid == |may, (grant & (grant - 1'b1)) == 0
};
