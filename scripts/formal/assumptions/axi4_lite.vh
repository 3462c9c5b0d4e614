// The manager keeps to the protocol of AXI4-Lite: see protocols/axi4_lite.v.
wire legal;
