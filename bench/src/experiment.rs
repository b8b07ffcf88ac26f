//! What every experiment is: figures that have tables, perhaps plots, and a file, which says where and with what they
//! were taken.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use td_kernel::Device;

use crate::Failure;
use crate::machine::Machine;
use crate::measure::gpu::Gpu;
use crate::words::table;

/// The figures of an experiment.
pub(crate) trait Experiment: Serialize + DeserializeOwned {
    /// The tables.
    fn sections(&self) -> Vec<Section>;

    /// The plots, by the names of their files.
    fn plots(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        Ok(Vec::new())
    }

    /// What failed, or came out wrong.
    fn wrong(&self) -> Vec<String> {
        Vec::new()
    }

    /// What fails `--from`: targets that are missed, where there are any.
    fn missed(&self) -> Vec<String> {
        self.wrong()
    }
}

/// Which targets are missed, of names with how they are.
pub(crate) fn missed(targets: impl Iterator<Item = (String, Option<String>)>) -> Vec<String> {
    let targets: Vec<_> = targets.collect();
    let missed = |(name, missed): &(String, Option<String>)| {
        missed.as_ref().map(|text| format!("  {name}: {text}"))
    };
    let missed: Vec<String> = targets.iter().filter_map(missed).collect();
    let count = format!("{} of {} targets are missed", missed.len(), targets.len());
    if missed.is_empty() { missed } else { [vec![count], missed].concat() }
}

/// A table with its heading.
pub(crate) struct Section {
    /// What a page asks for it by.
    pub(crate) name: &'static str,
    pub(crate) heading: String,
    pub(crate) text: String,
}

impl Section {
    pub(crate) fn new(name: &'static str, heading: impl Into<String>, text: String) -> Section {
        Section { name, heading: heading.into(), text }
    }
}

/// Figures that are a table, and need no more.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    /// Each an array with as many values.
    pub(crate) rows: Vec<Value>,
}

impl Table {
    pub(crate) fn new(title: &str, columns: &[&str]) -> Table {
        let columns = columns.iter().copied().map(str::to_owned).collect();
        Table { title: title.into(), columns, rows: Vec::new() }
    }
}

impl Experiment for Table {
    fn sections(&self) -> Vec<Section> {
        let cell = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Number(number) if number.is_f64() => {
                format!("{:.4}", number.as_f64().unwrap_or_default())
            }
            other => other.to_string(),
        };
        let cells = |row: &Value| row.as_array().into_iter().flatten().map(cell).collect();
        let rows: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        vec![Section::new("table", self.title.clone(), table(&self.columns, &rows))]
    }
}

/// What all experiments are told.
#[derive(Args)]
pub(crate) struct Run {
    /// The file that the figures go to, or the folder, in which it has the command's name.
    #[arg(long, default_value = "results")]
    pub(crate) output: PathBuf,
    /// Prints the figures of this file, measures nothing, and fails where a target is missed or a result is wrong.
    #[arg(long, conflicts_with_all = ["output", "commit"])]
    pub(crate) from: Option<PathBuf>,
    /// The commit that this program is built from, to be noted with the figures.
    #[arg(long)]
    pub(crate) commit: Option<String>,
}

/// The figures of one command, and their file: JSON that says what it is, written whole or not at all.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct File<E> {
    what: String,
    pub(crate) machine: Machine,
    pub(crate) figures: E,
    #[serde(skip)]
    path: PathBuf,
}

