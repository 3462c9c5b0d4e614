// milg: after some steps of a division the divider holds the quotient and remainder of the bits
// taken so far, and both it and the reference count the same. Inside the unit: `peak`, `failures`,
// `requests`, `last`, `left`, `divisor`, `remainder`, `shift`.
localparam DIV_W = FAIL_W - INTERVAL_W;
localparam STEPS_FACTS = 3 + COUNT_W + DIV_W + 9;

wire [COUNT_W-1:0] most, dividend;
wire [FAIL_W-1:0] refused;
wire [INTERVAL_W-1:0] accepted;
wire [DIV_W-1:0] each;
wire [$clog2(COUNT_W+1)-1:0] due;

wire idle = left == 0;
wire [COUNT_W-1:0] taken = dividend >> left;
wire [COUNT_W-1:0] quotient = taken / each;
wire [DIV_W-1:0] rest = taken % each;
// The bits not taken yet are on top.
wire [COUNT_W-1:0] held_shift = (dividend << (COUNT_W - left)) | quotient;
wire [STEPS_FACTS-1:0] steps = {
  in_flight == ref_in_flight,
  limit == ref_limit,
  unlimited == ref_unlimited,
  {COUNT_W{idle}} | ~(shift ^ held_shift),
  {DIV_W{idle}} | ~(remainder ^ rest),
  idle || (divisor == each && |each),
  left == due,
  left <= COUNT_W,
  // No interval ends before.
  idle || {1'b0, requests} + left <= COUNT_W,
  peak == most,
  // So that only an issue at the peak passes it.
  peak >= in_flight,
  failures == refused,
  last == &requests,
  requests == accepted
};
