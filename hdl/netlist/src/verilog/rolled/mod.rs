//! Prints a module with loops and arrays.
//!
//! The module is laid out and printed as ever, with elements of arrays marked; lines that differ
//! only in numbers become loops ([`roll`]), and what a loop indexes becomes an array, or a signal
//! within the loop if nothing else reads it ([`Homes`]). So a loop says what its iterations said,
//! and what is no loop stays as it is.

mod direct;
mod emit;
mod family;
mod home;
mod node;
mod part;
mod roll;

use super::layout::{lay_out, Instance, Item, Layout};
use super::module::{
    clocks, declarations, declared, domain_text, instance_text, items, localparam, port_list,
    port_names, raw_name, unused_text, Place, Text,
};
use super::names::{identifier, Scope};
use super::print::{range, Printer};
use super::ram::{ram_instance, RAM_WORDS};
use super::style::Style;
use super::unread::unused;
use super::value::Kind as ValueKind;
use crate::ir::{Body, Module, NetId};
use emit::Emitter;
use family::{families, Family, Member};
use home::{plain, Homes};
use node::{read, Kind, Node};
use part::{marker, Part};
use roll::{fused, roll, roll_items, Variables};
use std::collections::{HashMap, HashSet};

/// A concatenation of so many parts may be a loop.
const PARTS: usize = 4;

/// Prints a module; `child` gives an instance's module name.
pub(super) fn print(
    module: &Module,
    name: &str,
    style: &Style,
    child: &dyn Fn(&Instance) -> String,
) -> Text {
    let mut rows = HashMap::new();
    loop {
        match attempt(module, name, style, child, &rows) {
            Ok(text) => return text,
            Err(more) => rows.extend(more),
        }
    }
}

