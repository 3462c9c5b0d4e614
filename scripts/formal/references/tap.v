// The masks of TAP-UCP and TAP-RRIP, with the detector of TAP-S.
// Source: TAP, sections 3.3, 3.4 and 5.3. What the paper leaves open, as the spec decides: RRIP-Masks
// are reset when all CPU applications stream that made an access, and so are UCP-Masks of the GPU; where
// all would be masked, none is.
module ref_tap #(
    parameter APPLICATIONS = 2,
    parameter XS_W = 10,
    parameter CNT_W = 21,
    parameter APP_W = APPLICATIONS > 2 ? $clog2(APPLICATIONS) : 1
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire access_hit,
    input wire [APP_W-1:0] access_app,
    input wire period,
    input wire [APPLICATIONS*CNT_W-1:0] accesses,
    input wire detect,
    input wire [CNT_W-1:0] stream_accesses,
    input wire [7:0] stream_rate,
    input wire [APPLICATIONS-1:0] gpu,
    input wire [APPLICATIONS-1:0] insensitive,
    input wire [XS_W-1:0] xsratio,
    input wire xsratio_done,
    output reg start,
    output reg [APPLICATIONS-1:0] ucp_mask,
    output reg [APPLICATIONS*XS_W-1:0] ratio,
    output reg [APPLICATIONS-1:0] rrip_mask,
    output reg [APPLICATIONS-1:0] streaming
);
  localparam [CNT_W-1:0] MOST = {CNT_W{1'b1}};

  (* mem2reg *) reg [CNT_W-1:0] misses[0:APPLICATIONS-1];
  // Those that made an access in the last period.
  reg [APPLICATIONS-1:0] active;
  reg [CNT_W-1:0] made;
  reg [CNT_W+7:0] missed_256, least;
  // Blocking assignments: masks are decided by the period before.
  reg some_streams, some_reuses, all_stream;
  integer masked;
  integer i;
  always @(posedge clock)
    if (reset) begin
      start = 0;
      ucp_mask = 0;
      rrip_mask = 0;
      streaming = 0;
      active = 0;
      for (i = 0; i < APPLICATIONS; i = i + 1) begin
        misses[i] = 0;
        ratio[i*XS_W+:XS_W] = 1;
      end
    end else begin
      start = xsratio_done;
      if (xsratio_done) begin
        some_streams = 0;
        some_reuses = 0;
        for (i = 0; i < APPLICATIONS; i = i + 1)
          if (!gpu[i]) begin
            if (streaming[i]) some_streams = 1;
            else if (active[i]) some_reuses = 1;
          end
        all_stream = some_streams && !some_reuses;
        masked = 0;
        for (i = 0; i < APPLICATIONS; i = i + 1)
          if (gpu[i]) begin
            ratio[i*XS_W+:XS_W] = xsratio;
            ucp_mask[i] = insensitive[i] && !all_stream;
            rrip_mask[i] = (insensitive[i] || xsratio > 1) && !all_stream;
            masked = masked + ucp_mask[i];
          end else begin
            ratio[i*XS_W+:XS_W] = 1;
            ucp_mask[i] = streaming[i];
            rrip_mask[i] = 0;
            masked = masked + ucp_mask[i];
          end
        if (masked == APPLICATIONS) ucp_mask = 0;
      end
      for (i = 0; i < APPLICATIONS; i = i + 1) begin
        if (period) begin
          made = accesses[i*CNT_W+:CNT_W];
          missed_256 = misses[i] * 256;
          least = made * stream_rate;
          streaming[i] = detect && made >= stream_accesses && missed_256 >= least;
          active[i] = made != 0;
          misses[i] = 0;
        end
        if (access_valid && !access_hit && access_app == i && misses[i] != MOST)
          misses[i] = misses[i] + 1'b1;
      end
    end
endmodule
