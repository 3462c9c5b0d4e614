//! Rationale: the header is committed, so that C needs no tool of Rust's; it must be what cbindgen
//! makes of the source. With COTENANT_WRITE=1 it is written.

use crate::common::own;

/// What the header must be, of a source.
fn made(change: impl Fn(String) -> String) -> String {
    let folder = tempfile::tempdir().unwrap();
    let config = cbindgen::Config::from_file(own("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in [
        "guard.rs",
        "describe.rs",
        "model.rs",
        "cycle.rs",
        "stimulus.rs",
    ] {
        let text = std::fs::read_to_string(own("src").join(file)).unwrap();
        let path = folder.path().join(file);
        std::fs::write(&path, change(text)).unwrap();
        builder = builder.with_src(path);
    }
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

#[test]
fn the_header_is_that_of_the_source() {
    let (path, header) = (own("include/cotenant.h"), made(|text| text));
    if std::env::var_os("COTENANT_WRITE").is_some() {
        std::fs::write(&path, &header).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == header,
        "{} is not what cbindgen makes: COTENANT_WRITE=1 cargo test -p cotenant-capi header",
        path.display()
    );
}

#[test]
fn another_source_is_another_header() {
    let changed = made(|text| text.replace("output_words: usize", "output_words: u32"));
    assert_ne!(changed, made(|text| text));
}