/// Prints a module, unless uses of signals are found to be assigned in nested loops that are not
/// known yet: these, with the iterations of the inner loop.
fn attempt(
    module: &Module,
    name: &str,
    style: &Style,
    child: &dyn Fn(&Instance) -> String,
    rows: &HashMap<String, i64>,
) -> Result<Text, HashMap<String, i64>> {
    let mut layout = lay_out(module);
    layout.ram_instances = true;
    let (mut ports, mut scope) = port_names(module, name);
    let reset_low = style.reset_low(module, &mut ports, &mut scope);
    let driven: Vec<bool> = (0..layout.nets.len())
        .map(|i| layout.is_driven(module, NetId(i as u32)))
        .collect();
    let families = families(module, &mut layout, &driven, rows);
    let layout = layout;
    let mut labels = Labels::new(module, &layout, &families);
    ports
        .iter()
        .for_each(|(id, port)| labels.nets[id.index()] = port.clone());
    if let Some(reset) = &reset_low {
        labels.nets[reset.net.index()].clone_from(&reset.inside);
    }
    labels.claim_others(module, &layout, &driven, &mut scope);

    let unused = unused(module, &layout);
    let mut printer = Printer {
        nets: &layout.nets,
        names: &labels.nets,
        scope: &mut scope,
        columns: usize::MAX,
        parameters: vec![],
    };
    let mut variables = Variables::default();
    let mut nodes = logic(module, &layout, &mut printer, &mut variables);
    let instances = layout.instances.iter().zip(&labels.instances);
    let instances = instances.map(|(instance, name)| {
        let mut lines = vec![];
        instance_text(instance, name, &child(instance), &mut printer, &mut lines);
        one(&lines)
    });
    let instances = instances.collect();
    nodes.extend(roll_items(instances, &mut variables));
    for domain in &layout.domains {
        let mut lines = vec![];
        domain_text(domain, style.asynchronous, &mut printer, &mut lines);
        let rolled = roll(read(&lines), &mut variables);
        nodes.extend(rolled.into_iter().map(clocked));
    }
    let rams = layout.rams.iter().zip(&labels.rams);
    let rams = rams.map(|(ram, name)| {
        let mut lines = vec![];
        ram_instance(ram, name, style.ram, &mut printer, &mut lines);
        one(&lines)
    });
    let rams = rams.collect();
    nodes.extend(roll_items(rams, &mut variables));
    let mut lines = vec![];
    for text in &layout.closing {
        super::print::comment(2, text, &mut lines);
    }
    unused_text(&unused, &mut printer, &mut lines);
    nodes.extend(read(&lines));
    let more = found_rows(&families, &nodes);
    if !more.is_empty() {
        return Err(more);
    }
    let parameters: Vec<String> = printer.parameters.iter().map(localparam).collect();

    let mut homes = Homes::find(&families, &mut nodes);
    homes.name(&families, &labels.scalars, &mut scope);
    let mut emitter = Emitter::new(&families, &homes, &layout, &mut scope);
    let logic = emitter.module(&nodes);

    let mut out = style.head.lines(module, name);
    out.push("`default_nettype none".into());
    out.push(String::new());
    port_list(module, name, &ports, &layout, style, &mut out);
    out.extend(reset_low.map(|r| r.inverter));
    out.extend(parameters);
    let names: Vec<String> = labels.nets.iter().map(|n| emitter.plain(n)).collect();
    let scalars: Vec<bool> = (0..names.len())
        .map(|i| driven[i] && !labels.is_declared_as_array(NetId(i as u32), &homes))
        .collect();
    declarations(module, &layout, &names, &scalars, &mut out);
    for (at, family) in families.iter().enumerate() {
        if homes.is_array(at) {
            out.push(array(family, &homes.names[at], &layout));
        }
    }
    out.extend(emitter.genvars());
    let places = emitter.places();
    out.extend(logic);
    out.extend([
        "endmodule".into(),
        String::new(),
        "`default_nettype wire".into(),
    ]);
    let place = |text: &String| places.of(text, &families, &homes);
    let mut state = vec![];
    for c in &module.children {
        if let Body::Reg { .. } = c.body {
            state.push((c.name.clone(), place(&labels.nets[c.port("q").index()])));
        }
    }
    for (ram, name) in layout.rams.iter().zip(&labels.rams) {
        let Place { path, flat } = place(name);
        let words = |at: String| format!("{at}.{RAM_WORDS}");
        let (path, flat) = (words(path), words(flat));
        state.push((ram.name.clone(), Place { path, flat }));
        let data = place(&labels.nets[ram.read_data.index()]);
        state.push((format!("{}.read_data", ram.name), data));
    }
    let instances = layout.instances.iter().zip(&labels.instances);
    let instances = instances.map(|(i, name)| (i.name.clone(), place(name).path));
    Ok(Text {
        body: out.iter().map(|line| without_links(line) + "\n").collect(),
        state,
        instances: instances.collect(),
    })
}

/// Families whose elements two nested loops count through, with the iterations of the inner one.
fn found_rows(families: &[Family], nodes: &[Node]) -> HashMap<String, i64> {
    let mut out = HashMap::new();
    for node in nodes {
        node.each_line(&mut |parts| {
            for part in parts {
                let Part::Element(at, index) = part else {
                    continue;
                };
                if let [index] = &index[..] {
                    let mut factors: Vec<i64> = index.terms.iter().map(|t| t.1).collect();
                    factors.sort_unstable();
                    let family = &families[*at];
                    if let [1, columns] = factors[..] {
                        if columns > 1 && family.has_rows(columns) {
                            out.insert(family.key.clone(), columns);
                        }
                    }
                }
            }
        });
    }
    out
}

