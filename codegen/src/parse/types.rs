//! The types of parameters.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Type, TypePath, TypeReference};

use crate::cuda_type::{self, CudaType};
use crate::element::{Element, bare, element, slice_argument, slice_element};
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
    if let Some((of, path)) = OfElements::in_type(ty) {
        let problem = format!("a launch borrows {}: write `&{}<T>`", of.what, of.name);
        return of.parse(path, Some(problem), marker, errors);
    }
    match ty {
        Type::Reference(reference) => referenced(reference, marker, errors),
        Type::Path(path) if kind::output(path).is_some() => written(path, false, marker, errors),
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
    let ty = bare(&reference.elem);
    if let Some((of, path)) = OfElements::in_type(ty) {
        let problem = format!("a kernel only reads {}: write `&{}<T>`", of.what, of.name);
        return of.parse(path, Some(problem).filter(|_| mutable), marker, errors);
    }
    // Features in a slice.
    if let Type::Slice(slice) = ty
        && let Some((of, path)) = OfElements::in_type(&slice.elem)
        && of.name == FEATURES
    {
        let problem = "`Features` already holds the features of all elements: write `&Features<T>`";
        return of.parse(path, Some(problem.to_owned()), marker, errors);
    }
    match ty {
        Type::Slice(slice) if mutable => {
            let (cuda, rust) = element(&slice.elem, errors).or_else(stand_in)?;
            Some(Parsed { kind: SLICE_MUT, cuda, rust, written: None, neighbours: 0 })
        }
        Type::Slice(slice) => {
            let (cuda, rust) = slice_element(&slice.elem, errors)?;
            Some(Parsed { kind: SLICE, cuda, rust, written: None, neighbours: 0 })
        }
        Type::Path(path) if kind::output(path).is_some() => written(path, mutable, marker, errors),
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
    /// Its name in a signature.
    name: &'static str,
    /// What it holds, in messages.
    what: &'static str,
    /// The problem without an attribute.
    unmarked: &'static str,
    /// Reads its elements' type, from its name and the path in the signature.
    element: fn(&str, &TypePath, &mut Errors) -> Option<Element>,
    /// Its kinds, by the ends of a pair.
    kinds: [&'static dyn Kind; 3],
}

const FEATURES: &str = "Features";

/// The problem of sets without an attribute.
const UNMARKED_SETS: &str = "sets hold the elements of pairs: write `#[each]` before the parameter, or `#[row]` and `#[column]` for the pairs of two `Sets`";

const OF_ELEMENTS: [OfElements; 4] = [
    OfElements {
        name: FEATURES,
        what: "features",
        unmarked: "features belong to the elements of pairs: write `#[each]` before the parameter, or `#[row]` or `#[column]` for the pairs of two sets",
        element: kind::feature,
        kinds: kind::FEATURES,
    },
    OfElements {
        name: "Sets",
        what: "sets",
        unmarked: UNMARKED_SETS,
        element: slice_argument,
        kinds: kind::SETS,
    },
    OfElements {
        name: "FeatureSets",
        what: "sets",
        unmarked: UNMARKED_SETS,
        element: kind::feature,
        kinds: kind::FEATURE_SETS,
    },
    OfElements {
        name: "Arrays",
        what: "arrays",
        unmarked: "arrays belong to the elements of pairs: write `#[each]` before the parameter, or `#[row]` or `#[column]` for the pairs of two sets",
        element: kind::given_element,
        kinds: kind::ARRAYS,
    },
];

impl OfElements {
    /// The one that is written as this type, and its path.
    fn in_type(ty: &Type) -> Option<(&'static OfElements, &TypePath)> {
        let Type::Path(path) = bare(ty) else { return None };
        let last = path.path.segments.last()?;
        OF_ELEMENTS.iter().find(|of| last.ident == of.name).map(|of| (of, path))
    }

    /// Reads the type, after a problem with the reference to it, if it has one.
    fn parse(
        &self,
        path: &TypePath,
        problem: Option<String>,
        marker: Option<&str>,
        errors: &mut Errors,
    ) -> Option<Parsed> {
        if let Some(problem) = problem {
            errors.at(path, problem);
        }
        if marker.is_none() {
            errors.at(path, self.unmarked);
        }
        let (cuda, rust) = (self.element)(self.name, path, errors).or_else(stand_in)?;
        let kind = marker.and_then(End::of).unwrap_or(End::Each).choose(self.kinds);
        Some(Parsed { kind, cuda, rust, written: last(path), neighbours: 0 })
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
            format!("an output must be a mutable reference: write `{}`", kind.about().spelling),
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
