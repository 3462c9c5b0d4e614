//! Writes checkers in SystemVerilog: a module per unit that is bound to a design, and compares it
//! with the golden model in each cycle.
//!
//! Ports and their widths come from the golden model's structs; the widths stay formulas over the
//! module's parameters. Where a formula is none that SystemVerilog can have, the width is a parameter
//! of its own. Each checker asks the model at the start whether all its widths are right.

use std::fmt::Write;

use cotenant_golden::dynamic::{AnyModel, Error, Unit};
use cotenant_golden::ports::{Bound, Formula, Parameter, Port};

/// `cotenant_pkg.sv`, which all checkers need.
pub const PACKAGE: &str = include_str!("../sv/cotenant_pkg.sv");

/// Methods of golden models that are widths, as formulas.
const METHODS: &[(&str, &str)] = &[
    ("requester_w()", "cotenant_pkg::clog2(REQUESTERS + 1)"),
    ("total_w()", "CNT_W + cotenant_pkg::clog2(BANKS)"),
    ("flags()", "(SAMPLED == 0 ? 2 + SCE : 5)"),
    ("code_w(p)", "(SAMPLED == 0 ? 2 : 3)"),
    ("counters()", "(WAYS + 1)"),
    ("tag_w()", "$countones(TAG)"),
];

/// Whether its values are masks over the bits of an address, up to 64.
fn is_mask(parameter: &Parameter) -> bool {
    matches!(parameter.range, Some((_, Bound::Formula(most))) if most.starts_with("list_limit"))
}

/// A port as the checker has it.
struct Checked {
    name: &'static str,
    /// Number of values and width of each.
    elements: String,
    width: String,
}

impl Checked {
    fn bits(&self) -> String {
        match (&self.elements[..], &self.width[..]) {
            ("1", bits) | (bits, "1") => bits.into(),
            (elements, width) => format!("({elements}) * ({width})"),
        }
    }

    fn declared(&self) -> String {
        match &self.bits()[..] {
            "1" => String::new(),
            bits => format!("[{bits}-1:0] "),
        }
    }
}

/// Widths that have become parameters, with their values for the parameters that are the default.
type Given = Vec<(String, usize)>;

/// A formula in SystemVerilog, or a parameter for it.
fn formula(text: &str, value: usize, parameters: &[&str], given: &mut Given) -> String {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.into();
    }
    if let Some((_, method)) = METHODS.iter().find(|(method, _)| *method == text) {
        return (*method).into();
    }
    if let Some(method) = text.rsplit('.').next().and_then(|m| m.strip_suffix("()")) {
        let name = method.to_uppercase();
        if !given.iter().any(|(known, _)| *known == name) {
            given.push((name.clone(), value));
        }
        return name;
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = text.split(|c| !is_name(c)).filter(|name| !name.is_empty());
    if !names.any(|name| parameters.contains(&name)) {
        // A constant.
        return value.to_string();
    }
    ["id_w(", "pos_w(", "clog2("]
        .into_iter()
        .fold(text.to_string(), |text, function| {
            text.replace(function, &format!("cotenant_pkg::{function}"))
        })
}

fn checked(
    ports: &[Port],
    formulas: &[Formula],
    parameters: &[&str],
    given: &mut Given,
) -> Vec<Checked> {
    let check = |(port, of): (&Port, &Formula)| Checked {
        name: port.name,
        elements: formula(of.elements, port.elements, parameters, given),
        width: formula(of.element_width, port.element_width, parameters, given),
    };
    ports.iter().zip(formulas).map(check).collect()
}

/// The checker of a unit, `cotenant_check_UNIT`, whose parameters are these unless given.
///
/// # Errors
/// Those of [`Unit::model`].
pub fn checker(unit: &'static Unit, parameters: &str) -> Result<String, Error> {
    let model = unit.model(parameters)?;
    Ok(Module::of(&model).text())
}

