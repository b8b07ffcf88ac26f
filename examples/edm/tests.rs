//! The whole program, on the CPU, compared with distances that are computed differently, in double precision, from the
//! same input.

mod inputs;
mod pictures;

use std::fs;
use std::path::Path;

use clap::Parser;
use ndarray::{Array1, Array2};
use ndarray_npy::read_npy;
use td_kernel::Device;
use td_kernel_examples::tried::{self, Files, fact};
use td_kernel_examples::{Frame, Points};

use crate::arguments::Arguments;
use crate::kernels::edm_2;
use crate::run;

fn report(arguments: &[&str]) -> Result<String, String> {
    tried::report("edm", arguments, run)
}

fn reference(points: &Array2<f64>, i: usize, j: usize) -> f64 {
    let differences = points.row(i).to_owned() - points.row(j);
    differences.iter().fold(0.0, |length: f64, difference| length.hypot(*difference))
}

/// `input` is how far rounding the input may take a distance off.
fn assert_near(found: f32, expected: f64, input: f64, pair: (usize, usize)) {
    let error = (f64::from(found) - expected).abs();
    assert!(error <= 1e-6 * expected + input, "{pair:?}: {found} is not {expected}");
}

/// Coordinates are rounded after their column's median was subtracted, so that none is larger than the column's range.
fn rounding(points: &Array2<f64>) -> f64 {
    let ranges = points.columns().into_iter().map(|column| {
        let most = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most - column.iter().copied().fold(f64::INFINITY, f64::min)
    });
    // Both of two are rounded, by half a unit in the last place.
    ranges.map(|range| range * 2.0_f64.powi(-23)).fold(0.0, f64::hypot)
}

/// Runs the program in every layout, and checks each distance in each.
fn check(arguments: &[&str]) -> (String, Array2<f64>) {
    let files = Files::empty();
    let [input, packed, condensed, square] =
        ["input.npy", "packed.npy", "condensed.npy", "square.npy"].map(|name| files.path(name));
    let run = |more: &[&str]| report(&[arguments, more].concat()).unwrap();
    let text = run(&["--output", &packed, "--save-input", &input]);
    run(&["--output", &condensed, "--layout", "condensed"]);
    run(&["--output", &square, "--layout", "square"]);

    let points: Array2<f64> = read_npy(&input).unwrap();
    let packed: Array1<f32> = read_npy(&packed).unwrap();
    let condensed: Array1<f32> = read_npy(&condensed).unwrap();
    let square: Array2<f32> = read_npy(&square).unwrap();
    let n = points.nrows();
    assert_eq!(square.shape(), [n, n]);
    let mut packed = packed.iter();
    let input = if arguments.contains(&"--random") { 0.0 } else { rounding(&points) };
    for i in 0..n {
        assert_eq!(square[[i, i]], 0.0);
        for j in 0..i {
            let found = *packed.next().unwrap();
            assert_near(found, reference(&points, i, j), input, (i, j));
            assert_eq!([square[[i, j]], square[[j, i]]], [found, found]);
        }
    }
    assert_eq!(packed.next(), None);
    let mut condensed = condensed.iter();
    for row in 0..n {
        for column in row + 1..n {
            assert_eq!(condensed.next(), Some(&square[[row, column]]));
        }
    }
    assert_eq!(condensed.next(), None);
    (text, points)
}

#[test]
fn iris_is_the_default() {
    let (text, points) = check(&[]);
    assert_eq!(points.shape(), [150, 4]);
    assert_eq!(points.row(0).to_vec(), [5.1, 3.5, 1.4, 0.2]);
    assert_eq!(points.row(149).to_vec(), [5.9, 3.0, 5.1, 1.8]);
    assert_eq!(fact(&text, "pairs: "), "11175");

    let pairs = (0..150).flat_map(|i| (0..i).map(move |j| (i, j)));
    let distances: Vec<f64> = pairs.map(|(i, j)| reference(&points, i, j)).collect();
    let mean: f64 = fact(&text, "mean distance: ").parse().unwrap();
    assert!((mean - distances.iter().sum::<f64>() / 11175.0).abs() < 1e-6);
    // Two flowers with the same four lengths.
    assert_eq!(fact(&text, "nearest: "), "0 (i = 142, j = 101)");
    let farthest = distances.iter().copied().fold(0.0, f64::max);
    let (found, pair) = fact(&text, "farthest: ").split_once(' ').unwrap();
    assert!((found.parse::<f64>().unwrap() - farthest).abs() < 1e-6 * farthest);
    assert_eq!(pair, "(i = 118, j = 13)");
}

