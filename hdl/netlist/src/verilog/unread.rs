//! Bits that a module does not read: they are tied to a named wire, so that lint tools do not warn.

use super::code::Code;
use super::layout::{Item, Layout};
use super::value::{Kind, Value};
use crate::graph::ones;
use crate::ir::{Module, NetId, NetKind};
use num_bigint::BigUint;

/// Bits of each net that the module's text reads, as masks.
fn read(layout: &Layout) -> Vec<BigUint> {
    let mut masks = vec![BigUint::default(); layout.nets.len()];
    let mut note = |value: &Value| {
        value.visit(&mut |v| {
            if let Kind::Net { id, low, .. } = v.kind {
                masks[id.index()] |= ones(v.width) << low;
            }
        });
    };
    let note_all = |body: &[Code], note: &mut dyn FnMut(&Value)| {
        body.iter().for_each(|c| c.each_value(note));
    };
    for item in &layout.items {
        match item {
            Item::Assign { value, .. } => note(value),
            Item::Block { body, .. } => note_all(body, &mut note),
        }
    }
    for domain in &layout.domains {
        note(&domain.reset);
        note(&Value::net(domain.clock, 1));
        domain
            .updates
            .iter()
            .for_each(|(_, body)| note_all(body, &mut note));
    }
    for ram in &layout.rams {
        note(&Value::net(ram.clock, 1));
        [
            &ram.read_address,
            &ram.write_enable,
            &ram.write_address,
            &ram.write_data,
        ]
        .into_iter()
        .for_each(&mut note);
    }
    for instance in &layout.instances {
        for (port, value) in &instance.connections {
            let input =
                |(_, n): &(NetId, &crate::ir::Net)| n.name == *port && n.kind == NetKind::Input;
            if instance.module.ids().any(|n| input(&n)) {
                note(value);
            }
        }
    }
    masks
}

/// Bits to be marked as unused: what the block says it leaves unread, and
/// what is left over because an expression was simplified.
///
/// Bits that the block itself forgets are not among them; the elaborator
/// warns of these, and so does a linter.
pub(super) fn unused(module: &Module, layout: &Layout) -> Vec<Value> {
    let read = read(layout);
    let demanded = crate::elaborate::read_bits(module);
    let mut out = vec![];
    for (i, net) in layout.nets.iter().enumerate() {
        let id = NetId(i as u32);
        let own = i >= module.nets.len();
        let readable = matches!(
            net.kind,
            NetKind::Input | NetKind::Local | NetKind::ChildOutput
        );
        let driven_clock = net.clock && net.kind != NetKind::Input;
        if !readable
            || driven_clock
            || layout.aliases.contains_key(&id)
            || !layout.is_driven(module, id)
        {
            continue;
        }
        let listed = module
            .about
            .as_ref()
            .is_some_and(|a| a.unused.contains(&net.name));
        let mut mask = ones(net.width) ^ &read[i];
        if !own && !listed {
            mask &= &demanded[i];
        }
        let mut low = 0;
        while low < net.width {
            if !mask.bit(low as u64) {
                low += 1;
                continue;
            }
            let run = (low..net.width).take_while(|b| mask.bit(*b as u64)).count();
            out.push(Value::net(id, net.width).slice(low, run));
            low += run;
        }
    }
    out
}
