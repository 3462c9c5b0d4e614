// quota_victim: what the choice is for. `known`: the victim is a line of the set, told by its
// position, its way and its owner; a valid one only if all are. `kept`: an application at or below
// its quota loses no line to another, and one at or above its quota takes its own if it has one;
// but where there is no application above its quota and the requester has no line. `oldest`: below
// the victim there is no line that could have been chosen as well: no invalid one; none of the
// requester, if the victim is its own; none of an application above its quota, if it is another's.
// `adds_up`: where quotas add up to the ways and the requester's is not 0, that exception is none.
localparam POS_W = $clog2(WAYS + 1), APP_W = APPLICATIONS > 2 ? $clog2(APPLICATIONS) : 1;
localparam KNOWN_FACTS = 4, KEPT_FACTS = 2, OLDEST_FACTS = WAYS, ADDS_UP_FACTS = 1;
localparam TOTAL_W = POS_W + 5;

// Lines of each application, and all quotas.
wire [APPLICATIONS*(WAYS+1)*POS_W-1:0] counted;
wire [(APPLICATIONS+1)*TOTAL_W-1:0] quotas;
wire [APPLICATIONS-1:0] over, its_own_below, has_none, has_quota, loses;
assign quotas[0+:TOTAL_W] = 0;
generate
  for (i = 0; i < APPLICATIONS; i = i + 1) begin : application
    assign counted[i*(WAYS+1)*POS_W+:POS_W] = 0;
    for (j = 0; j < WAYS; j = j + 1) begin : line
      assign counted[(i*(WAYS+1)+j+1)*POS_W+:POS_W] = counted[(i*(WAYS+1)+j)*POS_W+:POS_W]
          + (stack_valid[j] && stack_owner[j*APP_W+:APP_W] == i);
    end
    wire [POS_W-1:0] has = counted[(i*(WAYS+1)+WAYS)*POS_W+:POS_W];
    wire [POS_W-1:0] quota_of = quota[i*POS_W+:POS_W];
    assign quotas[(i+1)*TOTAL_W+:TOTAL_W] = quotas[i*TOTAL_W+:TOTAL_W] + quota_of;
    assign over[i] = has > quota_of;
    assign its_own_below[i] = requester == i && has < quota_of;
    assign has_none[i] = requester == i && has == 0;
    assign has_quota[i] = requester == i && quota_of != 0;
    assign loses[i] = victim_valid && victim_owner == i;
  end
endgenerate
wire own = victim_owner == requester;
wire nobody = !(|over) && |has_none;

wire [WAYS-1:0] here, older;
generate
  for (i = 0; i < WAYS; i = i + 1) begin : position
    assign here[i] = victim_position == i && victim_way == stack_way[i*WAY_W+:WAY_W]
        && victim_owner == stack_owner[i*APP_W+:APP_W];
    wire [APPLICATIONS-1:0] owned_over;
    for (j = 0; j < APPLICATIONS; j = j + 1) begin : owner
      assign owned_over[j] = over[j] && stack_owner[i*APP_W+:APP_W] == j;
    end
    wire eligible = !victim_valid ? !stack_valid[i]
        : own ? stack_owner[i*APP_W+:APP_W] == requester : |owned_over || nobody;
    assign older[i] = victim_position >= i || !eligible;
  end
endgenerate
wire [KNOWN_FACTS-1:0] known = {
  |here, victim_way < WAYS, victim_position < WAYS, victim_valid == &stack_valid
};
wire [KEPT_FACTS-1:0] kept = {
  !victim_valid || own || nobody || |(over & loses) && (|its_own_below || |has_none),
  !victim_valid || !own || nobody || !(|its_own_below) || !(|over)
};
wire [OLDEST_FACTS-1:0] oldest = older;
wire [ADDS_UP_FACTS-1:0] adds_up =
    !(nobody && &stack_valid && |has_quota && quotas[APPLICATIONS*TOTAL_W+:TOTAL_W] <= WAYS);
