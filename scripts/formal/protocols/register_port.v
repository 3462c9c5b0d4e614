// The port of a register file, between it and the bridge of its bus: what both sides keep to.
//
// Source: docs/registers.md.
//
// Each output is high as long as it is so. `answered` and `silent` are the file's duty, `held` is
// the bridge's.
module register_port (
    input wire clock,
    input wire reset,
    input wire select,
    input wire write,
    input wire [13:0] address,
    input wire [31:0] write_data,
    input wire [3:0] strobe,
    input wire done,
    input wire error,
    input wire [31:0] read_data,
    // The transfer cannot go on in the cycle after its first.
    input wire waits,
    // `done` comes ANSWER cycles after the first cycle of a transfer and those in which it waits,
    // and at no other time.
    output wire answered,
    // No error and no data without it; no data with an error or of a write.
    output wire silent,
    // A transfer stays as it is until it is done.
    output wire held
);
  localparam ANSWER = 4;

  reg [2:0] age;
  reg open;
  reg [50:0] last;
  wire [50:0] transfer = {write, address, write_data, strobe};
  always @(posedge clock) begin
    open <= ~reset & select & ~done;
    last <= transfer;
    age <= reset | done | ~select ? 0 : age == 1 && waits ? 1 : age + 1;
  end
  assign answered = done == (select && age == ANSWER) && age <= ANSWER;
  assign silent = (done | ~error) & (~|read_data | (done & ~error & ~write));
  // Data and strobe are looked at of writes only.
  assign held = ~open | (select & write == last[50] & address == last[49:36]
      & (~write | {write_data, strobe} == last[35:0]));
endmodule
