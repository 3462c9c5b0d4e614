// The lane of the kernel that owns a line, high if the line is demoted.
// Source: GDC, section III-A.
module ref_kid_demux #(
    parameter KERNELS = 4,
    parameter KID_W = KERNELS > 1 ? $clog2(KERNELS) : 1
) (
    input wire enable,
    input wire [KID_W-1:0] select,
    output reg [KERNELS-1:0] lane
);
  always @* begin
    lane = 0;
    lane[select] = enable;
  end
endmodule
