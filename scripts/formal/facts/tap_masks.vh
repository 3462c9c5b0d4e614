// tap: what the masks follow from, and what is counted. Inside the unit: `counts` of misses; `active`,
// the applications that made an access in the last period; `divided`.
//
// `saturates`: a counter goes up by a miss of its application, to its limit at most; as a period ends it
// begins with the miss of that cycle.
// `conserved`: nothing is lost between periods. All misses of an application since reset are what the
// periods that have ended had counted + the running counter, as long as it never was at its limit.
// `bounded`: not all applications get one way only; a ratio is at least 1; only of the GPU's it is more,
// and only they have an RRIP-Mask.
// `decided`: masks and ratios change one cycle after a ratio is there, with `start`. An application of a
// CPU gets one way only if it streams. One of the GPU does if caching does not help it, unless all CPU
// applications stream, and has an RRIP-Mask, too; it has one also if the ratio is above 1.
localparam [CNT_W-1:0] MOST = {CNT_W{1'b1}};
localparam TOTAL_W = 32;
localparam SATURATES_FACTS = APPLICATIONS, CONSERVED_FACTS = APPLICATIONS;
localparam BOUNDED_FACTS = 1 + 4 * APPLICATIONS, DECIDED_FACTS = 2 + 4 * APPLICATIONS;

reg known, decided_before, all_stream, above;
reg [APPLICATIONS-1:0] of_gpu, streamed, useless, was_ucp, was_rrip;
reg [APPLICATIONS*XS_W-1:0] was_ratio;
reg [XS_W-1:0] given;
wire [APPLICATIONS-1:0] cpu_streams = streaming & ~gpu;
wire [APPLICATIONS-1:0] cpu_reuses = active & ~streaming & ~gpu;
always @(posedge clock) begin
  known <= !reset;
  decided_before <= xsratio_done;
  all_stream <= |cpu_streams && !(|cpu_reuses);
  above <= xsratio > 1;
  of_gpu <= gpu;
  streamed <= streaming;
  useless <= insensitive;
  was_ucp <= ucp_mask;
  was_rrip <= rrip_mask;
  was_ratio <= ratio;
  given <= xsratio;
end
// Who would get one way only.
wire [APPLICATIONS-1:0] wanted = (streamed & ~of_gpu) | (all_stream ? 0 : useless & of_gpu);

wire [APPLICATIONS-1:0] saturates, conserved, positive, one_of_cpu, rrip_of_gpu, streams_active;
wire [APPLICATIONS-1:0] ucp_right, rrip_right, ratio_right, gpu_right;
generate
  for (i = 0; i < APPLICATIONS; i = i + 1) begin : of_app
    wire [CNT_W-1:0] count = counts[i*CNT_W+:CNT_W];
    wire [XS_W-1:0] its = ratio[i*XS_W+:XS_W];
    wire now = access_valid && !access_hit && access_app == i;
    // What there was before the last edge; and since reset.
    reg opened, full, more;
    reg [CNT_W-1:0] was;
    reg [TOTAL_W-1:0] events, handed;
    always @(posedge clock) begin
      opened <= period;
      was <= count;
      more <= now;
      full <= !reset && (full || count == MOST);
      events <= reset ? 0 : events + now;
      handed <= reset ? 0 : period ? handed + count : handed;
    end
    assign saturates[i] = !known || count == (opened ? more : was == MOST ? MOST : was + more);
    assign conserved[i] = full || count == MOST || events == handed + count;
    assign positive[i] = its != 0;
    assign one_of_cpu[i] = its == 1 || divided[i];
    assign rrip_of_gpu[i] = !rrip_mask[i] || divided[i];
    assign streams_active[i] = !streaming[i] || active[i];
    assign ucp_right[i] = !known
        || ucp_mask[i] == (!decided_before ? was_ucp[i] : wanted[i] && !(&wanted));
    assign rrip_right[i] = !known || rrip_mask[i] == (!decided_before ? was_rrip[i]
        : of_gpu[i] && !all_stream && (useless[i] || above));
    assign ratio_right[i] = !known || its == (!decided_before ? was_ratio[i*XS_W+:XS_W]
        : of_gpu[i] ? given : 1);
    assign gpu_right[i] = !known || !decided_before || divided[i] == of_gpu[i];
  end
endgenerate
wire [BOUNDED_FACTS-1:0] bounded = {!(&ucp_mask), positive, one_of_cpu, rrip_of_gpu, streams_active};
wire [DECIDED_FACTS-1:0] decided = {
  start == (known && decided_before),
  known || ucp_mask == 0 && rrip_mask == 0 && streaming == 0, ucp_right, rrip_right, ratio_right,
  gpu_right
};
