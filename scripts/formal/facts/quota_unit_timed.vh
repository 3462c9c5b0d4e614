// quota_unit: a set is there LATENCY cycles after its start, whatever the ratios are, marked by
// `done`; busy in between. Quotas change then and when cleared, to 1, and at no other time.
// Inside the unit: `left`.
localparam STEPS = RATIO_MAX == 32 ? 40 : RATIO_MAX == 8 ? 8 : 3;
localparam LATENCY = KERNELS * (STEPS + 1) + 1;
localparam AGE_W = $clog2(LATENCY + 1);
localparam TIMED_FACTS = 3 + KERNELS;

// Cycles since the start; 0 if there is none under way.
reg [AGE_W-1:0] age;
reg [KERNELS*QUOTA_W-1:0] kept;
wire [KERNELS-1:0] unchanged;
always @(posedge clock)
  age <= reset || clear ? 0 : start ? 1 : age == 0 || age == LATENCY ? 0 : age + 1;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : slot
    always @(posedge clock)
      kept[i*QUOTA_W+:QUOTA_W] <= reset || clear ? 1 : quota[i*QUOTA_W+:QUOTA_W];
    assign unchanged[i] =
        age == LATENCY || quota[i*QUOTA_W+:QUOTA_W] == kept[i*QUOTA_W+:QUOTA_W];
  end
endgenerate
wire working = age != 0 && age != LATENCY;
wire [TIMED_FACTS-1:0] timed = {
  busy == working, done == (age == LATENCY), left == (working ? LATENCY - age : 0), unchanged
};
