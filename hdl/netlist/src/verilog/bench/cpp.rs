//! Prints the C++ program that plays vectors into Verilator's model of a design.

use super::super::header::license_comment;
use super::{Bench, Value};
use crate::vectors::VERSION;

const PRELUDE: &str = r#"
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

typedef std::vector<uint32_t> Words;

// The current line, its number, and how much of it has been read.
std::string line;
unsigned long long number = 0;
std::size_t at = 0;

void need(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "vectors: line %llu: expected %s\n", number, what);
  std::exit(2);
}

void next_line(std::ifstream& file, const char* what) {
  ++number;
  at = 0;
  need(static_cast<bool>(std::getline(file, line)), what);
}

void literal(const char* text) {
  const std::size_t length = std::strlen(text);
  need(line.compare(at, length, text) == 0, text);
  at += length;
}

// The next value of the line, low word first.
Words take(unsigned digits) {
  while (at < line.size() && line[at] == ' ') ++at;
  Words words((digits + 7) / 8);
  for (unsigned i = digits; i-- > 0; ++at) {
    const char c = at < line.size() ? line[at] : ' ';
    const bool decimal = c >= '0' && c <= '9';
    need(decimal || (c >= 'a' && c <= 'f'), "more hex digits");
    const uint32_t value = decimal ? c - '0' : c - 'a' + 10;
    words[i / 8] |= value << (i % 8 * 4);
  }
  return words;
}

uint64_t field(const Words& words, unsigned low, unsigned width) {
  uint64_t value = 0;
  for (unsigned at = low / 32; at * 32 < low + width; ++at) {
    const int shift = static_cast<int>(at * 32) - static_cast<int>(low);
    value |= shift < 0 ? words[at] >> -shift : static_cast<uint64_t>(words[at]) << shift;
  }
  return width < 64 ? value & ((uint64_t(1) << width) - 1) : value;
}

template <class T>
void drive(T& port, const Words& words, unsigned low, unsigned width) {
  port = static_cast<T>(field(words, low, width));
}

template <std::size_t N>
void drive(VlWide<N>& port, const Words& words, unsigned low, unsigned width) {
  for (unsigned i = 0; i < N; ++i) {
    const unsigned rest = width - 32 * i;
    port[i] = static_cast<EData>(field(words, low + 32 * i, rest < 32 ? rest : 32));
  }
}

template <class T>
std::string hex(const T& port) {
  char text[20];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(port));
  return text;
}

template <std::size_t N>
std::string hex(const VlWide<N>& port) {
  std::string out;
  char text[10];
  for (unsigned i = N; i-- > 0;) {
    std::snprintf(text, sizeof text, "%08x", port[i]);
    out += text;
  }
  return out;
}

template <class T>
bool equal(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

unsigned long long mismatches = 0;

template <class T>
void compare(bool counts, unsigned long long cycle, const char* name, const T& got,
             const Words& words, unsigned width) {
  T want;
  drive(want, words, 0, width);
  if (!counts || equal(got, want)) return;
  if (mismatches < 10) {
    std::printf("cycle %llu: %s: got %s, expected %s\n", cycle, name, hex(got).c_str(),
                hex(want).c_str());
  }
  ++mismatches;
}

}  // namespace
"#;

