//! `x: &mut Sum<T>`: one total over all pairs.
//!
//! A sum is added up in steps, so that its error does not grow with n:
//!
//! ```text
//! some pairs   td_partial, td_tally: a few floats; the count of a tile in 32 bits   (sweep `columns`)
//! thread       td_float_sum: compensated; td_sum: 32-bit integers in 64
//! block        double for floats, 64 bits for integers: td_add_warp, td_add_block
//! total        SLOTS of these, which the runtime adds up
//! ```

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;
use syn::TypePath;
use td_kernel_geometry::Sweep;

use crate::cuda_type::{self, CudaType};
use crate::element::{Element, argument_among};
use crate::errors::{Errors, list};
use crate::model::{About, Argument, Kind, Parameter, Role, SourceInput};

/// `x: &mut Sum<T>`.
pub(crate) const SUM: &dyn Kind = &Sum;

/// The types of a total: those that CUDA adds atomically.
const SUMS: &[&str] = &["f32", "f64", "i32", "u32", "i64", "u64"];

/// The most floats that are added up before they go to a compensated sum. The rounding errors of these additions, and two of
/// the sum itself, stay below a millionth.
const MAX_PARTIAL: u32 = 8;

struct Sum;

impl Kind for Sum {
    fn about(&self) -> About {
        About { written: " += …", ..About::output("sums", "&mut Sum<T>", Role::Gathered, "Sum") }
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        let is_added = |cuda: &CudaType| cuda_type::is_one_of(cuda, SUMS);
        let types = list(SUMS);
        let message = format!(
            "a `Sum` must be of a type that CUDA adds atomically: write one of {types}; `Sums`, a sum for each element, also take vectors"
        );
        argument_among("Sum", path, is_added, |_| message, errors)
    }

    fn adds_floats(&self, parameter: &Parameter) -> bool {
        total(parameter) == "double"
    }

    fn lines(&self, parameter: &Parameter) -> Vec<String> {
        let is_float = total(parameter) == "double";
        is_float.then(|| format!("{}_part", parameter.plain_name())).into_iter().collect()
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let name = parameter.plain_name();
        vec![match self.is_exact(input.kernel, parameter) {
            true => format!("unsigned long long *const {name}_digits"),
            false => format!("{} *const {name}_total", slot(parameter)),
        }]
    }

