//! Reads atoms from files of the Protein Data Bank with the crate pdbrust.

use std::collections::HashMap;
use std::panic;
use std::path::Path;

use clap::Arg;
use pdbrust::classify::is_water;
use pdbrust::error::PdbError;
use pdbrust::parser::{parse_mmcif_file, parse_pdb_file, parse_pdb_string};
use pdbrust::{PdbStructure, records};
use td_kernel_examples::Result;

/// An atom.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// Its position, in ångström.
    pub position: [f64; 3],
    /// The symbol of its element, in capitals.
    pub element: String,
    /// Its van der Waals radius in ångström.
    pub radius: f64,
    /// Its mass in daltons; NaN if unknown.
    pub mass: f64,
    /// Its label, as "CA of LYS A 17".
    pub label: String,
}

/// Atoms and their origin.
#[derive(Clone, Debug)]
pub struct Atoms {
    /// The atoms, in the file's order.
    pub all: Vec<Atom>,
    /// Their source, and what was left out.
    pub origin: String,
}

impl Atoms {
    /// Carbon atoms near the points of a grid: none overlap by much.
    pub fn random(count: usize) -> Atoms {
        let side = (1..).find(|side: &usize| side.pow(3) >= count).unwrap_or(1);
        let mut generator = fastrand::Rng::with_seed(0);
        let all = (0..count).map(|at| {
            let cell = [at % side, at / side % side, at / side / side];
            let position = cell.map(|cell| 1.7 * cell as f64 + 0.3 * (generator.f64() - 0.5));
            Atom { position, element: "C".into(), radius: 1.7, mass: 12.011, label: String::new() }
        });
        Atoms { all: all.collect(), origin: "carbon about a grid of 1.7 Å".into() }
    }
}

/// Symbols, van der Waals radii in ångström (A. Bondi, "van der Waals Volumes and Radii", J. Phys. Chem. 68 (1964), 441) and
/// masses in daltons (abridged standard atomic weights of the IUPAC). Bondi gives no radius of some metals.
const ELEMENTS: [(&str, f64, f64); 24] = [
    ("H", 1.20, 1.008),
    ("D", 1.20, 2.014),
    ("C", 1.70, 12.011),
    ("N", 1.55, 14.007),
    ("O", 1.52, 15.999),
    ("F", 1.47, 18.998),
    ("NA", 2.27, 22.99),
    ("MG", 1.73, 24.305),
    ("P", 1.80, 30.974),
    ("S", 1.80, 32.06),
    ("CL", 1.75, 35.45),
    ("K", 2.75, 39.098),
    ("CA", f64::NAN, 40.078),
    ("MN", f64::NAN, 54.938),
    ("FE", f64::NAN, 55.845),
    ("CO", f64::NAN, 58.933),
    ("NI", 1.63, 58.693),
    ("CU", 1.40, 63.546),
    ("ZN", 1.39, 65.38),
    ("SE", 1.90, 78.971),
    ("BR", 1.85, 79.904),
    ("CD", 1.58, 112.41),
    ("I", 1.98, 126.9),
    ("HG", 1.55, 200.59),
];

/// The protein 1A8O, built into the executable.
pub(crate) const BUILT_IN: &str = include_str!("../../data/1A8O.pdb");

/// The name of a file in messages.
pub(crate) fn file_name(path: Option<&Path>) -> String {
    path.map_or("the built-in 1A8O.pdb".into(), |path| path.display().to_string())
}

/// The radius of an element, as FE=1.8.
pub fn radius(text: &str) -> std::result::Result<(String, f64), String> {
    let parts = text.split_once('=').map(|(symbol, radius)| (symbol, radius.parse::<f64>()));
    match parts {
        Some((symbol, Ok(radius))) if !symbol.is_empty() && radius > 0.0 && radius < 100.0 => {
            Ok((symbol.to_uppercase(), radius))
        }
        _ => Err("write a symbol and a radius in ångström, as FE=1.8".into()),
    }
}

/// The option `--input` of examples that read tables or atoms.
pub fn input_of_atoms(input: Arg) -> Arg {
    let help = "Read the rows from this table (.csv or .tsv), or the atoms from this PDB or mmCIF file (.pdb, .ent or .cif) \
                [default: the protein 1A8O, built in]";
    input.value_name("FILE.csv|.pdb|.cif").help(help)
}

/// The atoms of a PDB file (.pdb, .ent), an mmCIF file (.cif) or the entry 1A8O: of the first model, without water, and with
/// the first of alternate locations. `radii` take precedence over the list.
pub fn atoms(path: Option<&Path>, radii: &[(String, f64)]) -> Result<Atoms> {
    let file = AtomFile::read(path)?;
    let structure = &file.structure;
    let first = structure.models.first().map_or(&structure.atoms, |model| &model.atoms);
    file.selected(first, Some(radii))
}

