// Exact attribution in sampled sets, around the shadow stacks, which are apart: what they are asked,
// and their answers divided and added up. Source: docs/attribution.md. Sampled are the sets that come
// first when all are ordered by a hash of their number; a stack is numbered by the sampled sets below
// its own. Up to QUEUE accesses wait for the stacks, in a list with a length. With MODE 1 a miss is
// charged to one kernel, in place of being divided in sixths.
module ref_attribution #(
    parameter WAYS = 2,
    parameter KERNELS = 2,
    parameter SETS = 4,
    parameter SAMPLED = 2,
    parameter TAG_W = 4,
    parameter PARTIAL_W = 2,
    parameter LANES = 1,
    parameter CNT_W = 4,
    parameter QUEUE = 0,
    parameter MODE = 0,
    parameter SET_W = $clog2(SETS),
    parameter STACK_W = $clog2(SAMPLED),
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1,
    parameter POS_W = $clog2(WAYS + 1)
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire [SET_W-1:0] access_set,
    input wire [TAG_W-1:0] access_tag,
    input wire [KID_W-1:0] access_kid,
    input wire snapshot,
    input wire [1:0] read_from,
    input wire [KID_W-1:0] read_victim,
    input wire [KID_W-1:0] read_aggressor,
    input wire read_live,
    output wire ready,
    output wire [CNT_W-1:0] read_count,
    output wire read_overflow,
    output wire [KERNELS-1:0] overflow,
    output wire [2:0] overflow_events,
    output wire [7:0] sequence_number,
    output wire stacks_reset,
    output wire stacks_access_valid,
    output wire [STACK_W-1:0] stacks_access_stack,
    output wire [PARTIAL_W-1:0] stacks_access_tag,
    output wire [KID_W-1:0] stacks_access_kid,
    input wire stacks_ready,
    input wire stacks_done,
    input wire [KID_W-1:0] stacks_done_kid,
    input wire stacks_done_again,
    input wire stacks_done_shared,
    input wire [KERNELS*POS_W-1:0] stacks_done_above
);
  // The finaliser of SplitMix64.
  function [63:0] hash(input integer number);
    reg [63:0] x;
    begin
      x = number;
      x = x + 64'h9e3779b97f4a7c15;
      x = (x ^ (x >> 30)) * 64'hbf58476d1ce4e5b9;
      x = (x ^ (x >> 27)) * 64'h94d049bb133111eb;
      hash = x ^ (x >> 31);
    end
  endfunction

  // Fewer than SAMPLED sets come before this one.
  function is_sampled(input integer number);
    integer other;
    integer before;
    begin
      before = 0;
      for (other = 0; other < SETS; other = other + 1)
        if (hash(other) < hash(number)) before = before + 1;
      is_sampled = before < SAMPLED;
    end
  endfunction

  wire [SETS-1:0] sampled;
  genvar g;
  generate
    for (g = 0; g < SETS; g = g + 1) begin : one
      assign sampled[g] = is_sampled(g);
    end
  endgenerate

  reg [STACK_W-1:0] stack;
  reg [PARTIAL_W-1:0] partial;
  integer s;
  integer b;
  always @* begin
    stack = 0;
    for (s = 0; s < SETS; s = s + 1)
      if (s < access_set && sampled[s] && sampled[access_set]) stack = stack + 1'b1;
    partial = 0;
    for (b = 0; b < TAG_W; b = b + 1)
      partial[b%PARTIAL_W] = partial[b%PARTIAL_W] ^ access_tag[b];
  end

  // The stacks have been cleared since reset.
  reg cleared;
  assign ready = cleared || stacks_ready;
  always @(posedge clock) cleared <= !reset && ready;
  wire arrives = access_valid && sampled[access_set] && ready;

  // The access that comes, and the one whose turn it is.
  localparam ACCESS_W = STACK_W + PARTIAL_W + KID_W;
  wire [ACCESS_W-1:0] comes = {stack, partial, access_kid};
  wire [ACCESS_W-1:0] turn;
  wire lost;
  assign stacks_reset = reset;
  assign {stacks_access_stack, stacks_access_tag, stacks_access_kid} = turn;
  generate
    if (QUEUE == 0) begin : none_waits
      assign stacks_access_valid = arrives;
      assign turn = comes;
      assign lost = arrives && !stacks_ready;
    end else begin : waiting
      (* mem2reg *) reg [ACCESS_W-1:0] list[0:QUEUE-1];
      reg [$clog2(QUEUE+1)-1:0] length;
      assign stacks_access_valid = length > 0 || arrives;
      assign turn = length > 0 ? list[0] : comes;
      assign lost = arrives && !stacks_ready && length == QUEUE;
      // Blocking assignments: whoever leaves makes place for the one that comes.
      reg at_once;
      integer n;
      always @(posedge clock) begin
        at_once = length == 0 && stacks_ready;
        if (length > 0 && stacks_ready) begin
          for (n = 1; n < QUEUE; n = n + 1) list[n-1] = list[n];
          length = length - 1'b1;
        end
        if (arrives && !at_once && length < QUEUE) begin
          for (n = 0; n < QUEUE; n = n + 1) if (n == length) list[n] = comes;
          length = length + 1'b1;
        end
        if (reset) begin
          for (n = 0; n < QUEUE; n = n + 1) list[n] = 0;
          length = 0;
        end
      end
    end
  endgenerate

  localparam PART_W = MODE == 1 ? 1 : 3;
  wire answered = stacks_done && !stacks_done_shared;
  wire miss;
  wire contention;
  wire [KERNELS*PART_W-1:0] parts;
  generate
    if (MODE == 1) begin : charged
      ref_pivot #(
          .WAYS(WAYS),
          .KERNELS(KERNELS)
      ) pivot (
          .clock(clock),
          .reset(reset),
          .access_valid(answered),
          .access_kid(stacks_done_kid),
          .access_again(stacks_done_again),
          .above(stacks_done_above),
          .miss(miss),
          .contention(contention),
          .charged(parts),
          .charged_kid(),
          .ref_lfsr()
      );
    end else begin : divided
      ref_blame #(
          .WAYS(WAYS),
          .KERNELS(KERNELS)
      ) blame (
          .access_valid(answered),
          .access_kid(stacks_done_kid),
          .access_again(stacks_done_again),
          .above(stacks_done_above),
          .miss(miss),
          .contention(contention),
          .sixths(parts)
      );
    end
  endgenerate

  wire due_miss;
  wire [KID_W-1:0] due_victim;
  wire [KERNELS*PART_W-1:0] due;
  ref_delay #(
      .WIDTH(1 + KID_W + KERNELS * PART_W),
      .STAGES(1)
  ) pipeline (
      .clock(clock),
      .reset(reset),
      .now({miss, stacks_done_kid, parts}),
      .late({due_miss, due_victim, due})
  );

  reg [1:0] from;
  always @(posedge clock) from <= reset ? 2'd0 : read_from;
  wire [CNT_W-1:0] share;
  wire share_overflow;
  wire [4*CNT_W-1:0] event_count;
  wire [3:0] event_overflow;
  assign event_count[0+:CNT_W] = share;
  assign event_overflow[0] = share_overflow;
  assign read_count = event_count[from*CNT_W+:CNT_W];
  assign read_overflow = event_overflow[from];

  // A row of the shares is an aggressor.
  ref_counter_matrix #(
      .KERNELS(KERNELS),
      .INC_W(PART_W),
      .CNT_W(CNT_W)
  ) shares (
      .clock(clock),
      .reset(reset),
      .inc_valid(due_miss),
      .inc_kid(due_victim),
      .inc(due),
      .snapshot(snapshot),
      .read_victim(read_aggressor),
      .read_aggressor(read_victim),
      .read_live(read_live),
      .read_count(share),
      .read_overflow(share_overflow),
      .overflow(overflow),
      .sequence_number(sequence_number)
  );

  // Accesses taken, dropped, and to lines of others.
  wire [2:0] happened = {stacks_done_shared, lost, arrives && !lost};
  generate
    for (g = 0; g < 3; g = g + 1) begin : event_of
      ref_counter_matrix #(
          .KERNELS(1),
          .INC_W(1),
          .CNT_W(CNT_W)
      ) counter (
          .clock(clock),
          .reset(reset),
          .inc_valid(1'b1),
          .inc_kid(1'b0),
          .inc(happened[g]),
          .snapshot(snapshot),
          .read_victim(1'b0),
          .read_aggressor(1'b0),
          .read_live(read_live),
          .read_count(event_count[(g+1)*CNT_W+:CNT_W]),
          .read_overflow(event_overflow[g+1]),
          .overflow(overflow_events[g]),
          .sequence_number()
      );
    end
  endgenerate
endmodule
