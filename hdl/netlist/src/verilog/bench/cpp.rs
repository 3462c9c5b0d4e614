//! The same test bench as a C++ program around Verilator's model.

use super::super::{Design, Direction};
use super::{Packing, Start};

const PRELUDE: &str = r#"
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

typedef std::vector<uint32_t> Words;

// One line of hex digits into words, low word first.
bool read_line(FILE* file, std::vector<char>& line, unsigned digits, Words& words) {
  if (std::fgets(line.data(), static_cast<int>(line.size()), file) == nullptr) return false;
  if (std::strspn(line.data(), "0123456789abcdefABCDEF") != digits) {
    std::fprintf(stderr, "a line of vectors does not have %u hex digits\n", digits);
    std::exit(2);
  }
  words.assign(words.size(), 0);
  for (unsigned i = 0; i < digits; ++i) {
    const char c = line[digits - 1 - i];
    const uint32_t value = c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
    words[i / 8] |= value << (i % 8 * 4);
  }
  return true;
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
void compare(unsigned long long cycle, const char* name, const T& got, const Words& words,
             unsigned low, unsigned width) {
  T want;
  drive(want, words, low, width);
  if (equal(got, want)) return;
  if (mismatches < 10) {
    std::printf("cycle %llu: %s: got %s, expected %s\n", cycle, name, hex(got).c_str(),
                hex(want).c_str());
  }
  ++mismatches;
}

FILE* open_vectors(const char* name) {
  FILE* file = std::fopen(name, "r");
  if (file == nullptr) {
    std::perror(name);
    std::exit(2);
  }
  return file;
}

}  // namespace
"#;

pub(super) fn text(design: &Design, start: &Start) -> String {
    let top = &design.top;
    let (inputs, outputs) = (
        Packing::of(design, Direction::Input),
        Packing::of(design, Direction::Output),
    );
    let mut out = vec![
        format!("// Plays vectors on {top} in Verilator and compares every output."),
        "// SPDX-License-Identifier: MIT OR Apache-2.0".into(),
        "//".into(),
        format!("//   verilator --cc --exe --build -O3 -CFLAGS -O3 --top-module {top} \\"),
        format!("//     {top}_main.cpp MODULES.v"),
        format!("//   obj_dir/V{top} {top}_stimulus.hex {top}_expected.hex"),
        "//".into(),
        format!("// The vectors are those of {top}_tb.v. Exit code: 0 pass, 1 mismatch, 2 could not run."),
        String::new(),
        format!("#include \"V{top}.h\""),
        "#include \"verilated.h\"".into(),
    ];
    out.push(PRELUDE.into());
    let mut line = |text: String| out.push(text);
    line("int main(int argc, char** argv) {".into());
    line(format!(
        "  FILE* stimulus = open_vectors(argc > 1 ? argv[1] : \"{top}_stimulus.hex\");"
    ));
    line(format!(
        "  FILE* expected = open_vectors(argc > 2 ? argv[2] : \"{top}_expected.hex\");"
    ));
    line("  VerilatedContext context;".into());
    line(format!("  V{top} dut(&context);"));
    for (name, packing) in [("in", &inputs), ("out", &outputs)] {
        line(format!("  Words {name}({});", packing.digits().div_ceil(8)));
        line(format!(
            "  std::vector<char> {name}_line({});",
            packing.digits() + 3
        ));
    }
    line("  unsigned long long cycle = 0, compared = 0;".into());
    line(format!("  bool started = {};", start.resets.is_empty()));
    line(format!(
        "  while (read_line(stimulus, in_line, {}, in)) {{",
        inputs.digits()
    ));
    line(format!(
        "    if (!read_line(expected, out_line, {}, out)) {{",
        outputs.digits()
    ));
    line("      std::fprintf(stderr, \"fewer expected outputs than inputs\\n\");".into());
    line("      return 2;".into());
    line("    }".into());
    let clock = design.ports.iter().find(|p| p.clock).map(|p| &p.verilog);
    if let Some(clock) = clock {
        line(format!("    dut.{clock} = 0;"));
    }
    for (name, low, width) in &inputs.fields {
        line(format!("    drive(dut.{name}, in, {low}, {width});"));
    }
    line("    dut.eval();".into());
    line("    if (started) {".into());
    line("      ++compared;".into());
    for (name, low, width) in &outputs.fields {
        let when = match &start.ready {
            Some(ready) if ready != name => format!("if (dut.{ready}) "),
            _ => String::new(),
        };
        line(format!(
            "      {when}compare(cycle, \"{name}\", dut.{name}, out, {low}, {width});"
        ));
    }
    line("    }".into());
    if !start.resets.is_empty() {
        let resets: Vec<String> = start.resets.iter().map(|r| format!("dut.{r}")).collect();
        line(format!("    if ({}) started = true;", resets.join(" && ")));
    }
    if let Some(clock) = clock {
        line(format!("    dut.{clock} = 1;"));
        line("    dut.eval();".into());
    }
    line("    ++cycle;".into());
    line("  }".into());
    line("  dut.final();".into());
    line("  if (compared == 0) {".into());
    line("    std::printf(\"FAIL nothing compared: the vectors never reset\\n\");".into());
    line("    return 1;".into());
    line("  }".into());
    line("  if (mismatches != 0) {".into());
    line("    std::printf(\"FAIL %llu mismatches in %llu cycles\\n\", mismatches, cycle);".into());
    line("    return 1;".into());
    line("  }".into());
    line("  std::printf(\"PASS %llu cycles\\n\", cycle);".into());
    line("  return 0;".into());
    line("}".into());
    out.join("\n") + "\n"
}