/// The same for every model, with atoms of any element.
pub fn models(path: Option<&Path>) -> Result<Vec<Atoms>> {
    let file = AtomFile::read(path)?;
    let models = &file.structure.models;
    if models.len() < 2 {
        let all = models.first().map_or(&file.structure.atoms, |model| &model.atoms);
        return Ok(vec![file.selected(all, None)?]);
    }
    models.iter().map(|model| file.selected(&model.atoms, None)).collect()
}

/// A file with atoms.
struct AtomFile {
    name: String,
    is_cif: bool,
    structure: PdbStructure,
}

impl AtomFile {
    fn read(path: Option<&Path>) -> Result<AtomFile> {
        let name = file_name(path);
        let ending = path.and_then(Path::extension).map(|ending| ending.to_ascii_lowercase());
        // pdbrust panics on some files that are truncated in the middle of a line.
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| ()));
        let ending = ending.as_ref().and_then(|ending| ending.to_str());
        let is_cif = matches!(ending, Some("cif" | "mmcif"));
        let read = panic::catch_unwind(|| match (path, ending) {
            (None, _) => parse_pdb_string(BUILT_IN),
            (Some(path), Some("pdb" | "ent")) => parse_pdb_file(path),
            (Some(path), Some("cif" | "mmcif")) => parse_mmcif_file(path),
            _ => Err(PdbError::InvalidRecord("its name does not end in .pdb, .ent or .cif".into())),
        });
        panic::set_hook(hook);
        let read =
            read.unwrap_or_else(|_| Err(PdbError::InvalidRecord("the file is truncated".into())));
        let structure = read.map_err(|error| format!("{name}: {error}"))?;
        Ok(AtomFile { name, is_cif, structure })
    }

    /// These atoms, without water and later alternates. Without `radii`, an atom's element and radius may be unknown.
    fn selected(&self, read: &[records::Atom], radii: Option<&[(String, f64)]>) -> Result<Atoms> {
        let AtomFile { name, is_cif, .. } = self;
        let error = |text: String| -> Result<Atoms> { Err(format!("{name}: {text}").into()) };
        let (mut all, mut water, mut alternates) = (Vec::new(), Vec::<&str>::new(), 0);
        let (mut kinds, mut locations) = (HashMap::new(), HashMap::new());
        for atom in read {
            if is_water(&atom.residue_name) {
                water.push(&atom.residue_name);
                continue;
            }
            let (kind, chain, number) = (&atom.residue_name, &atom.chain_id, atom.residue_seq);
            let label = format!("{} of {kind} {chain} {number}", atom.name);
            // Keep the first residue name at a position, and the first location of each atom.
            let residue = (chain, number, atom.ins_code);
            let is_other_kind = *kinds.entry(residue).or_insert(kind) != kind;
            let location = locations.get(&(residue, &atom.name)).copied();
            let is_later = location.is_some_and(|first| first != atom.alt_loc);
            if is_later || (is_other_kind && atom.alt_loc.is_some()) {
                alternates += 1;
                continue;
            }
            // pdbrust ignores the models of mmCIF files. In a PDB file, this is another chain without a name.
            if *is_cif && location.is_some() {
                return error(format!("{label} occurs twice: pass a file with a single model"));
            }
            locations.insert((residue, &atom.name), atom.alt_loc);
            let element = atom.element.to_uppercase();
            if element.is_empty() && radii.is_some() {
                return error(format!(
                    "{label} does not have an element symbol, and its name may mean several elements: write the symbol in columns 77 and 78, as \" C\" or \"CA\""
                ));
            }
            let known = ELEMENTS.iter().find(|(symbol, ..)| *symbol == element);
            let given = radii
                .unwrap_or_default()
                .iter()
                .find(|(symbol, _)| *symbol == element)
                .map(|(_, radius)| *radius);
            let unknown = radii.is_none().then_some(f64::NAN);
            let known_radius = known.map(|it| it.1).filter(|radius| !radius.is_nan());
            let Some(radius) = given.or(known_radius).or(unknown) else {
                return error(format!(
                    "{label}: the radius of {element} is unknown: set it, as --radius {element}=1.8"
                ));
            };
            let mass = known.map_or(f64::NAN, |(.., mass)| *mass);
            all.push(Atom { position: [atom.x, atom.y, atom.z], element, radius, mass, label });
        }
        let mut origin = format!("atoms of {name}");
        if let Some(first) = water.first() {
            origin += &format!(", left out: {} of water ({first})", water.len());
        }
        if alternates > 0 {
            origin += &format!(
                ", left out: {alternates} at other locations than the first of the same atom"
            );
        }
        if all.is_empty() {
            return error("there are no atoms besides water".into());
        }
        Ok(Atoms { all, origin })
    }
}
