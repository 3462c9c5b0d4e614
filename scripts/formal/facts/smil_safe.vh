// smil: the instructions in flight are those issued and not completed, so that the count never
// wraps; a limit is at least 1.
localparam SAFE_FACTS = 3;

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
  issued == completed + in_flight, allow == (in_flight < limit), |limit
};
