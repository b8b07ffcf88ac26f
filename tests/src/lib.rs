//! Shared code of the tests: kernels generated while a test runs, for every entry of the registries.
//!
//! With the macros, the kernels would be fixed when the tests are compiled. Here the same code generator runs inside the test,
//! so a new map or root in a registry is tested without a change here.
//!
//! A check panics if a result is wrong, and returns an error if a kernel does not compile or run.

// It has no tests or examples of its own. But `cargo test --lib` and `cargo test --doc` for a whole workspace compile every
// library as a test, and this one takes long.
#![cfg(not(any(test, doctest)))]

use std::process::Command;

use proc_macro2::{Span, TokenStream};
pub use td_kernel::__private::Sweep;
use td_kernel::__private::{self, KernelInfo, Loops, Refused, Variant};
use td_kernel::{Device, Kernel, Result};
use td_kernel_codegen::{Files, Source};
use td_kernel_geometry::{DEFAULT_EPSILON, Domain, Form, MAPS, Prologue, Root, Space, map};

pub mod accuracy;
pub mod bytes;
pub mod catalogue;
pub mod covering;
pub mod dialect;
pub mod errors;
pub mod every;
pub mod exactly;
pub mod folds;
pub mod halves;
pub mod lengths;
pub mod near;
pub mod parallel;
pub mod parameters;
pub mod preludes;
pub mod products;
pub mod structs;
pub mod sums;
pub mod variants;

/// The C++ compiler that the CPU device uses, for programs and libraries of tests: `$CXX` with its arguments, or `c++`.
pub fn compiler() -> Command {
    let words = std::env::var("CXX").unwrap_or_default();
    let mut words = words.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("c++"));
    command.args(words);
    command
}

/// A file system without files, for a generator that runs outside a compiler.
pub struct NoFiles;

impl Files for NoFiles {
    fn shown(&self, _: Span) -> String {
        "src/main.rs".into()
    }

    fn read(&self, _: Span, path: &str) -> Result<(String, String), String> {
        match path {
            "pair.cu" => Ok(("value = 1;\n".into(), "src/pair.cu".into())),
            // Some editors write it like this.
            "marked.cu" => Ok(("\u{feff}value = 1;\n".into(), "src/pair.cu".into())),
            _ => Err(format!("cannot read src/{path}: there is no such file")),
        }
    }
}

/// One choice of the attribute's keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The map.
    pub map: &'static str,
    /// The root inside the map.
    pub root: Root,
    /// Whether the map takes a root.
    pub takes_root: bool,
    /// The map's unit.
    pub space: Space,
    /// Whether the grid is the one-dimensional one, if the map has two.
    pub linear: bool,
    /// Whether the pairs (i, i) are visited.
    pub diagonal: bool,
    /// Threads per side of a block, in the classic sweep.
    pub block: u32,
    /// How the threads of a block visit its pairs.
    pub sweep: Sweep,
    /// Elements per side of a tile, in every sweep but the classic one.
    pub tile: u32,
    /// Whether the sweep `rows` or `fold` writes a square instead of packed slots.
    pub square: bool,
}

impl Choice {
    /// Every map with each root, space and grid that it can have.
    pub fn maps() -> Vec<Choice> {
        let mut choices = Vec::new();
        for &map in MAPS {
            let roots = if map.takes_root() { Root::NAMES } else { &["exact"] };
            for name in roots {
                let block = Choice {
                    map: map.name(),
                    root: Root::new(name, DEFAULT_EPSILON).unwrap_or(Root::Exact),
                    takes_root: map.takes_root(),
                    space: Space::Block,
                    linear: false,
                    diagonal: false,
                    block: 16,
                    sweep: Sweep::Classic,
                    tile: 0,
                    square: false,
                };
                choices.push(block);
                if map.has_linear_grid() {
                    choices.push(Choice { linear: true, ..block });
                }
                if map.has_thread_space() {
                    let linear = map.has_linear_grid();
                    choices.push(Choice { space: Space::Thread, linear, ..block });
                }
            }
        }
        choices
    }

    /// Every map with every root, with and without the diagonal, in blocks of every size.
    pub fn all() -> Vec<Choice> {
        let mut all = Vec::new();
        for choice in Choice::maps() {
            for diagonal in [false, true] {
                all.extend([8, 16, 32].map(|block| Choice { diagonal, block, ..choice }));
            }
        }
        all
    }

