use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use super::super::array::Array;
use super::*;

const SHAPE: Shape = Shape::rectangle(10, 3);
const WORK: &str = "version: 1\nshape: s\nvalues: |u1\nkernel: k 0\ninput: 1\n";

/// A file of ten rows of three sevens.
struct Sevens {
    folder: tempfile::TempDir,
    file: NpyFile,
}

impl Sevens {
    fn new() -> Sevens {
        let folder = tempfile::tempdir().unwrap();
        let array = Array::new::<u8>(SHAPE, 0..10, false).unwrap();
        let file = NpyFile::new(&folder.path().join("a.npy"), WORK.into(), array, None);
        Sevens { folder, file }
    }

    fn file(&self, resume: bool, replace: bool) -> NpyFile {
        self.file.clone().resume(resume).replace(replace)
    }

    fn error(&self, resume: bool, replace: bool) -> String {
        let file = self.file(resume, replace);
        file.find().and_then(|partial| partial.begin(1)).unwrap_err().to_string()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn chunk(rows: Range<usize>) -> Chunk<'static, u8> {
    let values = &[7; 30][..SHAPE.values(&rows)];
    Chunk { start: SHAPE.start(rows.start), rows, values, shape: SHAPE }
}

/// Interrupted writes by several processes, with a damaged chunk, and a chunk of another file.
#[test]
fn processes_resume_partial_files() {
    let sevens = Sevens::new();
    let file = sevens.file(true, false);
    let write = |rows: &[Range<usize>]| {
        let partial = file.find().unwrap();
        let left = format!("{:?}", partial.left());
        let mut first = partial.begin(3).unwrap();
        let mut third = file.join(first.ticket(), [2, 3]).unwrap();
        for (at, rows) in rows.iter().enumerate() {
            let writer = if at % 2 == 0 { &mut third } else { &mut first };
            writer.write(&chunk(rows.clone())).unwrap();
        }
        // While a process of one start runs, no other start begins.
        drop(first);
        assert!(sevens.error(true, false).starts_with("another process is writing "));
        left
    };
    assert_eq!(write(&[8..10, 0..2, 6..8]), "[0..10]");
    // The same chunk twice.
    assert_eq!(write(&[3..4, 3..4]), "[2..6]");
    assert_eq!(write(&[]), "[2..3, 4..6]");
    let mut bytes = fs::read(&file.part).unwrap();
    // A byte of the rows 6..8, and one of the header, which belongs to no chunk.
    let length = bytes.len();
    (bytes[length - 7], bytes[3]) = (8, 0);
    fs::write(&file.part, bytes).unwrap();
    assert_eq!(write(&[4..8, 2..3]), "[2..3, 4..8]");
    let partial = file.find().unwrap();
    assert_eq!(partial.left(), []);
    let mut writer = partial.begin(1).unwrap();
    let doubles = Chunk { values: &[7.0], rows: 0..1, start: 0, shape: SHAPE };
    let error = writer.write(&doubles).unwrap_err().to_string();
    assert!(error.ends_with("this chunk has <f8 of rows 0..1 of a rectangle of 10 x 3 elements: write the chunk to a file of its own"), "{error}");
    let other = Chunk { shape: Shape::rectangle(10, 4), ..chunk(0..1) };
    let long = Chunk { rows: 0..2, ..chunk(0..1) };
    assert!(writer.write(&other).is_err() && writer.write(&long).is_err());
    for place in [[0, 2], [2, 2], [3, 2]] {
        let error = file.join([1, 1], place).unwrap_err().to_string();
        assert!(error.contains(" cannot join a file: process 0 starts the file"), "{error}");
    }
    writer.finish().unwrap();
    assert_eq!(sevens.names(), ["a.npy"]);
    let finished = fs::read(&file.output).unwrap();
    assert_eq!((finished.len(), &finished[..6]), (length, &b"\x93NUMPY"[..]));
    assert_eq!(finished[length - 30..], [7; 30]);
}

#[test]
fn files_are_replaced_only_if_asked() {
    let sevens = Sevens::new();
    let NpyFile { output, part, .. } = &sevens.file;
    let file = sevens.file(false, false);
    let mut writer = file.find().unwrap().begin(1).unwrap();
    writer.write(&chunk(0..5)).unwrap();
    drop(writer);
    let error = sevens.error(false, false);
    assert!(error.starts_with("an interrupted job left part of "), "{error}");
    fs::write(output, "precious").unwrap();
    for resume in [false, true] {
        assert!(sevens.error(resume, false).ends_with("or replace it with `replace(true)`"));
    }
    // A journal without its file, and another file in its place.
    fs::remove_file(part).unwrap();
    for replace in [false, true] {
        let error = sevens.error(true, replace);
        assert!(error.contains("a.npy is not the file that "), "{error}");
    }
    assert_eq!(fs::read(output).unwrap(), b"precious");
    let file = sevens.file(false, true);
    file.find().unwrap().begin(1).unwrap().finish().unwrap();
    // A finished file has no journal.
    for resume in [false, true] {
        let error = sevens.file(resume, false).find().err().unwrap().to_string();
        assert!(error.ends_with("or replace it with `replace(true)`"), "{error}");
    }
    assert!(fs::read(output).unwrap().starts_with(b"\x93NUMPY"));
}

#[test]
fn foreign_files_are_kept() {
    let sevens = Sevens::new();
    let part = &sevens.file.part;
    fs::write(part, "precious").unwrap();
    for (resume, replace) in [(false, false), (true, false), (true, true)] {
        let error = sevens.error(resume, replace);
        assert!(error.contains("a.npy.part has no journal"), "{error}");
    }
    assert_eq!(fs::read(part).unwrap(), b"precious");
    sevens.file(false, true).find().unwrap().begin(1).unwrap().finish().unwrap();
    assert_eq!(sevens.names(), ["a.npy"]);
}

/// If the disk is too small, the error comes at once, and no file is left.
#[test]
fn disk_space_is_allocated_first() {
    let sevens = Sevens::new();
    let array = Array::new::<u8>(Shape::rectangle(1 << 30, 1 << 30), 0..1 << 30, false).unwrap();
    let file = NpyFile::new(&sevens.file.output, WORK.into(), array, None);
    let error = file.find().unwrap().begin(1).unwrap_err().to_string();
    assert!(error.starts_with("cannot write ") && error.contains("os error"), "{error}");
    assert!(sevens.names().is_empty());
}

/// A start that has waited for another one finds the complete file, and does not write to it.
#[test]
fn finished_file_is_not_written() {
    let sevens = Sevens::new();
    let file = sevens.file(false, false);
    let first = file.find().unwrap().begin(1).unwrap();
    let other = sevens.file(false, true).max_wait(Duration::from_secs(60));
    let ticket = thread::scope(|scope| {
        let waiting = scope.spawn(|| other.find()?.begin(1).map(|writer| writer.ticket()));
        thread::sleep(Duration::from_millis(200));
        assert!(!waiting.is_finished());
        first.finish().unwrap();
        waiting.join().unwrap().unwrap()
    });
    // The first start's file, and the second start's own ones.
    assert_eq!(sevens.names(), ["a.npy", "a.npy.part", "a.npy.part.journal"]);
    let inode = |path: &PathBuf| path.metadata().unwrap().ino();
    assert_ne!(inode(&file.output), inode(&file.part));
    assert!(other.join(ticket, [1, 2]).is_ok());
}

/// A start that has waited for another one to end, and may not replace its file, leaves no file of its own.
#[test]
fn late_start_leaves_nothing() {
    let sevens = Sevens::new();
    let file = sevens.file(false, false).max_wait(Duration::from_secs(60));
    let [first, late] = [file.find(), file.find()].map(Result::unwrap);
    let first = first.begin(1).unwrap();
    let error = thread::scope(|scope| {
        let late = scope.spawn(|| late.begin(1).map(drop).unwrap_err().to_string());
        thread::sleep(Duration::from_millis(200));
        first.finish().unwrap();
        late.join().unwrap()
    });
    assert!(error.contains("a.npy exists already"), "{error}");
    assert_eq!(sevens.names(), ["a.npy"]);
}

/// A process does not write where another start has left its files, and waits for those of its own.
#[test]
fn processes_join_only_their_start() {
    let sevens = Sevens::new();
    let file = sevens.file(true, true).max_wait(Duration::from_secs(60));
    let ticket = file.find().unwrap().begin(2).unwrap().ticket();
    let hidden = sevens.folder.path().join("hidden");
    let joined = thread::scope(|scope| {
        // The journal appears a moment later, as on another machine.
        fs::rename(&file.journal, &hidden).unwrap();
        let late = scope.spawn(|| file.join(ticket, [1, 2]).map(drop));
        thread::sleep(Duration::from_millis(200));
        assert!(!late.is_finished());
        fs::rename(&hidden, &file.journal).unwrap();
        late.join().unwrap()
    });
    joined.unwrap();
    let hasty = sevens.file(true, true);
    let other = |ticket| hasty.join(ticket, [1, 2]).unwrap_err().to_string();
    let words = "is missing, or is not the file that process 0 made";
    assert!(other([ticket[0] ^ 1, 0]).contains(words));
    let past = "process 1 of 2 would write past the maximum size of a file: pass the ticket";
    assert!(other([ticket[0], 1 << 60]).contains(past));
    fs::write(&file.part, "short").unwrap();
    assert!(other(ticket).contains(&format!("a.npy.part {words}")));
    fs::remove_file(&file.part).unwrap();
    assert!(other(ticket).contains(&format!("a.npy.part {words}")));
}
