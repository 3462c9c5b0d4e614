// An index of an address: each bit is the parity of the address bits that its mask names, taken one
// after the other.
// Source: Fractional GPUs, section IV-C and figure 6.
module ref_xor_hash #(
    parameter ADDRESS_W = 4,
    parameter INDEX_W = 2,
    parameter [63:0] MASK_0 = 0,
    parameter [63:0] MASK_1 = 0,
    parameter [63:0] MASK_2 = 0,
    parameter [63:0] MASK_3 = 0,
    parameter [63:0] MASK_4 = 0,
    parameter [63:0] MASK_5 = 0,
    parameter [63:0] MASK_6 = 0,
    parameter [63:0] MASK_7 = 0,
    parameter [63:0] MASK_8 = 0,
    parameter [63:0] MASK_9 = 0,
    parameter [63:0] MASK_10 = 0,
    parameter [63:0] MASK_11 = 0,
    parameter [63:0] MASK_12 = 0,
    parameter [63:0] MASK_13 = 0,
    parameter [63:0] MASK_14 = 0,
    parameter [63:0] MASK_15 = 0
) (
    input wire [ADDRESS_W-1:0] address,
    output reg [INDEX_W-1:0] index
);
  localparam [16*64-1:0] MASKS = {
    MASK_15, MASK_14, MASK_13, MASK_12, MASK_11, MASK_10, MASK_9, MASK_8,
    MASK_7, MASK_6, MASK_5, MASK_4, MASK_3, MASK_2, MASK_1, MASK_0
  };
  integer i, b;
  always @* begin
    index = 0;
    for (i = 0; i < INDEX_W; i = i + 1)
      for (b = 0; b < ADDRESS_W; b = b + 1)
        if (MASKS[i*64+b]) index[i] = index[i] != address[b];
  end
endmodule
