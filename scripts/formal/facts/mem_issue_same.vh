// mem_issue and its reference: what they show of their state.
localparam SAME_FACTS = 4;
wire [SAME_FACTS-1:0] same = {
  active == ref_active, in_flight == ref_in_flight, limit == ref_limit, unlimited == ref_unlimited
};
