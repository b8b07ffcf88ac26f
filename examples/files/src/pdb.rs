//! Reads the coordinate records of PDB files: ATOM, HETATM, the ends of models, and CRYST1. Other records are ignored.

use crate::records::{Contents, Record, finite};

/// The columns of the cell in a CRYST1 record, from 0: three edges, three angles.
const CELL: [[usize; 2]; 6] = [[6, 15], [15, 24], [24, 33], [33, 40], [40, 47], [47, 54]];

/// The columns of a position.
const POSITION: [[usize; 2]; 3] = [[30, 38], [38, 46], [46, 54]];

/// The atoms of each model. A model ends at ENDMDL, END or the next MODEL.
pub(crate) fn read(text: &str) -> Result<Contents, String> {
    let mut contents = Contents::default();
    let (mut model, mut part) = (Vec::new(), 0);
    for (at, text) in text.lines().enumerate() {
        let line: Vec<char> = text.chars().collect();
        let record = columns(&line, [0, 6]).trim_end().to_uppercase();
        match record.as_str() {
            "MODEL" | "ENDMDL" | "END" => contents.models.push(std::mem::take(&mut model)),
            "CRYST1" if contents.cell.is_none() => {
                contents.cell = Some(CELL.map(|range| columns(&line, range).trim().to_owned()));
            }
            "TER" => part += 1,
            record if record.starts_with("ATOM") || record == "HETATM" => {
                let read = atom(&line, part);
                model.push(read.map_err(|problem| format!("line {}, {problem}", at + 1))?);
            }
            _ if ["ATOM", "HETATM"].iter().any(|it| text.trim_start().starts_with(it)) => {
                let column = text.len() - text.trim_start().len() + 1;
                let problem = "an atom must begin in column 1";
                return Err(format!("line {}, column {column}: {problem}", at + 1));
            }
            _ => {}
        }
    }
    contents.models.push(model);
    contents.models.retain(|model| !model.is_empty());
    Ok(contents)
}

fn atom(line: &[char], part: usize) -> Result<Record, String> {
    if let Some(at) = line.iter().position(|c| *c == '\t') {
        let problem = "a tab, but the columns of a PDB file have fixed places: write spaces";
        return Err(format!("column {}: {problem}", at + 1));
    }
    // A serial number of more than five digits may shift what follows. Coordinates have three digits behind the point.
    let is_number = |at: usize| line.get(at).is_some_and(char::is_ascii_digit);
    let longest = (11..14).take_while(|at| is_number(*at)).count();
    let fits = |by: &usize| POSITION.iter().all(|[at, _]| line.get(at + 4 + by) == Some(&'.'));
    let shift = (0..=longest).find(fits);
    let (is_plain, shift) = (shift.is_some(), shift.unwrap_or(0));
    let field = |[begin, end]: [usize; 2]| columns(line, [begin + shift, end + shift]);
    let mut position = [0.0; 3];
    for (coordinate, range) in position.iter_mut().zip(POSITION) {
        let (cell, begin) = (field(range), range[0] + shift);
        let error = |problem| {
            Err(format!("column {}: the coordinate {:?} {problem}", begin + 1, cell.trim()))
        };
        let Some(number) = finite(cell.trim()) else { return error("is not a finite number") };
        // Numbers of more than eight characters run into the next columns.
        let runs = |at: usize| {
            line.get(at).is_some_and(|c| !c.is_whitespace() && *c != '-')
                && !line[at - 1].is_whitespace()
        };
        if !is_plain && (runs(begin) || runs(begin + 8)) {
            return error("does not end in its eight columns");
        }
        let decimals = |text: &str| text.trim().split_once('.').map(|(_, digits)| digits.len());
        if line.len() < begin + 8 && decimals(&cell) != decimals(&field(POSITION[0])) {
            return error("is cut: the line ends within it");
        }
        *coordinate = number;
    }
    let trimmed = |range| field(range).trim().to_owned();
    Ok(Record {
        padded: field([12, 16]),
        name: trimmed([12, 16]),
        alternate: trimmed([16, 17]),
        symbol: trimmed([76, 78]),
        // Some programs write residues of four letters, and numbers of five digits instead of an insertion code.
        residue: [
            trimmed([17, 21]),
            trimmed([21, 22]),
            trimmed([22, 27]),
            format!("{} {part}", field([72, 76])),
        ],
        position,
        ..Record::default()
    })
}

/// The characters of a line in these columns, of which it may have fewer.
fn columns(line: &[char], [begin, end]: [usize; 2]) -> String {
    line.iter().take(end).skip(begin).collect()
}
