// Round-robin among the kernels that have a memory instruction ready: the turn goes on from the
// one that had it last.
// Source: Dai et al., section 3.2, RBMI.
module ref_rbmi #(
    parameter KERNELS = 2,
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1
) (
    input wire clock,
    input wire reset,
    input wire [KERNELS-1:0] ready,
    input wire accept,
    output reg [KERNELS-1:0] grant,
    output reg grant_valid,
    output reg [KID_W-1:0] grant_kid
);
  reg [KID_W-1:0] last;
  integer turn;
  integer k;
  always @* begin
    grant = 0;
    grant_valid = 0;
    grant_kid = 0;
    for (turn = 1; turn <= KERNELS; turn = turn + 1) begin
      k = last + turn;
      if (k >= KERNELS) k = k - KERNELS;
      if (accept && ready[k] && !grant_valid) begin
        grant[k] = 1;
        grant_valid = 1;
        grant_kid = k;
      end
    end
  end
  always @(posedge clock)
    if (reset) last <= KERNELS - 1;
    else if (grant_valid) last <= grant_kid;
endmodule
