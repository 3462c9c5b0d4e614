// What the counters put out goes to the cache and to the register file; what these put out goes to
// the counters.
localparam WIRED_FACTS = 5;
wire [WIRED_FACTS-1:0] wired;
`ifdef CUT
assign wired = {
  {access_kid, file_ready, ready} == {counters_access_kid, 1'b1, swept[PAIR_W]},
  {file_mapped_kid, file_read_count, file_read_overflow, file_sequence_number}
      == {counters_mapped_kid, counters_read_count, counters_read_overflow,
          counters_sequence_number},
  {file_overflow_gdc, file_overflow_ike, file_overflow_access}
      == {counters_overflow_gdc, counters_overflow_ike, counters_overflow_access},
  {counters_reset, counters_access_valid, counters_access_hit, counters_access_requester,
      counters_demoted, counters_line_owner, counters_victim_valid, counters_victim_owner}
      == {reset, access_valid, access_hit, access_requester, demoted, line_owner, victim_valid,
          victim_owner},
  {counters_snapshot, counters_map_valid, counters_map_requester, counters_map_kid,
      counters_read_matrix, counters_read_victim, counters_read_aggressor, counters_read_live}
      == {file_snapshot, file_map_valid, file_map_requester, file_map_kid, file_read_matrix,
          file_read_victim, file_read_aggressor, file_read_live}
};
`else
assign wired = ~0;
`endif
