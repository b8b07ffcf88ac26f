//! A page for people, with sections that come from the figures.

use std::path::Path;

use crate::Failure;
use crate::experiment::Section;

const BEGIN: &str = "<!-- report: ";
const HEAD_END: &str = " -->\n";
const END: &str = "<!-- end -->";

/// The page with all sections that name the folder written anew; `None` where there is no page, or no such
/// section in it.
pub(super) fn filled(
    path: &Path,
    folder: &Path,
    sections: &[Section],
) -> Result<Option<String>, Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot read {}: {error}", path.display()).into()),
    };
    // As links do, sections name the folder as it is reached from the page.
    let home = path.parent().unwrap_or(Path::new(""));
    fill(&text, &|name| same(&home.join(name), folder), sections)
        .map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Whether two paths are of one folder.
fn same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

fn fill(
    text: &str,
    is_folder: &dyn Fn(&str) -> bool,
    sections: &[Section],
) -> Result<Option<String>, String> {
    let mut parts = text.split(BEGIN);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    let mut some = false;
    for part in parts {
        let unended = || format!("the section `{part}` does not end with `{END}`");
        let (head, rest) = part.split_once(HEAD_END).ok_or_else(unended)?;
        let (old, after) = rest.split_once(END).ok_or_else(unended)?;
        let (folder, name) =
            head.rsplit_once(' ').ok_or_else(|| format!("`{BEGIN}{head}` names no section"))?;
        let body = if is_folder(folder) {
            some = true;
            let section = sections.iter().find(|section| section.name == name);
            let section = section.ok_or_else(|| format!("the figures have no section {name:?}"))?;
            format!("\n{}\n\n", section.text.trim_end())
        } else {
            old.to_owned()
        };
        filled += &[BEGIN, head, HEAD_END, &body, END, after].concat();
    }
    Ok(some.then_some(filled))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "before\n<!-- report: here one -->\nold\n<!-- end -->\nbetween\n<!-- report: there one -->\nkept\n<!-- end -->\n";

    fn sections() -> [Section; 1] {
        [Section { name: "one", heading: "One".into(), text: "new\n".into() }]
    }

    #[test]
    fn only_sections_of_the_folder_are_written() {
        let filled = fill(PAGE, &|folder| folder == "here", &sections()).unwrap().unwrap();
        assert_eq!(filled, PAGE.replace("\nold\n", "\n\nnew\n\n"));
        assert_eq!(fill(&filled, &|folder| folder == "here", &sections()).unwrap(), Some(filled));
        assert_eq!(fill(PAGE, &|_| false, &sections()).unwrap(), None);
    }

    #[test]
    fn a_page_that_cannot_be_filled_is_left() {
        let error = fill(PAGE, &|_| true, &[]).unwrap_err();
        assert_eq!(error, "the figures have no section \"one\"");
        let open = "<!-- report: here one -->\n";
        assert!(fill(open, &|_| true, &sections()).unwrap_err().contains("does not end"));
    }
}
