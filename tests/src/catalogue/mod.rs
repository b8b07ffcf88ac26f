//! A catalogue of kernels, each with its body once in CUDA and once in Rust. Every driver runs all of them: on the emulator, in
//! the CPU's loops, on GPUs, on several devices and in several processes, over all pairs, ranges of rows and lists of pairs, in
//! every variant.
//!
//! A kernel of the catalogue stands in `entries!`: the kernel, with its folds behind a semicolon, and a closure for a pair.

// A wrong entry is a failed test.
#![allow(clippy::expect_used)]

mod oracle;
mod parameter;
mod random;
mod runs;
mod value;

mod bounded;
mod features;
mod floats;
mod folded;
mod joined;
mod keys;
mod long;
mod many_sets;
mod near;
mod neighbours;
mod one_set;
mod operations;
mod products;
mod slots;
mod states;
mod two_sets;
mod types;

use std::fmt::{self, Write};
use std::fs;
use std::ops::Range;
use std::path::Path;

use proc_macro2::Span;
use td_kernel::__private::{KernelInfo, NearTiles, Source};
use td_kernel::{Device, Devices, HostPairs, Kernel, Result, Target};
use td_kernel_codegen::Files;

use self::oracle::{Body, Expected, Input, Pair};
pub use self::oracle::{Row, Sizes};
pub use self::random::Numbers;
pub use self::runs::some;

/// By how much lower bounds of kept lists may shrink.
const SKIN: f64 = 1.0;

/// How the pairs of a launch are chosen.
#[derive(Clone, Debug)]
pub struct Run {
    /// Where it runs.
    pub target: Target,
    /// Whether that is several devices, or the part of a process.
    pub is_several: bool,
    /// The processes that share each launch, each with one device.
    pub processes: usize,
    /// One of the devices, for slots of pairs.
    pub device: Device,
    /// The elements.
    pub sizes: Sizes,
    /// The seed of the elements' numbers.
    pub seed: u64,
    /// What these are like.
    pub numbers: Numbers,
    /// The variant, if it is chosen.
    pub variant: Option<usize>,
    /// The rows, if they are not all.
    pub rows: Option<Range<usize>>,
    /// How often it is launched, into the same outputs.
    pub launches: usize,
    /// When near tiles are visited.
    pub near: NearTiles,
    /// Given pairs.
    pub list: Option<Vec<[u32; 2]>>,
    /// How many pairs the lists have no room for.
    pub lacking: usize,
    /// Whether launches keep a list of near pairs.
    pub is_kept: bool,
    /// Whether the kernel is tuned first.
    pub is_tuned: bool,
    /// The size from which a set is large, if it is not the usual one.
    pub large: Option<u32>,
    /// Whether the kernel visits the pairs (i, i).
    pub diagonal: bool,
    /// Whether its sets have features.
    pub has_features: bool,
}

impl Run {
    /// A launch over all pairs.
    pub fn new(device: &Device, sizes: Sizes, seed: u64) -> Run {
        let (variant, rows, list, large) = (None, None, None, None);
        let (target, device) = (Target::clone(device), device.clone());
        Run {
            target,
            is_several: false,
            processes: 1,
            device,
            sizes,
            seed,
            numbers: Numbers::Small,
            variant,
            rows,
            launches: 1,
            near: NearTiles::Usual,
            list,
            lacking: 0,
            is_kept: false,
            is_tuned: false,
            large,
            diagonal: false,
            has_features: false,
        }
    }

    /// The same launch, shared by this many processes with one device each.
    ///
    /// # Errors
    ///
    /// The device cannot be one of several.
    pub fn by_processes(&self, processes: usize) -> Result<Run> {
        let run = Run { processes, is_several: true, ..self.clone() };
        Ok(Run { target: run.part(0)?, ..run })
    }

    /// What each process launches.
    fn processes(&self) -> Result<Vec<Run>> {
        if self.processes == 1 {
            return Ok(vec![self.clone()]);
        }
        let own = |process| Ok(Run { target: self.part(process)?, ..self.clone() });
        (0..self.processes).map(own).collect()
    }

    /// The device of a process.
    fn part(&self, process: usize) -> Result<Target> {
        Ok(Devices::new([self.device.clone()])?.part_of(process, self.processes)?.into())
    }

