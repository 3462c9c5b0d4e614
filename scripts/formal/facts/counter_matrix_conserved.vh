// counter_matrix: nothing is lost, nothing counted twice. Of each pair of victim and aggressor,
// all events since reset = what the snapshots handed over + the running counter, as long as the
// victim's row was never marked as overflowed; and what was handed over is what is read,
// or live the counter.
// Inside the unit: `counts`, `shadows`, modulo their range, and by row `passed`, `last_passed`.
localparam INCS = KERNELS * KERNELS;
// The totals are kept modulo 2 ** TOTAL_W.
localparam TOTAL_W = 32;
localparam CONSERVED_FACTS = 2 * INCS + 1;

wire [INCS-1:0] balanced, shown;
wire [KERNELS-1:0] ever;
wire [INCS*CNT_W-1:0] asked;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : victim
    // There was a mark since reset.
    reg before;
    assign ever[i] = before | (|passed[i*KERNELS+:KERNELS]);
    always @(posedge clock) before <= !reset && ever[i];
    for (j = 0; j < KERNELS; j = j + 1) begin : aggressor
      wire [CNT_W-1:0] count = counts[(i*KERNELS+j)*CNT_W+:CNT_W];
      reg [TOTAL_W-1:0] events, handed;
      reg [CNT_W-1:0] last;
      always @(posedge clock)
        if (reset) begin
          events <= 0;
          handed <= 0;
          last <= 0;
        end else begin
          if (inc_valid && inc_kid == j) events <= events + inc[i*INC_W+:INC_W];
          if (snapshot) begin
            handed <= handed + count;
            last <= count;
          end
        end
      assign balanced[i*KERNELS+j] = ever[i] || events == handed + count;
      assign shown[i*KERNELS+j] = shadows[(i*KERNELS+j)*CNT_W+:CNT_W] == last;
      assign asked[(i*KERNELS+j)*CNT_W+:CNT_W] =
          {CNT_W{read_victim == i && read_aggressor == j}}
          & (read_live ? count | {CNT_W{passed[i*KERNELS+j]}} : last | {CNT_W{last_passed[i*KERNELS+j]}});
    end
  end
endgenerate

// What the one addressed had handed over a cycle ago, or had come to if it was read live.
reg [CNT_W-1:0] answer;
reg [CNT_W-1:0] found;
integer p;
always @* begin
  found = 0;
  for (p = 0; p < INCS; p = p + 1) found = found | asked[p*CNT_W+:CNT_W];
end
always @(posedge clock) answer <= reset ? {CNT_W{1'b0}} : found;
wire [CONSERVED_FACTS-1:0] conserved = {read_count == answer, shown, balanced};
