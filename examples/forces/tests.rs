//! The whole program, on the CPU, compared with sums over all pairs in double precision, and with what is known of the
//! motion.

mod reference;

use std::fs;

use clap::Parser;
use tempfile::TempDir;

use self::reference::{Frame, Law, largest, length};
use crate::arguments::Arguments;
use crate::run;

fn report(arguments: &[&str]) -> Result<String, String> {
    let start = ["forces", "--device", "cpu"];
    let arguments = Arguments::try_parse_from(start.iter().chain(arguments))
        .map_err(|error| error.to_string())?;
    match run(&arguments) {
        Ok(report) => Ok(report.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// What the program left behind.
struct Outcome {
    report: String,
    frames: Vec<Frame>,
    /// Rows of step, time, kinetic, potential and total energy, and the momentum.
    energies: Vec<Vec<f64>>,
}

fn outcome(arguments: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (output, energies) = (path("t.xyz"), path("e.csv"));
    let files = ["--output", &output, "--energies", &energies];
    let report = report(&[arguments, &files].concat()).unwrap();
    let energies = fs::read_to_string(energies).unwrap();
    let mut rows = energies.lines();
    assert_eq!(rows.next(), Some("step,time,kinetic,potential,energy,px,py,pz"));
    let energies =
        rows.map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    Outcome { report, frames: Frame::all(&fs::read_to_string(output).unwrap()), energies }
}

/// A line of a report, without its name.
fn fact<'a>(report: &'a str, name: &str) -> &'a str {
    let mut lines = report.lines();
    lines.find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name}: {report}"))
}

/// The first number of a line.
fn number(report: &str, name: &str) -> f64 {
    fact(report, name).split([' ', ',']).next().unwrap().parse().unwrap()
}

/// A file in a folder of its own, which exists as long as the returned `TempDir`.
fn file(name: &str, text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// Compares forces and energy of every frame with those of the reference, for bodies of these weights.
///
/// The kernel's positions are rounded to single precision, and the file's to eight digits: to 1e-6 Å or so. At the
/// steepest places, forces change by 400 kJ/mol/Å², where the largest are 30 kJ/mol/Å.
fn assert_right(outcome: &Outcome, law: Law, weights: &[f64]) {
    assert!(!outcome.frames.is_empty());
    for frame in &outcome.frames {
        assert_eq!(frame.positions.len(), weights.len());
        let expected = law.field(&frame.positions, weights);
        let scale = largest(&expected.forces);
        for (body, (found, expected)) in frame.forces.iter().zip(&expected.forces).enumerate() {
            let error = length([0, 1, 2].map(|axis| found[axis] - expected[axis]));
            assert!(error <= 4e-5 * scale, "step {}, {body}: {found:?}, {expected:?}", frame.step);
        }
        let error = (frame.potential - expected.energy).abs();
        assert!(
            error <= 2e-6 * expected.sum,
            "step {}: {} is not {}",
            frame.step,
            frame.potential,
            expected.energy
        );
    }
}

#[test]
fn a_proteins_atoms_are_the_default() {
    let outcome = outcome(&[]);
    assert_eq!(outcome.frames.len(), 1);
    let frame = &outcome.frames[0];
    // The first atom is the nitrogen of a selenomethionine.
    assert_eq!(frame.symbols[0], "N");
    assert_eq!(frame.positions[0].map(|value| value as f32), [19.594, 32.367, 28.012]);
    assert_eq!(frame.symbols.iter().filter(|symbol| *symbol == "Se").count(), 4);
    let weights: Vec<f64> =
        frame.symbols.iter().map(|symbol| 0.45 * reference::radius(symbol)).collect();
    assert_eq!(weights.len(), 556);
    assert_right(&outcome, Law::LennardJones { depth: 1.0 }, &weights);

    assert_eq!(fact(&outcome.report, "pairs: "), "154290");
    let expected = Law::LennardJones { depth: 1.0 }.field(&frame.positions, &weights);
    let potential = number(&outcome.report, "potential energy: ");
    assert!((potential - expected.energy).abs() < 1e-5 * expected.energy.abs());
    let found = number(&outcome.report, "largest force: ");
    assert!((found - largest(&expected.forces)).abs() < 1e-5 * found);
    assert!(number(&outcome.report, "net force: ") < 1e-6, "{}", outcome.report);
    assert!(!outcome.report.contains("steps: "), "{}", outcome.report);
}

#[test]
fn gravity_is_right_too() {
    let outcome = outcome(&["--law", "gravity", "--softening", "0.5"]);
    let frame = &outcome.frames[0];
    let weights: Vec<f64> = frame.symbols.iter().map(|symbol| reference::mass(symbol)).collect();
    assert_right(&outcome, Law::Gravity { softening: 0.5 }, &weights);
}

#[test]
fn random_bodies_of_any_number_are_right() {
    for n in ["0", "1", "2", "17", "300"] {
        let count: usize = n.parse().unwrap();
        let arguments = ["--random", n, "--seed", "3", "--steps", "3", "--every", "2"];
        let of = |law: &'static str, more: &[&str]| {
            outcome(&[arguments.as_slice(), &["--law", law], more].concat())
        };
        let atoms = of("lennard-jones", &["--depth", "2.5", "--scale", "0.6"]);
        let law = Law::LennardJones { depth: 2.5 };
        assert_right(&atoms, law, &vec![0.6 * reference::radius("C"); count]);
        let stars = of("gravity", &["--softening", "0.03"]);
        let mass = 1.0 / count.max(1) as f64;
        assert_right(&stars, Law::Gravity { softening: 0.03 }, &vec![mass; count]);
        for outcome in [atoms, stars] {
            // Those of the steps 0 and 2, and each step's energies.
            assert_eq!(outcome.frames.len(), 2);
            assert_eq!(outcome.energies.len(), 4);
            assert_eq!(outcome.report.contains(", so there are no forces"), count < 2);
        }
    }
}

