//! Radii and masses of the elements.

/// An element, as its atoms are spheres.
#[derive(Debug, PartialEq)]
pub struct Element {
    /// Its symbol.
    pub symbol: &'static str,
    /// The van der Waals radius in ångström: A. Bondi, "van der Waals Volumes and Radii", J. Phys. Chem. 68 (1964), 441.
    pub radius: f64,
    /// The mass of an atom in daltons: the abridged standard atomic weights of the IUPAC.
    pub mass: f64,
}

impl Element {
    /// The element of this symbol, in any case, if it has a radius. Deuterium has the radius of hydrogen.
    pub fn of(symbol: &str) -> Option<&'static Element> {
        ELEMENTS.iter().find(|element| element.symbol.eq_ignore_ascii_case(symbol))
    }
}

const fn element(symbol: &'static str, radius: f64, mass: f64) -> Element {
    Element { symbol, radius, mass }
}

/// All elements that Bondi gives a radius.
static ELEMENTS: [Element; 39] = [
    element("H", 1.20, 1.008),
    element("D", 1.20, 2.014),
    element("He", 1.40, 4.0026),
    element("Li", 1.82, 6.94),
    element("C", 1.70, 12.011),
    element("N", 1.55, 14.007),
    element("O", 1.52, 15.999),
    element("F", 1.47, 18.998),
    element("Ne", 1.54, 20.18),
    element("Na", 2.27, 22.99),
    element("Mg", 1.73, 24.305),
    element("Si", 2.10, 28.085),
    element("P", 1.80, 30.974),
    element("S", 1.80, 32.06),
    element("Cl", 1.75, 35.45),
    element("Ar", 1.88, 39.95),
    element("K", 2.75, 39.098),
    element("Ni", 1.63, 58.693),
    element("Cu", 1.40, 63.546),
    element("Zn", 1.39, 65.38),
    element("Ga", 1.87, 69.723),
    element("As", 1.85, 74.922),
    element("Se", 1.90, 78.971),
    element("Br", 1.85, 79.904),
    element("Kr", 2.02, 83.798),
    element("Pd", 1.63, 106.42),
    element("Ag", 1.72, 107.87),
    element("Cd", 1.58, 112.41),
    element("In", 1.93, 114.82),
    element("Sn", 2.17, 118.71),
    element("Te", 2.06, 127.6),
    element("I", 1.98, 126.9),
    element("Xe", 2.16, 131.29),
    element("Pt", 1.72, 195.08),
    element("Au", 1.66, 196.97),
    element("Hg", 1.55, 200.59),
    element("Tl", 1.96, 204.38),
    element("Pb", 2.02, 207.2),
    element("U", 1.86, 238.03),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_known_in_any_case() {
        let radius = |symbol| Element::of(symbol).map(|element| element.radius);
        assert_eq!(radius("C"), Some(1.70));
        assert_eq!(radius("SE"), Some(1.90));
        assert_eq!(radius("Cl"), Some(1.75));
        // Bondi does not give one.
        assert_eq!(radius("FE"), None);
        assert_eq!(radius("CA"), None);
        assert_eq!(radius(""), None);
    }

    #[test]
    fn every_element_is_there_once() {
        for (at, element) in ELEMENTS.iter().enumerate() {
            let before = &ELEMENTS[..at];
            assert!(before.iter().all(|other| other.symbol != element.symbol));
            assert!((1.0..3.0).contains(&element.radius), "{}", element.symbol);
        }
    }

    /// The periodic table is in the order of the masses, except for a few neighbours: here argon and potassium, and
    /// tellurium and iodine.
    #[test]
    fn masses_grow_along_the_periodic_table() {
        for pair in ELEMENTS.windows(2) {
            let is_inverted = matches!(pair[0].symbol, "Te" | "Ar");
            assert_eq!(pair[0].mass > pair[1].mass, is_inverted, "{}", pair[1].symbol);
        }
    }
}
