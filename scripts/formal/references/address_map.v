// The place of an address: line, offset and sector by division, the tag by gathering bits, and four
// indices by parity.
// Source: Fractional GPUs, sections IV-B to IV-E and figure 6.
module ref_address_map #(
    parameter ADDRESS_W = 8,
    parameter OFFSET_W = 2,
    parameter SECTOR_W = 1,
    parameter SET_W = 1,
    parameter BANK_W = 1,
    parameter MODULE_W = 1,
    parameter COLOUR_W = 1,
    parameter [63:0] TAG = 1,
    parameter [63:0] SET_0 = 0,
    parameter [63:0] SET_1 = 0,
    parameter [63:0] SET_2 = 0,
    parameter [63:0] SET_3 = 0,
    parameter [63:0] SET_4 = 0,
    parameter [63:0] SET_5 = 0,
    parameter [63:0] SET_6 = 0,
    parameter [63:0] SET_7 = 0,
    parameter [63:0] SET_8 = 0,
    parameter [63:0] SET_9 = 0,
    parameter [63:0] SET_10 = 0,
    parameter [63:0] SET_11 = 0,
    parameter [63:0] SET_12 = 0,
    parameter [63:0] SET_13 = 0,
    parameter [63:0] SET_14 = 0,
    parameter [63:0] SET_15 = 0,
    parameter [63:0] BANK_0 = 0,
    parameter [63:0] BANK_1 = 0,
    parameter [63:0] BANK_2 = 0,
    parameter [63:0] BANK_3 = 0,
    parameter [63:0] BANK_4 = 0,
    parameter [63:0] BANK_5 = 0,
    parameter [63:0] BANK_6 = 0,
    parameter [63:0] BANK_7 = 0,
    parameter [63:0] BANK_8 = 0,
    parameter [63:0] BANK_9 = 0,
    parameter [63:0] BANK_10 = 0,
    parameter [63:0] BANK_11 = 0,
    parameter [63:0] BANK_12 = 0,
    parameter [63:0] BANK_13 = 0,
    parameter [63:0] BANK_14 = 0,
    parameter [63:0] BANK_15 = 0,
    parameter [63:0] MODULE_0 = 0,
    parameter [63:0] MODULE_1 = 0,
    parameter [63:0] MODULE_2 = 0,
    parameter [63:0] MODULE_3 = 0,
    parameter [63:0] MODULE_4 = 0,
    parameter [63:0] MODULE_5 = 0,
    parameter [63:0] MODULE_6 = 0,
    parameter [63:0] MODULE_7 = 0,
    parameter [63:0] MODULE_8 = 0,
    parameter [63:0] MODULE_9 = 0,
    parameter [63:0] MODULE_10 = 0,
    parameter [63:0] MODULE_11 = 0,
    parameter [63:0] MODULE_12 = 0,
    parameter [63:0] MODULE_13 = 0,
    parameter [63:0] MODULE_14 = 0,
    parameter [63:0] MODULE_15 = 0,
    parameter [63:0] COLOUR_0 = 0,
    parameter [63:0] COLOUR_1 = 0,
    parameter [63:0] COLOUR_2 = 0,
    parameter [63:0] COLOUR_3 = 0,
    parameter [63:0] COLOUR_4 = 0,
    parameter [63:0] COLOUR_5 = 0,
    parameter [63:0] COLOUR_6 = 0,
    parameter [63:0] COLOUR_7 = 0,
    parameter [63:0] COLOUR_8 = 0,
    parameter [63:0] COLOUR_9 = 0,
    parameter [63:0] COLOUR_10 = 0,
    parameter [63:0] COLOUR_11 = 0,
    parameter [63:0] COLOUR_12 = 0,
    parameter [63:0] COLOUR_13 = 0,
    parameter [63:0] COLOUR_14 = 0,
    parameter [63:0] COLOUR_15 = 0,
    parameter TAG_W = ones(TAG)
) (
    input wire [ADDRESS_W-1:0] address,
    output wire [ADDRESS_W-OFFSET_W-1:0] line,
    output wire [OFFSET_W-1:0] offset,
    output wire [OFFSET_W-SECTOR_W-1:0] sector,
    output wire [SET_W-1:0] set_index,
    output reg [TAG_W-1:0] tag,
    output wire [BANK_W-1:0] bank_index,
    output wire [MODULE_W-1:0] module_index,
    output wire [COLOUR_W-1:0] colour
);
  function integer ones;
    input [63:0] mask;
    integer b;
    begin
      ones = 0;
      for (b = 0; b < 64; b = b + 1) if (mask[b]) ones = ones + 1;
    end
  endfunction

  assign line = address / (1 << OFFSET_W);
  assign offset = address % (1 << OFFSET_W);
  assign sector = address % (1 << OFFSET_W) / (1 << SECTOR_W);

  integer b, place;
  always @* begin
    tag = 0;
    place = 0;
    for (b = 0; b < ADDRESS_W; b = b + 1)
      if (TAG[b]) begin
        tag[place] = address[b];
        place = place + 1;
      end
  end

  ref_xor_hash #(
      .ADDRESS_W(ADDRESS_W), .INDEX_W(SET_W),
      .MASK_0(SET_0), .MASK_1(SET_1), .MASK_2(SET_2), .MASK_3(SET_3), .MASK_4(SET_4), .MASK_5(SET_5), .MASK_6(SET_6), .MASK_7(SET_7), .MASK_8(SET_8), .MASK_9(SET_9), .MASK_10(SET_10), .MASK_11(SET_11), .MASK_12(SET_12), .MASK_13(SET_13), .MASK_14(SET_14), .MASK_15(SET_15)
  ) set_hash (
      .address(address),
      .index(set_index)
  );
  ref_xor_hash #(
      .ADDRESS_W(ADDRESS_W), .INDEX_W(BANK_W),
      .MASK_0(BANK_0), .MASK_1(BANK_1), .MASK_2(BANK_2), .MASK_3(BANK_3), .MASK_4(BANK_4), .MASK_5(BANK_5), .MASK_6(BANK_6), .MASK_7(BANK_7), .MASK_8(BANK_8), .MASK_9(BANK_9), .MASK_10(BANK_10), .MASK_11(BANK_11), .MASK_12(BANK_12), .MASK_13(BANK_13), .MASK_14(BANK_14), .MASK_15(BANK_15)
  ) bank_hash (
      .address(address),
      .index(bank_index)
  );
  ref_xor_hash #(
      .ADDRESS_W(ADDRESS_W), .INDEX_W(MODULE_W),
      .MASK_0(MODULE_0), .MASK_1(MODULE_1), .MASK_2(MODULE_2), .MASK_3(MODULE_3), .MASK_4(MODULE_4), .MASK_5(MODULE_5), .MASK_6(MODULE_6), .MASK_7(MODULE_7), .MASK_8(MODULE_8), .MASK_9(MODULE_9), .MASK_10(MODULE_10), .MASK_11(MODULE_11), .MASK_12(MODULE_12), .MASK_13(MODULE_13), .MASK_14(MODULE_14), .MASK_15(MODULE_15)
  ) module_hash (
      .address(address),
      .index(module_index)
  );
  ref_xor_hash #(
      .ADDRESS_W(ADDRESS_W), .INDEX_W(COLOUR_W),
      .MASK_0(COLOUR_0), .MASK_1(COLOUR_1), .MASK_2(COLOUR_2), .MASK_3(COLOUR_3), .MASK_4(COLOUR_4), .MASK_5(COLOUR_5), .MASK_6(COLOUR_6), .MASK_7(COLOUR_7), .MASK_8(COLOUR_8), .MASK_9(COLOUR_9), .MASK_10(COLOUR_10), .MASK_11(COLOUR_11), .MASK_12(COLOUR_12), .MASK_13(COLOUR_13), .MASK_14(COLOUR_14), .MASK_15(COLOUR_15)
  ) colour_hash (
      .address(address),
      .index(colour)
  );
endmodule
