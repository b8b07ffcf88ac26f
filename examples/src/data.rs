//! Data that the executables carry, so that they run anywhere. `data/README.md` tells where it is
//! from.

/// A file, as it was when the executable was built.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// What messages call it.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Fisher's Iris data: 150 flowers, four lengths each, and the species.
pub const IRIS: BuiltIn =
    BuiltIn { name: "the built-in iris.csv", text: include_str!("../data/iris.csv") };

/// The entry 1A8O of the Protein Data Bank: a part of the capsid protein of HIV-1.
pub const PROTEIN: BuiltIn =
    BuiltIn { name: "the built-in 1A8O.pdb", text: include_str!("../data/1A8O.pdb") };
