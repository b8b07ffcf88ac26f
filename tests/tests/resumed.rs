//! Files of chunks that a later process resumes: whenever the earlier process is killed, the final file equals that of an
//! uninterrupted process. Also journals: of other work, damaged, locked.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::cell::RefCell;
use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use td_kernel::npy::Work;
use td_kernel::{ChunkProgress, Chunks, Device, Devices, Error, ErrorKind, Result, td_kernel};
use td_kernel_tests::assert_errors;

/// The environment variables of a test's process: its number of devices, the file step at which it ends, and the file name.
const DEVICES: &str = "TD_KERNEL_TEST_RESUME";
const STEPS: &str = "TD_KERNEL_TEST_RESUMED_STEPS";
const FILE: &str = "TD_KERNEL_TEST_RESUMED_FILE";

#[td_kernel]
unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    r#" distance = sqrtf(fabsf(x.i - x.j)); "#
}

#[td_kernel]
unsafe fn product(#[row] x: &[f32], #[column] y: &[f32], products: &mut Matrix<f32>) {
    r#" products = x * y; "#
}

#[td_kernel]
unsafe fn counted(#[each] x: &[f32], count: &mut Sum<u64>, distance: &mut Packed<f32>) {
    r#" distance = x.i - x.j; count += 1; "#
}

#[td_kernel]
unsafe fn scaled(#[each] x: &[f32], scale: f64, shift: [f32; 3], distance: &mut Packed<f32>) {
    r#" distance = (float)scale * (x.i - x.j) + shift.z; "#
}

const N: usize = 900;

fn elements() -> Vec<f32> {
    (0..N).map(|k| (k * k % 1009) as f32).collect()
}

/// Some tens of slow chunks, so that most processes are killed before the last one.
fn slow<'a>(chunks: Chunks<'a, f32>) -> Chunks<'a, f32> {
    chunks.height(30).inspect(|_| {
        thread::sleep(Duration::from_millis(4));
        Ok(())
    })
}

/// Not a test by itself: the next test starts it in processes.
#[test]
fn child_process() {
    let (Ok(count), Ok(path)) = (env::var(DEVICES), env::var(FILE)) else { return };
    let devices = Devices::cpu(count.parse().unwrap()).unwrap();
    let (host, kernel) = (elements(), distance::load(&devices).unwrap());
    let x = devices.upload(&host).unwrap();
    // The compiler has ended.
    fs::write(Path::new(&path).with_file_name("ready"), "").unwrap();
    slow(kernel.chunks(&x).unwrap()).resume_npy(path, &host).unwrap();
}

fn process(path: &Path, devices: usize) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "child_process"]).env(DEVICES, devices.to_string());
    command.env(FILE, path).stdout(Stdio::null()).spawn().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The name of a file's journal.
fn journal(path: &Path) -> PathBuf {
    path.with_file_name("a.npy.part.journal")
}

/// The output of an uninterrupted process.
fn undisturbed(folder: &Path) -> Vec<u8> {
    let (path, device) = (folder.join("whole"), Device::cpu().unwrap());
    let x = device.upload(&elements()).unwrap();
    distance::load(&device).unwrap().chunks(&x).unwrap().write_npy(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(path).unwrap();
    bytes
}

#[test]
fn killed_process_leaves_resumable_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, expected) = (folder.path().join("a.npy"), undisturbed(folder.path()));
    let ready = folder.path().join("ready");
    // From 0 to 0.15 seconds after its kernel is loaded, in no order; the number of devices may differ, too.
    let moments = (0..12_u64).map(|at| (at, at * 7919 % 151));
    let (mut killed, mut seen) = (0, Vec::new());
    for (at, milliseconds) in moments {
        let mut child = process(&path, 1 + at as usize % 3);
        let begun = Instant::now();
        while !ready.exists() && begun.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(1));
        }
        fs::remove_file(&ready).unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        let lines = fs::read_to_string(journal(&path)).map_or(0, |text| text.lines().count());
        println!("killed after {milliseconds} ms: {lines} lines in the journal");
        seen.push(lines);
        if path.exists() {
            // It was fast enough. The next one starts again.
            assert_eq!(fs::read(&path).unwrap(), expected);
            fs::remove_file(&path).unwrap();
        }
    }
    assert!(killed >= 6, "{killed} of 12 were killed before their end: {seen:?}");
    // Some have continued the work of another process.
    assert!(seen.windows(2).any(|two| two[0] > 1 && two[1] > two[0]), "{seen:?}");
    assert!(process(&path, 2).wait().unwrap().success());
    fs::remove_file(ready).unwrap();
    assert_eq!(names(folder.path()), ["a.npy"]);
    assert_eq!(fs::read(&path).unwrap(), expected);
}