#[test]
fn a_seed_chooses_the_bodies() {
    let positions = |seed| {
        let outcome = outcome(&["--random", "20", "--law", "gravity", "--seed", seed]);
        outcome.frames[0].positions.clone()
    };
    assert_eq!(positions("1"), positions("1"));
    assert_ne!(positions("1"), positions("2"));
}

/// Where two spheres touch, there is no force, and the energy is least.
#[test]
fn spheres_that_touch_are_at_rest() {
    let (_folder, path) = file("two.csv", "x,y,z,m,r\n0,0,0,12,1\n2.5,0,0,12,1.5\n");
    let arguments = ["--input", &path, "--scale", "1", "--depth", "0.25", "--steps", "20"];
    let outcome = outcome(&arguments);
    assert!((number(&outcome.report, "potential energy: ") + 0.25).abs() < 1e-6);
    assert!(number(&outcome.report, "largest force: ") < 1e-5, "{}", outcome.report);
    assert!(number(&outcome.report, "farthest from the first energy: ").abs() < 1e-7);
}

/// Two bodies on a circle about their centre of mass are back where they were after the time that the law gives.
#[test]
fn two_bodies_turn_about_each_other() {
    // Masses 3 and 1 at the distance 4, softened by 3: ω² = G M / (r² + e²)^(3/2) = 4 / 125.
    let omega = (4.0_f64 / 125.0).sqrt();
    let text =
        format!("x,y,z,m,vx,vy,vz\n10,5,-1,3,0,{},0\n6,5,-1,1,0,{},0\n", omega, -3.0 * omega);
    let (_folder, path) = file("two.csv", &text);
    let steps = 2000;
    let time_step = (std::f64::consts::TAU / omega / f64::from(steps)).to_string();
    let steps = steps.to_string();
    let outcome = outcome(&[
        "--law",
        "gravity",
        "--input",
        &path,
        "--softening",
        "3",
        "--steps",
        &steps,
        "--time-step",
        &time_step,
        "--every",
        "500",
    ]);
    let [start, .., half, _, end] = outcome.frames.as_slice() else { panic!("five frames") };
    for (body, radius) in [(0, 1.0), (1, 3.0)] {
        let apart = |frame: &Frame| {
            let positions = [start.positions[body], frame.positions[body]];
            length([0, 1, 2].map(|axis| positions[0][axis] - positions[1][axis]))
        };
        // The error of the method itself is some (ω Δt)² = 1e-5 of a turn.
        assert!(apart(end) < 1e-4 * radius, "{}", apart(end));
        assert!((apart(half) - 2.0 * radius).abs() < 1e-4 * radius, "{}", apart(half));
    }
    assert!(number(&outcome.report, "momentum drift: ") < 1e-6, "{}", outcome.report);
}

