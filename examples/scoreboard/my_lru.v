// An LRU stack of two ways and two kernels, as someone else has written it. With MISTAKE a hit of the
// LRU way forgets its owner. SPDX-License-Identifier: MIT OR Apache-2.0

module my_lru (
  input clock, reset, access_valid, access_hit, access_way, access_kid,
  input invalidate_valid, invalidate_way, flush,
  output [1:0] hit_pos, stack_way, stack_owner, stack_valid,
  output victim_way, victim_owner, victim_valid
);
  reg mru;                  // the way in position 0
  reg [1:0] owner, valid;   // by position
  wire access_at = access_way ^ mru;
  wire invalidate_at = invalidate_way ^ mru;

  assign hit_pos = access_hit ? {1'b0, access_at} : 2'd2;
  assign stack_way = {~mru, mru};
  assign stack_owner = owner;
  assign stack_valid = valid;
  assign {victim_way, victim_owner, victim_valid} = {~mru, owner[1], valid[1]};

  always @(posedge clock)
    if (reset | flush) begin
      {mru, owner, valid} <= 0;
    end else if (invalidate_valid) begin
      if (invalidate_at) valid[1] <= 0;
      else begin
        mru <= ~mru;
        owner <= {owner[0], owner[1]};
        valid <= {1'b0, valid[1]};
      end
    end else if (access_valid) begin
      if (access_hit & ~access_at) owner[0] <= access_kid;
      else begin
        mru <= ~mru;
`ifdef MISTAKE
        owner <= {owner[0], access_hit ? owner[1] : access_kid};
`else
        owner <= {owner[0], access_kid};
`endif
        valid <= {valid[0], ~access_hit | valid[1]};
      end
    end
endmodule
