// Event counters by victim and aggressor, as someone else would write them; with FAULT one of the
// mistakes that are made with counters. SPDX-License-Identifier: MIT OR Apache-2.0

module my_counters #(
  parameter int KERNELS = 3,
  parameter int INC_W = 2,
  parameter int CNT_W = 4,
  // 1 wraps, 2 stays one below the limit, 3 marks the limit instead of what is beyond it, 4 never
  // marks, 5 loses what arrives with a snapshot, 6 counts the wrong kernel's.
  parameter int FAULT = 0,
  localparam int KID_W = KERNELS <= 2 ? 1 : $clog2(KERNELS)
) (
  input logic clock, reset,
  input logic inc_valid,
  input logic [KID_W-1:0] inc_kid,
  input logic [KERNELS*INC_W-1:0] inc,
  input logic snapshot,
  input logic [KID_W-1:0] read_victim, read_aggressor,
  input logic read_live,
  output logic [CNT_W-1:0] read_count,
  output logic read_overflow,
  output logic [KERNELS-1:0] overflow,
  output logic [7:0] sequence_number
);
  localparam int LIMIT = (1 << CNT_W) - 1 - (FAULT == 2 ? 1 : 0);
  logic [CNT_W-1:0] count[KERNELS][KERNELS], last[KERNELS][KERNELS];
  logic passed[KERNELS][KERNELS], last_passed[KERNELS][KERNELS];

  always_comb
    for (int v = 0; v < KERNELS; v++) begin
      overflow[v] = 0;
      for (int a = 0; a < KERNELS; a++) overflow[v] |= last_passed[v][a];
    end

  always_ff @(posedge clock) begin
    read_count <= read_live ? count[read_victim][read_aggressor] : last[read_victim][read_aggressor];
    read_overflow <= read_live ? passed[read_victim][read_aggressor] : last_passed[read_victim][read_aggressor];
    if (snapshot) sequence_number <= sequence_number + 1;
    for (int v = 0; v < KERNELS; v++)
      for (int a = 0; a < KERNELS; a++) begin
        automatic int sum = snapshot ? 0 : int'(count[v][a]);
        automatic bit mark = snapshot ? 1'b0 : passed[v][a];
        automatic int kid = int'(inc_kid) + (FAULT == 6 && inc_kid == 1 ? 1 : 0);
        if (inc_valid && kid == a && !(FAULT == 5 && snapshot)) begin
          sum += int'(inc[v*INC_W +: INC_W]);
          if (sum > LIMIT) mark = 1;
          if (FAULT == 3 && sum == LIMIT) mark = 1;
          if (FAULT == 4) mark = 0;
          if (sum > LIMIT && FAULT != 1) sum = LIMIT;
        end
        count[v][a] <= CNT_W'(sum);
        passed[v][a] <= mark;
        if (snapshot) begin
          last[v][a] <= count[v][a];
          last_passed[v][a] <= passed[v][a];
        end
        if (reset) begin
          {count[v][a], last[v][a]} <= 0;
          {passed[v][a], last_passed[v][a]} <= 0;
        end
      end
    if (reset) begin
      read_count <= 0;
      read_overflow <= 0;
      sequence_number <= 0;
    end
  end
endmodule

// A right one and those with a mistake, all driven alike.
module top;
  parameter int KERNELS = 3;
  parameter int CYCLES = 3000;
  localparam int FAULTS = 6;
  logic clock = 0, reset = 1;
  logic inc_valid = 0, snapshot = 0, read_live = 0;
  logic [1:0] inc_kid = 0, read_victim = 0, read_aggressor = 0;
  logic [5:0] inc = 0;
  int illegal = -1;

  for (genvar fault = 0; fault <= FAULTS; fault++) begin : with_fault
    my_counters #(.KERNELS(KERNELS), .FAULT(fault)) dut (
      .read_count(), .read_overflow(), .overflow(), .sequence_number(), .*);
  end

  initial begin
    if ($value$plusargs("illegal=%d", illegal)) illegal = illegal;
    for (int cycle = 0; cycle < CYCLES; cycle++) begin
      reset = cycle < 2 || cycle == 1500;
      inc_valid = $urandom_range(3) != 0;
      inc_kid = 2'($urandom_range(2));
      inc = 6'($urandom);
      snapshot = $urandom_range(40) == 0;
      read_live = 1'($urandom);
      read_victim = 2'($urandom_range(2));
      read_aggressor = 2'($urandom_range(2));
      if (cycle == illegal) {inc_valid, inc_kid} = 3'b111;
      #5 clock = 1;
      #5 clock = 0;
    end
    $finish;
  end
endmodule

bind my_counters cotenant_check_counter_matrix #(
  .KERNELS(KERNELS), .INC_W(INC_W), .CNT_W(CNT_W), .PRINTED(1)
) check (.*);
