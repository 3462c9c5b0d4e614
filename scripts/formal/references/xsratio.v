// The ratio of a GPU's accesses to those of the CPU application with most, by `/`, as many cycles after
// the period as a counter has bits.
// Source: TAP, section 3.2. What the paper leaves open, as the spec decides: truncated, once it is found to be above the threshold; stops at the
// largest number; no CPU access gives that, none at all 1.
module ref_xsratio #(
    parameter APPLICATIONS = 2,
    parameter XS_W = 10,
    parameter CNT_W = 21,
    parameter T_XS = 10,
    parameter APP_W = APPLICATIONS > 2 ? $clog2(APPLICATIONS) : 1,
    parameter LEFT_W = $clog2(CNT_W + 1)
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire [APP_W-1:0] access_app,
    input wire period,
    input wire [APPLICATIONS-1:0] gpu,
    output wire busy,
    output reg done,
    output reg [XS_W-1:0] xsratio,
    output reg [APPLICATIONS*CNT_W-1:0] accesses,
    // The state, to relate it to another one.
    output reg [APPLICATIONS-1:0] naive_gpu,
    output reg [LEFT_W-1:0] naive_left,
    output reg [CNT_W-1:0] naive_dividend,
    output reg [CNT_W-1:0] naive_divisor
);
  localparam [CNT_W-1:0] MOST = {CNT_W{1'b1}};
  localparam [XS_W-1:0] LARGEST = {XS_W{1'b1}};

  assign busy = naive_left != 0;

  reg [CNT_W-1:0] of_gpu, of_cpu, count, quotient;
  reg above;
  integer i;
  always @* begin
    of_gpu = 0;
    of_cpu = 0;
    for (i = 0; i < APPLICATIONS; i = i + 1) begin
      count = accesses[i*CNT_W+:CNT_W];
      if (naive_gpu[i] && count > of_gpu) of_gpu = count;
      if (!naive_gpu[i] && count > of_cpu) of_cpu = count;
    end
    quotient = naive_divisor == 0 ? MOST : naive_dividend / naive_divisor;
    if (naive_dividend == 0) quotient = 0;
    above = quotient > T_XS || (quotient == T_XS && naive_dividend % naive_divisor != 0);
  end

  integer n;
  always @(posedge clock) begin
    done <= 0;
    if (period) begin
      naive_dividend <= of_gpu;
      naive_divisor <= of_cpu;
      naive_left <= CNT_W;
      naive_gpu <= gpu;
    end else if (naive_left != 0) begin
      naive_left <= naive_left - 1'b1;
      if (naive_left == 1) begin
        done <= 1;
        xsratio <= !above ? 1 : quotient > LARGEST ? LARGEST : quotient;
      end
    end
    for (n = 0; n < APPLICATIONS; n = n + 1) begin
      if (period) accesses[n*CNT_W+:CNT_W] <= access_valid && access_app == n;
      else if (access_valid && access_app == n && accesses[n*CNT_W+:CNT_W] != MOST)
        accesses[n*CNT_W+:CNT_W] <= accesses[n*CNT_W+:CNT_W] + 1'b1;
    end
    if (reset) begin
      accesses <= 0;
      naive_gpu <= 0;
      naive_left <= 0;
      done <= 0;
      xsratio <= 1;
    end
  end
endmodule