    /// Every map in block space with every root, with and without the diagonal, in every sweep that has tiles. `ltm` and the
    /// walk have tiles of several sizes: the smallest, one that is not a power of two, and a large one. The tile size affects
    /// all other maps in the same way.
    pub fn tiles() -> Vec<Choice> {
        let block_space = Choice::maps().into_iter().filter(|choice| choice.space == Space::Block);
        let mut all = Vec::new();
        for choice in block_space {
            let every_size = choice.root == Root::Exact
                && !choice.linear
                && ["ltm", "walk"].contains(&choice.map);
            for diagonal in [false, true] {
                let choice = Choice { diagonal, ..choice };
                for (sweep, square, tiles) in [
                    (Sweep::Columns, false, &[128, 32, 64, 96, 256][..]),
                    (Sweep::Rotate, false, &[128, 32, 64, 96, 192, 256]),
                    (Sweep::Rows, false, &[64, 32, 96, 128]),
                    (Sweep::Rows, true, &[64, 32, 96]),
                    (Sweep::Mirror, true, &[32, 64]),
                    (Sweep::Fold, false, &[64, 32, 128]),
                    (Sweep::Fold, true, &[64, 32, 128]),
                ] {
                    // A map affects squares in the same way as packed slots.
                    if sweep == Sweep::Fold && square && !every_size {
                        continue;
                    }
                    let tiles = if every_size { tiles } else { &tiles[..1] };
                    all.extend(tiles.iter().map(|&tile| Choice { sweep, tile, square, ..choice }));
                }
            }
        }
        all
    }

    /// The properties of a choice that can be wrong separately (`covering`): how the map finds a block, with its root, space
    /// and grid; how the sweep processes a block, which depends on the map only by its way; its sizes; and the diagonal in
    /// both.
    pub fn properties(&self) -> Vec<String> {
        let Choice { map, root, space, linear, diagonal, sweep, square, .. } = self;
        vec![
            format!("{map} {root:?} {space:?} {linear}"),
            format!("{map} {diagonal}"),
            format!("{sweep:?} {}", self.way()),
            format!("{sweep:?} {square} {diagonal}"),
            format!("{sweep:?} {square} of {}", self.side()),
        ]
    }

    /// How a block reaches its tiles, around which a sweep's source is written: whether in a loop, whether some blocks of a
    /// grid have none, and whether the map has its own parameters.
    #[allow(clippy::panic)]
    fn way(&self) -> String {
        let map = map(self.map).unwrap_or_else(|| panic!("there is no map {}", self.map));
        let form = Form::new(Domain::Triangle, self.space);
        let form = form.with_linear(self.linear).with_diagonal(self.diagonal);
        let Prologue { open, walk, .. } = map.prologue(&form);
        let (is_loop, has_own) = (walk.is_some(), !map.parameters().is_empty());
        format!("{is_loop} {} {has_own}", open.contains("return;"))
    }

    /// The properties of a choice's source, in which names and types of the map and of the sweep occur together.
    pub fn properties_of_text(&self) -> Vec<String> {
        let mut properties = self.properties();
        properties.push(format!("{} {:?}", self.map, self.sweep));
        properties
    }

    /// [`Choice::properties`] of a choice combined with another option, such as sizes or kernels. Its combinations with a map,
    /// with a sweep and its diagonal, and with a tile size can be wrong separately too.
    pub fn properties_with(&self, other: &str) -> Vec<String> {
        let Choice { map, sweep, square, diagonal, .. } = self;
        let mut properties = self.properties();
        properties.extend([
            format!("{other} in {map}"),
            format!("{other} in {sweep:?} {square} {diagonal}"),
            format!("{other} of {}", self.side()),
        ]);
        properties
    }

    /// Whether its kernels visit ranges of rows.
    pub fn has_ranges(&self) -> bool {
        let is_able = map(self.map).is_some_and(|map| map.has_row_ranges());
        is_able && self.space == Space::Block && !self.square
    }

    /// Elements per side of a block's tile.
    pub fn side(&self) -> u32 {
        if self.sweep == Sweep::Classic { self.block } else { self.tile }
    }

    /// The keys, as a user writes them.
    pub fn attribute(&self) -> String {
        let root = match self.root.epsilon() {
            _ if !self.takes_root => String::new(),
            None => ", sqrt = \"exact\"".to_owned(),
            Some(epsilon) => format!(", sqrt = \"{}\", epsilon = {epsilon:?}", self.root.name()),
        };
        let grid = match (self.space, self.linear) {
            (Space::Thread, _) => ", space = \"thread\"",
            (Space::Block, true) => ", grid = \"linear\"",
            _ => "",
        };
        let size = match self.sweep {
            Sweep::Classic => format!("block = {}", self.block),
            sweep => format!("sweep = \"{}\", tile = {}", sweep.name(), self.tile),
        };
        let Choice { map, diagonal, .. } = self;
        format!("map = \"{map}\"{root}{grid}, diagonal = {diagonal}, {size}")
    }

