//! Rationale: whether a page can be read is seen when it is drawn. A browser draws the report of a
//! run that passed, of one that failed and of one that was interrupted; what must be seen is looked
//! for in the picture: which verdict stands at the top, that matrices have dark cells, that every
//! kernel has a line, that there is no empty page. Pages that lack one of these are drawn, too, and
//! must be caught.

use std::path::{Path, PathBuf};
use std::process::Command;

use cotenant::experiments::replay::{Hardware, Sets};
use cotenant::experiments::run::{html, run, run_beside, Report, Request};
use cotenant::unit::llc::LlcMonitor;
use cotenant::verify::interface::Interface;
use cotenant_golden::workload::scenario::Scenario;
use cotenant_netlist::fault::Fault;
use cotenant_netlist::sim::Engine;

type Colour = [u8; 3];

/// Bands of the verdicts, as in the style sheet.
const BANDS: [(&str, Colour); 3] = [
    ("passed", [0x00, 0x9e, 0x73]),
    ("failed", [0xd5, 0x5e, 0x00]),
    ("in part", [0xe6, 0x9f, 0x00]),
];
/// The darkest cell of a matrix: three quarters of this over white.
const CELL: Colour = [0xd5, 0x5e, 0x00];
/// Of the window; the page is shorter.
const WIDTH: u32 = 1100;
const HEIGHT: u32 = 3200;
/// The verdict stands within these rows, where there are no other colours.
const TOP: u32 = 170;

/// A drawn page.
struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<Colour>,
}

impl Picture {
    fn read(path: &Path) -> Self {
        let file = std::fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut decoder = png::Decoder::new(std::io::BufReader::new(file));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let samples = info.color_type.samples();
        assert!(samples >= 3, "{:?}", info.color_type);
        let pixels = bytes[..info.buffer_size()].chunks(samples);
        Self {
            width: info.width,
            height: info.height,
            pixels: pixels.map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(),
        }
    }

    fn row(&self, y: u32) -> &[Colour] {
        let start = (y * self.width) as usize;
        &self.pixels[start..start + self.width as usize]
    }

    /// Pixels of a colour, but for what rounding does to it.
    fn count(&self, colour: Colour) -> usize {
        let near = |pixel: &&Colour| pixel.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= 1);
        self.pixels.iter().filter(near).count()
    }

    /// The verdict whose band comes first: some pixels of its colour, the leftmost of their row.
    fn verdict(&self) -> Option<&'static str> {
        (0..TOP.min(self.height)).find_map(|y| {
            let drawn = self.row(y).iter().skip_while(|pixel| **pixel == [255; 3]);
            let left: Vec<Colour> = drawn.take(4).copied().collect();
            let band = BANDS.iter().find(|(_, colour)| left == [*colour; 4]);
            band.map(|(name, _)| *name)
        })
    }

    /// What is not to be seen that should be, of a page with this verdict.
    fn faults(&self, page: &str, verdict: &str) -> Vec<String> {
        let mut faults = vec![];
        if (self.width, self.height) != (WIDTH, HEIGHT) {
            faults.push(format!("{} x {} pixels", self.width, self.height));
        }
        match self.verdict() {
            Some(found) if found == verdict => {}
            found => faults.push(format!("at the top is {found:?}")),
        }
        let cell = CELL.map(|channel| (255.0 - (255.0 - f64::from(channel)) * 0.75) as u8);
        if self.count(cell) < 300 {
            faults.push("no matrix has a dark cell".into());
        }
        // Okabe and Ito's first ones, by KID; beside the squares in front of names there is a line
        // of two pixels, or an area, across a part of a picture.
        let colours = [[0, 114, 178], [230, 159, 0], [0, 158, 115], [213, 94, 0]];
        for (kid, colour) in colours.into_iter().enumerate() {
            let [r, g, b] = colour;
            let squares = page.matches(&format!("rgb({r},{g},{b})")).count();
            if self.count(colour) < 150 * squares + 400 {
                faults.push(format!("K{kid} is in no picture"));
            }
        }
        let drawn = |y: &u32| self.row(*y).iter().any(|pixel| *pixel != [255; 3]);
        let last = (0..self.height).rev().find(drawn).unwrap_or(0);
        if !(2000..HEIGHT - 1).contains(&last) {
            faults.push(format!("the last row drawn is {last}"));
        }
        // Ink in every band of 200 rows above it.
        for band in (0..last).step_by(200) {
            if !(band..band + 200).any(|y| y < self.height && drawn(&y)) {
                faults.push(format!("nothing in rows {band} to {}", band + 200));
            }
        }
        faults
    }
}

fn chromium(work: &Path, arguments: &[String], page: &Path) {
    let mut command = Command::new("chromium");
    // Containers have no namespaces for a sandbox, and small /dev/shm; the page is our own.
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
    ]);
    command.arg(format!(
        "--user-data-dir={}",
        work.join("profile").display()
    ));
    command.args(arguments);
    let output = command.arg(format!("file://{}", page.display())).output();
    let output = output.unwrap_or_else(|error| {
        panic!("chromium does not start ({error}): install it, or run scripts/setup")
    });
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn written(work: &Path, html: &str) -> PathBuf {
    let page = work.join("page.html");
    std::fs::write(&page, html).unwrap();
    page
}

