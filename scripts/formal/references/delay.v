// What comes in comes out STAGES cycles later; 0 after a reset.
module ref_delay #(
    parameter WIDTH = 1,
    parameter STAGES = 1
) (
    input wire clock,
    input wire reset,
    input wire [WIDTH-1:0] now,
    output wire [WIDTH-1:0] late
);
  // The youngest lowest.
  wire [(STAGES+1)*WIDTH-1:0] line;
  assign line[0+:WIDTH] = now;
  assign late = line[STAGES*WIDTH+:WIDTH];
  genvar s;
  generate
    for (s = 0; s < STAGES; s = s + 1) begin : stage
      reg [WIDTH-1:0] held;
      always @(posedge clock) held <= reset ? {WIDTH{1'b0}} : line[s*WIDTH+:WIDTH];
      assign line[(s+1)*WIDTH+:WIDTH] = held;
    end
  endgenerate
endmodule
