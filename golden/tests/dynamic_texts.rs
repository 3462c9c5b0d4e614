//! Rationale: names, parameters and rows come from programs in other languages. They must be read as
//! on the command line; what is wrong in a name, a text, a row or a value must be told, and change
//! nothing.

use cotenant_golden::dynamic::{self, AnyModel, Error};

/// Values of any size come from programs in other languages: each parameter is put to its extremes,
/// and there is a model or an error that names a parameter, but no panic.
#[test]
fn no_value_of_a_parameter_is_too_much() {
    let (mut made, mut refused) = (0, 0);
    for unit in dynamic::units() {
        let settings = unit.settings(unit.platform()).unwrap();
        for (name, _) in settings.values() {
            for value in [0, 1, 2, 63, 64, 65, 1 << 32, usize::MAX / 2 + 1, usize::MAX] {
                let values = settings
                    .values()
                    .iter()
                    .map(|(known, usual)| match known == name {
                        true => format!("{known}={value}"),
                        false => format!("{known}={usual}"),
                    });
                let text = values.collect::<Vec<_>>().join(",");
                match unit.model(&text) {
                    Ok(_) => made += 1,
                    Err(Error::Parameter { .. }) => refused += 1,
                    Err(other) => panic!("{text}: {other}"),
                }
            }
        }
    }
    assert!(
        made > 200 && refused > 500,
        "{made} made, {refused} refused"
    );
}

fn model(unit: &str, text: &str) -> Result<AnyModel, Error> {
    dynamic::unit(unit)?.model(text)
}

