//! The types of parameters.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Type, TypePath, TypeReference, TypeSlice};

use crate::cuda_type::{self, CudaType};
use crate::element::{Element, bare, element, slice_element};
use crate::errors::Errors;
use crate::kind::{self, SCALAR, SET, SLICE, SLICE_MUT};
use crate::model::{End, Kind, Role};

/// The message with all parameter types.
fn taken() -> String {
    let has_attribute = |kind: &dyn Kind| {
        matches!(kind.role(), Role::Elements | Role::Row | Role::Column | Role::Features(_))
    };
    let spellings = kind::spellings(|kind| !has_attribute(kind));
    format!("a parameter of a kernel must be a slice, a scalar or an output: write {spellings}")
}

/// The message for a mutable reference to another type: outputs come first.
fn outputs() -> String {
    let outputs = kind::spellings(|kind| kind.output().is_some());
    format!("a parameter with `&mut` must be an output or a slice: write {outputs}; or `&mut [T]`")
}

pub(crate) const LIFETIME: &str = "a kernel cannot have lifetimes, because a launch decides how long its arguments are borrowed: remove the lifetime";

/// Types that hold elements, which a kernel takes as slices.
const CONTAINERS: &[&str] = &["Box", "Buffer", "CudaSlice", "CudaView", "CudaViewMut", "Vec"];

/// A parsed parameter type.
pub(crate) struct Parsed {
    /// The kind of the parameter (a slice, which `#[each]` may change).
    pub(crate) kind: &'static dyn Kind,
    /// The type of its elements in CUDA.
    pub(crate) cuda: CudaType,
    /// The same type in Rust.
    pub(crate) rust: TokenStream,
    /// For features and outputs: the name of their type, as written.
    pub(crate) written: Option<Ident>,
    /// The number of neighbours of each element, or 0.
    pub(crate) neighbours: u32,
}

/// Reads the type of a parameter.
pub(crate) fn parameter(ty: &Type, marker: Option<&str>, errors: &mut Errors) -> Option<Parsed> {
    let ty = bare(ty);
    match ty {
        Type::Reference(reference) => referenced(reference, marker, errors),
        Type::Path(path) if kind::output(path).is_some() => written(path, false, marker, errors),
        Type::Path(path) if kind::are_features(path) => {
            FEATURES.parse(path, "a launch borrows features: write `&Features<T>`", marker, errors)
        }
        Type::Path(path) if kind::are_sets(path) => {
            SETS.parse(path, "a launch borrows sets: write `&Sets<T>`", marker, errors)
        }
        Type::Path(path) if kind::are_feature_sets(path) => {
            let problem = "a launch borrows sets: write `&FeatureSets<T>`";
            FEATURE_SETS.parse(path, problem, marker, errors)
        }
        Type::Path(path) if kind::are_arrays(path) => {
            ARRAYS.parse(path, "a launch borrows arrays: write `&Arrays<T>`", marker, errors)
        }
        Type::Path(path) if path.path.segments.iter().any(|each| is_container(&each.ident)) => {
            errors.at(ty, taken());
            None
        }
        Type::Slice(_) => {
            errors.at(ty, taken());
            None
        }
        _ => {
            let (cuda, rust) = element(ty, errors)?;
            Some(Parsed { kind: SCALAR, cuda, rust, written: None, neighbours: 0 })
        }
    }
}

fn referenced(
    reference: &TypeReference,
    marker: Option<&str>,
    errors: &mut Errors,
) -> Option<Parsed> {
    if let Some(lifetime) = &reference.lifetime {
        errors.at(lifetime, LIFETIME);
    }
    let mutable = reference.mutability.is_some();
    match bare(&reference.elem) {
        Type::Slice(slice) if features_in(slice).is_some() => {
            let problem =
                "`Features` already holds the features of all elements: write `&Features<T>`";
            FEATURES.parse(features_in(slice)?, problem, marker, errors)
        }
        Type::Slice(slice) if mutable => {
            let (cuda, rust) = element(&slice.elem, errors).or_else(stand_in)?;
            Some(Parsed { kind: SLICE_MUT, cuda, rust, written: None, neighbours: 0 })
        }
        Type::Slice(slice) => {
            let (cuda, rust) = slice_element(&slice.elem, errors)?;
            Some(Parsed { kind: SLICE, cuda, rust, written: None, neighbours: 0 })
        }
        Type::Path(path) if kind::output(path).is_some() => written(path, mutable, marker, errors),
        Type::Path(path) if kind::are_features(path) => {
            let problem =
                if mutable { "a kernel only reads features: write `&Features<T>`" } else { "" };
            FEATURES.parse(path, problem, marker, errors)
        }
        Type::Path(path) if kind::are_sets(path) => {
            let problem = if mutable { "a kernel only reads sets: write `&Sets<T>`" } else { "" };
            SETS.parse(path, problem, marker, errors)
        }
        Type::Path(path) if kind::are_feature_sets(path) => {
            let problem =
                if mutable { "a kernel only reads sets: write `&FeatureSets<T>`" } else { "" };
            FEATURE_SETS.parse(path, problem, marker, errors)
        }
        Type::Path(path) if kind::are_arrays(path) => {
            let problem =
                if mutable { "a kernel only reads arrays: write `&Arrays<T>`" } else { "" };
            ARRAYS.parse(path, problem, marker, errors)
        }
        Type::Reference(inner) => {
            errors.at(
                inner,
                "a reference to a reference cannot be sent to a GPU: write `&[T]` or `&mut [T]`",
            );
            None
        }
        other => {
            errors.at(other, if mutable { outputs() } else { taken() });
            None
        }
    }
}

