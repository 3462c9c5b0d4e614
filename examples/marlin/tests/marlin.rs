//! A Verilog design in Verilator beside the golden model, in a Rust test: nothing is written to a file
//! or through a pipe, and the stimulus follows the model cycle by cycle.

use std::error::Error;

use camino::Utf8Path;
use cotenant::registry::{Drawn, Stimulus};
use cotenant_golden::dynamic;
use cotenant_golden::ports::Port;
use marlin_verilator::dynamic::VerilatorValue;
use marlin_verilator::{
    AsDynamicVerilatedModel, PortDirection, VerilatedModelConfig, VerilatorRuntime,
    VerilatorRuntimeOptions,
};

/// Cycles behind the directed part.
const CYCLES: u64 = 10_000;

/// A port's value in the type that Verilator has for its width.
fn value(port: &Port, word: u64) -> VerilatorValue<'static> {
    match port.width() {
        ..=8 => VerilatorValue::CData(word as u8),
        ..=16 => VerilatorValue::SData(word as u16),
        ..=32 => VerilatorValue::IData(word as u32),
        _ => VerilatorValue::QData(word),
    }
}

fn word(value: VerilatorValue<'_>) -> u64 {
    match value {
        VerilatorValue::CData(value) => value.into(),
        VerilatorValue::SData(value) => value.into(),
        VerilatorValue::IData(value) => value.into(),
        VerilatorValue::QData(value) => value,
        _ => panic!("more than 64 bits"),
    }
}

/// The first cycle and port in which the design in a file is not the golden model.
fn difference(file: &str) -> Result<Option<(u64, &'static str)>, Box<dyn Error>> {
    let here = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    let (source, scoreboard) = (here.join(file), here.join("../scoreboard"));
    let build = Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join(file.replace('/', "_"));
    let options = VerilatorRuntimeOptions::default();
    let runtime = VerilatorRuntime::new(&build, &[&source], &[&scoreboard], [], options)?;

    let mut model = dynamic::unit("lru_stack")?.model("2x2")?;
    let of = |ports: &[Port], direction| -> Vec<_> {
        let ports = ports
            .iter()
            .map(|port| (port.name, port.width() - 1, 0, direction));
        ports.collect()
    };
    let mut ports = vec![("clock", 0, 0, PortDirection::Input)];
    ports.extend(of(model.inputs(), PortDirection::Input));
    ports.extend(of(model.outputs(), PortDirection::Output));
    let mut design = runtime.create_dyn_model(
        "my_lru",
        source.as_str(),
        &ports,
        VerilatedModelConfig::default(),
    )?;

    let drawn = Drawn {
        directed: 20_000,
        ..Drawn::default()
    };
    let stimulus = Stimulus::new(&model, &drawn, &mut |_| true)?;
    let mut stimulus = stimulus.ok_or("nobody stops it")?;
    let mut outputs = model.output_row();
    for cycle in 0..stimulus.directed() + CYCLES {
        let inputs = stimulus.next(&model)?.to_vec();
        for (port, &word) in model.inputs().iter().zip(&inputs) {
            design.pin(port.name, value(port, word))?;
        }
        design.eval();
        model.step(&inputs, &mut outputs)?;
        for (port, &expected) in model.outputs().iter().zip(&outputs) {
            // The flops are unknown in the first cycle, which is the reset.
            if cycle > 0 && word(design.read(port.name)?) != expected {
                return Ok(Some((cycle, port.name)));
            }
        }
        for clock in [1u8, 0] {
            design.pin("clock", clock)?;
            design.eval();
        }
    }
    Ok(None)
}

#[test]
fn my_lru_is_the_golden_model() {
    assert_eq!(difference("../scoreboard/my_lru.v").unwrap(), None);
}

#[test]
fn a_mistake_is_found() {
    let found = difference("mistake.v").unwrap();
    assert!(
        matches!(found, Some((_, "stack_owner" | "victim_owner"))),
        "{found:?}"
    );
}
