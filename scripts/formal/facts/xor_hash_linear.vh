// xor_hash: the index of the XOR of two addresses is the XOR of their indices.
localparam LINEAR_FACTS = INDEX_W;
wire [INDEX_W-1:0] other_index, sum_index;
`DUT of_other (
    .address(other),
    .index(other_index)
);
`DUT of_sum (
    .address(address ^ other),
    .index(sum_index)
);
wire [LINEAR_FACTS-1:0] linear = ~(sum_index ^ index ^ other_index);
