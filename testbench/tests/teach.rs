//! Rationale: a scene teaches what its captions say, so each of its facts, worked out by hand, is
//! held to the netlist, in each set that it is told in; a fact that is not so, a scene that names
//! what is not there, and one that drives a unit as nobody may must be seen. What is drawn from it
//! must be what WaveDrom reads: lanes of one length, a value for each box.

use cotenant::registry::{visit, Unit, Visitor, UNITS};
use cotenant::scenes::{play, play_scene, row, set, Scene, Step, Teach};
use cotenant::unit::llc::{Gdcu, LruStack};
use cotenant::verify::interface::Interface;
use cotenant::Error;
use cotenant_golden::llc::lru_stack::In;
use serde_json::Value;

/// All scenes of a unit.
struct All;

impl Visitor for All {
    type Output = Vec<cotenant::scenes::Played>;

    fn visit<U: Unit>(self) -> Self::Output {
        let played = U::SETS.iter().map(|name| {
            let set = set::<U>(Some(name)).unwrap();
            assert_eq!(set.name, *name, "{}: by name, not by alias", U::NAME);
            play::<U>(&set, None).unwrap()
        });
        played.collect()
    }
}

fn all() -> Vec<cotenant::scenes::Played> {
    let scenes = UNITS.iter().map(|unit| visit(unit.name(), All).unwrap());
    scenes.flatten().collect()
}

#[test]
fn every_fact_of_every_scene_holds() {
    for played in all() {
        assert_eq!(played.mismatch, None, "{} {}", played.unit, played.set);
        let wrong: Vec<String> = played.wrong().map(|wrong| wrong.to_string()).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let facts = played.steps.iter().map(|step| step.facts.len());
        let facts: usize = facts.sum();
        assert!(
            facts >= played.steps.len(),
            "{}: one fact per step",
            played.unit
        );
    }
}

/// The paper's stack, with one more step.
fn longer(step: Step<In>) -> cotenant::Result<cotenant::scenes::Played> {
    let set = set::<LruStack>(None)?;
    let scene = LruStack::scene(&LruStack::params(&set)?).step(step);
    play_scene(&set, &LruStack::netlist(&set)?, scene, None)
}

#[test]
fn a_fact_that_is_not_so_is_seen() {
    let played =
        longer(Step::new("Nothing.", In::default()).sees("stack_way", [2, 1, 0, 3])).unwrap();
    assert!(!played.passed());
    let wrong: Vec<String> = played.wrong().map(|wrong| wrong.to_string()).collect();
    assert_eq!(
        wrong,
        ["lru_stack 4x4: cycle 14: stack_way is 2 1 3 0, by hand 2 1 0 3"]
    );
}

#[test]
fn a_scene_that_is_wrong_in_itself_is_refused() {
    let problem = |step| longer(step).unwrap_err().to_string();
    assert_eq!(
        problem(Step::new("Nothing.", In::default()).sees("stack_wya", 0)),
        "lru_stack 4x4: the scene is wrong: neither port, register nor signal is called stack_wya"
    );
    assert_eq!(
        problem(Step::new("Nothing.", In::default()).then("hit_pos", 4)),
        "lru_stack 4x4: the scene is wrong: hit_pos in cycle 15, after the last, 14"
    );
    assert_eq!(
        problem(Step::over("Nothing.", [])),
        "lru_stack 4x4: the scene is wrong: no cycle in the step 'Nothing.'"
    );
    let long = Step::over("Nothing.", (0..600).map(|_| In::default()));
    assert!(problem(long).contains("cycles, expected up to 320"));
    let illegal = In {
        access_valid: true,
        access_kid: 4,
        ..In::default()
    };
    assert!(matches!(
        longer(Step::new("A fifth kernel.", illegal)),
        Err(Error::Assumption { cycle: 14, .. })
    ));
}

#[test]
fn a_scene_is_told_in_its_sets_alone() {
    let problem = |name| set::<Gdcu>(Some(name)).unwrap_err().to_string();
    assert_eq!(
        problem("table-1"),
        "gdcu has no example waveform in '16x4x21', expected one of: 4x4x21, 4x4x21s0, 4x4x21s2"
    );
    assert!(problem("figure-3").contains("the nearest is 'figure-2'"));
    assert_eq!(set::<Gdcu>(Some("figure-2")).unwrap().name, "4x4x21");
}

