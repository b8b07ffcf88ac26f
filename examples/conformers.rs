//! All distances within each of many molecules, residues or frames, in one launch; and how much conformers differ, by these
//! distances, without superposition.
//! Example: `cargo run --release --example conformers`
//! Example: `cargo run --release --example conformers -- --input models.pdb --output distances.npy`

use std::collections::HashSet;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use ndarray_npy::write_zeroed_npy;
use td_kernel::td_kernel;
use td_kernel_examples::{DeviceChoice, Output, Result, TableOptions, count_in, is_table, timed};
use td_kernel_examples_files::{Atom, models};

/// The distance of two atoms of the same molecule. This becomes a kernel over the pairs i > j of each of many sets.
#[td_kernel]
unsafe fn distances(#[each] p: &Sets<[f32; 3]>, distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#
}

/// Computes the distances of all pairs of atoms within each molecule or frame
#[derive(Args)]
struct Arguments {
    /// Read the atoms from this file: each model is a set; of a file with one model, each residue. Or a table with
    /// --group [default: the residues of the protein 1A8O, built in]
    #[arg(long, value_name = "FILE.pdb|.cif|.csv", conflicts_with = "random")]
    input: Option<PathBuf>,
    /// The column of the table with each atom's molecule or frame, which has a number or a name. Choose the column by number from
    /// 0 or by name. The rows of a set follow each other
    #[arg(long, value_name = "COLUMN", requires = "input")]
    group: Option<String>,
    /// The columns of the table with the coordinates
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', default_value = "x,y,z")]
    columns: Vec<String>,
    /// Leave out rows of the table in which a coordinate does not have a value
    #[arg(long, requires = "group")]
    skip_missing: bool,
    /// Make this many random molecules of 20 to 60 atoms
    #[arg(long, value_name = "N", value_parser = count_in(1..=1 << 20))]
    random: Option<usize>,
    /// Write the distances to this file, in NumPy's format, as 32-bit floats: those of one set after another, in each in the
    /// order (1, 0), (2, 0), (2, 1), (3, 0), …
    #[arg(long, value_name = "FILE.npy")]
    output: Option<PathBuf>,
    /// Replace output files that exist
    #[arg(long)]
    force: bool,
}

/// About how many distances are in memory at a time.
const PAIRS: usize = 1 << 22;

/// Sets of atoms, what a set is, and where they are from.
type Molecules = (Vec<Vec<[f64; 3]>>, &'static str, String);

fn main() {
    td_kernel_examples::start(run);
}

fn run(arguments: Arguments, device: DeviceChoice, out: &mut dyn Write) -> Result<()> {
    let output = Output::maybe(&arguments.output, arguments.force)?;
    let (sets, what, origin) = molecules(&arguments)?;
    let device = device.open()?;
    // Relative to the first atom of the set, because a float has few digits.
    let floats = |set: &Vec<[f64; 3]>| -> Vec<[f32; 3]> {
        let first = set.first().copied().unwrap_or_default();
        set.iter().map(|atom| [0, 1, 2].map(|axis| (atom[axis] - first[axis]) as f32)).collect()
    };
    let pairs_of = |set: &Vec<[f64; 3]>| set.len() * set.len().saturating_sub(1) / 2;
    let atoms: usize = sets.iter().map(Vec::len).sum();
    let pairs: usize = sets.iter().map(pairs_of).sum();
    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "{what}: {} ({origin})", sets.len())?;
    writeln!(out, "atoms: {atoms}, pairs: {pairs}")?;
    if let Some(file) = &output {
        let written = write_zeroed_npy::<f32, _>(file.file(), pairs);
        written.map_err(|error| file.failed(error))?;
        file.file().seek(SeekFrom::End(-4 * i64::try_from(pairs)?))?;
    }

    let kernel = distances::load(&device)?;
    let largest = sets.iter().map(Vec::len).max().unwrap_or_default();
    let (mut time, mut sum, mut longest) = (0.0, 0.0, 0.0_f32);
    let (mut first, mut most) = (Vec::new(), (0.0, 0));
    let mut begin = 0;
    while begin < sets.len() {
        // As many sets as the limit admits, at least one.
        let mut rest = PAIRS;
        let fits = |set: &&Vec<[f64; 3]>| {
            rest = rest.saturating_sub(pairs_of(set));
            rest > 0
        };
        let end = begin + sets[begin..].iter().take_while(fits).count().max(1);
        let p = device.upload_sets(sets[begin..end].iter().map(floats))?;
        let mut values = device.packed_sets(&p)?;
        let launch = |values: &mut _| kernel.launch(&p, values);
        let launched = timed(&device, (&kernel, largest), &mut values, |_| Ok(()), launch)?;
        time += launched.as_secs_f64();
        let values = values.download()?;
        let all = values.as_slice();
        sum += all.iter().map(|value| f64::from(*value)).sum::<f64>();
        longest = all.iter().copied().fold(longest, f32::max);
        if let Some(file) = &output {
            let bytes: Vec<u8> = all.iter().flat_map(|value| value.to_le_bytes()).collect();
            file.write(&bytes)?;
        }
        // How much sets of the same atoms differ from the first one: the root of the mean squared difference of their distances.
        for set in begin..end {
            let Some(own) = values.set(set - begin) else { continue };
            if set == 0 {
                first = own.to_vec();
            }
            let squares = own.iter().zip(&first).map(|(a, b)| f64::from(a - b).powi(2));
            let difference = (squares.sum::<f64>() / first.len() as f64).sqrt();
            if difference >= most.0 {
                most = (difference, set);
            }
        }
        begin = end;
    }
    writeln!(out, "kernel: {:.3} ms", time * 1e3)?;
    if pairs > 0 {
        writeln!(out, "mean distance: {:.4}, the longest: {longest:.4}", sum / pairs as f64)?;
    }
    if sets.len() > 1 && sets.iter().all(|set| set.len() == largest) && largest > 1 {
        let (difference, set) = (most.0, most.1 + 1);
        writeln!(out, "most different from the first of the {what}: {set} by {difference:.4}")?;
    }
    output.map_or(Ok(()), Output::finish)
}

