// milg: after some steps of a division the divider holds the quotient and remainder of the bits
// taken so far, and both it and the reference count the same. Inside the unit: `peak`, `grew`,
// `began`, `closed`, `failures`, `requests`, `last`, `left`, `divisor`, `remainder`, `shift`.
localparam DIV_W = FAIL_W - INTERVAL_W;
localparam STEPS_FACTS = 3 + COUNT_W + DIV_W + 15;

wire [COUNT_W-1:0] most, dividend;
wire [FAIL_W-1:0] refused;
wire [INTERVAL_W-1:0] accepted;
wire [DIV_W-1:0] each;
wire ended;
wire [$clog2(COUNT_W+1)-1:0] due;

wire idle = left == 0;
// The peak up to this cycle, of the interval before if one began.
wire [COUNT_W-1:0] high = grew ? in_flight : peak;
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
  // No interval's peak is known before.
  idle || {1'b0, requests} + left <= COUNT_W + 1,
  closed == ended,
  !closed || divisor == each,
  !closed || dividend == high,
  !closed || idle,
  !closed || began,
  !began || requests == 0,
  (began ? in_flight : high) == most,
  // So that only an issue at the peak passes it.
  grew == (in_flight > peak),
  failures == refused,
  last == &requests,
  requests == accepted
};
