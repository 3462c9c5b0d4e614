// pivot and its reference hold the same order.
localparam SAME_FACTS = 31;
wire [30:0] ref_lfsr;
wire [SAME_FACTS-1:0] same = ~(lfsr ^ ref_lfsr);
