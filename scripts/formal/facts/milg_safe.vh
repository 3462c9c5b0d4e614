// milg: the instructions in flight are those issued and not completed, so that the count never
// wraps; the peak is at least that; a limit is at least 1; a division ends before the next interval
// does. Inside the unit: `peak`, `requests`, `last`, `left`.
localparam SAFE_FACTS = 8;

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
  peak >= in_flight,
  |limit,
  !unlimited || &limit,
  left == 0 || {1'b0, requests} + left <= COUNT_W,
  left == 0 || !(request && &requests),
  last == &requests
};
