// Plays a host: receives the text from the board's serial line, asks for it once more, receives it
// again, and writes all that came to received.txt.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Defined by scripts/fpga: BOARD, the top module; CLOCK_HZ; BAUD. It keeps its own time: nothing of
// the design is looked at but the line. BOARD is the Verilog of the board, or with NETLIST defined
// what was made of it, in which the rate is fixed.
`timescale 1ns / 1ps
`default_nettype none

module testbench;
  localparam real BIT = 1.0e9 / `BAUD;

  reg clock = 1'b0;
  always #(0.5e9 / `CLOCK_HZ) clock = ~clock;

  reg rx = 1'b1;
  wire tx, led;
`ifdef NETLIST
  `BOARD board (
`else
  `BOARD #(
      .BAUD(`BAUD)
  ) board (
`endif
      .clock(clock),
      .rx(rx),
`ifdef BUTTON
      .button(1'b0),
`endif
      .tx(tx),
      .led(led)
  );

  integer file, texts, n;
  reg [7:0] value;
  reg early;

  // The text is over when no byte came for a while.
  integer bytes = 0, seen;
  event over;
  always begin
    seen = bytes;
    #(40 * BIT);
    if (bytes == seen) -> over;
  end

  task fail(input [8*40-1:0] what);
    begin
      $display("FAIL: %0s at %0t ps", what, $time);
      $finish;
    end
  endtask

  // A bit has to keep its level from its first quarter to its third.
  task sample(output level);
    begin
      #(0.25 * BIT) early = tx;
      #(0.25 * BIT) level = tx;
      if (level !== early) fail("a bit changes its level");
      #(0.25 * BIT) if (level !== tx) fail("a bit changes its level");
      #(0.25 * BIT);
    end
  endtask

  always @(negedge tx) begin : receive
    reg level;
    sample(level);
    if (level !== 1'b0) fail("a start bit is not low");
    for (n = 0; n < 8; n = n + 1) sample(value[n]);
    #(0.5 * BIT) if (tx !== 1'b1) fail("a stop bit is not high");
    $fwrite(file, "%c", value);
    bytes = bytes + 1;
  end

  task ask;
    integer i;
    begin
      rx = 1'b0;
      #(BIT);
      for (i = 0; i < 8; i = i + 1) begin
        rx = (8'h55 >> i) & 1'b1;
        #(BIT);
      end
      rx = 1'b1;
    end
  endtask

  initial begin
    file = $fopen("received.txt", "wb");
    texts = 0;
    while (texts < 2) begin
      @(over);
      if (led === 1'b1) begin
        texts = texts + 1;
        if (texts < 2) ask;
      end
    end
    $fclose(file);
    $display("received two texts in %0t ps", $time);
    $finish;
  end

  initial begin
    repeat (`LIMIT) #(BIT);
    fail("no text after a long time");
  end
endmodule
`default_nettype wire