    /// The kernel with this choice.
    fn chosen(&self, kernel: Kernel) -> Result<Kernel> {
        let kernel = self.variant.map_or(kernel.clone(), |variant| kernel.pin(variant));
        let kernel = self.rows.clone().map_or(kernel.clone(), |rows| kernel.rows(rows));
        let kernel = kernel.near_tiles(self.near);
        let kernel = if self.is_kept { kernel.keep(SKIN) } else { kernel };
        match &self.list {
            Some(pairs) => {
                Ok(kernel.pairs(&self.target.given_pairs(&HostPairs::from(pairs.clone()))?))
            }
            None => Ok(kernel),
        }
    }

    /// Why a kernel cannot visit these pairs.
    fn refused(&self, kernel: Kernel) -> Result<Option<&'static str>> {
        let info = kernel.info();
        let list = info.entries.as_ref().err().copied().filter(|_| self.list.is_some());
        let kept = info.list().err().filter(|_| self.is_kept);
        let refused = self.chosen(kernel)?.refused();
        let rows = refused.rows.filter(|_| self.rows.is_some());
        let has_values = self.list.is_none() || info.has_packed;
        let divided = refused.divided.filter(|_| self.is_several && has_values);
        let tuning = refused.tuning.filter(|_| self.is_tuned);
        let has_part = self.processes > 1 && info.has_packed;
        let divided = has_part.then_some("other processes have the values").or(divided);
        Ok(divided.or(list).or(kept).or(rows).or(tuning))
    }

    /// The pairs that are visited, in the order of their slots.
    fn pairs(&self) -> Vec<Pair> {
        match &self.list {
            Some(pairs) => pairs.iter().map(|[i, j]| (0, *i as usize, *j as usize)).collect(),
            None => {
                let mut pairs = self.sizes.pairs(self.diagonal);
                pairs.retain(|pair| oracle::is_in(&self.rows, pair));
                pairs
            }
        }
    }
}

/// What an output has to be, with its name.
type Named = (&'static str, Expected);

/// The rows of each output.
pub type Outputs = Vec<(&'static str, Vec<Row>)>;

/// A kernel of the catalogue.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The kernel's name.
    pub name: &'static str,
    /// The keys of its attribute.
    pub keys: &'static str,
    /// Its function.
    pub item: &'static str,
    /// The marker and the type of each parameter.
    pub parameters: &'static [[&'static str; 2]],
    /// Whether it visits the pairs (i, i).
    pub diagonal: bool,
    /// What its pairs are of.
    pub domain: Domain,
    /// Whether these are sets of elements with features.
    pub has_features: bool,
    /// Whether it has a lower bound.
    pub has_bound: bool,
    /// Whether its closure computes with floats, as the kernel does, so that its elements may have any numbers.
    pub is_exact: bool,
    /// Whether few elements are enough, since other kernels have its sweep.
    pub is_small: bool,
    /// The sources of its variants.
    pub sources: &'static [&'static str],
    /// Loads it.
    pub kernel: fn(&Target) -> Result<Kernel>,
    inputs: fn(&Run) -> Vec<Input>,
    expected: fn(&Run) -> Vec<Named>,
    body: fn(&mut Body<'_>),
    launch: fn(&Run, &[Input], &[Named]) -> Result<Outputs>,
}

/// What the pairs of a kernel are of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// One set.
    One,
    /// Two sets.
    Two,
    /// Many sets.
    Sets,
    /// Many rectangles.
    Rectangles,
}

