//! Prints expressions and statements.

use super::code::{has_effect, is_full, Arm, Code};
use super::names::{constant_name, Scope};
use super::value::{Kind, Value};
use crate::ir::{BinaryOp, Net, NetId, UnaryOp};
use num_bigint::BigUint;

/// Lines are broken beyond this column.
pub(super) const COLUMNS: usize = 100;

/// A constant that is referred to by name.
pub(super) struct Parameter {
    pub name: String,
    pub width: usize,
    pub value: BigUint,
    /// The name as it was asked for.
    label: String,
}

/// Prints with a module's names.
pub(super) struct Printer<'a> {
    pub nets: &'a [Net],
    pub names: &'a [String],
    pub scope: &'a mut Scope,
    /// Lines are broken beyond this column.
    pub columns: usize,
    /// Enum values in use.
    pub parameters: Vec<Parameter>,
}

/// `5'd3`, `21'h1fffff`.
pub(super) fn number(value: &BigUint, width: usize) -> String {
    if width == 1 {
        format!("1'b{value}")
    } else if value.bits() <= 10 {
        format!("{width}'d{value}")
    } else {
        format!("{width}'h{value:x}")
    }
}

/// ` [7:0]`, or nothing for one bit.
pub(super) fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!(" [{}:0]", width - 1)
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        And => "&",
        Or => "|",
        Xor => "^",
        Add => "+",
        Sub => "-",
        Mul => "*",
        Shl => "<<",
        Shr => ">>",
        Eq => "==",
        Ne => "!=",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
    }
}

fn associative(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add
    )
}

/// Operands of a chain of one associative operator, in order.
fn chain<'v>(value: &'v Value, op: BinaryOp, out: &mut Vec<&'v Value>) {
    match &value.kind {
        Kind::Binary(same, a, b) if *same == op => {
            chain(a, op, out);
            chain(b, op, out);
        }
        _ => out.push(value),
    }
}

