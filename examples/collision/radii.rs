//! Van der Waals radii.

/// The radius of an element in ångström, by its symbol in any case: A. Bondi, "van der Waals
/// Volumes and Radii", J. Phys. Chem. 68 (1964), 441. Deuterium is hydrogen.
pub(crate) fn van_der_waals(element: &str) -> Option<f32> {
    let mut rows = BONDI.iter();
    let row = rows.find(|(symbol, _)| symbol.eq_ignore_ascii_case(element));
    row.map(|&(_, radius)| radius)
}

const BONDI: &[(&str, f32)] = &[
    ("H", 1.20),
    ("D", 1.20),
    ("He", 1.40),
    ("Li", 1.82),
    ("C", 1.70),
    ("N", 1.55),
    ("O", 1.52),
    ("F", 1.47),
    ("Ne", 1.54),
    ("Na", 2.27),
    ("Mg", 1.73),
    ("Si", 2.10),
    ("P", 1.80),
    ("S", 1.80),
    ("Cl", 1.75),
    ("Ar", 1.88),
    ("K", 2.75),
    ("Ni", 1.63),
    ("Cu", 1.40),
    ("Zn", 1.39),
    ("Ga", 1.87),
    ("As", 1.85),
    ("Se", 1.90),
    ("Br", 1.85),
    ("Kr", 2.02),
    ("Pd", 1.63),
    ("Ag", 1.72),
    ("Cd", 1.58),
    ("In", 1.93),
    ("Sn", 2.17),
    ("Te", 2.06),
    ("I", 1.98),
    ("Xe", 2.16),
    ("Pt", 1.72),
    ("Au", 1.66),
    ("Hg", 1.55),
    ("Tl", 1.96),
    ("Pb", 2.02),
    ("U", 1.86),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_known_in_any_case() {
        assert_eq!(van_der_waals("C"), Some(1.70));
        assert_eq!(van_der_waals("SE"), Some(1.90));
        assert_eq!(van_der_waals("Cl"), Some(1.75));
        // Bondi does not give one.
        assert_eq!(van_der_waals("FE"), None);
        assert_eq!(van_der_waals("CA"), None);
        assert_eq!(van_der_waals(""), None);
    }

    #[test]
    fn every_element_is_there_once() {
        for (at, (symbol, radius)) in BONDI.iter().enumerate() {
            assert!(BONDI[..at].iter().all(|(other, _)| other != symbol));
            assert!((1.0..3.0).contains(radius), "{symbol}");
        }
    }
}
