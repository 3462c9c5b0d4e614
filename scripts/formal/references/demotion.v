// Which positions of the LRU stack an access demotes.
// Source: GDC, section III: a hit at k demotes the lines above it, positions 0 to k - 1, a miss
// (position WAYS) all of them. A position without a valid line has nothing to demote.
module ref_demotion #(
    parameter WAYS = 16,
    parameter POS_W = $clog2(WAYS + 1)
) (
    input wire access_valid,
    input wire [POS_W-1:0] access_pos,
    input wire [WAYS-1:0] stack_valid,
    output reg [WAYS-1:0] demoted
);
  integer i;
  always @* begin
    demoted = 0;
    if (access_valid) begin
      if (access_pos == WAYS) demoted = stack_valid;
      else for (i = 0; i < WAYS; i = i + 1) if (i < access_pos) demoted[i] = stack_valid[i];
    end
  end
endmodule
