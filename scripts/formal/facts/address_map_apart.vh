// address_map: two addresses have the same set, tag and offset only if they are the same.
localparam APART_FACTS = 1;
wire [SET_W-1:0] other_set;
wire [ADDRESS_W-OFFSET_W-SET_W-1:0] other_tag;
wire [OFFSET_W-1:0] other_offset;
`DUT of_other (
    .address(other),
    .set_index(other_set),
    .tag(other_tag),
    .offset(other_offset)
);
wire same = set_index == other_set && tag == other_tag && offset == other_offset;
wire [APART_FACTS-1:0] apart = !same || address == other;
