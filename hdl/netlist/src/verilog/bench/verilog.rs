//! The test bench in Verilog.

use super::super::names::Scope;
use super::super::{Design, Direction, Port};
use super::{Packing, Start};

/// Identifiers of a test bench that must not clash with those of the ports.
struct Own {
    clock: String,
    cycle: String,
    compared: String,
    mismatches: String,
    started: String,
    stimulus: String,
    expected: String,
    want: String,
    dut: String,
}

pub(super) fn text(design: &Design, start: &Start, cycles: u64) -> String {
    let mut scope = Scope::default();
    design.ports.iter().for_each(|p| scope.reserve(&p.verilog));
    let mut claim = |name: &str| scope.claim(name);
    let clock = design.ports.iter().find(|p| p.clock);
    let own = Own {
        clock: clock.map_or_else(|| claim("clock"), |p| p.verilog.clone()),
        cycle: claim("cycle"),
        compared: claim("compared"),
        mismatches: claim("mismatches"),
        started: claim("started"),
        stimulus: claim("stimulus"),
        expected: claim("expected"),
        want: claim("want"),
        dut: claim("dut"),
    };
    let (inputs, outputs) = (
        Packing::of(design, Direction::Input),
        Packing::of(design, Direction::Output),
    );
    let mut out = header(design, &inputs, &outputs, cycles);
    declarations(design, &own, &inputs, &outputs, cycles, &mut out);
    play(&own, start, &inputs, &outputs, &mut out);
    out.push("endmodule".into());
    out.join("\n") + "\n"
}

fn header(design: &Design, inputs: &Packing, outputs: &Packing, cycles: u64) -> Vec<String> {
    let top = &design.top;
    let mut out = vec![
        format!("// Plays {cycles} cycles of vectors on {top} and compares every output."),
        "// SPDX-License-Identifier: MIT OR Apache-2.0".into(),
        "//".into(),
        format!("//   iverilog -g2005 -s {top}_tb -o {top}_tb {top}_tb.v MODULES.v"),
        format!("//   vvp {top}_tb"),
        "//".into(),
        "// The last line says PASS or FAIL. Inputs change at the falling edge of the".into(),
        "// clock; outputs are compared before the rising edge, and an X is a mismatch.".into(),
    ];
    for (packing, kind) in [(inputs, "stimulus"), (outputs, "expected")] {
        out.push("//".into());
        out.push(format!(
            "// {top}_{kind}.hex: a line a cycle, {} bits in hex digits:",
            packing.width
        ));
        for (name, low, width) in packing.fields.iter().rev() {
            out.push(format!("//   [{}:{low}] {name}", low + width - 1));
        }
    }
    out.push(String::new());
    out
}

fn range(width: usize) -> String {
    format!("[{}:0]", width - 1)
}

fn declarations(
    design: &Design,
    own: &Own,
    inputs: &Packing,
    outputs: &Packing,
    cycles: u64,
    out: &mut Vec<String>,
) {
    let top = &design.top;
    out.push(format!("module {top}_tb;"));
    out.push(format!("  parameter CYCLES = {cycles};"));
    out.push(format!("  parameter STIMULUS = \"{top}_stimulus.hex\";"));
    out.push(format!("  parameter EXPECTED = \"{top}_expected.hex\";"));
    out.push("  // Mismatches to print.".into());
    out.push("  parameter REPORTS = 10;".into());
    out.push(String::new());
    out.push(format!(
        "  reg {} {} [0:CYCLES-1];",
        range(inputs.width),
        own.stimulus
    ));
    out.push(format!(
        "  reg {} {} [0:CYCLES-1];",
        range(outputs.width),
        own.expected
    ));
    out.push(format!("  reg {} {};", range(outputs.width), own.want));
    out.push(format!(
        "  integer {}, {}, {};",
        own.cycle, own.compared, own.mismatches
    ));
    out.push(format!("  reg {};", own.started));
    out.push(format!("  reg {};", own.clock));
    for port in design.ports.iter().filter(|p| !p.clock) {
        let kind = if port.direction == Direction::Input {
            "reg"
        } else {
            "wire"
        };
        out.push(format!(
            "  {kind}{} {};",
            super::super::print::range(port.width),
            port.verilog
        ));
    }
    out.push(String::new());
    out.push(format!("  {top} {} (", own.dut));
    let last = design.ports.len().saturating_sub(1);
    for (i, Port { verilog, .. }) in design.ports.iter().enumerate() {
        let comma = if i == last { "" } else { "," };
        out.push(format!("    .{verilog}({verilog}){comma}"));
    }
    out.push("  );".into());
    out.push(String::new());
}

