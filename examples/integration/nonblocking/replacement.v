// replacement: which way of a set is replaced, and its replacement bits afterwards.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Combinational. POLICY 0, LRU: every way has an age, 0 the most recently used and
// WAYS - 1 the least; the oldest way is replaced, and an invalidated way becomes
// the oldest, so that invalid ways are filled before valid ones. POLICY 1, tree
// pseudo-LRU: WAYS - 1 bits, each of which points to the half of its ways that was
// used longer ago; an invalid way is filled first, the lowest of them.
`default_nettype none

module replacement #(
    // A power of two, two or more.
    parameter WAYS = 4,
    // 0 LRU, 1 tree pseudo-LRU.
    parameter POLICY = 0,
    // Derived.
    parameter WAY_W = $clog2(WAYS),
    parameter STATE_W = POLICY == 0 ? WAYS * WAY_W : WAYS - 1
) (
    // The set as it is.
    input wire [WAYS-1:0] valid,
    input wire [STATE_W-1:0] state,
    // The way to fill.
    output reg [WAY_W-1:0] victim,
    // Of an empty set.
    output wire [STATE_W-1:0] state_empty,
    // After way was used, or, with invalidates high, invalidated.
    input wire invalidates,
    input wire [WAY_W-1:0] way,
    output reg [STATE_W-1:0] state_next
);
  generate
    if (POLICY == 0) begin : lru
      localparam [31:0] LAST = WAYS - 1;
      localparam [WAY_W-1:0] OLDEST = LAST[WAY_W-1:0];
      wire unused = &{1'b0, valid};

      integer w;
      always @* begin
        victim = 0;
        for (w = 0; w < WAYS; w = w + 1)
          if (state[w*WAY_W +: WAY_W] == OLDEST)
            victim = w[WAY_W-1:0];
      end

      integer v;
      reg [WAY_W-1:0] was;
      always @* begin
        state_next = state;
        was = state[way*WAY_W +: WAY_W];
        for (v = 0; v < WAYS; v = v + 1)
          if (v[WAY_W-1:0] == way)
            state_next[v*WAY_W +: WAY_W] = invalidates ? OLDEST : {WAY_W{1'b0}};
          else if (!invalidates & (state[v*WAY_W +: WAY_W] < was))
            state_next[v*WAY_W +: WAY_W] = state[v*WAY_W +: WAY_W] + 1'b1;
          else if (invalidates & (state[v*WAY_W +: WAY_W] > was))
            state_next[v*WAY_W +: WAY_W] = state[v*WAY_W +: WAY_W] - 1'b1;
      end

      genvar i;
      for (i = 0; i < WAYS; i = i + 1) begin : age
        localparam [31:0] AGE = i;
        assign state_empty[i*WAY_W +: WAY_W] = AGE[WAY_W-1:0];
      end
    end else begin : tree
      // Node n has the nodes 2n and 2n + 1 below it; the leaves WAYS to 2 WAYS - 1
      // are the ways. Bit n - 1 of the state is of node n: 1 points to 2n + 1.
      integer w, k, level, node;
      reg upper;
      always @* begin
        node = 1;
        for (level = 0; level < WAY_W; level = level + 1) begin
          upper = 1'b0;
          for (k = 1; k < WAYS; k = k + 1)
            if (k == node)
              upper = state[k-1];
          node = 2 * node + {31'b0, upper};
        end
        node = node - WAYS;
        victim = node[WAY_W-1:0];
        for (w = WAYS - 1; w >= 0; w = w - 1)
          if (!valid[w])
            victim = w[WAY_W-1:0];
      end

      // From the way used, each node above it points to the other side.
      integer leaf, step, n;
      always @* begin
        state_next = state;
        leaf = WAYS + {{32-WAY_W{1'b0}}, way};
        for (step = 0; step < WAY_W; step = step + 1) begin
          for (n = 1; n < WAYS; n = n + 1)
            if (!invalidates & (n == leaf / 2))
              state_next[n-1] = !leaf[0];
          leaf = leaf / 2;
        end
      end

      assign state_empty = {STATE_W{1'b0}};
    end
  endgenerate
endmodule
`default_nettype wire
