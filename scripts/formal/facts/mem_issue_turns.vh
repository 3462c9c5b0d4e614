// mem_issue and its reference: whose turn it is. Inside both: `turn`, `ref_turn`.
localparam TURNS_FACTS = 2;
wire [TURNS_FACTS-1:0] turns = {turn == ref_turn, turn < KERNELS};
