// Event counters, one a pair of victim and aggressor, read by snapshots.
// Source: GDC, section III-A and figure 2. What the paper leaves open, as the spec decides: a
// counter stays at its limit and marks its victim's row; a snapshot hands counters and marks to
// the reader and starts a new period, of which an increment in that cycle is the first.
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
    output reg [CNT_W-1:0] read_count,
    output reg [KERNELS-1:0] overflow,
    output reg [7:0] sequence_number
);
  // Victim by victim; of each, aggressor by aggressor.
  (* mem2reg *) reg [CNT_W-1:0] count[0:KERNELS*KERNELS-1];
  (* mem2reg *) reg [CNT_W-1:0] shadow[0:KERNELS*KERNELS-1];
  reg [KERNELS-1:0] cut;

  localparam [CNT_W-1:0] LIMIT = {CNT_W{1'b1}};

  // Blocking assignments: what a line reads is what the lines above it have left.
  reg [CNT_W-1:0] room;
  integer v;
  integer a;
  always @(posedge clock) begin
    read_count = 0;
    for (v = 0; v < KERNELS; v = v + 1)
      for (a = 0; a < KERNELS; a = a + 1)
        if (v == read_victim && a == read_aggressor)
          read_count = read_live ? count[v*KERNELS+a] : shadow[v*KERNELS+a];
    if (snapshot) begin
      for (v = 0; v < KERNELS * KERNELS; v = v + 1) begin
        shadow[v] = count[v];
        count[v] = 0;
      end
      overflow = cut;
      cut = 0;
      sequence_number = sequence_number + 1'b1;
    end
    for (v = 0; v < KERNELS; v = v + 1)
      for (a = 0; a < KERNELS; a = a + 1)
        if (inc_valid && a == inc_kid) begin
          room = LIMIT - count[v*KERNELS+a];
          if (inc[v*INC_W+:INC_W] > room) begin
            count[v*KERNELS+a] = LIMIT;
            cut[v] = 1;
          end else count[v*KERNELS+a] = count[v*KERNELS+a] + inc[v*INC_W+:INC_W];
        end
    if (reset) begin
      for (v = 0; v < KERNELS * KERNELS; v = v + 1) begin
        count[v] = 0;
        shadow[v] = 0;
      end
      cut = 0;
      overflow = 0;
      sequence_number = 0;
      read_count = 0;
    end
  end
endmodule