/// A mismatch does not end the scene, and is named.
#[test]
fn a_fault_in_the_netlist_is_seen() {
    let set = set::<Gdcu>(None).unwrap();
    let mut netlist = Gdcu::netlist(&set).unwrap();
    let count = netlist.outputs.iter_mut().find(|o| o.name == "read_count");
    count.unwrap().node = netlist.graph.constant(0u8, 21);
    let scene = Gdcu::scene(&Gdcu::params(&set).unwrap());
    let cycles = scene.length();
    let played = play_scene(&set, &netlist, scene, None).unwrap();
    let mismatch = played.mismatch.as_ref().unwrap();
    assert_eq!(
        (&mismatch.field[..], mismatch.dut, mismatch.golden),
        ("read_count", 0, 1)
    );
    assert_eq!(played.cycles(), cycles);
    assert!(played
        .wrong()
        .all(|wrong| wrong.to_string().contains("read_count is 0")));
    assert_eq!(played.wrong().count(), 3);
}

/// A signal of a wave in a cycle.
fn in_wave(wave: &mut wellen::simple::Waveform, path: &[&str], name: &str, cycle: u64) -> u64 {
    u64::from_str_radix(&bits_in_wave(wave, path, name, cycle), 2).unwrap()
}

fn bits_in_wave(
    wave: &mut wellen::simple::Waveform,
    path: &[&str],
    name: &str,
    cycle: u64,
) -> String {
    let hierarchy = wave.hierarchy();
    let variable = hierarchy.lookup_var(path, name).unwrap();
    let signal = hierarchy[variable].signal_ref();
    wave.load_signals(&[signal]);
    // Ten units per cycle.
    let index = wave
        .time_table()
        .partition_point(|time| *time <= 10 * cycle)
        - 1;
    let signal = wave.get_signal(signal).unwrap();
    let offset = signal.get_offset(index as u32).unwrap();
    let value = signal.get_value_at(&offset, offset.elements - 1);
    value.to_bit_string().unwrap()
}

/// Characters of ASCII in bits.
fn characters(bits: &str) -> String {
    let bytes = bits.as_bytes().chunks(8);
    let byte = |bits: &[u8]| u8::from_str_radix(std::str::from_utf8(bits).unwrap(), 2).unwrap();
    let characters = bytes.map(byte).filter(|&byte| byte != 0);
    characters.map(char::from).collect()
}

/// Both sides are in the wave with what the words say, and where they differ is marked.
#[test]
fn the_wave_shows_the_whole_scene() {
    let set = set::<Gdcu>(None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let netlist = Gdcu::netlist(&set).unwrap();
    let mut faulty = netlist.clone();
    let count = faulty.outputs.iter_mut().find(|o| o.name == "read_count");
    count.unwrap().node = faulty.graph.constant(0u8, 21);
    for (netlist, file) in [(netlist, "good.vcd"), (faulty, "bad.vcd")] {
        let path = folder.path().join(file);
        let scene = Gdcu::scene(&Gdcu::params(&set).unwrap());
        let played = play_scene(&set, &netlist, scene, Some(&path)).unwrap();
        let mut wave = wellen::simple::read(&path).unwrap();
        assert_eq!(*wave.time_table().last().unwrap(), 10 * played.cycles());
        let facts = played.steps.iter().flat_map(|step| &step.facts);
        let mut differences = vec![];
        for fact in facts.filter(|fact| fact.signal == "read_count") {
            let mut at = |scope| in_wave(&mut wave, &["gdcu", scope], "read_count", fact.cycle);
            let (dut, golden) = (at("dut"), at("golden"));
            assert_eq!(fact.value, [dut]);
            assert_eq!(fact.expected, [golden]);
            if dut != golden {
                differences.push(fact.cycle);
            }
        }
        let marked: Vec<u64> = (0..played.cycles())
            .filter(|&cycle| in_wave(&mut wave, &["gdcu"], "mismatch", cycle) == 1)
            .collect();
        assert_eq!(marked, differences, "{file}");
        for step in &played.steps {
            for cycle in [step.first, step.last] {
                let bits = bits_in_wave(&mut wave, &["gdcu"], "step", cycle);
                assert_eq!(characters(&bits), step.caption, "cycle {cycle}");
            }
        }
        assert_eq!(
            marked.first().copied(),
            played.mismatch.as_ref().map(|m| m.cycle)
        );
    }
}

/// What is wrong with WaveJSON, if anything.
fn problem(text: &str) -> Option<String> {
    let document: Value = serde_json::from_str(text).ok()?;
    let lanes = document["signal"].as_array()?;
    let length = lanes[0]["wave"].as_str()?.len();
    for lane in lanes {
        let (name, wave) = (&lane["name"], lane["wave"].as_str()?);
        let boxes = wave.matches(['=', '3']).count();
        let values = lane["data"].as_array().map_or(0, Vec::len);
        let first = wave.chars().next()?;
        if wave.len() != length {
            return Some(format!("{name}: {} cells, expected {length}", wave.len()));
        } else if boxes != values {
            return Some(format!("{name}: {values} values, expected {boxes}"));
        } else if !wave.chars().all(|c| "p013x=.|".contains(c)) || ".|".contains(first) {
            return Some(format!("{name}: {wave}"));
        }
    }
    None
}

#[test]
fn wave_json_is_what_wavedrom_reads() {
    for played in all() {
        let text = played.wave_json();
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}");
        assert_eq!(problem(&text), None, "{text}");
    }
    let broken = r#"{"signal":[{"name":"a","wave":"01"},{"name":"b","wave":"0"}]}"#;
    assert!(problem(broken).is_some());
    let broken = r#"{"signal":[{"name":"a","wave":"==","data":["1"]}]}"#;
    assert!(problem(broken).is_some());
}

