// The position is one of the stack's, or the code for a miss.
wire legal = access_pos <= WAYS;