/// The rows of a chunk that ends between tiles.
const HEIGHT: usize = 256;

/// Not a test by itself: the next test starts it in processes, which end at a step of the file.
#[test]
fn child_process_ends_at_step() {
    let (Ok(steps), Ok(path)) = (env::var(STEPS), env::var(FILE)) else { return };
    static LEFT: AtomicUsize = AtomicUsize::new(0);
    LEFT.store(steps.parse().unwrap(), Ordering::Relaxed);
    let (device, host) = (Device::cpu().unwrap(), elements());
    let (x, kernel) = (device.upload(&host).unwrap(), distance::load(&device).unwrap());
    let chunks = kernel.chunks(&x).unwrap().height(HEIGHT).at_steps(|step| {
        if LEFT.fetch_sub(1, Ordering::Relaxed) == 1 {
            println!("\nended at {step:?}");
            process::abort();
        }
    });
    chunks.resume_npy(path, &host).unwrap();
}

/// Each step is the last one of some process: it leaves the state of that step, and the next process completes the file.
#[test]
fn process_may_end_at_each_step() {
    let folder = tempfile::tempdir().unwrap();
    let (path, expected) = (folder.path().join("a.npy"), undisturbed(folder.path()));
    let part = path.with_file_name("a.npy.part");
    let (device, host) = (Device::cpu().unwrap(), elements());
    let (x, kernel) = (device.upload(&host).unwrap(), distance::load(&device).unwrap());
    let mut seen = Vec::new();
    for steps in 1.. {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "child_process_ends_at_step", "--nocapture"]);
        let output = command.env(STEPS, steps.to_string()).env(FILE, &path).output().unwrap();
        if output.status.success() {
            break;
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let step = text.split("ended at ").nth(1).unwrap().lines().next().unwrap();
        seen.push(step.to_owned());
        let count = |step: &str| seen.iter().filter(|one| *one == step).count();
        // The journal has the recorded chunks; the file has at least those that were written.
        let noted =
            fs::read_to_string(journal(&path)).unwrap_or_default().matches("chunk ").count();
        assert_eq!(noted, count("ChunkNoted"), "{seen:?}");
        let rows = N.min(HEIGHT * count("ChunkWritten"));
        let end = 128 + 4 * (rows * rows.saturating_sub(1) / 2);
        let left: &[&str] = match step {
            "PartCreated" => &["a.npy.part"],
            "JournalCreated" => &["a.npy.part", "a.npy.part.journal"],
            "Renamed" => {
                assert!(fs::read(&path).unwrap() == expected);
                &["a.npy", "a.npy.part.journal"]
            }
            _ => {
                assert!(fs::read(&part).unwrap()[..end] == expected[..end], "{seen:?}");
                &["a.npy.part", "a.npy.part.journal"]
            }
        };
        assert_eq!(names(folder.path()), left, "{seen:?}");
        let mut first = N;
        let chunks = kernel.chunks(&x).unwrap().height(HEIGHT);
        let chunks = chunks.progress(|done| first = first.min(done.next_row));
        chunks.resume_npy(&path, &host).unwrap();
        // The first computed chunk is the one after the recorded chunks.
        assert_eq!(first, N.min(HEIGHT * (noted + 1)), "{seen:?}");
        assert_eq!(names(folder.path()), ["a.npy"], "{seen:?}");
        assert!(fs::read(&path).unwrap() == expected, "{seen:?}");
        fs::remove_file(&path).unwrap();
    }
    let chunk = ["ChunkWritten", "ChunkNoted"];
    let begin = ["PartCreated", "JournalCreated", "Started"];
    let all = [&begin[..], &chunk, &chunk, &chunk, &chunk, &["Renamed"]].concat();
    assert_eq!(seen, all);
}

