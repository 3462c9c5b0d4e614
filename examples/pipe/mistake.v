// The design of examples/scoreboard with its mistake.
// SPDX-License-Identifier: MIT OR Apache-2.0
`define MISTAKE
`include "my_lru.v"
