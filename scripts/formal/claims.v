// What makes facts a proof.
//
// After a reset, as long as the inputs are `legal`, the `facts` are to hold in every cycle; each
// of the `consequences` is to follow from the facts and the consequences below it, in the same
// cycle. An output bit is high where one does not. `held` says that there was a reset, that all
// inputs since were legal and that all this held: an induction may start in any state with it.
module claims #(
    parameter FACTS = 1,
    parameter CONSEQUENCES = 1,
    // Each fact is for itself: `held` says only that there was a reset and all was legal since.
    parameter APART = 0
) (
    input wire clock,
    input wire reset,
    input wire legal,
    input wire [FACTS-1:0] facts,
    input wire [CONSEQUENCES-1:0] consequences,
    output wire [FACTS-1:0] violated,
    output wire [CONSEQUENCES-1:0] refuted
);
  reg held = 0;
  // Bit i: the facts and the first i consequences hold.
  wire [CONSEQUENCES:0] so_far;
  assign so_far[0] = held & legal & (&facts);
  genvar i;
  generate
    for (i = 0; i < CONSEQUENCES; i = i + 1) begin : one
      assign so_far[i+1] = so_far[i] & consequences[i];
    end
  endgenerate
  always @(posedge clock) held <= reset | (APART ? held & legal : so_far[CONSEQUENCES]);
  assign violated = {FACTS{held & legal}} & ~facts;
  assign refuted = so_far[CONSEQUENCES-1:0] & ~consequences;
endmodule

// The same for a unit without a clock.
module claims_at_once #(
    parameter FACTS = 1,
    parameter CONSEQUENCES = 1
) (
    input wire legal,
    input wire [FACTS-1:0] facts,
    input wire [CONSEQUENCES-1:0] consequences,
    output wire [FACTS-1:0] violated,
    output wire [CONSEQUENCES-1:0] refuted
);
  wire [CONSEQUENCES:0] so_far;
  assign so_far[0] = legal & (&facts);
  genvar i;
  generate
    for (i = 0; i < CONSEQUENCES; i = i + 1) begin : one
      assign so_far[i+1] = so_far[i] & consequences[i];
    end
  endgenerate
  assign violated = {FACTS{legal}} & ~facts;
  assign refuted = so_far[CONSEQUENCES-1:0] & ~consequences;
endmodule
