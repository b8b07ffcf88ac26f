//! The kernels that are written by hand, in `bench/kernels`: floors, references, and rivals.

use super::mix::Mix;

/// A kernel's text, and the settings that it is compiled with.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The kernel function, and the file without its ending.
    pub(crate) entry: &'static str,
    text: &'static str,
    settings: Vec<(&'static str, u32)>,
}

const INCLUDE: &str = "#include \"distance.cuh\"\n";
const DISTANCE: &str = include_str!("../../kernels/distance.cuh");

macro_rules! files {
    ($($entry:literal)+) => {
        /// Every kernel, and its file.
        const FILES: &[(&str, &str)] =
            &[$(($entry, include_str!(concat!("../../kernels/", $entry, ".cu")))),+];
    };
}

files! {
    "collision_count" "collision_list" "collision_reference" "compare" "copy" "delay" "empty" "fill" "fold_check"
    "fold_tile" "forces_reference" "forces_square" "issue" "ladder_naive" "ladder_padded" "ladder_tiled"
    "minima_partner" "minima_reference" "minima_tile" "nearest_merge" "nearest_norms" "nearest_select" "nearest_summation" "output_check" "packed_pair" "packed_reference" "packed_tile" "rectangle_reference" "square_coalesced" "square_counted"
    "square_naive" "square_pipeline" "square_reference" "square_shared" "square_tile"
}

/// The sizes of the kernel `packed_tile`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// Pairs per side.
    pub(crate) side: u32,
    /// Threads along the columns, and along the rows.
    pub(crate) threads: [u32; 2],
}

/// The tile that is fastest where there is much to do.
pub(crate) const BEST_TILE: Tile = Tile { side: 64, threads: [8, 16] };

/// The tiles that are tried where there is little to do, and so many small blocks or few large ones may
/// be better.
pub(crate) const TILES: &[Tile] = &[
    Tile { side: 32, threads: [8, 8] },
    Tile { side: 32, threads: [8, 16] },
    Tile { side: 32, threads: [4, 16] },
    BEST_TILE,
    Tile { side: 64, threads: [16, 16] },
    Tile { side: 128, threads: [32, 16] },
    Tile { side: 128, threads: [16, 32] },
];

/// The tile of the kernel `square_tile`: elements per side, and threads along the rows.
pub(crate) const SQUARE_TILE: [u32; 2] = [128, 16];

/// How a reciprocal square root is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// By CUDA's function, right for numbers below the normal ones too: three more instructions.
    Rsqrtf,
    /// By the hardware's instruction alone.
    Flushed,
}

/// The sizes of the kernels `forces_square` and `minima_tile`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    /// Rows of a thread.
    pub(crate) rows: u32,
    /// Threads of a block.
    pub(crate) threads: u32,
    /// Columns of a block.
    pub(crate) columns: u32,
}

/// The sizes that are tried; which is best depends on the number of rows and columns, and on the GPU.
pub(crate) const SWEEPS: &[Sweep] = &[
    Sweep { rows: 4, threads: 128, columns: 512 },
    Sweep { rows: 4, threads: 128, columns: 1024 },
    Sweep { rows: 4, threads: 256, columns: 512 },
    Sweep { rows: 8, threads: 64, columns: 512 },
    Sweep { rows: 8, threads: 64, columns: 1024 },
    Sweep { rows: 8, threads: 128, columns: 1024 },
];

/// The columns of a window of the kernel `collision_list`.
pub(crate) const WINDOWS: &[u32] = &[16, 32];

impl Sweep {
    /// As tables have it.
    pub(crate) fn name(self) -> String {
        let Sweep { rows, threads, columns } = self;
        format!("by hand, {rows} rows a thread, {threads} threads, {columns} columns")
    }

    /// The blocks of a rectangle.
    pub(crate) fn grid(self, rows: usize, columns: usize) -> [u32; 2] {
        let high = rows.div_ceil((self.rows * self.threads) as usize);
        [high as u32, columns.div_ceil(self.columns as usize) as u32]
    }
}

