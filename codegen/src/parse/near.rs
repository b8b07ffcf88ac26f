//! The requirements of the body `lower_bound` of a kernel without features: a bound for the pairs of two boxes of elements.

use proc_macro2::Span;
use td_kernel_geometry::Sweep;

use super::order::Order;
use super::{Keys, Signature, form, lower, sweep};
use crate::cuda_type::{self, Origin};
use crate::errors::{Errors, list};
use crate::kind::SCALAR;
use crate::model::{Boxed, Form, NearBoxes, Parameter, Role};
use crate::names;
use crate::scan::{Problem, Scan, Use};
use crate::support::{self, Visit};

/// The message with both bodies.
pub(super) const TWO: &str = "a kernel with a lower bound has two bodies: write `let pair = r#\"…\"#;`, which runs for each pair that may count, and `let lower_bound = r#\"…\"#;`, an expression over the boxes of two tiles that is above 0 only if no pair of them changes an output, or with `Nearest` at most the values that their pairs push";

/// Problems of the lower bound by itself.
pub(super) fn problems(scan: &Scan, signature: &Signature) -> Vec<Problem> {
    let parameters = &signature.parameters;
    let is_nearest = parameters.iter().any(|each| each.neighbours_of().is_some());
    let named = |role: Role| {
        let mut all = parameters.iter().filter(|each| each.kind.role() == role);
        all.next().map(Parameter::plain_name)
    };
    let boxes = match (named(Role::Row), named(Role::Column)) {
        (Some(row), Some(column)) => format!("{row}, {column}"),
        _ => {
            let p = named(Role::Elements).unwrap_or_else(|| "p".to_owned());
            format!("{p}.i, {p}.j")
        }
    };
    let (what, example) = match is_nearest {
        true => (
            "at most the values that the pairs of two tiles push",
            format!("box_distance({boxes})"),
        ),
        false => (
            "above 0 only if no pair of two tiles changes an output",
            format!("box_distance({boxes}) - limit"),
        ),
    };
    let is = format!("the body `lower_bound` must be a number that is {what}");
    let index_use = ["i", "j"].into_iter().find_map(|name| {
        let line = scan.uses(name, Use::Variable)?;
        let message = format!(
            "`{name}` is not in scope in the body `lower_bound`, which is evaluated for the boxes of two tiles: write an expression of boxes, like `{example}`"
        );
        Some(Problem { line, message })
    });
    let is_boxed =
        |each: &&Parameter| matches!(each.kind.role(), Role::Elements | Role::Row | Role::Column);
    let boxed: Vec<_> = parameters.iter().filter(is_boxed).collect();
    // A wrong or missing parameter has its own error.
    let may_lack_box = !boxed.is_empty() && signature.is_complete() && scan.has_all_names();
    let has_box = boxed.iter().any(|each| scan.names.contains(&each.plain_name()));
    let is_unsigned = || has_box && scan.is_arithmetic_of(&|name| is_unsigned(name, parameters));
    let form_problem = lower::not_a_number(scan, &is, &example).or_else(|| {
        // An empty one already has an error.
        if may_lack_box && !has_box {
            return Some((scan.first_line()?, format!("{is}: write an expression of boxes, like `{example}`")));
        }
        // The compiler finds the others, when it compiles the boxes.
        let unsigned = "the body `lower_bound` is unsigned, so it is never below 0: convert members to int or float";
        Some((scan.first_line().filter(|_| is_unsigned())?, unsigned.to_owned()))
    });
    let form_problem = form_problem.map(|(line, message)| Problem { line, message });
    index_use.into_iter().chain(form_problem).collect()
}

/// Whether a name of the lower bound has unsigned numbers of at least 32 bits. Shorter ones are added as `int`.
fn is_unsigned(name: &str, parameters: &[Parameter]) -> bool {
    let named = || parameters.iter().find(|each| each.plain_name() == name);
    let role = named().map(|each| each.kind.role());
    let is_number = |each: &Parameter| {
        each.kind == SCALAR || matches!(role, Some(Role::Elements | Role::Row | Role::Column))
    };
    name == "n"
        || named().is_some_and(|each| is_number(each) && cuda_type::has_unsigned_words(&each.cuda))
}

/// Checks a kernel with a lower bound over boxes, and finds which elements and members have boxes.
pub(super) fn check(
    lower: &Scan,
    keys: &Keys,
    signature: &Signature,
    form: Form,
    errors: &mut Errors,
) -> Option<NearBoxes> {
    let near = boxes(lower, keys.order.as_ref(), signature, errors);
    let asked = keys.asked.supported(form);
    let has_tiles = sweep::chosen(&asked, signature, form) != [Sweep::Classic];
    if has_tiles && asked.deterministic.is_some() {
        form::refuse(keys, &[Visit::ExactBoxes], errors);
    }
    near
}

