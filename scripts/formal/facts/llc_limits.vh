// The memory of the limits gives what was written last. Of any one pair, `pick`, which is chosen at
// a reset by an input that has nothing to do with it: `last` is what was written to it. Inside the
// unit: the memory's ports, `limit_*`.
localparam REMEMBERED_FACTS = 1;
localparam PAIR_W = 2 * KID_W + 1;
reg [PAIR_W-1:0] pick;
reg written, owed;
reg [31:0] last, due;
wire here = limit_write_enable && limit_write_address == pick;
always @(posedge clock) begin
  if (reset) pick <= access_tag[PAIR_W-1:0];
  written <= !reset && (written || here);
  if (here) last <= limit_write_value;
  // Read while it is written, it may be anything; nothing uses that.
  owed <= !reset && written && limit_read_address == pick && !here;
  due <= last;
end
wire [REMEMBERED_FACTS-1:0] remembered = !owed || limit_read_data == due;
