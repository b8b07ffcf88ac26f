//! The handwritten kernels in `bench/kernels`: floors, references, and competitors.

/// A kernel's source, and its compile-time settings.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The kernel function, and the file name without its extension.
    pub(crate) entry: &'static str,
    text: &'static str,
    settings: Vec<(&'static str, u32)>,
}

macro_rules! files {
    ($($entry:literal)+) => {
        /// Every kernel, and its file.
        const FILES: &[(&str, &str)] =
            &[$(($entry, include_str!(concat!("../../kernels/", $entry, ".cu")))),+];
    };
}

files! {
    "copy" "delay" "empty" "fill" "fold_check" "fold_tile" "forces_square" "histogram" "issue"
    "ladder_naive" "ladder_tiled" "nearest_merge" "nearest_norms" "nearest_select"
    "nearest_summation" "output_check" "packed_tile"
}

/// The minimum instructions of a pair in any kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// Additions, multiplications and multiply-adds of floats.
    pub(crate) fmas: u32,
    /// Reciprocal square roots.
    pub(crate) roots: u32,
    /// Minima of two floats.
    pub(crate) minima: u32,
}

impl Mix {
    /// Compares the distance of two spheres with their radii.
    pub(crate) const COLLISION: Mix = Mix { fmas: 8, roots: 0, minima: 0 };

    /// Softened gravity, added to both bodies: 3 differences, 4 for the softened square of the distance, 2 for the cube of its
    /// reciprocal root, 2 products with the masses, and 6 sums.
    pub(crate) const FORCES: Mix = Mix { fmas: 17, roots: 1, minima: 0 };

    /// A squared difference, added to a sum: a feature of a distance.
    pub(crate) const SQUARE: Mix = Mix { fmas: 2, roots: 0, minima: 0 };

    /// A product, added to a sum: a feature of a dot product.
    pub(crate) const PRODUCT: Mix = Mix { fmas: 1, roots: 0, minima: 0 };

    /// The smallest squared distance. A partner adds nothing: it changes only with a new minimum, which is rare.
    pub(crate) const fn minimum(features: u32) -> Mix {
        Mix { fmas: 2 * features, roots: 0, minima: 1 }
    }

    /// A Gaussian of a distance in space, times some columns: 3 differences, 3 for the square of the distance, its scaling, a power
    /// of two, which takes as long as a root, and a multiply-add for each column.
    pub(crate) const fn gaussian(columns: u32) -> Mix {
        Mix { fmas: 7 + columns, roots: 1, minima: 0 }
    }

    /// How often a pair is unrolled in the loop, which has 128 instructions or more. The best number depends on the GPU.
    pub(crate) fn unrolled(self) -> [u32; 3] {
        let instructions = self.fmas + self.roots + self.minima;
        [128, 256, 512].map(|all| all / instructions)
    }
}

/// What a handwritten kernel adds up over the features of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// The squares of the differences.
    Squares,
    /// The square root of the sum of these.
    Distance,
    /// The products.
    Products,
    /// The sum of these, divided by both norms.
    Cosine,
}

/// The features of a chunk of the kernel `fold_tile`, in shared memory at a time.
const CHUNK: u32 = 16;

/// The numbers of features are multiples of this, so that every chunk is whole.
pub(crate) const FEATURES: usize = 16;

/// The pairs per side of a block of `fold_tile`, and its threads.
pub(crate) const SIDE: usize = 128;
pub(crate) const THREADS: u32 = 256;

impl Fold {
    /// The instructions of a term.
    pub(crate) fn mix(self) -> Mix {
        match self {
            Fold::Squares | Fold::Distance => Mix::SQUARE,
            Fold::Products | Fold::Cosine => Mix::PRODUCT,
        }
    }

    /// The register tiles, for two sets and without roots.
    pub(crate) fn tile(self) -> Source {
        Source::new("fold_tile", &[("DOT", u32::from(self == Fold::Products)), ("CHUNK", CHUNK)])
    }

    /// The comparison with sums in double precision.
    pub(crate) fn check(self, packed: bool) -> Source {
        let is = |fold| u32::from(self == fold);
        let settings = [
            ("DOT", is(Fold::Products) | is(Fold::Cosine)),
            ("ROOT", is(Fold::Distance)),
            ("COSINE", is(Fold::Cosine)),
            ("PACKED", packed.into()),
        ];
        Source::new("fold_check", &settings)
    }
}

