// An LRU stack and a popcnt, as someone else would write them; with FAULT one of the mistakes that
// are made with them. SPDX-License-Identifier: MIT OR Apache-2.0

module my_lru_stack #(
  parameter int WAYS = 17,
  parameter int KERNELS = 6,
  // 1 a hit keeps the old owner, 2 the hit position is off by one, 3 an invalidated way stays where it
  // is, 4 a flush keeps the order.
  parameter int FAULT = 0,
  localparam int WAY_W = $clog2(WAYS),
  localparam int KID_W = $clog2(KERNELS),
  localparam int POS_W = $clog2(WAYS + 1)
) (
  input logic clock, reset, access_valid, access_hit,
  input logic [WAY_W-1:0] access_way,
  input logic [KID_W-1:0] access_kid,
  input logic invalidate_valid,
  input logic [WAY_W-1:0] invalidate_way,
  input logic flush,
  output logic [POS_W-1:0] hit_pos,
  output logic [WAYS*WAY_W-1:0] stack_way,
  output logic [WAYS*KID_W-1:0] stack_owner,
  output logic [WAYS-1:0] stack_valid,
  output logic [WAY_W-1:0] victim_way,
  output logic [KID_W-1:0] victim_owner,
  output logic victim_valid
);
  logic [WAY_W-1:0] way[WAYS];
  logic [KID_W-1:0] owner[WAYS];
  logic valid[WAYS];

  always_comb begin
    hit_pos = POS_W'(WAYS);
    for (int at = 0; at < WAYS; at++) begin
      if (access_hit && way[at] == access_way) hit_pos = POS_W'(FAULT == 2 && at == 7 ? 6 : at);
      stack_way[at*WAY_W +: WAY_W] = way[at];
      stack_owner[at*KID_W +: KID_W] = owner[at];
      stack_valid[at] = valid[at];
    end
    {victim_way, victim_owner, victim_valid} = {way[WAYS-1], owner[WAYS-1], valid[WAYS-1]};
  end

  always_ff @(posedge clock) begin
    if (reset || flush) begin
      for (int at = 0; at < WAYS; at++) begin
        if (reset || FAULT != 4) way[at] <= WAY_W'(at);
        owner[at] <= 0;
        valid[at] <= 0;
      end
    end else if (invalidate_valid) begin
      automatic bit below = 0;
      for (int at = 0; at < WAYS; at++) begin
        automatic bit here = way[at] == invalidate_way;
        if (here && FAULT == 3) valid[at] <= 0;
        else if (FAULT != 3) begin
          below |= here;
          if (below && at < WAYS - 1) {way[at], owner[at], valid[at]} <= {way[at+1], owner[at+1], valid[at+1]};
          if (here) {way[WAYS-1], owner[WAYS-1], valid[WAYS-1]} <= {way[at], owner[at], 1'b0};
        end
      end
    end else if (access_valid) begin
      automatic int from = WAYS - 1;
      for (int at = 0; at < WAYS; at++) if (access_hit && way[at] == access_way) from = at;
      for (int at = 1; at < WAYS; at++)
        if (at <= from) {way[at], owner[at], valid[at]} <= {way[at-1], owner[at-1], valid[at-1]};
      way[0] <= way[from];
      owner[0] <= FAULT == 1 && access_hit ? owner[from] : access_kid;
      valid[0] <= access_hit ? valid[from] : 1'b1;
    end
  end
endmodule

module my_popcnt #(
  parameter int WIDTH = 33,
  // 5 leaves out the highest bit.
  parameter int FAULT = 0
) (
  input logic [WIDTH-1:0] data,
  output logic [$clog2(WIDTH+1)-1:0] count
);
  always_comb begin
    count = 0;
    for (int bit_ = 0; bit_ < WIDTH - (FAULT == 5 ? 1 : 0); bit_++)
      count += ($clog2(WIDTH + 1))'(data[bit_]);
  end
endmodule

// Right ones and those with a mistake, all driven alike: hits of valid lines alone.
module top;
  localparam int WAYS = 17;
  localparam int FAULTS = 5;
  logic clock = 0, reset = 1, access_valid = 0, access_hit = 0, invalidate_valid = 0, flush = 0;
  logic [4:0] access_way = 0, invalidate_way = 0;
  logic [2:0] access_kid = 0;
  logic [32:0] data = 0;

  for (genvar fault = 0; fault <= FAULTS; fault++) begin : with_fault
    my_lru_stack #(.FAULT(fault)) stack (
      .hit_pos(), .stack_way(), .stack_owner(), .stack_valid(),
      .victim_way(), .victim_owner(), .victim_valid(), .*);
    my_popcnt #(.FAULT(fault)) popcnt (.data(data), .count());
    // Its design has no clock.
    cotenant_check_popcnt #(.WIDTH(33)) check (.clock(clock), .data(data), .count(popcnt.count));
  end

  initial begin
    for (int cycle = 0; cycle < 4000; cycle++) begin
      automatic int at = $urandom_range(WAYS - 1);
      reset = cycle < 2;
      access_valid = $urandom_range(7) != 0;
      access_hit = with_fault[0].stack.valid[at] && $urandom_range(1) != 0;
      access_way = with_fault[0].stack.way[at];
      access_kid = 3'($urandom_range(5));
      invalidate_valid = $urandom_range(31) == 0;
      invalidate_way = 5'($urandom_range(WAYS - 1));
      flush = $urandom_range(500) == 0;
      data = 33'({$urandom, $urandom});
      #5 clock = 1;
      #5 clock = 0;
    end
    $finish;
  end
endmodule

bind my_lru_stack cotenant_check_lru_stack #(.WAYS(WAYS), .KERNELS(KERNELS)) check (.*);