/// Writes the chunks up to a row, and then returns an error.
fn cut_at(chunks: Chunks<'_, f32>, path: &Path, work: impl Work, row: usize) -> Error {
    let cut = chunks.height(100).inspect(|chunk| match chunk.rows.start >= row {
        true => Err(Error::other("cut")),
        false => Ok(()),
    });
    cut.resume_npy(path, work).unwrap_err()
}

/// Progress and callbacks cover all values, and only the rest is computed.
#[test]
fn resume_computes_missing_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let (path, expected) = (folder.path().join("a.npy"), undisturbed(folder.path()));
    let (device, host) = (Device::cpu().unwrap(), elements());
    let (x, kernel) = (device.upload(&host).unwrap(), distance::load(&device).unwrap());
    cut_at(kernel.chunks(&x).unwrap(), &path, &host, 500);
    assert_eq!(names(folder.path()), ["a.npy.part", "a.npy.part.journal"]);

    let text = fs::read_to_string(journal(&path)).unwrap();
    let last = text.lines().last().unwrap();
    let reached: usize = last.split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!((400..=600).contains(&reached), "{text}");

    let told: RefCell<Vec<ChunkProgress>> = RefCell::default();
    let (seen, mut values) = (RefCell::new(Vec::new()), Vec::new());
    let chunks = kernel.chunks(&x).unwrap().height(150);
    chunks
        .progress(|done| told.borrow_mut().push(done))
        .inspect(|chunk| {
            seen.borrow_mut().push(chunk.rows.clone());
            values.extend(chunk.values.iter().flat_map(|value| value.to_le_bytes()));
            Ok(())
        })
        .resume_npy(&path, &host)
        .unwrap();
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert_eq!(values, expected[expected.len() - values.len()..]);
    assert_eq!(values.len(), N * (N - 1) / 2 * 4);
    let (seen, told) = (seen.into_inner(), told.into_inner());
    assert!(seen.iter().any(|rows| rows.end == reached) && seen.last().unwrap().end == N);
    // The first chunk of this process begins with the next row.
    assert!(told[0].next_row > reached && told[0].values > reached * (reached - 1) / 2, "{told:?}");
    assert_eq!((told[0].of, told.last().unwrap().values), (N * (N - 1) / 2, N * (N - 1) / 2));
    assert_eq!(names(folder.path()), ["a.npy"]);

    // The condensed form, which is read back and resumed like the other.
    let path = folder.path().join("condensed.npy");
    kernel.chunks(&x).unwrap().condensed().write_npy(&path).unwrap();
    let expected = fs::read(&path).unwrap();
    cut_at(kernel.chunks(&x).unwrap().condensed(), &path, b"condensed", 500);
    assert!(kernel.chunks(&x).unwrap().resume_npy(&path, "condensed").is_err());
    let mut sums = [0.0, 0.0];
    let add =
        |sum: &mut f64, values: &[f32]| *sum += values.iter().copied().map(f64::from).sum::<f64>();
    let chunks = kernel.chunks(&x).unwrap().condensed().height(100).inspect(|chunk| {
        add(&mut sums[0], chunk.values);
        Ok(())
    });
    chunks.resume_npy(&path, "condensed").unwrap();
    assert_eq!(fs::read(&path).unwrap(), expected);
    let chunks = kernel.chunks(&x).unwrap().height(100);
    chunks
        .each(|chunk| {
            add(&mut sums[1], chunk.values);
            Ok(())
        })
        .unwrap();
    assert_eq!(sums[0], sums[1]);

    // Rows of a matrix, some of them.
    let path = folder.path().join("matrix.npy");
    let kernel = product::load(&device).unwrap().rows(100..900);
    kernel.chunks(&x, &x).unwrap().write_npy(&path).unwrap();
    let expected = fs::read(&path).unwrap();
    cut_at(kernel.chunks(&x, &x).unwrap(), &path, b"products", 420);
    // An old file of the name stays until the new one is complete.
    assert_eq!(fs::read(&path).unwrap(), expected);
    fs::write(&path, "old").unwrap();
    kernel.chunks(&x, &x).unwrap().resume_npy(&path, "products").unwrap();
    assert_eq!(fs::read(&path).unwrap(), expected);
}

