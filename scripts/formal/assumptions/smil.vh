// Issued is what may be, completed what is in flight; a limit lets something pass.
wire legal = (!issue || allow) && (!complete || |in_flight)
    && (!set_valid || set_unlimited || |set_limit);
