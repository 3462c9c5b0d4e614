// Memory instruction limit generator of one kernel, with the division written as one.
// Source: Dai et al., section 3.3.2 and figure 10; what the paper leaves open as the unit says: a
// limit is never 0; with less than one failure per request it is dropped, doubles (RELEASE 1), stays
// (2), or rises by one (3).
module ref_milg #(
    parameter COUNT_W = 7,
    parameter FAIL_W = 12,
    parameter INTERVAL_W = 10,
    parameter RELEASE = 0
) (
    input wire clock,
    input wire reset,
    input wire launch,
    input wire issue,
    input wire complete,
    input wire request,
    input wire fail,
    output wire allow,
    output reg [COUNT_W-1:0] in_flight,
    output reg [COUNT_W-1:0] limit,
    output reg unlimited,
    // To relate it to a unit that divides step by step.
    output reg [COUNT_W-1:0] most,
    output reg [FAIL_W-1:0] refused,
    output reg [INTERVAL_W-1:0] accepted,
    output reg [COUNT_W-1:0] dividend,
    output reg [FAIL_W-INTERVAL_W-1:0] each,
    output reg ended,
    output reg [$clog2(COUNT_W+1)-1:0] due
);
  localparam [COUNT_W-1:0] NO_LIMIT = {COUNT_W{1'b1}};
  assign allow = in_flight < limit;

  // Blocking assignments: what a line reads is what the lines above it have left.
  reg [FAIL_W-INTERVAL_W-1:0] rate;
  always @(posedge clock) begin
    in_flight = in_flight + issue - complete;
    rate = refused >> INTERVAL_W;
    // The limit of the interval before.
    if (due != 0) begin
      due = due - 1'b1;
      if (due == 0) begin
        limit = dividend / each;
        if (limit == 0) limit = 1;
        unlimited = 0;
      end
    end
    // An interval that ended in the cycle before.
    if (ended) begin
      if (each != 0) due = COUNT_W;
      else if (RELEASE == 1 && limit <= NO_LIMIT / 2) limit = 2 * limit;
      else if (RELEASE == 3 && limit < NO_LIMIT) limit = limit + 1;
      else if (RELEASE != 2) begin
        limit = NO_LIMIT;
        unlimited = 1;
      end
    end
    if (in_flight > most) most = in_flight;
    ended = request && accepted == {INTERVAL_W{1'b1}};
    if (ended) begin
      dividend = most;
      each = rate;
      most = in_flight;
      accepted = 0;
      refused = 0;
    end else begin
      accepted = accepted + request;
      if (refused != {FAIL_W{1'b1}}) refused = refused + fail;
    end
    if (launch || reset) begin
      accepted = 0;
      refused = 0;
      most = in_flight;
      limit = NO_LIMIT;
      unlimited = 1;
      ended = 0;
      due = 0;
    end
    if (reset) begin
      in_flight = 0;
      most = 0;
      dividend = 0;
      each = 0;
    end
  end
endmodule