    /// The number of pairs of `n` elements.
    pub fn pairs(&self, n: usize) -> usize {
        if self.diagonal { n * (n + 1) / 2 } else { n * n.saturating_sub(1) / 2 }
    }

    /// The pairs of `n` elements, in packed order.
    pub fn visited(&self, n: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let diagonal = usize::from(self.diagonal);
        (0..n).flat_map(move |i| (0..i + diagonal).map(move |j| (i, j)))
    }

    /// Generates the kernel `item` with these keys, and compiles it for `device`. In the sweep `fold`, its elements have
    /// features too (`folds::item`).
    pub fn load(&self, device: &Device, name: &'static str, item: &str) -> Result<Kernel> {
        let item = &folds::item(item, self.sweep);
        let source = sources(&self.attribute(), item).remove(0);
        let whole = |text: String| __private::Source::whole(leaked(&*text.leak()));
        let variant = Variant {
            source: whole(source.text),
            has_rows: source.has_rows,
            takes_n: source.takes_n,
            map: self.map,
            root: self.root,
            space: self.space,
            linear: self.linear,
            tiling: source.tiling,
            shared: 0,
            sector: 1,
        };
        let info = KernelInfo {
            name,
            entry: format!("{name}_kernel").leak(),
            diagonal: self.diagonal,
            has_square: self.sweep == Sweep::Mirror || self.square,
            has_packed: item.contains("Packed<"),
            loops: Loops {
                source: whole(source.loops),
                takes_n: source.loops_take_n,
                options: source.loops_options,
            },
            is_rectangle: false,
            is_exchanged: false,
            is_nearest: source.is_nearest,
            near: None,
            joins: &[],
            entries: Err("it is written by hand"),
            refused: Refused { rows: source.refused.rows.map(|why| &*why.leak()), ..Refused::NONE },
            options: source.options.leak(),
            warnings: &[],
            columns: &[],
            variants: std::slice::from_ref(leaked(variant)),
        };
        // SAFETY: the generator made the source with the same keys as the other numbers.
        unsafe { Kernel::load(device, leaked(info)) }
    }
}

fn leaked<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// NVRTC's options for any kernel of these tests.
pub const OPTIONS: &[&str] = &["--fmad=false", "--device-as-default-execution-space"];

/// The CUDA of `#[td_kernel(attribute)] item`: at least one variant.
#[allow(clippy::panic)]
pub fn sources(attribute: &str, item: &str) -> Vec<Source> {
    match td_kernel_codegen::cuda_sources(tokens(attribute), tokens(item), &NoFiles) {
        Ok(sources) => sources,
        Err(errors) => panic!("{attribute}\n{item}\n{errors}"),
    }
}

/// The source of the first variant.
pub fn source(attribute: &str, item: &str) -> String {
    sources(attribute, item).remove(0).text
}

/// The sources of launches over given pairs: for a GPU, for the CPU, and for some kernels by element.
#[allow(clippy::panic)]
pub fn pairs_sources(attribute: &str, item: &str) -> Vec<String> {
    match td_kernel_codegen::pairs_sources(tokens(attribute), tokens(item), &NoFiles) {
        Ok(sources) => sources,
        Err(errors) => panic!("{attribute}\n{item}\n{errors}"),
    }
}

/// The sources of launches that list near pairs: for a GPU and for the CPU.
#[allow(clippy::panic)]
pub fn list_sources(attribute: &str, item: &str) -> Vec<String> {
    match td_kernel_codegen::list_sources(tokens(attribute), tokens(item), &NoFiles) {
        Ok(sources) => sources,
        Err(errors) => panic!("{attribute}\n{item}\n{errors}"),
    }
}

/// The CPU source.
pub fn loops(attribute: &str, item: &str) -> String {
    sources(attribute, item).remove(0).loops
}

/// Parses the string into tokens.
#[allow(clippy::panic)]
pub fn tokens(text: &str) -> TokenStream {
    match text.parse() {
        Ok(tokens) => tokens,
        Err(error) => panic!("{text}: {error}"),
    }
}
