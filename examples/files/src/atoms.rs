//! Atoms of PDB and mmCIF files.

use std::collections::HashMap;
use std::path::Path;

use clap::Arg;
use td_kernel_examples::{Result, read_text};

use crate::elements::{element, known};
use crate::records::{Contents, Record, finite};
use crate::{mmcif, pdb};

/// An atom.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// Its position, in ångström.
    pub position: [f64; 3],
    /// The symbol of its element, in capitals; empty if unknown.
    pub element: String,
    /// Its van der Waals radius in ångström; NaN if unknown.
    pub radius: f64,
    /// Its mass in daltons; NaN if unknown.
    pub mass: f64,
    /// Its label, as "CA of LYS A 17".
    pub label: String,
    /// Its residue: the name, as LYS, the chain, the number with the insertion code, and what else tells it from others.
    pub residue: [String; 4],
}

/// Atoms and their origin.
#[derive(Clone, Debug)]
pub struct Atoms {
    /// The atoms, in the file's order.
    pub all: Vec<Atom>,
    /// Their source, and what was left out.
    pub origin: String,
    /// The edges and the angles of the file's unit cell, as written.
    cell: Option<[String; 6]>,
}

impl Atoms {
    /// Carbon atoms near the points of a grid: none overlap by much.
    pub fn random(count: usize) -> Atoms {
        let side = (1..).find(|side: &usize| side.pow(3) >= count).unwrap_or(1);
        let mut generator = fastrand::Rng::with_seed(0);
        let all = (0..count).map(|at| {
            let cell = [at % side, at / side % side, at / side / side];
            let position = cell.map(|cell| 1.7 * cell as f64 + 0.3 * (generator.f64() - 0.5));
            let (label, residue) = (String::new(), Default::default());
            Atom { position, element: "C".into(), radius: 1.7, mass: 12.011, label, residue }
        });
        let origin = "carbon about a grid of 1.7 Å".into();
        Atoms { all: all.collect(), origin, cell: None }
    }

    /// The edges of the unit cell in ångström. An error without a cell, or if an angle is not 90°.
    pub fn edges(&self) -> Result<[f64; 3]> {
        let error = |text: String| Err(format!("{}: {text}", self.origin).into());
        let none = |reason: String| error(format!("it does not have a cell{reason}: {INSTEAD}"));
        let Some(written) = &self.cell else {
            return none(", as a CRYST1 record or as edges and angles of _cell".into());
        };
        let numbers: Vec<f64> = written.iter().filter_map(|text| finite(text)).collect();
        match numbers[..] {
            // Edges of 1 Å mean that a structure has no cell.
            [a, b, c, ..] if [a, b, c] == [1.0; 3] || a.min(b).min(c) <= 0.0 => {
                none(format!(", because {a} x {b} x {c} Å stands for none"))
            }
            [a, b, c, 90.0, 90.0, 90.0] => Ok([a, b, c]),
            [.., alpha, beta, gamma] if numbers.len() == 6 => error(format!(
                "the angles of its cell are {alpha}°, {beta}° and {gamma}°, but only cells with angles of 90° are supported"
            )),
            _ => none(format!(" of three edges and three angles, but {written:?}")),
        }
    }
}

/// The protein 1A8O, built into the executable.
const BUILT_IN: &str = include_str!("../../data/1A8O.pdb");

/// What to write for a file without a cell.
const INSTEAD: &str = "write the edges of a box instead of --periodic, as --box 40,40,60";

/// Names of the residue water.
const WATER: &str = "HOH DOD H2O WAT SOL SPC SPCE TIP TIP2 TIP3 TIP4 TIP5 TP3 TP4 TP5 TIP3P TIP4P T3P T4P T5P OPC OH2";

/// The radius of an element, as FE=1.8.
pub fn radius(text: &str) -> Result<(String, f64)> {
    let (symbol, radius) = text.split_once('=').unwrap_or_default();
    let is_right = |radius: &f64| *radius > 0.0 && *radius < 100.0 && !symbol.is_empty();
    let radius = radius.parse().ok().filter(is_right);
    let error = || "write a symbol and a radius in ångström, as FE=1.8".into();
    radius.map(|radius| (symbol.to_uppercase(), radius)).ok_or_else(error)
}

/// The option `--input` of examples that read tables or atoms.
pub fn input_of_atoms(input: Arg) -> Arg {
    let help = "Read the rows from this table (.csv, .tsv or .txt), or the atoms from this PDB or mmCIF file (.pdb, .ent or \
                .cif): those of its first model, without water [default: the protein 1A8O, built in]";
    input.value_name("FILE.csv|.pdb|.cif").help(help)
}