#[test]
fn texts_are_read_as_on_the_command_line() {
    for (unit, text, settings) in [
        ("gdcu", "16x4x21", "WAYS=16,KERNELS=4,CNT_W=21,STAGES=1"),
        ("gdcu", "16x4x21s2", "WAYS=16,KERNELS=4,CNT_W=21,STAGES=2"),
        (
            "gdcu",
            "16x4x21,ways=8",
            "WAYS=8,KERNELS=4,CNT_W=21,STAGES=1",
        ),
        (
            "gdcu",
            "WAYS=2, KERNELS=2, CNT_W=0x10",
            "WAYS=2,KERNELS=2,CNT_W=16,STAGES=1",
        ),
        (
            "milg",
            "2x4x2d",
            "COUNT_W=2,FAIL_W=4,INTERVAL_W=2,RELEASE=1",
        ),
        (
            "milg",
            "2x4x2p",
            "COUNT_W=2,FAIL_W=4,INTERVAL_W=2,RELEASE=3",
        ),
        (
            "llc_counters",
            "6x3x2,KERNELS=5",
            "WAYS=6,KERNELS=5,BANKS=2,CNT_W=21,STAGES=1,REQUESTERS=5",
        ),
        (
            "core_sampling",
            "5x3i3n1c7r",
            "CORES=5,TILES=3,ID_W=3,RETIRED_W=1,CNT_W=7,ROTATE=1",
        ),
    ] {
        let read = dynamic::unit(unit).unwrap().settings(text).unwrap();
        assert_eq!(read.to_string(), settings, "{unit} {text}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    for (unit, text, message) in [
        ("gdc", "4x4x21", "there is no unit 'gdc'; the nearest is 'gdcu'"),
        ("", "", "there is no unit ''; the nearest is 'popcnt'"),
        ("gdcu", "", "gdcu: no parameters are given; expected numbers as WAYSxKERNELSxCNT_W, or KEY=VALUE,.. with WAYS, KERNELS, CNT_W, STAGES"),
        ("gdcu", "4x4", "gdcu: '4x4' are no parameters; expected numbers as WAYSxKERNELSxCNT_W, or KEY=VALUE,.. with WAYS, KERNELS, CNT_W, STAGES"),
        ("gdcu", "4x4x21x1", "gdcu: '4x4x21x1' are no parameters; expected numbers as WAYSxKERNELSxCNT_W, or KEY=VALUE,.. with WAYS, KERNELS, CNT_W, STAGES"),
        ("gdcu", "4x4x21q", "gdcu: '4x4x21q' are no parameters; expected numbers as WAYSxKERNELSxCNT_W, or KEY=VALUE,.. with WAYS, KERNELS, CNT_W, STAGES"),
        ("gdcu", "4x4x99999999999999999999999", "gdcu: '4x4x99999999999999999999999' are no parameters; expected numbers as WAYSxKERNELSxCNT_W, or KEY=VALUE,.. with WAYS, KERNELS, CNT_W, STAGES"),
        ("gdcu", "WAYS=4,KERNELS=4", "gdcu: CNT_W is not given; add CNT_W=VALUE"),
        ("gdcu", "WAYS=4,WAYS=4", "gdcu: 'WAYS=4' gives a parameter twice"),
        ("gdcu", "4x4x21,WAY=4", "gdcu: there is no parameter 'WAY', the nearest is 'WAYS'; the parameters are WAYS, KERNELS, CNT_W, STAGES"),
        ("gdcu", "4x4x21,WAYS=-1", "gdcu: WAYS is '-1', expected a number"),
        ("gdcu", "4x4x21,WAYS", "gdcu: 'WAYS' is no KEY=VALUE; the parameters are WAYS, KERNELS, CNT_W, STAGES"),
        ("gdcu", "65x4x21", "gdcu: ways is 65, expected 1 to 64"),
        ("gdcu", "16x4x2", "gdcu: cnt_w is 2, expected 5 to 64"),
        ("attribution", "4x4x64x8,MODE=2", "gdcu"),
        ("counter_matrix", "4x4x21", "counter_matrix: '4x4x21' are no parameters; expected KEY=VALUE,.. with KERNELS, INC_W, CNT_W"),
    ] {
        let error = model(unit, text).unwrap_err().to_string();
        match message {
            "gdcu" => assert!(error.starts_with("attribution: mode is 2"), "{error}"),
            message => assert_eq!(error, message),
        }
    }
}

#[test]
fn wrong_rows_change_nothing() {
    let mut model = model("lru_stack", "4x4").unwrap();
    let before = model.state();
    let mut outputs = model.output_row();
    let error = model.step(&[0; 7], &mut outputs).unwrap_err();
    assert_eq!(error.to_string(), "inputs are 7 words, expected 8");
    let error = model.step(&[0; 8], &mut outputs[1..]).unwrap_err();
    assert_eq!(error.to_string(), "outputs are 6 words, expected 7");
    let error = model
        .step(&[0, 1, 0, 4, 0, 0, 0, 0], &mut outputs)
        .unwrap_err();
    assert_eq!(error.to_string(), "access_way is 4, expected at most 3");
    assert_eq!(model.state(), before);
    let hit = [0, 1, 1, 2, 0, 0, 0, 0];
    let error = model.legal(&hit).unwrap_err().to_string();
    assert_eq!(
        error,
        "access_way is 2, which holds no valid line, expected a hit to name a valid one"
    );
}

#[test]
fn registers_by_name() {
    let mut gdcu = model("gdcu", "4x4x21").unwrap();
    assert_eq!(gdcu.register("sequence_number"), Some(0));
    for name in [
        "",
        "count",
        "count[0][0]x",
        "count[9]",
        "nothing",
        "count[",
        "count][",
    ] {
        assert_eq!(gdcu.register(name), None, "{name}");
    }
    let mut inputs = gdcu.input_row();
    let snapshot = gdcu
        .inputs()
        .iter()
        .position(|port| port.name == "snapshot");
    inputs[snapshot.unwrap()] = 1;
    let mut outputs = gdcu.output_row();
    gdcu.step(&inputs, &mut outputs).unwrap();
    assert_eq!(gdcu.register("sequence_number"), Some(1));
    gdcu.reset();
    assert_eq!(gdcu.register("sequence_number"), Some(0));
}

#[test]
fn states_of_others_are_refused() {
    let (mut small, large) = (
        model("lru_stack", "2x2").unwrap(),
        model("lru_stack", "4x2").unwrap(),
    );
    let error = small.restore(&large).unwrap_err().to_string();
    assert_eq!(error, "the state is one of lru_stack WAYS=4,KERNELS=2, expected one of lru_stack WAYS=2,KERNELS=2");
    assert!(small.restore(&model("gdcu", "2x2x21").unwrap()).is_err());
}

#[test]
fn parameters_have_ranges() {
    let told = |unit: &str| -> Vec<String> {
        let parameters = dynamic::unit(unit).unwrap().parameters();
        let text = |p: &cotenant_golden::ports::Parameter| match p.range {
            Some((least, most)) => format!("{} {least} to {most}", p.name),
            None => p.name.into(),
        };
        parameters.iter().map(text).collect()
    };
    assert_eq!(
        told("gdcu"),
        [
            "WAYS 1 to 64",
            "KERNELS 1 to 64",
            "CNT_W pos_w(WAYS) to 64",
            "STAGES 0 to 3"
        ]
    );
    assert_eq!(told("milg")[3], "RELEASE 0 to 3");
    assert_eq!(told("qbmi")[2], "CAP 0 to 1");
    assert_eq!(told("mem_issue")[3], "COUNT_W");
}
