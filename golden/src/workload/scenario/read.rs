//! From TOML to a scenario; every complaint has a line and a key.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::{
    meant, Paper, Scenario, ScenarioError, Size, Tenant, MAX_FOOTPRINT, MAX_KERNELS, MAX_NAME,
};
use crate::gpu::bounded::Timing;
use crate::llc::cache::Geometry;
use crate::model::ParamError;
use crate::presets::{self, Preset, PresetError};
use crate::workload::kernel::Loop;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    title: String,
    platform: Spanned<String>,
    accesses: Spanned<u64>,
    period: Spanned<u64>,
    #[serde(default)]
    seed: u64,
    under_test: Spanned<String>,
    kernel: Vec<Spanned<Table>>,
    timing: Option<Timing>,
    paper: Option<Spanned<Paper>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    name: Spanned<String>,
    #[serde(rename = "loop")]
    body: Spanned<String>,
    footprint: Spanned<String>,
    in_flight: Spanned<u32>,
    sets: Option<Spanned<u64>>,
}

/// The text, to say where something is.
struct Place<'a>(&'a str);

impl Place<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        let before = self.0.get(..span.start).unwrap_or_default();
        1 + before.matches('\n').count()
    }

    fn value(
        &self,
        span: &Range<usize>,
        key: &str,
        value: impl ToString,
        expected: impl ToString,
    ) -> ScenarioError {
        ScenarioError::Value {
            line: self.line(span),
            key: key.into(),
            value: value.to_string(),
            expected: expected.to_string(),
        }
    }

    /// A number within bounds.
    fn range(
        &self,
        key: &str,
        number: &Spanned<u64>,
        bounds: std::ops::RangeInclusive<u64>,
    ) -> Result<u64, ScenarioError> {
        let value = *number.get_ref();
        if bounds.contains(&value) {
            return Ok(value);
        }
        let expected = format!("{} to {}", bounds.start(), bounds.end());
        Err(self.value(&number.span(), key, value, expected))
    }

    /// The key of a line with the table that it is in: `kernel.footprint: `; none for other lines.
    fn key(&self, line: usize) -> String {
        let lines: Vec<&str> = self.0.lines().take(line).collect();
        let Some((key, _)) = lines.last().and_then(|text| text.split_once('=')) else {
            return String::new();
        };
        let table = lines.iter().rev().find(|text| text.starts_with('['));
        let table = table.and_then(|text| text.trim_start_matches('[').split(']').next());
        let table = table.map_or(String::new(), |table| format!("{}.", table.trim()));
        format!("{table}{}: ", key.trim())
    }

    /// What serde says, with the key of its line, in words of a scenario.
    fn toml(&self, error: &toml::de::Error) -> ScenarioError {
        let line = self.line(&error.span().unwrap_or(0..0));
        let mut message = error.message().trim().replace('\n', "; ");
        for (theirs, ours) in [
            ("expected u64", "expected a whole number, 0 or more"),
            ("expected u32", "expected a whole number, 0 or more"),
            ("expected f64", "expected a number"),
            (
                "expected a sequence",
                "expected a list; kernels are [[kernel]] tables",
            ),
            ("expected struct Timing", "expected a [timing] table"),
            ("expected struct Paper", "expected a [paper] table"),
            ("expected struct Table", "expected a [[kernel]] table"),
        ] {
            message = message.replace(theirs, ours);
        }
        // `unknown field `x`, expected one of `y`, `z``
        if message.starts_with("unknown ") {
            let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
            if let [wrong, known @ ..] = &names[..] {
                let hint = meant(wrong, known.iter().copied());
                message = message.replacen(&format!("`{wrong}`"), &format!("`{wrong}`{hint}"), 1);
            }
        }
        ScenarioError::Toml {
            line,
            key: self.key(line),
            message,
        }
    }
}