impl Domain {
    /// The domain of a kernel with these parameters.
    pub const fn new(has_row: bool, has_sets: bool) -> Domain {
        match (has_row, has_sets) {
            (false, false) => Domain::One,
            (true, false) => Domain::Two,
            (false, true) => Domain::Sets,
            (true, true) => Domain::Rectangles,
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Entry {
    /// Runs the kernel in each of these variants, and compares all results with the oracle's. A kernel that cannot visit such
    /// pairs must say why.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn check(&self, run: &Run, variants: &[Option<usize>]) -> Result<(), String> {
        let Entry { diagonal, has_features, .. } = *self;
        let run = Run { diagonal, has_features, ..run.clone() };
        let inputs = (self.inputs)(&run);
        let mut expected = (self.expected)(&run);
        for _ in 0..run.launches {
            oracle::visit(&run.sizes, &run.pairs(), &inputs, &mut expected, self.body);
        }
        let wanted: Vec<_> = expected
            .iter_mut()
            .map(|(_, each)| {
                let errors = each.errors(run.numbers == Numbers::Small);
                (each.take_rows(), errors)
            })
            .collect();
        for variant in variants {
            let run = Run { variant: *variant, ..run.clone() };
            let fail = |what: &str| Err(self.failure(&run, what));
            let refused = match (self.kernel)(&run.target) {
                // Variants that visit a list by element follow those for all pairs.
                Ok(kernel)
                    if run.list.is_none() && *variant >= Some(kernel.info().variants.len()) =>
                {
                    continue;
                }
                Ok(kernel) => run.refused(kernel).map_err(|error| error.to_string())?,
                // Devices that cannot load it.
                Err(error) if run.is_several => {
                    let kernel = (self.kernel)(&run.device).map_err(|error| error.to_string())?;
                    match kernel.info().refused.devices {
                        Some(reason) if error.to_string().contains(reason) => continue,
                        _ => return fail(&error.to_string()),
                    }
                }
                Err(error) => return fail(&error.to_string()),
            };
            let found = match ((self.launch)(&run, &inputs, &expected), refused) {
                (Ok(found), None) => found,
                (Ok(_), Some(reason)) => return fail(&format!("it ran, although: {reason}")),
                (Err(error), Some(reason)) if error.to_string().contains(reason) => continue,
                (Err(error), None) if run.lacking > 0 && error.needed() > error.limit() => continue,
                (Err(error), _) => return fail(&error.to_string()),
            };
            for ((name, (expected, errors)), (_, found)) in
                expected.iter().map(|each| each.0).zip(&wanted).zip(found)
            {
                if let Some(at) = differs(expected, errors, &found) {
                    let (expected, found) = (expected.get(at), found.get(at));
                    return fail(&format!("`{name}`, row {at}: {found:?}, expected {expected:?}"));
                }
            }
        }
        Ok(())
    }

    fn failure(&self, run: &Run, what: &str) -> String {
        let Run { target, sizes, seed, numbers, variant, rows, .. } = run;
        let Run { launches, near, list, lacking, is_kept, is_tuned, large, processes, .. } = run;
        let (name, device) = (self.name, target.name());
        let mut text = format!("{name} on {device}, {sizes:?}, {numbers:?}, seed {seed}");
        if *launches > 1 {
            let _ = write!(text, ", launched {launches} times");
        }
        if *processes > 1 {
            let _ = write!(text, ", {processes} processes");
        }
        if let Some(variant) = variant {
            let _ = write!(text, ", variant {variant}");
        }
        if let Some(rows) = rows {
            let _ = write!(text, ", rows {rows:?}");
        }
        if let Some(list) = list {
            let _ = write!(text, ", a list of {}", list.len());
        }
        if *near != NearTiles::Usual {
            let _ = write!(text, ", near tiles: {near:?}");
        }
        if *lacking > 0 {
            let _ = write!(text, ", lists that lack {lacking}");
        }
        for (is_so, what) in [(is_kept, "a kept list"), (is_tuned, "tuned")] {
            if *is_so {
                let _ = write!(text, ", {what}");
            }
        }
        if let Some(large) = large {
            let _ = write!(text, ", large from {large}");
        }
        format!("{text}: {what}")
    }
}

/// The first row that differs by more than its error. -0 is 0, and NaN is NaN.
fn differs(expected: &[Row], errors: &[Row], found: &[Row]) -> Option<usize> {
    let is_same = |row: usize, at: usize| {
        let (a, b) = (expected[row][at], found[row][at]);
        let error = errors.get(row).map_or(0.0, |row| row[at]);
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= error
    };
    let is_same_row = |row: usize| {
        let length = expected[row].len();
        length == found[row].len() && (0..length).all(|at| is_same(row, at))
    };
    let other = (0..expected.len().min(found.len())).find(|row| !is_same_row(*row));
    other.or((expected.len() != found.len()).then_some(expected.len().min(found.len())))
}

/// The files that bodies include.
#[derive(Debug)]
pub struct CatalogueFiles;

impl Files for CatalogueFiles {
    fn shown(&self, _: Span) -> String {
        file!().to_owned()
    }

    fn read(&self, _: Span, path: &str) -> Result<(String, String), String> {
        let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/catalogue")).join(path);
        let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
        Ok((text, path.to_owned()))
    }
}

/// A source of a kernel.
#[derive(Clone, Debug)]
pub struct Code {
    /// The launches that run it: the number of a variant, `loops`, `list` or `emulated-list`.
    pub way: String,
    /// The source.
    pub text: String,
}

impl Code {
    /// Whether a GPU runs it.
    pub fn is_for_gpu(&self) -> bool {
        !["loops", "list"].contains(&self.way.as_str())
    }
}

/// The sources of a kernel.
pub fn codes(info: &KernelInfo) -> Vec<Code> {
    let code = |way: &str, source: &Source| Code { way: way.to_owned(), text: source.text() };
    let mut codes = vec![code("loops", &info.loops.source)];
    let variants = info.variants.iter().enumerate();
    codes.extend(variants.map(|(at, variant)| code(&at.to_string(), &variant.source)));
    if let Ok(entries) = &info.entries {
        // The sources by element run from a list's second launch on.
        let emulated = std::iter::once(&entries.variant).chain(entries.partners);
        codes.extend(emulated.map(|variant| code("emulated-list", &variant.source)));
        codes.push(code("list", &entries.loops.source));
    }
    codes
}

/// All kernels.
pub fn all() -> Vec<Entry> {
    let keyed = [
        keys::totals::ENTRIES,
        keys::lists::ENTRIES,
        keys::results::ENTRIES,
        keys::two_sets::ENTRIES,
        keys::matrices::ENTRIES,
        keys::rows::ENTRIES,
        keys::many_sets::ENTRIES,
        keys::features::ENTRIES,
        long::ENTRIES,
        operations::ENTRIES,
        slots::ENTRIES,
    ];
    let keyed = keyed.concat().into_iter().map(|entry| Entry { is_small: true, ..entry });
    let all = [
        one_set::ENTRIES,
        two_sets::ENTRIES,
        many_sets::ENTRIES,
        features::ENTRIES,
        states::ENTRIES,
        near::ENTRIES,
        bounded::ENTRIES,
        folded::ENTRIES,
        joined::ENTRIES,
        neighbours::ENTRIES,
        products::ENTRIES,
    ];
    let floats = floats::ENTRIES.iter().map(|entry| Entry { is_exact: true, ..*entry });
    all.concat().into_iter().chain(floats).chain(keyed).collect()
}

/// The kernels with values of every type.
pub fn of_types() -> Vec<Entry> {
    types::ENTRIES.concat()
}

/// Kernels of the catalogue, as a constant `ENTRIES`. A launch over many sets takes outputs of pairs with their set: the parameter's type
/// is followed by `as` and that type.
macro_rules! entries {
    ($(
        #[td_kernel $(($($key:tt)*))?]
        unsafe fn $name:ident(
            $($(#[$axis:ident])? $parameter:ident: $type:ty $(as $held:ty)?),* $(,)?
            $(; $($fold:tt)*)?
        ) $source:tt
        $body:expr;
    )*) => {
        $(
            #[td_kernel::td_kernel $(($($key)*))?]
            unsafe fn $name($($(#[$axis])? $parameter: $type,)* $($($fold)*)?) $source
        )*

        pub(in crate::catalogue) const ENTRIES: &[$crate::catalogue::Entry] = &[$({
            use $crate::catalogue::parameter::{Parameter, Place};
            use $crate::catalogue::oracle::{Expected, Input};
            use $crate::catalogue::{Domain, Entry, Outputs, Run};

            fn inputs(run: &Run) -> Vec<Input> {
                let inputs = [$(<$crate::catalogue::held!($type $(, $held)?) as Parameter>::input(
                    &Place::new(run, stringify!($parameter), stringify!($($axis)?))
                )),*];
                inputs.into_iter().flatten().collect()
            }

            fn expected(run: &Run) -> Vec<(&'static str, Expected)> {
                let outputs = [$((stringify!($parameter), <$crate::catalogue::held!($type $(, $held)?) as Parameter>::expected(
                    &Place::new(run, stringify!($parameter), stringify!($($axis)?))
                ))),*];
                outputs.into_iter().filter_map(|(name, each)| Some((name, each?))).collect()
            }

            fn launch(
                run: &Run,
                inputs: &[Input],
                expected: &[(&'static str, Expected)],
            ) -> td_kernel::Result<Outputs> {
                // An argument of each process.
                $(let mut $parameter = Vec::new();)*
                for run in run.processes()? {
                    let kernel = $name { kernel: run.chosen($name::load(&run.target)?.kernel)? };
                    if run.is_tuned {
                        kernel.tune($(<$crate::catalogue::held!($type $(, $held)?) as Parameter>::argument(
                            &mut Place::new(&run, stringify!($parameter), stringify!($($axis)?))
                                .make::<$crate::catalogue::held!($type $(, $held)?)>(inputs, expected)?
                        )),*)?;
                    }
                    $($parameter.push(
                        Place::new(&run, stringify!($parameter), stringify!($($axis)?))
                            .make::<$crate::catalogue::held!($type $(, $held)?)>(inputs, expected)?
                    );)*
                    for _ in 0..run.launches {
                        kernel.launch($(<$crate::catalogue::held!($type $(, $held)?) as Parameter>::argument(
                            $parameter.last_mut().expect("just made")
                        )),*)?;
                    }
                }
                let read = [$((stringify!($parameter), <$crate::catalogue::held!($type $(, $held)?) as Parameter>::read(&$parameter)?)),*];
                Ok(read.into_iter().filter_map(|(name, rows)| Some((name, rows?))).collect())
            }

            const MARKERS: &[&str] = &[$(stringify!($($axis)? $type)),*];
            Entry {
                name: stringify!($name),
                keys: stringify!($($($key)*)?),
                parameters: &[$([stringify!($($axis)?), stringify!($type)]),*],
                item: concat!(
                    "unsafe fn ", stringify!($name), "(",
                    $($("#[", stringify!($axis), "]",)? stringify!($parameter: $type), ",",)*
                    $(stringify!($($fold)*),)? ")", stringify!($source),
                ),
                diagonal: $crate::catalogue::contains(&[$(stringify!($($key)*))?], "diagonal = true"),
                domain: Domain::new(
                    $crate::catalogue::contains(MARKERS, "row") || $crate::catalogue::contains(MARKERS, "column"),
                    $crate::catalogue::contains(MARKERS, "Sets<"),
                ),
                has_features: $crate::catalogue::contains(MARKERS, "FeatureSets<"),
                has_bound: $crate::catalogue::contains(&[stringify!($source)], "lower_bound"),
                is_exact: false,
                is_small: false,
                sources: &$name::SOURCES,
                kernel: |target| Ok($name::load(target)?.kernel),
                inputs,
                expected,
                body: $body,
                launch,
            }
        }),*];
    };
}

/// The type of a launch's argument, if it is not that of the kernel's parameter.
macro_rules! held {
    ($type:ty) => {
        $type
    };
    ($type:ty, $held:ty) => {
        $held
    };
}

pub(crate) use entries;
pub(crate) use held;

/// Whether one of these contains a word.
const fn contains(texts: &[&str], word: &str) -> bool {
    let mut at = 0;
    while at < texts.len() {
        let (text, word) = (texts[at].as_bytes(), word.as_bytes());
        let mut start = 0;
        while start + word.len() <= text.len() {
            let mut same = 0;
            while same < word.len() && text[start + same] == word[same] {
                same += 1;
            }
            if same == word.len() {
                return true;
            }
            start += 1;
        }
        at += 1;
    }
    false
}

/// The square of the distance of the features of a pair.
fn square(body: &mut Body<'_>) -> f64 {
    body.rows("p").iter().zip(body.cols("p")).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The product of the features of a pair.
fn dot(body: &mut Body<'_>) -> f64 {
    body.rows("p").iter().zip(body.cols("p")).map(|(a, b)| a * b).sum()
}

/// The product of the features `a` of the row and `b` of the column.
fn dot_of_two(body: &mut Body<'_>) -> f64 {
    body.rows("a").iter().zip(body.cols("b")).map(|(a, b)| a * b).sum()
}
