// Replacement bits of a set, kept the other way round: not which way is in a position, but which
// position a way is in (its age), with owner and valid bit by way.
// Source: GDC, sections II-A and III-A; what the paper leaves open as specs of lru_stack say: an
// invalidated way moves to the LRU position and keeps its owner; flush returns to the reset
// state; of several requests the first of flush, invalidate and access is served.
module ref_lru_stack #(
    parameter WAYS = 16,
    parameter KERNELS = 4,
    parameter WAY_W = WAYS > 1 ? $clog2(WAYS) : 1,
    parameter POS_W = $clog2(WAYS + 1),
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire access_hit,
    input wire [WAY_W-1:0] access_way,
    input wire [KID_W-1:0] access_kid,
    input wire invalidate_valid,
    input wire [WAY_W-1:0] invalidate_way,
    input wire flush,
    output reg [POS_W-1:0] hit_pos,
    output reg [WAYS*WAY_W-1:0] stack_way,
    output reg [WAYS*KID_W-1:0] stack_owner,
    output reg [WAYS-1:0] stack_valid,
    output reg [WAY_W-1:0] victim_way,
    output reg [KID_W-1:0] victim_owner,
    output reg victim_valid,
    // The state by way, to relate it to another encoding.
    output reg [WAYS*WAY_W-1:0] way_age,
    output reg [WAYS*KID_W-1:0] way_owner,
    output reg [WAYS-1:0] way_valid
);
  (* mem2reg *) reg [WAY_W-1:0] age[0:WAYS-1];
  (* mem2reg *) reg [KID_W-1:0] owner[0:WAYS-1];
  reg [WAYS-1:0] valid;

  localparam [WAY_W-1:0] LRU = WAYS - 1;

  // The way that an access makes the MRU one: the one hit, or the oldest. Its age, and that of
  // the way to invalidate.
  reg [WAY_W-1:0] touched, touched_age, hit_age, invalidated_age;
  integer w;
  integer i;

  always @* begin
    touched = access_way;
    hit_age = 0;
    invalidated_age = 0;
    for (w = 0; w < WAYS; w = w + 1) begin
      if (!access_hit && age[w] == LRU) touched = w;
      if (w == access_way) hit_age = age[w];
      if (w == invalidate_way) invalidated_age = age[w];
    end
    touched_age = access_hit ? hit_age : LRU;
  end

  always @(posedge clock) begin
    if (reset || flush) begin
      for (w = 0; w < WAYS; w = w + 1) begin
        age[w] <= w;
        owner[w] <= 0;
        valid[w] <= 0;
      end
    end else if (invalidate_valid) begin
      // Those below it move up.
      for (w = 0; w < WAYS; w = w + 1) begin
        if (w == invalidate_way) begin
          age[w] <= LRU;
          valid[w] <= 0;
        end else if (age[w] > invalidated_age) age[w] <= age[w] - 1'b1;
      end
    end else if (access_valid) begin
      // Those above it move down.
      for (w = 0; w < WAYS; w = w + 1) begin
        if (w == touched) begin
          age[w] <= 0;
          owner[w] <= access_kid;
          valid[w] <= 1;
        end else if (age[w] < touched_age) age[w] <= age[w] + 1'b1;
      end
    end
  end

  always @* begin
    hit_pos = access_hit ? hit_age : WAYS;
    stack_way = 0;
    stack_owner = 0;
    stack_valid = 0;
    for (w = 0; w < WAYS; w = w + 1)
      for (i = 0; i < WAYS; i = i + 1)
        if (age[w] == i) begin
          stack_way[i*WAY_W+:WAY_W] = w;
          stack_owner[i*KID_W+:KID_W] = owner[w];
          stack_valid[i] = valid[w];
        end
    victim_way = stack_way[(WAYS-1)*WAY_W+:WAY_W];
    victim_owner = stack_owner[(WAYS-1)*KID_W+:KID_W];
    victim_valid = stack_valid[WAYS-1];
    for (w = 0; w < WAYS; w = w + 1) begin
      way_age[w*WAY_W+:WAY_W] = age[w];
      way_owner[w*KID_W+:KID_W] = owner[w];
    end
    way_valid = valid;
  end
endmodule
