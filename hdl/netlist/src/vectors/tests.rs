//! Rationale: what one side writes others read, with their own reader and by eye. Widths at the
//! edges of digits and words come back as they went; every way of being broken is answered with its
//! place, by a reader that never panics.
use super::*;

fn header() -> Header {
    Header::new(1)
        .fact("unit", "demo")
        .fact("note", "two words")
        .input(Column::new("reset", 1, 1))
        .input(Column::new("wide", 65, 13))
        .output(Column::new("q", 6, 3))
        .output(Column::new("all", 64, 1))
}

fn text() -> String {
    let mut writer = Writer::new(Vec::new(), &header()).unwrap();
    let rows = [[1, u64::MAX, 1, 0x3f, u64::MAX], [0, 0xabc, 0, 1, 2]];
    for row in rows {
        writer.push_rows(&row[..3], &row[3..]).unwrap();
    }
    String::from_utf8(writer.finish().unwrap().0).unwrap()
}

/// Reads all of it: the rows, or why not.
fn read(text: &str) -> std::result::Result<Vec<Vec<u64>>, String> {
    let mut rows = vec![];
    let mut read = || {
        let mut reader = Reader::new(text.as_bytes())?;
        while reader.advance()? {
            rows.push([reader.inputs(), reader.outputs()].concat());
        }
        Ok::<_, VectorsError>(())
    };
    read().map_err(|error| error.to_string())?;
    Ok(rows)
}

#[test]
fn the_text_is_as_documented() {
    let lines: Vec<String> = text().lines().map(String::from).collect();
    assert_eq!(
        lines[..10],
        [
            "# cotenant-vectors 1",
            "# unit demo",
            "# note two words",
            "# compare-from 1",
            "# input reset 1 1",
            "# input wide 65 13",
            "# output q 6 3",
            "# output all 64 1",
            "1 1ffffffffffffffff | 3f ffffffffffffffff",
            "0 00000000000000abc | 01 0000000000000002",
        ]
    );
    assert_eq!(lines[10], "# cycles 2");
    // By sha256sum.
    assert_eq!(
        lines[11],
        "# stimulus-sha256 602c65257e87ae4a8b1cb1c530aef19a38b5ad874038a17641043c573164db4d"
    );
    assert_eq!(
        lines[12],
        "# expected-sha256 3620af8573da0c4f983aadd4a38da8a9a11194d17303f11869cf5ffb040dcc00"
    );
    assert_eq!(lines.len(), 13);
}

#[test]
fn what_is_written_is_read_back() {
    let text = text();
    let mut reader = Reader::new(text.as_bytes()).unwrap();
    assert_eq!(reader.header(), &header());
    assert_eq!(reader.header().get("note"), Some("two words"));
    assert_eq!(reader.place_of("note"), Some((3, 8)));
    assert_eq!(reader.place_of("input wide"), Some((6, 14)));
    assert_eq!(reader.place_of("uni"), None);
    assert!(reader.advance().unwrap());
    assert_eq!(reader.inputs(), [1, u64::MAX, 1]);
    assert_eq!(reader.outputs(), [0x3f, u64::MAX]);
    assert_eq!(reader.line(), 9);
    let line = text.lines().nth(8).unwrap();
    for (output, value) in [(0, "3f "), (1, "ffffffffffffffff")] {
        assert!(line[reader.column_of_output(output) - 1..].starts_with(value));
    }
    assert!(reader.advance().unwrap());
    assert!(!reader.advance().unwrap());
    assert!(!reader.advance().unwrap());
    assert_eq!(reader.trailer(), Some(&reader.found()));
}

#[test]
fn designs_without_inputs_are_read_back() {
    let header = Header::new(0).output(Column::new("one", 1, 1));
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    writer.push([], [&[1][..]]).unwrap();
    let text = String::from_utf8(writer.finish().unwrap().0).unwrap();
    assert!(text.contains("\n | 1\n"), "{text}");
    assert_eq!(read(&text), Ok(vec![vec![1]]));
    let reader = Reader::new(text.as_bytes()).unwrap();
    assert_eq!(reader.column_of_output(0), 4);
}

