//! A scene: the inputs of each cycle, with captions.

use crate::verify::interface::{InOf, Interface};

/// A short run of a unit that shows what it does.
#[derive(Debug, Clone)]
pub struct Scene<U: Interface> {
    /// The state that it begins in, if not that after power-up.
    pub(super) start: Option<U::Model>,
    /// Of each cycle.
    pub(super) inputs: Vec<InOf<U>>,
    pub(super) story: Story,
}

/// A scene but for the inputs.
#[derive(Debug, Clone)]
pub(super) struct Story {
    pub title: String,
    pub groups: Vec<Group>,
    pub steps: Vec<Part>,
}

impl<U: Interface> Scene<U> {
    /// A scene without steps, about what the title says.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            start: None,
            inputs: Vec::new(),
            story: Story {
                title: title.into(),
                groups: Vec::new(),
                steps: Vec::new(),
            },
        }
    }

    /// Lets both sides begin in the state of a golden model: what takes too long to come to.
    #[must_use]
    pub fn from(mut self, model: U::Model) -> Self {
        self.start = Some(model);
        self
    }

    /// Rows of the picture under a heading.
    #[must_use]
    pub fn group(mut self, name: &'static str, rows: impl IntoIterator<Item = Row>) -> Self {
        let rows = rows.into_iter().collect();
        self.story.groups.push(Group { name, rows });
        self
    }

    /// The same, of rows as a text: signals with commas between them, behind each how it is written
    /// (`kernel`, `hex`, `binary`), if not as by [`row`], and `when` it is shown: `"access_valid,
    /// access_kid kernel when access_valid"`.
    #[must_use]
    pub fn rows(mut self, name: &'static str, text: &str) -> Self {
        let rows = rows(text);
        self.story.groups.push(Group { name, rows });
        self
    }

    /// What happens next.
    #[must_use]
    pub fn step(mut self, step: Step<InOf<U>>) -> Self {
        let Step { cycles, part } = step;
        self.inputs.extend(cycles);
        self.story.steps.push(part);
        self
    }

    /// A step of one cycle.
    #[must_use]
    pub fn cycle(self, caption: impl Into<String>, input: InOf<U>) -> Self {
        self.step(Step::new(caption, input))
    }

    /// A step of several cycles.
    #[must_use]
    pub fn cycles(
        self,
        caption: impl Into<String>,
        inputs: impl IntoIterator<Item = InOf<U>>,
    ) -> Self {
        self.step(Step::over(caption, inputs))
    }

    /// See [`Step::folded`]; of the last step, as the next three.
    #[must_use]
    pub fn folded(mut self) -> Self {
        if let Some(last) = self.story.steps.last_mut() {
            last.folded = true;
        }
        self
    }

    /// See [`Step::sees`].
    #[must_use]
    pub fn sees(self, signal: impl Into<String>, value: impl Value) -> Self {
        self.after(0, signal, value)
    }

    /// See [`Step::then`].
    #[must_use]
    pub fn then(self, signal: impl Into<String>, value: impl Value) -> Self {
        self.after(1, signal, value)
    }

    /// See [`Step::after`].
    #[must_use]
    pub fn after(mut self, cycles: u64, signal: impl Into<String>, value: impl Value) -> Self {
        if let Some(last) = self.story.steps.last_mut() {
            last.say(cycles, signal.into(), value.elements());
        }
        self
    }

    /// Cycles in all.
    pub fn length(&self) -> u64 {
        self.story.length()
    }

    /// What it is about.
    pub fn title(&self) -> &str {
        &self.story.title
    }

    /// The inputs of each cycle.
    pub fn inputs(&self) -> &[InOf<U>] {
        &self.inputs
    }

    /// What happens, step by step, and in how many cycles.
    pub fn captions(&self) -> impl Iterator<Item = (&str, u64)> {
        let steps = self.story.steps.iter();
        steps.map(|step| (step.caption.as_str(), step.length))
    }
}

impl Story {
    /// Cycles in all.
    pub fn length(&self) -> u64 {
        self.steps.iter().map(|step| step.length).sum()
    }
}

/// Rows under a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub name: &'static str,
    pub rows: Vec<Row>,
}

/// A signal in the picture: a port, a register by its golden name, or a signal inside the netlist
/// by its path. One `*` stands for any number: `count[*][3]` is a column of counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub(super) signal: String,
    pub(super) format: Format,
    pub(super) when: Option<String>,
}

