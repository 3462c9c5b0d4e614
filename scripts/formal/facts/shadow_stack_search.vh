// shadow_stack and its reference, which changes a stack at once when an access is taken: what is left
// of the search, done at once, brings each stack to the reference's, and the answer. Between searches
// a stack is the reference's list, the line used last in its first place.
// Inside the unit: the words of the stacks, `places`, stack by stack from the first place, what was
// read of them, `row_read`, and the flops of a search; of the reference its lists and its answer.
localparam POS_W = $clog2(WAYS + 1), STACK_W = $clog2(STACKS), LINE_W = TAG_W + KID_W + 1;
localparam ROWS = (WAYS * KERNELS + LANES - 1) / LANES, ROW_W = $clog2(ROWS);
localparam PLACES = ROWS * LANES, LISTS = STACKS * PLACES;
localparam WORDS = 1 << STACK_W + ROW_W;
localparam VALID = TAG_W + KID_W;

// The rest of the search at once: the lists that it leaves, the answer, and rows that it takes.
reg [LISTS*LINE_W-1:0] left_behind;
reg [POS_W-1:0] own_seen;
reg [KERNELS*POS_W-1:0] above_seen;
reg looking, found_own, found_other, has_ended, on_the_way;
reg [LINE_W-1:0] mover, here_now;
reg same_line, same_kernel, remains;
reg [ROW_W:0] rows_left;
integer s, p, k;
always @* begin
  left_behind = places;
  own_seen = own_above;
  above_seen = above;
  looking = searches;
  found_own = 0;
  found_other = shared;
  has_ended = 0;
  on_the_way = carries;
  mover = carried;
  rows_left = 0;
  here_now = 0;
  same_line = 0;
  same_kernel = 0;
  remains = 0;
  for (s = 0; s < STACKS; s = s + 1)
    if (busy && stack == s)
      for (p = 0; p < PLACES; p = p + 1)
        if (p / LANES >= row && !has_ended) begin
          here_now = places[(s*PLACES+p)*LINE_W+:LINE_W];
          same_line = here_now[VALID] && here_now[TAG_W-1:0] == tag;
          same_kernel = here_now[VALID] && !same_line && here_now[TAG_W+:KID_W] == kid;
          remains = here_now[VALID] && !same_line && !(same_kernel && own_seen == WAYS - 1);
          for (k = 0; k < KERNELS; k = k + 1)
            if (looking && here_now[VALID] && !same_line && here_now[TAG_W+:KID_W] == k)
              above_seen[k*POS_W+:POS_W] = above_seen[k*POS_W+:POS_W] + 1'b1;
          if (same_line) begin
            looking = 0;
            if (here_now[TAG_W+:KID_W] == kid) found_own = 1;
            else found_other = 1;
          end
          if (same_kernel) own_seen = own_seen + 1'b1;
          left_behind[(s*PLACES+p)*LINE_W+:LINE_W] = on_the_way ? mover : remains ? here_now : 0;
          mover = here_now;
          on_the_way = on_the_way && remains;
          if (p % LANES == LANES - 1) begin
            rows_left = rows_left + 1'b1;
            has_ended = found_own;
          end
        end
end

wire [LISTS-1:0] ref_held;
wire [LISTS*KID_W-1:0] ref_kids;
wire [LISTS*TAG_W-1:0] ref_tags;
wire [$clog2(WORDS+1)-1:0] ref_left;
wire ref_asked, ref_again, ref_shared;
wire [KID_W-1:0] ref_asker;
wire [KERNELS*POS_W-1:0] ref_above;

// What was read of a row is what is there.
localparam READ_FACTS = LANES;
wire [READ_FACTS-1:0] read;
// The lists are the reference's, when the search is done; while the stacks are cleared those that
// are cleared are empty.
localparam LISTED_FACTS = 2 * LISTS;
wire [LISTS-1:0] same_place, swept;
// At most WAYS lines of a kernel, of kernels that there are, and no line twice.
localparam MOST_FACTS = STACKS * KERNELS + LISTS;
localparam ONCE_FACTS = LISTS * PLACES;
reg [STACKS*KERNELS-1:0] not_more;
wire [LISTS-1:0] kernel_known;
wire [ONCE_FACTS-1:0] once;
integer count;
always @* begin
  for (s = 0; s < STACKS; s = s + 1)
    for (k = 0; k < KERNELS; k = k + 1) begin
      count = 0;
      for (p = 0; p < PLACES; p = p + 1)
        if (left_behind[(s*PLACES+p)*LINE_W+VALID]
            && left_behind[(s*PLACES+p)*LINE_W+TAG_W+:KID_W] == k) count = count + 1;
      not_more[s*KERNELS+k] = count <= WAYS;
    end
