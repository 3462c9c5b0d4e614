// Issue of memory instructions: a limiter for each kernel says which may issue, a priority selects one
// of them. QBMI is beside it, what it is given and what it answers is `qbmi_0_*`: that it gives the
// highest quota the grant is what is proven of it.
// Source: Dai et al., section 3.4 and figure 7. As the unit says: a kernel is active from the cycle
// after its launch to that of its exit, and a launch goes first.
module ref_mem_issue #(
    parameter KERNELS = 2,
    parameter LIMITER = 0,
    parameter PRIORITY = 0,
    parameter FAIL_W = 12,
    parameter RELEASE = 0,
    parameter CAP = 0,
    parameter LAG = 0,
    parameter COUNT_W = 7,
    parameter INTERVAL_W = 10,
    parameter LIMIT_W = 5,
    parameter QUOTA_W = 1,
    parameter RATIO_W = INTERVAL_W < 5 ? INTERVAL_W + 1 : 6,
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1
) (
    input wire clock,
    input wire reset,
    input wire [KERNELS-1:0] launch,
    input wire [KERNELS-1:0] exit,
    input wire [KERNELS-1:0] want,
    input wire lsu_ready,
    input wire [KERNELS-1:0] complete,
    input wire request_valid,
    input wire request_first,
    input wire fail_valid,
    input wire [KID_W-1:0] lsu_kid,
    input wire set_valid,
    input wire [KID_W-1:0] set_kid,
    input wire [LIMIT_W-1:0] set_limit,
    input wire set_unlimited,
    input wire [KERNELS-1:0] qbmi_0_grant,
    input wire qbmi_0_grant_valid,
    input wire [KID_W-1:0] qbmi_0_grant_kid,
    input wire [KERNELS-1:0] qbmi_0_active,
    input wire [KERNELS*QUOTA_W-1:0] qbmi_0_quota,
    input wire [KERNELS*RATIO_W-1:0] qbmi_0_ratio,
    output wire [KERNELS-1:0] grant,
    output wire grant_valid,
    output wire [KID_W-1:0] grant_kid,
    output reg [KERNELS-1:0] active,
    output wire [KERNELS-1:0] allow,
    output wire [KERNELS*COUNT_W-1:0] in_flight,
    output wire [KERNELS*COUNT_W-1:0] limit,
    output wire [KERNELS-1:0] unlimited,
    output wire [KERNELS*QUOTA_W-1:0] quota,
    output wire qbmi_0_reset,
    output wire [KERNELS-1:0] qbmi_0_launch,
    output wire [KERNELS-1:0] qbmi_0_exit,
    output wire [KERNELS-1:0] qbmi_0_ready,
    output wire qbmi_0_accept,
    output wire qbmi_0_request_valid,
    output wire qbmi_0_request_first,
    output wire [KID_W-1:0] qbmi_0_request_kid
);
  // Who may issue and wants to.
  wire [KERNELS-1:0] ready;
  always @(posedge clock) active <= reset ? 0 : active & ~exit | launch;
  assign ready = want & active & allow;

  assign qbmi_0_reset = reset;
  assign {qbmi_0_launch, qbmi_0_exit} = {launch, exit};
  assign {qbmi_0_ready, qbmi_0_accept} = {ready, lsu_ready};
  assign {qbmi_0_request_valid, qbmi_0_request_first} = {request_valid, request_first};
  assign qbmi_0_request_kid = lsu_kid;

  generate
    if (PRIORITY == 1) begin : by_quota
      assign {grant, grant_valid, grant_kid} = {qbmi_0_grant, qbmi_0_grant_valid, qbmi_0_grant_kid};
      assign quota = qbmi_0_quota;
    end else begin : in_turn
      ref_rbmi #(
          .KERNELS(KERNELS)
      ) rbmi (
          .clock(clock),
          .reset(reset),
          .ready(ready),
          .accept(lsu_ready),
          .grant(grant),
          .grant_valid(grant_valid),
          .grant_kid(grant_kid)
      );
      assign quota = 0;
    end
  endgenerate

  genvar i;
  generate
    for (i = 0; i < KERNELS; i = i + 1) begin : limiter
      if (LIMITER == 1) begin : dynamic
        ref_milg #(
            .COUNT_W(COUNT_W),
            .FAIL_W(FAIL_W),
            .INTERVAL_W(INTERVAL_W),
            .RELEASE(RELEASE)
        ) milg (
            .clock(clock),
            .reset(reset),
            .launch(launch[i]),
            .issue(grant[i]),
            .complete(complete[i]),
            .request(request_valid && lsu_kid == i),
            .fail(fail_valid && lsu_kid == i),
            .allow(allow[i]),
            .in_flight(in_flight[i*COUNT_W+:COUNT_W]),
            .limit(limit[i*COUNT_W+:COUNT_W]),
            .unlimited(unlimited[i])
        );
      end else begin : static
        ref_smil #(
            .COUNT_W(COUNT_W),
            .LIMIT_W(LIMIT_W)
        ) smil (
            .clock(clock),
            .reset(reset),
            .set_valid(set_valid && set_kid == i),
            .set_limit(set_limit),
            .set_unlimited(set_unlimited),
            .issue(grant[i]),
            .complete(complete[i]),
            .allow(allow[i]),
            .in_flight(in_flight[i*COUNT_W+:COUNT_W]),
            .limit(limit[i*COUNT_W+:COUNT_W]),
            .unlimited(unlimited[i])
        );
      end
    end
  endgenerate
endmodule