fn play(own: &Own, start: &Start, inputs: &Packing, outputs: &Packing, out: &mut Vec<String>) {
    let Own {
        clock,
        cycle,
        compared,
        mismatches,
        started,
        stimulus,
        expected,
        want,
        ..
    } = own;
    let mut line = |text: String| out.push(text);
    line("  initial begin".into());
    line(format!("    $readmemh(STIMULUS, {stimulus});"));
    line(format!("    $readmemh(EXPECTED, {expected});"));
    line(format!("    {mismatches} = 0;"));
    line(format!("    {compared} = 0;"));
    line(format!(
        "    {started} = 1'b{};",
        u8::from(start.resets.is_empty())
    ));
    line(format!("    {clock} = 1'b1;"));
    line("    #5;".into());
    line(format!(
        "    for ({cycle} = 0; {cycle} < CYCLES; {cycle} = {cycle} + 1) begin"
    ));
    line(format!("      {clock} = 1'b0;"));
    let ports: Vec<&str> = inputs.fields.iter().rev().map(|f| f.0.as_str()).collect();
    if !ports.is_empty() {
        line(format!(
            "      {{{}}} = {stimulus}[{cycle}];",
            ports.join(", ")
        ));
    }
    line(format!("      {want} = {expected}[{cycle}];"));
    line(format!(
        "      if (^{stimulus}[{cycle}] === 1'bx || ^{want} === 1'bx) begin"
    ));
    line(format!(
        "        $display(\"cycle %0d: no vector\", {cycle});"
    ));
    line(format!("        {mismatches} = {mismatches} + 1;"));
    line("      end".into());
    line("      #5;".into());
    line(format!("      if ({started}) begin"));
    line(format!("        {compared} = {compared} + 1;"));
    for (name, low, width) in &outputs.fields {
        let slice = format!("{want}[{}:{low}]", low + width - 1);
        let when = match &start.ready {
            Some(ready) if ready != name => format!("{ready} === 1'b1 && "),
            _ => String::new(),
        };
        line(format!("        if ({when}{name} !== {slice}) begin"));
        line(format!("          if ({mismatches} < REPORTS) begin"));
        line(format!(
            "            $display(\"cycle %0d: {name}: got %h, expected %h\", {cycle}, {name}, {slice});"
        ));
        line("          end".into());
        line(format!("          {mismatches} = {mismatches} + 1;"));
        line("        end".into());
    }
    line("      end".into());
    if !start.resets.is_empty() {
        line(format!("      if ({}) begin", start.resets.join(" & ")));
        line(format!("        {started} = 1'b1;"));
        line("      end".into());
    }
    line(format!("      {clock} = 1'b1;"));
    line("      #5;".into());
    line("    end".into());
    line(format!("    if ({compared} == 0) begin"));
    line("      $display(\"FAIL nothing compared: the vectors never reset\");".into());
    line(format!("    end else if ({mismatches} == 0) begin"));
    line("      $display(\"PASS %0d cycles\", CYCLES);".into());
    line("    end else begin".into());
    line(format!(
        "      $display(\"FAIL %0d mismatches in %0d cycles\", {mismatches}, CYCLES);"
    ));
    line("    end".into());
    line("    $finish;".into());
    line("  end".into());
}
