// ucp: what is needed of its multipliers, which may be left out. Equal factors have equal products, in
// a cycle and in the next, and after a reset that of 0 and 0 is 0; and if e/f > a/b >= c/d, then
// e/f > c/d, since b(ed - cf) = d(eb - af) + f(ad - cb) and d > 0.
localparam MULTIPLIES_FACTS = 1;
reg [CALL_W-1:0] best_then, its_then, this_by_its_then, its_by_this_then;
always @(posedge clock)
  if (reset) {best_then, its_then, this_by_its_then, its_by_this_then} <= 0;
  else begin
    best_then <= best_call;
    its_then <= its_call;
    this_by_its_then <= {sum, its_cost, this_by_its};
    its_by_this_then <= {its_sum, cost, its_by_this};
  end
function agree;
  input [CALL_W-1:0] one, other;
  agree = one[CALL_W-1:PRODUCT_W] != other[CALL_W-1:PRODUCT_W]
      || one[PRODUCT_W-1:0] == other[PRODUCT_W-1:0];
endfunction
wire ordered = its_cost == 0 || !(higher && best_by_its >= its_by_best)
    || this_by_its > its_by_this;
wire multiplies = ordered && agree(ours_call, its_call) && agree(theirs_call, best_call)
    && agree(best_call, its_call) && agree(best_call, best_then) && agree(its_call, its_then)
    && agree(best_call, this_by_its_then) && agree(its_call, its_by_this_then);
