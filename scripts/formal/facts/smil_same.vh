// smil and its reference, which holds the limit as it was written.
localparam SAME_FACTS = 3;
wire [SAME_FACTS-1:0] same = {
  in_flight == ref_in_flight, limit == ref_limit, unlimited == ref_unlimited
};
