use std::io::Write;

use super::*;

#[test]
fn take_turns_in_their_order() {
    let source = |name, text: &str, kernel| reader(name, text.as_bytes(), kernel).unwrap();
    let trace = Trace::new(vec![
        source("a.din", "0 1\n0 2\n0 3\n0 4\n", Some(2)),
        source("b.din", "0 10\n", Some(0)),
        source("c.din", "", Some(1)),
        source("d.din", "0 100\n0 200\n", Some(3)),
    ]);
    let order: Vec<_> = trace.map(|access| access.unwrap().address).collect();
    assert_eq!(order, [0x1, 0x10, 0x100, 0x2, 0x200, 0x3, 0x4]);
}

#[test]
fn end_with_the_first_error() {
    let good = reader("a.din", b"0 1\n0 2\n0 3\n", None).unwrap();
    let bad = reader("b.din", b"0 1\n9 9\n0 1\n", None).unwrap();
    let items: Vec<_> = Trace::new(vec![good, bad]).collect();
    assert_eq!(
        items.iter().map(Result::is_ok).collect::<Vec<_>>(),
        [true, true, true, false]
    );
}

#[test]
fn from_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a=b.din");
    std::fs::File::create(&path)
        .unwrap()
        .write_all(b"1 40\n")
        .unwrap();
    let source: Source = format!("3={}", path.display()).parse().unwrap();
    let accesses: Vec<_> = Trace::open(&[source], OPTIONS)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(brief(&accesses), [(3, Op::Write, 0x40, 0b100)]);

    let missing = Source::from(folder.path().join("missing.csv"));
    let message = Trace::open(&[missing], OPTIONS).err().unwrap().to_string();
    assert!(
        message.contains("missing.csv: cannot be opened"),
        "{message}"
    );
    assert!(matches!(
        Trace::open(&[], OPTIONS),
        Err(TraceError::NoSources)
    ));
    // A folder opens, but cannot be read.
    let items: Vec<_> = Trace::open(
        &[Source {
            format: Some(Format::Csv),
            ..folder.path().to_owned().into()
        }],
        OPTIONS,
    )
    .unwrap()
    .collect();
    assert!(matches!(items[..], [Err(TraceError::Read { line: 1, .. })]));
}

#[test]
fn illegal_options_and_kernels() {
    let open = |kernel, options| Reader::new("a.din", &b""[..], kernel, None, options).err();
    assert!(matches!(
        open(
            None,
            Options {
                line: 100,
                ..OPTIONS
            }
        ),
        Some(TraceError::Options(_))
    ));
    assert!(matches!(
        open(
            None,
            Options {
                kernels: 0,
                ..OPTIONS
            }
        ),
        Some(TraceError::Options(_))
    ));
    assert_eq!(
        open(Some(4), OPTIONS).unwrap().to_string(),
        "a.din: assigned to kernel 4, expected 0 to 3; choose another kernel or raise the \
         number of kernels"
    );
}

#[test]
fn the_format_by_name_content_or_choice() {
    assert_eq!(read("a", "kernel,op,address\n0,R,0\n").len(), 1);
    assert_eq!(read("a.bin", "0 1000\n").len(), 1);
    let chosen = Reader::new("a.csv", &b"0 1000\n"[..], None, Some(Format::Din), OPTIONS);
    assert_eq!(chosen.unwrap().count(), 1);
    let message = reader("a.bin", b"\x7fELF\x02", None)
        .err()
        .unwrap()
        .to_string();
    assert!(
        message.starts_with("a.bin: begins with \"\\u{7f}ELF\\u{2}\", expected CSV"),
        "{message}"
    );
}
