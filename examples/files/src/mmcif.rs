//! Reads the categories `_atom_site` and `_cell` of mmCIF files. Others are ignored.

use std::collections::HashMap;
use std::iter;

use crate::records::{Contents, Record, finite};

/// A word of a file: a tag, a keyword or a value.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    line: usize,
    column: usize,
    text: &'a str,
    /// Whether it was in quotes or between lines with semicolons: it is a value, whatever it looks like.
    is_quoted: bool,
}

impl<'a> Word<'a> {
    /// A word of a line, from this byte of it.
    fn new(at: usize, line: &str, begin: usize, text: &'a str, is_quoted: bool) -> Word<'a> {
        Word { line: at + 1, column: line[..begin].chars().count() + 1, text, is_quoted }
    }

    fn is_tag(&self) -> bool {
        !self.is_quoted && self.text.starts_with('_')
    }

    fn is_keyword(&self) -> bool {
        let begins = |keyword: &str| {
            self.text.get(..keyword.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(keyword))
        };
        !self.is_quoted && ["loop_", "data_", "save_", "global_", "stop_"].into_iter().any(begins)
    }

    /// An error at this word.
    fn error<T>(&self, problem: &str) -> Result<T, String> {
        Err(format!("line {}, column {}: {problem}", self.line, self.column))
    }
}

/// A category: the numbers of its tags' columns, without its name and in small letters, and its values, row by row.
#[derive(Debug, Default)]
struct Category<'a> {
    columns: HashMap<String, usize>,
    values: Vec<Word<'a>>,
}

impl<'a> Category<'a> {
    fn rows(&self) -> impl Iterator<Item = &[Word<'a>]> {
        self.values.chunks(self.columns.len().max(1))
    }

