//! Prints one module.

use super::header;
use super::layout::{lay_out, Domain, Instance, Item, Layout};
use super::names::{identifier, Scope};
use super::print::{comment, fill, fill_to, number, range, Parameter, Printer, COLUMNS};
use super::ram::ram_text;
use super::style::{Style, RESET};
use super::unread::unused;
use super::value::Value;
use crate::ir::{Body, Module, Net, NetId, NetKind};
use std::collections::HashSet;

/// A module's text, and what its parts are called.
pub(super) struct Text {
    pub body: String,
    /// Rust path and identifier of flops and RAMs.
    pub state: Vec<(String, Place)>,
    /// Rust path and identifier of instances.
    pub instances: Vec<(String, String)>,
}

/// What something is called within its module.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// In Verilog.
    pub path: String,
    /// With the words of an array counted through, as synthesis names them.
    pub flat: String,
}

impl From<String> for Place {
    fn from(path: String) -> Place {
        Place {
            flat: path.clone(),
            path,
        }
    }
}

/// Identifiers of the ports of a module; the same for everyone who
/// instantiates it.
pub(super) fn port_names(module: &Module, name: &str) -> (Vec<(NetId, String)>, Scope) {
    let mut scope = Scope::default();
    scope.reserve(name);
    let ports = module
        .ids()
        .filter(|(_, n)| matches!(n.kind, NetKind::Input | NetKind::Output))
        .map(|(id, n)| (id, scope.claim(&identifier(&n.name))))
        .collect();
    (ports, scope)
}

impl Layout {
    pub fn is_flop(&self, id: NetId) -> bool {
        self.domains
            .iter()
            .any(|d| d.flops.iter().any(|f| f.q == id))
    }

    /// Something gives the net a value; other nets have no place in the text.
    pub fn is_driven(&self, module: &Module, id: NetId) -> bool {
        match self.nets[id.index()].kind {
            NetKind::Input | NetKind::ChildOutput => true,
            _ => {
                module.clocks.contains_key(&id)
                    || self.items.iter().any(|item| match item {
                        Item::Assign { net, .. } => *net == id,
                        Item::Block { targets, .. } => targets.contains(&id),
                    })
                    || self.aliases.values().any(|to| *to == id)
            }
        }
    }
}

/// Prints a module; `child` gives an instance's module name.
pub(super) fn print(
    module: &Module,
    name: &str,
    style: &Style,
    child: &dyn Fn(&Instance) -> String,
) -> Text {
    let layout = lay_out(module);
    let (mut ports, mut scope) = port_names(module, name);
    let reset_low = style.reset_low(module, &mut ports, &mut scope);
    let driven: Vec<bool> = (0..layout.nets.len())
        .map(|i| layout.is_driven(module, NetId(i as u32)))
        .collect();

    let mut names = vec![String::new(); layout.nets.len()];
    ports
        .iter()
        .for_each(|(id, port)| names[id.index()] = port.clone());
    if let Some(reset) = &reset_low {
        names[reset.net.index()].clone_from(&reset.inside);
    }
    let mut state = vec![];
    for c in &module.children {
        if let Body::Reg { .. } = c.body {
            let q = scope.claim(&identifier(&c.name));
            names[c.port("q").index()] = q.clone();
            state.push((c.name.clone(), q.into()));
        }
    }
    let rams: Vec<String> = layout
        .rams
        .iter()
        .map(|r| scope.claim(&identifier(&r.name)))
        .collect();
    let instances: Vec<String> = layout
        .instances
        .iter()
        .map(|i| scope.claim(&identifier(&i.name)))
        .collect();
    for (i, net) in layout.nets.iter().enumerate() {
        let id = NetId(i as u32);
        if names[i].is_empty() && driven[i] && !layout.aliases.contains_key(&id) {
            names[i] = scope.claim(&net_name(module, id, net));
        }
    }
    for (from, to) in &layout.aliases {
        names[from.index()] = names[to.index()].clone();
    }
    for (ram, array) in layout.rams.iter().zip(&rams) {
        state.push((ram.name.clone(), array.clone().into()));
        state.push((
            format!("{}.read_data", ram.name),
            names[ram.read_data.index()].clone().into(),
        ));
    }

    let unused = unused(module, &layout);
    let mut printer = Printer {
        nets: &layout.nets,
        names: &names,
        scope: &mut scope,
        columns: COLUMNS,
        parameters: vec![],
    };
    let mut logic = vec![];
    clocks(module, &printer, &mut logic);
    items(&layout.items, &mut printer, &mut logic);
    for (instance, instance_name) in layout.instances.iter().zip(&instances) {
        logic.push(String::new());
        instance_text(
            instance,
            instance_name,
            &child(instance),
            &mut printer,
            &mut logic,
        );
    }
    for domain in &layout.domains {
        logic.push(String::new());
        domain_text(domain, style.asynchronous, &mut printer, &mut logic);
    }
    for (ram, mem) in layout.rams.iter().zip(&rams) {
        logic.push(String::new());
        ram_text(ram, mem, &mut printer, &mut logic);
    }
    layout
        .closing
        .iter()
        .for_each(|c| comment(2, c, &mut logic));
    unused_text(&unused, &mut printer, &mut logic);

    let mut out = style.head.lines(module, name);
    out.push("`default_nettype none".into());
    out.push(String::new());
    port_list(module, name, &ports, &layout, style, &mut out);
    out.extend(reset_low.map(|r| r.inverter));
    out.extend(printer.parameters.iter().map(localparam));
    declarations(module, &layout, &names, &driven, &mut out);
    out.append(&mut logic);
    out.extend([
        "endmodule".into(),
        String::new(),
        "`default_nettype wire".into(),
    ]);
    let mut body = out.join("\n");
    body.push('\n');
    let instances = layout
        .instances
        .iter()
        .zip(instances)
        .map(|(i, n)| (i.name.clone(), n))
        .collect();
    Text {
        body,
        state,
        instances,
    }
}

