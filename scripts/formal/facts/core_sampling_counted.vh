// core_sampling: what is counted, and who is sampled. Inside the unit: `counts`, and the registers with
// the ids, by tile, `firsts` and `seconds`; `sampling`.
//
// `saturates`: a counter goes up by what its core retires, to its limit at most; as a period ends it
// begins with what is retired in that cycle.
// `conserved`: nothing is lost between periods. All that a core has retired since reset is what the
// periods that have ended had counted + the running counter, as long as it never was at its limit.
// `sampled`: all tiles hold the ids of the same two cores; an access is of a sampled core if the period
// is sampled, a GPU core makes it and its id is that.
// `changes`: ids change as a period ends, to the cores that are chosen, or each to the next one, if
// cores rotate and the period was sampled; the decision changes then, and is reset if the period was not
// sampled.
localparam [CNT_W-1:0] MOST = {CNT_W{1'b1}};
localparam TOTAL_W = 32;
localparam SATURATES_FACTS = CORES, CONSERVED_FACTS = CORES;
localparam SAMPLED_FACTS = 3 + 4 * TILES, CHANGES_FACTS = 6;

wire [CORES-1:0] saturates, conserved;
generate
  for (i = 0; i < CORES; i = i + 1) begin : of_core
    wire [CNT_W-1:0] count = counts[i*CNT_W+:CNT_W];
    wire [RETIRED_W-1:0] now = retired[i*RETIRED_W+:RETIRED_W];
    // What there was before the last edge; and since reset.
    reg known, opened, full;
    reg [CNT_W-1:0] was;
    reg [RETIRED_W-1:0] more;
    reg [TOTAL_W-1:0] events, handed;
    wire [CNT_W:0] sum = {1'b0, was} + more;
    always @(posedge clock) begin
      known <= !reset;
      opened <= period;
      was <= count;
      more <= now;
      full <= !reset && (full || count == MOST);
      events <= reset ? 0 : events + now;
      handed <= reset ? 0 : period ? handed + count : handed;
    end
    assign saturates[i] = !known || count == (opened ? more : sum > MOST ? MOST : sum);
    assign conserved[i] = full || count == MOST || events == handed + count;
  end
endgenerate

wire [ID_W-1:0] first = firsts[0+:ID_W], second = seconds[0+:ID_W];
wire [TILES-1:0] same_first, same_second, by_first, by_second;
generate
  for (i = 0; i < TILES; i = i + 1) begin : of_tile
    wire samples = sampling && access_gpu[i];
    assign same_first[i] = firsts[i*ID_W+:ID_W] == first;
    assign same_second[i] = seconds[i*ID_W+:ID_W] == second;
    assign by_first[i] = pol1[i] == (samples && access_core[i*ID_W+:ID_W] == first);
    assign by_second[i] = pol2[i] == (samples && access_core[i*ID_W+:ID_W] == second);
  end
endgenerate
wire [SAMPLED_FACTS-1:0] sampled = {
  first < CORES, second < CORES, first != second, same_first, same_second, by_first, by_second
};

reg id_known, ended, was_sampled, next_sampled, chosen, was_insensitive;
reg [ID_W-1:0] was_first, was_second, new_first, new_second;
always @(posedge clock) begin
  id_known <= !reset;
  ended <= period;
  was_sampled <= sampling;
  next_sampled <= sample;
  chosen <= choose;
  was_insensitive <= insensitive;
  was_first <= first;
  was_second <= second;
  new_first <= choose_pol1;
  new_second <= choose_pol2;
end
wire rotated = ROTATE != 0 && was_sampled;
wire [ID_W-1:0] after_first = was_first == CORES - 1 ? 0 : was_first + 1'b1;
wire [ID_W-1:0] after_second = was_second == CORES - 1 ? 0 : was_second + 1'b1;
wire [CHANGES_FACTS-1:0] changes = {
  id_known || first == 0 && second == 1 && sampling && !insensitive,
  !id_known || first == (!ended ? was_first : chosen ? new_first : rotated ? after_first : was_first),
  !id_known || second == (!ended ? was_second : chosen ? new_second : rotated ? after_second : was_second),
  !id_known || sampling == (ended ? next_sampled : was_sampled),
  !id_known || ended || insensitive == was_insensitive,
  !id_known || !ended || was_sampled || !insensitive
};
