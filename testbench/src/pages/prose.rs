//! Converts doc comments to page text: links into the source become plain names.

/// Doc comments without their links to items, which lead nowhere outside of rustdoc.
///
/// `[name](crate::path)` and `[name]` become `name`; links to anywhere else stay, and so does
/// what stands in code blocks.
pub(super) fn plain(doc: &str) -> String {
    let mut out = String::new();
    let mut code = false;
    for line in doc.lines() {
        code ^= line.trim_start().starts_with("```");
        // A definition of a link: `[name]: crate::path`.
        let definition = line.starts_with('[') && line.contains("]: ");
        match (code, definition) {
            (false, true) => continue,
            (false, false) => out.push_str(&unlinked(line)),
            (true, _) => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

fn unlinked(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some((before, link)) = rest.split_once("[`") {
        let Some((name, after)) = link.split_once("`]") else {
            break;
        };
        out.push_str(before);
        let target = after
            .strip_prefix('(')
            .and_then(|target| target.split_once(')'));
        match target {
            Some((to, _)) if to.contains("//") => {
                out.push_str(&format!("[`{name}`]"));
                rest = after;
            }
            Some((_, after)) => {
                out.push_str(&format!("`{name}`"));
                rest = after;
            }
            None => {
                out.push_str(&format!("`{name}`"));
                rest = after;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    //! Rationale: a page must neither hold dead links nor lose words; subscripts look like links.
    use super::*;

    #[test]
    fn links_to_items_become_names() {
        let doc = "as [`gdcu`](crate::llc::Gdcu), [`Reg`] and\n[`Reg`]: crate::prim::Reg\n\
                   `count[v][a]`, [the paper](https://x.y), [`x`](https://x.y)\n```\na = [`b`];\n```\n";
        let expected = "as `gdcu`, `Reg` and\n`count[v][a]`, [the paper](https://x.y), \
                        [`x`](https://x.y)\n```\na = [`b`];\n```\n";
        assert_eq!(plain(doc), expected);
    }
}