/// The boxes of the elements that the lower bound uses.
fn boxes(
    lower: &Scan,
    order: Option<&Order>,
    signature: &Signature,
    errors: &mut Errors,
) -> Option<NearBoxes> {
    let parameters = &signature.parameters;
    // A wrong parameter already has an error.
    if !signature.is_complete() {
        return None;
    }
    parameters.iter().for_each(|each| support::check(each, Visit::Boxes, errors));
    let has_two_sets = parameters.iter().any(Parameter::is_of_rectangle);
    let roles = match has_two_sets {
        true => &[Role::Row, Role::Column][..],
        false => &[Role::Elements],
    };
    let mut sets = Vec::new();
    for role in roles {
        let elements = || parameters.iter().filter(|each| each.kind.role() == *role);
        let used = || elements().filter(|each| lower.names.contains(&each.plain_name()));
        let Some(boxed) = used().next().or_else(|| elements().next()) else {
            if errors.is_empty() {
                let first = parameters.iter().next();
                let span = first.map_or_else(Span::call_site, |each| each.name.span());
                let missing = match role {
                    Role::Row => "elements of rows that have boxes: write `#[row] a: &[T]`",
                    Role::Column => {
                        "elements of columns that have boxes: write `#[column] b: &[T]`"
                    }
                    _ => "elements that have boxes: write `#[each] p: &[T]`",
                };
                errors.span(
                    span,
                    format!("the body `lower_bound` needs {missing}, or remove `lower_bound`"),
                );
            }
            return None;
        };
        if let Some(other) = used().nth(1) {
            let of = if has_two_sets { "one slice of each set" } else { "one slice" };
            let message = format!(
                "the body `lower_bound` can use the boxes of {of}, and it uses `{}` too: put the members into one struct, or keep one of the two",
                boxed.plain_name()
            );
            errors.span(other.name.span(), message);
        }
        sets.push((boxed, of(boxed, lower, order, errors)?));
    }
    for (boxed, set) in &sets {
        if lower.names.contains(names::SPHERE) && set.coordinates.len() != 2 {
            let message = format!(
                "`sphere_distance` takes latitudes and longitudes in radians, and `{}` has another number of coordinates: write `&[[f32; 2]]`, or `order` with two members",
                boxed.plain_name()
            );
            errors.span(boxed.name.span(), message);
        }
    }
    if let [(rows, of_rows), (columns, of_columns)] = &mut sets[..] {
        if of_rows.coordinates.len() != of_columns.coordinates.len() {
            let message = format!(
                "boxes of both sets have the same coordinates, and `{}` has another number of them: write vectors of the same length, or `order`",
                rows.plain_name()
            );
            errors.span(columns.name.span(), message);
        }
        // Both sets share the functions of a type.
        if rows.cuda.name == columns.cuda.name {
            for member in &of_columns.members {
                if !of_rows.members.contains(member) {
                    of_rows.members.push(member.clone());
                }
            }
            of_columns.members.clone_from(&of_rows.members);
        }
    }
    let sets = sets.into_iter().map(|(_, set)| set).collect();
    errors.is_empty().then_some(NearBoxes { sets })
}

/// The boxes of these elements.
fn of(
    boxed: &Parameter,
    lower: &Scan,
    order: Option<&Order>,
    errors: &mut Errors,
) -> Option<Boxed> {
    let name = boxed.plain_name();
    let span = boxed.name.span();
    if cuda_type::is_half(&boxed.cuda) {
        errors.span(span, "16-bit floats do not have boxes: write `&[f32]` or `&[[f32; 3]]`, or remove `lower_bound`");
        return None;
    }
    if boxed.is_wide() {
        errors.span(span, "boxes are those of numbers, of vectors of 2 to 4 numbers and of structs: write `&[[f32; 4]]`, or a struct and `order`, or remove `lower_bound`");
        return None;
    }
    let is_struct = boxed.cuda.origin == Origin::User;
    let vector = cuda_type::parts(&boxed.cuda).map(|(_, count)| &["x", "y", "z", "w"][..count]);
    let components = vector.map(|members| members.len().min(3));
    if let (Some(order), Some(vector)) = (order, vector)
        && let Some(missing) = order.members.iter().find(|each| !vector.contains(&each.as_str()))
    {
        let message =
            format!("`{name}` has no member `{missing}`: its members are {}", list(vector));
        errors.span(order.span, message);
    }
    let coordinates: Vec<_> = match (order, components) {
        (Some(order), _) => order.members.iter().map(|each| format!(".{each}")).collect(),
        (None, Some(count)) => {
            [".x", ".y", ".z"].into_iter().take(count).map(str::to_owned).collect()
        }
        // A wrong key already has an error.
        (None, None) if is_struct && !errors.is_empty() => return None,
        (None, None) if is_struct => {
            errors.span(span, format!("elements with boxes are sorted by the members that say where they are: write `order = \"x, y, z\"` in `#[td_kernel(…)]`, with up to three members of `{}`", boxed.cuda.name));
            return None;
        }
        (None, None) => vec![String::new()],
    };
    if let (Some(order), None, false) = (order, components, is_struct) {
        errors.span(
            order.span,
            format!("`{name}` is a number without members, by which it is sorted: remove `order`"),
        );
        return None;
    }
    let first = |coordinate: &String| {
        let path = coordinate.trim_start_matches('.');
        path.split(['.', '[']).next().unwrap_or_default().to_owned()
    };
    let mut members = Vec::new();
    if is_struct {
        for member in coordinates.iter().map(first).chain(lower.members_of_boxes(&name)) {
            if let Some(message) = names::refused(&member) {
                errors.span(span, message);
            } else if !members.contains(&member) {
                members.push(member);
            }
        }
    }
    Some(Boxed { name, members, coordinates })
}
