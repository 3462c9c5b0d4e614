// lru_stack: the stack is a permutation of the ways, the valid ones on top.
localparam ORDER_FACTS = WAYS * WAYS + 4 * WAYS;

wire [WAYS-1:0] way_known, owner_known, valid_on_top, somewhere;
wire [WAYS*WAYS-1:0] distinct, found;
generate
  for (i = 0; i < WAYS; i = i + 1) begin : ordered
    wire [WAY_W-1:0] way = stack_way[i*WAY_W+:WAY_W];
    assign way_known[i] = way < WAYS;
    assign owner_known[i] = stack_owner[i*KID_W+:KID_W] < KERNELS;
    assign valid_on_top[i] = i == 0 || stack_valid[(i+WAYS-1)%WAYS] || !stack_valid[i];
    for (j = 0; j < WAYS; j = j + 1) begin : other
      assign distinct[i*WAYS+j] = i == j || way != stack_way[j*WAY_W+:WAY_W];
      assign found[j*WAYS+i] = way == j;
    end
    // Follows from the others, but only by counting, which solvers do badly.
    assign somewhere[i] = |found[i*WAYS+:WAYS];
  end
endgenerate
wire [ORDER_FACTS-1:0] order = {somewhere, distinct, valid_on_top, owner_known, way_known};
