//! Flops that a fault changes.

use cotenant_netlist::graph::Op;
use cotenant_netlist::Netlist;

/// Flops that may differ after an edge in two netlists with the same flops, if those of `free` may
/// differ before it. The graph of `faulty` was made from that of `netlist`, so that equal nodes have
/// equal numbers.
pub fn reached(netlist: &Netlist, faulty: &Netlist, free: &[usize]) -> Vec<usize> {
    let graph = &faulty.graph;
    let pairs = || netlist.regs.iter().zip(&faulty.regs);
    let mut touched = vec![false; graph.len()];
    for node in graph.order(pairs().flat_map(|(good, bad)| [good.next, bad.next])) {
        touched[node.index()] = match graph.op(node) {
            Op::Reg(flop) => free.contains(&(*flop as usize)),
            op => {
                let operands = op.operands();
                operands.iter().any(|operand| touched[operand.index()])
            }
        };
    }
    let flops = pairs().enumerate().filter(|(_, (good, bad))| {
        let changed = good.next != bad.next || good.init != bad.init;
        changed || touched[good.next.index()] || touched[bad.next.index()]
    });
    flops.map(|(flop, _)| flop).collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: a flop that is left out makes proofs fail, one too many makes them slow. A fault
    //! in a shadow register reaches that register alone, and in the next cycle the read port.
    use super::*;
    use crate::unit::llc::Gdcu;
    use crate::verify::interface::Interface;
    use cotenant_netlist::fault::Fault;
    use cotenant_units::table;

    #[test]
    fn a_fault_changes_its_flop_and_then_what_depends_on_it() {
        let netlist = Gdcu::netlist(&table::set("gdcu", "small").unwrap()).unwrap();
        let named = |flops: &[usize]| -> Vec<&str> {
            let names = flops.iter().map(|&flop| netlist.regs[flop].name.as_str());
            let mut names: Vec<&str> = names.collect();
            names.sort_unstable();
            names
        };
        let at = |name: &str| {
            netlist
                .regs
                .iter()
                .position(|reg| reg.name == name)
                .unwrap()
        };
        let reg = at("matrix.shadow[1][0]");
        let faulty = netlist.with_fault(&Fault::LostWrite { reg }).unwrap();
        let first = reached(&netlist, &faulty, &[]);
        assert_eq!(first, [reg]);
        let second = reached(&netlist, &faulty, &first);
        let names = ["matrix.read_row[1]", "matrix.shadow[1][0]"];
        assert_eq!(named(&second), names);
    }
}
