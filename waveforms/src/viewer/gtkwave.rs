//! GTKWave's save file, read by 3.3.118.

use super::tree::{self, Group, Row, Trace};
use super::{one_line, View};
use crate::layout::Layout;
use crate::look::Radix;
use crate::scope::Kind;

/// Pixels of the window, of the column of names, and of the waves that are left.
const WINDOW: (u32, u32) = (1600, 950);
const TREE: u32 = 200;
const NAMES: u32 = 320;
const WAVES: f64 = (WINDOW.0 - TREE - NAMES - 130) as f64;
/// Pixels that GTKWave's zoom counts in.
const FRAME: f64 = 200.0;

/// Flags of a trace, as in GTKWave's `analyzer.h`.
mod flag {
    pub const HEXADECIMAL: u32 = 1 << 1;
    pub const DECIMAL: u32 = 1 << 2;
    pub const BINARY: u32 = 1 << 3;
    pub const RIGHT: u32 = 1 << 5;
    pub const BLANK: u32 = 1 << 9;
    pub const SIGNED: u32 = 1 << 10;
    pub const ASCII: u32 = 1 << 11;
    pub const COLLAPSED: u32 = 1 << 12;
    pub const TRANSLATED: u32 = 1 << 13;
    pub const CLOSED: u32 = 1 << 22;
    pub const BEGIN: u32 = 1 << 23;
    pub const END: u32 = 1 << 24;
}

/// Text of a `.gtkw` file for the wave of this file name.
#[must_use]
pub fn gtkwave(wave: &str, layout: &Layout, view: &View) -> String {
    let stem = wave.rsplit_once('.').map_or(wave, |(stem, _)| stem);
    let mut page = Page::default();
    for comment in &view.comments {
        page.line(&format!("[*] {}", one_line(comment)));
    }
    // GTKWave puts the wave and the files of names where this file is.
    page.line(&format!("[dumpfile] \"{wave}\""));
    page.line(&format!("[savefile] \"{stem}.gtkw\""));
    let shown = view.shown();
    page.line(&format!("[timestart] {}", time(shown.start, view)));
    page.line(&format!("[size] {} {}", WINDOW.0, WINDOW.1));
    page.line("[pos] -1 -1");
    // A frame of so many pixels is 2^-zoom time units.
    let units = (shown.end - shown.start) as f64 * view.period as f64;
    let zoom = -(units * FRAME / WAVES).log2();
    let marker = view
        .marked
        .map_or("-1".into(), |c| time(c, view).to_string());
    page.line(&format!("*{zoom:.6} {marker}"));
    let top = tree::of(layout);
    page.line(&format!("[treeopen] {}.", top.name));
    page.line(&format!("[sst_width] {TREE}"));
    page.line(&format!("[signals_width] {NAMES}"));
    page.line("[sst_expanded] 1");
    let mut rows = top.rows.iter().peekable();
    while let Some(Row::Trace(trace)) = rows.next_if(|row| matches!(row, Row::Trace(_))) {
        page.trace(trace);
    }
    page.first(&top, view);
    rows.for_each(|row| page.row(row));
    page.line("[pattern_trace] 1");
    page.line("[pattern_trace] 0");
    page.text
}

fn time(cycle: u64, view: &View) -> u64 {
    cycle.saturating_mul(view.period)
}

#[derive(Default)]
struct Page {
    text: String,
    flags: Option<u32>,
    /// The file of names last given, and how many there were.
    names: Vec<String>,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn flags(&mut self, flags: u32) {
        if self.flags != Some(flags) {
            self.line(&format!("@{flags:x}"));
            self.flags = Some(flags);
        }
    }

    /// The signals to show first.
    fn first(&mut self, top: &Group, view: &View) {
        let all = top.traces();
        let named = view.first.iter();
        for trace in named.filter_map(|path| all.iter().find(|trace| trace.path == *path)) {
            // The viewer shows what is behind the last dot, but these differ in their scopes.
            let below = trace
                .path
                .split_once('.')
                .map(|(_, below)| below.replace('.', " "));
            self.aliased(trace, below.as_deref());
        }
    }

    fn row(&mut self, row: &Row) {
        match row {
            Row::Trace(trace) => self.trace(trace),
            Row::Group(group) => self.grouped(&group.name, group.folded, |page| {
                group.rows.iter().for_each(|row| page.row(row));
            }),
        }
    }

    fn grouped(&mut self, name: &str, folded: bool, rows: impl FnOnce(&mut Self)) {
        let closed = if folded { flag::CLOSED } else { 0 };
        self.flags(flag::BEGIN | flag::BLANK | closed);
        self.line(&format!("-{name}"));
        rows(self);
        let closed = if folded {
            flag::CLOSED | flag::COLLAPSED
        } else {
            0
        };
        self.flags(flag::END | flag::BLANK | closed);
        self.line(&format!("-{name}"));
    }

    fn trace(&mut self, trace: &Trace) {
        self.aliased(trace, None);
        if let Some((width, radix)) = trace.elements {
            let name = format!("{} ({})", trace.name(), trace.width / width);
            self.grouped(&name, true, |page| page.elements(trace, width, radix));
        }
    }

    /// A packed signal as vectors of some of its bits each. GTKWave counts them from the highest on.
    fn elements(&mut self, trace: &Trace, width: u32, radix: Radix) {
        self.flags(digits(radix) | flag::RIGHT);
        let (name, variable) = (trace.name(), variable(trace));
        for element in 0..trace.width / width {
            let lowest = element * width;
            let bits = (lowest..lowest + width).rev();
            let bits = bits.map(|bit| format!(" ({}){variable}", trace.width - 1 - bit));
            let bits: String = bits.collect();
            self.colour(trace);
            self.line(&format!("#{{{name}[{element}]}}{bits}"));
        }
    }

    fn colour(&mut self, trace: &Trace) {
        if let Some(colour) = trace.colour {
            self.line(&format!("[color] {}", colour.gtkwave()));
        }
    }

    fn aliased(&mut self, trace: &Trace, alias: Option<&str>) {
        let mut flags = digits(trace.radix) | flag::RIGHT;
        if trace.names.is_some() {
            flags |= flag::TRANSLATED;
        }
        self.flags(flags);
        if let Some(names) = &trace.names {
            let known = self.names.iter().position(|file| file == names);
            let number = known.unwrap_or(self.names.len()) + 1;
            if known.is_none() {
                self.names.push(names.clone());
            }
            self.line(&format!("^{number} {names}"));
        }
        self.colour(trace);
        let name = variable(trace);
        match alias {
            Some(alias) => self.line(&format!("+{{{alias}}} {name}")),
            None => self.line(&name),
        }
    }
}

fn digits(radix: Radix) -> u32 {
    match radix {
        Radix::Binary => flag::BINARY,
        Radix::Decimal => flag::DECIMAL,
        Radix::Signed => flag::DECIMAL | flag::SIGNED,
        Radix::Hexadecimal => flag::HEXADECIMAL,
        Radix::Text => flag::ASCII,
    }
}

/// GTKWave's name of a variable: `top.scope.signal[7:0]`; integers and parameters have no range.
fn variable(trace: &Trace) -> String {
    match (trace.kind, trace.width) {
        (Kind::Integer | Kind::Parameter, _) | (_, 1) => trace.path.clone(),
        (_, width) => format!("{}[{}:0]", trace.path, width - 1),
    }
}
