// Parts of a miss in sixths: who of the co-runners completes the ways, in each of the six orders in
// which three of them may join. Co-runners that there are not have no lines.
// Source: docs/attribution.md, the Shapley-Shubik index.
module ref_blame #(
    parameter WAYS = 16,
    parameter KERNELS = 4,
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1,
    parameter POS_W = $clog2(WAYS + 1)
) (
    input wire access_valid,
    input wire [KID_W-1:0] access_kid,
    input wire access_again,
    input wire [KERNELS*POS_W-1:0] above,
    output reg miss,
    output reg contention,
    output reg [KERNELS*3-1:0] sixths
);
  integer i;
  integer j;
  integer k;
  integer v;
  integer own;
  integer joined;
  integer lines[0:3];
  always @* begin
    miss = 0;
    contention = 0;
    sixths = 0;
    v = access_kid;
    for (i = 0; i < 4; i = i + 1) lines[i] = 0;
    for (i = 0; i < KERNELS; i = i + 1) lines[i] = above[i*POS_W+:POS_W];
    own = 0;
    for (i = 0; i < KERNELS; i = i + 1) if (i == v) own = lines[i];
    if (access_valid && v < KERNELS) begin
      if (!access_again || own >= WAYS) begin
        miss = 1;
        for (i = 0; i < KERNELS; i = i + 1) if (i == v) sixths[i*3+:3] = 6;
      end else begin
        // i joins first, then j, then k, which are all of 0 to 3 but the victim.
        for (i = 0; i < 4; i = i + 1)
          for (j = 0; j < 4; j = j + 1)
            for (k = 0; k < 4; k = k + 1)
              if (i != j && i != k && j != k && i != v && j != v && k != v) begin
                joined = own + lines[i];
                if (joined >= WAYS) begin
                  if (i < KERNELS) sixths[i*3+:3] = sixths[i*3+:3] + 1;
                  contention = 1;
                end else begin
                  joined = joined + lines[j];
                  if (joined >= WAYS) begin
                    if (j < KERNELS) sixths[j*3+:3] = sixths[j*3+:3] + 1;
                    contention = 1;
                  end else begin
                    joined = joined + lines[k];
                    if (joined >= WAYS) begin
                      if (k < KERNELS) sixths[k*3+:3] = sixths[k*3+:3] + 1;
                      contention = 1;
                    end
                  end
                end
              end
        miss = contention;
      end
    end
  end
endmodule
