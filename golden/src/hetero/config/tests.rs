//! Rationale: the text is data, so it is read and compared with table 4; then one number at a time
//! is broken, and the message must name it.
use super::*;
use crate::hetero::clock::Clocks;

#[test]
fn tap_is_table_4() {
    let tap = Config::tap();
    assert_eq!(tap.geometry(2).capacity(), 8 << 20);
    assert_eq!((tap.cpu.l1d.sets(64), tap.cpu.l2.sets(64)), (64, 512));
    let dram = &tap.dram;
    let bytes = dram.channels as u64 * dram.bus * dram.clock_mhz;
    assert_eq!(bytes, 41_600);
    let again = toml::to_string(&tap).unwrap();
    assert_eq!(Config::from_toml(&again).unwrap(), tap);
}

#[test]
fn clocks_have_the_ratios_of_their_frequencies() {
    let clocks = Clocks::new(&Config::tap());
    assert_eq!((clocks.cpu, clocks.slot), (156, 39));
    assert_eq!((clocks.gpu, clocks.noc, clocks.dram), (364, 156, 840));
    assert_eq!(clocks.cpu * 7, clocks.gpu * 3);
}

#[test]
fn errors_name_what_is_wrong() {
    for (from, to, message) in [
        ("cores = 6", "cores = 1", "gpu.cores is 1, expected 2 to 32"),
        (
            "pol2 = 1",
            "pol2 = 6",
            "sampling.pol2 is 6, expected 0 to 5",
        ),
        (
            "pol2 = 1",
            "pol2 = 0",
            "sampling.pol2 is 0, expected one of 1, 2, 3, 4, 5",
        ),
        (
            "sets = 4096",
            "sets = 4095",
            "sets is 4095, expected a power of two",
        ),
        (
            "tiles = 4 ",
            "tiles = 3 ",
            "l3.tiles is 3, expected a power of two",
        ),
        (
            "t-cl = 9",
            "t-cl = 0",
            "dram.t-cl is 0, expected 1 to 1048576",
        ),
        (
            "size = 262144",
            "size = 262000",
            "cpu.l2.size is 262000, expected a multiple of a way of one set, which is 512",
        ),
        (
            "clock-mhz = 1500",
            "clock-mhz = 1499",
            "ticks of all clocks per microsecond is 272818000, expected 1 to 67108864",
        ),
    ] {
        assert!(Config::TAP.contains(from), "{from}");
        let broken = Config::TAP.replacen(from, to, 1);
        let error = Config::from_toml(&broken).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("platform \"tap\": {message}")),
            "{error}"
        );
    }
    let unknown = Config::TAP.replacen("rotate", "rotates", 1);
    let error = Config::from_toml(&unknown).unwrap_err().to_string();
    assert!(error.starts_with("not a platform: "), "{error}");
}
