// milg: the instructions in flight are those issued and not completed, so that the count never
// wraps; the peak with what grew beyond it is at least that; a limit is at least 1; a division ends
// before the next interval's peak is known. Inside the unit: `peak`, `grew`, `began`, `closed`,
// `requests`, `last`, `left`.
localparam SAFE_FACTS = 11;

reg [31:0] issued, completed;
always @(posedge clock)
  if (reset) begin
    issued <= 0;
    completed <= 0;
  end else begin
    issued <= issued + issue;
    completed <= completed + complete;
  end
wire [SAFE_FACTS-1:0] safe = {
  issued == completed + in_flight,
  allow == (in_flight < limit),
  grew == (in_flight > peak),
  !closed || began,
  !began || requests == 0,
  !closed || left == 0,
  |limit,
  !unlimited || &limit,
  left == 0 || {1'b0, requests} + left <= COUNT_W + 1,
  left <= 1 || !(request && &requests),
  last == &requests
};