fn molecules(arguments: &Arguments) -> Result<Molecules> {
    if let Some(count) = arguments.random {
        let mut generator = fastrand::Rng::with_seed(0);
        let mut atom = |_| [0; 3].map(|_| 10.0 * f64::from(generator.f32()));
        let set = |at: usize| (0..20 + at * 7919 % 41).map(&mut atom).collect();
        let sets = (0..count).map(set).collect();
        return Ok((sets, "molecules", "random".into()));
    }
    match (&arguments.group, &arguments.input) {
        (Some(group), Some(path)) => of_table(arguments, group, path),
        (None, Some(path)) if is_table(path) => {
            let problem = "a table needs --group, the column with the number of an atom's molecule";
            Err(format!("{}: {problem}", path.display()).into())
        }
        (_, path) => of_atoms(path.as_deref()),
    }
}

/// The models of a file, or the residues of its only model.
fn of_atoms(path: Option<&Path>) -> Result<Molecules> {
    let models = models(path)?;
    let origin = models[0].origin.clone();
    let positions = |atoms: &[Atom]| atoms.iter().map(|atom| atom.position).collect();
    let (what, sets) = match models.as_slice() {
        [model] => {
            ("residues", model.all.chunk_by(|a, b| a.residue == b.residue).map(positions).collect())
        }
        _ => ("models", models.iter().map(|model| positions(&model.all)).collect()),
    };
    Ok((sets, what, origin))
}

/// The groups of a table's rows.
fn of_table(arguments: &Arguments, group: &str, path: &Path) -> Result<Molecules> {
    if arguments.columns.len() != 3 {
        return Err("--columns takes three columns with coordinates, as --columns x,y,z".into());
    }
    let table = TableOptions {
        input: Some(path.into()),
        columns: Some(arguments.columns.clone()),
        skip_missing: arguments.skip_missing,
        other: ("--group", vec![group.to_owned()]),
        ..TableOptions::default()
    };
    let table = table.rows(3, 3)?;
    // 7 and 7.0 are the same number.
    let name = |cell: &String| match (cell.parse::<i128>(), cell.parse::<f64>()) {
        (Ok(integer), _) => integer.to_string(),
        (_, Ok(number)) => (number + 0.0).to_string(),
        _ => cell.clone(),
    };
    let names: Vec<String> = table.cells.iter().map(name).collect();
    if let Some(at) = names.iter().position(String::is_empty) {
        return table.refused(at, group, "there is no group: write a number or a name");
    }
    let rows: Vec<[f64; 3]> = table.rows().map(|row| [row[0], row[1], row[2]]).collect();
    let (mut sets, mut known, mut at) = (Vec::new(), HashSet::new(), 0);
    for run in names.chunk_by(|a, b| a == b) {
        if !known.insert(&run[0]) {
            let problem = "do not follow each other: sort the table by";
            let problem = format!("the rows of group {} {problem} {group}", run[0]);
            return table.refused(at, group, &problem);
        }
        sets.push(rows[at..at + run.len()].to_vec());
        at += run.len();
    }
    Ok((sets, "groups", table.origin))
}
