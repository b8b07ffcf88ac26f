//! The example `forces`.

use crate::program::{Folder, distance, fact, pairs, size};

#[test]
fn forces_follow_the_law() {
    let random = format!("--random {} --steps 10", size(100, 30_720));
    let everywhere = (f64::INFINITY, [f64::INFINITY; 3]);
    let text = assert_forces("--steps 20", 3, everywhere);
    // Little of the energy of -428 kJ/mol is lost.
    let drift = fact(&text, "farthest from the first energy").split(' ').next().unwrap();
    assert!(drift.parse::<f64>().unwrap() < 0.1, "{text}");
    assert!(assert_forces(&random, 2, everywhere).contains(" (carbon"));
}

/// Only pairs up to the cutoff, also across the faces of a periodic cell.
#[test]
fn forces_end_at_the_cutoff() {
    assert_forces("--cutoff 8", 1, (8.0, [f64::INFINITY; 3]));
    assert_forces("--cutoff 8 --steps 20", 3, (8.0, [f64::INFINITY; 3]));
    assert_forces("--cutoff 6 --box 25,30,1e3", 1, (6.0, [25.0, 30.0, 1e3]));
    // The cell of the input replaces `--box`.
    assert_forces("--cutoff 8 --periodic", 1, (8.0, [41.98, 41.98, 88.92]));
}

/// Checks the forces and the energy in each frame, up to a cutoff in a periodic cell.
fn assert_forces(options: &str, frames: usize, (cutoff, edges): (f64, [f64; 3])) -> String {
    let folder = Folder::new();
    let text = folder.run("forces", &format!("{options} --output a.xyz"));
    let n: usize = fact(&text, "atoms").split(' ').next().unwrap().parse().unwrap();
    let written = folder.text("a.xyz");
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines.len(), frames * (n + 2));
    let radii = [("C", 1.70), ("N", 1.55), ("O", 1.52), ("S", 1.80), ("SE", 1.90)];
    for frame in lines.chunks(n + 2) {
        assert_eq!(frame[0], n.to_string());
        let rows = frame[2..].iter().map(|line| {
            let mut words = line.split(' ');
            let element = words.next().unwrap();
            let (_, radius) = radii.iter().find(|(symbol, _)| *symbol == element).unwrap();
            (0.45 * radius, words.map(|word| word.parse().unwrap()).collect::<Vec<f64>>())
        });
        let rows: Vec<(f64, Vec<f64>)> = rows.collect();
        let (mut energy, mut size, mut forces) = (0.0, 0.0, vec![[0.0; 3]; n]);
        for (i, j) in pairs(n) {
            let ((ri, a), (rj, b)) = (&rows[i], &rows[j]);
            let sigma = (ri + rj) / 1.9_f64.powf(1.0 / 6.0);
            let mut between = [0, 1, 2].map(|axis| a[axis] - b[axis]);
            for (gap, edge) in between.iter_mut().zip(edges) {
                *gap -= if edge.is_finite() { edge * (*gap / edge).round() } else { 0.0 };
            }
            let r = distance(&between, &[0.0; 3]);
            if r > cutoff {
                continue;
            }
            let u = 1.0 / (0.1 + (r / sigma).powi(6));
            energy += 4.0 * (u * u - u);
            size += (4.0 * (u * u - u)).abs();
            let factor = 24.0 * (2.0 * u - 1.0) * u * u * r.powi(4) / sigma.powi(6);
            for axis in 0..3 {
                forces[i][axis] += factor * between[axis];
                forces[j][axis] -= factor * between[axis];
            }
        }
        let found: f64 = frame[1].rsplit_once('=').unwrap().1.parse().unwrap();
        assert!((found - energy).abs() < 1e-5 * size, "{found} {energy}");
        for ((_, row), force) in rows.iter().zip(&forces) {
            let most = 1e-3 + 2e-5 * distance(force, &[0.0; 3]);
            assert!(distance(&row[3..], force) < most, "{row:?} {force:?}");
        }
    }
    text
}
