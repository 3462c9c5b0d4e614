// A stored stream of accesses played into llc_monitor, and its matrices sent as text.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Wait until the line is quiet; reset the monitor and let it sweep; play the stream, one access per
// cycle; end the period with a snapshot; send the text. A start bit on rx, or `again`, does it all
// once more.
//
// config.vh, stream.hex and text.hex are written by scripts/fpga: the monitor's module and its
// geometry, the accesses, and the text. A token of the text is a character, or with its highest bit
// set the place {matrix, row, column} of a counter, which is sent in decimal, padded with blanks;
// 0 ends it.
`default_nettype none

module demo #(
    parameter CLOCK_HZ = 12000000,
    parameter BAUD = 115200
) (
    input wire clock,
    // The serial line from the host; any start bit means: once more.
    input wire rx,
    // Active high, asynchronous: once more. Bouncing does no harm.
    input wire again,
    // The serial line to the host.
    output wire tx,
    // All of the text is sent.
    output wire finished
);
  `include "config.vh"

  localparam DIVIDER = (CLOCK_HZ + BAUD / 2) / BAUD;
  // A byte on rx has at most nine low bits in a row: when the line was high for longer than a byte,
  // it is over. The host's receiver finds the first start bit after such a pause, too.
  localparam QUIET = 16 * DIVIDER;
  localparam QUIET_W = $clog2(QUIET + 1);
  localparam INDEX_W = $clog2(ACCESSES);
  localparam TEXT_W = $clog2(TOKENS);
  localparam DIGIT_W = $clog2(DIGITS + 1);
  // The last access is counted 4 + STAGES cycles after it was heard, and a counter shows two cycles
  // after its address: some to spare.
  localparam SETTLE = 8 + STAGES;
  localparam WAIT_W = $clog2(SETTLE + 1);

  // Bits of a line's number: the bank lowest, then the set, then the tag.
  localparam BANK_BITS = $clog2(BANKS);

  localparam [3:0] SWEEP = 0, PLAY = 1, COUNT = 2, SNAPSHOT = 3, FETCH = 4, TOKEN = 5, READ = 6,
      CONVERT = 7, DIGIT = 8, FINISHED = 9;

  // Inputs, synchronised. Flops start at zero: a quiet line has to be seen first.
  reg [1:0] rx_sync, again_sync;
  reg [QUIET_W-1:0] quiet;
  reg reset;
  initial quiet = 0;
  initial reset = 1'b1;
  always @(posedge clock) begin
    rx_sync <= {rx_sync[0], rx};
    again_sync <= {again_sync[0], again};
    if (!rx_sync[1] || again_sync[1]) quiet <= 0;
    else if (quiet != QUIET) quiet <= quiet + 1;
    reset <= quiet != QUIET;
  end

  reg [3:0] state;
  reg [WAIT_W-1:0] waited;

  // The stream.
  reg [KID_W+LINE_W-1:0] stream[0:ACCESSES-1];
  initial $readmemh("stream.hex", stream);
  reg [INDEX_W-1:0] index;
  reg [KID_W+LINE_W-1:0] access;
  reg access_valid;
  always @(posedge clock) begin
    access <= stream[index];
    access_valid <= state == PLAY && !reset;
  end

  wire [LINE_W-1:0] line = access[LINE_W-1:0];
  wire [KID_W-1:0] kid = access[LINE_W +: KID_W];
  wire [REQUESTER_W-1:0] requester = kid;
  wire [SET_W-1:0] set_index = line >> BANK_BITS;
  wire [TAG_W-1:0] tag = line >> (BANK_BITS + SET_W);
  reg [BANKS-1:0] bank;
  integer b;
  always @*
    for (b = 0; b < BANKS; b = b + 1)
      bank[b] = access_valid && (line & (BANKS - 1)) == b;

  // The text.
  reg [TOKEN_W-1:0] text[0:TOKENS-1];
  initial $readmemh("text.hex", text);
  reg [TEXT_W-1:0] place;
  reg [TOKEN_W-1:0] token;
  always @(posedge clock) token <= text[place];
  wire is_count = token[TOKEN_W-1];

  wire ready;
  wire [COUNT_W-1:0] count;
  `LLC_MONITOR monitor (
      .clock(clock),
      .reset(reset),
      .access_valid(bank),
      .invalidate_valid({BANKS{1'b0}}),
      .request_set({BANKS{set_index}}),
      .access_tag({BANKS{tag}}),
      .access_requester({BANKS{requester}}),
      .invalidate_way({BANKS{{WAY_W{1'b0}}}}),
      .flush(1'b0),
      .snapshot(state == SNAPSHOT),
      // After reset, requester k is kernel k.
      .map_valid(1'b0),
      .map_requester({REQUESTER_W{1'b0}}),
      .map_kid({KID_W{1'b0}}),
      .read_matrix(token[2*KID_W +: 2]),
      .read_victim(token[KID_W +: KID_W]),
      .read_aggressor(token[0 +: KID_W]),
      .read_live(1'b0),
      .mapped_kid(),
      .ready(ready),
      .done_valid(),
      .done_hit(),
      .done_way(),
      .done_evict(),
      .done_owner(),
      .read_count(count),
      .read_overflow(),
      .overflow_gdc(),
      .overflow_ike(),
      .overflow_access(),
      .sequence_number()
  );

  // Decimal digits, the highest first.
  wire converting;
  wire [4*DIGITS-1:0] digits;
  reg [4*DIGITS-1:0] shown;
  reg [DIGIT_W-1:0] digits_left;
  reg leading; // only zeros so far
  wire [3:0] digit = shown[4*DIGITS-1 -: 4];
  wire blank = leading && digit == 0 && digits_left != 1;
  wire settled = waited == SETTLE;
  decimal #(
      .VALUE_W(COUNT_W),
      .DIGITS(DIGITS)
  ) to_decimal (
      .clock(clock),
      .reset(reset),
      .start(state == READ && settled),
      .value(count),
      .busy(converting),
      .digits(digits)
  );

  wire sent;
  uart_tx #(
      .DIVIDER(DIVIDER)
  ) uart (
      .clock(clock),
      .reset(reset),
      .valid(state == DIGIT || (state == TOKEN && !is_count && token != 0)),
      .data(state == DIGIT ? (blank ? 8'h20 : {4'h3, digit}) : {1'b0, token[6:0]}),
      .ready(sent),
      .tx(tx)
  );

  assign finished = state == FINISHED;

  always @(posedge clock)
    if (reset) begin
      state <= SWEEP;
      index <= 0;
      place <= 0;
      waited <= 0;
    end else
      case (state)
        SWEEP: if (ready) state <= PLAY;
        PLAY:
        if (index == ACCESSES - 1) state <= COUNT;
        else index <= index + 1;
        COUNT: begin
          waited <= waited + 1;
          if (settled) state <= SNAPSHOT;
        end
        SNAPSHOT: state <= FETCH;
        FETCH: begin // the token comes out of its RAM
          waited <= 0;
          state <= TOKEN;
        end
        TOKEN:
        if (token == 0) state <= FINISHED;
        else if (is_count) state <= READ;
        else if (sent) begin
          place <= place + 1;
          state <= FETCH;
        end
        READ: begin // the counter comes out of the monitor
          waited <= waited + 1;
          if (settled) state <= CONVERT;
        end
        CONVERT:
        if (!converting) begin
          shown <= digits;
          digits_left <= DIGITS;
          leading <= 1'b1;
          state <= DIGIT;
        end
        DIGIT:
        if (sent) begin
          shown <= shown << 4;
          leading <= blank;
          digits_left <= digits_left - 1;
          if (digits_left == 1) begin
            place <= place + 1;
            state <= FETCH;
          end
        end
        default: state <= FINISHED;
      endcase
endmodule
`default_nettype wire