/// One process continues the work of several.
#[test]
fn one_process_resumes_several() {
    let folder = tempfile::tempdir().unwrap();
    let (path, expected) = (folder.path().join("a.npy"), undisturbed(folder.path()));
    let (device, host) = (Device::cpu().unwrap(), elements());
    let (x, kernel) = (device.upload(&host).unwrap(), distance::load(&device).unwrap());
    let chunks = || kernel.chunks(&x).unwrap();
    let file = chunks().npy_file(&path, &host).unwrap();
    let mut first = file.find().unwrap().begin(2).unwrap();
    let mut second = file.join(first.ticket(), [1, 2]).unwrap();
    let rows = vec![300..500, 600..700];
    chunks().only(rows).height(90).each(|chunk| second.write(&chunk)).unwrap();
    chunks().only(vec![0..200, 200..250]).each(|chunk| first.write(&chunk)).unwrap();
    drop((first, second));
    let mut next = Vec::new();
    let resumed = chunks().height(150).progress(|done| next.push(done.next_row));
    resumed.resume_npy(&path, &host).unwrap();
    // Chunks come in order, so everything is computed from the first missing row on.
    assert!((251..=400).contains(&next[0]) && next.last() == Some(&N), "{next:?}");
    assert!(fs::read(&path).unwrap() == expected);
}

#[test]
fn foreign_journal_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let (device, host) = (Device::cpu().unwrap(), elements());
    let (x, kernel) = (device.upload(&host).unwrap(), distance::load(&device).unwrap());
    cut_at(kernel.chunks(&x).unwrap(), &path, &host, 500);
    let before = fs::read(journal(&path)).unwrap();
    let other = product::load(&device).unwrap();
    let refused: [Result<()>; 4] = [
        kernel.chunks(&x).unwrap().resume_npy(&path, "other elements"),
        kernel.rows(1..N).chunks(&x).unwrap().resume_npy(&path, &host),
        kernel.chunks(&x.slice(1..).unwrap()).unwrap().resume_npy(&path, &host),
        other.chunks(&x, &x).unwrap().resume_npy(&path, &host),
    ];
    let differences = [
        "its elements, or what else it was given as `work` (the last argument",
        "its shape is rows 0..900 of a triangle of 900 elements, but here it is rows 1..900 of a triangle",
        "its shape is rows 0..900 of a triangle of 900 elements, but here it is rows 0..899 of a triangle",
        "its shape is rows 0..900 of a triangle of 900 elements, but here it is rows 0..900 of a rectangle",
    ];
    let both = format!("journal and {}.part.", path.display());
    for (refused, words) in refused.into_iter().zip(differences) {
        assert_errors! { refused => [words, "is the journal of other work: i", &both], Exists; }
    }
    assert_eq!(fs::read(journal(&path)).unwrap(), before);

    fs::remove_file(journal(&path)).unwrap();
    assert_errors! { kernel.chunks(&x).unwrap().resume_npy(&path, &host) => "a.npy.part has no journal"; }

    let mut count = device.sum().unwrap();
    let chunks = counted::load(&device).unwrap().chunks(&x, &mut count).unwrap();
    let error = chunks.resume_npy(folder.path().join("b.npy"), "count").unwrap_err();
    assert_eq!((error.kind(), error.kernel()), (ErrorKind::Arguments, Some("counted")));
    assert_eq!(names(folder.path()), ["a.npy.part"]);

    let nowhere = folder.path().join("nowhere/a.npy");
    let beside = format!("{0}: cannot open {0}.part: No such file", nowhere.display());
    for (path, words) in [
        (folder.path(), "it is not a file"),
        (Path::new("/"), "the path does not name a file"),
        (&nowhere, &beside),
    ] {
        let error = kernel.chunks(&x).unwrap().resume_npy(path, "x").unwrap_err();
        assert!(error.kind() == ErrorKind::Io && error.to_string().contains(words), "{error}");
        assert!(error.io_error().is_some());
    }
    // The message does not contain the process's temporary name.
    let folder = nowhere.parent().unwrap().display();
    let words =
        format!("^cannot write {}: cannot create a file in {folder}: No", nowhere.display());
    assert_errors! { kernel.chunks(&x).unwrap().write_npy(&nowhere) => words; }
}

