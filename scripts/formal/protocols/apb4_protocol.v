// APB4: what a subordinate promises, and what it may take for granted.
//
// Source: AMBA APB Protocol Specification (Arm IHI 0024), chapters 3 and 4.
//
// Only the bus: any subordinate can be connected, in a proof or, as a monitor, in a simulation.
// `legal` says that the manager keeps to the rules; each other output is high as long as the
// subordinate does, if the manager did so from a reset on. Nothing is said in a cycle of reset.
//
// Stricter than the standard, which asks for an answer only where the manager waits for one: pready,
// pslverr and prdata are low where they mean nothing.
module apb4_protocol #(
    parameter ADDRESS_W = 14,
    parameter DATA_W = 32,
    // Cycles of an access with pready low, at most; the first SLOW cycles after a reset do not count.
    parameter WAITS = 4,
    parameter SLOW = 0,
    // The manager is reset together with the subordinate; else its access may be under way.
    parameter SHARED_RESET = 1
) (
    input wire clock,
    input wire reset,
    input wire [ADDRESS_W-1:0] paddr,
    input wire [2:0] pprot,
    input wire psel,
    input wire penable,
    input wire pwrite,
    input wire [DATA_W-1:0] pwdata,
    input wire [DATA_W/8-1:0] pstrb,
    input wire pready,
    input wire [DATA_W-1:0] prdata,
    input wire pslverr,
    output wire legal,
    // An answer only to an access.
    output wire requested,
    // While it waits, nothing changes.
    output wire stable,
    // It waits WAITS cycles at most.
    output wire bounded,
    // No answer in the first cycle after a reset.
    output wire quiet,
    // An error only with an answer, data only with one to a read that is none.
    output wire errors
);
  localparam PAYLOAD_W = ADDRESS_W + 3 + 1 + DATA_W + DATA_W / 8;
  localparam WAITED_W = $clog2(WAITS + 2);
  localparam AGE_W = $clog2(SLOW + 2);

  // What the manager has to continue: nothing, a setup phase, an access; or it is not known.
  localparam [1:0] IDLE = 0, SETUP = 1, ACCESS = 2, UNKNOWN = 3;
  reg [1:0] phase;
  reg [PAYLOAD_W-1:0] offered;
  reg [WAITED_W-1:0] waited;
  reg [AGE_W-1:0] age;
  reg first;
  wire [PAYLOAD_W-1:0] payload = {paddr, pprot, pwrite, pwdata, pstrb};
  wire access = psel & penable;
  wire waits = access & ~pready;

  always @(posedge clock) begin
    phase <= reset ? (SHARED_RESET ? IDLE : UNKNOWN) : waits ? ACCESS : psel & ~penable ? SETUP : IDLE;
    offered <= payload;
    age <= reset ? 0 : age + (age != SLOW);
    waited <= reset | ~waits | age != SLOW ? 0 : waited + 1;
    first <= reset;
  end

  // Strobes of a read are low (chapter 3.2): not asked for, since a subordinate ignores them.
  wire continues = access & payload == offered;
  // Without psel, penable is another subordinate's.
  assign legal = phase == UNKNOWN | (phase == IDLE ? ~access : continues);

  assign requested = ~pready | access;
  assign stable = ~waits | (~|prdata & ~pslverr);
  assign bounded = waited <= WAITS;
  assign quiet = ~first | ~pready;
  assign errors = (~pslverr | pready) & (~|prdata | (pready & ~pwrite & ~pslverr));
endmodule
