// Which line of a set makes room for a miss: an invalid one; the requester's own, if it has as many
// as its quota; one of an application that has more than its quota; the requester's own; any. Of
// several the one furthest down in the stack.
// Source: TAP, section 3.3; what it leaves open as the spec decides, enforcement by owner count.
module ref_quota_victim #(
    parameter WAYS = 4,
    parameter APPLICATIONS = 2,
    parameter WAY_W = WAYS > 2 ? $clog2(WAYS) : 1,
    parameter POS_W = $clog2(WAYS + 1),
    parameter APP_W = APPLICATIONS > 2 ? $clog2(APPLICATIONS) : 1
) (
    input wire [APP_W-1:0] requester,
    input wire [WAYS*WAY_W-1:0] stack_way,
    input wire [WAYS*APP_W-1:0] stack_owner,
    input wire [WAYS-1:0] stack_valid,
    input wire [APPLICATIONS*POS_W-1:0] quota,
    output reg [WAY_W-1:0] victim_position,
    output reg [WAY_W-1:0] victim_way,
    output reg [APP_W-1:0] victim_owner,
    output reg victim_valid
);
  // Lines of the application whose line is in a position, by position.
  integer held;
  integer own_held;
  integer own_quota;
  integer its_quota;
  reg [APP_W-1:0] owner;
  reg found_invalid, found_own, found_above;
  reg [WAY_W-1:0] invalid, own, above, chosen;
  integer p;
  integer q;
  integer a;
  always @* begin
    found_invalid = 0;
    found_own = 0;
    found_above = 0;
    invalid = 0;
    own = 0;
    above = 0;
    own_held = 0;
    own_quota = 0;
    for (a = 0; a < APPLICATIONS; a = a + 1)
      if (requester == a) own_quota = quota[a*POS_W+:POS_W];
    for (p = 0; p < WAYS; p = p + 1) begin
      owner = stack_owner[p*APP_W+:APP_W];
      its_quota = 0;
      for (a = 0; a < APPLICATIONS; a = a + 1)
        if (owner == a) its_quota = quota[a*POS_W+:POS_W];
      held = 0;
      for (q = 0; q < WAYS; q = q + 1)
        if (stack_valid[q] && stack_owner[q*APP_W+:APP_W] == owner) held = held + 1;
      if (!stack_valid[p]) begin
        found_invalid = 1;
        invalid = p;
      end else begin
        if (owner == requester) begin
          found_own = 1;
          own = p;
          own_held = held;
        end
        if (held > its_quota) begin
          found_above = 1;
          above = p;
        end
      end
    end
    chosen = WAYS - 1;
    if (found_invalid) chosen = invalid;
    else if (found_own && own_held >= own_quota) chosen = own;
    else if (found_above) chosen = above;
    else if (found_own) chosen = own;
    victim_position = chosen;
    victim_way = 0;
    victim_owner = 0;
    for (p = 0; p < WAYS; p = p + 1)
      if (p == chosen) begin
        victim_way = stack_way[p*WAY_W+:WAY_W];
        victim_owner = stack_owner[p*APP_W+:APP_W];
      end
    victim_valid = !found_invalid;
  end
endmodule