/// Runs that write a file in each layout.
#[test]
fn a_file_changes_nothing_in_the_report() {
    let files = Files::empty();
    let facts = |more: &[&str]| {
        let text = report(&[&["--random", "1200", "--seed", "3"], more].concat()).unwrap();
        let same = text.lines().filter(|line| !line.starts_with("kernel: "));
        same.map(str::to_owned).collect::<Vec<_>>()
    };
    let without = facts(&[]);
    assert_eq!(without.len(), 7, "{without:?}");
    for layout in ["packed", "condensed", "square"] {
        let path = files.path(&format!("{layout}.npy"));
        assert_eq!(facts(&["--output", &path, "--layout", layout]), without);
    }
}

/// The same file and the same report, with memory for a few rows.
#[test]
fn bands_change_only_the_time() {
    let files = Files::empty();
    let (whole, banded) = (files.path("whole.npy"), files.path("banded.npy"));
    let same = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with("kernel: "));
        lines.filter(|line| !line.starts_with("in bands: ")).map(str::to_owned).collect()
    };
    for features in ["1", "2", "3", "4"] {
        let points = ["--random", "500", "--features", features, "--force"];
        let run = |more: &[&str]| report(&[&points, more].concat()).unwrap();
        let expected = run(&["--output", &whole]);
        let text = run(&["--output", &banded, "--memory", "2e4"]);
        assert!(text.contains("\nin bands: ") && !text.contains("kernel: "), "{text}");
        assert_eq!(same(&text), same(&expected));
        let [one, other] = [&whole, &banded].map(|path| read_npy::<_, Array1<f32>>(path).unwrap());
        assert_eq!(one, other);
        assert_eq!(same(&run(&["--memory", "2e4"])), same(&expected));
        // Each layout, in which a file is the same whether it was written as a whole or in bands. The mean is that of other
        // partial sums.
        let exact = |text: &str| -> Vec<String> {
            same(text).into_iter().filter(|line| !line.starts_with("mean ")).collect()
        };
        for layout in ["condensed", "square"] {
            let run = |path: &str, more: &[&str]| {
                run(&[&["--output", path, "--layout", layout], more].concat())
            };
            assert_eq!(exact(&run(&whole, &[])), exact(&expected));
            for more in [&["--memory", "2e4"][..], &["--memory", "2e4", "--resume"]] {
                let text = run(&banded, more);
                assert!(text.contains("\nin bands: "), "{text}");
                assert_eq!(exact(&text), exact(&expected), "{layout}");
                assert_eq!(fs::read(&banded).unwrap(), fs::read(&whole).unwrap());
            }
        }
        // With room for all there are no bands.
        assert!(run(&["--memory", "499000"]).contains("\nkernel: "));
        assert!(run(&["--memory", "498999"]).contains("\nin bands: "));
    }
}

/// What an earlier run has left is gone on with, or refused where it is of other points.
#[test]
fn a_run_goes_on_where_another_was_cut() {
    let files = Files::empty();
    let (whole, cut) = (files.path("whole.npy"), files.path("cut.npy"));
    let points = ["--random", "500", "--seed", "7", "--memory", "1e5"];
    let run = |more: &[&str]| report(&[&points, more].concat());
    let expected = run(&["--output", &whole]).unwrap();
    run(&["--output", &cut, "--resume"]).unwrap();
    let bytes = fs::read(&whole).unwrap();
    assert_eq!(fs::read(&cut).unwrap(), bytes);
    // As if it had been cut: the file has its other name, and the journal as much of its lines as there would be.
    let part = format!("{cut}.part");
    let begun = |journal: &str| {
        fs::rename(&cut, &part).unwrap();
        fs::write(format!("{part}.journal"), journal).unwrap();
    };
    begun("td-kernel bands 1, work of others\n");
    let error = run(&["--output", &cut, "--resume"]).unwrap_err();
    assert!(error.contains("is the journal of other work"), "{error}");
    fs::remove_file(format!("{part}.journal")).unwrap();
    let error = run(&["--output", &cut, "--resume"]).unwrap_err();
    assert!(error.contains("and no journal of it"), "{error}");
    fs::remove_file(part).unwrap();
    let text = run(&["--output", &cut, "--resume"]).unwrap();
    assert_eq!(fact(&text, "nearest: "), fact(&expected, "nearest: "));
    assert!(run(&["--output", &cut, "--resume"]).unwrap_err().contains("exists already"));
    assert_eq!(fs::read(&cut).unwrap(), bytes);
}

