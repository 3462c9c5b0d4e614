// drrip: what sets a policy, and what a miss changes. Whose leader a set is, is told by division, run
// by run. Inside the unit: `lfsr`.
//
// `saturates`: a selector goes up by one at a miss of its application in a leader set of SRRIP of its
// own, unless it is at its limit, and down in one of BRRIP, unless it is 0; else it stays.
// `leaders`: an application has its policy in leader sets of its own, hits promote there, whatever its
// mask, and its lines are not preferred victims.
// `followers`: in other sets the policy is BRRIP if the mask is set, else what the highest bit of PSEL
// says; hits promote, and lines are no preferred victims, if the mask is not set.
// `inserted`: SRRIP inserts with a long interval, BRRIP does if the draw is below 13.
// `drawn`: the draws are those of x^31 + x^28 + 1; a miss as BRRIP takes the next, nothing else does.
localparam RUN = SETS / LEADERS;
localparam SET_BITS = $clog2(SETS);
localparam [PSEL_W-1:0] MOST = {PSEL_W{1'b1}};
localparam SATURATES_FACTS = APPLICATIONS, LEADERS_FACTS = 2 * APPLICATIONS, FOLLOWERS_FACTS = 2 * APPLICATIONS;
localparam INSERTED_FACTS = 1, DRAWN_FACTS = 32;

wire [SET_BITS-1:0] run = access_set / RUN, place = access_set % RUN;
wire [SET_BITS-1:0] first = run % RUN;
wire missed = access_valid && !access_hit;
wire [APPLICATIONS-1:0] saturates, leads_right, spared, follows_right, offered;
generate
  for (i = 0; i < APPLICATIONS; i = i + 1) begin : of_app
    wire accesses = access_app == i;
    wire srrip_leader = place == (first ^ i), brrip_leader = place == RUN - 1 - (first ^ i);
    wire leads = srrip_leader || brrip_leader;
    wire [PSEL_W-1:0] selector = psel[i*PSEL_W+:PSEL_W];
    // What there was before the last edge.
    reg known, up, down;
    reg [PSEL_W-1:0] was;
    always @(posedge clock) begin
      known <= !reset;
      up <= missed && accesses && srrip_leader;
      down <= missed && accesses && brrip_leader;
      was <= selector;
    end
    assign saturates[i] = !known
        || selector == (up ? (was == MOST ? MOST : was + 1'b1)
            : down ? (was == 0 ? was : was - 1'b1) : was);
    assign leads_right[i] = !(accesses && leads) || brrip == brrip_leader && promote;
    assign spared[i] = !leads || !preferred[i];
    assign follows_right[i] = !accesses || leads
        || brrip == (rrip_mask[i] || selector[PSEL_W-1]) && promote == !rrip_mask[i];
    assign offered[i] = leads || preferred[i] == rrip_mask[i];
  end
endgenerate
wire [LEADERS_FACTS-1:0] leaders = {spared, leads_right};
wire [FOLLOWERS_FACTS-1:0] followers = {offered, follows_right};
wire [INSERTED_FACTS-1:0] inserted = insert_distant == (brrip && lfsr[30:23] >= 13);

reg lfsr_known;
reg [30:0] lfsr_due;
integer n;
always @(posedge clock) begin
  lfsr_known <= !reset;
  lfsr_due = lfsr;
  if (missed && brrip) for (n = 0; n < 8; n = n + 1) lfsr_due = {lfsr_due[29:0], lfsr_due[30] ^ lfsr_due[27]};
end
wire [DRAWN_FACTS-1:0] drawn = {lfsr != 0, ~(lfsr ^ lfsr_due) | {31{!lfsr_known}}};
