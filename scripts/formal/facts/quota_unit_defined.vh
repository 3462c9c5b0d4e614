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

// What a ratio adds to the multiple of those before it: itself over the greatest common divisor,
// which is looked for among all numbers that can be one.
reg [MULTIPLE_W-1:0] multiple;
reg [RATIO_W-1:0] one, factor;
reg [RATIO_W:0] rest;
reg divides_rest;
integer k;
integer d;
integer m;
always @* begin
  multiple = 1;
  for (k = 0; k < KERNELS; k = k + 1)
    if (members[k]) begin
      one = ratios[k*RATIO_W+:RATIO_W];
      // Long division: what is left of the multiple.
      rest = 0;
      for (m = MULTIPLE_W - 1; m >= 0; m = m - 1) begin
        rest = {rest[RATIO_W-1:0], multiple[m]};
        if (rest >= one) rest = rest - one;
      end
      factor = one;
      for (d = 2; d <= RATIO_MAX; d = d + 1) begin
        divides_rest = 0;
        for (m = 0; m < RATIO_MAX; m = m + d) if (rest == m) divides_rest = 1;
        for (m = d; m <= RATIO_MAX; m = m + d) if (divides_rest && one == m) factor = m / d;
      end
      multiple = multiple * factor;
    end
end

wire [KERNELS-1:0] right, positive;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : defined_of
    wire [MULTIPLE_W-1:0] product = quota[i*QUOTA_W+:QUOTA_W] * ratios[i*RATIO_W+:RATIO_W];
    assign right[i] = age != LATENCY
        || (members[i] ? product == multiple : quota[i*QUOTA_W+:QUOTA_W] == 1);
    assign positive[i] = age != LATENCY || |quota[i*QUOTA_W+:QUOTA_W];
  end
endgenerate
wire [DEFINED_FACTS-1:0] defined = {right, positive};
