// Core sampling: counters of retired instructions, and what two of them say. Caching does not help if
// the slower of the two sampled cores has retired more than 19 of 20 of the other's instructions.
// Source: TAP, section 3.1. What the paper leaves open, as the spec decides: exactly 5 % is friendly,
// nothing retired leaves the decision, counters stop at their limit.
module ref_core_sampling #(
    parameter CORES = 6,
    parameter TILES = 4,
    parameter ID_W = 5,
    parameter RETIRED_W = 2,
    parameter CNT_W = 20,
    parameter ROTATE = 0
) (
    input wire clock,
    input wire reset,
    input wire [CORES*RETIRED_W-1:0] retired,
    input wire period,
    input wire sample,
    input wire choose,
    input wire [ID_W-1:0] choose_pol1,
    input wire [ID_W-1:0] choose_pol2,
    input wire [TILES-1:0] access_gpu,
    input wire [TILES*ID_W-1:0] access_core,
    output reg insensitive,
    output reg [TILES-1:0] pol1,
    output reg [TILES-1:0] pol2
);
  localparam [CNT_W-1:0] MOST = {CNT_W{1'b1}};

  (* mem2reg *) reg [CNT_W-1:0] count[0:CORES-1];
  reg [ID_W-1:0] first, second;
  reg sampling;

  integer t;
  always @* begin
    pol1 = 0;
    pol2 = 0;
    for (t = 0; t < TILES; t = t + 1)
      if (sampling && access_gpu[t]) begin
        if (access_core[t*ID_W+:ID_W] == first) pol1[t] = 1;
        if (access_core[t*ID_W+:ID_W] == second) pol2[t] = 1;
      end
  end

  // Blocking assignments: the decision comes before counters and ids change.
  reg [CNT_W-1:0] a, b;
  reg [CNT_W+5:0] faster, slower;
  reg [CNT_W:0] sum;
  integer c;
  always @(posedge clock)
    if (reset) begin
      for (c = 0; c < CORES; c = c + 1) count[c] = 0;
      first = 0;
      second = 1;
      sampling = 1;
      insensitive = 0;
    end else begin
      if (period) begin
        a = 0;
        b = 0;
        for (c = 0; c < CORES; c = c + 1) begin
          if (first == c) a = count[c];
          if (second == c) b = count[c];
        end
        faster = a > b ? a : b;
        slower = a > b ? b : a;
        if (!sampling) insensitive = 0;
        else if (faster != 0) insensitive = slower * 20 > faster * 19;
        if (choose) begin
          first = choose_pol1;
          second = choose_pol2;
        end else if (ROTATE != 0 && sampling) begin
          first = (first + 1) % CORES;
          second = (second + 1) % CORES;
        end
        sampling = sample;
        for (c = 0; c < CORES; c = c + 1) count[c] = 0;
      end
      for (c = 0; c < CORES; c = c + 1) begin
        sum = {1'b0, count[c]} + retired[c*RETIRED_W+:RETIRED_W];
        count[c] = sum > MOST ? MOST : sum[CNT_W-1:0];
      end
    end
endmodule
