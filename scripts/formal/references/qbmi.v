// Quota-based memory instruction issue: the highest current quota goes first, and among equals the
// first after the last winner. A quota is deducted, and where that leaves none the newest set is
// added to all, LAG cycles after the grant. The quota unit is beside it: its ports are `unit_*`.
// Source: Dai et al., section 3.2 and figure 7; what the paper leaves open as the unit says: the set
// is added in the very cycle of reaching zero, a launch or exit restarts all quotas at 1, and a
// ratio is 2^INTERVAL_W over the instructions, rounded and clamped.
module ref_qbmi #(
    parameter KERNELS = 2,
    parameter INTERVAL_W = 10,
    parameter CAP = 0,
    parameter LAG = 0,
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1,
    parameter RATIO_MAX = INTERVAL_W < 5 ? 1 << INTERVAL_W : 32,
    parameter RATIO_W = $clog2(RATIO_MAX + 1),
    parameter QUOTA_W = 7,
    parameter SET_W = QUOTA_W - 1
) (
    input wire clock,
    input wire reset,
    input wire [KERNELS-1:0] launch,
    input wire [KERNELS-1:0] exit,
    input wire [KERNELS-1:0] ready,
    input wire accept,
    input wire request_valid,
    input wire request_first,
    input wire [KID_W-1:0] request_kid,
    output reg [KERNELS-1:0] grant,
    output reg grant_valid,
    output reg [KID_W-1:0] grant_kid,
    output reg [KERNELS-1:0] active,
    output reg [KERNELS*QUOTA_W-1:0] quota,
    output reg [KERNELS*RATIO_W-1:0] ratio,
    // The quota unit's.
    input wire unit_busy,
    input wire unit_done,
    input wire [KERNELS*SET_W-1:0] unit_quota,
    output wire unit_reset,
    output wire unit_clear,
    output wire unit_start,
    output wire [KERNELS-1:0] unit_active,
    output wire [KERNELS*RATIO_W-1:0] unit_ratio,
    // To relate it to a unit that divides step by step.
    output reg [KID_W-1:0] last,
    output reg owed,
    output reg [KERNELS*(LAG+1)-1:0] undeducted,
    output reg [KERNELS*INTERVAL_W-1:0] requests,
    output reg [KERNELS*INTERVAL_W-1:0] instructions,
    output reg [KERNELS*(INTERVAL_W+1)-1:0] counted,
    output reg [KERNELS*RATIO_W-1:0] next,
    output reg [KERNELS*RATIO_W-1:0] due
);
  // Twice the requests of an interval.
  localparam [INTERVAL_W+1:0] INTERVALS = 2 << INTERVAL_W;
  localparam [QUOTA_W-1:0] FULL = {QUOTA_W{1'b1}};

  // The grant: by falling quota, from the kernel after the last winner on.
  integer turn;
  integer k;
  reg [QUOTA_W-1:0] highest;
  always @* begin
    grant = 0;
    grant_valid = 0;
    grant_kid = 0;
    highest = 0;
    for (turn = 1; turn <= KERNELS; turn = turn + 1) begin
      k = last + turn;
      if (k >= KERNELS) k = k - KERNELS;
      if (accept && ready[k] && active[k] && (!grant_valid || quota[k*QUOTA_W+:QUOTA_W] > highest))
      begin
        grant = 1 << k;
        grant_valid = 1;
        grant_kid = k;
        highest = quota[k*QUOTA_W+:QUOTA_W];
      end
    end
  end

  wire change = |launch || |exit;
  assign unit_reset = reset;
  assign unit_clear = change;
  assign unit_start = owed && !unit_busy && !change;
  assign unit_active = active;
  assign unit_ratio = ratio;

  // Blocking assignments: what a line reads is what the lines above it have left.
  integer n;
  reg [KERNELS-1:0] deducted;
  reg used_up, measured;
  reg [QUOTA_W:0] sum, most;
  reg [INTERVAL_W:0] total;
  reg [INTERVAL_W+1:0] rounded;
  always @(posedge clock) begin
    // Quotas: a queue of LAG grants, the newest lowest.
    undeducted[KERNELS*LAG+:KERNELS] = 0;
    undeducted = undeducted << KERNELS | grant;
    deducted = undeducted[KERNELS*LAG+:KERNELS];
    used_up = 0;
    for (n = 0; n < KERNELS; n = n + 1)
      if (deducted[n]) begin
        quota[n*QUOTA_W+:QUOTA_W] = quota[n*QUOTA_W+:QUOTA_W] - 1'b1;
        if (quota[n*QUOTA_W+:QUOTA_W] == 0) used_up = 1;
      end
    for (n = 0; n < KERNELS; n = n + 1)
      if (used_up && active[n]) begin
        sum = quota[n*QUOTA_W+:QUOTA_W] + unit_quota[n*SET_W+:SET_W];
        most = CAP == 1 ? 2 * unit_quota[n*SET_W+:SET_W] : FULL;
        quota[n*QUOTA_W+:QUOTA_W] = sum > most ? most : sum;
      end
    if (grant_valid) last = grant_kid;

    // Ratios: one that was measured shows RATIO_MAX cycles after the last request.
    owed = owed && !unit_start;
    for (n = 0; n < KERNELS; n = n + 1) begin
      measured = due[n*RATIO_W+:RATIO_W] == 1;
      if (due[n*RATIO_W+:RATIO_W] != 0) due[n*RATIO_W+:RATIO_W] = due[n*RATIO_W+:RATIO_W] - 1'b1;
      if (measured) ratio[n*RATIO_W+:RATIO_W] = next[n*RATIO_W+:RATIO_W];
      if (measured && !launch[n]) owed = 1;
      if (request_valid && request_kid == n) begin
        total = instructions[n*INTERVAL_W+:INTERVAL_W] + request_first;
        instructions[n*INTERVAL_W+:INTERVAL_W] = total;
        requests[n*INTERVAL_W+:INTERVAL_W] = requests[n*INTERVAL_W+:INTERVAL_W] + 1'b1;
        if (requests[n*INTERVAL_W+:INTERVAL_W] == 0) begin
          // To the nearest: half of the divisor is added.
          rounded = (INTERVALS + total) / {total, 1'b0};
          next[n*RATIO_W+:RATIO_W] = total == 0 || rounded > RATIO_MAX ? RATIO_MAX : rounded;
          counted[n*(INTERVAL_W+1)+:INTERVAL_W+1] = total;
          due[n*RATIO_W+:RATIO_W] = RATIO_MAX - 1;
          instructions[n*INTERVAL_W+:INTERVAL_W] = 0;
        end
      end
      if (launch[n] || reset) begin
        requests[n*INTERVAL_W+:INTERVAL_W] = 0;
        instructions[n*INTERVAL_W+:INTERVAL_W] = 0;
        due[n*RATIO_W+:RATIO_W] = 0;
        ratio[n*RATIO_W+:RATIO_W] = 1;
      end
    end

    if (change) begin
      active = active & ~exit | launch;
      owed = 1;
      undeducted = 0;
      for (n = 0; n < KERNELS; n = n + 1) quota[n*QUOTA_W+:QUOTA_W] = active[n];
    end
    if (reset) begin
      active = 0;
      owed = 0;
      undeducted = 0;
      quota = 0;
      last = KERNELS - 1;
    end
  end
endmodule