/// A journal is trusted as far as its records are complete, and a file only at its full length.
#[test]
fn damaged_file_is_recomputed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, expected) = (folder.path().join("a.npy"), undisturbed(folder.path()));
    let part = path.with_file_name("a.npy.part");
    let (device, host) = (Device::cpu().unwrap(), elements());
    let (x, kernel) = (device.upload(&host).unwrap(), distance::load(&device).unwrap());
    let damages: [&dyn Fn(); 6] = [
        // The end of a record is missing, or different.
        &|| {
            let text = fs::read_to_string(journal(&path)).unwrap();
            fs::write(journal(&path), &text[..text.len() - 3]).unwrap();
        },
        &|| {
            let text = fs::read_to_string(journal(&path)).unwrap();
            fs::write(journal(&path), format!("{text}chunk 0 900 00000000\n")).unwrap();
        },
        &|| {
            let text = fs::read(journal(&path)).unwrap();
            fs::write(journal(&path), [&text[..], &[0, 255, 0, 10]].concat()).unwrap();
        },
        &|| fs::remove_file(&part).unwrap(),
        &|| fs::write(&part, "short").unwrap(),
        // None of its rows exist yet.
        &|| {
            let text = fs::read_to_string(journal(&path)).unwrap();
            fs::write(journal(&path), &text[..text.find("chunk ").unwrap()]).unwrap();
        },
    ];
    for damage in damages {
        cut_at(kernel.chunks(&x).unwrap(), &path, &host, 500);
        damage();
        kernel.chunks(&x).unwrap().resume_npy(&path, &host).unwrap();
        assert_eq!(fs::read(&path).unwrap(), expected);
        assert_eq!(names(folder.path()), ["a.npy"]);
        fs::remove_file(&path).unwrap();
    }
}

/// A byte of a chunk, of the header, or of all of the unfinished file is wrong.
#[test]
fn damaged_chunks_are_recomputed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = (folder.path().join("a.npy"), undisturbed(folder.path()));
    let part = path.with_file_name("a.npy.part");
    let (device, host) = (Device::cpu().unwrap(), elements());
    let (x, kernel) = (device.upload(&host).unwrap(), distance::load(&device).unwrap());
    kernel.chunks(&x).unwrap().condensed().write_npy(&path).unwrap();
    let condensed = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let chunks = |is_condensed| match kernel.chunks(&x).unwrap() {
        chunks if is_condensed => chunks.condensed(),
        chunks => chunks,
    };
    for (is_condensed, expected) in [(false, &whole), (true, &condensed)] {
        // The header; the first and the last existing chunks; everything.
        let end = expected.len();
        let first = if is_condensed { end - 5 } else { 128 };
        let last = if is_condensed { end - 4 * 380 * 379 / 2 } else { 4 * 380 * 379 / 2 + 128 };
        for damaged in [3..4, 100..101, first..first + 1, last..last + 1, 0..128, 0..end] {
            cut_at(chunks(is_condensed), &path, &host, 500);
            let mut bytes = fs::read(&part).unwrap();
            let place = format!("{is_condensed} {damaged:?}");
            bytes[damaged].iter_mut().for_each(|byte| *byte ^= 16);
            fs::write(&part, bytes).unwrap();
            let mut values = 0;
            let looked = chunks(is_condensed).height(70).inspect(|chunk| {
                values += chunk.values.len();
                Ok(())
            });
            looked.resume_npy(&path, &host).unwrap();
            assert_eq!(values, N * (N - 1) / 2);
            assert!(fs::read(&path).unwrap() == *expected, "{place}");
            assert_eq!(names(folder.path()), ["a.npy"]);
        }
    }
}

