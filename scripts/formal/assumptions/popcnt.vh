// Any vector is legal.
wire legal = 1'b1;