pub(super) fn text(bench: &Bench) -> String {
    let Bench {
        design,
        start,
        inputs,
        outputs,
    } = bench;
    let top = &design.top;
    let title = format!("// Plays vectors on {top} in Verilator and compares every output.");
    let mut out = vec![title];
    out.extend(license_comment(design.license.as_deref()));
    out.extend([
        "//".into(),
        format!("//   verilator --cc --exe --build -O3 -CFLAGS -O3 --top-module {top} \\"),
        format!("//     {top}_main.cpp MODULES.v"),
        format!("//   obj_dir/V{top} {top}.vec"),
        "//".into(),
        format!("// The vectors are those of {top}_tb.v. Exit code: 0 pass, 1 mismatch, 2 could not run."),
        String::new(),
        format!("#include \"V{top}.h\""),
        "#include \"verilated.h\"".into(),
    ]);
    out.push(PRELUDE.into());
    let mut line = |text: String| out.push(text);
    line("int main(int argc, char** argv) {".into());
    line(format!(
        "  const char* name = argc > 1 ? argv[1] : \"{top}.vec\";"
    ));
    line("  std::ifstream file(name);".into());
    line("  if (!file) {".into());
    line("    std::perror(name);".into());
    line("    return 2;".into());
    line("  }".into());
    line(format!(
        "  next_line(file, \"# cotenant-vectors {VERSION}\");"
    ));
    line(format!("  literal(\"# cotenant-vectors {VERSION}\");"));
    line("  need(at == line.size(), \"this version\");".into());
    line("  VerilatedContext context;".into());
    line(format!("  V{top} dut(&context);"));
    line("  unsigned long long cycle = 0, compared = 0;".into());
    line(format!("  bool started = {};", start.resets.is_empty()));
    line("  do next_line(file, \"a cycle\"); while (line[0] == '#' && line.compare(0, 9, \"# cycles \") != 0);".into());
    line("  for (; line[0] != '#'; next_line(file, \"a cycle or # cycles N\")) {".into());
    let clock = design.ports.iter().find(|p| p.clock).map(|p| &p.verilog);
    if let Some(clock) = clock {
        line(format!("    dut.{clock} = 0;"));
    }
    for Value {
        port,
        width,
        digits,
        ..
    } in inputs
    {
        let name = &port.verilog;
        line(format!(
            "    drive(dut.{name}, take({digits}), 0, {width});"
        ));
        if port.active_low {
            line(format!("    const bool {} = dut.{name};", port.name));
            line(format!("    dut.{name} = !dut.{name};"));
        }
    }
    let resets = |all: &[String]| -> Vec<String> {
        let of = |name: &String| {
            let input = inputs.iter().find(|input| input.name == name);
            let low = input.is_some_and(|input| input.port.active_low);
            match low {
                true => name.clone(),
                false => format!("dut.{name}"),
            }
        };
        all.iter().map(of).collect()
    };
    line("    literal(\" |\");".into());
    line("    dut.eval();".into());
    let during = resets(bench.not_compared());
    let counts = match during.is_empty() {
        true => "started".to_string(),
        false => {
            let during: String = during.iter().map(|r| format!(" && !{r}")).collect();
            line(format!("    const bool compares = started{during};"));
            "compares".into()
        }
    };
    match &start.ready {
        Some(ready) => {
            line(format!("    const bool ready = {counts} && dut.{ready};"));
            line("    if (ready) ++compared;".into());
        }
        None => line(format!("    if ({counts}) ++compared;")),
    }
    for Value {
        name,
        width,
        digits,
        ..
    } in outputs
    {
        let counts = match &start.ready {
            Some(ready) if ready != name => "ready",
            _ => &counts,
        };
        line(format!(
            "    compare({counts}, cycle, \"{name}\", dut.{name}, take({digits}), {width});"
        ));
    }
    line("    need(at == line.size(), \"the end of the line\");".into());
    if !start.resets.is_empty() {
        let resets = resets(&start.resets);
        line(format!("    if ({}) started = true;", resets.join(" && ")));
    }
    if let Some(clock) = clock {
        line(format!("    dut.{clock} = 1;"));
        line("    dut.eval();".into());
    }
    line("    ++cycle;".into());
    line("  }".into());
    line("  dut.final();".into());
    line(
        "  need(line == \"# cycles \" + std::to_string(cycle), \"as many cycles as are said\");"
            .into(),
    );
    line("  if (compared == 0) {".into());
    line(format!(
        "    std::printf(\"FAIL nothing compared: {}\\n\");",
        bench.nothing()
    ));
    line("    return 1;".into());
    line("  }".into());
    line("  if (mismatches != 0) {".into());
    line(
        "    std::printf(\"FAIL %llu mismatches in %llu cycles, %llu compared\\n\", mismatches,"
            .into(),
    );
    line("                cycle, compared);".into());
    line("    return 1;".into());
    line("  }".into());
    line("  std::printf(\"PASS %llu cycles, %llu compared\\n\", cycle, compared);".into());
    line("  return 0;".into());
    line("}".into());
    out.join("\n") + "\n"
}
