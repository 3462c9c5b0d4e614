// Set duelling per application: leader sets by complement-select, a policy selector per application,
// and BRRIP's draws, eight bits of a shift register each, bit by bit.
// Source: TAP, section 3.4 and table 3. What the paper leaves open, as the spec decides: LEADERS leader
// sets of each policy and application; PSEL begins in the middle; leader sets keep their policy under
// the RRIP-Mask.
module ref_drrip #(
    parameter SETS = 4096,
    parameter APPLICATIONS = 2,
    parameter LEADERS = 32,
    parameter PSEL_W = 10,
    parameter SEED = 1,
    parameter SET_W = $clog2(SETS),
    parameter APP_W = APPLICATIONS > 1 ? $clog2(APPLICATIONS) : 1
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire access_hit,
    input wire [SET_W-1:0] access_set,
    input wire [APP_W-1:0] access_app,
    input wire [APPLICATIONS-1:0] rrip_mask,
    output reg brrip,
    output reg insert_distant,
    output reg promote,
    output reg [APPLICATIONS-1:0] preferred,
    output reg [APPLICATIONS*PSEL_W-1:0] psel
);
  localparam RUN = SETS / LEADERS;
  localparam [PSEL_W-1:0] MOST = {PSEL_W{1'b1}};
  localparam [PSEL_W-1:0] MIDDLE = 1 << (PSEL_W - 1);

  reg [30:0] lfsr;
  reg [7:0] draw;

  // What the set leads with, and for whom.
  reg leads, with_brrip, own;
  integer leader;
  reg [SET_W-1:0] place, run;
  reg winner, mask;
  integer a;
  always @* begin
    place = access_set % RUN;
    run = (access_set / RUN) % RUN;
    leads = 0;
    with_brrip = 0;
    leader = 0;
    for (a = 0; a < APPLICATIONS; a = a + 1) begin
      if (place == (run ^ a)) begin
        leads = 1;
        with_brrip = 0;
        leader = a;
      end
      if (RUN - 1 - place == (run ^ a)) begin
        leads = 1;
        with_brrip = 1;
        leader = a;
      end
    end
    own = leads && leader == access_app;
    winner = 0;
    mask = 0;
    preferred = rrip_mask;
    for (a = 0; a < APPLICATIONS; a = a + 1) begin
      if (access_app == a) begin
        winner = psel[a*PSEL_W+:PSEL_W] >= MIDDLE;
        mask = rrip_mask[a];
      end
      if (leads && leader == a) preferred[a] = 0;
    end
    brrip = own ? with_brrip : mask || winner;
    promote = own || !mask;
    draw = lfsr[30:23];
    insert_distant = brrip && draw >= 13;
  end

  // Blocking assignments: each bit enters after the one before.
  integer n;
  always @(posedge clock)
    if (reset) begin
      for (n = 0; n < APPLICATIONS; n = n + 1) psel[n*PSEL_W+:PSEL_W] = MIDDLE;
      lfsr = SEED;
    end else if (access_valid && !access_hit) begin
      if (brrip) for (n = 0; n < 8; n = n + 1) lfsr = {lfsr[29:0], lfsr[30] ^ lfsr[27]};
      if (own)
        for (n = 0; n < APPLICATIONS; n = n + 1)
          if (access_app == n) begin
            if (!with_brrip && psel[n*PSEL_W+:PSEL_W] != MOST)
              psel[n*PSEL_W+:PSEL_W] = psel[n*PSEL_W+:PSEL_W] + 1'b1;
            else if (with_brrip && psel[n*PSEL_W+:PSEL_W] != 0)
              psel[n*PSEL_W+:PSEL_W] = psel[n*PSEL_W+:PSEL_W] - 1'b1;
          end
    end
endmodule
