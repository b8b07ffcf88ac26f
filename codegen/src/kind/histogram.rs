//! `h: &mut Histogram<T>`: counts or weights of all pairs by bin.
//!
//! ```text
//! pair     h.add(bin), h.add(bin, weight)
//! block    counters in shared memory, if the bins fit: 32 bits for counts, doubles for floats
//! totals   64-bit integers or doubles in global memory, to which a block adds its counters at its end
//! ```
//!
//! The last counter is for pairs outside of all bins. Blocks are persistent (the map `walk`), so that adding to the totals costs
//! little with thousands of bins, too.

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;
use syn::TypePath;
use td_kernel_geometry::{Map, Sweep, Walk};

use crate::cuda_type::{self, CudaType};
use crate::element::{Element, argument_among};
use crate::errors::{Errors, list};
use crate::model::{About, End, Kernel, Kind, Parameter, Role, SourceInput};

/// `x: &mut Histogram<T>`.
pub(crate) const HISTOGRAM: &dyn Kind = &Histogram;

/// The map of kernels with a histogram, and of those with a state of all pairs, of which each block stores one.
pub(crate) const HISTOGRAMS: &dyn Map = &Walk;

/// The types of weights.
const WEIGHTS: &[&str] = &["u64", "f32", "f64"];

/// The bytes of shared memory for the counters of a block: of one with little else there, of others, and of those with many
/// panels of features.
const BYTES: [u32; 3] = [32 * 1024, BYTES_BESIDE, 2 * 1024];

/// Those of most blocks.
pub(crate) const BYTES_BESIDE: u32 = 8 * 1024;

/// The counters of a part of the rows on the CPU.
pub(crate) const PART_COUNTERS: u32 = 8 * 1024;

struct Histogram;

impl Kind for Histogram {
    fn about(&self) -> About {
        About {
            written: ".add(…)",
            passed_as: "_histogram",
            has_counters: true,
            is_long: true,
            words: 2,
            ..About::output("histograms", "&mut Histogram<T>", Role::Gathered, "Histogram")
        }
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        let is_weight = |cuda: &CudaType| cuda_type::is_one_of(cuda, WEIGHTS);
        let types = list(WEIGHTS);
        let message = format!(
            "a `Histogram` has counts of `u64`, or weights of `f32` or `f64`: write one of {types}"
        );
        argument_among("Histogram", path, is_weight, |_| message, errors)
    }

    fn adds_floats(&self, parameter: &Parameter) -> bool {
        is_of_floats(parameter)
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let name = parameter.plain_name();
        let totals = match self.is_exact(input.kernel, parameter) {
            true => format!("unsigned long long *const {name}_digits"),
            false => format!("{} *const {name}_totals", total(parameter)),
        };
        vec![totals, format!("const unsigned int {name}_bins")]
    }

    fn pair_parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("const {} &{}", added_to(input, parameter), parameter.plain_name())]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let adds_floats = is_of_floats(parameter);
        let counter = if adds_floats { "double" } else { "unsigned int" };
        vec![
            ("bins", Value::from(added_to(input, parameter))),
            ("total", Value::from(total(parameter))),
            ("counter", Value::from(counter)),
            (
                "counters",
                Value::from(if adds_floats { "BLOCK_COUNTERS / 2" } else { "BLOCK_COUNTERS" }),
            ),
            ("exact", Value::from(self.is_exact(input.kernel, parameter))),
            ("is_in_block", Value::from(is_in_block(input, parameter))),
        ]
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        if !is_in_block(input, parameter) {
            return Vec::new();
        }
        let bytes = 4 * counters(input) as usize;
        vec![quote!(Counters { bytes: #bytes })]
    }
}

/// Whether its weights are floats.
fn is_of_floats(histogram: &Parameter) -> bool {
    histogram.cuda.name != "unsigned long long"
}

/// The type of a total.
fn total(histogram: &Parameter) -> &'static str {
    if is_of_floats(histogram) { "double" } else { "unsigned long long" }
}

/// The type that a body adds to.
fn added_to(input: &SourceInput<'_>, histogram: &Parameter) -> String {
    let (weight, name) = (&histogram.cuda.name, histogram.plain_name());
    if HISTOGRAM.is_exact(input.kernel, histogram) {
        format!("td_exact_bins<{weight}>")
    } else if input.is_loops {
        format!("td_part_bins<{weight}, {}>", total(histogram))
    } else if is_of_floats(histogram) {
        format!("td_weights<{weight}>")
    } else if input.kernel.body.scan.only_adds_ones(&name) {
        "td_counts".to_owned()
    } else {
        "td_weighted_counts".to_owned()
    }
}

/// Whether a block has counters, or on the CPU a part of the rows. In the sweep `product` one warp of a block never meets the
/// others again, in `near` and `sets` none does. Exact sums have no counters.
fn is_in_block(input: &SourceInput<'_>, histogram: &Parameter) -> bool {
    let has_room = input.is_loops
        || !matches!(
            input.variant.tiling.sweep,
            Sweep::Product | Sweep::Near | Sweep::Sets | Sweep::SetRows
        );
    has_room && !HISTOGRAM.is_exact(input.kernel, histogram)
}

/// The 32-bit counters in a block's shared memory for each histogram; half as many doubles.
pub(crate) fn counters(input: &SourceInput<'_>) -> u32 {
    let kernel = input.kernel;
    let is_histogram =
        |each: &&Parameter| each.kind == HISTOGRAM && !HISTOGRAM.is_exact(kernel, each);
    let histograms = kernel.parameters.iter().filter(is_histogram).count().next_power_of_two();
    let ends = kernel.parameters.iter().filter_map(Parameter::features);
    let panels: usize = ends.map(|end| if end == End::Each { 2 } else { 1 }).sum();
    let is_small = |sweep| matches!(sweep, Sweep::Classic | Sweep::Columns);
    let [alone, beside, least] = BYTES;
    let bytes = match input.variant.tiling.sweep {
        _ if panels > 4 => least,
        sweep if is_small(sweep) && panels == 0 && !kernel.has_structs() => alone,
        _ => beside,
    };
    (bytes / 4 / histograms as u32).max(2)
}

/// Whether a kernel has a histogram.
pub(crate) fn has_histograms(kernel: &Kernel) -> bool {
    kernel.parameters.iter().any(|each| each.kind == HISTOGRAM)
}