/// The energy strays by a part that shrinks with the square of the time step, as it does for this method alone.
#[test]
fn energy_is_conserved_to_second_order() {
    let arguments = |steps: &'static str, time_step: &'static str| {
        ["--random", "64", "--seed", "2", "--steps", steps, "--time-step", time_step]
    };
    let stray = |steps, time_step| {
        let outcome = outcome(&arguments(steps, time_step));
        let [first, .., last] = outcome.energies.as_slice() else { panic!("no steps") };
        let farthest = outcome.energies.iter().map(|row| (row[4] - first[4]).abs());
        let farthest = farthest.fold(0.0, f64::max);
        // The report tells what the file holds.
        let facts = [
            ("kinetic energy: ", first[2]),
            ("energy: ", first[4]),
            ("energy drift: ", last[4] - first[4]),
            ("farthest from the first energy: ", farthest),
        ];
        for (name, expected) in facts {
            let found = number(&outcome.report, name);
            assert!(
                (found - expected).abs() <= 1e-3 * expected.abs() + 1e-6,
                "{name}{found} {expected}"
            );
        }
        assert!((last[1] - 0.4).abs() < 1e-9, "{last:?}");
        for row in &outcome.energies {
            assert!((row[2] + row[3] - row[4]).abs() < 1e-9 * row[4].abs());
            assert!(length([row[5], row[6], row[7]]) < 1e-3, "{row:?}");
        }
        let kinetic = outcome.energies.iter().map(|row| row[2]).fold(0.0, f64::max);
        farthest / kinetic
    };
    let (long, short) = (stray("100", "0.004"), stray("200", "0.002"));
    assert!(long < 0.02, "{long}");
    let order = (long / short).log2();
    assert!((1.7..2.3).contains(&order), "{long} and {short}: order {order}");
}

/// The forces of the reference are the slopes of its energy.
#[test]
fn the_references_forces_fit_its_energy() {
    let positions = vec![[0.0, 0.0, 0.0], [1.1, 0.3, -0.2], [-0.4, 0.9, 1.3]];
    for law in [Law::LennardJones { depth: 1.5 }, Law::Gravity { softening: 0.4 }] {
        let weights = [0.7, 0.6, 0.9];
        let forces = law.field(&positions, &weights).forces;
        for (body, axis) in [(0, 0), (0, 1), (1, 2), (2, 0)] {
            let energy = |by: f64| {
                let mut positions = positions.clone();
                positions[body][axis] += by;
                law.field(&positions, &weights).energy
            };
            let slope = (energy(1e-5) - energy(-1e-5)) / 2e-5;
            let error = (forces[body][axis] + slope).abs();
            assert!(error < 1e-7 * largest(&forces), "{slope} {forces:?}");
        }
    }
}

