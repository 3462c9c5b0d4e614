// UCP's lookahead: in each round the maximum marginal utility of each application, over all numbers
// of ways that are left; the highest one gets its ways, until none is left.
// Source: TAP, appendix A, algorithm 1. What the paper leaves open, as the spec decides: one way
// each at the beginning; without utility one way; of equal ones the lower id; XSRATIO and UCP-Mask
// for each application. A round asks for all its counters, one per cycle, application by
// application, and decides three cycles after the last one; quotas are new a cycle after there is
// nothing left to give.
// The counters of a round are kept; its utilities are worked out from all that are known.
module ref_ucp #(
    parameter WAYS = 4,
    parameter APPLICATIONS = 2,
    parameter CNT_W = 21,
    parameter XS_W = 10,
    parameter POS_W = $clog2(WAYS + 1)
) (
    input wire clock,
    input wire reset,
    input wire start,
    input wire [APPLICATIONS-1:0] ucp_mask,
    input wire [APPLICATIONS*XS_W-1:0] xsratio,
    input wire [APPLICATIONS*CNT_W-1:0] read_count,
    output reg [POS_W-1:0] read_position,
    output wire busy,
    output reg done,
    output reg [APPLICATIONS*POS_W-1:0] quota,
    // The state, to relate it to another one.
    output wire [8:0] naive_cycle,
    output wire naive_done,
    output wire [APPLICATIONS*POS_W-1:0] naive_quota,
    output wire [POS_W-1:0] naive_balance,
    output wire [APPLICATIONS*POS_W-1:0] naive_allocation,
    output wire [APPLICATIONS-1:0] naive_mask,
    output wire [APPLICATIONS*XS_W-1:0] naive_ratio,
    // Of what was compared in the cycles before: the best, and the hits of the counter compared in
    // this one.
    output reg naive_found,
    output reg [POS_W-1:0] naive_best_application,
    output reg [POS_W-1:0] naive_best_blocks,
    output reg [CNT_W+POS_W-1:0] naive_best_sum,
    output reg [XS_W+POS_W-1:0] naive_best_cost,
    output reg [CNT_W+POS_W-1:0] naive_sum
);
  localparam GIVEN = WAYS - APPLICATIONS;
  localparam COUNTERS = APPLICATIONS * GIVEN;
  localparam SUM_W = CNT_W + POS_W;
  localparam COST_W = XS_W + POS_W;

  reg working;
  // Cycles of the round.
  reg [7:0] cycle;
  reg [POS_W-1:0] balance;
  (* mem2reg *) reg [POS_W-1:0] allocation[0:APPLICATIONS-1];
  reg [APPLICATIONS-1:0] mask;
  (* mem2reg *) reg [XS_W-1:0] ratio[0:APPLICATIONS-1];
  // By application, and by how many ways more.
  (* mem2reg *) reg [CNT_W-1:0] hits[0:COUNTERS-1];
  assign busy = working;

  // The n-th counter of a round is that of application n / balance with n % balance + 1 ways more.
  reg [SUM_W-1:0] sum;
  reg [COST_W-1:0] cost;
  integer nth;
  integer i;
  integer k;
  always @* begin
    read_position = 0;
    naive_found = 0;
    naive_best_application = 0;
    naive_best_blocks = 0;
    naive_best_sum = 0;
    naive_best_cost = 0;
    naive_sum = 0;
    nth = 0;
    for (i = 0; i < APPLICATIONS; i = i + 1) begin
      sum = 0;
      for (k = 1; k <= GIVEN; k = k + 1)
        if (k <= balance) begin
          if (working && cycle == nth) read_position = allocation[i] + k - 1;
          sum = sum + hits[i*GIVEN+k-1];
          cost = k * ratio[i];
          if (nth + 2 == cycle) naive_sum = sum;
          // Two cycles later it is compared, and known in the third.
          if (nth + 2 < cycle && !mask[i] && (!naive_found
              || sum * {{SUM_W{1'b0}}, naive_best_cost} > naive_best_sum * {{SUM_W{1'b0}}, cost})) begin
            naive_found = 1;
            naive_best_application = i;
            naive_best_blocks = k;
            naive_best_sum = sum;
            naive_best_cost = cost;
          end
          nth = nth + 1;
        end
    end
  end

  integer n;
  integer a;
  integer j;
  always @(posedge clock) begin
    done <= 0;
    if (working && !start) begin
      cycle <= cycle + 1'b1;
      n = 1;
      for (a = 0; a < APPLICATIONS; a = a + 1)
        for (j = 1; j <= GIVEN; j = j + 1)
          if (j <= balance) begin
            if (cycle == n) hits[a*GIVEN+j-1] <= read_count[a*CNT_W+:CNT_W];
            n = n + 1;
          end
      if (balance == 0) begin
        working <= 0;
        done <= 1;
        for (a = 0; a < APPLICATIONS; a = a + 1) quota[a*POS_W+:POS_W] <= allocation[a];
      end else if (cycle == n + 1) begin
        cycle <= 0;
        balance <= balance - naive_best_blocks;
        for (a = 0; a < APPLICATIONS; a = a + 1)
          if (a == naive_best_application) allocation[a] <= allocation[a] + naive_best_blocks;
      end
    end
    if (start || reset) begin
      working <= !reset;
      cycle <= 0;
      balance <= GIVEN;
      for (a = 0; a < APPLICATIONS; a = a + 1) allocation[a] <= 1;
      mask <= reset ? 0 : ucp_mask;
      for (a = 0; a < APPLICATIONS; a = a + 1)
        ratio[a] <= reset ? 1 : xsratio[a*XS_W+:XS_W];
    end
    if (reset) begin
      done <= 0;
      for (a = 0; a < APPLICATIONS; a = a + 1)
        quota[a*POS_W+:POS_W] <= WAYS / APPLICATIONS + (a < WAYS % APPLICATIONS ? 1 : 0);
    end
  end

  assign naive_cycle = working ? {1'b1, cycle} : 9'd0;
  assign naive_done = done;
  assign naive_quota = quota;
  assign naive_balance = balance;
  assign naive_mask = mask;
  genvar g;
  generate
    for (g = 0; g < APPLICATIONS; g = g + 1) begin : state
      assign naive_allocation[g*POS_W+:POS_W] = allocation[g];
      assign naive_ratio[g*XS_W+:XS_W] = ratio[g];
    end
  endgenerate
endmodule
