// An APB4 bridge: each access of the bus reaches the register port once, as it is, and its answer is
// the bus's. High as long as it is so.
module apb4_port (
    input wire clock,
    input wire reset,
    input wire [13:0] paddr,
    input wire psel,
    input wire penable,
    input wire pwrite,
    input wire [31:0] pwdata,
    input wire [3:0] pstrb,
    input wire pready,
    input wire [31:0] prdata,
    input wire pslverr,
    input wire select,
    input wire write,
    input wire [13:0] address,
    input wire [31:0] write_data,
    input wire [3:0] strobe,
    input wire done,
    input wire error,
    input wire [31:0] read_data,
    // No transfer but of an access, and of its address and data.
    output wire passed,
    // Accesses answered are transfers done: none is lost, none is done twice.
    output wire once,
    // The answer is the file's.
    output wire returned
);
  wire access = psel & penable;
  assign passed = ~select | (access & write == pwrite & address == paddr
      & (~write | {write_data, strobe} == {pwdata, pstrb}));

  // The transfer of the access under way is done.
  reg reached;
  always @(posedge clock) reached <= ~reset & access & ~pready & (reached | (select & done));
  wire reaches = select & done;
  assign once = pready ? reached ^ reaches : ~(reached & reaches);
  assign returned = ~reaches | (pready & pslverr == error & prdata == read_data);
endmodule
