// llc_monitor, of one bank: what it tells of each access, a cycle after it was done, is what its
// counters of evictions, hits and misses come to.
localparam COUNTED_FACTS = 2;

// The kernel of the access that is told of.
wire [KID_W-1:0] kid_now, kid_then;
(* mem2reg *) reg [KID_W-1:0] kid_of[0:REQUESTERS];
assign kid_now = kid_of[access_requester < REQUESTERS ? access_requester : REQUESTERS];
integer r;
always @(posedge clock)
  if (reset)
    for (r = 0; r <= REQUESTERS; r = r + 1)
      kid_of[r] <= r < REQUESTERS && r < KERNELS ? r : KERNELS - 1;
  else if (map_valid) kid_of[map_requester < REQUESTERS ? map_requester : REQUESTERS] <= map_kid;
ref_delay #(
    .WIDTH(KID_W), .STAGES(4)
) kid (
    .clock(clock), .reset(reset), .now(kid_now), .late(kid_then)
);

wire [KERNELS-1:0] evictions_full, rows_full;
ref_plob #(
    .KERNELS(KERNELS), .CNT_W(CNT_W), .STAGES(STAGES - 1)
) evictions (
    .clock(clock), .reset(reset),
    .access_valid(done_valid), .access_hit(done_hit), .victim_valid(done_evict),
    .victim_owner(done_owner), .access_kid(kid_then), .snapshot(snapshot), .overflow(evictions_full)
);
ref_plob #(
    .KERNELS(KERNELS), .CNT_W(CNT_W), .STAGES(STAGES - 1)
) accesses (
    .clock(clock), .reset(reset),
    // Hits in row 0, misses in row 1.
    .access_valid(done_valid), .access_hit(1'b0), .victim_valid(1'b1),
    .victim_owner({{KID_W{1'b0}}, !done_hit}), .access_kid(kid_then), .snapshot(snapshot),
    .overflow(rows_full)
);
wire [COUNTED_FACTS-1:0] counted = {
  overflow_ike == evictions_full, overflow_access == rows_full[1:0]
};