#[test]
fn what_is_broken_is_named_with_its_place() {
    let good = text();
    assert_eq!(read(&good).unwrap().len(), 2);
    for (from, to, error) in [
        (
            "# cotenant-vectors 1",
            "junk",
            "1:1: expected '# cotenant-vectors 1': these are no",
        ),
        (
            "vectors 1",
            "vectors 2",
            "1:20: expected version 1, found '2'",
        ),
        (
            "# compare-from 1\n",
            "",
            "8:1: expected '# compare-from CYCLE'",
        ),
        (
            "compare-from 1",
            "compare-from x",
            "4:16: expected the number of a cycle",
        ),
        (
            "# output q 6 3\n# output all 64 1\n",
            "",
            "7:1: expected '# output NAME",
        ),
        ("reset 1 1", "reset 1", "5:9: expected NAME WIDTH ELEMENTS"),
        ("reset 1 1", "reset 0 1", "5:15: expected a width of 1 to"),
        (
            "reset 1 1",
            "reset 99999999999999999999 1",
            "5:15: expected a width of 1 to",
        ),
        (
            "wide 65 13",
            "wide 65 2",
            "6:17: expected a number of elements that divides 65",
        ),
        (
            "wide 65 13",
            "reset 65 13",
            "6:9: expected another port than 'reset' again",
        ),
        ("# unit demo", "#unit", "2:1: expected '# KEY VALUE'"),
        (
            "0 0000",
            "2 0000",
            "10:1: expected at most 1 bits of 'reset', found '2'",
        ),
        (
            "0abc",
            "0abC",
            "10:19: expected 17 hex digits of 'wide', found 'C'",
        ),
        ("abc | 01", "abc 01", "10:21: expected '|', found '0'"),
        (
            "01 00000",
            "01  0000",
            "10:26: expected 16 hex digits of 'all', found ' '",
        ),
        (
            "0002\n",
            "0002 \n",
            "10:42: expected the end of the line, found ' '",
        ),
        (
            "0002\n",
            "000\n",
            "10:41: expected 16 hex digits of 'all', found the end of the line",
        ),
        (
            "0 00000000000000abc | 01 0000000000000002\n",
            "",
            "10:10: expected 1, the number",
        ),
        (
            "# cycles 2",
            "# circles 2",
            "11:3: expected 'cycles', found 'circles'",
        ),
        (
            "# stimulus-sha256 ",
            "# stimulus-sha256 0",
            "12:19: expected 64 hex digits",
        ),
    ] {
        assert!(good.contains(from), "{from}");
        let said = read(&good.replacen(from, to, 1)).unwrap_err();
        assert!(said.starts_with(error), "{from} -> {to}: {said}");
    }
    let said = read(&(good.clone() + "x")).unwrap_err();
    assert!(
        said.starts_with("14:1: expected the end of the file"),
        "{said}"
    );
    // Wherever it is cut off.
    for length in 0..good.len() {
        assert!(read(&good[..length]).is_err(), "{}", &good[..length]);
    }
    let endless = good.replace("0 0000", &"0".repeat(2 << 20));
    assert!(read(&endless).unwrap_err().contains("without an end"));
}

#[test]
fn any_changed_byte_is_seen() {
    let good = text();
    for at in 0..good.len() {
        let mut bytes = good.clone().into_bytes();
        bytes[at] ^= 1;
        let mut seen = true;
        if let Ok(mut reader) = Reader::new(&bytes[..]) {
            seen = reader.header() != &header();
            while let Ok(true) = reader.advance() {}
            seen |= reader.trailer() != Some(&reader.found());
        }
        assert!(seen, "byte {at}");
    }
}
