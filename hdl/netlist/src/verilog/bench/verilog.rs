//! Prints the testbench in Verilog that plays vectors.

use super::super::header::license_comment;
use super::super::names::Scope;
use super::super::print::range;
use super::super::Direction;
use super::{signal, Bench, Value};
use crate::vectors::VERSION;

/// Identifiers of a test bench that must not clash with those of the ports.
struct Own {
    clock: String,
    cycle: String,
    cycles: String,
    compared: String,
    mismatches: String,
    started: String,
    file: String,
    got: String,
    head: String,
    peek: String,
    skip: String,
    dut: String,
    /// One per output.
    want: Vec<String>,
}

pub(super) fn text(bench: &Bench) -> String {
    let mut scope = Scope::default();
    let ports = &bench.design.ports;
    ports.iter().for_each(|p| scope.reserve(signal(p)));
    let mut claim = |name: &str| scope.claim(name);
    let clock = ports.iter().find(|p| p.clock);
    let own = Own {
        clock: clock.map_or_else(|| claim("clock"), |p| p.verilog.clone()),
        cycle: claim("cycle"),
        cycles: claim("cycles"),
        compared: claim("compared"),
        mismatches: claim("mismatches"),
        started: claim("started"),
        file: claim("file"),
        got: claim("got"),
        head: claim("head"),
        peek: claim("peek"),
        skip: claim("skip"),
        dut: claim("dut"),
        want: bench
            .outputs
            .iter()
            .map(|output| claim(&format!("want_{}", output.name)))
            .collect(),
    };
    let mut out = header(bench);
    declarations(bench, &own, &mut out);
    tasks(&own, &mut out);
    play(bench, &own, &mut out);
    out.push("endmodule".into());
    out.join("\n") + "\n"
}

fn header(bench: &Bench) -> Vec<String> {
    let top = &bench.design.top;
    let mut out = vec![format!(
        "// Plays {top}.vec on {top} and compares every output."
    )];
    out.extend(license_comment(bench.design.license.as_deref()));
    out.extend([
        "//".into(),
        format!("//   iverilog -g2005 -s {top}_tb -o {top}_tb {top}_tb.v MODULES.v"),
        format!("//   vvp {top}_tb"),
        "//".into(),
        "// The last line says PASS or FAIL. Inputs change at the falling edge of the".into(),
        "// clock; outputs are compared before the rising edge, and an X is a mismatch.".into(),
        "// Flops are unknown until they are reset: nothing is compared before.".into(),
        String::new(),
    ]);
    out
}

fn declarations(bench: &Bench, own: &Own, out: &mut Vec<String>) {
    let Own {
        clock,
        cycle,
        cycles,
        compared,
        mismatches,
        started,
        file,
        got,
        head,
        ..
    } = own;
    let design = bench.design;
    let top = &design.top;
    out.push(format!("module {top}_tb;"));
    out.push(format!("  parameter VECTORS = \"{top}.vec\";"));
    out.push("  // Mismatches to print.".into());
    out.push("  parameter REPORTS = 10;".into());
    out.push(String::new());
    out.push(format!("  integer {file}, {got}, {head};"));
    out.push(format!(
        "  reg [63:0] {cycle}, {cycles}, {compared}, {mismatches};"
    ));
    out.push(format!("  reg {started};"));
    out.push(format!("  reg {clock};"));
    for port in design.ports.iter().filter(|p| !p.clock) {
        let kind = match port.direction {
            Direction::Input => "reg",
            Direction::Output => "wire",
        };
        out.push(format!("  {kind}{} {};", range(port.width), signal(port)));
    }
    for (output, want) in bench.outputs.iter().zip(&own.want) {
        out.push(format!("  reg{} {want};", range(output.width)));
    }
    out.push(String::new());
    out.push(format!("  {top} {} (", own.dut));
    let last = design.ports.len().saturating_sub(1);
    for (i, port) in design.ports.iter().enumerate() {
        let comma = if i == last { "" } else { "," };
        let inverse = if port.active_low { "~" } else { "" };
        let (verilog, signal) = (&port.verilog, signal(port));
        out.push(format!("    .{verilog}({inverse}{signal}){comma}"));
    }
    out.push("  );".into());
    out.push(String::new());
}

fn tasks(own: &Own, out: &mut Vec<String>) {
    let Own {
        file,
        got,
        head,
        peek,
        skip,
        ..
    } = own;
    let mut line = |text: String| out.push(text);
    line("  // The first character of the next line, which is left to be read.".into());
    line(format!("  task {peek};"));
    line("    begin".into());
    line(format!("      {head} = $fgetc({file});"));
    line(format!("      {got} = $ungetc({head}, {file});"));
    line("    end".into());
    line("  endtask".into());
    line(String::new());
    line("  // The rest of a line, then the next one's first character.".into());
    line(format!("  task {skip};"));
    line("    begin".into());
    line(format!("      {head} = $fgetc({file});"));
    line(format!(
        "      while ({head} != \"\\n\" && {head} != -1) begin"
    ));
    line(format!("        {head} = $fgetc({file});"));
    line("      end".into());
    line(format!("      {peek};"));
    line("    end".into());
    line("  endtask".into());
    line(String::new());
}

