// ucp: its multipliers multiply: from the highest bit of the second factor to the lowest one, twice
// what there is, and the first factor more where the bit is set. Inside the unit: what is multiplied,
// and the products.
localparam PRODUCTS_FACTS = 2;
localparam SUM_W = CNT_W + WAY_W, COST_W = XS_W + WAY_W, PRODUCT_W = SUM_W + COST_W;
function [PRODUCT_W-1:0] times;
  input [SUM_W-1:0] one;
  input [COST_W-1:0] other;
  integer bit_of;
  begin
    times = 0;
    for (bit_of = COST_W - 1; bit_of >= 0; bit_of = bit_of - 1)
      times = 2 * times + (other[bit_of] ? one : 0);
  end
endfunction
wire [PRODUCTS_FACTS-1:0] products = {
  ours_product == times(sum, best_cost), theirs_product == times(best_sum, cost)
};
