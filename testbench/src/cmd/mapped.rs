//! Parameter sets of the units of area `addr` from a mapping: `--config mapping=v100`,
//! `--config mapping=my.toml,index=bank`.

use std::path::Path;

use cotenant_golden::addr::mapping::{Field, Mapping};
use cotenant_golden::addr::{address_map, xor_hash};
use cotenant_units::table::{self, ParameterSet};
use miette::{miette, IntoDiagnostic, Result};

/// What a text that begins with `mapping=` asks for.
pub(super) struct Mapped<'a> {
    mapping: &'a str,
    index: Option<&'a str>,
}

impl<'a> Mapped<'a> {
    /// None if the text is about something else.
    pub fn read(text: &'a str) -> Option<Self> {
        let rest = text.strip_prefix("mapping=")?;
        let (mapping, index) = match rest.split_once(",index=") {
            Some((mapping, index)) => (mapping, Some(index)),
            None => (rest, None),
        };
        Some(Self { mapping, index })
    }

    /// The unit for this mapping.
    pub fn set(&self, unit: &str) -> Result<ParameterSet> {
        let mapping = mapping(self.mapping)?;
        let name = &mapping.table().name;
        let (name, pairs) = match unit {
            "xor_hash" => {
                let index = self.index.unwrap_or("set");
                (format!("{name}-{index}"), hash(&mapping, index)?)
            }
            "address_map" if self.index.is_none() => (name.clone(), map(&mapping)?),
            "address_map" => {
                return Err(miette!(
                    "address_map has all indices of a mapping; leave out index="
                ))
            }
            _ => {
                return Err(miette!(
                    "{unit} has no mapping; mapping= is for xor_hash and address_map"
                ))
            }
        };
        let pairs: Vec<String> = pairs
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let set = table::set(unit, &pairs.join(",")).into_diagnostic()?;
        Ok(match set.name.contains('=') {
            true => set.called(unit, name),
            false => set,
        })
    }
}

/// The mapping of a name, or of a file; a file that is there goes first.
pub(super) fn mapping(text: &str) -> Result<Mapping> {
    let path = Path::new(text);
    let file = path.exists() || path.extension().is_some() || path.components().count() > 1;
    let mapping = match file {
        true => Mapping::read(path),
        false => Mapping::named(text),
    };
    // Its text has its cause.
    mapping.map_err(|error| miette!("{error}"))
}

type Pairs = Vec<(String, u64)>;

fn masks(name: &str, masks: &[u64]) -> Pairs {
    let masks = masks.iter().enumerate();
    masks
        .map(|(at, &mask)| (format!("{name}_{at}"), mask))
        .collect()
}

fn hash(mapping: &Mapping, index: &str) -> Result<Pairs> {
    let indices = [Field::Set, Field::Bank, Field::Module];
    let field = indices.into_iter().find(|field| field.name() == index);
    let field = field.ok_or_else(|| {
        miette!("there is no index \"{index}\", expected one of: set, bank, module")
    })?;
    let params = xor_hash::Params::of(mapping, field);
    let params = params.map_err(|error| miette!("xor_hash: {error}"))?;
    let mut pairs = vec![
        ("ADDRESS_W".to_owned(), params.address_w as u64),
        ("INDEX_W".to_owned(), params.index_w as u64),
    ];
    pairs.extend(masks("MASK", &params.mask));
    Ok(pairs)
}

fn map(mapping: &Mapping) -> Result<Pairs> {
    let params = address_map::Params::of(mapping);
    let p = params.map_err(|error| miette!("address_map: {error}"))?;
    let sizes = [
        ("ADDRESS_W", p.address_w),
        ("OFFSET_W", p.offset_w),
        ("SECTOR_W", p.sector_w),
        ("SET_W", p.set_w),
        ("BANK_W", p.bank_w),
        ("MODULE_W", p.module_w),
        ("COLOUR_W", p.colour_w),
    ];
    let mut pairs: Pairs = sizes
        .map(|(name, value)| (name.to_owned(), value as u64))
        .to_vec();
    pairs.push(("TAG".to_owned(), p.tag));
    let indices = [
        ("SET", p.set),
        ("BANK", p.bank),
        ("MODULE", p.module),
        ("COLOUR", p.colour),
    ];
    for (name, lists) in indices {
        pairs.extend(masks(name, &lists));
    }
    Ok(pairs)
}
