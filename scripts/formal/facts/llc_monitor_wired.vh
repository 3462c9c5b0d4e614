// What the monitor puts out goes to the cache and to the register file; what these put out goes to
// the monitor.
localparam WIRED_FACTS = 6;
wire [WIRED_FACTS-1:0] wired;
`ifdef CUT
assign wired = {
  {ready, done_valid, done_hit, done_way, done_evict, done_owner} == {monitor_ready,
      monitor_done_valid, monitor_done_hit, monitor_done_way, monitor_done_evict,
      monitor_done_owner},
  {file_ready, file_mapped_kid, file_read_count, file_read_overflow, file_sequence_number}
      == {monitor_ready, monitor_mapped_kid, monitor_read_count, monitor_read_overflow,
          monitor_sequence_number},
  {file_overflow_gdc, file_overflow_ike, file_overflow_access}
      == {monitor_overflow_gdc, monitor_overflow_ike, monitor_overflow_access},
  {monitor_reset, monitor_access_valid, monitor_access_tag, monitor_access_requester}
      == {reset, access_valid, access_tag, access_requester},
  {monitor_request_set, monitor_invalidate_valid, monitor_invalidate_way}
      == {request_set, invalidate_valid, invalidate_way},
  {monitor_flush, monitor_snapshot, monitor_map_valid, monitor_map_requester, monitor_map_kid,
      monitor_read_matrix, monitor_read_victim, monitor_read_aggressor, monitor_read_live}
      == {file_flush, file_snapshot, file_map_valid, file_map_requester, file_map_kid,
          file_read_matrix, file_read_victim, file_read_aggressor, file_read_live}
};
`else
assign wired = ~0;
`endif
