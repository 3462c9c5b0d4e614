// An example of your own RTL for a proof: popcnt that adds pairs of bits first.
module popcnt_pairs (
    input wire [15:0] data,
    output wire [4:0] count
);
  wire [15:0] pairs = (data & 16'h5555) + ((data >> 1) & 16'h5555);
  wire [15:0] nibbles = (pairs & 16'h3333) + ((pairs >> 2) & 16'h3333);
  wire [15:0] bytes = (nibbles & 16'h0f0f) + ((nibbles >> 4) & 16'h0f0f);
  assign count = bytes[4:0] + bytes[12:8];
endmodule
