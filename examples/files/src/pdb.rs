//! Reads the coordinate records of PDB files: ATOM, HETATM, the ends of models, and CRYST1. Other records are ignored.

use crate::atoms::{Contents, Record, Residue};
use crate::numbers::finite;

/// The columns of the cell in a CRYST1 record, from 0: three edges, three angles.
const CELL: [[usize; 2]; 6] = [[6, 15], [15, 24], [24, 33], [33, 40], [40, 47], [47, 54]];

/// The columns of a position.
const POSITION: [[usize; 2]; 3] = [[30, 38], [38, 46], [46, 54]];

/// The atoms of each model. A model ends at ENDMDL, END or the next MODEL.
pub(crate) fn read(text: &str) -> Result<Contents, String> {
    let mut contents = Contents::default();
    let mut model = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let record = line.get(..6).unwrap_or(line).trim_end();
        if line.starts_with("ATOM") || line.starts_with("HETATM") {
            model.push(atom(line, at + 1)?);
        } else if ["MODEL", "ENDMDL", "END"].contains(&record) {
            contents.models.push(std::mem::take(&mut model));
        } else if record == "CRYST1" && contents.cell.is_none() {
            contents.cell = Some(CELL.map(|range| columns(line, range).trim().to_owned()));
        }
    }
    contents.models.push(model);
    contents.models.retain(|model| !model.is_empty());
    Ok(contents)
}

fn atom(line: &str, number: usize) -> Result<Record, String> {
    // Programs that write a serial number of more digits shift what follows. Coordinates have three digits after the point.
    let has_points = |shift: &usize| {
        POSITION.iter().all(|[begin, _]| line.as_bytes().get(begin + 4 + shift) == Some(&b'.'))
    };
    let shift = (0..3).find(has_points).unwrap_or(0);
    let field = |[begin, end]: [usize; 2]| columns(line, [begin + shift, end + shift]);
    let mut position = [0.0; 3];
    for (coordinate, range) in position.iter_mut().zip(POSITION) {
        let cell = field(range);
        *coordinate = finite(cell.trim()).ok_or_else(|| {
            let first = range[0] + shift + 1;
            format!(
                "line {number}, column {first}: the coordinate {:?} is not a finite number",
                cell.trim()
            )
        })?;
    }
    let trimmed = |range| field(range).trim().to_owned();
    Ok(Record {
        line: number,
        padded: field([12, 16]),
        name: trimmed([12, 16]),
        alternate: trimmed([16, 17]),
        symbol: trimmed([76, 78]),
        // Some programs write residues of four letters, and numbers of five digits instead of an insertion code.
        residue: Residue {
            kind: trimmed([17, 21]),
            chain: trimmed([21, 22]),
            number: trimmed([22, 27]),
            segment: trimmed([72, 76]),
        },
        position,
    })
}

/// The characters of a line in these columns, of which it may have fewer.
fn columns(line: &str, [begin, end]: [usize; 2]) -> String {
    line.chars().skip(begin).take(end - begin).collect()
}