/// Cycles left out are a gap, after which a lane goes on if nothing has changed.
#[test]
fn what_is_drawn_is_what_was_simulated() {
    let set = set::<LruStack>(None).unwrap();
    let fill = In {
        access_valid: true,
        access_kid: 3,
        ..In::default()
    };
    let scene = Scene::<LruStack>::new("folded")
        .group(
            "request",
            [
                row("access_valid"),
                row("access_kid").kernel().when("access_valid"),
            ],
        )
        .group("stack", [row("stack_valid"), row("way[*]")])
        .step(Step::over("Four misses.", (0..4).map(|_| fill.clone())).folded())
        .step(Step::over("Nothing.", (0..2).map(|_| In::default())));
    let played = play_scene(&set, &LruStack::netlist(&set).unwrap(), scene, None).unwrap();
    let expected = r#"{
  "signal": [
    {"name":"step","wave":"=..=.","data":["1","2"]},
    {"name":"cycle","wave":"=|===","data":["0","3","4","5"]},
    {"name":"","wave":"3....","data":["request"]},
    {"name":"clock","wave":"p|..."},
    {"name":"access_valid","wave":"1|.0."},
    {"name":"access_kid","wave":"=|.x.","data":["K3"]},
    {"name":"","wave":"3....","data":["stack"]},
    {"name":"stack_valid","wave":"=|==.","data":["0000","0111","1111"]},
    {"name":"way[*]","wave":"=|==.","data":["0 1 2 3","1 2 3 0","0 1 2 3"]}
  ],
  "head": {"text":"lru_stack 4x4: folded"},
  "config": {"hscale":2}
}
"#;
    assert_eq!(played.wave_json(), expected);
}

/// A text of a picture: where it begins and ends, and the height that it is at.
type Placed = (f64, f64, String);

/// The texts of a picture that are of equal widths, that is values and names of signals.
fn placed(svg: &str) -> Vec<Placed> {
    let mut found = vec![];
    for line in svg
        .lines()
        .filter_map(|line| line.strip_prefix("<text class=\""))
    {
        let Some((class, rest)) = line.split_once('"') else {
            continue;
        };
        let attribute = |name: &str| {
            let (_, value) = rest.split_once(&format!(" {name}=\"")).unwrap();
            value.split_once('"').unwrap().0.to_owned()
        };
        let (_, text) = rest.split_once('>').unwrap();
        let text = text.trim_end_matches("</text>").replace("&gt;", ">");
        // 11 pixels of a font whose characters are 0.602 of its size.
        let width = text.chars().count() as f64 * 11.0 * 0.602;
        let x: f64 = attribute("x").parse().unwrap();
        match class {
            "v" => found.push((x - width / 2.0, x + width / 2.0, attribute("y"))),
            "n" => found.push((x - width, x, attribute("y"))),
            _ => {}
        }
    }
    found
}

/// Texts beside each other that overlap.
fn overlaps(texts: &[Placed]) -> usize {
    let mut pairs = 0;
    for (i, a) in texts.iter().enumerate() {
        let beside = texts[..i].iter().filter(|b| b.2 == a.2);
        pairs += beside.filter(|b| a.0 < b.1 && b.0 < a.1).count();
    }
    pairs
}

#[test]
fn no_text_of_a_picture_is_over_another() {
    for played in all() {
        let svg = played.svg();
        let texts = placed(&svg);
        assert!(texts.len() > played.steps.len(), "{}", played.unit);
        assert_eq!(overlaps(&texts), 0, "{} {}", played.unit, played.set);
        let (_, rest) = svg.split_once("width=\"").unwrap();
        let width: f64 = rest.split_once('"').unwrap().0.parse().unwrap();
        let outside = texts.iter().find(|text| text.0 < 0.0 || text.1 > width);
        assert_eq!(outside, None, "{} {}", played.unit, played.set);
    }
    let close = "<text class=\"v\" x=\"20\" y=\"5\">0000</text>\n<text class=\"v\" x=\"40\" y=\"5\">1111</text>\n";
    assert_eq!(overlaps(&placed(close)), 1);
}