    fn pair_parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("{} &{}", added_to(input, parameter).1, parameter.plain_name())]
    }

    fn pair_arguments(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        vec![Argument::Expression(added_to(input, parameter).0)]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let target = target(input, parameter);
        let (added, added_type) = added_to(input, parameter);
        let name = parameter.plain_name();
        let result = match part(parameter) {
            Part::Float if !input.adds_each_pair() => format!("{name}_sum.total()"),
            _ => format!("{name}_sum.value"),
        };
        let is_exact = self.is_exact(input.kernel, parameter);
        let is_near = input.variant.tiling.sweep == Sweep::Near;
        let most = if let Target::Partial(most) = target { most } else { 0 };
        vec![
            ("part", Value::from(own_part(input, parameter))),
            ("total", Value::from(total(parameter))),
            ("is_float", Value::from(total(parameter) == "double")),
            ("line", Value::from(line(input, parameter))),
            ("slot", Value::from(slot(parameter))),
            ("result", Value::from(result)),
            ("added", Value::from(added)),
            ("added_type", Value::from(added_type)),
            ("exact", Value::from(is_exact)),
            // Whether each pair is added by itself: in blocks of a thread for each pair, and where a thread has several pairs.
            ("is_of_pairs", Value::from(is_exact && input.adds_each_pair())),
            ("is_of_pair", Value::from(is_exact && input.adds_each_pair() && is_near)),
            ("is_of_tile", Value::from(target != Target::Sum)),
            ("is_tally", Value::from(target == Target::Tally)),
            ("most", Value::from(most)),
        ]
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        // Each warp adds its part to an exact sum directly.
        if self.is_exact(input.kernel, parameter) {
            return Vec::new();
        }
        let (runtime, rust) = (&input.kernel.options.runtime, &parameter.rust);
        vec![quote!(Sum { size: ::core::mem::size_of::<#runtime::__private::Total<#rust>>() })]
    }
}

/// The type in which a block adds up its threads' sums: a total may need more bits than its terms.
fn total(sum: &Parameter) -> &str {
    match sum.cuda.name.as_str() {
        "float" => "double",
        "int" => "long long",
        "unsigned int" => "unsigned long long",
        name => name,
    }
}

/// The type of a total's slots: CUDA adds 64-bit integers atomically as unsigned ones.
fn slot(sum: &Parameter) -> &str {
    if total(sum) == "double" { "double" } else { "unsigned long long" }
}

/// How a thread adds up its part of a sum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// `f32`, compensated.
    Float,
    /// 32-bit integers, in 64 bits.
    Wide,
    /// In the sum's own type.
    Plain,
}

/// How a thread adds up its part of this sum.
fn part(sum: &Parameter) -> Part {
    match sum.cuda.name.as_str() {
        "float" => Part::Float,
        "int" | "unsigned int" => Part::Wide,
        _ => Part::Plain,
    }
}

/// The type of a thread's part of a sum.
fn part_type(sum: &Parameter) -> String {
    let term = &sum.cuda.name;
    match part(sum) {
        Part::Float => "td_float_sum".to_owned(),
        Part::Wide => format!("td_sum<{term}, {}>", total(sum)),
        Part::Plain => format!("td_sum<{term}>"),
    }
}

/// Whether the pairs of some columns can be counted in 32 bits: the body only adds small integers.
fn only_counts(input: &SourceInput<'_>, sum: &Parameter) -> bool {
    sum.cuda.name != "double"
        && part(sum) != Part::Float
        && input.kernel.body.scan.only_counts(&sum.plain_name())
}

/// For the CPU's loops without features: the type in which the pairs of a row are added up within a block of columns.
fn line<'a>(input: &SourceInput<'_>, sum: &'a Parameter) -> &'a str {
    if only_counts(input, sum) { "unsigned int" } else { total(sum) }
}

/// The type in which a GPU's thread, or on the CPU a column of a block or a pair, adds up its part of a sum.
fn own_part(input: &SourceInput<'_>, sum: &Parameter) -> String {
    let is_of_pair = input.is_loops && !input.folds_columns();
    match part(sum) {
        _ if is_of_pair && only_counts(input, sum) => "td_sum<unsigned int>".to_owned(),
        Part::Float if input.is_loops || input.adds_each_pair() => {
            format!("td_sum<{}, double>", sum.cuda.name)
        }
        _ => part_type(sum),
    }
}

/// The variable to which a thread adds its pairs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// The thread's part of the sum.
    Sum,
    /// A 32-bit count of one tile.
    Tally,
    /// A float for the pairs of this many columns.
    Partial(u32),
}

/// The variable to which a thread adds its pairs. In the sweep `columns`, where a thread has many pairs, each addition then
/// costs one instruction.
fn target(input: &SourceInput<'_>, sum: &Parameter) -> Target {
    let tiling = &input.variant.tiling;
    if !tiling.keeps_rows() {
        return Target::Sum;
    }
    let (scan, name) = (&input.kernel.body.scan, sum.plain_name());
    match part(sum) {
        Part::Float => {
            let each = scan.additions(&name).map(|terms| terms.max(1) * tiling.rows_of_thread());
            match each {
                // A power of two, so that it divides the columns of a tile.
                Some(each) if each <= MAX_PARTIAL => {
                    Target::Partial(1 << (MAX_PARTIAL / each).ilog2())
                }
                _ => Target::Sum,
            }
        }
        _ if only_counts(input, sum) => Target::Tally,
        _ => Target::Sum,
    }
}

/// The variable that a pair is added to, and its type.
fn added_to(input: &SourceInput<'_>, sum: &Parameter) -> (String, String) {
    let name = sum.plain_name();
    match target(input, sum) {
        // On the CPU each column of a block has its own sum, in doubles for floats, so that vector instructions add to
        // neighbouring columns at once.
        _ if input.folds_columns() => (format!("{name}_sum[c]"), own_part(input, sum)),
        // Without features, each pair has its own sum.
        _ if input.is_loops => (format!("{name}_sum"), own_part(input, sum)),
        Target::Sum => (format!("{name}_sum"), own_part(input, sum)),
        Target::Tally => (format!("{name}_tally"), "td_tally".to_owned()),
        Target::Partial(_) => (format!("{name}_partial"), "td_partial".to_owned()),
    }
}
