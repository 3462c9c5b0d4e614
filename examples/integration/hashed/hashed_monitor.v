// A monitor that takes physical addresses: address_map in front of llc_monitor.
//
// `address_map` is combinational, so that the monitor sees an access in the cycle in which it is
// presented here. Modules carry their parameters in their names: ADDRESS_MAP and LLC_MONITOR are those
// of `export.json`. The set over all modules is the monitor's set; with BANKS modules of their own beside
// several monitors, `module_index` chooses the monitor and the other bits of `set_index` the set.
module hashed_monitor #(
    parameter ADDRESS_W = 33,
    parameter SET_W = 10,
    parameter TAG_W = 16,
    parameter KERNELS = 4,
    parameter CNT_W = 21,
    parameter WAY_W = 4,
    parameter KID_W = KERNELS > 2 ? $clog2(KERNELS) : 1,
    parameter REQ_W = $clog2(KERNELS + 1)
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire [ADDRESS_W-1:0] access_address,
    input wire [REQ_W-1:0] access_requester,
    input wire snapshot,
    input wire [1:0] read_matrix,
    input wire [KID_W-1:0] read_victim,
    input wire [KID_W-1:0] read_aggressor,
    output wire ready,
    output wire done_valid,
    output wire done_hit,
    output wire [CNT_W-1:0] read_count
);
  wire [SET_W-1:0] set_index;
  wire [TAG_W-1:0] tag;

  `ADDRESS_MAP map (
      .address(access_address),
      .set_index(set_index),
      .tag(tag),
      .line(),
      .offset(),
      .sector(),
      .bank_index(),
      .module_index(),
      .colour()
  );

  `LLC_MONITOR monitor (
      .clock(clock),
      .reset(reset),
      .access_valid(access_valid),
      .invalidate_valid(1'b0),
      .request_set(set_index),
      .access_tag(tag),
      .access_requester(access_requester),
      .invalidate_way({WAY_W{1'b0}}),
      .flush(1'b0),
      .snapshot(snapshot),
      .map_valid(1'b0),
      .map_requester({REQ_W{1'b0}}),
      .map_kid({KID_W{1'b0}}),
      .read_matrix(read_matrix),
      .read_victim(read_victim),
      .read_aggressor(read_aggressor),
      .read_live(1'b0),
      .ready(ready),
      .done_valid(done_valid),
      .done_hit(done_hit),
      .done_way(),
      .done_evict(),
      .done_owner(),
      .read_count(read_count),
      .read_overflow(),
      .overflow_gdc(),
      .overflow_ike(),
      .overflow_access(),
      .sequence_number(),
      .mapped_kid()
  );
endmodule
