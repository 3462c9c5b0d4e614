// quota_unit: LATENCY cycles after a start the quota of a kernel is the least common multiple of
// the active kernels' ratios, divided by its own; 1 in a slot without a kernel.
localparam STEPS = RATIO_MAX == 32 ? 40 : RATIO_MAX == 8 ? 8 : 3;
localparam LATENCY = KERNELS * (STEPS + 1) + 1;
localparam AGE_W = $clog2(LATENCY + 1);
localparam MULTIPLE_W = QUOTA_W + RATIO_W;
localparam DEFINED_FACTS = 2 * KERNELS;

reg [AGE_W-1:0] age;
reg [KERNELS-1:0] members;
reg [KERNELS*RATIO_W-1:0] ratios;
always @(posedge clock) begin
  age <= reset || clear ? 0 : start ? 1 : age == 0 || age == LATENCY ? 0 : age + 1;
  if (start) begin
    members <= active;
    ratios <= ratio;
  end
end

// The greatest common divisor is looked for among all numbers that can be one.
reg [MULTIPLE_W-1:0] multiple;
reg [RATIO_W-1:0] one, rest, common;
reg [RATIO_MAX:1] divides_one, divides_rest;
integer k;
integer d;
integer m;
always @* begin
  multiple = 1;
  for (k = 0; k < KERNELS; k = k + 1)
    if (members[k]) begin
      one = ratios[k*RATIO_W+:RATIO_W];
      rest = multiple % one;
      common = 1;
      for (d = 2; d <= RATIO_MAX; d = d + 1) begin
        divides_one[d] = 0;
        divides_rest[d] = 0;
        for (m = 0; m <= RATIO_MAX; m = m + d) begin
          if (one == m) divides_one[d] = 1;
          if (rest == m) divides_rest[d] = 1;
        end
        if (divides_one[d] && divides_rest[d]) common = d;
      end
      multiple = multiple / common * one;
    end
end

wire [KERNELS-1:0] right, positive;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : defined_of
    wire [MULTIPLE_W-1:0] expected = members[i] ? multiple / ratios[i*RATIO_W+:RATIO_W] : 1;
    assign right[i] = age != LATENCY || expected == quota[i*QUOTA_W+:QUOTA_W];
    assign positive[i] = age != LATENCY || |quota[i*QUOTA_W+:QUOTA_W];
  end
endgenerate
wire [DEFINED_FACTS-1:0] defined = {right, positive};
