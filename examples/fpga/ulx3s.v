// The demo on a ULX3S with an LFE5U-25F; pins in ulx3s.lpf.
// SPDX-License-Identifier: MIT OR Apache-2.0
`default_nettype none

module ulx3s #(
    parameter BAUD = 115200
) (
    input wire clock, // 25 MHz
    input wire rx,
    input wire button, // FIRE 1, high when pressed
    output wire tx,
    output wire led, // lit: all of the text is sent
    output wire wifi_gpio0 // low would let the board's ESP32 reconfigure it
);
  assign wifi_gpio0 = 1'b1;

  demo #(
      .CLOCK_HZ(25000000),
      .BAUD(BAUD)
  ) demo (
      .clock(clock),
      .rx(rx),
      .again(button),
      .tx(tx),
      .finished(led)
  );
endmodule
`default_nettype wire
