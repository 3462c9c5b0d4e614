use std::io::Write;

use super::*;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn records(count: u64) -> Vec<u8> {
    (0..count)
        .flat_map(|n| format!("{},R,{:#x}\n", n % 4, n * 7919).into_bytes())
        .collect()
}

fn count(name: &str, bytes: &[u8]) -> Result<usize, TraceError> {
    reader(name, bytes, None)?.try_fold(0, |count, access| access.map(|_| count + 1))
}

#[test]
fn by_content_whatever_the_name() {
    let plain = records(3000);
    let zstd = zstd::encode_all(&plain[..], 1).unwrap();
    let twice = [gzip(&plain), gzip(&plain)].concat();
    let frames = [zstd.clone(), zstd.clone()].concat();
    for name in ["a.csv", "a.csv.gz", "a.zst", "a"] {
        assert_eq!(count(name, &plain).unwrap(), 3000);
        assert_eq!(count(name, &gzip(&plain)).unwrap(), 3000);
        assert_eq!(count(name, &zstd).unwrap(), 3000);
        assert_eq!(
            count(name, &twice).unwrap(),
            6000,
            "members one after another"
        );
        assert_eq!(count(name, &frames).unwrap(), 6000);
    }
}

#[test]
fn a_truncated_file_is_an_error_after_its_good_lines() {
    let plain = records(30_000);
    for whole in [gzip(&plain), zstd::encode_all(&plain[..], 1).unwrap()] {
        let half = &whole[..whole.len() / 2];
        let mut good = 0;
        let error = reader("a.csv", half, None)
            .unwrap()
            .find_map(|access| match access {
                Ok(_) => {
                    good += 1;
                    None
                }
                Err(error) => Some(error),
            });
        let error = error.expect("truncation is seen").to_string();
        assert!(
            error.contains(&format!("a.csv:{}: cannot be read on", good + 1)),
            "{good} {error}"
        );
        assert!(error.contains("truncated"), "{error}");
    }
}

#[test]
fn unsupported_compressions_are_named() {
    let xz = [0xfd, b'7', b'z', b'X', b'Z', 0, 0];
    let message = reader("k.traceg.xz", &xz, None).err().unwrap().to_string();
    assert_eq!(
        message,
        "k.traceg.xz: is compressed with xz, expected plain text, gzip or zstd; decompress \
         it first (`xz -d FILE`)"
    );
    assert!(matches!(
        reader("a", b"BZh9", None),
        Err(TraceError::Compression { .. })
    ));
}