/// A run that is killed after the file has its name leaves the journal, too.
#[test]
fn a_finished_file_with_a_journal_is_a_success() {
    let files = Files::empty();
    let cut = files.path("cut.npy");
    let journal = format!("{cut}.part.journal");
    let points = Points::random(500, 2, 7).unwrap();
    let device = Device::cpu().unwrap();
    let frame = Frame::of(&[&points.values], 2).unwrap();
    let p = device.upload(frame.singles(&points.values).unwrap().as_chunks::<2>().0).unwrap();
    let work: Vec<u8> = points.values.iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut last = Vec::new();
    let bands = edm_2::load(&device).unwrap().bands(&p, frame.unit()).unwrap().progress(|done| {
        if done.values == done.of {
            last = fs::read(&journal).unwrap();
        }
    });
    bands.resume_npy(&cut, work).unwrap();
    let bytes = fs::read(&cut).unwrap();
    let journal_of = |bytes: &[u8], more: &[&str]| {
        fs::write(&journal, bytes).unwrap();
        let points = ["--random", "500", "--features", "2", "--seed", "7", "--output", &cut];
        report(&[&points, more].concat())
    };
    let run = |more: &[&str]| journal_of(&last, more);
    let text = run(&["--resume"]).unwrap();
    assert!(text.contains("124750"), "{text}");
    assert!(!Path::new(&journal).exists());
    assert_eq!(fs::read(&cut).unwrap(), bytes);
    // Only for this file, with this journal, and when it is to be gone on with.
    assert!(run(&["--resume", "--seed", "8"]).is_err());
    let saved = files.path("saved.npy");
    fs::write(&saved, "precious").unwrap();
    for more in [&["--resume", "--save-input", &saved][..], &[]] {
        assert!(run(more).unwrap_err().contains("exists already"));
    }
    fs::write(&cut, "precious").unwrap();
    assert!(run(&["--resume"]).unwrap_err().contains("is not the file that it describes"));
    assert!(journal_of(&last[..100], &["--resume"]).unwrap_err().contains("exists already"));
    assert_eq!(fs::read_to_string(&cut).unwrap(), "precious");
}

#[test]
fn what_bands_cannot_give_is_refused_before_anything_is_computed() {
    let files = Files::empty();
    let (file, picture) = (files.path("a.npy"), files.path("a.svg"));
    let refused = |more: &[&str]| report(&[&["--memory", "1000"], more].concat()).unwrap_err();
    let words = "the values take 44700 bytes, for which there is no memory: in bands they go to a file, but not into a picture: leave out --plot";
    assert_eq!(refused(&["--plot", &picture]), words);
    // A row of 149 distances has 596 bytes.
    let error = refused(&["--output", &file, "--memory", "595"]);
    assert!(error.contains("cannot be used multiple times"), "{error}");
    let error = report(&["--output", &file, "--memory", "595"]).unwrap_err();
    assert!(error.starts_with("row 149 has 596 bytes, and a band has room for 595"), "{error}");
    assert!(std::fs::read_dir(files.folder()).unwrap().next().is_none());
}

#[test]
fn every_number_of_features_is_right() {
    let columns = ["sepal_length", "3", "petal_length", "1"];
    for features in 1..=4 {
        let (_, points) = check(&["--columns", &columns[..features].join(",")]);
        assert_eq!(points.ncols(), features);
        assert_eq!(points[[149, 0]], 5.9);
        let features = features.to_string();
        let (_, points) = check(&["--random", "131", "--seed", "5", "--features", &features]);
        assert_eq!(points.nrows(), 131);
        assert!(points.iter().all(|value| (0.0..1.0).contains(value)));
    }
}

#[test]
fn few_points_are_points_too() {
    for n in ["0", "1"] {
        let (text, points) = check(&["--random", n]);
        assert_eq!(points.nrows().to_string(), n);
        assert!(text.ends_with("pairs: 0, so there are no distances"), "{text}");
    }
    for n in ["2", "17"] {
        check(&["--random", n]);
    }
    let (_files, path) = Files::with("two.csv", "0,0\n3,4\n");
    let (text, _) = check(&["--input", &path]);
    assert_eq!(fact(&text, "nearest: "), "5 (i = 1, j = 0)");
    assert_eq!(fact(&text, "farthest: "), "5 (i = 1, j = 0)");
    assert_eq!(fact(&text, "mean distance: "), "5");
}

#[test]
fn a_seed_chooses_the_points() {
    let points = |seed| check(&["--random", "20", "--seed", seed]).1;
    assert_eq!(points("1"), points("1"));
    assert_ne!(points("1"), points("2"));
}

