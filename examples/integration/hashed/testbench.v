// Presents the accesses of `accesses.hex` (kernel and address, one per line), ends the period and prints
// the counters: `gdc VICTIM AGGRESSOR COUNT`, `ike VICTIM AGGRESSOR COUNT`.
module testbench;
  reg clock = 0;
  reg reset = 1;
  always #5 clock = !clock;

  reg access_valid = 0;
  reg [`ADDRESS_W-1:0] access_address = 0;
  reg [`REQ_W-1:0] access_requester = 0;
  reg snapshot = 0;
  reg [1:0] read_matrix = 0;
  reg [`KID_W-1:0] read_victim = 0;
  reg [`KID_W-1:0] read_aggressor = 0;
  wire ready, done_valid, done_hit;
  wire [`CNT_W-1:0] read_count;

  hashed_monitor #(
      .ADDRESS_W(`ADDRESS_W), .SET_W(`SET_W), .TAG_W(`TAG_W), .KERNELS(`KERNELS), .CNT_W(`CNT_W)
  ) dut (
      .clock(clock), .reset(reset),
      .access_valid(access_valid), .access_address(access_address),
      .access_requester(access_requester), .snapshot(snapshot),
      .read_matrix(read_matrix), .read_victim(read_victim), .read_aggressor(read_aggressor),
      .ready(ready), .done_valid(done_valid), .done_hit(done_hit), .read_count(read_count)
  );

  reg [71:0] accesses[0:`ACCESSES-1];
  integer hits = 0;
  always @(posedge clock) if (done_valid && done_hit) hits = hits + 1;

  integer n, v, a, m;
  initial begin
    $readmemh("accesses.hex", accesses);
    @(negedge clock) reset = 0;
    while (!ready) @(negedge clock);
    for (n = 0; n < `ACCESSES; n = n + 1) begin
      access_valid = 1;
      access_requester = accesses[n][71:64];
      access_address = accesses[n][63:0];
      @(negedge clock);
    end
    access_valid = 0;
    // The last access is in the counters 4 + STAGES cycles after its own.
    repeat (8) @(negedge clock);
    snapshot = 1;
    @(negedge clock) snapshot = 0;
    for (m = 0; m < 2; m = m + 1)
      for (v = 0; v < `KERNELS; v = v + 1)
        for (a = 0; a < `KERNELS; a = a + 1) begin
          read_matrix = m;
          read_victim = v;
          read_aggressor = a;
          // The counter addressed in a cycle is there two cycles later.
          repeat (3) @(negedge clock);
          if (m == 0) $display("gdc %0d %0d %0d", v, a, read_count);
          else $display("ike %0d %0d %0d", v, a, read_count);
        end
    $display("hits %0d", hits);
    $finish;
  end
endmodule