/// Measures on the GPU, or reads the file that was named; prints the tables.
pub(crate) fn run<E: Experiment + Default>(
    options: &Run,
    name: &str,
    measure: impl FnOnce(&Gpu, &mut File<E>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let Some(from) = &options.from {
        return File::<E>::judge(from, name);
    }
    let gpu = Gpu::open()?;
    let mut file = File::new(options, name, Some(&gpu.device), E::default())?;
    measure(&gpu, &mut file)?;
    file.finish()
}

/// The same, where the figures are one table.
pub(crate) fn table_of(
    options: &Run,
    name: &str,
    title: &str,
    columns: &[&str],
    measure: impl FnOnce(&Gpu, &mut Vec<Value>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    run(options, name, |gpu, file: &mut File<Table>| {
        file.figures = Table::new(title, columns);
        measure(gpu, &mut file.figures.rows)
    })
}

/// What a file says that it is, so that another one is not taken for it.
fn what(name: &str) -> String {
    format!("td-bench {name}, format 2")
}

/// The file that a command's figures have in a folder, or that was named.
pub(crate) fn path(output: &Path, name: &str) -> PathBuf {
    match output.extension() {
        Some(ending) if ending == "json" => output.to_owned(),
        _ => output.join(format!("{}.json", name.replace(" --", "-"))),
    }
}

impl<E: Experiment> File<E> {
    pub(crate) fn new(
        options: &Run,
        name: &str,
        device: Option<&Device>,
        figures: E,
    ) -> Result<File<E>, Failure> {
        let machine = Machine::of(device, options.commit.clone())?;
        eprintln!("{}", machine.line());
        Ok(File { what: what(name), machine, figures, path: path(&options.output, name) })
    }

    /// Writes the file. An earlier one is replaced in one step, so that whatever happens there is a whole one.
    pub(crate) fn keep(&self) -> Result<(), Failure> {
        let failed = |error| format!("cannot write {}: {error}", self.path.display());
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let new = self.path.with_extension("json.new");
        std::fs::write(&new, serde_json::to_string_pretty(self)? + "\n").map_err(failed)?;
        Ok(std::fs::rename(&new, &self.path).map_err(failed)?)
    }

    /// Prints the tables, also where the file cannot be written, and writes it. An error where something is wrong; a
    /// missed target is not.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        self.print();
        self.keep()?;
        failed(&self.figures.wrong())
    }

    /// Prints a file's figures. An error where something is wrong or missed.
    pub(crate) fn judge(path: &Path, name: &str) -> Result<(), Failure> {
        let file = File::<E>::read(path, name)?
            .ok_or_else(|| format!("there is no file {}{}", path.display(), to_do(name)))?;
        file.print();
        failed(&file.figures.missed())
    }

    fn print(&self) {
        println!("{}\n`{}`", self.machine.line(), self.machine.command);
        for Section { heading, text, .. } in self.figures.sections() {
            println!("\n{heading}\n\n{}", text.trim_end());
        }
    }

    /// The file of this name; `None` where there is none.
    pub(crate) fn read(path: &Path, name: &str) -> Result<Option<File<E>>, Failure> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("cannot read {}: {error}", path.display()).into()),
        };
        let mut file: File<E> = parse(&text, name)
            .map_err(|error| format!("{}: {error}{}", path.display(), to_do(name)))?;
        file.path = path.to_owned();
        Ok(Some(file))
    }
}

fn failed(messages: &[String]) -> Result<(), Failure> {
    if messages.is_empty() { Ok(()) } else { Err(messages.join("\n").into()) }
}

fn to_do(name: &str) -> String {
    format!("\n to do: give what `td-bench {name}` of this version wrote")
}

fn parse<E: Experiment>(text: &str, name: &str) -> Result<File<E>, String> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("this is not JSON: {error}"))?;
    if value["what"] != what(name) {
        return Err(format!("`what` is not {:?}, so these are other figures", what(name)));
    }
    serde_json::from_value(value).map_err(|error| format!("the figures are not whole: {error}"))
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;

    /// A file of a GPU's figures in a folder.
    pub(crate) fn file<E: Experiment>(folder: &Path, name: &str, figures: E) -> File<E> {
        let machine = Machine {
            device: "a GPU".into(),
            driver: "580 (CUDA 13.0)".into(),
            nvrtc: "13.0".into(),
            system: "linux x86_64".into(),
            version: "0.1.0".into(),
            commit: Some("abc".into()),
            command: format!("td-bench {name}"),
        };
        File { what: what(name), machine, figures, path: path(folder, name) }
    }

    fn sample() -> Table {
        Table { rows: vec![json!([1, 0.5])], ..Table::new("Sample", &["n", "ms"]) }
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("new");
        let path = path(&inner, "a --b");
        assert!(File::<Table>::read(&path, "a --b").unwrap().is_none());
        let written = file(&inner, "a --b", sample());
        written.keep().unwrap();
        let back = File::<Table>::read(&path, "a --b").unwrap().unwrap();
        assert_eq!((back.machine, back.figures), (written.machine, sample()));
        assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 1);
        assert_eq!(
            sample().sections()[0].text,
            "| n   |     ms |\n| --- | -----: |\n| 1   | 0.5000 |\n"
        );
    }

    #[test]
    fn other_files_are_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sample.json");
        for (text, message) in [
            ("{", "this is not JSON"),
            ("{\"what\": \"else\"}", "`what` is not \"td-bench sample, format 2\""),
            (
                "{\"what\": \"td-bench sample, format 2\"}",
                "the figures are not whole: missing field",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = File::<Table>::read(&path, "sample").unwrap_err().to_string();
            assert!(error.contains(message) && error.contains("td-bench sample"), "{error}");
        }
        let error = File::<Table>::judge(Path::new("no-such.json"), "sample").unwrap_err();
        assert!(error.to_string().starts_with("there is no file no-such.json"), "{error}");
    }
}
