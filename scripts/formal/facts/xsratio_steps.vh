// xsratio: after some steps of a division the divider holds the quotient and remainder of the bits taken
// so far, and both it and the reference count the same. The most accesses of a kind are those of an
// application of that kind, and no other one has more. Inside the unit: `counts`, `kinds`, `most_gpu`,
// `most_cpu`, `left`, `divisor`, `remainder`, `shift`.
localparam LEFT_W = $clog2(CNT_W + 1);
localparam STEPS_FACTS = 8 + 2 * CNT_W + APPLICATIONS * (CNT_W + 2) + XS_W;

wire [APPLICATIONS-1:0] naive_gpu;
wire [LEFT_W-1:0] naive_left;
wire [CNT_W-1:0] naive_dividend, naive_divisor;

wire idle = left == 0;
wire [CNT_W-1:0] taken = naive_dividend >> left;
wire [CNT_W-1:0] ones = ~({CNT_W{1'b1}} << (CNT_W - left));
wire [CNT_W-1:0] quotient = naive_divisor == 0 ? ones : taken / naive_divisor;
wire [CNT_W-1:0] rest = naive_divisor == 0 ? taken : taken % naive_divisor;
// The bits not taken yet are on top.
wire [CNT_W-1:0] held_shift = (naive_dividend << (CNT_W - left)) | quotient;
wire [APPLICATIONS-1:0] below, leads_gpu, leads_cpu;
generate
  for (i = 0; i < APPLICATIONS; i = i + 1) begin : of_app
    wire [CNT_W-1:0] count = counts[i*CNT_W+:CNT_W];
    assign below[i] = count <= (kinds[i] ? most_gpu : most_cpu);
    assign leads_gpu[i] = kinds[i] && count == most_gpu;
    assign leads_cpu[i] = !kinds[i] && count == most_cpu;
  end
endgenerate
wire [STEPS_FACTS-1:0] steps = {
  below, kinds ~^ naive_gpu, ~(counts ^ ref_accesses), ~(xsratio ^ ref_xsratio),
  {CNT_W{idle}} | ~(shift ^ held_shift), {CNT_W{idle}} | ~(remainder ^ rest),
  most_gpu == 0 || |leads_gpu, most_cpu == 0 || |leads_cpu,
  idle || divisor == naive_divisor, left == naive_left, left <= CNT_W,
  done == ref_done, busy == ref_busy, accesses == ref_accesses
};
