// Static memory instruction limit of one kernel.
// Source: Dai et al., section 3.3.1; without a limit issue is blocked when the counter is full.
module ref_smil #(
    parameter COUNT_W = 7,
    parameter LIMIT_W = 5
) (
    input wire clock,
    input wire reset,
    input wire set_valid,
    input wire [LIMIT_W-1:0] set_limit,
    input wire set_unlimited,
    input wire issue,
    input wire complete,
    output wire allow,
    output reg [COUNT_W-1:0] in_flight,
    output wire [COUNT_W-1:0] limit,
    output reg unlimited
);
  reg [LIMIT_W-1:0] written;
  assign limit = unlimited ? {COUNT_W{1'b1}} : written;
  assign allow = limit > in_flight;
  always @(posedge clock) begin
    in_flight = in_flight + issue - complete;
    if (set_valid) begin
      unlimited = set_unlimited;
      if (!set_unlimited) written = set_limit;
    end
    if (reset) begin
      in_flight = 0;
      written = 0;
      unlimited = 1;
    end
  end
endmodule