    /// The cell of a row under the first of these tags that the category has and that has a value.
    fn cell(&self, row: &[Word<'a>], tags: &[&str]) -> Option<Word<'a>> {
        let cells = tags.iter().filter_map(|tag| row.get(*self.columns.get(*tag)?));
        cells.copied().find(|word| word.is_quoted || !["?", "."].contains(&word.text))
    }

    fn text(&self, row: &[Word<'a>], tags: &[&str]) -> String {
        self.cell(row, tags).map_or(String::new(), |word| word.text.trim().to_owned())
    }
}

/// The atoms of each model.
pub(crate) fn read(text: &str) -> Result<Contents, String> {
    let [mut atoms, mut cell] = [Category::default(), Category::default()];
    let mut words = words(text)?.into_iter().peekable();
    while let Some(word) = words.next() {
        let is_loop = !word.is_quoted && word.text.eq_ignore_ascii_case("loop_");
        let mut tags = if word.is_tag() { vec![word] } else { Vec::new() };
        tags.extend(iter::from_fn(|| words.next_if(|word| is_loop && word.is_tag())));
        let next_value = || words.next_if(|word| !word.is_tag() && !word.is_keyword());
        let values: Vec<Word<'_>> = iter::from_fn(next_value).collect();
        let Some(first) = tags.first() else { continue };
        let lower = first.text.to_ascii_lowercase();
        let (category, name) = match lower.split_once('.') {
            Some(("_atom_site", _)) => (&mut atoms, "_atom_site."),
            Some(("_cell", _)) => (&mut cell, "_cell."),
            None if lower.starts_with("_atom_site_fract_") => {
                let problem = "fractional coordinates are not supported";
                return first.error(&format!("{problem}, only _atom_site.Cartn_x, y and z"));
            }
            _ => continue,
        };
        if !values.len().is_multiple_of(tags.len()) || (!is_loop && values.len() != 1) {
            let counts = format!("{} values, got {}", tags.len(), values.len());
            let last = values.last().unwrap_or(first);
            return last.error(&format!("expected a multiple of {counts}"));
        }
        const ONCE: &str = "pass a file with one data block";
        if is_loop && !category.values.is_empty() {
            return first.error(&format!("a second loop of {name}: {ONCE}"));
        }
        for tag in &tags {
            let own = tag.text.to_ascii_lowercase();
            let own = own.strip_prefix(name).unwrap_or(&own).to_owned();
            let column = category.columns.len();
            if category.columns.insert(own, column).is_some() {
                return tag.error(&format!("{} occurs twice: {ONCE}", tag.text));
            }
        }
        // Tags with a value each are one row.
        category.values.extend(values);
    }
    let edges = ["length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"];
    let cell = cell.rows().next().map(|row| edges.map(|tag| cell.text(row, &[tag])));
    Ok(Contents { models: models(&atoms)?, cell })
}

/// The atoms of each model, in the order of the first atom of each.
fn models(atoms: &Category) -> Result<Vec<Vec<Record>>, String> {
    let (mut models, mut numbers) = (Vec::<Vec<Record>>::new(), HashMap::new());
    for row in atoms.rows() {
        let mut position = [0.0; 3];
        for (coordinate, axis) in position.iter_mut().zip(["x", "y", "z"]) {
            let Some(word) = atoms.cell(row, &[&format!("cartn_{axis}")]) else {
                return row[0].error(&format!("the atom does not have _atom_site.Cartn_{axis}"));
            };
            let Some(number) = finite(word.text) else {
                return word.error(&format!("{:?} is not a finite number", word.text));
            };
            *coordinate = number;
        }
        let text = |tags: &[&str]| atoms.text(row, tags);
        let name = text(&["auth_atom_id", "label_atom_id"]);
        let number = text(&["auth_seq_id", "label_seq_id"]);
        let record = Record {
            line: (!name.is_empty() && !number.is_empty()).then_some(row[0].line),
            name,
            alternate: text(&["label_alt_id"]),
            symbol: text(&["type_symbol"]),
            residue: [
                text(&["auth_comp_id", "label_comp_id"]),
                text(&["auth_asym_id", "label_asym_id"]),
                number + &text(&["pdbx_pdb_ins_code"]),
                String::new(),
            ],
            position,
            ..Record::default()
        };
        let count = numbers.len();
        let model = *numbers.entry(text(&["pdbx_pdb_model_num"])).or_insert(count);
        if model == count {
            models.push(Vec::new());
        }
        models[model].push(record);
    }
    Ok(models)
}

/// The words of a file, without comments.
fn words(text: &str) -> Result<Vec<Word<'_>>, String> {
    let mut words = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((mut at, mut line)) = lines.next() {
        let mut column = 0;
        if line.starts_with(';') {
            let begin = line.as_ptr() as usize - text.as_ptr() as usize + 1;
            let Some(end) = text[begin..].find("\n;") else {
                return Word::new(at, line, 0, line, true)
                    .error("the text after ; does not end with a line ;");
            };
            let inner = &text[begin..begin + end];
            words.push(Word::new(at, line, 0, inner, true));
            (at, line) = lines.nth(inner.matches('\n').count()).unwrap_or((at, ""));
            column = line.len().min(1);
        }
        while let Some(skipped) = line[column..].find(|c: char| !c.is_whitespace()) {
            column += skipped;
            let rest = &line[column..];
            let begin = rest.chars().next().unwrap_or_default();
            if begin == '#' {
                break;
            }
            if begin == '\'' || begin == '"' {
                // A quote within the text is not followed by a space.
                let is_end = |(at, _): &(usize, &str)| {
                    rest[at + 2..].chars().next().is_none_or(char::is_whitespace)
                };
                let Some((end, _)) = rest[1..].match_indices(begin).find(is_end) else {
                    return Word::new(at, line, column, rest, true).error("the quote does not end");
                };
                words.push(Word::new(at, line, column, &rest[1..=end], true));
                column += end + 2;
            } else {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                words.push(Word::new(at, line, column, &rest[..end], false));
                column += end;
            }
        }
    }
    Ok(words)
}
