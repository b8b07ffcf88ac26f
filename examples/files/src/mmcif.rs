//! Reads the categories `_atom_site` and `_cell` of mmCIF files. Others are ignored.

use std::collections::HashMap;

use crate::atoms::{Contents, Record, Residue};
use crate::numbers::finite;

/// A word of a file: a tag, a keyword or a value.
#[derive(Clone, Debug)]
struct Word {
    line: usize,
    column: usize,
    text: String,
    /// Whether it was in quotes or between lines with semicolons: it is a value, whatever it looks like.
    is_quoted: bool,
}

impl Word {
    fn is_tag(&self) -> bool {
        !self.is_quoted && self.text.starts_with('_')
    }

    fn is_keyword(&self) -> bool {
        let begins = |keyword: &str| {
            self.text.get(..keyword.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(keyword))
        };
        !self.is_quoted && ["loop_", "data_", "save_", "global_", "stop_"].into_iter().any(begins)
    }

    fn is_loop(&self) -> bool {
        !self.is_quoted && self.text.eq_ignore_ascii_case("loop_")
    }

    /// An error at this word.
    fn error<T>(&self, problem: &str) -> Result<T, String> {
        Err(format!("line {}, column {}: {problem}", self.line, self.column))
    }
}

/// A category: the numbers of its tags' columns, without its name and in small letters, and its rows.
#[derive(Debug, Default)]
struct Category {
    columns: HashMap<String, usize>,
    rows: Vec<Vec<Word>>,
}

impl Category {
    /// The cell of a row under the first of these tags that the category has and that has a value.
    fn cell<'a>(&self, row: &'a [Word], tags: &[&str]) -> Option<&'a Word> {
        let cells = tags.iter().filter_map(|tag| row.get(*self.columns.get(*tag)?));
        cells.into_iter().find(|word| word.is_quoted || !["?", "."].contains(&word.text.as_str()))
    }

    fn text(&self, row: &[Word], tags: &[&str]) -> String {
        self.cell(row, tags).map_or(String::new(), |word| word.text.trim().to_owned())
    }
}

/// The atoms of each model.
pub(crate) fn read(text: &str) -> Result<Contents, String> {
    let [mut atoms, mut cell] = [Category::default(), Category::default()];
    let mut words = words(text)?.into_iter().peekable();
    while let Some(word) = words.next() {
        let is_loop = word.is_loop();
        let mut tags = Vec::new();
        if is_loop {
            while let Some(tag) = words.next_if(Word::is_tag) {
                tags.push(tag);
            }
        } else if word.is_tag() {
            tags.push(word);
        }
        let mut values = Vec::new();
        while let Some(value) = words.next_if(|word| !word.is_tag() && !word.is_keyword()) {
            values.push(value);
        }
        let Some(first) = tags.first() else { continue };
        let lower = first.text.to_ascii_lowercase();
        let (category, name) = match lower.split_once('.') {
            Some(("_atom_site", _)) => (&mut atoms, "_atom_site."),
            Some(("_cell", _)) => (&mut cell, "_cell."),
            _ => continue,
        };
        if !values.len().is_multiple_of(tags.len()) || (!is_loop && values.len() != 1) {
            let problem =
                format!("expected a multiple of {} values, got {}", tags.len(), values.len());
            return values.last().unwrap_or(first).error(&problem);
        }
        if is_loop && !category.rows.is_empty() {
            return first
                .error(&format!("a second loop of {name}: pass a file with one data block"));
        }
        for tag in &tags {
            let own = tag.text.to_ascii_lowercase();
            let own = own.strip_prefix(name).unwrap_or(&own).to_owned();
            let column = category.columns.len();
            if category.columns.insert(own, column).is_some() {
                return tag.error(&format!("{} occurs twice", tag.text));
            }
        }
        if is_loop {
            category.rows = values.chunks(tags.len()).map(<[Word]>::to_vec).collect();
        } else {
            // Tags with a value each are one row.
            category.rows.resize_with(1, Vec::new);
            category.rows[0].extend(values);
        }
    }
    let edges = ["length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"];
    let cell = cell.rows.first().map(|row| edges.map(|tag| cell.text(row, &[tag])));
    Ok(Contents { models: models(&atoms)?, cell })
}

/// The atoms of each model, in the order of the first atom of each.
fn models(atoms: &Category) -> Result<Vec<Vec<Record>>, String> {
    let (mut models, mut numbers) = (Vec::<Vec<Record>>::new(), HashMap::new());
    for row in &atoms.rows {
        let mut position = [0.0; 3];
        for (coordinate, tag) in position.iter_mut().zip(["cartn_x", "cartn_y", "cartn_z"]) {
            let Some(word) = atoms.cell(row, &[tag]) else {
                return row[0].error(&format!("the atom does not have _atom_site.{tag}"));
            };
            let Some(number) = finite(&word.text) else {
                return word.error(&format!("{:?} is not a finite number", word.text));
            };
            *coordinate = number;
        }
        let text = |tags: &[&str]| atoms.text(row, tags);
        let name = text(&["auth_atom_id", "label_atom_id"]);
        let record = Record {
            line: row[0].line,
            padded: String::new(),
            name,
            alternate: text(&["label_alt_id"]),
            symbol: text(&["type_symbol"]),
            residue: Residue {
                kind: text(&["auth_comp_id", "label_comp_id"]),
                chain: text(&["auth_asym_id", "label_asym_id"]),
                number: text(&["auth_seq_id", "label_seq_id"]) + &text(&["pdbx_pdb_ins_code"]),
                segment: String::new(),
            },
            position,
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
fn words(text: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let word = |column: usize, text: &str, is_quoted| Word {
            line: at + 1,
            column: line[..column].chars().count() + 1,
            text: text.into(),
            is_quoted,
        };
        if let Some(begin) = line.strip_prefix(';') {
            let mut field = begin.to_owned();
            loop {
                match lines.next() {
                    Some((_, end)) if end.starts_with(';') => break,
                    Some((_, more)) => field = field + "\n" + more,
                    None => {
                        return word(0, "", true)
                            .error("the text after ; does not end with a line ;");
                    }
                }
            }
            words.push(word(0, &field, true));
            continue;
        }
        let mut column = 0;
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
                    return word(column, "", true).error("the quote does not end");
                };
                words.push(word(column, &rest[1..=end], true));
                column += end + 2;
            } else {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                words.push(word(column, &rest[..end], false));
                column += end;
            }
        }
    }
    Ok(words)
}
