// mem_issue: QBMI, which is left out, is asked for what the reference says: `ready`. Inside the unit:
// `asks`.
localparam ASKED_FACTS = KERNELS;
wire [KERNELS-1:0] ready;
wire [ASKED_FACTS-1:0] asked = ~(asks ^ ready);
