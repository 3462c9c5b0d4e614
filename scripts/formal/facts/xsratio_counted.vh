// xsratio: what is counted, and when a ratio is there. Inside the unit: `counts`, `left`.
//
// `saturates`: a counter goes up by an access of its application, to its limit at most; as a period ends
// it begins with the access of that cycle.
// `conserved`: nothing is lost between periods. All accesses of an application since reset are what the
// periods that have ended had counted + the running counter, as long as it never was at its limit.
// `timed`: a ratio is there CNT_W + 1 cycles after the last period's end, and the unit is busy until
// then; XSRATIO changes at no other time, and is 1 or at least the threshold.
localparam [CNT_W-1:0] MOST = {CNT_W{1'b1}};
localparam TOTAL_W = 32;
localparam SATURATES_FACTS = APPLICATIONS, CONSERVED_FACTS = APPLICATIONS, TIMED_FACTS = 6;

wire [APPLICATIONS-1:0] saturates, conserved;
generate
  for (i = 0; i < APPLICATIONS; i = i + 1) begin : of_app
    wire [CNT_W-1:0] count = counts[i*CNT_W+:CNT_W];
    wire now = access_valid && access_app == i;
    // What there was before the last edge; and since reset.
    reg known, opened, full, more;
    reg [CNT_W-1:0] was;
    reg [TOTAL_W-1:0] events, handed;
    always @(posedge clock) begin
      known <= !reset;
      opened <= period;
      was <= count;
      more <= now;
      full <= !reset && (full || count == MOST);
      events <= reset ? 0 : events + now;
      handed <= reset ? 0 : period ? handed + count : handed;
    end
    assign saturates[i] = (!known || count == (opened ? more : was == MOST ? MOST : was + more))
        && accesses[i*CNT_W+:CNT_W] == count;
    assign conserved[i] = full || count == MOST || events == handed + count;
  end
endgenerate

// Cycles since the period ended, up to the ratio; 0 if there is none under way.
reg [6:0] age;
reg ratio_known;
reg [XS_W-1:0] ratio_was;
always @(posedge clock) begin
  age <= reset ? 0 : period ? 1 : age == 0 || age > CNT_W ? 0 : age + 1'b1;
  ratio_known <= !reset;
  ratio_was <= xsratio;
end
wire [TIMED_FACTS-1:0] timed = {
  age <= CNT_W + 1, busy == (age != 0 && age <= CNT_W), done == (age == CNT_W + 1),
  left == (busy ? CNT_W + 1 - age : 0), xsratio == 1 || xsratio >= T_XS,
  done || xsratio == (ratio_known ? ratio_was : 1)
};