/// A type of the runtime crate that holds the elements of pairs.
struct OfElements {
    /// The problem without an attribute.
    unmarked: &'static str,
    element: fn(&TypePath, &mut Errors) -> Option<Element>,
    kind: fn(End) -> &'static dyn Kind,
}

const FEATURES: OfElements = OfElements {
    unmarked: "features belong to the elements of pairs: write `#[each]` before the parameter, or `#[row]` or `#[column]` for the pairs of two sets",
    element: kind::feature,
    kind: kind::features,
};

const SETS: OfElements = OfElements {
    unmarked: "sets hold the elements of pairs: write `#[each]` before the parameter, or `#[row]` and `#[column]` for the pairs of two `Sets`",
    element: kind::element_of_set,
    kind: kind::sets,
};

const FEATURE_SETS: OfElements =
    OfElements { unmarked: SETS.unmarked, element: kind::feature, kind: kind::feature_sets };

const ARRAYS: OfElements = OfElements {
    unmarked: "arrays belong to the elements of pairs: write `#[each]` before the parameter, or `#[row]` or `#[column]` for the pairs of two sets",
    element: kind::element_of_arrays,
    kind: kind::arrays,
};

impl OfElements {
    /// Reads the type, after a problem with the reference to it, if it has one.
    fn parse(
        &self,
        path: &TypePath,
        problem: &str,
        marker: Option<&str>,
        errors: &mut Errors,
    ) -> Option<Parsed> {
        if !problem.is_empty() {
            errors.at(path, problem);
        }
        if marker.is_none() {
            errors.at(path, self.unmarked);
        }
        let (cuda, rust) = (self.element)(path, errors).or_else(stand_in)?;
        let kind = (self.kind)(marker.and_then(End::of).unwrap_or(End::Each));
        Some(Parsed { kind, cuda, rust, written: last(path), neighbours: 0 })
    }
}

/// The type of features, if it is written as a slice's element type.
fn features_in(slice: &TypeSlice) -> Option<&TypePath> {
    match bare(&slice.elem) {
        Type::Path(path) if kind::are_features(path) => Some(path),
        _ => None,
    }
}

fn is_container(name: &Ident) -> bool {
    CONTAINERS.iter().any(|known| name == known)
}

/// Reads an output, which keeps its kind even if something about it is wrong.
fn written(
    path: &TypePath,
    mutable: bool,
    marker: Option<&str>,
    errors: &mut Errors,
) -> Option<Parsed> {
    // With its attribute, it is a result of each element.
    let marker_kind = |marker: &str| match marker {
        SET => kind::set_extreme(path),
        _ => kind::result(marker, path).or_else(|| kind::nearest(marker, path)),
    };
    let each_kind = marker.and_then(marker_kind);
    let is_result = |kind: &dyn Kind| matches!(kind.role(), Role::Result(_) | Role::Neighbours(_));
    // A type that can only be a result of each element is one even without its attribute.
    let unmarked = || {
        let kind = kind::output(path)?;
        if is_result(kind) { marker_kind("each") } else { Some(kind) }
    };
    let kind = each_kind.or_else(unmarked)?;
    // `#[set]` has an error of its own.
    if let (true, None, Some(name)) = (is_result(kind), each_kind, kind.output())
        && marker != Some(SET)
    {
        // With two sets, only rows have nearest neighbours.
        let is_of_rows = matches!(kind.role(), Role::Neighbours(_));
        let markers = if is_of_rows { "`#[row]`" } else { "`#[row]` or `#[column]`" };
        let message = format!(
            "`{name}` has a result for each element: write `#[each]` before the parameter, or {markers} for the pairs of two sets"
        );
        errors.at(path, message);
    }
    if !mutable {
        errors.at(
            path,
            format!("an output must be a mutable reference: write `{}`", kind.spelling()),
        );
    }
    let (cuda, rust) = kind.element(path, errors).or_else(stand_in)?;
    Some(Parsed { kind, cuda, rust, written: last(path), neighbours: kind.neighbours(path) })
}

/// The last name of a path.
fn last(path: &TypePath) -> Option<Ident> {
    path.path.segments.last().map(|last| last.ident.clone())
}

/// A valid type in place of a wrong one, so that rustc can infer argument types that the user leaves open.
fn stand_in() -> Option<Element> {
    Some((cuda_type::primitive("f32")?, quote!(::core::primitive::f32)))
}
