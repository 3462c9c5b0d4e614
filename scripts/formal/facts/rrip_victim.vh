// rrip: what the search for a victim finds, and what an access changes.
//
// `ends`: after `ageings` ageings, at most 2^n - 1, a line of a full set has the highest RRPV, and no
// line would have passed it: before them none had it. A set with an invalid way does not age.
// `oldest`: the victim is an invalid way, or a line that has the highest RRPV then.
// `favoured`: a preferred line goes before one that is not.
// `lowest`: no lower way is as good.
// `ordered`: of two lines of which neither is hit or replaced the older one stays the older one, and
// equal ones stay equal.
// `touched`: a hit sets its line to 0 if it promotes, and leaves all others; a miss inserts the new
// line; without an access nothing changes.
localparam HIGHEST = (1 << RRPV_W) - 1;
localparam ENDS_FACTS = WAYS + 2, OLDEST_FACTS = WAYS + 2, FAVOURED_FACTS = WAYS;
localparam LOWEST_FACTS = WAYS, ORDERED_FACTS = WAYS * WAYS, TOUCHED_FACTS = WAYS;

wire full = &valid;
wire hits = access_valid && access_hit, misses = access_valid && !access_hit;
wire [WAYS-1:0] is_victim, replaceable, within, eligible, chosen, spared, favoured, lowest, touched;
wire [WAYS*WAYS-1:0] ordered;
wire victim_preferred = |(is_victim & preferred);
generate
  for (i = 0; i < WAYS; i = i + 1) begin : of_way
    wire [RRPV_W-1:0] was = rrpv[i*RRPV_W+:RRPV_W], is = next_rrpv[i*RRPV_W+:RRPV_W];
    wire [RRPV_W:0] aged = was + ageings;
    wire hit = hits && access_way == i;
    assign is_victim[i] = victim_way == i;
    assign within[i] = !full || aged <= HIGHEST;
    assign replaceable[i] = full && aged == HIGHEST;
    assign chosen[i] = !is_victim[i] || (full ? replaceable[i] : !valid[i]);
    assign favoured[i] = !(replaceable[i] && preferred[i]) || victim_preferred;
    assign eligible[i] = full ? replaceable[i] && (preferred[i] || !victim_preferred) : !valid[i];
    assign lowest[i] = !eligible[i] || victim_way <= i;
    assign spared[i] = !hit && !(misses && is_victim[i]);
    assign touched[i] = hit ? is == (promote ? 0 : was)
        : misses && is_victim[i] ? is == HIGHEST - !insert_distant : misses || is == was;
    for (j = 0; j < WAYS; j = j + 1) begin : beside
      if (j < i) begin : pair
        wire [RRPV_W-1:0] other = rrpv[j*RRPV_W+:RRPV_W], becomes = next_rrpv[j*RRPV_W+:RRPV_W];
        assign ordered[i*WAYS+j] = !spared[i] || !spared[j]
            || (was < other) == (is < becomes) && (was == other) == (is == becomes);
      end else assign ordered[i*WAYS+j] = 1;
    end
  end
endgenerate
wire [ENDS_FACTS-1:0] ends = {within, !full || |replaceable, full || ageings == 0};
wire [OLDEST_FACTS-1:0] oldest = {chosen, victim_way < WAYS, victim_valid == full};
