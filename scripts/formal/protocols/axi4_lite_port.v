// An AXI4-Lite bridge with a place for one request per channel: each write and read that it takes
// reaches the register port once, as it is, and its answer is the bus's. High as long as it is so.
module axi4_lite_port (
    input wire clock,
    input wire reset,
    input wire awvalid,
    input wire [13:0] awaddr,
    input wire awready,
    input wire wvalid,
    input wire [31:0] wdata,
    input wire [3:0] wstrb,
    input wire wready,
    input wire bvalid,
    input wire [1:0] bresp,
    input wire bready,
    input wire arvalid,
    input wire [13:0] araddr,
    input wire arready,
    input wire rvalid,
    input wire [31:0] rdata,
    input wire [1:0] rresp,
    input wire rready,
    input wire select,
    input wire write,
    input wire [13:0] address,
    input wire [31:0] write_data,
    input wire [3:0] strobe,
    input wire done,
    input wire error,
    input wire [31:0] read_data,
    // No transfer but of a request that was taken and not done, and of its address and data.
    output wire passed,
    // Requests taken are transfers done and to be done; transfers done are answers given and to be
    // given: none is lost, none is done twice.
    output wire once,
    // An answer is the file's, in order.
    output wire returned
);
  wire aw = awvalid & awready, w = wvalid & wready, ar = arvalid & arready;
  wire b = bvalid & bready, r = rvalid & rready;
  wire wrote = select & done & write, has_read = select & done & ~write;

  // What is to be done, and of what is done, what is to be answered.
  reg address_waits, data_waits, read_waits, write_done, read_done;
  reg [13:0] write_address, read_address;
  reg [35:0] data;
  reg write_failed, read_failed;
  reg [31:0] found;
  always @(posedge clock) begin
    address_waits <= ~reset & (aw | (address_waits & ~wrote));
    data_waits <= ~reset & (w | (data_waits & ~wrote));
    read_waits <= ~reset & (ar | (read_waits & ~has_read));
    write_done <= ~reset & (wrote | (write_done & ~b));
    read_done <= ~reset & (has_read | (read_done & ~r));
    if (aw) write_address <= awaddr;
    if (w) data <= {wdata, wstrb};
    if (ar) read_address <= araddr;
    if (wrote) write_failed <= error;
    if (has_read) {read_failed, found} <= {error, read_data};
  end

  assign passed = ~select | (write
      ? address_waits & data_waits & address == write_address & {write_data, strobe} == data
      : read_waits & address == read_address);
  assign once = ~(aw & address_waits) & ~(w & data_waits) & ~(ar & read_waits)
      & (~wrote | (address_waits & data_waits & ~write_done))
      & (~has_read | (read_waits & ~read_done))
      & bvalid == write_done & rvalid == read_done;
  assign returned = (~bvalid | bresp == {write_failed, 1'b0})
      & (~rvalid | {rresp, rdata} == {read_failed, 1'b0, found});
endmodule