/// A comment whose links are their texts.
fn without_links(line: &str) -> String {
    if !line.trim_start().starts_with("//") {
        return line.into();
    }
    let (mut out, mut rest) = (String::new(), line);
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':' || c == '`';
        let length = from[1..].find(|c| !word(c)).unwrap_or(0);
        let text = &from[1..=length];
        let link = from[1 + length..].starts_with(']')
            && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '`')
            && !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == ']');
        if !link {
            out.push('[');
            rest = &from[1..];
            continue;
        }
        out.push_str(text.trim_matches('`'));
        rest = &from[length + 2..];
        if let Some(end) = rest.strip_prefix('(').and_then(|r| r.find(')')) {
            rest = &rest[end + 2..];
        }
    }
    out + rest
}

/// Names in the text: a family's elements are marked.
struct Labels {
    nets: Vec<String>,
    rams: Vec<String>,
    instances: Vec<String>,
    /// What a member is called by itself, before collisions.
    scalars: HashMap<Member, String>,
    family_of: HashMap<NetId, usize>,
}

impl Labels {
    fn new(module: &Module, layout: &Layout, families: &[Family]) -> Labels {
        let mut labels = Labels {
            nets: vec![String::new(); layout.nets.len()],
            rams: vec![String::new(); layout.rams.len()],
            instances: vec![String::new(); layout.instances.len()],
            scalars: HashMap::new(),
            family_of: HashMap::new(),
        };
        for (at, family) in families.iter().enumerate() {
            for (index, member) in &family.members {
                let mark = marker(at, index);
                let raw = match *member {
                    Member::Net(id) => {
                        labels.nets[id.index()] = mark;
                        labels.family_of.insert(id, at);
                        raw_name(module, id, &layout.nets[id.index()])
                    }
                    Member::Ram(i) => {
                        labels.rams[i] = mark;
                        layout.rams[i].name.clone()
                    }
                    Member::Instance(i) => {
                        labels.instances[i] = mark;
                        layout.instances[i].name.clone()
                    }
                };
                labels.scalars.insert(*member, identifier(&raw));
            }
        }
        labels
    }

    fn claim_others(
        &mut self,
        module: &Module,
        layout: &Layout,
        driven: &[bool],
        scope: &mut Scope,
    ) {
        for c in &module.children {
            if let Body::Reg { .. } = c.body {
                let q = &mut self.nets[c.port("q").index()];
                if q.is_empty() {
                    *q = scope.claim(&identifier(&c.name));
                }
            }
        }
        for (ram, name) in layout.rams.iter().zip(&mut self.rams) {
            if name.is_empty() {
                *name = scope.claim(&identifier(&ram.name));
            }
        }
        for (instance, name) in layout.instances.iter().zip(&mut self.instances) {
            if name.is_empty() {
                *name = scope.claim(&identifier(&instance.name));
            }
        }
        for (i, net) in layout.nets.iter().enumerate() {
            let id = NetId(i as u32);
            if self.nets[i].is_empty() && driven[i] && !layout.aliases.contains_key(&id) {
                self.nets[i] = scope.claim(&plain(&identifier(&raw_name(module, id, net))));
            }
        }
        for (from, to) in &layout.aliases {
            self.nets[from.index()] = self.nets[to.index()].clone();
        }
    }

    fn is_declared_as_array(&self, id: NetId, homes: &Homes) -> bool {
        let family = self.family_of.get(&id);
        family.is_some_and(|&at| homes.is_array(at) || homes.is_local(at))
    }
}

/// Clock copies and combinational logic.
fn logic(
    module: &Module,
    layout: &Layout,
    printer: &mut Printer,
    variables: &mut Variables,
) -> Vec<Node> {
    let mut lines = vec![];
    clocks(module, printer, &mut lines);
    let mut nodes = read(&lines);
    for item in &layout.items {
        let whole = item_node(item, printer);
        match parts_of(item, layout, printer, variables) {
            Some(mut parts) => {
                parts[0].comments = whole.comments;
                nodes.extend(parts);
            }
            None => nodes.push(whole),
        }
    }
    roll_items(nodes, variables)
}

fn item_node(item: &Item, printer: &mut Printer) -> Node {
    let mut lines = vec![];
    items(std::slice::from_ref(item), printer, &mut lines);
    lines.retain(|line| !says_nothing(line));
    one(&lines)
}

