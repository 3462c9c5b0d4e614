//! X and Z in a waveform of Icarus.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Time that the last requests of a sweep take to be done, and what was read beside the last one
/// takes to be replaced: four cycles of 10.
const PIPELINE: u64 = 40;

/// Signals below the design under test that are X or Z, in any bit, at any time after `from`. In a
/// design with an output `ready`, which has RAM that starts unknown, from its first rise on, and
/// as much later as the requests of a sweep take.
pub fn unknowns(vcd: &Path, from: u64) -> BTreeSet<String> {
    let text = std::fs::read_to_string(vcd).unwrap();
    let mut scopes: Vec<&str> = vec![];
    // By identifier: names, and whether it is unknown now.
    let mut signals: HashMap<&str, (Vec<String>, bool)> = HashMap::new();
    let mut found = BTreeSet::new();
    let mut output = false;
    let mut time = 0;
    let mut compared = 0;
    let (mut ready, mut from) = (None, from);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, name, "$end"] => scopes.push(name),
            ["$upscope", "$end"] => {
                scopes.pop();
            }
            // An output is a wire of the testbench, an input is not, and other signals are not
            // there.
            ["$var", "wire", _, _, "ready", ..] if !scopes.contains(&"dut") => output = true,
            // The variable of a loop is no signal, and unknown until its loop has run.
            ["$var", "integer", ..] => {}
            ["$var", _, _, id, name, ..] if scopes.contains(&"dut") => {
                let name = [&scopes[1..], &[name]].concat().join(".");
                if name == "dut.ready" && output {
                    (ready, from) = (Some(id), u64::MAX);
                }
                signals.entry(id).or_default().0.push(name);
            }
            [word] if word.starts_with('#') => {
                // What is unknown as time moves on was so for a while.
                if time > from {
                    note(&signals, &mut found);
                    compared += 1;
                }
                time = word[1..].parse().unwrap();
            }
            [value, id] if value.starts_with('b') => set(&mut signals, id, value),
            [word] if !word.starts_with('$') => {
                let (value, id) = word.split_at(1);
                set(&mut signals, id, value);
                if ready == Some(id) && value == "1" && from == u64::MAX {
                    from = time + PIPELINE;
                }
            }
            _ => {}
        }
    }
    assert!(
        !signals.is_empty() && compared > 100,
        "no wave in {}",
        vcd.display()
    );
    note(&signals, &mut found);
    found
}

fn set<'a>(signals: &mut HashMap<&'a str, (Vec<String>, bool)>, id: &'a str, value: &str) {
    if let Some((_, unknown)) = signals.get_mut(id) {
        *unknown = value.contains(['x', 'X', 'z', 'Z']);
    }
}

fn note(signals: &HashMap<&str, (Vec<String>, bool)>, found: &mut BTreeSet<String>) {
    for (names, unknown) in signals.values() {
        if *unknown {
            found.extend(names.iter().cloned());
        }
    }
}
