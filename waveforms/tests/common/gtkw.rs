//! Reading GTKWave's save files, and comparing them with the wave that they are for.

#![allow(dead_code)] // each test binary uses its part

use wellen::simple::Waveform;
use wellen::VarType;

/// A signal as the file shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// `top.scope.signal`.
    pub path: String,
    /// Of the range behind the name, if there is one.
    pub width: Option<u32>,
    pub flags: u32,
    pub colour: u32,
    /// File of named values.
    pub names: Option<String>,
    /// Groups around it, the outermost first, with whether each is folded.
    pub groups: Vec<(String, bool)>,
}

/// A save file.
#[derive(Debug, Default)]
pub struct Save {
    pub dump: String,
    pub save: String,
    pub start: u64,
    pub zoom: f64,
    pub marker: i64,
    pub traces: Vec<Trace>,
    pub elements: Vec<Element>,
}

/// Some bits of a signal, shown as a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    /// Of the signal.
    pub path: String,
    pub width: u32,
    /// From the highest on, as the signal counts them.
    pub bits: Vec<u32>,
    pub flags: u32,
    pub colour: u32,
}

impl Element {
    /// `#{name} (0)path[7:0] (1)path[7:0]`; GTKWave counts bits from the highest on.
    fn parse(line: &str, flags: u32, colour: u32) -> Option<Self> {
        let (name, bits) = line.strip_prefix("#{")?.split_once("} ")?;
        let bit = |text: &str| -> Option<(u32, String, u32)> {
            let (at, variable) = text.strip_prefix('(')?.split_once(')')?;
            let (path, top) = variable.strip_suffix(":0]")?.split_once('[')?;
            let top: u32 = top.parse().ok()?;
            Some((top.checked_sub(at.parse().ok()?)?, path.into(), top + 1))
        };
        let bits: Vec<_> = bits.split(' ').map(bit).collect::<Option<_>>()?;
        let (_, path, width) = bits.first()?.clone();
        let same = bits
            .iter()
            .all(|(_, other, of)| (other, *of) == (&path, width));
        same.then_some(Self {
            name: name.into(),
            path,
            width,
            bits: bits.into_iter().map(|(bit, ..)| bit).collect(),
            flags,
            colour,
        })
    }
}

/// From the first cycle that a wave shows to before its end. Before the first, FST has x; what has
/// no clock begins where the file does.
pub fn cycles(wave: &mut Waveform, period: u64) -> (u64, u64) {
    let hierarchy = wave.hierarchy();
    let clock = hierarchy
        .all_vars()
        .find(|variable| hierarchy[*variable].name(hierarchy) == "clock")
        .map(|variable| hierarchy[variable].signal_ref());
    clock.iter().for_each(|clock| wave.load_signals(&[*clock]));
    let times = wave.time_table();
    let first = clock.map_or(0, |clock| {
        let mut changes = wave.get_signal(clock).expect("was loaded").iter_changes();
        let first = changes.find(|(_, value)| value.to_bit_string().as_deref() == Some("1"));
        first.expect("it never runs").0 as usize
    });
    (times[first] / period, times[times.len() - 1] / period)
}

/// Flags of groups, as GTKWave numbers them.
const CLOSED: u32 = 0x40_0000;
const BEGIN: u32 = 0x80_0000;
const END: u32 = 0x100_0000;

impl Save {
    pub fn parse(text: &str) -> Result<Save, String> {
        let mut save = Save::default();
        let (mut flags, mut colour, mut names) = (0, 0, None);
        let mut groups: Vec<(String, bool)> = Vec::new();
        for line in text.lines() {
            let number = |text: &str| text.trim().parse::<u64>().map_err(|_| line.to_owned());
            let quoted = || line.split('"').nth(1).unwrap_or_default().to_owned();
            match line.as_bytes().first() {
                Some(b'@') => {
                    flags = u32::from_str_radix(&line[1..], 16).map_err(|_| line.to_owned())?;
                }
                Some(b'^') => {
                    let (_, file) = line.split_once(' ').ok_or(line)?;
                    names = Some(file.to_owned());
                }
                Some(b'*') => {
                    let mut numbers = line[1..].split(' ');
                    let mut next = || numbers.next().ok_or_else(|| line.to_owned());
                    save.zoom = next()?.parse().map_err(|_| line.to_owned())?;
                    save.marker = next()?.parse().map_err(|_| line.to_owned())?;
                }
                Some(b'-') if flags & BEGIN != 0 => {
                    groups.push((line[1..].into(), flags & CLOSED != 0));
                }
                Some(b'-') if flags & END != 0 => {
                    let opened = groups.pop().ok_or(format!("nothing open: {line}"))?;
                    if opened != (line[1..].to_owned(), flags & CLOSED != 0) {
                        return Err(format!("{line} closes {}", opened.0));
                    }
                }
                Some(b'#') => {
                    let colour = std::mem::take(&mut colour);
                    let element = Element::parse(line, flags, colour);
                    save.elements.push(element.ok_or(line)?);
                }
                Some(b'[') => match line.split_once("] ") {
                    Some(("[color", value)) => colour = number(value)? as u32,
                    Some(("[dumpfile", _)) => save.dump = quoted(),
                    Some(("[savefile", _)) => save.save = quoted(),
                    Some(("[timestart", value)) => save.start = number(value)?,
                    _ => {}
                },
                Some(_) => {
                    // `+{alias} name`
                    let line = line.rsplit(' ').next().unwrap_or(line);
                    let (path, width) = match line.split_once('[') {
                        None => (line, None),
                        Some((path, range)) => {
                            let top = range.strip_suffix(":0]").ok_or(line)?;
                            (path, Some(number(top)? as u32 + 1))
                        }
                    };
                    save.traces.push(Trace {
                        path: path.into(),
                        width,
                        flags,
                        colour: std::mem::take(&mut colour),
                        names: names.take(),
                        groups: groups.clone(),
                    });
                }
                None => {}
            }
        }
        match groups.is_empty() {
            true => Ok(save),
            false => Err(format!("groups stay open: {groups:?}")),
        }
    }

    /// The signals that the wave does not have under this name and width. GTKWave 3.3.118 gives all
    /// vectors a range but integers and parameters.
    pub fn missing(&self, wave: &Waveform) -> Vec<String> {
        let hierarchy = wave.hierarchy();
        let known = |path: &str, width: Option<u32>| {
            let mut names: Vec<&str> = path.split('.').collect();
            let name = names.pop().unwrap_or_default();
            let found = hierarchy.lookup_var(&names, name);
            found.is_some_and(|found| {
                let found = &hierarchy[found];
                let bare = matches!(found.var_type(), VarType::Integer | VarType::Parameter);
                let range = found.length(hierarchy).filter(|width| !bare && *width > 1);
                range == width
            })
        };
        let whole = self.traces.iter().map(|trace| (&trace.path, trace.width));
        let elements = self.elements.iter();
        let all = whole.chain(elements.map(|element| (&element.path, Some(element.width))));
        let missing = all.filter(|(path, width)| !known(path, *width));
        missing.map(|(path, _)| path.clone()).collect()
    }

    /// The signal of a path, where it is shown last.
    pub fn trace(&self, path: &str) -> &Trace {
        let found = self.traces.iter().rfind(|trace| trace.path == path);
        found.unwrap_or_else(|| panic!("{path} is not shown"))
    }
}