/// The tolerance of a sum of this many terms, relative to the sum: no term is negative. The rounding errors of a sum in any
/// order have both signs, and add up to less than the square root of their number. This is over ten times their average, and
/// far less than one missing term.
pub(crate) fn rounding(features: usize) -> f64 {
    4.0 * (1.0 + (features as f64).sqrt()) * f64::from(f32::EPSILON) / 2.0
}

impl Source {
    /// A file of `bench/kernels`, with all of its settings. A missing file is an empty source, in which the
    /// compiler finds no kernel.
    pub(crate) fn new(entry: &'static str, settings: &[(&'static str, u32)]) -> Source {
        let text = FILES.iter().find(|(name, _)| *name == entry).map_or("", |(_, text)| text);
        Source { entry, text, settings: settings.to_vec() }
    }

    /// The floor of these instructions, with a pair unrolled this often.
    pub(crate) fn issue(mix: Mix, unrolled: u32) -> Source {
        let Mix { fmas, roots, minima } = mix;
        let settings =
            [("FMAS", fmas), ("ROOTS", roots), ("MINIMA", minima), ("UNROLLED", unrolled)];
        Source::new("issue", &settings)
    }

    /// The check of values of this many bytes, in a square or packed.
    pub(crate) fn output_check(bytes: usize, square: bool) -> Source {
        let settings = [("BYTES", bytes as u32), ("SQUARE", square.into())];
        Source::new("output_check", &settings)
    }

    /// The source for the compiler. Messages have the file's own line numbers.
    pub(crate) fn text(&self) -> String {
        let settings: String =
            self.settings.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect();
        format!("{settings}#line 1 \"{}.cu\"\n{}", self.entry, self.text)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use td_kernel::nvrtc::{self, Code};

    use super::*;

    /// Sources with the settings of measurements, at least one for each kernel.
    fn all() -> Vec<Source> {
        let plain = ["copy", "delay", "empty", "fill", "forces_square", "packed_tile"];
        let mut all = Vec::from(plain.map(|entry| Source::new(entry, &[])));
        let mixes = [Mix::COLLISION, Mix::FORCES, Mix::SQUARE, Mix::PRODUCT, Mix::minimum(3)];
        all.extend(mixes.map(|mix| Source::issue(mix, mix.unrolled()[0])));
        all.extend([0, 1].map(|global| Source::new("histogram", &[("GLOBAL", global)])));
        for (entry, padding) in [("ladder_naive", 0), ("ladder_tiled", 0), ("ladder_tiled", 1)] {
            all.push(Source::new(entry, &[("SIDE", 16), ("PADDING", padding)]));
        }
        for bytes in [1, 2, 4, 24] {
            all.extend([false, true].map(|square| Source::output_check(bytes, square)));
        }
        for fold in [Fold::Squares, Fold::Distance, Fold::Products] {
            all.extend([fold.tile(), fold.check(false), fold.check(true)]);
        }
        all.push(Fold::Cosine.check(true));
        all.extend(crate::nearest_ladder::sources());
        all
    }

    /// NVRTC compiles a source without a warning. Without the feature `every` it generates no machine code, which takes most of
    /// its time; a measurement compiles that before anything else.
    pub(crate) fn compiles(entry: &str, text: &str) {
        if cfg!(feature = "every") {
            return is_machine_code(entry, text);
        }
        let newer = nvrtc::architectures().unwrap().into_iter().max().unwrap() + 10;
        let compiled = nvrtc::compile(entry, text, &["--device-debug"], newer).unwrap();
        assert_eq!(compiled.warnings, "", "{entry}");
        let Code::Ptx(text) = compiled.code else { panic!("{entry}: machine code") };
        assert!(text.contains(entry), "{entry} is not in its file");
    }

    fn is_machine_code(entry: &str, text: &str) {
        let compiled = nvrtc::compile(entry, text, &[], 90).unwrap();
        assert_eq!(compiled.warnings, "", "{entry}");
        let Code::Cubin(code) = compiled.code else { panic!("{entry}: PTX") };
        let is_there = code.windows(entry.len()).any(|part| part == entry.as_bytes());
        assert!(is_there, "{entry} is not in its file");
    }

    #[test]
    fn every_kernel_compiles() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "cu"));
        assert_eq!(files.count(), FILES.len(), "a file is not in the list");
        let sources = all();
        for (entry, _) in FILES {
            let source = sources.iter().find(|source| source.entry == *entry).unwrap();
            is_machine_code(entry, &source.text());
        }
        for source in sources {
            compiles(source.entry, &source.text());
        }
    }
}
