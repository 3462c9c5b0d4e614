//! Reading dumps back with wellen, and comparing them with what was to be shown.

use std::io::Cursor;

use cotenant_waveforms::{Dump, Gap, Layout, Options, Sample};
use wellen::simple::Waveform;
use wellen::{SignalRef, SignalValueRef};

/// Cycles and the values of all signals in them, each as limbs.
pub type Run = Vec<(u64, Vec<Vec<u64>>)>;

/// A dump read back.
pub struct Wave {
    pub wave: Waveform,
}

impl Wave {
    pub fn read(text: &[u8]) -> Result<Wave, String> {
        let input = Cursor::new(text.to_vec());
        let wave = wellen::simple::read_from_reader(input).map_err(|error| error.to_string())?;
        Ok(Wave::loaded(wave))
    }

    pub fn open(path: &std::path::Path) -> Wave {
        Wave::loaded(wellen::simple::read(path).unwrap())
    }

    fn loaded(mut wave: Waveform) -> Wave {
        let signals: Vec<SignalRef> = wave.hierarchy().signals().collect();
        wave.load_signals(&signals);
        Wave { wave }
    }

    /// Signal and width of the variable at a path, dots between names.
    pub fn variable(&self, path: &str) -> Result<(SignalRef, u32), String> {
        let hierarchy = self.wave.hierarchy();
        let mut names: Vec<&str> = path.split('.').collect();
        let name = names.pop().unwrap();
        let found = hierarchy.lookup_var(&names, name);
        let variable = &hierarchy[found.ok_or_else(|| format!("no variable {path}"))?];
        Ok((variable.signal_ref(), variable.length(hierarchy).unwrap()))
    }

    /// Digits of a signal at a time, all of them; empty before its first value.
    pub fn digits(&self, signal: SignalRef, time: u64) -> String {
        let times = self.wave.time_table();
        let after = times.partition_point(|entry| *entry <= time);
        let Some(index) = after.checked_sub(1) else {
            return String::new();
        };
        let signal = self.wave.get_signal(signal).unwrap();
        let Some(offset) = signal.get_offset(index as u32) else {
            return String::new();
        };
        match signal.get_value_at(&offset, offset.elements - 1) {
            SignalValueRef::BitVec(bits) => bits.bit_string(),
            other => panic!("{other:?} is no vector"),
        }
    }

    /// [`Wave::digits`] by path.
    pub fn at(&self, path: &str, time: u64) -> String {
        self.digits(self.variable(path).unwrap().0, time)
    }
}

/// The digits of a value.
pub fn binary(width: u32, limbs: &[u64]) -> String {
    let bit = |bit: u32| {
        limbs
            .get(bit as usize / 64)
            .map_or(0, |limb| limb >> (bit % 64) & 1)
    };
    (0..width)
        .rev()
        .map(|place| char::from(b'0' + bit(place) as u8))
        .collect()
}

/// Writes a run to memory.
pub fn dump(layout: &Layout, options: &Options, run: &Run) -> Vec<u8> {
    let mut dump = Dump::new(Vec::new(), layout, options).unwrap();
    let mut sample = Sample::new(layout);
    for (cycle, values) in run {
        sample
            .fill(|out| values.iter().for_each(|limbs| out.put_limbs(limbs)))
            .unwrap();
        dump.sample(*cycle, &sample).unwrap();
    }
    dump.finish().unwrap();
    dump.into_stream()
}

/// Whether a dump shows a run, at every place where something may go wrong: start, middle and end
/// of each cycle, start and end of each gap. `clock` is the path of the generated clock.
pub fn shows(
    wave: &Wave,
    layout: &Layout,
    options: &Options,
    clock: Option<&str>,
    run: &Run,
) -> Result<(), String> {
    let period = options.period;
    let mut variables = Vec::new();
    for (_, path, width) in layout.signals() {
        let (signal, found) = wave.variable(path)?;
        if found != width {
            return Err(format!("{path}: {found} bits, expected {width}"));
        }
        variables.push((signal, path, width));
    }
    let clock = clock.map(|path| wave.variable(path)).transpose()?;
    let check = |time: u64, clock_digit: &str, digits: &dyn Fn(usize, u32) -> String| {
        if let Some((signal, _)) = clock {
            let found = wave.digits(signal, time);
            if found != clock_digit {
                return Err(format!(
                    "time {time}: clock {found}, expected {clock_digit}"
                ));
            }
        }
        for (index, (signal, path, width)) in variables.iter().enumerate() {
            let (found, expected) = (wave.digits(*signal, time), digits(index, *width));
            if found != expected {
                return Err(format!("time {time}: {path}: {found}, expected {expected}"));
            }
        }
        Ok(())
    };
    let mut end = None;
    for (cycle, values) in run
        .iter()
        .filter(|(cycle, _)| options.window.contains(*cycle))
    {
        let start = cycle * period;
        if let Some(end) = end.filter(|end| *end < start && options.gap == Gap::Unknown) {
            let unknown = |_: usize, width: u32| "x".repeat(width as usize);
            check(end, "x", &unknown)?;
            check(start - 1, "x", &unknown)?;
        }
        let digits = |index: usize, width: u32| binary(width, &values[index]);
        check(start, "1", &digits)?;
        check(start + period / 2, "0", &digits)?;
        check(start + period - 1, "0", &digits)?;
        end = Some(start + period);
    }
    if wave.wave.time_table().last().copied() != Some(end.unwrap_or(0)) {
        return Err(format!(
            "ends at {:?}, expected {end:?}",
            wave.wave.time_table().last()
        ));
    }
    Ok(())
}