/// A process that ends between renaming the file and removing the journal leaves both: then the file is complete.
#[test]
fn finished_file_with_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (path, expected) = (folder.path().join("a.npy"), undisturbed(folder.path()));
    let (device, host) = (Device::cpu().unwrap(), elements());
    let (x, kernel) = (device.upload(&host).unwrap(), distance::load(&device).unwrap());
    // The final contents of the journal.
    let mut last = Vec::new();
    let chunks = kernel.chunks(&x).unwrap().height(100).progress(|done| {
        if done.next_row == N {
            last = fs::read(journal(&path)).unwrap();
        }
    });
    chunks.resume_npy(&path, &host).unwrap();
    fs::write(journal(&path), &last).unwrap();
    let inode = || fs::metadata(&path).unwrap().ino();
    let (before, mut values) = (inode(), 0);
    let chunks = kernel.chunks(&x).unwrap().inspect(|chunk| {
        values += chunk.values.len();
        Ok(())
    });
    chunks.progress(|_| panic!("nothing is left")).resume_npy(&path, &host).unwrap();
    assert_eq!((inode(), values), (before, N * (N - 1) / 2));
    assert_eq!(names(folder.path()), ["a.npy"]);
    assert!(fs::read(&path).unwrap() == expected);

    // Another file of the name is neither accepted as the finished one nor replaced.
    let damages: [fn(&mut Vec<u8>); 3] =
        [|bytes| bytes[5000] ^= 1, |bytes| bytes[100] ^= 1, |bytes| bytes.truncate(5000)];
    for damage in damages {
        let mut other = expected.clone();
        damage(&mut other);
        fs::write(&path, &other).unwrap();
        fs::write(journal(&path), &last).unwrap();
        assert_errors! { kernel.chunks(&x).unwrap().resume_npy(&path, &host) => "a.npy is not the file that ", Exists; }
        assert!(fs::read(&path).unwrap() == other);
        assert_eq!(names(folder.path()), ["a.npy", "a.npy.part.journal"]);
    }
    // Nor is a whole file whose journal lacks a chunk.
    let text = String::from_utf8(last).unwrap();
    fs::write(&path, &expected).unwrap();
    fs::write(journal(&path), &text[..text.rfind("chunk ").unwrap()]).unwrap();
    assert_errors! { kernel.chunks(&x).unwrap().resume_npy(&path, &host) => "a.npy is not the file that ", Exists; }
    // A journal without a chunk: nothing is lost, and the file is replaced like one without a journal.
    fs::write(journal(&path), &text[..text.find("chunk ").unwrap()]).unwrap();
    kernel.chunks(&x).unwrap().resume_npy(&path, &host).unwrap();
    assert!(fs::read(&path).unwrap() == expected);
    assert_eq!(names(folder.path()), ["a.npy"]);

    // A matrix of no rows has no chunk.
    let kernel = product::load(&device).unwrap();
    let path = folder.path().join("b.npy");
    let none = device.upload(&[0.0_f32; 0]).unwrap();
    kernel.chunks(&none, &x).unwrap().resume_npy(&path, "none").unwrap();
    kernel.chunks(&none, &x).unwrap().resume_npy(&path, "none").unwrap();
    assert_eq!(names(folder.path()), ["a.npy", "b.npy"]);
}

#[test]
fn second_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let (device, host) = (Device::cpu().unwrap(), elements());
    let (x, kernel) = (device.upload(&host).unwrap(), distance::load(&device).unwrap());
    let mut second = None;
    let chunks = kernel.chunks(&x).unwrap().height(100).inspect(|_| {
        if second.is_none() {
            let again = kernel.chunks(&x)?.resume_npy(&path, &host);
            second = Some(again.unwrap_err().to_string());
        }
        Ok(())
    });
    chunks.resume_npy(&path, &host).unwrap();
    assert!(second.unwrap().starts_with("another process is writing "));
    assert_eq!(names(folder.path()), ["a.npy"]);
}

/// Scalars belong to the work without being in `work`.
#[test]
fn other_scalars_are_refused() {
    let (folder, host, device) = (tempfile::tempdir().unwrap(), elements(), Device::cpu().unwrap());
    let (kernel, x) = (scaled::load(&device).unwrap(), device.upload(&host).unwrap());
    let path = folder.path().join("a.npy");
    let chunks = |scale, shift| kernel.chunks(&x, scale, shift).unwrap();
    cut_at(chunks(2.0, [0.0, 0.0, 1.0]), &path, &host, 500);
    for (scale, shift) in [(3.0, [0.0, 0.0, 1.0]), (2.0, [0.0, 0.0, 4.0])] {
        assert_errors! { chunks(scale, shift).resume_npy(&path, &host) => "the scalar arguments of its kernel differ"; }
    }
    chunks(2.0, [0.0, 0.0, 1.0]).resume_npy(&path, &host).unwrap();
    assert!(path.exists());
}
