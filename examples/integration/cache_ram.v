// cache_ram: RAM of the example cache, one read and one write a cycle.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A word that is read while it is written is undefined: cache_bank takes it from
// where it is being written. There is no reset; cache_bank's sweep writes it.
`default_nettype none

module cache_ram #(
    parameter ADDRESS_W = 6,
    parameter DATA_W = 8
) (
    input wire clock,
    input wire [ADDRESS_W-1:0] read_address,
    // The word addressed one cycle before.
    output reg [DATA_W-1:0] read_data,
    input wire write_enable,
    input wire [ADDRESS_W-1:0] write_address,
    input wire [DATA_W-1:0] write_data
);
  (* no_rw_check, ram_style = "block" *)
  reg [DATA_W-1:0] words [0:(1 << ADDRESS_W)-1];

  always @(posedge clock) begin
    read_data <= words[read_address];
    if (write_enable)
      words[write_address] <= write_data;
  end
endmodule
`default_nettype wire
