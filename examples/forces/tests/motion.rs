//! The motion: what is known of it, and what should stay the same.

use std::fs;

use clap::Parser;

use super::reference::{Frame, length};
use super::{fact, file, number, outcome, report};
use crate::arguments::Arguments;
use crate::run;

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

#[test]
fn forces_that_are_not_finite_are_an_error() {
    for (law, text, message) in [
        ("lennard-jones", "0,0,0,1,1e-15\n1e15,0,0,1,1e-15\n", "after step 0 are not finite"),
        // Two in one place, where the square of the softening is zero beside the largest distance.
        ("gravity", "0,0,0,1\n0,0,0,1\n1e15,0,0,1\n", "after step 0 are not finite"),
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

/// Steps that are too long are told, with shorter ones; where nothing moves, rounding is no drift.
#[test]
fn steps_that_are_too_long_are_told() {
    let warning = |arguments: &[&str]| {
        let start = ["forces", "--device", "cpu"];
        let arguments = Arguments::parse_from(start.iter().chain(arguments));
        run(&arguments).unwrap().warning()
    };
    let drop = ["--random", "64", "--seed", "2", "--steps", "50", "--time-step"];
    assert_eq!(warning(&[drop.as_slice(), &["0.004"]].concat()), None);
    let warned = warning(&[drop.as_slice(), &["0.2"]].concat()).unwrap();
    assert!(warned.contains("`--time-step 0.02`"), "{warned}");
    let (_folder, path) = file("two.csv", "x,y,z,m,r\n0,0,0,12,1\n2.5,0,0,12,1.5\n");
    let still = ["--input", &path, "--scale", "1", "--steps", "20"];
    assert_eq!(warning(&still), None);
    assert_eq!(warning(&["--random", "9"]), None);
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

/// Without options, gravity is softened by a tenth of the bodies' extent, and a step is a hundredth of a radian of the
/// fastest turn.
#[test]
fn gravity_chooses_its_softening_and_its_step() {
    let (_folder, path) = file("two.csv", "1,2,3,1\n1,2,7,1\n");
    let text = report(&["--law", "gravity", "--input", &path, "--steps", "1"]).unwrap();
    // Each is at a distance of 2 from their middle.
    assert_eq!(fact(&text, "law: "), "gravity with G = 1, softened by 0.2");
    // The squared frequencies are G M / 2³ and 2 G m / 0.2³.
    let step = 0.01 / (2.0_f64 / 8.0 + 2.0 / 0.008).sqrt();
    let found = fact(&text, "steps: 1 of ").split(',').next().unwrap().parse::<f64>().unwrap();
    assert!((found - step).abs() < 1e-6 * step, "{found} is not {step}");
}