/// A row in decimal, of a mask in binary, of one bit as a bit.
pub fn row(signal: impl Into<String>) -> Row {
    Row {
        signal: signal.into(),
        format: Format::Plain,
        when: None,
    }
}

/// Rows of a text. What is no format is taken for a part of the signal's name, with which no scene
/// plays.
fn rows(text: &str) -> Vec<Row> {
    let read = |item: &str| {
        let (shown, when) = match item.split_once(" when ") {
            Some((shown, when)) => (shown, Some(when)),
            None => (item, None),
        };
        let (signal, format) = shown.rsplit_once(' ').unwrap_or((shown, ""));
        let plain = row(signal);
        let row = match format {
            "" => plain,
            "kernel" => plain.kernel(),
            "hex" => plain.hex(),
            "binary" => plain.binary(),
            _ => row(shown),
        };
        when.into_iter().fold(row, Row::when)
    };
    text.split(", ").map(read).collect()
}

impl Row {
    /// In binary.
    #[must_use]
    pub fn binary(mut self) -> Self {
        self.format = Format::Binary;
        self
    }

    /// In hexadecimal.
    #[must_use]
    pub fn hex(mut self) -> Self {
        self.format = Format::Hex;
        self
    }

    /// As kernels: `K2`.
    #[must_use]
    pub fn kernel(mut self) -> Self {
        self.format = Format::Kernel;
        self
    }

    /// Some values by name, others in decimal.
    #[must_use]
    pub fn named(mut self, names: &'static [(u64, &'static str)]) -> Self {
        self.format = Format::Named(names);
        self
    }

    /// Shown only while another signal is not 0; else its value is ignored.
    #[must_use]
    pub fn when(mut self, signal: impl Into<String>) -> Self {
        self.when = Some(signal.into());
        self
    }
}

/// How values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Plain,
    Binary,
    Hex,
    Kernel,
    Named(&'static [(u64, &'static str)]),
}

/// Some cycles, what happens in them, and what is known of them by hand.
#[derive(Debug, Clone)]
pub struct Step<I> {
    cycles: Vec<I>,
    part: Part,
}

/// A step but for the inputs.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub caption: String,
    /// In cycles.
    pub length: u64,
    pub facts: Vec<Fact>,
    pub folded: bool,
}

impl Part {
    /// What is known of a signal so many cycles after the last one.
    fn say(&mut self, after: u64, signal: String, value: Vec<u64>) {
        self.facts.push(Fact {
            signal,
            after,
            value,
        });
    }
}

impl<I> Step<I> {
    /// A step of one cycle.
    pub fn new(caption: impl Into<String>, input: I) -> Self {
        Self::over(caption, [input])
    }

    /// A step of several cycles.
    pub fn over(caption: impl Into<String>, inputs: impl IntoIterator<Item = I>) -> Self {
        let cycles: Vec<I> = inputs.into_iter().collect();
        let part = Part {
            caption: caption.into(),
            length: cycles.len() as u64,
            facts: Vec::new(),
            folded: false,
        };
        Self { cycles, part }
    }

    /// Shows its first and last cycle alone in the picture.
    #[must_use]
    pub fn folded(mut self) -> Self {
        self.part.folded = true;
        self
    }

    /// A signal's value in the step's last cycle, worked out by hand.
    #[must_use]
    pub fn sees(self, signal: impl Into<String>, value: impl Value) -> Self {
        self.after(0, signal, value)
    }

    /// A signal's value in the cycle after the step: what its last edge leads to.
    #[must_use]
    pub fn then(self, signal: impl Into<String>, value: impl Value) -> Self {
        self.after(1, signal, value)
    }

    /// A signal's value so many cycles after the step's last.
    #[must_use]
    pub fn after(mut self, cycles: u64, signal: impl Into<String>, value: impl Value) -> Self {
        self.part.say(cycles, signal.into(), value.elements());
        self
    }
}

/// What a signal is by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    pub signal: String,
    /// Cycles after the step's last one.
    pub after: u64,
    pub value: Vec<u64>,
}

/// A value of a signal: a number, a bit, or one number per element.
pub trait Value {
    /// One number per element.
    fn elements(self) -> Vec<u64>;
}

impl Value for u64 {
    fn elements(self) -> Vec<u64> {
        vec![self]
    }
}

impl Value for bool {
    fn elements(self) -> Vec<u64> {
        vec![self.into()]
    }
}

impl<const N: usize> Value for [u64; N] {
    fn elements(self) -> Vec<u64> {
        self.into()
    }
}

impl Value for &[u64] {
    fn elements(self) -> Vec<u64> {
        self.into()
    }
}
