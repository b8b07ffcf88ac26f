//! Forces and energies by a loop over all pairs, in double precision and by other formulas than the kernels'; and a reader
//! of trajectories.

type Vector = [f64; 3];

#[derive(Clone, Copy)]
pub(super) enum Law {
    LennardJones { depth: f64 },
    Gravity { softening: f64 },
}

/// The forces on bodies, their energy, and the energies of pairs without their signs, added up.
pub(super) struct Field {
    pub(super) forces: Vec<Vector>,
    pub(super) energy: f64,
    pub(super) sum: f64,
}

impl Law {
    /// The field of bodies whose weights are their radii, or their masses.
    pub(super) fn field(self, positions: &[Vector], weights: &[f64]) -> Field {
        let mut field = Field { forces: vec![[0.0; 3]; weights.len()], energy: 0.0, sum: 0.0 };
        for i in 0..weights.len() {
            for j in (0..weights.len()).filter(|j| *j != i) {
                let apart = [0, 1, 2].map(|axis| positions[i][axis] - positions[j][axis]);
                let (energy, slope) = self.pair(length(apart), weights[i], weights[j]);
                // Each pair is visited from both of its ends.
                field.energy += 0.5 * energy;
                field.sum += 0.5 * energy.abs();
                for (force, apart_along) in field.forces[i].iter_mut().zip(apart) {
                    *force -= if slope == 0.0 { 0.0 } else { slope * apart_along / length(apart) };
                }
            }
        }
        field
    }

    /// The energy of two bodies at a distance, and its slope.
    fn pair(self, distance: f64, one: f64, other: f64) -> (f64, f64) {
        match self {
            Law::LennardJones { depth } => {
                // The energy is least where the spheres touch: there (r / σ)⁶ is 2 - 0.1.
                let sigma = (one + other) / 1.9_f64.powf(1.0 / 6.0);
                let softened = 0.1 + (distance / sigma).powi(6);
                let energy = 4.0 * depth * (1.0 / softened.powi(2) - 1.0 / softened);
                let by_softened = 4.0 * depth * (1.0 / softened.powi(2) - 2.0 / softened.powi(3));
                (energy, by_softened * 6.0 * distance.powi(5) / sigma.powi(6))
            }
            Law::Gravity { softening } => {
                let softened = distance.hypot(softening);
                (-one * other / softened, one * other * distance / softened.powi(3))
            }
        }
    }
}

pub(super) fn length([x, y, z]: Vector) -> f64 {
    x.hypot(y).hypot(z)
}

/// The size of the largest of these vectors.
pub(super) fn largest(vectors: &[Vector]) -> f64 {
    vectors.iter().map(|vector| length(*vector)).fold(0.0, f64::max)
}

/// Van der Waals radii of the atoms of proteins, by Bondi.
pub(super) fn radius(symbol: &str) -> f64 {
    match symbol {
        "C" => 1.70,
        "N" => 1.55,
        "O" => 1.52,
        "S" => 1.80,
        "Se" => 1.90,
        _ => panic!("{symbol}"),
    }
}

/// Their masses.
pub(super) fn mass(symbol: &str) -> f64 {
    match symbol {
        "C" => 12.011,
        "N" => 14.007,
        "O" => 15.999,
        "S" => 32.06,
        "Se" => 78.971,
        _ => panic!("{symbol}"),
    }
}

/// A frame of a trajectory.
pub(super) struct Frame {
    pub(super) step: usize,
    pub(super) potential: f64,
    pub(super) symbols: Vec<String>,
    pub(super) positions: Vec<Vector>,
    pub(super) forces: Vec<Vector>,
}

impl Frame {
    /// The frames in a file.
    pub(super) fn all(text: &str) -> Vec<Frame> {
        let mut lines = text.lines();
        let mut frames = Vec::new();
        while let Some(count) = lines.next() {
            let count: usize = count.parse().unwrap();
            let properties = lines.next().unwrap();
            let is_known = "Properties=species:S:1:pos:R:3:velo:R:3:forces:R:3 ";
            assert!(properties.starts_with(is_known), "{properties}");
            let property = |name: &str| {
                let mut words = properties.split(' ');
                words.find_map(|word| word.strip_prefix(name)).unwrap()
            };
            let mut frame = Frame {
                step: property("step=").parse().unwrap(),
                potential: property("potential=").parse().unwrap(),
                symbols: Vec::new(),
                positions: Vec::new(),
                forces: Vec::new(),
            };
            for _ in 0..count {
                let mut words = lines.next().unwrap().split(' ');
                frame.symbols.push(words.next().unwrap().into());
                let numbers: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
                let [position, _velocity, force] = numbers.as_chunks::<3>().0 else {
                    panic!("{numbers:?}");
                };
                frame.positions.push(*position);
                frame.forces.push(*force);
            }
            frames.push(frame);
        }
        frames
    }
}
