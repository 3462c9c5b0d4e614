//! A design compiled by Verilator -O3 with a main loop of ours.

use crate::stimulus::{Kind, CPP, RESET};
use cotenant_netlist::verilog::{Design, Direction, Port};
use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// A simulation program.
pub struct Verilated {
    folder: TempDir,
    program: PathBuf,
}

impl Verilated {
    /// Exports, verilates and compiles; with `trace` the program writes all signals as VCD to
    /// `trace.vcd` in its folder.
    pub fn build(design: &Design, trace: bool) -> io::Result<Verilated> {
        let folder = tempfile::tempdir()?;
        let path = folder.path();
        design
            .write_to(path.join("rtl"))
            .map_err(io::Error::other)?;
        std::fs::write(
            path.join("main.cpp"),
            main_cpp(design, trace.then(|| path.join("trace.vcd"))),
        )?;
        let sources = design
            .modules
            .iter()
            .map(|m| path.join("rtl").join(&m.file_name));
        let output = Command::new("verilator")
            .args([
                "--cc",
                "--exe",
                "--build",
                "-O3",
                "--x-assign",
                "fast",
                "--x-initial",
                "fast",
            ])
            .args([
                "--noassert",
                "-CFLAGS",
                "-O3 -march=native",
                "--prefix",
                "Vtop",
                "--top-module",
            ])
            .arg(&design.top)
            .args(trace.then_some("--trace"))
            .arg("--Mdir")
            .arg(path.join("obj"))
            .arg(path.join("main.cpp"))
            .args(sources)
            .output()?;
        if !output.status.success() {
            return Err(io::Error::other(
                String::from_utf8_lossy(&output.stderr).into_owned(),
            ));
        }
        let program = path.join("obj").join("Vtop");
        Ok(Verilated { folder, program })
    }

    /// Bytes of the VCD that the last run wrote.
    pub fn traced(&self) -> io::Result<u64> {
        Ok(std::fs::metadata(self.folder.path().join("trace.vcd"))?.len())
    }

    /// Runs from power-up; the time of the loop and the hash of all outputs.
    pub fn run(&self, cycles: u64) -> io::Result<(Duration, u64)> {
        let output = Command::new(&self.program)
            .arg(cycles.to_string())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut words = text.split_whitespace();
        let parsed = (|| {
            let nanoseconds = words.next()?.parse().ok()?;
            let hash = words.next()?.parse().ok()?;
            Some((Duration::from_nanos(nanoseconds), hash))
        })();
        parsed.ok_or_else(|| io::Error::other(format!("'{text}' is no time and hash")))
    }
}

fn main_cpp(design: &Design, trace: Option<PathBuf>) -> String {
    let mut body = String::new();
    let ports = |d: Direction| {
        design
            .ports
            .iter()
            .filter(move |p| p.direction == d && !p.clock)
    };
    let line = |out: &mut String, text: String| writeln!(out, "    {text}").expect("strings grow");
    for port in ports(Direction::Input) {
        line(&mut body, drive(port));
    }
    line(&mut body, "t->clock = 0; t->eval();".into());
    line(&mut body, format!("if (c >= {RESET}) {{"));
    for port in ports(Direction::Output) {
        line(&mut body, observe(port));
    }
    line(&mut body, "}".into());
    if trace.is_some() {
        line(&mut body, "v->dump(10 * c);".into());
    }
    line(&mut body, "t->clock = 1; t->eval();".into());
    let (include, open, close) = match trace {
        None => (String::new(), String::new(), ""),
        Some(path) => (
            "#include <verilated_vcd_c.h>\n".into(),
            format!(
                "  Verilated::traceEverOn(true);\n  VerilatedVcdC* v = new VerilatedVcdC;\n  \
                 t->trace(v, 99);\n  v->open({:?});\n",
                path.display().to_string()
            ),
            "  v->close();\n",
        ),
    };
    format!(
        "#include \"Vtop.h\"\n{include}#include <chrono>\n#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n{CPP}\n\
         int main(int argc, char** argv) {{\n  uint64_t n = strtoull(argv[argc - 1], 0, 10);\n  Vtop* t = new Vtop;\n{open}  \
         auto a = std::chrono::steady_clock::now();\n  for (uint64_t c = 0; c < n; c++) {{\n{body}  }}\n{close}  \
         auto b = std::chrono::steady_clock::now();\n  \
         printf(\"%llu %llu\\n\", (unsigned long long)std::chrono::duration_cast<std::chrono::nanoseconds>(b - a).count(), (unsigned long long)h);\n}}\n"
    )
}

fn drive(port: &Port) -> String {
    let name = &port.verilog;
    match (Kind::of(&port.name), port.width) {
        (Kind::Reset, _) => format!("draw(); t->{name} = c < {RESET};"),
        (Kind::Rare, _) => format!("t->{name} = (draw() & 0xff) == 0;"),
        (Kind::Rarest, _) => format!("t->{name} = (draw() & 0xffff) == 0;"),
        (kind, width @ ..=64) => {
            let mask = u64::MAX >> (64 - width) & kind.mask(0);
            format!("t->{name} = draw() & {mask:#x}ull;")
        }
        (kind, width) => {
            // Verilator holds wide values as 32-bit words.
            let mut text = String::new();
            for low in (0..width).step_by(64) {
                let bits = (width - low).min(64);
                let mask = u64::MAX >> (64 - bits) & kind.mask(low);
                let _ = write!(
                    text,
                    "{{ uint64_t w = draw() & {mask:#x}ull; t->{name}[{}] = (uint32_t)w; ",
                    low / 32
                );
                if bits > 32 {
                    let _ = write!(text, "t->{name}[{}] = (uint32_t)(w >> 32); ", low / 32 + 1);
                }
                text.push('}');
            }
            text
        }
    }
}

fn observe(port: &Port) -> String {
    let name = &port.verilog;
    if port.width <= 64 {
        return format!("add(t->{name});");
    }
    let words = port.width.div_ceil(32);
    (0..words)
        .step_by(2)
        .map(|w| {
            let high = if w + 1 < words {
                format!(" | (uint64_t)t->{name}[{}] << 32", w + 1)
            } else {
                String::new()
            };
            format!("add((uint64_t)t->{name}[{w}]{high});")
        })
        .collect()
}