impl Source {
    /// A file of `bench/kernels`, with the settings that take the place of its own. One that is not there has no
    /// kernel in it, as its compiler says.
    pub(crate) fn new(entry: &'static str, settings: &[(&'static str, u32)]) -> Source {
        let text = FILES.iter().find(|(name, _)| *name == entry).map_or("", |(_, text)| text);
        Source { entry, text, settings: settings.to_vec() }
    }

    /// The text of a generated kernel.
    pub(crate) fn generated(entry: &'static str, text: &'static str) -> Source {
        Source { entry, text, settings: Vec::new() }
    }

    pub(crate) fn packed_tile(features: u32, Tile { side, threads: [x, y] }: Tile) -> Source {
        let settings = [("FEATURES", features), ("TILE", side), ("THREADS_X", x), ("THREADS_Y", y)];
        Source::new("packed_tile", &settings)
    }

    pub(crate) fn square_tile(features: u32) -> Source {
        let [side, rows] = SQUARE_TILE;
        Source::new("square_tile", &[("FEATURES", features), ("TILE", side), ("THREADS_Y", rows)])
    }

    /// The floor of so many instructions, with a pair written out so often.
    pub(crate) fn issue(Mix { fmas, roots, minima }: Mix, unrolled: u32) -> Source {
        let settings =
            [("FMAS", fmas), ("ROOTS", roots), ("MINIMA", minima), ("UNROLLED", unrolled)];
        Source::new("issue", &settings)
    }

    /// Forces over the full square.
    pub(crate) fn forces(Sweep { rows, threads, columns }: Sweep, root: Root) -> Source {
        let flushed = u32::from(root == Root::Flushed);
        let settings =
            [("ROWS", rows), ("THREADS", threads), ("COLUMNS", columns), ("FLUSHED", flushed)];
        Source::new("forces_square", &settings)
    }

    /// The minima of rows, with the group of columns that they are in, or without.
    pub(crate) fn minima(features: u32, sweep: Sweep, partner: bool) -> Source {
        let Sweep { rows, threads, columns } = sweep;
        let settings = [
            ("FEATURES", features),
            ("ROWS", rows),
            ("THREADS", threads),
            ("COLUMNS", columns),
            ("PARTNER", partner.into()),
        ];
        Source::new("minima_tile", &settings)
    }

    /// The check of values of so many bytes, in a square or packed.
    pub(crate) fn output_check(bytes: usize, doubles: bool, square: bool) -> Source {
        let settings =
            [("BYTES", bytes as u32), ("DOUBLES", doubles.into()), ("SQUARE", square.into())];
        Source::new("output_check", &settings)
    }

    /// The text for the compiler. Messages count the file's own lines.
    pub(crate) fn text(&self) -> String {
        let settings: String =
            self.settings.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect();
        format!("{settings}#line 1 \"{}.cu\"\n{}", self.entry, self.included())
    }

    /// The text with the one file that several include in its place, since a compiler at run time has no
    /// folder to look for it in.
    fn included(&self) -> String {
        let Some((before, after)) = self.text.split_once(INCLUDE) else {
            return self.text.to_owned();
        };
        let line = before.lines().count() + 2;
        format!(
            "{before}#line 1 \"distance.cuh\"\n{DISTANCE}#line {line} \"{}.cu\"\n{after}",
            self.entry
        )
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use td_kernel::nvrtc::{self, Code};

    use super::*;
    use crate::measure::mix::{COLLISION, FORCES, PRODUCT, SQUARE};

    /// Every text that a measurement compiles with settings of its own.
    fn all() -> Vec<Source> {
        let mut all = Vec::new();
        for mix in [COLLISION, FORCES, SQUARE, PRODUCT].into_iter().chain((2..=4).map(Mix::minimum))
        {
            all.extend(mix.unrolled().map(|unrolled| Source::issue(mix, unrolled)));
        }
        for &sweep in SWEEPS {
            all.extend([Root::Rsqrtf, Root::Flushed].map(|root| Source::forces(sweep, root)));
            all.extend([false, true].map(|partner| Source::minima(3, sweep, partner)));
        }
        all.extend(
            WINDOWS.iter().map(|window| Source::new("collision_list", &[("WINDOW", *window)])),
        );
        for features in 1..=4 {
            for entry in [
                "packed_reference",
                "packed_pair",
                "square_reference",
                "rectangle_reference",
                "minima_reference",
                "minima_partner",
            ] {
                all.push(Source::new(entry, &[("FEATURES", features)]));
            }
            all.push(Source::square_tile(features));
            all.push(Source::minima(features, SWEEPS[0], true));
            all.extend(TILES.iter().map(|tile| Source::packed_tile(features, *tile)));
        }
        for (bytes, doubles) in [(1, false), (2, false), (4, false), (8, true), (24, false)] {
            all.extend([false, true].map(|square| Source::output_check(bytes, doubles, square)));
        }
        all
    }

    /// For the GPU that the figures are of; without the feature `every` only understood: the benchmark makes machine code before
    /// it measures anything.
    pub(crate) fn compiles(entry: &str, text: &str) {
        if cfg!(feature = "every") {
            compiles_for(&[90], entry, text);
        } else {
            is_understood(entry, text);
        }
    }

    /// NVRTC understands a text that differs from one that [`compiles`] by its settings: it makes no machine code, which takes most
    /// of its time, and shows little more than spilled registers.
    pub(crate) fn is_understood(entry: &str, text: &str) {
        let newer = nvrtc::architectures().unwrap().into_iter().max().unwrap() + 10;
        let text = format!("// NVRTC option: --device-debug\n{text}");
        let compiled = nvrtc::compile(entry, &text, newer).unwrap();
        assert_eq!(compiled.warnings, "", "{entry}");
        let Code::Ptx(text) = compiled.code else { panic!("{entry}: machine code") };
        assert!(text.contains(entry), "{entry} is not in its file");
    }

    fn compiles_for(architectures: &[u32], entry: &str, text: &str) {
        for &architecture in architectures {
            let compiled = nvrtc::compile(entry, text, architecture).unwrap();
            assert_eq!(compiled.warnings, "", "{entry}, sm_{architecture}");
            let Code::Cubin(code) = compiled.code else {
                panic!("{entry}, sm_{architecture}: PTX")
            };
            let name = entry.as_bytes();
            assert!(
                code.windows(name.len()).any(|part| part == name),
                "{entry} is not in its file"
            );
        }
    }

    #[test]
    fn every_kernel_compiles_with_its_settings() {
        let mut entries = BTreeSet::new();
        // Of each kernel the last settings become machine code, those of most features.
        for source in all().into_iter().rev() {
            let check = if entries.insert(source.entry) { compiles } else { is_understood };
            check(source.entry, &source.text());
        }
    }

    #[test]
    fn every_file_compiles_with_its_own_settings() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
        let mut files = BTreeSet::new();
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "cuh") {
                continue;
            }
            let entry = path.file_stem().unwrap().to_str().unwrap().to_owned();
            // With its own settings, and the file that it may include.
            let text = std::fs::read_to_string(&path).unwrap();
            let architectures = if cfg!(feature = "every") { &[75, 90][..] } else { &[90] };
            compiles_for(architectures, &entry, &text.replace(INCLUDE, DISTANCE));
            files.insert(entry);
        }
        assert_eq!(files, FILES.iter().map(|(entry, _)| (*entry).to_owned()).collect());
    }

    #[test]
    fn a_mistake_is_shown_on_the_files_own_line() {
        for (text, line) in [
            ("int fine;\nmistake\n", "packed_tile.cu:2: "),
            ("int fine;\n#include \"distance.cuh\"\nmistake\n", "packed_tile.cu:3: "),
        ] {
            let source = Source { text, ..Source::packed_tile(4, BEST_TILE) };
            let error = nvrtc::compile("packed_tile", &source.text(), 90).unwrap_err().to_string();
            assert!(error.contains(line), "{error}");
        }
    }
}
