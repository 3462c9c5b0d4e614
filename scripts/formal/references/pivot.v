// Who is charged for a miss: an own miss the victim; a contention miss the one of its co-runners
// with whose lines, and those of all that come before it, there are as many as ways. The order is by
// keys that leave a shift register bit by bit, kernel 0's first; of equal keys by KID
// XOR mask, which leaves it last. An order is drawn at each contention miss.
// Source: docs/attribution.md, the Shapley-Shubik index.
module ref_pivot #(
    parameter WAYS = 16,
    parameter KERNELS = 4,
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1,
    parameter POS_W = $clog2(WAYS + 1)
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire [KID_W-1:0] access_kid,
    input wire access_again,
    input wire [KERNELS*POS_W-1:0] above,
    output reg miss,
    output reg contention,
    output reg [KERNELS-1:0] charged,
    output reg [KID_W-1:0] charged_kid,
    output reg [30:0] ref_lfsr
);
  localparam SUM_W = $clog2(KERNELS * WAYS + 1) + 1;
  localparam KEY_W = KERNELS > 4 ? 8 : 7;
  localparam DRAW = KEY_W * KERNELS + KID_W;
  reg [30:0] shifted;
  reg [DRAW-1:0] left;
  reg [KID_W-1:0] mask;
  reg [KID_W-1:0] tie_i, tie_j;
  reg [KEY_W-1:0] key_i, key_j;
  reg [SUM_W-1:0] own, all, sum, lines_i, lines_j;
  integer n, i, j;
  always @* begin
    shifted = ref_lfsr;
    for (n = 0; n < DRAW; n = n + 1) begin
      left[n] = shifted[30];
      shifted = {shifted[29:0], shifted[30] ^ shifted[27]};
    end
    mask = left[KEY_W*KERNELS+:KID_W];
    own = 0;
    all = 0;
    for (i = 0; i < KERNELS; i = i + 1) begin
      all = all + above[i*POS_W+:POS_W];
      if (access_kid == i) own = above[i*POS_W+:POS_W];
    end
    contention = access_valid && access_again && own < WAYS && all >= WAYS;
    miss = access_valid && (!access_again || own >= WAYS || all >= WAYS);
    charged = 0;
    charged_kid = 0;
    for (i = 0; i < KERNELS; i = i + 1)
      if (access_kid == i) begin
        charged[i] = miss && !contention;
        if (miss && !contention) charged_kid = i;
      end else begin
        key_i = left[KEY_W*i+:KEY_W];
        tie_i = i;
        tie_i = tie_i ^ mask;
        lines_i = above[i*POS_W+:POS_W];
        sum = own;
        for (j = 0; j < KERNELS; j = j + 1) begin
          key_j = left[KEY_W*j+:KEY_W];
          tie_j = j;
          tie_j = tie_j ^ mask;
          lines_j = above[j*POS_W+:POS_W];
          if (j != i && access_kid != j && (key_j < key_i || (key_j == key_i && tie_j < tie_i)))
            sum = sum + lines_j;
        end
        if (contention && sum < WAYS && sum + lines_i >= WAYS) begin
          charged[i] = 1;
          charged_kid = i;
        end
      end
  end
  always @(posedge clock)
    if (reset) ref_lfsr <= 31'h2545f491;
    else if (contention) ref_lfsr <= shifted;
endmodule
