//! Rationale: with one memory for all, others matter; with modules of one's own they do not. Each
//! technique, idle and busy neighbours, small and large kernels take other branches. The numbers
//! of the paper are shown beside ours, not asserted: the applications are models.

use super::*;

fn small(technique: Technique) -> Configuration {
    Configuration::named("gtx1080", technique, 2).unwrap()
}

fn cycles(technique: Technique, app: App, beside: Option<App>) -> u64 {
    small(technique)
        .time(app, beside, technique, 1)
        .unwrap()
        .cycles
}

#[test]
fn colours_isolate_and_sms_alone_do_not() {
    let [cp, cmp] = [Technique::Cp, Technique::Cmp].map(|technique| {
        let idle = cycles(technique, App::Va, None) as f64;
        cycles(technique, App::Va, Some(App::Va)) as f64 / idle
    });
    assert!(cp > 1.5, "{cp}");
    assert!((0.999..1.001).contains(&cmp), "{cmp}");
}

/// Section V-A: vector addition takes as long on half the SMs, and colours halve its bandwidth.
#[test]
fn memory_bound_work_wants_bandwidth_not_sms() {
    let whole = cycles(Technique::Whole, App::Va, None) as f64;
    let half = cycles(Technique::Cp, App::Va, None) as f64;
    let coloured = cycles(Technique::Cmp, App::Va, None) as f64;
    assert!((0.9..1.3).contains(&(half / whole)), "{half} {whole}");
    assert!(coloured > 1.5 * half, "{coloured} {half}");
    let whole = cycles(Technique::Whole, App::Mm, None) as f64;
    let half = cycles(Technique::Cp, App::Mm, None) as f64;
    assert!((1.7..2.3).contains(&(half / whole)), "{half} {whole}");
}

#[test]
fn every_access_is_made_once() {
    let ran = small(Technique::Cp)
        .time(App::Va, None, Technique::Cp, 1)
        .unwrap();
    let accesses: u64 = App::Va.kernels().iter().map(|it| it.accesses()).sum();
    assert_eq!((ran.hits, ran.fetches), (0, accesses));
}

#[test]
fn rows_and_summaries_add_up_and_repeat() {
    let config = SharingConfig {
        seed: 3,
        configurations: vec![small(Technique::Cmp)],
        applications: vec![App::Sn, App::Sp],
        interferers: vec![App::Fwt],
    };
    let mut seen = vec![];
    let first = sharing(&config, &mut |done, total| {
        seen.push((done, total));
        true
    })
    .unwrap();
    assert_eq!(seen, [(0, 6), (4, 6), (6, 6)]);
    assert_eq!(config.runs(), 6);
    assert_eq!(first.rows.len(), 2);
    let [summary] = &first.summaries[..] else {
        panic!()
    };
    let sum: f64 = first.rows.iter().map(|row| row.variation).sum();
    assert!((summary.average - sum / 2.0).abs() < 1e-9);
    assert_eq!(summary.paper, None);
    let text = serde_json::to_string(&first).unwrap();
    let again = sharing(&config, &mut |_, _| true).unwrap();
    assert_eq!(text, serde_json::to_string(&again).unwrap());
    // What is stopped has what is complete: of six runs the first application's three.
    let stopped = sharing(&config, &mut |done, _| done < 4).unwrap();
    assert_eq!(stopped.rows[..], first.rows[..1]);
    assert_eq!(stopped.summaries, []);
    let reported = paper::reported("v100", 4, Technique::Cp, &App::TABLE_1).unwrap();
    assert_eq!((reported.average, reported.max), (79.0, 106.8));
}

#[test]
fn errors_say_what_is_expected() {
    let fails = |change: &dyn Fn(&mut SharingConfig)| {
        let mut config = SharingConfig::image_classification().unwrap();
        change(&mut config);
        sharing(&config, &mut |_, _| true).unwrap_err().to_string()
    };
    let error = fails(&|it| it.configurations[0].parts = 1);
    assert_eq!(error, "parts is 1, expected 2 to 20, the SMs");
    let error = fails(&|it| it.configurations[1].gpu.sms = 0);
    assert_eq!(error, "sms is 0, expected 2 to 1024");
    let error = fails(&|it| it.configurations[1].gpu.threads = 512);
    assert_eq!(error, "threads is 512, expected 1024 to 65536");
    assert_eq!(
        fails(&|it| it.interferers.clear()),
        "interferers is 0, expected one or more"
    );
    // Two colours for four parts.
    let error = fails(&|it| {
        it.configurations.remove(0);
        it.configurations[0].parts = 4;
    });
    assert!(
        error.contains("colour is 2, expected one below 2"),
        "{error}"
    );
    assert!(Configuration::named("none", Technique::Cp, 2).is_err());
}

/// Order of the techniques in tables III and IV, over all applications.
#[test]
#[ignore = "takes a minute: all runs of both tables"]
fn techniques_have_the_order_of_the_tables() {
    let all = sharing(&SharingConfig::tables().unwrap(), &mut |_, _| true).unwrap();
    for row in &all.rows {
        println!("{}", serde_json::to_string(row).unwrap());
    }
    for summary in &all.summaries {
        println!("{}", serde_json::to_string(summary).unwrap());
        let colours = summary.technique == Technique::Cmp;
        assert_eq!(colours, summary.average < 25.0);
    }
    let average = |parts, technique| {
        let found = all
            .summaries
            .iter()
            .find(|it| (it.gpu.as_str(), it.parts, it.technique) == ("v100", parts, technique));
        found.unwrap().average
    };
    for parts in [2, 4] {
        assert!(average(parts, Technique::Mps) > average(parts, Technique::Cp));
    }
}
