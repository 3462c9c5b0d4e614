// The manager keeps to the protocol of APB4: see protocols/apb4.v.
wire legal;
