// Management of a cache that applications share: what its parts tell each other. The parts are beside it:
// what they put out is given, what they are told is put out, as PART_PORT; each is proven by itself.
// Source: TAP, sections 3 and 5.3. As the spec decides: a monitor's period ends as UCP starts; software's
// masks and quotas hold in place of TAP's; without TAP there are no masks and no divisor.
// There is room for three applications.
module ref_managed_llc #(
    parameter WAYS = 4,
    parameter SETS = 8,
    parameter APPLICATIONS = 2,
    parameter LEADERS = 1,
    parameter SAMPLED = 4,
    parameter CORES = 2,
    parameter TILES = 1,
    parameter TAG_W = 2,
    parameter RRPV_W = 2,
    parameter PSEL_W = 2,
    parameter SEED = 1,
    parameter XS_W = 2,
    parameter CNT_W = 2,
    parameter T_XS = 1,
    parameter ID_W = 1,
    parameter RETIRED_W = 1,
    parameter INSTR_W = 2,
    parameter ROTATE = 0,
    parameter SET_W = $clog2(SETS),
    parameter WAY_W = WAYS > 2 ? $clog2(WAYS) : 1,
    parameter POS_W = $clog2(WAYS + 1),
    parameter APP_W = APPLICATIONS > 2 ? $clog2(APPLICATIONS) : 1
) (
    input wire clock,
    input wire reset,
    input wire access_valid,
    input wire access_invalidate,
    input wire [SET_W-1:0] access_set,
    input wire [TAG_W-1:0] access_tag,
    input wire [APP_W-1:0] access_app,
    input wire [ID_W-1:0] access_core,
    input wire [CORES*RETIRED_W-1:0] retired,
    input wire period,
    input wire [2-1:0] policy,
    input wire aware,
    input wire [APPLICATIONS-1:0] gpu,
    input wire sample,
    input wire choose,
    input wire [ID_W-1:0] choose_pol1,
    input wire [ID_W-1:0] choose_pol2,
    input wire detect,
    input wire [CNT_W-1:0] stream_accesses,
    input wire [8-1:0] stream_rate,
    input wire quota_override,
    input wire [APPLICATIONS*POS_W-1:0] quota_given,
    input wire mask_override,
    input wire [APPLICATIONS-1:0] ucp_mask_given,
    input wire [APPLICATIONS-1:0] rrip_mask_given,
    input wire read_matrix,
    input wire [APP_W-1:0] read_row,
    input wire [APP_W-1:0] read_app,
    input wire read_live,
    input wire directory_ready,
    input wire directory_done_valid,
    input wire [APP_W-1:0] directory_done_app,
    input wire directory_done_hit,
    input wire directory_done_fill,
    input wire [WAY_W-1:0] directory_done_way,
    input wire directory_done_evict,
    input wire [APP_W-1:0] directory_done_owner,
    input wire [APPLICATIONS*PSEL_W-1:0] directory_psel,
    input wire monitor_0_ready,
    input wire [CNT_W-1:0] monitor_0_read_count,
    input wire [(WAYS+1)-1:0] monitor_0_overflow,
    input wire [8-1:0] monitor_0_sequence_number,
    input wire monitor_1_ready,
    input wire [CNT_W-1:0] monitor_1_read_count,
    input wire [(WAYS+1)-1:0] monitor_1_overflow,
    input wire [8-1:0] monitor_1_sequence_number,
    input wire monitor_2_ready,
    input wire [CNT_W-1:0] monitor_2_read_count,
    input wire [(WAYS+1)-1:0] monitor_2_overflow,
    input wire [8-1:0] monitor_2_sequence_number,
    input wire gpu_ratio_busy,
    input wire gpu_ratio_done,
    input wire [XS_W-1:0] gpu_ratio_xsratio,
    input wire [APPLICATIONS*CNT_W-1:0] gpu_ratio_accesses,
    input wire sampler_insensitive,
    input wire [TILES-1:0] sampler_pol1,
    input wire [TILES-1:0] sampler_pol2,
    input wire masks_start,
    input wire [APPLICATIONS-1:0] masks_ucp_mask,
    input wire [APPLICATIONS*XS_W-1:0] masks_ratio,
    input wire [APPLICATIONS-1:0] masks_rrip_mask,
    input wire [APPLICATIONS-1:0] masks_streaming,
    input wire [POS_W-1:0] shares_read_position,
    input wire shares_busy,
    input wire shares_done,
    input wire [APPLICATIONS*POS_W-1:0] shares_quota,
    input wire [CNT_W-1:0] evictions_read_count,
    input wire evictions_read_overflow,
    input wire [APPLICATIONS-1:0] evictions_overflow,
    input wire [8-1:0] evictions_sequence_number,
    input wire [CNT_W-1:0] accesses_read_count,
    input wire accesses_read_overflow,
    input wire [2-1:0] accesses_overflow,
    input wire [8-1:0] accesses_sequence_number,
    output wire ready,
    output wire done_valid,
    output wire [APP_W-1:0] done_app,
    output wire done_hit,
    output wire done_fill,
    output wire [WAY_W-1:0] done_way,
    output wire done_evict,
    output wire [APP_W-1:0] done_owner,
    output wire [APPLICATIONS*PSEL_W-1:0] psel,
    output wire busy,
    output wire decided,
    output wire [APPLICATIONS*POS_W-1:0] quota,
    output wire [APPLICATIONS-1:0] ucp_mask,
    output wire [APPLICATIONS-1:0] rrip_mask,
    output wire [XS_W-1:0] xsratio,
    output wire insensitive,
    output wire [APPLICATIONS-1:0] streaming,
    output wire [CNT_W-1:0] read_count,
    output wire read_overflow,
    output wire [APPLICATIONS-1:0] overflow_evictions,
    output wire [2-1:0] overflow_accesses,
    output wire [8-1:0] sequence_number,
    output wire directory_reset,
    output wire directory_access_valid,
    output wire directory_access_invalidate,
    output wire [SET_W-1:0] directory_access_set,
    output wire [TAG_W-1:0] directory_access_tag,
    output wire [APP_W-1:0] directory_access_app,
    output wire directory_access_pol1,
    output wire directory_access_pol2,
    output wire [2-1:0] directory_policy,
    output wire [APPLICATIONS*POS_W-1:0] directory_quota,
    output wire [APPLICATIONS-1:0] directory_rrip_mask,
    output wire monitor_0_reset,
    output wire monitor_0_access_valid,
    output wire [SET_W-1:0] monitor_0_access_set,
    output wire [TAG_W-1:0] monitor_0_access_tag,
    output wire monitor_0_snapshot,
    output wire [POS_W-1:0] monitor_0_read_position,
    output wire monitor_0_read_live,
    output wire monitor_1_reset,
    output wire monitor_1_access_valid,
    output wire [SET_W-1:0] monitor_1_access_set,
    output wire [TAG_W-1:0] monitor_1_access_tag,
    output wire monitor_1_snapshot,
    output wire [POS_W-1:0] monitor_1_read_position,
    output wire monitor_1_read_live,
    output wire monitor_2_reset,
    output wire monitor_2_access_valid,
    output wire [SET_W-1:0] monitor_2_access_set,
    output wire [TAG_W-1:0] monitor_2_access_tag,
    output wire monitor_2_snapshot,
    output wire [POS_W-1:0] monitor_2_read_position,
    output wire monitor_2_read_live,
    output wire gpu_ratio_reset,
    output wire gpu_ratio_access_valid,
    output wire [APP_W-1:0] gpu_ratio_access_app,
    output wire gpu_ratio_period,
    output wire [APPLICATIONS-1:0] gpu_ratio_gpu,
    output wire sampler_reset,
    output wire [CORES*RETIRED_W-1:0] sampler_retired,
    output wire sampler_period,
    output wire sampler_sample,
    output wire sampler_choose,
    output wire [ID_W-1:0] sampler_choose_pol1,
    output wire [ID_W-1:0] sampler_choose_pol2,
    output wire [TILES-1:0] sampler_access_gpu,
    output wire [TILES*ID_W-1:0] sampler_access_core,
    output wire masks_reset,
    output wire masks_access_valid,
    output wire masks_access_hit,
    output wire [APP_W-1:0] masks_access_app,
    output wire masks_period,
    output wire [APPLICATIONS*CNT_W-1:0] masks_accesses,
    output wire masks_detect,
    output wire [CNT_W-1:0] masks_stream_accesses,
    output wire [8-1:0] masks_stream_rate,
    output wire [APPLICATIONS-1:0] masks_gpu,
    output wire [APPLICATIONS-1:0] masks_insensitive,
    output wire [XS_W-1:0] masks_xsratio,
    output wire masks_xsratio_done,
    output wire shares_reset,
    output wire shares_start,
    output wire [APPLICATIONS-1:0] shares_ucp_mask,
    output wire [APPLICATIONS*XS_W-1:0] shares_xsratio,
    output wire [APPLICATIONS*CNT_W-1:0] shares_read_count,
    output wire evictions_reset,
    output wire evictions_inc_valid,
    output wire [APP_W-1:0] evictions_inc_kid,
    output wire [APPLICATIONS-1:0] evictions_inc,
    output wire evictions_snapshot,
    output wire [APP_W-1:0] evictions_read_victim,
    output wire [APP_W-1:0] evictions_read_aggressor,
    output wire evictions_read_live,
    output wire accesses_reset,
    output wire accesses_inc_valid,
    output wire [APP_W-1:0] accesses_inc_kid,
    output wire [2-1:0] accesses_inc,
    output wire accesses_snapshot,
    output wire [APP_W-1:0] accesses_read_victim,
    output wire [APP_W-1:0] accesses_read_aggressor,
    output wire accesses_read_live
);
  localparam [XS_W-1:0] ONE = 1;

  // The matrix that was asked for in the cycle before.
  reg of_accesses;
  always @(posedge clock) of_accesses <= !reset && read_matrix;

  // What the directory takes, but for invalidations.
  wire taken = access_valid && !access_invalidate && directory_ready;

  // Put out.
  assign ready = directory_ready;
  assign done_valid = directory_done_valid;
  assign done_app = directory_done_app;
  assign done_hit = directory_done_hit;
  assign done_fill = directory_done_fill;
  assign done_way = directory_done_way;
  assign done_evict = directory_done_evict;
  assign done_owner = directory_done_owner;
  assign psel = directory_psel;
  assign busy = gpu_ratio_busy || gpu_ratio_done || masks_start || shares_busy;
  assign decided = shares_done;
  assign quota = quota_override ? quota_given : shares_quota;
  assign ucp_mask = !mask_override ? (aware ? masks_ucp_mask : 0)
      : ucp_mask_given == {APPLICATIONS{1'b1}} ? 0 : ucp_mask_given;
  assign rrip_mask = mask_override ? rrip_mask_given : aware ? masks_rrip_mask : 0;
  assign xsratio = gpu_ratio_xsratio;
  assign insensitive = sampler_insensitive;
  assign streaming = masks_streaming;
  assign read_count = of_accesses ? accesses_read_count : evictions_read_count;
  assign read_overflow = of_accesses ? accesses_read_overflow : evictions_read_overflow;
  assign overflow_evictions = evictions_overflow;
  assign overflow_accesses = accesses_overflow;
  assign sequence_number = evictions_sequence_number;

  // A tile has every TILES-th set.
  genvar t, a;
  generate
    for (t = 0; t < TILES; t = t + 1) begin : tile
      assign sampler_access_gpu[t] = gpu[access_app] && access_set % TILES == t;
      assign sampler_access_core[t*ID_W+:ID_W] = access_core;
    end
    for (a = 0; a < APPLICATIONS; a = a + 1) begin : application
      assign shares_read_count[a*CNT_W+:CNT_W] =
          a == 0 ? monitor_0_read_count : a == 1 ? monitor_1_read_count : monitor_2_read_count;
    end
  endgenerate

  assign directory_reset = reset;
  assign directory_access_valid = access_valid;
  assign directory_access_invalidate = access_invalidate;
  assign directory_access_set = access_set;
  assign directory_access_tag = access_tag;
  assign directory_access_app = access_app;
  assign directory_access_pol1 = sampler_pol1 != 0;
  assign directory_access_pol2 = sampler_pol2 != 0;
  assign directory_policy = policy;
  assign directory_quota = quota;
  assign directory_rrip_mask = rrip_mask;

  assign monitor_0_reset = reset;
  assign monitor_0_access_valid = taken && access_app == 0;
  assign monitor_0_access_set = access_set;
  assign monitor_0_access_tag = access_tag;
  assign monitor_0_snapshot = masks_start;
  assign monitor_0_read_position = shares_read_position;
  assign monitor_0_read_live = 1'b0;

  assign monitor_1_reset = reset;
  assign monitor_1_access_valid = taken && access_app == 1;
  assign monitor_1_access_set = access_set;
  assign monitor_1_access_tag = access_tag;
  assign monitor_1_snapshot = masks_start;
  assign monitor_1_read_position = shares_read_position;
  assign monitor_1_read_live = 1'b0;

  assign monitor_2_reset = reset;
  assign monitor_2_access_valid = taken && access_app == 2;
  assign monitor_2_access_set = access_set;
  assign monitor_2_access_tag = access_tag;
  assign monitor_2_snapshot = masks_start;
  assign monitor_2_read_position = shares_read_position;
  assign monitor_2_read_live = 1'b0;

  assign gpu_ratio_reset = reset;
  assign gpu_ratio_access_valid = directory_done_valid;
  assign gpu_ratio_access_app = directory_done_app;
  assign gpu_ratio_period = period;
  assign gpu_ratio_gpu = gpu;

  assign sampler_reset = reset;
  assign sampler_retired = retired;
  assign sampler_period = period;
  assign sampler_sample = sample;
  assign sampler_choose = choose;
  assign sampler_choose_pol1 = choose_pol1;
  assign sampler_choose_pol2 = choose_pol2;

  assign masks_reset = reset;
  assign masks_access_valid = directory_done_valid;
  assign masks_access_hit = directory_done_hit;
  assign masks_access_app = directory_done_app;
  assign masks_period = period;
  assign masks_accesses = gpu_ratio_accesses;
  assign masks_detect = detect;
  assign masks_stream_accesses = stream_accesses;
  assign masks_stream_rate = stream_rate;
  assign masks_gpu = gpu;
  assign masks_insensitive = sampler_insensitive ? gpu : 0;
  assign masks_xsratio = gpu_ratio_xsratio;
  assign masks_xsratio_done = gpu_ratio_done;

  assign shares_reset = reset;
  assign shares_start = masks_start;
  assign shares_ucp_mask = ucp_mask;
  assign shares_xsratio = aware ? masks_ratio : {APPLICATIONS{ONE}};

  assign evictions_reset = reset;
  assign evictions_inc_valid = directory_done_evict;
  assign evictions_inc_kid = directory_done_app;
  assign evictions_inc = 1'b1 << directory_done_owner;
  assign evictions_snapshot = period;
  assign evictions_read_victim = read_row;
  assign evictions_read_aggressor = read_app;
  assign evictions_read_live = read_live;

  assign accesses_reset = reset;
  assign accesses_inc_valid = directory_done_valid;
  assign accesses_inc_kid = directory_done_app;
  assign accesses_inc = directory_done_hit ? 2'd1 : 2'd2;
  assign accesses_snapshot = period;
  assign accesses_read_victim = read_row;
  assign accesses_read_aggressor = read_app;
  assign accesses_read_live = read_live;
endmodule
