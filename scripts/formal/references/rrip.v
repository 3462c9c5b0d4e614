// Re-reference interval prediction in one set, step by step as the literature has it: fill an invalid
// way; else look for a line with the highest RRPV, preferred ones before others, from way 0 up; while
// there is none, let all lines age by one and look again.
// Source: TAP, section 3.4. What the paper leaves open, as the spec decides: the victim is the first;
// an invalid way is filled before a line is replaced, and then no line ages.
module ref_rrip #(
    parameter WAYS = 16,
    parameter RRPV_W = 2,
    parameter WAY_W = WAYS > 1 ? $clog2(WAYS) : 1
) (
    input wire [WAYS*RRPV_W-1:0] rrpv,
    input wire [WAYS-1:0] valid,
    input wire [WAYS-1:0] preferred,
    input wire access_valid,
    input wire access_hit,
    input wire [WAY_W-1:0] access_way,
    input wire promote,
    input wire insert_distant,
    output reg [WAY_W-1:0] victim_way,
    output reg victim_valid,
    output reg [RRPV_W-1:0] ageings,
    output reg [WAYS*RRPV_W-1:0] next_rrpv
);
  localparam [RRPV_W-1:0] DISTANT = {RRPV_W{1'b1}};
  reg found;
  reg [WAYS*RRPV_W-1:0] aged;
  integer turn;
  integer w;
  always @* begin
    aged = rrpv;
    found = 0;
    victim_way = 0;
    victim_valid = 1;
    ageings = 0;
    for (w = 0; w < WAYS; w = w + 1)
      if (!found && !valid[w]) begin
        found = 1;
        victim_way = w;
        victim_valid = 0;
      end
    for (turn = 0; turn <= DISTANT; turn = turn + 1) begin
      for (w = 0; w < WAYS; w = w + 1)
        if (!found && aged[w*RRPV_W+:RRPV_W] == DISTANT && preferred[w]) begin
          found = 1;
          victim_way = w;
        end
      for (w = 0; w < WAYS; w = w + 1)
        if (!found && aged[w*RRPV_W+:RRPV_W] == DISTANT) begin
          found = 1;
          victim_way = w;
        end
      if (!found) begin
        ageings = ageings + 1'b1;
        for (w = 0; w < WAYS; w = w + 1)
          aged[w*RRPV_W+:RRPV_W] = aged[w*RRPV_W+:RRPV_W] + 1'b1;
      end
    end
    next_rrpv = rrpv;
    if (access_valid && access_hit) begin
      for (w = 0; w < WAYS; w = w + 1)
        if (access_way == w && promote) next_rrpv[w*RRPV_W+:RRPV_W] = 0;
    end else if (access_valid) begin
      next_rrpv = aged;
      for (w = 0; w < WAYS; w = w + 1)
        if (victim_way == w) next_rrpv[w*RRPV_W+:RRPV_W] = insert_distant ? DISTANT : DISTANT - 1'b1;
    end
  end
endmodule