struct Module<'a> {
    model: &'a AnyModel,
    inputs: Vec<Checked>,
    outputs: Vec<Checked>,
    given: Given,
}

impl<'a> Module<'a> {
    fn of(model: &'a AnyModel) -> Self {
        let values = model.settings().values();
        let parameters: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        let (of_inputs, of_outputs) = model.formulas();
        let mut given = Vec::new();
        Self {
            inputs: checked(model.inputs(), &of_inputs, &parameters, &mut given),
            outputs: checked(model.outputs(), &of_outputs, &parameters, &mut given),
            model,
            given,
        }
    }

    /// Offsets of the ports of a row, and the row.
    fn row(text: &mut String, row: &str, prefix: &str, ports: &[Checked]) {
        let mut at = "0".to_string();
        for Checked { name, .. } in ports {
            let _ = writeln!(text, "  localparam int unsigned {prefix}_{name} = {at};");
            at = format!("{prefix}_{name} + cotenant_pkg::words($bits({name}))");
        }
        let _ = writeln!(text, "  localparam int unsigned {prefix}_WORDS = {at};");
        for (number, Checked { name, .. }) in ports.iter().enumerate() {
            let _ = writeln!(
                text,
                "  wire [cotenant_pkg::words($bits({name}))*64-1:0] {row}_{number} = {name};"
            );
        }
        let all = (0..ports.len())
            .rev()
            .map(|number| format!("{row}_{number}"));
        let all: Vec<String> = all.collect();
        let _ = writeln!(
            text,
            "  wire [{prefix}_WORDS*64-1:0] {row} = {{{}}};",
            all.join(", ")
        );
    }

    fn text(&self) -> String {
        let unit = self.model.unit().name();
        let values = self.model.settings().values();
        let clocked = self.model.is_clocked();
        let described = self.model.unit().parameters();
        let mut parameters = String::new();
        for (name, value) in values {
            // A mask over address bits.
            let masks = |one: &&Parameter| one.name == *name && is_mask(one);
            let (ty, value) = match described.iter().find(masks) {
                Some(_) => ("longint", format!("64'h{value:x}")),
                None => ("int", value.to_string()),
            };
            let _ = writeln!(parameters, "  parameter {ty} unsigned {name} = {value},");
        }
        for (name, value) in &self.given {
            let _ = writeln!(
                parameters,
                "  // Follows from the others; a wrong value is told at the start.\n  \
                 parameter int unsigned {name} = {value},"
            );
        }
        let mut ports = String::new();
        let all = self.inputs.iter().chain(&self.outputs);
        for port in all {
            let _ = write!(ports, ",\n  input wire {}{}", port.declared(), port.name);
        }
        let mut rows = String::new();
        Self::row(&mut rows, "check_driven", "IN", &self.inputs);
        Self::row(&mut rows, "check_seen", "OUT", &self.outputs);
        let mut widths = String::new();
        for (direction, ports) in [&self.inputs, &self.outputs].into_iter().enumerate() {
            for (number, Checked { name, .. }) in ports.iter().enumerate() {
                let _ = writeln!(
                    widths,
                    "    check_expect_width({direction}, {number}, $bits({name}), \"{name}\");"
                );
            }
        }
        let names: Vec<String> = values
            .iter()
            .map(|(name, _)| format!("{name}=%0d"))
            .collect();
        let arguments: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        let reset = match clocked {
            true => "reset === 1'b1",
            false => "1'b1",
        };
        include_str!("../sv/checker.sv.in")
            .replace("{unit}", unit)
            .replace("{parameters}", &parameters)
            .replace("{ports}", &ports)
            .replace("{rows}", &rows)
            .replace("{widths}", &widths)
            .replace("{format}", &names.join(","))
            .replace("{arguments}", &arguments.join(", "))
            .replace("{reset}", reset)
            .replace("{in_reset}", if clocked { reset } else { "1'b0" })
            .replace("{combinational}", if clocked { "1'b0" } else { "1'b1" })
    }
}
