// Issued is what may be, completed what is in flight; one request is accepted or refused.
wire legal = (!issue || allow) && (!complete || |in_flight) && !(request && fail);