/// `a = a;`, of an operation with a constant that changes nothing.
fn says_nothing(line: &str) -> bool {
    let sides = line.trim().trim_end_matches(';').split_once(" = ");
    sides.is_some_and(|(to, from)| to == from)
}

/// An assignment of a concatenation as one of each part, if these are one loop.
fn parts_of(
    item: &Item,
    layout: &Layout,
    printer: &mut Printer,
    variables: &mut Variables,
) -> Option<Vec<Node>> {
    let Item::Assign { net, value, .. } = item else {
        return None;
    };
    let ValueKind::Concat(parts) = &value.kind else {
        return None;
    };
    if parts.len() < PARTS || parts.iter().any(|p| p.width != parts[0].width) {
        return None;
    }
    let of = layout.nets[net.index()].width;
    let mut low = 0;
    let nodes = parts.iter().map(|part| {
        let head = format!("assign {} =", printer.part(*net, low, part.width, of));
        low += part.width;
        let mut lines = vec![];
        printer.assignment(2, &head, part, &mut lines);
        one(&lines)
    });
    let nodes: Vec<Node> = nodes.collect();
    let rolled = roll(nodes.clone(), variables);
    matches!(
        &rolled[..],
        [Node {
            kind: Kind::For(_),
            ..
        }]
    )
    .then_some(nodes)
}

/// The lines of one thing.
fn one(lines: &[String]) -> Node {
    let mut nodes = read(lines);
    match nodes.len() {
        1 => nodes.remove(0),
        _ => {
            let mut group = Node::new(Kind::Group(nodes));
            if let Kind::Group(nodes) = &mut group.kind {
                if let Some(first) = nodes.first_mut() {
                    group.comments = std::mem::take(&mut first.comments);
                }
            }
            group
        }
    }
}

/// In a clocked block loops that assign different flops have no order.
fn clocked(mut node: Node) -> Node {
    let apart = |a: &Node, b: &Node| assigned(a).is_disjoint(&assigned(b));
    if let Kind::Block(segments) = &mut node.kind {
        for (_, body) in segments {
            let nodes = std::mem::take(body).into_iter().map(clocked).collect();
            *body = fused(nodes, &apart);
        }
    }
    node
}

/// What `<=` assigns, elements of a family as one.
fn assigned(node: &Node) -> HashSet<String> {
    let mut out = HashSet::new();
    node.each_line(&mut |parts| match parts {
        [Part::Element(family, _), Part::Text(text), ..] if text.contains(" <= ") => {
            out.insert(family.to_string());
        }
        [Part::Element(family, _), ..] => {
            out.insert(family.to_string());
        }
        [Part::Text(text), ..] if !text.starts_with("if ") && !text.starts_with("end") => {
            let name = text.split([' ', '[']).next().unwrap_or_default();
            out.insert(name.to_string());
        }
        _ => {}
    });
    out
}

/// The declaration of a family as an array. Yosys makes flops and wires of it.
fn array(family: &Family, name: &str, layout: &Layout) -> String {
    let Some(&(_, Member::Net(id))) = family.members.first() else {
        return String::new();
    };
    let size: Vec<String> = family
        .size
        .iter()
        .map(|n| format!("[0:{}]", n - 1))
        .collect();
    format!(
        "  (* mem2reg *) {}{} {name} {};",
        declared(layout, id),
        range(layout.nets[id.index()].width),
        size.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::without_links;

    // What rustdoc makes a link is one; indices and ranges are not.
    #[test]
    fn comments_have_no_links() {
        let plain = without_links("// See [`Gdcu`](super::Gdcu), [count] of [7:0] and count[i].");
        assert_eq!(plain, "// See Gdcu, count of [7:0] and count[i].");
        assert_eq!(without_links("  assign a = b[c];"), "  assign a = b[c];");
    }
}
