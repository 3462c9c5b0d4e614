// UCP's utility monitor: where in the LRU stack of its set a line is that comes back, counted.
// Source: TAP, section 3.3. What the paper leaves open, as the spec decides: every STRIDE-th set is
// sampled; misses have a counter, too; after reset SAMPLED cycles pass in which nothing is taken.
// An access is in its stack and in its counter two cycles later. A counter stays at its limit and
// is marked; a snapshot hands counters and marks to the reader and starts a new period, of which
// an access that is counted in that cycle is the first.
// Counters have one bit more, and where that is set it stays: what is read is then the limit.
module ref_umon #(
    parameter WAYS = 4,
    parameter SETS = 16,
    parameter SAMPLED = 4,
    parameter TAG_W = 31,
    parameter CNT_W = 21,
    parameter SET_W = $clog2(SETS),
    parameter POS_W = $clog2(WAYS + 1)
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire [SET_W-1:0] access_set,
    input wire [TAG_W-1:0] access_tag,
    input wire snapshot,
    input wire [POS_W-1:0] read_position,
    input wire read_live,
    output wire ready,
    output wire [CNT_W-1:0] read_count,
    output reg [WAYS:0] overflow,
    output reg [7:0] sequence_number
);
  localparam STRIDE = SETS / SAMPLED;
  localparam [CNT_W-1:0] LIMIT = {CNT_W{1'b1}};

  // Stack by stack the tags from MRU to LRU, and how many there are.
  (* mem2reg *) reg [TAG_W-1:0] tag[0:SAMPLED*WAYS-1];
  (* mem2reg *) reg [POS_W-1:0] lines[0:SAMPLED-1];

  // By position, then misses.
  (* mem2reg *) reg [CNT_W:0] count[0:WAYS];
  (* mem2reg *) reg [CNT_W:0] shadow[0:WAYS];

  // Cycles until accesses are taken.
  reg [$clog2(SAMPLED+1)-1:0] left;
  assign ready = left == 0;

  // The access of the cycle before, if its set is sampled.
  reg asked;
  reg [$clog2(SAMPLED)-1:0] stack;
  reg [TAG_W-1:0] wanted;

  // The counter that is read, as stored.
  reg [CNT_W:0] answer;
  assign read_count = answer[CNT_W] ? LIMIT : answer[CNT_W-1:0];

  // Blocking assignments: what a line reads is what the lines above it have left.
  reg [CNT_W:0] sum;
  integer at;
  integer s;
  integer p;
  always @(posedge clock) begin
    answer = 0;
    for (p = 0; p <= WAYS; p = p + 1)
      if (p == read_position) answer = read_live ? count[p] : shadow[p];
    if (snapshot) begin
      for (p = 0; p <= WAYS; p = p + 1) begin
        overflow[p] = count[p][CNT_W];
        shadow[p] = count[p];
        count[p] = 0;
      end
      sequence_number = sequence_number + 1'b1;
    end
    for (s = 0; s < SAMPLED; s = s + 1)
      if (asked && stack == s) begin
        at = WAYS;
        for (p = 0; p < WAYS; p = p + 1)
          if (p < lines[s] && tag[s*WAYS+p] == wanted) at = p;
        if (at == WAYS && lines[s] < WAYS) lines[s] = lines[s] + 1'b1;
        for (p = WAYS - 1; p > 0; p = p - 1) if (p <= at) tag[s*WAYS+p] = tag[s*WAYS+p-1];
        tag[s*WAYS] = wanted;
        for (p = 0; p <= WAYS; p = p + 1)
          if (p == at) begin
            sum = count[p][CNT_W-1:0] + 1'b1;
            count[p] = sum | {count[p][CNT_W], {CNT_W{1'b0}}};
          end
      end
    asked = access_valid && ready && access_set % STRIDE == 0;
    stack = access_set / STRIDE;
    wanted = access_tag;
    if (!ready) left = left - 1'b1;
    if (reset) begin
      for (s = 0; s < SAMPLED; s = s + 1) lines[s] = 0;
      for (p = 0; p <= WAYS; p = p + 1) begin
        count[p] = 0;
        shadow[p] = 0;
      end
      overflow = 0;
      sequence_number = 0;
      answer = 0;
      asked = 0;
      left = SAMPLED;
    end
  end
endmodule
