// AXI4-Lite: what a subordinate promises, and what it may take for granted.
//
// Source: AMBA AXI and ACE Protocol Specification (Arm IHI 0022), chapters A3 and B1.
//
// Only the bus: any subordinate can be connected, in a proof or, as a monitor, in a simulation.
// `legal` says that the manager keeps to the rules; each other output is high as long as the
// subordinate does, if the manager did so from a reset on. Nothing is said in a cycle of reset.
//
// Stricter than the standard: an answer comes one cycle after its request or later, and carries 0
// where it means nothing.
module axi4_lite_protocol #(
    parameter ADDRESS_W = 14,
    parameter DATA_W = 32,
    // Requests that are taken and not answered, of a channel, at most.
    parameter DEPTH = 2,
    // Cycles that one waits for the subordinate alone, to be taken and to be answered, at most; the
    // first SLOW cycles after a reset do not count.
    parameter WAITS = 16,
    parameter SLOW = 0
) (
    input wire clock,
    input wire reset,
    input wire awvalid,
    input wire [ADDRESS_W-1:0] awaddr,
    input wire [2:0] awprot,
    input wire awready,
    input wire wvalid,
    input wire [DATA_W-1:0] wdata,
    input wire [DATA_W/8-1:0] wstrb,
    input wire wready,
    input wire bvalid,
    input wire [1:0] bresp,
    input wire bready,
    input wire arvalid,
    input wire [ADDRESS_W-1:0] araddr,
    input wire [2:0] arprot,
    input wire arready,
    input wire rvalid,
    input wire [DATA_W-1:0] rdata,
    input wire [1:0] rresp,
    input wire rready,
    output wire legal,
    // An answer only to a request: of a write, address and data.
    output wire requested,
    // As many answers as requests but for DEPTH, which are under way.
    output wire counted,
    // A valid answer stays, and what it carries, until it is taken.
    output wire stable,
    // Nothing waits for the subordinate longer than WAITS cycles.
    output wire bounded,
    // No answer in the first cycle after a reset.
    output wire quiet,
    // OKAY or SLVERR; an error only with an answer, data only with one that is none.
    output wire errors
);
  localparam COUNT_W = $clog2(DEPTH + 2);
  localparam WAITED_W = $clog2(WAITS + 2);
  localparam AGE_W = $clog2(SLOW + 2);

  wire aw = awvalid & awready, w = wvalid & wready, ar = arvalid & arready;
  wire b = bvalid & bready, r = rvalid & rready;

  // Taken and not answered.
  reg [COUNT_W-1:0] addresses, data, reads;
  always @(posedge clock) begin
    addresses <= reset ? 0 : addresses + aw - b;
    data <= reset ? 0 : data + w - b;
    reads <= reset ? 0 : reads + ar - r;
  end

  // What has to stay from the cycle before.
  reg first, aw_waits, w_waits, ar_waits, b_waits, r_waits;
  reg [ADDRESS_W+2:0] last_aw, last_ar;
  reg [DATA_W+DATA_W/8-1:0] last_w;
  reg [1:0] last_bresp;
  reg [DATA_W+1:0] last_r;
  always @(posedge clock) begin
    first <= reset;
    aw_waits <= ~reset & awvalid & ~awready;
    w_waits <= ~reset & wvalid & ~wready;
    ar_waits <= ~reset & arvalid & ~arready;
    b_waits <= ~reset & bvalid & ~bready;
    r_waits <= ~reset & rvalid & ~rready;
    last_aw <= {awaddr, awprot};
    last_ar <= {araddr, arprot};
    last_w <= {wdata, wstrb};
    last_bresp <= bresp;
    last_r <= {rdata, rresp};
  end
  assign legal = (~aw_waits | (awvalid & {awaddr, awprot} == last_aw))
      & (~w_waits | (wvalid & {wdata, wstrb} == last_w))
      & (~ar_waits | (arvalid & {araddr, arprot} == last_ar));

  assign requested = (~bvalid | (|addresses & |data)) & (~rvalid | |reads);
  assign counted = addresses <= DEPTH && data <= DEPTH && reads <= DEPTH;
  assign stable = (~b_waits | (bvalid & bresp == last_bresp))
      & (~r_waits | (rvalid & {rdata, rresp} == last_r));
  assign quiet = ~first | ~(bvalid | rvalid);
  assign errors = ~bresp[0] & ~rresp[0] & (bvalid | ~|bresp) & (rvalid | ~|rresp)
      & (~|rdata | (rvalid & ~|rresp));

  // Waits for the subordinate: nothing that the manager still owes, no answer that it has not taken.
  wire writes = |addresses & |data;
  wire answer_owed = writes & ~bvalid, read_owed = |reads & ~rvalid;
  wire aw_owed = awvalid & ~awready & |data & ~bvalid;
  wire w_owed = wvalid & ~wready & |addresses & ~bvalid;
  wire ar_owed = arvalid & ~arready & ~rvalid;
  reg [AGE_W-1:0] age;
  wire slow = reset || age != SLOW;
  reg [WAITED_W-1:0] answer_waited, read_waited, aw_waited, w_waited, ar_waited;
  always @(posedge clock) begin
    age <= reset ? 0 : age + (age != SLOW);
    answer_waited <= slow | ~answer_owed ? 0 : answer_waited + 1;
    read_waited <= slow | ~read_owed ? 0 : read_waited + 1;
    aw_waited <= slow | ~aw_owed ? 0 : aw_waited + 1;
    w_waited <= slow | ~w_owed ? 0 : w_waited + 1;
    ar_waited <= slow | ~ar_owed ? 0 : ar_waited + 1;
  end
  assign bounded = answer_waited <= WAITS && read_waited <= WAITS && aw_waited <= WAITS
      && w_waited <= WAITS && ar_waited <= WAITS;
endmodule
