// A directory of a cache that applications share: of each set a list of lines, the one used last first,
// from which the policy of the cycle takes the line that a miss replaces.
// Source: TAP, sections 3.1, 3.3 and 3.4. What the paper leaves open, as the spec decides: invalid ways
// are filled first; the order of uses is kept under each policy; without RRIP a used line has the RRPV
// 0; sampled cores keep their policies. An access changes its set in the next cycle, and is told in the
// one after that; after reset SETS cycles pass in which nothing is taken.
module ref_managed_directory #(
    parameter WAYS = 2,
    parameter SETS = 4,
    parameter APPLICATIONS = 2,
    parameter LEADERS = 1,
    parameter TAG_W = 2,
    parameter RRPV_W = 1,
    parameter PSEL_W = 2,
    parameter SEED = 1,
    parameter SET_W = $clog2(SETS),
    parameter WAY_W = WAYS > 2 ? $clog2(WAYS) : 1,
    parameter POS_W = $clog2(WAYS + 1),
    parameter APP_W = APPLICATIONS > 2 ? $clog2(APPLICATIONS) : 1,
    parameter LINES = SETS * WAYS
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire access_invalidate,
    input wire [SET_W-1:0] access_set,
    input wire [TAG_W-1:0] access_tag,
    input wire [APP_W-1:0] access_app,
    input wire access_pol1,
    input wire access_pol2,
    input wire [1:0] policy,
    input wire [APPLICATIONS*POS_W-1:0] quota,
    input wire [APPLICATIONS-1:0] rrip_mask,
    output wire ready,
    output reg done_valid,
    output reg [APP_W-1:0] done_app,
    output reg done_hit,
    output reg done_fill,
    output reg [WAY_W-1:0] done_way,
    output reg done_evict,
    output reg [APP_W-1:0] done_owner,
    output wire [APPLICATIONS*PSEL_W-1:0] psel
);
  // Set by set the lines in the order of their last uses.
  reg [LINES*WAY_W-1:0] ways;
  reg [LINES*APP_W-1:0] owners;
  reg [LINES*TAG_W-1:0] tags;
  reg [LINES*RRPV_W-1:0] rrpvs;
  reg [LINES-1:0] valids;

  // Cycles until accesses are taken.
  reg [SET_W:0] left;
  assign ready = left == 0;

  // The access of the cycle before.
  reg asked, gone, pol1, pol2;
  reg [SET_W-1:0] set;
  reg [TAG_W-1:0] tag;
  reg [APP_W-1:0] app;

  // Its set, and the same by way.
  reg [WAYS*WAY_W-1:0] way;
  reg [WAYS*APP_W-1:0] owner;
  reg [WAYS*TAG_W-1:0] held;
  reg [WAYS*RRPV_W-1:0] rrpv;
  reg [WAYS-1:0] valid;
  reg [WAYS*RRPV_W-1:0] rrpv_of;
  reg [WAYS-1:0] valid_of, preferred_of;
  reg hit;
  reg [WAY_W-1:0] at, way_hit;
  wire rrip = policy >= 2;
  wire quotas = policy == 1;
  wire [APPLICATIONS-1:0] preferred;
  integer s, p, w, a;
  always @* begin
    way = 0;
    owner = 0;
    held = 0;
    rrpv = 0;
    valid = 0;
    for (s = 0; s < SETS; s = s + 1)
      if (set == s) begin
        way = ways[s*WAYS*WAY_W+:WAYS*WAY_W];
        owner = owners[s*WAYS*APP_W+:WAYS*APP_W];
        held = tags[s*WAYS*TAG_W+:WAYS*TAG_W];
        rrpv = rrpvs[s*WAYS*RRPV_W+:WAYS*RRPV_W];
        valid = valids[s*WAYS+:WAYS];
      end
    rrpv_of = 0;
    valid_of = 0;
    preferred_of = 0;
    hit = 0;
    at = 0;
    way_hit = 0;
    for (p = 0; p < WAYS; p = p + 1) begin
      if (valid[p] && held[p*TAG_W+:TAG_W] == tag) begin
        hit = 1;
        at = p;
        way_hit = way[p*WAY_W+:WAY_W];
      end
      for (w = 0; w < WAYS; w = w + 1)
        if (way[p*WAY_W+:WAY_W] == w) begin
          rrpv_of[w*RRPV_W+:RRPV_W] = rrpv[p*RRPV_W+:RRPV_W];
          valid_of[w] = valid[p];
          for (a = 0; a < APPLICATIONS; a = a + 1)
            if (owner[p*APP_W+:APP_W] == a) preferred_of[w] = preferred[a];
        end
    end
  end

  wire insert_distant, promote, full_by_quotas, full_by_rrip, brrip;
  wire [WAY_W-1:0] at_by_quotas, way_by_quotas, way_by_rrip;
  wire [APP_W-1:0] owner_by_quotas;
  wire [RRPV_W-1:0] ageings;
  wire [WAYS*RRPV_W-1:0] next_rrpv;
  ref_drrip #(
      .SETS(SETS),
      .APPLICATIONS(APPLICATIONS),
      .LEADERS(LEADERS),
      .PSEL_W(PSEL_W),
      .SEED(SEED)
  ) drrip (
      .clock(clock),
      .reset(reset),
      .access_valid(asked && !gone && rrip),
      .access_hit(hit),
      .access_set(set),
      .access_app(app),
      .rrip_mask(rrip_mask),
      .brrip(brrip),
      .insert_distant(insert_distant),
      .promote(promote),
      .preferred(preferred),
      .psel(psel)
  );
  ref_quota_victim #(
      .WAYS(WAYS),
      .APPLICATIONS(APPLICATIONS)
  ) by_quotas (
      .requester(app),
      .stack_way(way),
      .stack_owner(owner),
      .stack_valid(valid),
      .quota(quota),
      .victim_position(at_by_quotas),
      .victim_way(way_by_quotas),
      .victim_owner(owner_by_quotas),
      .victim_valid(full_by_quotas)
  );
  ref_rrip #(
      .WAYS(WAYS),
      .RRPV_W(RRPV_W)
  ) by_rrip (
      .rrpv(rrpv_of),
      .valid(valid_of),
      .preferred(preferred_of),
      .access_valid(asked && !gone && rrip),
      .access_hit(hit),
      .access_way(way_hit),
      .promote(promote || pol1 || pol2),
      .insert_distant(insert_distant || pol1),
      .victim_way(way_by_rrip),
      .victim_valid(full_by_rrip),
      .ageings(ageings),
      .next_rrpv(next_rrpv)
  );

  // The line that is used, and the set after that.
  reg [WAY_W-1:0] chosen, moved_way;
  reg [APP_W-1:0] moved_owner;
  reg [TAG_W-1:0] moved_tag;
  reg [RRPV_W-1:0] moved_rrpv;
  reg uses, leaves;
  reg [WAYS*WAY_W-1:0] new_way;
  reg [WAYS*APP_W-1:0] new_owner;
  reg [WAYS*TAG_W-1:0] new_tag;
  reg [WAYS*RRPV_W-1:0] aged, new_rrpv;
  reg [WAYS-1:0] new_valid;
  always @* begin
    uses = asked && !gone && (hit || !(quotas && pol1));
    leaves = asked && gone && hit;
    chosen = WAYS - 1;
    if (quotas) chosen = at_by_quotas;
    if (rrip) for (p = 0; p < WAYS; p = p + 1) if (way[p*WAY_W+:WAY_W] == way_by_rrip) chosen = p;
    if (hit) chosen = at;
    aged = rrpv;
    if (rrip)
      for (p = 0; p < WAYS; p = p + 1)
        for (w = 0; w < WAYS; w = w + 1)
          if (way[p*WAY_W+:WAY_W] == w) aged[p*RRPV_W+:RRPV_W] = next_rrpv[w*RRPV_W+:RRPV_W];
    moved_way = 0;
    moved_owner = 0;
    moved_tag = 0;
    moved_rrpv = 0;
    for (p = 0; p < WAYS; p = p + 1)
      if (chosen == p) begin
        moved_way = way[p*WAY_W+:WAY_W];
        moved_owner = owner[p*APP_W+:APP_W];
        moved_tag = held[p*TAG_W+:TAG_W];
        moved_rrpv = aged[p*RRPV_W+:RRPV_W];
      end
    new_way = way;
    new_owner = owner;
    new_tag = held;
    new_rrpv = aged;
    new_valid = valid;
    if (uses) begin
      for (p = WAYS - 1; p > 0; p = p - 1)
        if (p <= chosen) begin
          new_way[p*WAY_W+:WAY_W] = way[(p-1)*WAY_W+:WAY_W];
          new_owner[p*APP_W+:APP_W] = owner[(p-1)*APP_W+:APP_W];
          new_tag[p*TAG_W+:TAG_W] = held[(p-1)*TAG_W+:TAG_W];
          new_rrpv[p*RRPV_W+:RRPV_W] = aged[(p-1)*RRPV_W+:RRPV_W];
          new_valid[p] = valid[p-1];
        end
      new_way[0+:WAY_W] = moved_way;
      new_owner[0+:APP_W] = app;
      new_tag[0+:TAG_W] = tag;
      new_rrpv[0+:RRPV_W] = !rrip || pol2 && !hit ? 0 : moved_rrpv;
      new_valid[0] = 1;
    end
    if (leaves) begin
      for (p = 0; p < WAYS - 1; p = p + 1)
        if (p >= chosen) begin
          new_way[p*WAY_W+:WAY_W] = way[(p+1)*WAY_W+:WAY_W];
          new_owner[p*APP_W+:APP_W] = owner[(p+1)*APP_W+:APP_W];
          new_tag[p*TAG_W+:TAG_W] = held[(p+1)*TAG_W+:TAG_W];
          new_rrpv[p*RRPV_W+:RRPV_W] = rrpv[(p+1)*RRPV_W+:RRPV_W];
          new_valid[p] = valid[p+1];
        end
      new_way[(WAYS-1)*WAY_W+:WAY_W] = moved_way;
      new_owner[(WAYS-1)*APP_W+:APP_W] = moved_owner;
      new_tag[(WAYS-1)*TAG_W+:TAG_W] = moved_tag;
      for (p = 0; p < WAYS; p = p + 1)
        if (chosen == p) new_rrpv[(WAYS-1)*RRPV_W+:RRPV_W] = rrpv[p*RRPV_W+:RRPV_W];
      new_valid[WAYS-1] = 0;
    end
  end

  integer c;
  always @(posedge clock)
    if (reset) begin
      for (c = 0; c < LINES; c = c + 1) ways[c*WAY_W+:WAY_W] <= c % WAYS;
      owners <= 0;
      tags <= 0;
      rrpvs <= 0;
      valids <= 0;
      left <= SETS;
      asked <= 0;
      gone <= 0;
      set <= 0;
      tag <= 0;
      app <= 0;
      pol1 <= 0;
      pol2 <= 0;
      done_valid <= 0;
      done_app <= 0;
      done_hit <= 0;
      done_fill <= 0;
      done_way <= 0;
      done_evict <= 0;
      done_owner <= 0;
    end else begin
      if (left != 0) left <= left - 1'b1;
      asked <= access_valid && ready;
      gone <= access_invalidate;
      set <= access_set;
      tag <= access_tag;
      app <= access_app;
      pol1 <= access_pol1;
      pol2 <= access_pol2;
      done_valid <= asked && !gone;
      done_app <= asked && !gone ? app : 0;
      done_hit <= asked && !gone && hit;
      done_fill <= uses && !hit;
      done_way <= uses ? moved_way : 0;
      done_evict <= uses && !hit && &valid;
      done_owner <= uses && (hit || &valid) ? moved_owner : 0;
      for (c = 0; c < SETS; c = c + 1)
        if (set == c && (uses || leaves)) begin
          ways[c*WAYS*WAY_W+:WAYS*WAY_W] <= new_way;
          owners[c*WAYS*APP_W+:WAYS*APP_W] <= new_owner;
          tags[c*WAYS*TAG_W+:WAYS*TAG_W] <= new_tag;
          rrpvs[c*WAYS*RRPV_W+:WAYS*RRPV_W] <= new_rrpv;
          valids[c*WAYS+:WAYS] <= new_valid;
        end
    end
endmodule