pub(super) fn localparam(p: &Parameter) -> String {
    format!(
        "  localparam{} {} = {};",
        range(p.width),
        p.name,
        number(&p.value, p.width)
    )
}

/// What a net is called in Verilog, before reserved words and collisions.
fn net_name(module: &Module, id: NetId, net: &Net) -> String {
    identifier(&raw_name(module, id, net))
}

/// The same with dots and subscripts.
pub(super) fn raw_name(module: &Module, id: NetId, net: &Net) -> String {
    for child in &module.children {
        if let (Body::Reg { .. }, true) = (&child.body, child.ports.iter().any(|p| p.1 == id)) {
            let suffix = match id {
                _ if child.port("d") == id => "_next",
                _ if child.port("q") == id => "",
                _ => "_reset",
            };
            return format!("{}{suffix}", child.name);
        }
    }
    net.name.clone()
}

/// A wire that reads what nothing else reads.
pub(super) fn unused_text(unused: &[Value], printer: &mut Printer, out: &mut Vec<String>) {
    if unused.is_empty() {
        return;
    }
    let texts: Vec<String> = unused.iter().map(|v| printer.value(v)).collect();
    let unused_name = printer.scope.claim("unused");
    out.push(String::new());
    comment(2, "Deliberately not read.", out);
    let mut words: Vec<String> = vec![format!("wire {unused_name} = &{{1'b0,")];
    words.extend(texts.iter().take(texts.len() - 1).map(|t| format!("{t},")));
    words.push(format!("{}}};", texts[texts.len() - 1]));
    fill_to(2, &words, printer.columns, out);
}

/// Outputs that copy a clock.
pub(super) fn clocks(module: &Module, printer: &Printer, out: &mut Vec<String>) {
    for (id, net) in module.ids() {
        if net.kind == NetKind::Output && module.clocks.contains_key(&id) {
            let root = printer.name(module.clock_root(id));
            out.push(format!("  assign {} = {root};", printer.name(id)));
        }
    }
}

pub(super) fn items(items: &[Item], printer: &mut Printer, out: &mut Vec<String>) {
    for (i, item) in items.iter().enumerate() {
        match item {
            Item::Assign {
                comments,
                net,
                value,
            } => {
                let follows = i > 0 && matches!(items[i - 1], Item::Assign { .. });
                if !follows || !comments.is_empty() {
                    out.push(String::new());
                }
                comments.iter().for_each(|c| comment(2, c, out));
                let head = format!("assign {} =", printer.name(*net));
                printer.assignment(2, &head, value, out);
            }
            Item::Block { comments, body, .. } => {
                out.push(String::new());
                comments.iter().for_each(|c| comment(2, c, out));
                out.push("  always @* begin".into());
                printer.statements(4, body, "=", out);
                out.push("  end".into());
            }
        }
    }
}

pub(super) fn instance_text(
    instance: &Instance,
    name: &str,
    module_name: &str,
    printer: &mut Printer,
    out: &mut Vec<String>,
) {
    instance.comments.iter().for_each(|c| comment(2, c, out));
    let (ports, _) = port_names(&instance.module, module_name);
    let port = |rust: &str| {
        let found = ports
            .iter()
            .find(|(id, _)| instance.module.net(*id).name == rust);
        found.map_or_else(|| identifier(rust), |(_, name)| name.clone())
    };
    out.push(format!("  {module_name} {name} ("));
    let last = instance.connections.len().saturating_sub(1);
    for (i, (rust, value)) in instance.connections.iter().enumerate() {
        let comma = if i == last { "" } else { "," };
        out.push(format!(
            "    .{}({}){comma}",
            port(rust),
            printer.value(value)
        ));
    }
    out.push("  );".into());
}