fn drawn(html: &str) -> Picture {
    let work = tempfile::tempdir().unwrap();
    Picture::read(&screenshot(work.path(), html))
}

fn screenshot(work: &Path, html: &str) -> PathBuf {
    let path = work.join("page.png");
    let arguments = [
        "--hide-scrollbars".to_string(),
        "--force-device-scale-factor=1".to_string(),
        format!("--window-size={WIDTH},{HEIGHT}"),
        format!("--screenshot={}", path.display()),
    ];
    chromium(work, &arguments, &written(work, html));
    path
}

fn faults(page: &str, verdict: &str) -> Vec<String> {
    drawn(page).faults(page, verdict)
}

/// The same; the picture stays, to be looked at.
fn faults_seen(name: &str, page: &str, verdict: &str) -> Vec<String> {
    let work = tempfile::tempdir().unwrap();
    let path = screenshot(work.path(), page);
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}.png"));
    std::fs::copy(&path, &kept).unwrap();
    println!("{}", kept.display());
    Picture::read(&path).faults(page, verdict)
}

fn scenario() -> Scenario {
    Scenario {
        accesses: 30_000,
        period: 5_000,
        ..Scenario::named("gdc-figure-3").unwrap()
    }
}

fn passed() -> Report {
    let scenario = scenario();
    let finished = run(&Request::new("gdc-figure-3", &scenario), &mut |_| true);
    finished.unwrap().report
}

fn page(report: &Report) -> String {
    html(report, &[]).unwrap()
}

#[test]
fn a_run_that_passed() {
    let report = passed();
    assert_eq!(report.lockstep.map(|l| l.mismatches), Some(0));
    let faults = faults_seen("passed", &page(&report), "passed");
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn a_run_that_failed() {
    let scenario = scenario();
    let Ok(set) = Sets::monitor(&scenario.geometry) else {
        panic!("the table has this monitor");
    };
    let good = LlcMonitor::netlist(&set).unwrap();
    let ram = good
        .rams
        .iter()
        .position(|ram| ram.name == "bank[2].directory.tags.way[3]");
    let fault = Fault::LostRamWrite { ram: ram.unwrap() };
    let netlist = good.with_fault(&fault).unwrap();
    let hardware =
        Hardware::monitor(&scenario.geometry, &set, &netlist, Engine::Jit, true).unwrap();
    let request = Request::new("gdc-figure-3", &scenario);
    let report = run_beside(&request, Some(hardware), &mut |_| true)
        .unwrap()
        .report;
    let page = page(&report);
    let cycle = report.mismatch_cycle.unwrap();
    assert!(page.contains(&format!("The mismatch is in cycle {cycle}.")));
    let faults = faults_seen("failed", &page, "failed");
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn a_run_that_was_interrupted() {
    let scenario = scenario();
    let finished = run(&Request::new("gdc-figure-3", &scenario), &mut |done| {
        done < 20_000
    });
    let report = finished.unwrap().report;
    assert!(!report.complete && report.accesses > 10_000);
    let faults = faults_seen("interrupted", &page(&report), "in part");
    assert!(faults.is_empty(), "{faults:?}");
}

// Break it: an empty page, one without its style, matrices, pictures or end, and one with the
// verdict of another.
#[test]
fn pages_that_lack_something_are_caught() {
    let good = page(&passed());
    let without = |from: &str, to: &str| {
        let (before, rest) = good.split_once(from).unwrap_or_else(|| panic!("no {from}"));
        let (_, after) = rest.split_once(to).unwrap_or_else(|| panic!("no {to}"));
        format!("{before}{after}")
    };
    for (broken, expected) in [
        (
            "<!DOCTYPE html><title>empty</title>".into(),
            "at the top is None",
        ),
        (without("<style>", "</style>"), "at the top is None"),
        (
            without("<h2>Demotion and eviction", "<h2>"),
            "no matrix has a dark cell",
        ),
        (without("<h2>Over time", "</html>"), "the last row drawn"),
        (
            good.replace("<polygon", "<g")
                .replace("<polyline", "<g")
                .replace("<rect", "<g"),
            "in no picture",
        ),
        (
            good.replace("class=\"pass\"", "class=\"fail\""),
            "at the top is Some(\"failed\")",
        ),
    ] {
        let faults = faults(&broken, "passed");
        let found = faults.iter().any(|fault| fault.contains(expected));
        assert!(found, "{expected}: {faults:?}");
    }
}

// A page on paper: some sheets, and none of them without text.
#[test]
fn it_can_be_printed() {
    let work = tempfile::tempdir().unwrap();
    let path = work.path().join("page.pdf");
    let arguments = [
        format!("--print-to-pdf={}", path.display()),
        "--no-pdf-header-footer".into(),
    ];
    chromium(
        work.path(),
        &arguments,
        &written(work.path(), &page(&passed())),
    );
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(&bytes);
    let sheets = text.matches("/Type /Page\n").count();
    assert!((2..6).contains(&sheets), "{sheets} sheets");
}
