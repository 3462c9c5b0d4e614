// counter_matrix: a victim's overflow mark is set if and only if one of its counters was cut in
// the period that the last snapshot closed. Inside the unit: `counts`, by row `passed`.
localparam PAIRS = KERNELS * KERNELS;
localparam MARKED_FACTS = 2 * PAIRS + KERNELS;

wire [PAIRS-1:0] cut, count_right, passed_right;
wire [KERNELS-1:0] mark_right;
generate
  for (i = 0; i < KERNELS; i = i + 1) begin : row
    for (j = 0; j < KERNELS; j = j + 1) begin : pair
      // Events of the running period. A bit wider than the counter, and there it stays.
      reg [CNT_W:0] events;
      wire [INC_W-1:0] more = inc_valid && inc_kid == j ? inc[i*INC_W+:INC_W] : {INC_W{1'b0}};
      wire [CNT_W+1:0] sum = (snapshot ? {CNT_W + 1{1'b0}} : events) + {1'b0, more};
      always @(posedge clock)
        if (reset) events <= 0;
        else events <= sum[CNT_W+1] ? {CNT_W + 1{1'b1}} : sum[CNT_W:0];
      assign cut[i*KERNELS+j] = events[CNT_W];
      assign passed_right[i*KERNELS+j] = passed[i*KERNELS+j] == events[CNT_W];
      assign count_right[i*KERNELS+j] = events[CNT_W]
          || counts[(i*KERNELS+j)*CNT_W+:CNT_W] == events[CNT_W-1:0];
    end
    reg closed;
    always @(posedge clock)
      if (reset) closed <= 0;
      else if (snapshot) closed <= |cut[i*KERNELS+:KERNELS];
    assign mark_right[i] = overflow[i] == closed;
  end
endgenerate
wire [MARKED_FACTS-1:0] marked = {mark_right, passed_right, count_right};
