// lru_stack and its reference, which keeps the position by way: the way in each position is the
// one of that age, and both mean the same owner and valid bit. Makes their equality inductive.
localparam AGES_FACTS = WAYS * WAYS + 2 * WAYS;

wire [WAYS*WAY_W-1:0] way_age;
wire [WAYS*KID_W-1:0] way_owner;
wire [WAYS-1:0] way_valid;
wire [WAYS*WAYS-1:0] same_place;
wire [WAYS-1:0] same_owner, same_valid;
generate
  for (i = 0; i < WAYS; i = i + 1) begin : at
    wire [WAYS-1:0] here, owner_here, valid_here;
    for (j = 0; j < WAYS; j = j + 1) begin : way
      assign here[j] = stack_way[i*WAY_W+:WAY_W] == j;
      assign same_place[i*WAYS+j] = here[j] == (way_age[j*WAY_W+:WAY_W] == i);
      assign owner_here[j] = stack_owner[i*KID_W+:KID_W] == way_owner[j*KID_W+:KID_W];
      assign valid_here[j] = stack_valid[i] == way_valid[j];
    end
    assign same_owner[i] = &(~here | owner_here);
    assign same_valid[i] = &(~here | valid_here);
  end
endgenerate
wire [AGES_FACTS-1:0] ages = {same_valid, same_owner, same_place};