pub(super) fn read(text: &str) -> Result<Scenario, ScenarioError> {
    let place = Place(text);
    let file: File = toml::from_str(text).map_err(|error| place.toml(&error))?;
    let platform = file.platform.get_ref();
    let preset = Preset::named(platform).map_err(|error| match error {
        PresetError::Unknown { .. } => {
            let known: Vec<&str> = presets::names().collect();
            let hint = meant(platform, known.iter().copied());
            let quoted = format!("\"{platform}\"{hint}");
            place.value(&file.platform.span(), "platform", quoted, known.join(", "))
        }
        other => other.into(),
    })?;
    let kernels = file.kernel.len();
    if !(1..=MAX_KERNELS).contains(&kernels) {
        let expected = format!("1 to {MAX_KERNELS} [[kernel]] tables");
        return Err(place.value(&(0..0), "number of kernels", kernels, expected));
    }
    let geometry = Geometry {
        kernels,
        ..preset.llc
    };
    let mut tenants: Vec<Tenant> = vec![];
    for table in &file.kernel {
        tenants.push(tenant(&place, table, &geometry, &tenants)?);
    }
    let wanted = file.under_test.get_ref();
    let under_test = tenants.iter().position(|tenant| tenant.name == *wanted);
    let under_test = under_test.ok_or_else(|| {
        let names: Vec<&str> = tenants.iter().map(|t| t.name.as_str()).collect();
        let quoted = format!("\"{wanted}\"{}", meant(wanted, names.iter().copied()));
        place.value(
            &file.under_test.span(),
            "under-test",
            quoted,
            names.join(", "),
        )
    })?;
    if let Some(paper) = &file.paper {
        let lengths = [paper.get_ref().gdc.len(), paper.get_ref().plob.len()];
        if lengths != [kernels; 2] {
            let found = format!("{} and {} shares", lengths[0], lengths[1]);
            let expected = format!("{kernels} by gdc and by plob, one a kernel");
            return Err(place.value(&paper.span(), "paper", found, expected));
        }
        let shares = paper.get_ref().gdc.iter().chain(&paper.get_ref().plob);
        if let Some(share) = shares.copied().find(|s| !(0.0..=100.0).contains(s)) {
            let expected = "shares in percent, 0 to 100";
            return Err(place.value(&paper.span(), "paper", share, expected));
        }
    }
    let scenario = Scenario {
        title: file.title,
        platform: platform.clone(),
        geometry,
        timing: file.timing.unwrap_or(preset.timing),
        accesses: place.range("accesses", &file.accesses, 1..=1 << 40)?,
        period: place.range("period", &file.period, 1..=1 << 32)?,
        seed: file.seed,
        under_test,
        kernels: tenants,
        paper: file.paper.map(Spanned::into_inner),
    };
    // What is left is the timing.
    scenario.gpu().map_err(|error| {
        let at = text.find("[timing]").unwrap_or(0);
        impossible(&place, &(at..at), "timing", &error)
    })?;
    Ok(scenario)
}

fn tenant(
    place: &Place<'_>,
    table: &Spanned<Table>,
    geometry: &Geometry,
    before: &[Tenant],
) -> Result<Tenant, ScenarioError> {
    let Table {
        name,
        body,
        footprint,
        in_flight,
        sets,
    } = table.get_ref();
    let quoted = |text: &Spanned<String>| format!("\"{}\"", text.get_ref());
    let length = name.get_ref().chars().count();
    if !(1..=MAX_NAME).contains(&length) || name.get_ref().chars().any(char::is_control) {
        return Err(place.value(
            &name.span(),
            "kernel.name",
            format!("{:?}", name.get_ref()),
            format!("1 to {MAX_NAME} printable characters"),
        ));
    }
    if before.iter().any(|other| other.name == *name.get_ref()) {
        return Err(place.value(
            &name.span(),
            "kernel.name",
            quoted(name),
            "a name that no other kernel has",
        ));
    }
    let size = Size::parse(footprint.get_ref()).ok_or_else(|| {
        place.value(
            &footprint.span(),
            "kernel.footprint",
            quoted(footprint),
            super::size::FORMS,
        )
    })?;
    let known = Loop::ALL.map(Loop::name);
    let found = Loop::ALL.iter().find(|l| l.name() == body.get_ref());
    let body = found.ok_or_else(|| {
        let found = quoted(body) + &meant(body.get_ref(), known);
        place.value(&body.span(), "kernel.loop", found, known.join(", "))
    })?;
    let bytes = Spanned::new(footprint.span(), size.bytes(geometry.capacity()));
    let bytes = place.range("kernel.footprint", &bytes, 1..=MAX_FOOTPRINT)?;
    let few = match (body, sets) {
        (Loop::Agg2, Some(sets)) => {
            Some(place.range("kernel.sets", sets, 1..=geometry.sets as u64)?)
        }
        (Loop::Agg2, None) => {
            return Err(place.value(
                &table.span(),
                "kernel.sets of agg2",
                "not there",
                format!("1 to {}, how many sets it touches", geometry.sets),
            ));
        }
        (_, Some(sets)) => {
            return Err(place.value(
                &sets.span(),
                "kernel.sets",
                sets.get_ref(),
                format!("none: {} goes through all sets", body.name()),
            ));
        }
        (_, None) => None,
    };
    let flight = u64::from(*in_flight.get_ref());
    let flight = Spanned::new(in_flight.span(), flight);
    let in_flight = place.range("kernel.in-flight", &flight, 1..=1 << 16)? as u32;
    let tenant = Tenant {
        name: name.get_ref().clone(),
        body: *body,
        footprint: bytes,
        sets: few,
        in_flight,
    };
    tenant
        .kernel(0, geometry)
        .map_err(|error| impossible(place, &footprint.span(), "kernel", &error))?;
    Ok(tenant)
}

/// A parameter that the models refuse.
fn impossible(
    place: &Place<'_>,
    span: &Range<usize>,
    key: &str,
    error: &ParamError,
) -> ScenarioError {
    ScenarioError::Toml {
        line: place.line(span),
        key: format!("{key}."),
        message: error.to_string(),
    }
}
