// ucp: an application whose UCP-Mask was set as the decision began has one way, while it is under way
// and in the quotas that come of it. Inside the unit: as `ucp_steps`.
localparam MASKED_FACTS = 1 + 2 * APPLICATIONS;

// The masks of the newest decision that is complete.
reg [APPLICATIONS-1:0] masked_then;
always @(posedge clock)
  if (reset) masked_then <= 0;
  else if (ends && !start) masked_then <= mask;

wire [APPLICATIONS-1:0] one_so_far, one_way, wins;
generate
  for (i = 0; i < APPLICATIONS; i = i + 1) begin : masked_of
    assign one_so_far[i] = !mask[i] || allocation[i*POS_W+:POS_W] == 1;
    assign one_way[i] = !masked_then[i] || quota[i*POS_W+:POS_W] == 1;
    assign wins[i] = found && best_application == i;
  end
endgenerate
wire [MASKED_FACTS-1:0] masked = {!(|(wins & mask)), one_so_far, one_way};