/// The atoms of a PDB file (.pdb, .ent), an mmCIF file (.cif) or the entry 1A8O: of the first model, without water, and with
/// the first of alternate locations.
pub fn atoms(path: Option<&Path>) -> Result<Atoms> {
    let mut models = models(path)?;
    let count = models.len();
    let mut first = models.swap_remove(0);
    if count > 1 {
        first.origin += &format!(", the first of {count} models");
    }
    Ok(first)
}

/// The same, with the radius of each element: of these, or else of the list.
pub fn spheres(path: Option<&Path>, radii: &[(String, f64)]) -> Result<Atoms> {
    let mut atoms = atoms(path)?;
    for Atom { element, radius, label, .. } in &mut atoms.all {
        let error = |text: String| Err(format!("{}: {label}{text}", file_name(path)).into());
        if element.is_empty() {
            return error(" does not have an element symbol, and its name may mean several elements: write the symbol in columns 77 and 78 of a PDB file, as \" C\" or \"CA\", or as _atom_site.type_symbol of an mmCIF file".into());
        }
        if let Some((_, given)) = radii.iter().find(|(symbol, _)| symbol == element) {
            *radius = *given;
        }
        if radius.is_nan() {
            let problem = "is unknown: set it, as --radius";
            return error(format!(": the radius of {element} {problem} {element}=1.8"));
        }
    }
    Ok(atoms)
}

/// The same for every model, of which there is at least one, without radii.
pub fn models(path: Option<&Path>) -> Result<Vec<Atoms>> {
    let name = file_name(path);
    let ending = path.and_then(Path::extension).map(|ending| ending.to_ascii_lowercase());
    let ending = ending.as_ref().and_then(|ending| ending.to_str());
    let text = path.map_or(Ok(BUILT_IN.into()), read_text)?;
    let contents = match (path, ending) {
        (Some(_), Some("cif" | "mmcif")) => mmcif::read(&text),
        (None, _) | (_, Some("pdb" | "ent")) => pdb::read(&text),
        _ => Err("atoms are read from files whose names end in .pdb, .ent or .cif".into()),
    };
    let Contents { models, cell } = contents.map_err(|error| format!("{name}: {error}"))?;
    if models.is_empty() {
        return Err(format!("{name}: there are no atoms").into());
    }
    models.into_iter().map(|model| selected(&name, model, cell.clone())).collect()
}

/// The name of a file in messages.
fn file_name(path: Option<&Path>) -> String {
    path.map_or("the built-in 1A8O.pdb".into(), |path| path.display().to_string())
}

/// The atoms of a model, without water and later alternates.
fn selected(name: &str, read: Vec<Record>, cell: Option<[String; 6]>) -> Result<Atoms> {
    let error = |text: String| -> Result<Atoms> { Err(format!("{name}: {text}").into()) };
    let (mut all, mut water, mut alternates) = (Vec::new(), Vec::new(), 0);
    let (mut kinds, mut locations) = (HashMap::new(), HashMap::new());
    for atom in read {
        let element = element(&atom).unwrap_or_default();
        let Record { line, name, alternate, residue, position, .. } = atom;
        let [kind, chain, number, _] = &residue;
        if WATER.split(' ').any(|name| name.eq_ignore_ascii_case(kind)) {
            water.push(kind.clone());
            continue;
        }
        let of = [kind, chain, number].into_iter().filter(|part| !part.is_empty());
        let of = of.map(String::as_str).collect::<Vec<_>>().join(" ");
        let label = if of.is_empty() { name.clone() } else { format!("{name} of {of}") };
        // Keep the first residue name at a position, and the first location of each atom.
        let place = residue[1..].to_vec();
        let is_other_kind = kinds.entry(place.clone()).or_insert_with(|| kind.clone()) != kind;
        let first = locations.entry((place, name)).or_insert_with(|| None);
        let is_later = first.as_ref().is_some_and(|first| *first != alternate);
        if is_later || (is_other_kind && !alternate.is_empty()) {
            alternates += 1;
            continue;
        }
        if let (Some(line), true) = (line, first.is_some()) {
            return error(format!("line {line}: {label} occurs twice"));
        }
        *first = Some(alternate);
        let (radius, mass) = known(&element).unwrap_or((f64::NAN, f64::NAN));
        all.push(Atom { position, element, radius, mass, label, residue });
    }
    let mut origin = format!("atoms of {name}");
    if let Some(first) = water.first() {
        origin += &format!(", left out: {} of water ({first})", water.len());
    }
    if alternates > 0 {
        origin +=
            &format!(", left out: {alternates} at other locations than the first of the same atom");
    }
    if all.is_empty() {
        return error("there are no atoms besides water".into());
    }
    Ok(Atoms { all, origin, cell })
}
