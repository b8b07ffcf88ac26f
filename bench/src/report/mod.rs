//! Tables and plots from the figures of a run, without a GPU: written, or compared with those that are
//! there.

mod canvas;
mod page;
mod plots;
mod tables;
#[cfg(test)]
mod tests;
mod words;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::Failure;
use crate::edm_square::EdmSquare;
use crate::figures::Figures;
use crate::limits::Limits;
use crate::peers::{CpuPeers, Peers};
use crate::record::{File, Record};

/// What is made of which figures.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder with the figures, to which tables and plots go too.
    #[arg(long)]
    pub(crate) from: PathBuf,
    /// Writes nothing, and fails where what is there differs from what the figures give.
    #[arg(long)]
    pub(crate) check: bool,
    /// A page with sections that are taken from the tables, between `<!-- report: FOLDER SECTION -->` and
    /// `<!-- end -->`, with the folder as it is reached from the page. Only those that name this folder are
    /// written. May be missing.
    #[arg(long, default_value = "docs/results.md")]
    pub(crate) page: PathBuf,
}

/// The figures of a folder, as far as they are there.
pub(crate) struct Sources {
    figures: Option<File<Figures>>,
    limits: Option<File<Limits>>,
    ladder: Option<File<EdmSquare>>,
    peers: Option<File<Peers>>,
    cpu: Option<File<CpuPeers>>,
}

/// A file that the figures give.
struct Made {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// Makes the report, or checks it.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let folder = &options.from;
    let sources = Sources::read(folder)?;
    let sections = tables::sections(&sources);
    let mut made = Vec::new();
    for (name, plot) in plots::all(&sources)? {
        made.push(Made { path: folder.join(format!("{name}.svg")), bytes: plot.svg });
    }
    let text = tables::page(&sections, &made_names(&made));
    made.push(Made { path: folder.join("tables.md"), bytes: text.into_bytes() });
    if let Some(text) = page::filled(&options.page, folder, &sections)? {
        made.push(Made { path: options.page.clone(), bytes: text.into_bytes() });
    }
    if options.check { check(&made) } else { write(&made) }
}

impl Sources {
    fn read(folder: &Path) -> Result<Sources, Failure> {
        let sources = Sources {
            figures: optional(folder)?,
            limits: optional(folder)?,
            ladder: optional(folder)?,
            peers: optional(folder)?,
            cpu: File::read(folder)?,
        };
        let Sources { figures, limits, ladder, peers, cpu } = &sources;
        if figures.is_none()
            && limits.is_none()
            && ladder.is_none()
            && peers.is_none()
            && cpu.is_none()
        {
            let text = "has no figures\n to do: give the --output folder of `td-bench all`";
            return Err(format!("{} {text}", folder.display()).into());
        }
        Ok(sources)
    }
}

/// The figures, or a word that they are not there.
fn optional<T: Record>(folder: &Path) -> Result<Option<File<T>>, Failure> {
    let file = File::<T>::read(folder)?;
    if file.is_none() {
        eprintln!(
            "{} is not there: nothing is said of `{}`",
            File::<T>::path(folder).display(),
            T::COMMAND
        );
    }
    Ok(file)
}

/// The plots' names, for a page that shows them.
fn made_names(made: &[Made]) -> Vec<String> {
    let names =
        made.iter().filter(|made| made.path.extension().is_some_and(|ending| ending == "svg"));
    names.filter_map(|made| Some(made.path.file_name()?.to_string_lossy().into_owned())).collect()
}

fn write(made: &[Made]) -> Result<(), Failure> {
    for Made { path, bytes } in made {
        std::fs::write(path, bytes)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

fn check(made: &[Made]) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for Made { path, bytes } in made {
        match std::fs::read(path) {
            Ok(there) if there == *bytes => {}
            Ok(_) => wrong.push(format!("{} differs from what the figures give", path.display())),
            Err(error) => wrong.push(format!("cannot read {}: {error}", path.display())),
        }
    }
    if wrong.is_empty() {
        println!("{} files are as the figures give them", made.len());
        return Ok(());
    }
    Err(format!("{}\n to do: run the same without --check", wrong.join("\n")).into())
}