end
generate
  for (i = 0; i < LANES; i = i + 1) begin : lane
    wire [LISTS*LINE_W-1:0] shifted = places >> ((stack * PLACES + row * LANES + i) * LINE_W);
    assign read[i] = !busy || row_read[i*LINE_W+:LINE_W] == shifted[LINE_W-1:0];
  end
  for (i = 0; i < LISTS; i = i + 1) begin : place
    wire [LINE_W-1:0] line = left_behind[i*LINE_W+:LINE_W];
    assign same_place[i] = sweeping || line[VALID] == ref_held[i]
        && (!line[VALID] || line[TAG_W+:KID_W] == ref_kids[i*KID_W+:KID_W]
            && line[TAG_W-1:0] == ref_tags[i*TAG_W+:TAG_W]);
    localparam WORD = (i / PLACES << ROW_W) + i % PLACES / LANES;
    assign swept[i] = !sweeping || !ref_held[i] && (sweep_address <= WORD || !places[i*LINE_W+VALID]);
    assign kernel_known[i] = sweeping || !line[VALID] || line[TAG_W+:KID_W] < KERNELS;
    for (j = 0; j < PLACES; j = j + 1) begin : other
      wire [LINE_W-1:0] another = left_behind[(i/PLACES*PLACES+j)*LINE_W+:LINE_W];
      assign once[i*PLACES+j] = sweeping || i % PLACES == j || !line[VALID] || !another[VALID]
          || line[TAG_W-1:0] != another[TAG_W-1:0];
    end
  end
endgenerate
wire [LISTED_FACTS-1:0] listed = {swept, same_place};
wire [MOST_FACTS-1:0] most = {kernel_known, not_more | {STACKS * KERNELS{sweeping}}};

// Between searches, in the memory itself: at most WAYS lines of a kernel, no line twice, and in the
// first place of the stack that was searched the line that was asked for.
localparam KEPT_FACTS = STACKS * KERNELS + ONCE_FACTS + 1;
reg [STACKS*KERNELS-1:0] fit;
wire [ONCE_FACTS-1:0] single;
wire between = !busy && !sweeping;
integer lines;
always @* begin
  for (s = 0; s < STACKS; s = s + 1)
    for (k = 0; k < KERNELS; k = k + 1) begin
      lines = 0;
      for (p = 0; p < PLACES; p = p + 1)
        if (places[(s*PLACES+p)*LINE_W+VALID] && places[(s*PLACES+p)*LINE_W+TAG_W+:KID_W] == k)
          lines = lines + 1;
      fit[s*KERNELS+k] = !between || lines <= WAYS;
    end
end
generate
  for (i = 0; i < LISTS; i = i + 1) begin : kept_place
    for (j = 0; j < PLACES; j = j + 1) begin : other
      wire [LINE_W-1:0] one = places[i*LINE_W+:LINE_W];
      wire [LINE_W-1:0] another = places[(i/PLACES*PLACES+j)*LINE_W+:LINE_W];
      assign single[i*PLACES+j] = !between || i % PLACES == j || !one[VALID] || !another[VALID]
          || one[TAG_W-1:0] != another[TAG_W-1:0];
    end
  end
endgenerate
wire [LISTS*LINE_W-1:0] searched = places >> stack * PLACES * LINE_W;
wire [KEPT_FACTS-1:0] kept = {
  !done_register || searched[LINE_W-1:0] == {1'b1, kid, tag}, single, fit
};

// When the answer comes, and what it is.
localparam TOLD_FACTS = 18;
wire [LISTS*LINE_W-1:0] newest = left_behind >> stack * PLACES * LINE_W;
wire [TOLD_FACTS-1:0] told = {
  done_register == ref_done,
  done_kid == ref_done_kid,
  done_again == ref_done_again,
  done_shared == ref_done_shared,
  done_above == ref_done_above,
  !sweeping || !busy && !done_register,
  !busy || !done_register,
  !sweeping || ref_left == WORDS - sweep_address,
  sweeping || busy || ref_left == 0,
  !busy || ref_left == rows_left,
  busy == ref_asked,
  !busy || kid == ref_asker,
  !busy || kid < KERNELS && stack < STACKS,
  !busy || row < ROWS,
  !busy && !done_register || kid < KERNELS && stack < STACKS && newest[LINE_W-1:0] == {1'b1, kid, tag},
  !busy || found_own == ref_again,
  !busy || found_other == ref_shared,
  !busy || above_seen == ref_above
};
