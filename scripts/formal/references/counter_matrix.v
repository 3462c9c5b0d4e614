// Event counters, one per pair of victim and aggressor, read by snapshots.
// Source: GDC, section III-A and figure 2. What the paper leaves open, as the spec decides: a
// counter stays at its limit and marks its victim's row; a snapshot hands counters and marks to
// the reader and starts a new period, of which an increment in that cycle is the first.
// Counters have one bit more, and where that is set it stays: what is read is then the limit.
module ref_counter_matrix #(
    parameter KERNELS = 4,
    parameter INC_W = 5,
    parameter CNT_W = 21,
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1
) (
    input wire clock,
    input wire reset,
    input wire inc_valid,
    input wire [KID_W-1:0] inc_kid,
    input wire [KERNELS*INC_W-1:0] inc,
    input wire snapshot,
    input wire [KID_W-1:0] read_victim,
    input wire [KID_W-1:0] read_aggressor,
    input wire read_live,
    output wire [CNT_W-1:0] read_count,
    output wire read_overflow,
    output reg [KERNELS-1:0] overflow,
    output reg [7:0] sequence_number
);
  // Victim by victim; of each, aggressor by aggressor.
  (* mem2reg *) reg [CNT_W:0] count[0:KERNELS*KERNELS-1];
  (* mem2reg *) reg [CNT_W:0] shadow[0:KERNELS*KERNELS-1];

  localparam [CNT_W-1:0] LIMIT = {CNT_W{1'b1}};

  // The counter that is read, as stored.
  reg [CNT_W:0] answer;
  assign read_count = answer[CNT_W] ? LIMIT : answer[CNT_W-1:0];
  assign read_overflow = answer[CNT_W];

  // Blocking assignments: what a line reads is what the lines above it have left.
  reg [CNT_W:0] sum;
  integer v;
  integer a;
  always @(posedge clock) begin
    answer = 0;
    for (v = 0; v < KERNELS; v = v + 1)
      for (a = 0; a < KERNELS; a = a + 1)
        if (v == read_victim && a == read_aggressor)
          answer = read_live ? count[v*KERNELS+a] : shadow[v*KERNELS+a];
    if (snapshot) begin
      overflow = 0;
      for (v = 0; v < KERNELS; v = v + 1)
        for (a = 0; a < KERNELS; a = a + 1)
          if (count[v*KERNELS+a][CNT_W]) overflow[v] = 1;
      for (v = 0; v < KERNELS * KERNELS; v = v + 1) begin
        shadow[v] = count[v];
        count[v] = 0;
      end
      sequence_number = sequence_number + 1'b1;
    end
    for (v = 0; v < KERNELS; v = v + 1)
      for (a = 0; a < KERNELS; a = a + 1)
        if (inc_valid && a == inc_kid) begin
          sum = count[v*KERNELS+a][CNT_W-1:0] + inc[v*INC_W+:INC_W];
          count[v*KERNELS+a] = sum | {count[v*KERNELS+a][CNT_W], {CNT_W{1'b0}}};
        end
    if (reset) begin
      for (v = 0; v < KERNELS * KERNELS; v = v + 1) begin
        count[v] = 0;
        shadow[v] = 0;
      end
      overflow = 0;
      sequence_number = 0;
      answer = 0;
    end
  end
endmodule