pub(super) fn domain_text(
    domain: &Domain,
    asynchronous: bool,
    printer: &mut Printer,
    out: &mut Vec<String>,
) {
    let resets = !domain.reset.is_zero();
    let edges = match asynchronous && resets {
        true => format!(" or posedge {}", printer.value(&domain.reset)),
        false => String::new(),
    };
    let inits = |indent, assign, printer: &mut Printer, out: &mut Vec<String>| {
        for flop in &domain.flops {
            let width = printer.nets[flop.q.index()].width;
            let value = Value::constant(flop.init.clone(), width);
            let code = super::code::Code::Set {
                net: flop.q,
                low: 0,
                value,
            };
            printer.statements(indent, &[code], assign, out);
        }
    };
    if !resets {
        // Nothing else gives them a value.
        out.push("  initial begin".into());
        inits(4, "=", printer, out);
        out.push("  end".into());
    }
    out.push(format!(
        "  always @(posedge {}{edges}) begin",
        printer.name(domain.clock)
    ));
    let indent = if resets { 6 } else { 4 };
    if resets {
        out.push(format!("    if ({}) begin", printer.value(&domain.reset)));
        inits(6, "<=", printer, out);
        out.push("    end else begin".into());
    }
    let start = out.len();
    for (comments, body) in &domain.updates {
        comments.iter().for_each(|c| comment(indent, c, out));
        printer.statements(indent, body, "<=", out);
    }
    if resets {
        if out.len() == start {
            out.pop();
        }
        out.push("    end".into());
    }
    out.push("  end".into());
}

/// The keyword that declares a net.
pub(super) fn declared(layout: &Layout, id: NetId) -> &'static str {
    let in_block = layout.items.iter().any(|item| match item {
        Item::Block { targets, .. } => targets.contains(&id),
        Item::Assign { .. } => false,
    });
    let read_here = !layout.ram_instances && layout.rams.iter().any(|r| r.read_data == id);
    let clocked = layout.is_flop(id) || read_here;
    if in_block || clocked {
        "reg"
    } else {
        "wire"
    }
}

pub(super) fn port_list(
    module: &Module,
    name: &str,
    ports: &[(NetId, String)],
    layout: &Layout,
    style: &Style,
    out: &mut Vec<String>,
) {
    let mut comments = header::port_comments(module);
    if let Some(text) = comments.get_mut(RESET) {
        *text = style.reset_comment(text);
    }
    out.push(format!("module {name} ("));
    let last = ports.len().saturating_sub(1);
    for (i, (id, port)) in ports.iter().enumerate() {
        let net = module.net(*id);
        if let Some(text) = comments.get(header::field(&net.name)) {
            comment(4, text, out);
        }
        let kind = match net.kind {
            NetKind::Input => "input wire".into(),
            _ => format!("output {}", declared(layout, *id)),
        };
        let comma = if i == last { "" } else { "," };
        out.push(format!("    {kind}{} {port}{comma}", range(net.width)));
    }
    out.push(");".into());
}

/// Declarations, those of an array's elements on the same lines.
pub(super) fn declarations(
    module: &Module,
    layout: &Layout,
    names: &[String],
    driven: &[bool],
    out: &mut Vec<String>,
) {
    let mut groups: Vec<(String, (&str, &str), Vec<String>)> = vec![];
    let mut done: HashSet<&str> = HashSet::new();
    for (i, net) in layout.nets.iter().enumerate() {
        let id = NetId(i as u32);
        let port = matches!(net.kind, NetKind::Input | NetKind::Output);
        // Copies of a clock have its name, but for those that a part gives back.
        if port
            || (net.clock && net.kind != NetKind::ChildOutput)
            || !driven[i]
            || names[i].is_empty()
            || layout.aliases.contains_key(&id)
        {
            continue;
        }
        if !done.insert(&names[i]) {
            continue;
        }
        let head = format!("{}{}", declared(layout, id), range(net.width));
        // Elements of an array differ in their subscripts only.
        let parts = net.name.find('[').zip(net.name.rfind(']'));
        let array = match parts {
            Some((open, close)) if i < module.nets.len() => (&net.name[..open], &net.name[close..]),
            _ => ("", ""),
        };
        match groups
            .iter_mut()
            .find(|g| g.0 == head && g.1 == array && !array.0.is_empty())
        {
            Some((_, _, words)) => words.push(names[i].clone()),
            None => groups.push((head, array, vec![names[i].clone()])),
        }
    }
    for (head, _, mut words) in groups {
        let last = words.len() - 1;
        words
            .iter_mut()
            .enumerate()
            .for_each(|(i, w)| w.push(if i == last { ';' } else { ',' }));
        let mut lines = vec![];
        fill(4, &words, &mut lines);
        match &lines[..] {
            [only] => out.push(format!("  {head} {}", only.trim_start())),
            _ => {
                out.push(format!("  {head}"));
                out.append(&mut lines);
            }
        }
    }
}
