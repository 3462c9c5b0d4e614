// How many bits of `data` are 1: looked at one after the other.
// Source: GDC, figure 2.
module ref_popcnt #(
    parameter WIDTH = 16,
    parameter COUNT_W = $clog2(WIDTH + 1)
) (
    input wire [WIDTH-1:0] data,
    output reg [COUNT_W-1:0] count
);
  integer i;
  always @* begin
    count = 0;
    for (i = 0; i < WIDTH; i = i + 1) if (data[i]) count = count + 1'b1;
  end
endmodule