fn play(bench: &Bench, own: &Own, out: &mut Vec<String>) {
    let Own {
        clock,
        cycle,
        cycles,
        compared,
        mismatches,
        started,
        file,
        got,
        head,
        peek,
        skip,
        want,
        ..
    } = own;
    let Bench {
        start,
        inputs,
        outputs,
        ..
    } = bench;
    let resets = &start.resets;
    let mut line = |text: String| out.push(text);
    line("  initial begin".into());
    line(format!("    {cycle} = 0;"));
    line(format!("    {cycles} = 0;"));
    line(format!("    {compared} = 0;"));
    line(format!("    {mismatches} = 0;"));
    line(format!(
        "    {started} = 1'b{};",
        u8::from(resets.is_empty())
    ));
    line(format!("    {clock} = 1'b1;"));
    line("    #5;".into());
    line(format!("    {file} = $fopen(VECTORS, \"r\");"));
    line(format!("    {head} = -1;"));
    line(format!("    {got} = 0;"));
    line(format!("    if ({file} != 0) begin"));
    line(format!(
        "      {got} = $fscanf({file}, \"# cotenant-vectors %d\", {cycles});"
    ));
    line("    end".into());
    line(format!(
        "    if ({got} != 1 || {cycles} != {VERSION}) begin"
    ));
    line(format!(
        "      $display(\"%0s: no vectors of version {VERSION}\", VECTORS);"
    ));
    line(format!("      {mismatches} = 1;"));
    line("    end else begin".into());
    line(format!("      {skip};"));
    line("    end".into());
    line("    // The header; the first line of the trailer ends it, too.".into());
    line(format!("    {cycles} = 0;"));
    line(format!("    {got} = 0;"));
    line(format!("    while ({head} == \"#\" && {got} != 1) begin"));
    line(format!(
        "      {got} = $fscanf({file}, \"# cycles %d\", {cycles});"
    ));
    line(format!("      if ({got} != 1) begin"));
    line(format!("        {skip};"));
    line("      end".into());
    line("    end".into());
    line(format!("    while ({head} != \"#\" && {head} != -1) begin"));
    line(format!("      {clock} = 1'b0;"));
    let ports: Vec<&str> = inputs.iter().map(|input| input.name).collect();
    let places: Vec<&str> = ports
        .iter()
        .copied()
        .chain(want.iter().map(String::as_str))
        .collect();
    let conversions = |values: &[Value]| vec!["%h"; values.len()].join(" ");
    line(format!(
        "      {got} = $fscanf({file}, \"{} | {}\\n\",",
        conversions(inputs),
        conversions(outputs)
    ));
    for (i, place) in places.iter().enumerate() {
        let end = if i + 1 == places.len() { ");" } else { "," };
        line(format!("        {place}{end}"));
    }
    line(format!(
        "      if ({got} != {} || ^{{{}}} === 1'bx) begin",
        places.len(),
        places.join(", ")
    ));
    line(format!(
        "        $display(\"cycle %0d: no vector\", {cycle});"
    ));
    line(format!("        {mismatches} = {mismatches} + 1;"));
    line(format!("        {head} = -1;"));
    line("      end else begin".into());
    line(format!("        {peek};"));
    line("        #5;".into());
    let during: String = bench
        .not_compared()
        .iter()
        .map(|r| format!(" && !{r}"))
        .collect();
    line(format!("        if ({started}{during}) begin"));
    match &start.ready {
        Some(ready) => {
            line(format!("          if ({ready} === 1'b1) begin"));
            line(format!("            {compared} = {compared} + 1;"));
            line("          end".into());
        }
        None => line(format!("          {compared} = {compared} + 1;")),
    }
    for (Value { name, .. }, want) in outputs.iter().zip(want) {
        let when = match &start.ready {
            Some(ready) if ready != name => format!("{ready} === 1'b1 && "),
            _ => String::new(),
        };
        line(format!("          if ({when}{name} !== {want}) begin"));
        line(format!("            if ({mismatches} < REPORTS) begin"));
        line(format!(
            "              $display(\"cycle %0d: {name}: got %h, expected %h\", {cycle}, {name}, {want});"
        ));
        line("            end".into());
        line(format!("            {mismatches} = {mismatches} + 1;"));
        line("          end".into());
    }
    line("        end".into());
    if !resets.is_empty() {
        line(format!("        if ({}) begin", resets.join(" & ")));
        line(format!("          {started} = 1'b1;"));
        line("        end".into());
    }
    line(format!("        {cycle} = {cycle} + 1;"));
    line(format!("        {clock} = 1'b1;"));
    line("        #5;".into());
    line("      end".into());
    line("    end".into());
    line(format!("    if ({head} == \"#\" && {cycles} == 0) begin"));
    line(format!(
        "      {got} = $fscanf({file}, \"# cycles %d\", {cycles});"
    ));
    line("    end".into());
    line(format!("    if ({mismatches} != 0) begin"));
    line(format!(
        "      $display(\"FAIL %0d mismatches in %0d cycles, %0d compared\", {mismatches}, {cycle}, {compared});"
    ));
    line(format!("    end else if ({cycles} != {cycle}) begin"));
    line(format!(
        "      $display(\"FAIL %0d cycles of vectors, expected %0d\", {cycle}, {cycles});"
    ));
    line(format!("    end else if ({compared} == 0) begin"));
    line(format!(
        "      $display(\"FAIL nothing compared: {}\");",
        bench.nothing()
    ));
    line("    end else begin".into());
    line(format!(
        "      $display(\"PASS %0d cycles, %0d compared\", {cycle}, {compared});"
    ));
    line("    end".into());
    line("    $finish;".into());
    line("  end".into());
}
