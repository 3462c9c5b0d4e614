// Shadow stacks: how many lines of each kernel were used since a kernel's last use of a line.
// Source: docs/attribution.md. A stack changes at once when an access is taken; the answer comes
// when so many places have been looked at, LANES per cycle, as are needed to find a line of the
// kernel's own, or all.
module ref_shadow_stack #(
    parameter WAYS = 2,
    parameter KERNELS = 2,
    parameter STACKS = 2,
    parameter TAG_W = 2,
    parameter LANES = 1,
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1,
    parameter POS_W = $clog2(WAYS + 1),
    parameter STACK_W = $clog2(STACKS),
    parameter ROWS = (WAYS * KERNELS + LANES - 1) / LANES,
    parameter PLACES = ROWS * LANES,
    parameter WORDS = 1 << STACK_W + $clog2(ROWS)
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire [STACK_W-1:0] access_stack,
    input wire [TAG_W-1:0] access_tag,
    input wire [KID_W-1:0] access_kid,
    output wire ready,
    output reg done,
    output reg [KID_W-1:0] done_kid,
    output reg done_again,
    output reg done_shared,
    output reg [KERNELS*POS_W-1:0] done_above,
    output wire [STACKS*PLACES-1:0] ref_held,
    output wire [STACKS*PLACES*KID_W-1:0] ref_kids,
    output wire [STACKS*PLACES*TAG_W-1:0] ref_tags,
    output wire [$clog2(WORDS+1)-1:0] ref_left,
    output wire ref_asked,
    output wire [KID_W-1:0] ref_asker,
    output wire ref_again,
    output wire ref_shared,
    output wire [KERNELS*POS_W-1:0] ref_above
);
  // Stack by stack the places from the most recently used one.
  (* mem2reg *) reg held[0:STACKS*PLACES-1];
  (* mem2reg *) reg [KID_W-1:0] kid[0:STACKS*PLACES-1];
  (* mem2reg *) reg [TAG_W-1:0] tag[0:STACKS*PLACES-1];

  // Cycles until an access is taken, and the answer that comes then.
  reg [$clog2(WORDS+1)-1:0] left;
  reg asked;
  reg [KID_W-1:0] asker;
  reg again;
  reg shared;
  reg [KERNELS*POS_W-1:0] above;
  assign ready = left == 0;

  // For facts.
  assign ref_left = left;
  assign ref_asked = asked;
  assign ref_asker = asker;
  assign ref_again = again;
  assign ref_shared = shared;
  assign ref_above = above;
  genvar g;
  generate
    for (g = 0; g < STACKS * PLACES; g = g + 1) begin : listed
      assign ref_held[g] = held[g];
      assign ref_kids[g*KID_W+:KID_W] = kid[g];
      assign ref_tags[g*TAG_W+:TAG_W] = tag[g];
    end
  endgenerate

  integer found;
  integer leaving;
  integer own;
  integer free;
  integer s;
  integer p;
  integer k;
  always @(posedge clock) begin
    done = 0;
    done_kid = 0;
    done_again = 0;
    done_shared = 0;
    done_above = 0;
    if (left != 0) begin
      left = left - 1'b1;
      if (left == 0 && asked) begin
        done = 1;
        done_kid = asker;
        done_again = again;
        done_shared = shared;
        done_above = above;
        asked = 0;
      end
    end else if (access_valid) begin
      asked = 1;
      asker = access_kid;
      again = 0;
      shared = 0;
      above = 0;
      left = ROWS;
      for (s = 0; s < STACKS; s = s + 1)
        if (access_stack == s) begin
          found = PLACES;
          for (p = 0; p < PLACES; p = p + 1)
            if (held[s*PLACES+p] && tag[s*PLACES+p] == access_tag) found = p;
          for (p = 0; p < PLACES; p = p + 1)
            for (k = 0; k < KERNELS; k = k + 1)
              if (p < found && held[s*PLACES+p] && kid[s*PLACES+p] == k)
                above[k*POS_W+:POS_W] = above[k*POS_W+:POS_W] + 1'b1;
          for (p = 0; p < PLACES; p = p + 1)
            if (p == found) begin
              held[s*PLACES+p] = 0;
              if (kid[s*PLACES+p] == access_kid) begin
                again = 1;
                left = p / LANES + 1;
              end else shared = 1;
            end
          // The last line of a kernel that has as many others as there are ways.
          own = 0;
          for (p = 0; p < PLACES; p = p + 1)
            if (held[s*PLACES+p] && kid[s*PLACES+p] == access_kid) begin
              own = own + 1;
              if (own == WAYS) held[s*PLACES+p] = 0;
            end
          free = PLACES;
          for (p = PLACES - 1; p >= 0; p = p - 1) if (!held[s*PLACES+p]) free = p;
          for (p = PLACES - 1; p > 0; p = p - 1)
            if (p <= free) begin
              held[s*PLACES+p] = held[s*PLACES+p-1];
              kid[s*PLACES+p] = kid[s*PLACES+p-1];
              tag[s*PLACES+p] = tag[s*PLACES+p-1];
            end
          held[s*PLACES] = 1;
          kid[s*PLACES] = access_kid;
          tag[s*PLACES] = access_tag;
        end
    end
    if (reset) begin
      for (p = 0; p < STACKS * PLACES; p = p + 1) held[p] = 0;
      left = WORDS;
      asked = 0;
      done = 0;
      done_kid = 0;
      done_again = 0;
      done_shared = 0;
      done_above = 0;
    end
  end
endmodule
