// The clock of testbench.v for Verilator.
// SPDX-License-Identifier: MIT OR Apache-2.0

#include "Vtestbench.h"
#include "verilated.h"

int main(int argc, char** argv) {
    VerilatedContext context;
    context.commandArgs(argc, argv);
    Vtestbench testbench{&context};
    while (!context.gotFinish()) {
        testbench.clock = !testbench.clock;
        testbench.eval();
    }
    testbench.final();
}
