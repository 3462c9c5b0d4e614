// managed_directory and its reference, which has a list of lines for each set: between accesses the
// RAMs hold the reference's lists, and an access has read what they hold.
// Inside the unit: the `words` of replacement bits and the words of `tags_of`, way by way; what has been
// read of both; the flops of an access that has read its set. Of the reference its lists and its access.
localparam APP_W = APPLICATIONS > 2 ? $clog2(APPLICATIONS) : 1, SET_W = $clog2(SETS);
localparam LINES = SETS * WAYS, WORD_W = WAYS * (WAY_W + APP_W + RRPV_W + 1);
localparam OWNERS_AT = WAYS * WAY_W, RRPVS_AT = OWNERS_AT + WAYS * APP_W;
localparam VALIDS_AT = RRPVS_AT + WAYS * RRPV_W;

// `listed`: unless it is still to be cleared, a word has the ways, owners and valid bits of the list,
// and for each way in it its RRPV; and the RAM of the way its tag.
// `ordered`: a list has each way and each line once, owners that there are, and lines before invalid
// ways.
// `blank`: while the sets are being cleared all lists are those of a cleared set.
// `read`: what has been read or forwarded is what is in the set of the access.
// `asked`: the access, the sweep and the draws are the reference's.
// `told`: so is what has been done, and the selectors are.
localparam LISTED_FACTS = 5 * LINES, ORDERED_FACTS = (WAYS + 2) * LINES;
localparam BLANK_FACTS = LINES, READ_FACTS = 1 + WAYS, ASKED_FACTS = 11, TOLD_FACTS = 8;
wire [LISTED_FACTS-1:0] listed;
wire [ORDERED_FACTS-1:0] ordered;
wire [BLANK_FACTS-1:0] blank;
wire [READ_FACTS-1:0] read;
generate
  for (i = 0; i < LINES; i = i + 1) begin : line
    localparam S = i / WAYS, P = i % WAYS;
    wire [WORD_W-1:0] word = words[S*WORD_W+:WORD_W];
    wire [WAY_W-1:0] way = ref_ways[i*WAY_W+:WAY_W];
    wire [APP_W-1:0] owner = ref_owners[i*APP_W+:APP_W];
    wire uncleared = sweeping && sweep_set <= S;
    wire [WAYS-1:0] rrpv_same, tag_same, apart;
    for (j = 0; j < WAYS; j = j + 1) begin : other
      assign rrpv_same[j] = way != j
          || word[RRPVS_AT+j*RRPV_W+:RRPV_W] == ref_rrpvs[i*RRPV_W+:RRPV_W];
      assign tag_same[j] = way != j
          || tags_of[(j*SETS+S)*TAG_W+:TAG_W] == ref_tags[i*TAG_W+:TAG_W];
      assign apart[j] = j == P ? way < WAYS : way != ref_ways[(S*WAYS+j)*WAY_W+:WAY_W]
          && !(ref_valids[i] && ref_valids[S*WAYS+j]
              && ref_tags[i*TAG_W+:TAG_W] == ref_tags[(S*WAYS+j)*TAG_W+:TAG_W]);
    end
    assign listed[i*5+:5] = {5{uncleared}} | {
      &tag_same,
      &rrpv_same,
      word[VALIDS_AT+P] == ref_valids[i],
      word[OWNERS_AT+P*APP_W+:APP_W] == owner,
      word[P*WAY_W+:WAY_W] == way
    };
    assign ordered[i*(WAYS+2)+:WAYS+2] = {
      owner < APPLICATIONS, P == 0 || !ref_valids[i] || ref_valids[P == 0 ? i : i-1], apart
    };
    assign blank[i] = !sweeping || way == P && owner == 0 && !ref_valids[i]
        && ref_tags[i*TAG_W+:TAG_W] == 0 && ref_rrpvs[i*RRPV_W+:RRPV_W] == 0;
  end
  for (i = 0; i < WAYS; i = i + 1) begin : tag_read
    wire [SETS*TAG_W-1:0] there = tags_of[i*SETS*TAG_W+:SETS*TAG_W] >> lookup_set * TAG_W;
    assign read[1+i] = !lookup_valid
        || (stale[i] ? written_tag : tags_read[i*TAG_W+:TAG_W]) == there[TAG_W-1:0];
  end
endgenerate
wire [SETS*WORD_W-1:0] word_there = words >> lookup_set * WORD_W;
assign read[0] = !lookup_valid || (forward ? written_word : word_read) == word_there[WORD_W-1:0];
wire [ASKED_FACTS-1:0] asked = {
  lookup_app < APPLICATIONS,
  !lookup_valid || !sweeping,
  sweeping || sweep_set == 0,
  ref_left == (sweeping ? SETS - sweep_set : 0),
  lfsr == ref_lfsr,
  !lookup_valid || {lookup_pol1, lookup_pol2} == {ref_pol1, ref_pol2} && !(lookup_pol1 && lookup_pol2),
  !lookup_valid || lookup_app == ref_app,
  !lookup_valid || lookup_tag == ref_tag,
  !lookup_valid || lookup_set == ref_set,
  !lookup_valid || lookup_invalidate == ref_gone,
  lookup_valid == ref_asked
};
wire [TOLD_FACTS-1:0] told = {
  psel == ref_psel,
  done_owner == ref_done_owner,
  done_evict == ref_done_evict,
  done_way == ref_done_way,
  done_fill == ref_done_fill,
  done_hit == ref_done_hit,
  done_app == ref_done_app,
  done_valid == ref_done_valid
};
