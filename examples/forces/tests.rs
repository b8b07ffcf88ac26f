//! The whole program, on the CPU, compared with sums over all pairs in double precision, and with what is known of the
//! motion.

mod motion;
mod reference;
mod refused;

use std::fs;

use td_kernel_examples::tried::{self, fact, file};

use self::reference::{Frame, Law, largest, length};
use crate::arguments::Arguments;
use crate::run;

fn report(arguments: &[&str]) -> Result<String, String> {
    tried::report("forces", arguments, run)
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

/// The first number of a line.
fn number(report: &str, name: &str) -> f64 {
    fact(report, name).split([' ', ',']).next().unwrap().parse().unwrap()
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

/// Coordinates that single precision rounds to others, and masses and lengths whose products leave its range.
#[test]
fn forces_far_from_zero_and_of_tiny_bodies_are_right() {
    // One body far from the others, first.
    let far = "0,0,0,1\n500000.10,4649776.20,100,2\n500000.10,4649776.55,100,3\n";
    let tiny = "0,0,0,1.6e-27\n3e-15,0,0,3.3e-27\n0,4e-15,0,6.6e-27\n";
    let large = "0,0,0,2e14\n3e-15,0,0,3e14\n0,4e-15,0,1e15\n";
    for (text, softening) in [(far, 0.1), (tiny, 1e-15), (large, 1e-15)] {
        let (_folder, path) = file("t.csv", text);
        let softening_text = softening.to_string();
        let arguments = ["--input", &path, "--law", "gravity", "--softening", &softening_text];
        let outcome = outcome(&arguments);
        let mass = |line: &str| line.rsplit(',').next().unwrap().parse().unwrap();
        let masses: Vec<f64> = text.lines().map(mass).collect();
        let softening = f64::from(softening as f32);
        let expected = Law::Gravity { softening }.field(&outcome.frames[0].positions, &masses);
        assert!((outcome.frames[0].potential / expected.energy - 1.0).abs() < 1e-6, "{text}");
        for (found, expected) in outcome.frames[0].forces.iter().zip(&expected.forces) {
            let error = length([0, 1, 2].map(|axis| found[axis] - expected[axis]));
            assert!(error <= 1e-5 * length(*expected), "{text}: {found:?}, {expected:?}");
        }
        let found = number(&outcome.report, "largest force: ");
        assert!((found / largest(&expected.forces) - 1.0).abs() < 1e-5, "{}", outcome.report);
        let found = number(&outcome.report, "potential energy: ");
        assert!((found / expected.energy - 1.0).abs() < 1e-5, "{}", outcome.report);
    }
    let (_folder, path) =
        file("t.csv", "7,0,0,1,1e-27\n7,2.5e-27,0,1,1.5e-27\n7,9e-27,0,1,1e-27\n");
    let outcome = outcome(&["--input", &path, "--scale", "1"]);
    let law = Law::LennardJones { depth: 1.0 };
    let expected = law.field(&outcome.frames[0].positions, &[1e-27, 1.5e-27, 1e-27]);
    let found = number(&outcome.report, "largest force: ");
    assert!((found / largest(&expected.forces) - 1.0).abs() < 1e-4, "{}", outcome.report);
}
