// A bank of llc_monitor: what is in its sets, and what is counted. One of the three requests at a
// time is done three cycles later, or RAM_STAGES more; until then it changes nothing.
module ref_llc_bank #(
    parameter WAYS = 2,
    parameter KERNELS = 2,
    parameter SETS = 2,
    parameter TAG_W = 1,
    parameter CNT_W = 2,
    parameter STAGES = 1,
    parameter RAM_STAGES = 0,
    parameter SET_W = $clog2(SETS),
    parameter WAY_W = $clog2(WAYS),
    parameter POS_W = $clog2(WAYS + 1),
    parameter KID_W = $clog2(KERNELS)
) (
    input wire clock,
    input wire reset,
    input wire clear,
    input wire invalidate,
    input wire access,
    input wire [SET_W-1:0] set,
    input wire [TAG_W-1:0] tag,
    input wire [KID_W-1:0] kid,
    input wire [WAY_W-1:0] way,
    input wire snapshot,
    input wire [KID_W-1:0] read_victim,
    input wire [KID_W-1:0] read_aggressor,
    input wire read_live,
    // Which counters were addressed in the cycle before: demotions, evictions, accesses, none.
    input wire [1:0] read_matrix,
    output reg done_valid,
    output reg done_hit,
    output reg [WAY_W-1:0] done_way,
    output reg done_evict,
    output reg [KID_W-1:0] done_owner,
    output wire [CNT_W-1:0] read_count,
    output wire read_overflow,
    output wire [KERNELS-1:0] overflow_gdc,
    output wire [KERNELS-1:0] overflow_ike,
    output wire [1:0] overflow_access,
    output wire [7:0] sequence_number
);
  // The request whose turn it is.
  wire clears, invalidates, accesses;
  wire [SET_W-1:0] this_set;
  wire [TAG_W-1:0] this_tag;
  wire [KID_W-1:0] this_kid;
  wire [WAY_W-1:0] this_way;
  ref_delay #(
      .WIDTH(3 + SET_W + TAG_W + KID_W + WAY_W),
      .STAGES(3 + RAM_STAGES)
  ) pipeline (
      .clock(clock),
      .reset(reset),
      .now({clear, invalidate, access, set, tag, kid, way}),
      .late({clears, invalidates, accesses, this_set, this_tag, this_kid, this_way})
  );

  // By set and way: the line, and how many ways of the set were used later.
  (* mem2reg *) reg [TAG_W-1:0] tags[0:SETS*WAYS-1];
  (* mem2reg *) reg [WAY_W-1:0] age[0:SETS*WAYS-1];
  (* mem2reg *) reg [KID_W-1:0] owner[0:SETS*WAYS-1];
  reg [SETS*WAYS-1:0] valid;

  // What an access finds in its set: the line, or else the oldest way; and by position the owners and
  // the valid ways.
  reg hit;
  reg [WAY_W-1:0] found;
  reg [POS_W-1:0] position;
  reg [WAYS*KID_W-1:0] owners;
  reg [WAYS-1:0] valids;
  reg [WAY_W-1:0] change;
  reg was_valid;
  reg [KID_W-1:0] was_owner;
  integer s;
  integer w;
  integer p;
  always @* begin
    hit = 0;
    found = 0;
    position = WAYS;
    owners = 0;
    valids = 0;
    change = 0;
    was_valid = 0;
    was_owner = 0;
    for (s = 0; s < SETS; s = s + 1)
      if (s == this_set) begin
        for (w = 0; w < WAYS; w = w + 1) begin
          for (p = 0; p < WAYS; p = p + 1)
            if (age[s*WAYS+w] == p) begin
              owners[p*KID_W+:KID_W] = owner[s*WAYS+w];
              valids[p] = valid[s*WAYS+w];
            end
          if (age[s*WAYS+w] == WAYS - 1) found = w;
        end
        for (w = 0; w < WAYS; w = w + 1)
          if (valid[s*WAYS+w] && tags[s*WAYS+w] == this_tag) begin
            hit = 1;
            found = w;
            position = age[s*WAYS+w];
          end
        for (w = 0; w < WAYS; w = w + 1)
          if (w == found) begin
            was_valid = valid[s*WAYS+w];
            was_owner = owner[s*WAYS+w];
          end
        for (w = 0; w < WAYS; w = w + 1)
          if (w == (invalidates ? this_way : found)) change = age[s*WAYS+w];
      end
  end

  // A reset leaves the lines alone: they are cleared after it.
  always @(posedge clock)
    for (s = 0; s < SETS; s = s + 1)
      if (s == this_set)
        for (w = 0; w < WAYS; w = w + 1)
          if (clears) begin
            tags[s*WAYS+w] <= 0;
            age[s*WAYS+w] <= w;
            owner[s*WAYS+w] <= 0;
            valid[s*WAYS+w] <= 0;
          end else if (invalidates) begin
            if (w == this_way) begin
              age[s*WAYS+w] <= WAYS - 1;
              valid[s*WAYS+w] <= 0;
            end else if (age[s*WAYS+w] > change) age[s*WAYS+w] <= age[s*WAYS+w] - 1'b1;
          end else if (accesses) begin
            if (w == found) begin
              tags[s*WAYS+w] <= this_tag;
              age[s*WAYS+w] <= 0;
              owner[s*WAYS+w] <= this_kid;
              valid[s*WAYS+w] <= 1;
            end else if (age[s*WAYS+w] < change) age[s*WAYS+w] <= age[s*WAYS+w] + 1'b1;
          end

  always @(posedge clock) begin
    done_valid <= !reset && accesses;
    done_hit <= !reset && accesses && hit;
    done_way <= reset || !accesses ? 0 : found;
    done_evict <= !reset && accesses && !hit && was_valid;
    done_owner <= reset || !accesses || !was_valid ? 0 : was_owner;
  end

  wire [CNT_W-1:0] gdc_count, ike_count, access_count;
  wire gdc_full, ike_full, access_full;
  ref_gdcu #(
      .WAYS(WAYS),
      .KERNELS(KERNELS),
      .CNT_W(CNT_W),
      .STAGES(STAGES)
  ) gdcu (
      .clock(clock),
      .reset(reset),
      .access_valid(accesses),
      .access_pos(position),
      .access_kid(this_kid),
      .stack_owner(owners),
      .stack_valid(valids),
      .snapshot(snapshot),
      .read_victim(read_victim),
      .read_aggressor(read_aggressor),
      .read_live(read_live),
      .read_count(gdc_count),
      .read_overflow(gdc_full),
      .overflow(overflow_gdc),
      .sequence_number(sequence_number)
  );
  ref_plob #(
      .KERNELS(KERNELS),
      .CNT_W(CNT_W),
      .STAGES(STAGES)
  ) plob (
      .clock(clock),
      .reset(reset),
      .access_valid(accesses),
      .access_hit(hit),
      .victim_valid(was_valid),
      .victim_owner(was_owner),
      .access_kid(this_kid),
      .snapshot(snapshot),
      .read_victim(read_victim),
      .read_aggressor(read_aggressor),
      .read_live(read_live),
      .read_count(ike_count),
      .read_overflow(ike_full),
      .overflow(overflow_ike)
  );

  // Hits in row 0, misses in row 1.
  wire due_valid;
  wire [KID_W-1:0] due_kid;
  wire [1:0] due;
  wire [KERNELS-1:0] rows = due;
  wire [KERNELS-1:0] row_overflow;
  assign overflow_access = row_overflow[1:0];
  ref_delay #(
      .WIDTH(3 + KID_W),
      .STAGES(STAGES)
  ) counted (
      .clock(clock),
      .reset(reset),
      .now({accesses, this_kid, accesses && !hit, accesses && hit}),
      .late({due_valid, due_kid, due})
  );
  ref_counter_matrix #(
      .KERNELS(KERNELS),
      .INC_W(1),
      .CNT_W(CNT_W)
  ) hits (
      .clock(clock),
      .reset(reset),
      .inc_valid(due_valid),
      .inc_kid(due_kid),
      .inc(rows),
      .snapshot(snapshot),
      .read_victim(read_victim),
      .read_aggressor(read_aggressor),
      .read_live(read_live),
      .read_count(access_count),
      .read_overflow(access_full),
      .overflow(row_overflow)
  );

  assign read_count = read_matrix == 0 ? gdc_count
      : read_matrix == 1 ? ike_count
      : read_matrix == 2 ? access_count
      : 0;
  assign read_overflow = read_matrix == 0 ? gdc_full
      : read_matrix == 1 ? ike_full
      : read_matrix == 2 && access_full;
endmodule
