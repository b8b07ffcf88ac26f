//! Other crates cannot implement `Map`: a later version may add required methods.

use td_kernel_geometry::{Form, Launch, Map, Prologue, Shape, Tile};

struct Mine;

impl Map for Mine {
    fn name(&self) -> &'static str {
        "mine"
    }

    fn summary(&self) -> &'static str {
        "a map of another crate"
    }

    fn advice(&self) -> &'static str {
        "never"
    }

    fn launches(&self, _: &Shape) -> Vec<Launch> {
        Vec::new()
    }

    fn tiles(&self, _: &Shape, _: &Launch, _: [u64; 2], _: &mut dyn FnMut(Tile)) {}

    fn prologue(&self, _: &Form) -> Prologue {
        unimplemented!()
    }
}

fn main() {}
