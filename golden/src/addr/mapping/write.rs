//! Mappings as text.

use std::fmt::Write;

use toml::Value;

use super::{Field, Lists, Mapping};

impl Mapping {
    /// The file that this mapping is read from, one function per line where there are several
    /// bits; comments are not kept.
    pub fn to_toml(&self) -> String {
        let table = self.table();
        let mut text = String::new();
        let text_of = |it: &String| Value::String(it.clone()).to_string();
        let mut put = |key: &str, value: String| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{key} = {value}");
        };
        put("name", text_of(&table.name));
        put("title", text_of(&table.title));
        put("width", table.width.to_string());
        put("line", table.line.to_string());
        put("sector", table.sector.to_string());
        put("page", table.page.to_string());
        put("modules", table.modules.to_string());
        put("banks", table.banks.to_string());
        put("sets", table.sets.to_string());
        if !table.bijective.is_empty() {
            let claims = table
                .bijective
                .iter()
                .map(|it| format!("{it:?}").to_lowercase());
            put("bijective", format!("{:?}", claims.collect::<Vec<_>>()));
        }
        text += "\n[functions]\n";
        for field in Field::ALL {
            if let Some(lists) = table.lists(field) {
                let _ = writeln!(text, "{} = {}", field.name(), lines(lists));
            }
        }
        text
    }
}

fn lines(lists: &Lists) -> String {
    if lists.iter().all(|bits| bits.len() == 1) {
        return format!("{lists:?}");
    }
    let lines: String = lists
        .iter()
        .map(|bits| format!("    {bits:?},\n"))
        .collect();
    format!("[\n{lines}]")
}