impl Printer<'_> {
    pub fn name(&self, id: NetId) -> &str {
        &self.names[id.index()]
    }

    /// `count[7:4]`.
    pub fn part(&self, id: NetId, low: usize, width: usize, of: usize) -> String {
        let name = self.name(id);
        match width {
            _ if width == of => name.into(),
            1 => format!("{name}[{low}]"),
            _ => format!("{name}[{}:{low}]", low + width - 1),
        }
    }

    /// A constant's name if `of` is an enum.
    fn constant_of(&mut self, of: NetId, value: &BigUint, width: usize) -> Option<String> {
        let variants = self.nets[of.index()].variants.clone()?;
        let label = variants.get(usize::try_from(value).ok()?)?.clone();
        (width == self.nets[of.index()].width && width > 1)
            .then(|| self.parameter(&label, value, width))
    }

    fn parameter(&mut self, label: &str, value: &BigUint, width: usize) -> String {
        let label = constant_name(label);
        let known = |p: &&Parameter| p.label == label && p.value == *value && p.width == width;
        if let Some(p) = self.parameters.iter().find(known) {
            return p.name.clone();
        }
        let name = self.scope.claim(&label);
        self.parameters.push(Parameter {
            name: name.clone(),
            width,
            value: value.clone(),
            label,
        });
        name
    }

    /// An expression on one line.
    pub fn value(&mut self, value: &Value) -> String {
        match &value.kind {
            Kind::Const(v) => number(v, value.width),
            Kind::Net { id, low, of } => self.part(*id, *low, value.width, *of),
            Kind::Not(a) => format!("~{}", self.primary(a)),
            Kind::Reduce(op, a) => {
                let op = match op {
                    UnaryOp::All => "&",
                    UnaryOp::Parity => "^",
                    _ => "|",
                };
                format!("{op}{}", self.primary(a))
            }
            Kind::Binary(op, a, b) => {
                let mut operands = vec![];
                if associative(*op) {
                    chain(value, *op, &mut operands);
                } else {
                    operands.extend([&**a, &**b]);
                }
                if let (BinaryOp::Shl | BinaryOp::Shr, Some(by)) = (op, b.as_const()) {
                    return format!("{} {} {by}", self.operand(a), symbol(*op));
                }
                if let (Some(of), Some(v)) = (a.as_net(), b.as_const()) {
                    if let Some(name) = self.constant_of(of, v, b.width) {
                        return format!("{} {} {name}", self.value(a), symbol(*op));
                    }
                }
                let texts: Vec<String> = operands.into_iter().map(|v| self.operand(v)).collect();
                texts.join(&format!(" {} ", symbol(*op)))
            }
            Kind::Bit(of, at) => format!("{}[{}]", self.value(of), self.value(at)),
            Kind::Concat(parts) => {
                let texts = self.parts(parts);
                match &texts[..] {
                    [only] if only.starts_with('{') => only.clone(),
                    _ => format!("{{{}}}", texts.join(", ")),
                }
            }
            Kind::If(c, a, b) => {
                format!(
                    "{} ? {} : {}",
                    self.operand(c),
                    self.operand(a),
                    self.operand(b)
                )
            }
            Kind::Cut(of, low) => {
                debug_assert!(false, "named before printing");
                format!("{}[{}:{low}]", self.operand(of), low + value.width - 1)
            }
        }
    }

    /// Parts of a concatenation, high ones first, repetitions counted.
    fn parts(&mut self, parts: &[Value]) -> Vec<String> {
        let mut out = vec![];
        let mut rest = parts;
        while let Some(last) = rest.last() {
            let same = rest.iter().rev().take_while(|p| *p == last).count();
            let text = self.value(last);
            out.push(if same > 1 {
                format!("{{{same}{{{text}}}}}")
            } else {
                text
            });
            rest = &rest[..rest.len() - same];
        }
        out
    }

    /// What may follow an operator: `^~` and the like are other operators.
    fn primary(&mut self, value: &Value) -> String {
        match value.kind {
            Kind::Not(..) => format!("({})", self.value(value)),
            _ => self.operand(value),
        }
    }

    fn operand(&mut self, value: &Value) -> String {
        let text = self.value(value);
        match value.kind {
            Kind::Binary(..) | Kind::If(..) | Kind::Reduce(..) => format!("({text})"),
            _ => text,
        }
    }

    /// `head value;`, broken into lines where it is long.
    pub fn assignment(&mut self, indent: usize, head: &str, value: &Value, out: &mut Vec<String>) {
        let pad = " ".repeat(indent);
        let line = format!("{pad}{head} {};", self.value(value));
        if line.len() <= self.columns {
            return out.push(line);
        }
        match &value.kind {
            Kind::Concat(parts) => {
                let mut texts = self.parts(parts);
                let last = texts.len() - 1;
                texts.iter_mut().take(last).for_each(|t| t.push(','));
                out.push(format!("{pad}{head} {{"));
                fill(indent + 2, &texts, out);
                out.push(format!("{pad}}};"));
            }
            Kind::Binary(op, ..) if associative(*op) => {
                let mut operands = vec![];
                chain(value, *op, &mut operands);
                let last = operands.len() - 1;
                let texts: Vec<String> = operands
                    .into_iter()
                    .enumerate()
                    .map(|(i, v)| {
                        let end = if i == last {
                            ";".into()
                        } else {
                            format!(" {}", symbol(*op))
                        };
                        self.operand(v) + &end
                    })
                    .collect();
                out.push(format!("{pad}{head}"));
                fill(indent + 2, &texts, out);
            }
            Kind::If(c, a, b) => {
                out.push(format!("{pad}{head}"));
                let (c, a, b) = (self.operand(c), self.operand(a), self.operand(b));
                out.push(format!("{pad}  {c}"));
                out.push(format!("{pad}    ? {a}"));
                out.push(format!("{pad}    : {b};"));
            }
            _ => out.push(line),
        }
    }

    /// Statements; `op` is `=` or `<=`.
    pub fn statements(&mut self, indent: usize, body: &[Code], op: &str, out: &mut Vec<String>) {
        body.iter()
            .for_each(|code| self.statement(indent, code, op, out));
    }

    fn statement(&mut self, indent: usize, code: &Code, op: &str, out: &mut Vec<String>) {
        let pad = " ".repeat(indent);
        match code {
            Code::Comment(text) => comment(indent, text, out),
            Code::Set { net, low, value } => {
                let of = self.nets[net.index()].width;
                let target = self.part(*net, *low, value.width, of);
                if let Some(v) = value.as_const() {
                    if let Some(name) = self.constant_of(*net, v, value.width) {
                        return out.push(format!("{pad}{target} {op} {name};"));
                    }
                }
                self.assignment(indent, &format!("{target} {op}"), value, out);
            }
            Code::SetBit { net, at, value } => {
                let at = self.value(at);
                let target = format!("{}[{at}]", self.name(*net));
                self.assignment(indent, &format!("{target} {op}"), value, out);
            }
            Code::If {
                test,
                then,
                otherwise,
            } => {
                self.conditional(indent, "if", test, then, otherwise, op, out);
            }
            Code::Case { on, arms, default } => self.case(indent, on, arms, default, op, out),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn conditional(
        &mut self,
        indent: usize,
        head: &str,
        test: &Value,
        then: &[Code],
        otherwise: &[Code],
        op: &str,
        out: &mut Vec<String>,
    ) {
        let pad = " ".repeat(indent);
        out.push(format!("{pad}{head} ({}) begin", self.value(test)));
        self.statements(indent + 2, then, op, out);
        match otherwise {
            [Code::If {
                test,
                then,
                otherwise,
            }] => {
                self.conditional(indent, "end else if", test, then, otherwise, op, out);
            }
            body if has_effect(body) => {
                out.push(format!("{pad}end else begin"));
                self.statements(indent + 2, body, op, out);
                out.push(format!("{pad}end"));
            }
            _ => out.push(format!("{pad}end")),
        }
    }

    fn case(
        &mut self,
        indent: usize,
        on: &Value,
        arms: &[Arm],
        default: &[Code],
        op: &str,
        out: &mut Vec<String>,
    ) {
        let pad = " ".repeat(indent);
        out.push(format!("{pad}case ({})", self.value(on)));
        for arm in arms {
            let label = if arm.label.starts_with(|c: char| c.is_ascii_digit()) {
                number(&arm.value, on.width)
            } else {
                self.parameter(&arm.label, &arm.value, on.width)
            };
            self.arm(indent + 2, &label, &arm.body, op, out);
        }
        let full = is_full(on, arms);
        if !full {
            self.arm(indent + 2, "default", default, op, out);
        }
        out.push(format!("{pad}endcase"));
    }

    fn arm(&mut self, indent: usize, label: &str, body: &[Code], op: &str, out: &mut Vec<String>) {
        let pad = " ".repeat(indent);
        let mut inner = vec![];
        match body {
            _ if !has_effect(body) => inner.push(format!("{pad}{label}: ;")),
            [code @ Code::Set { .. }] => {
                self.statement(0, code, op, &mut inner);
                let [only] = &mut inner[..] else {
                    inner.clear();
                    return self.long_arm(indent, label, body, op, out);
                };
                *only = format!("{pad}{label}: {only}");
            }
            _ => return self.long_arm(indent, label, body, op, out),
        }
        out.append(&mut inner);
    }

    fn long_arm(
        &mut self,
        indent: usize,
        label: &str,
        body: &[Code],
        op: &str,
        out: &mut Vec<String>,
    ) {
        let pad = " ".repeat(indent);
        out.push(format!("{pad}{label}: begin"));
        self.statements(indent + 2, body, op, out);
        out.push(format!("{pad}end"));
    }
}

/// Words on as few lines as fit.
pub(super) fn fill(indent: usize, words: &[String], out: &mut Vec<String>) {
    fill_to(indent, words, COLUMNS, out);
}

/// The same with lines of another length.
pub(super) fn fill_to(indent: usize, words: &[String], columns: usize, out: &mut Vec<String>) {
    let pad = " ".repeat(indent);
    let mut line = String::new();
    for word in words {
        if !line.is_empty() && indent + line.len() + 1 + word.len() > columns {
            out.push(format!("{pad}{line}"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        out.push(format!("{pad}{line}"));
    }
}

/// A comment, broken into lines; it cannot end early.
pub(super) fn comment(indent: usize, text: &str, out: &mut Vec<String>) {
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        // A trailing backslash would continue the comment on the next line.
        let line = line.trim().trim_end_matches('\\');
        let mut words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        if words.first().is_some_and(|w| is_directive(w)) {
            words.insert(0, "Note:".into());
        }
        let mut lines = vec![];
        fill(indent + 3, &words, &mut lines);
        out.extend(
            lines
                .iter()
                .map(|l| format!("{}// {}", " ".repeat(indent), l.trim_start())),
        );
    }
}

/// Tools take comments that start with these words as orders.
fn is_directive(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    [
        "verilator",
        "synopsys",
        "synthesis",
        "pragma",
        "ambit",
        "cadence",
        "altera",
        "xilinx",
        "exemplar",
        "coverage",
        "surefire",
        "leda",
        "spyglass",
    ]
    .iter()
    .any(|d| word.starts_with(d))
}
