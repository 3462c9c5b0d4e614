//! X and Z in a waveform of Icarus.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Signals below the design under test that are X or Z, in any bit, at any time after `from`.
pub fn unknowns(vcd: &Path, from: u64) -> BTreeSet<String> {
    let text = std::fs::read_to_string(vcd).unwrap();
    let mut scopes: Vec<&str> = vec![];
    // By identifier: names, and whether it is unknown now.
    let mut signals: HashMap<&str, (Vec<String>, bool)> = HashMap::new();
    let mut found = BTreeSet::new();
    let mut time = 0;
    let mut compared = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, name, "$end"] => scopes.push(name),
            ["$upscope", "$end"] => {
                scopes.pop();
            }
            ["$var", _, _, id, name, ..] if scopes.contains(&"dut") => {
                let name = [&scopes[1..], &[name]].concat().join(".");
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
            [word] if !word.starts_with('$') => set(&mut signals, &word[1..], &word[..1]),
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

/// When a signal of the design under test is 1 for the first time.
pub fn first_high(vcd: &Path, signal: &str) -> Option<u64> {
    let text = std::fs::read_to_string(vcd).unwrap();
    let (mut id, mut inside, mut time) = (None, false, 0);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, "dut", "$end"] => inside = true,
            ["$var", _, _, code, name, ..] if inside && id.is_none() && name == signal => {
                id = Some(format!("1{code}"));
            }
            [word] if word.starts_with('#') => time = word[1..].parse().unwrap(),
            [word] if id.as_deref() == Some(word) => return Some(time),
            _ => {}
        }
    }
    None
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