#[test]
fn bad_input_is_refused_with_its_place() {
    for (text, columns, message) in [
        ("x,y\n1,2\n3,?\n", "x,y", "bad.csv, line 3, column `y`: `?` is not a number"),
        ("x,y\n1,2\n3,inf\n", "x,y", "bad.csv, line 3, column `y`: inf is out of range"),
        ("x,y\n1,2\n", "x,z", "bad.csv, line 1, column `z`: there is no such column"),
        ("x,y\n1,2\n", "x,x", "bad.csv, line 1, column `x`: the column is chosen twice"),
        ("a,b,c,d,e\n1,2,3,4,5\n", "0..4", "bad.csv: 1 to 4 columns are needed, and there are 5"),
        ("x,y\n1,2\n", "", "bad.csv, line 1, column ``: there is no such column"),
        ("", "x", "bad.csv: the file is empty"),
    ] {
        let (_files, path) = Files::with("bad.csv", text);
        let error = report(&["--input", &path, "--columns", columns]).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let error = report(&["--input", "nowhere.csv"]).unwrap_err();
    assert!(error.starts_with("cannot read nowhere.csv: "), "{error}");
}

#[test]
fn outputs_are_checked_before_any_work() {
    let (files, path) = Files::with("taken.npy", "precious");
    for (arguments, message) in [
        (vec!["--output", &path], "exists already"),
        (vec!["--save-input", &path], "exists already"),
        (vec!["--output", "nowhere/a.npy"], "there is no folder nowhere"),
        (vec!["--output", "a.csv"], "cannot write a.csv: it is an array in NumPy's format"),
        (vec!["--save-input", "a"], "cannot write a: it is an array in NumPy's format"),
        (vec!["--output", "-"], "cannot write -: it is standard output"),
        (
            vec!["--output", &path, "--save-input", &path, "--force"],
            "named as two different outputs",
        ),
    ] {
        let error = report(&arguments).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    report(&["--output", &path, "--force"]).unwrap();
    assert!(Path::new(&files.path("taken.npy")).exists());
    assert_ne!(fs::read(&path).unwrap(), b"precious");
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for arguments in [
        vec!["--random", "5", "--input", "a.csv"],
        vec!["--random", "5", "--columns", "a"],
        vec!["--random", "5", "--delimiter", ";"],
        vec!["--random", "5", "--missing", "skip"],
        vec!["--missing", "some"],
        vec!["--delimiter", "x"],
        vec!["--random", "1.5"],
        vec!["--random", "1e9"],
        vec!["--random", "many"],
        vec!["--random", "-1"],
        vec!["--random", "16777217"],
        vec!["--random", "5", "--features", "5"],
        vec!["--random", "5", "--features", "0"],
        vec!["--seed", "1"],
        vec!["--features", "2"],
        vec!["--layout", "square"],
        vec!["--resume"],
        vec!["--output", "a.npy", "--plot", "a.svg", "--resume"],
        vec!["--device", "tpu"],
        vec!["points.csv"],
    ] {
        let parsed = Arguments::try_parse_from(["edm"].iter().chain(&arguments));
        assert!(parsed.is_err(), "{arguments:?}");
    }
}

/// An environment variable of a process that the next test starts.
#[cfg(unix)]
const LIMITED: &str = "TD_KERNEL_EXAMPLE_LIMITED";

/// Not a test by itself: the next test runs it in a process of its own. The points alone need 512 MB.
#[cfg(unix)]
#[test]
fn in_a_process_of_its_own() {
    if std::env::var(LIMITED).is_ok() {
        let error = report(&["--random", "16777216"]).unwrap_err();
        assert_eq!(error, "not enough memory on the host: 536870912 bytes needed");
    }
}

#[cfg(unix)]
#[test]
fn memory_that_ends_is_an_error() {
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -v 200000; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "tests::in_a_process_of_its_own", "--nocapture"])
        .env(LIMITED, "yes")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {text}", output.status);
}

#[test]
fn the_command_line_is_well_formed() {
    use clap::CommandFactory;
    Arguments::command().debug_assert();
}

/// The C++ compiler takes some tenths of a second, the kernel far less than one for this number of points.
#[test]
fn the_kernels_time_is_without_its_compilation() {
    let report = report(&["--random", "10"]).unwrap();
    let time = fact(&report, "kernel: ").split(' ').next().unwrap();
    assert!(time.parse::<f64>().unwrap() < 100.0, "{report}");
}