#[test]
fn forces_that_are_not_finite_are_an_error() {
    for (law, text, message) in [
        // One place, which makes any force zero and not infinite, is none of these.
        ("lennard-jones", "0,0,0,1,1e-15\n1e15,0,0,1,1e-15\n", "after step 0 are not finite"),
        ("gravity", "0,0,0,1e15\n0,0,1e-14,1e15\n", "after step 0 are not finite"),
    ] {
        let (_folder, path) = file("bad.csv", text);
        let arguments = ["--law", law, "--input", &path];
        let softening = ["--softening", "1e-15"];
        let more = if law == "gravity" { softening.as_slice() } else { &[] };
        let error = report(&[arguments.as_slice(), more].concat()).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    // Two steps of a time that moves everything out of single precision.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.xyz").to_str().unwrap().to_owned();
    let arguments = ["--steps", "9", "--time-step", "1e12", "--output", &path];
    let error = report(&arguments).unwrap_err();
    assert!(error.contains("are not finite") && error.contains("--time-step"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "a part of the trajectory is left");
}

#[test]
fn bodies_in_one_place_stay_there() {
    for law in ["lennard-jones", "gravity"] {
        let row = if law == "gravity" { "1,2,3,4\n" } else { "1,2,3,4,5\n" };
        let (_folder, path) = file("same.csv", &row.repeat(3));
        let outcome = outcome(&["--law", law, "--input", &path, "--steps", "2", "--every", "1"]);
        for frame in &outcome.frames {
            assert_eq!(frame.positions, [[1.0, 2.0, 3.0]; 3], "{law}");
        }
    }
}

#[test]
fn bad_tables_are_refused_with_their_place() {
    let gravity = ["--law", "gravity"].as_slice();
    let cases: [(&[&str], &str, &str); 12] = [
        (&[], "", "bad.csv: the file is empty"),
        (&[], "1,2,3,4\n", "bad.csv: 5 (x, y, z, m and r) columns are needed, and there are 4"),
        (gravity, "1,2,3,4,5\n", "bad.csv: 4 (x, y, z and m) columns are needed, and there are 5"),
        (&[], "x,y,z,m\n1,2,3,4\n", "bad.csv, line 1, column `r`: there is no such column"),
        (gravity, "x,y,z\n1,2,3\n", "bad.csv, line 1, column `m`: there is no such column"),
        (
            gravity,
            "x,y,z,m,vx\n1,2,3,4,5\n",
            "bad.csv, line 1, column `vy`: there is no such column",
        ),
        (
            gravity,
            "x,y,z,m\n1,2,3,4\n1,2,b,4\n",
            "bad.csv, line 3, column `z`: `b` is not a number",
        ),
        (gravity, "x,y,z,m\n1,2,3,4\n1,2,3\n", "bad.csv, line 3: the row has another number"),
        (gravity, "1,2,3,-4\n", "bad.csv, line 1, column 3 (counted from 0): the mass -4 is not"),
        (&[], "r,x,y,z,m\n0,1,2,3,4\n", "bad.csv, line 2, column `r`: the radius 0 is not"),
        (&[], "m,x,y,z,r\n\n0,1,2,3,4\n", "bad.csv, line 3, column `m`: the mass 0 is not"),
        (
            gravity,
            "x,y,z,m,vx,vy,vz\n1,2,3,4,5,6,inf\n",
            "line 2, column `vz`: inf is out of range",
        ),
    ];
    for (arguments, text, message) in cases {
        let (_folder, path) = file("bad.csv", text);
        let error = report(&[arguments, &["--input", &path]].concat()).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let (_folder, path) = file("bad.pdb", "ATOM      1  N   MET A   1      27.340\n");
    let error = report(&["--input", &path]).unwrap_err();
    assert!(error.contains("bad.pdb, line 1, columns 39 to 46 (y): the line ends"), "{error}");
    let error = report(&["--input", "nowhere.xyz"]).unwrap_err();
    assert!(error.starts_with("cannot tell what nowhere.xyz is"), "{error}");
}

#[test]
fn outputs_are_checked_before_any_work() {
    let (_folder, path) = file("taken.xyz", "precious");
    for option in ["--output", "--energies"] {
        let error = report(&[option, &path, "--input", "nowhere.csv"]).unwrap_err();
        assert!(error.contains("exists already"), "{error}");
    }
    let error = report(&["--output", &path, "--energies", &path, "--force"]).unwrap_err();
    assert!(error.contains("two different outputs"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    report(&["--random", "5", "--output", &path, "--force"]).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with("5\n"));
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for arguments in [
        vec!["--random", "5", "--input", "a.csv"],
        vec!["--random", "16777217"],
        vec!["--seed", "1"],
        vec!["--every", "2"],
        vec!["--output", "a.xyz", "--every", "0"],
        vec!["--law", "coulomb"],
        vec!["--scale", "0"],
        vec!["--scale", "nan"],
        vec!["--depth", "-1"],
        vec!["--softening", "0"],
        vec!["--time-step", "inf"],
        vec!["--steps", "-1"],
        vec!["atoms.pdb"],
    ] {
        let parsed = Arguments::try_parse_from(["forces"].iter().chain(&arguments));
        assert!(parsed.is_err(), "{arguments:?}");
    }
    for (arguments, message) in [
        (vec!["--softening", "1"], "--softening belongs to --law gravity"),
        (vec!["--law", "gravity", "--depth", "1"], "--depth belongs to --law lennard-jones"),
        (vec!["--law", "gravity", "--scale", "1"], "--scale belongs to --law lennard-jones"),
    ] {
        let error = report(&arguments).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn the_command_line_is_well_formed() {
    use clap::CommandFactory;
    Arguments::command().debug_assert();
}
