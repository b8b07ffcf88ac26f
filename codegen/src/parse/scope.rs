//! The names that each of a kernel's bodies can use. Reports names that certainly belong to another body. The compiler reports
//! the rest, and the runtime explains its messages.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::dot_error;
use crate::cuda_type::Origin;
use crate::kind::{SLICE, SLICE_MUT};
use crate::model::{Body, End, Fold, Parameter, Role};
use crate::names;
use crate::scan::{Problem, Scan, Use};

/// Problems with the names in the `feature` body.
pub(super) fn feature_problems(parameters: &[Parameter], scan: &Scan) -> Vec<Problem> {
    let own = features_of(parameters);
    let has = format!(
        "not in scope in the body `feature`, which can use one feature of each element ({own}), `k`, `features`, folds, scalars and shared slices"
    );
    let missing = |name: &str| format!("`{name}` is {has}: use it in the body `pair`");
    let missing_ends =
        |name: &str| format!("`{name}.i` and `{name}.j` are {has}: use them in the body `pair`");
    let is_rectangle = parameters.iter().any(Parameter::is_of_rectangle);
    let pair_problems: &[&str] =
        if is_rectangle { &["i", "j", "rows", "columns"] } else { &["i", "j", "n"] };
    let pair_problems =
        pair_problems.iter().filter_map(|name| used(scan, name, Use::Variable, || missing(name)));
    let parameter_problem = |parameter: &Parameter| {
        let name = parameter.plain_name();
        let uses: &[Use] = match parameter.kind.role() {
            Role::Features(End::Each) | Role::Input => return None,
            Role::Features(end) => {
                let end = if end == End::Row { "row" } else { "column" };
                return used(scan, &name, Use::Ends, || {
                    format!(
                        "`{name}` is one feature of the pair's {end} and does not have `.i` and `.j`: write `{name}`"
                    )
                });
            }
            Role::Elements => &[Use::Ends],
            // The name may mean a function or a type.
            Role::Row | Role::Column if is_type(parameters, &name) => &[Use::Ends],
            Role::Row | Role::Column => &[Use::Ends, Use::Number],
            Role::Result(End::Each) => &[Use::Ends, Use::Result],
            Role::Packed
            | Role::Square
            | Role::Matrix
            | Role::Gathered
            | Role::Result(End::Row | End::Column)
            | Role::Neighbours(_) => &[Use::Result],
            Role::Memory => &[Use::Indexed, Use::Number],
        };
        let found = uses.iter().filter_map(|kind| Some((scan.uses(&name, *kind)?, *kind)));
        let (line, kind) = found.min_by_key(|(line, _)| *line)?;
        let has_ends = kind == Use::Ends && !parameter.is_of_rectangle();
        let message = if has_ends { missing_ends(&name) } else { missing(&name) };
        Some(Problem { line, message })
    };
    let parameter_problems = parameters.iter().filter_map(parameter_problem);
    in_order(pair_problems.chain(parameter_problems))
}

/// How the `feature` body spells the features of a pair's elements.
fn features_of(parameters: &[Parameter]) -> String {
    let spelled = parameters.iter().filter_map(|parameter| {
        let name = parameter.plain_name();
        Some(match parameter.features()? {
            End::Each => format!("`{name}.i`, `{name}.j`"),
            _ => format!("`{name}`"),
        })
    });
    spelled.collect::<Vec<_>>().join(", ")
}

/// Problems with the names in the `pair` body.
pub(super) fn pair_problems(parameters: &[Parameter], scan: &Scan) -> Vec<Problem> {
    last_problems(parameters, scan, "the body `pair`, which runs after the last feature", |them| {
        match them {
            "k" => "use it in the body `feature`".into(),
            _ => format!(
                "use {them} in the body `feature`, and store what the pair needs of {them} in a fold"
            ),
        }
    })
}

/// Problems with the names in the body of a kernel with a product of features.
pub(super) fn product_problems(dot: &Ident, parameters: &[Parameter], scan: &Scan) -> Vec<Problem> {
    let advice = |_: &str| {
        format!(
            "use the product `{dot}`, or write the bodies `feature` and `pair`, and `#[fold]` instead of `#[dot]`"
        )
    };
    let body = "a body with `#[dot]`, which runs after the last feature";
    let error_problem = exact_problem(dot, parameters, scan);
    in_order(last_problems(parameters, scan, body, advice).into_iter().chain(error_problem))
}

/// The error bound of a product that does not have one.
fn exact_problem(dot: &Ident, parameters: &[Parameter], scan: &Scan) -> Option<Problem> {
    let error = dot_error::error_name(dot);
    let line = scan.uses(&error, Use::Variable).filter(|_| dot_error::is_exact(parameters))?;
    let message =
        format!("the product of 8-bit integers is exact, so it has no `{error}`: remove it");
    Some(Problem { line, message })
}

/// The product of features, and `exact`, in a body in which they are not defined.
pub(super) fn dot_problems(
    dot: Option<&Ident>,
    prelude: Option<&Body>,
    body: &str,
    scan: &Scan,
) -> Vec<Problem> {
    let Some(dot) = dot else { return Vec::new() };
    let name = dot.unraw().to_string();
    let both = [format!("{name}_error"), name];
    let problem = |name: &String| {
        used(scan, name, Use::Variable, || {
            format!(
                "`{name}` is not in scope in the body `{body}`, which evaluates pairs exactly: use it in the body `quick`"
            )
        })
    };
    let has_own = || prelude.is_some_and(|prelude| prelude.uses(names::EXACT));
    let exact = scan.called(names::EXACT).filter(|_| !has_own()).map(|line| Problem {
        line,
        message: format!(
            "`exact()` is not in scope in the body `{body}`, which already evaluates pairs exactly: call it in the body `quick`"
        ),
    });
    in_order(both.iter().filter_map(problem).chain(exact))
}

/// Problems with the names in the body `quick`.
pub(super) fn quick_problems(
    dot: Option<&Ident>,
    parameters: &[Parameter],
    folds: &[Fold],
    scan: &Scan,
) -> Vec<Problem> {
    let body = "the body `quick`, which gets the product of the features";
    let advice = |_: &str| {
        "use the product, or call `exact()`, after which the bodies `feature` and `pair` evaluate the pair".to_owned()
    };
    let fold_problem = |fold: &Fold| {
        let name = fold.plain_name();
        let message = || format!("`{name}` is not in scope in {body}: {}", advice(&name));
        used(scan, &name, Use::Variable, message)
    };
    let fold_problems = folds.iter().filter_map(fold_problem);
    // `exact;` compiles, without an effect.
    let message = || "`exact` is a function: write `exact()`".to_owned();
    let uncalled = used(scan, names::EXACT, Use::Variable, message);
    let error_problem = dot.and_then(|dot| exact_problem(dot, parameters, scan));
    let others = fold_problems.chain(uncalled).chain(error_problem);
    in_order(last_problems(parameters, scan, body, advice).into_iter().chain(others))
}

/// Problems with the names in a body that runs after the last feature. `advice` says what to write instead.
fn last_problems(
    parameters: &[Parameter],
    scan: &Scan,
    body: &str,
    advice: impl Fn(&str) -> String,
) -> Vec<Problem> {
    let message = || format!("`k` is not in scope in {body}: {}", advice("k"));
    let k = used(scan, "k", Use::Variable, message);
    let feature_problem = |parameter: &Parameter| {
        let name = parameter.plain_name();
        let (kind, subject, them) = match parameter.features()? {
            End::Each => (Use::Ends, format!("`{name}.i` and `{name}.j` are"), "them"),
            _ if is_type(parameters, &name) => return None,
            _ => (Use::Number, format!("`{name}` is"), "it"),
        };
        let message = || format!("{subject} not in scope in {body}: {}", advice(them));
        used(scan, &name, kind, message)
    };
    in_order(k.into_iter().chain(parameters.iter().filter_map(feature_problem)))
}

/// Slices that a pair's body uses as elements.
pub(super) fn slice_problems(parameters: &[Parameter], scan: &Scan) -> Vec<Problem> {
    let is_slice = |parameter: &&Parameter| [SLICE, SLICE_MUT].contains(&parameter.kind);
    let slices = parameters.iter().filter(is_slice);
    let problems = slices.filter_map(|parameter| {
        let name = parameter.plain_name();
        used(scan, &name, Use::Ends, || format!("`{name}` is a whole slice and does not have `.i` and `.j`: write `#[each]` before the parameter to use the pair's elements, or index it below `{name}_length`, as in `{name}[i]`"))
    });
    in_order(problems)
}

/// Problems with the names in a lower bound.
pub(super) fn lower_problems(
    parameters: &[Parameter],
    folds: &[Fold],
    scan: &Scan,
) -> Vec<Problem> {
    let is_rectangle = parameters.iter().any(Parameter::is_of_rectangle);
    let (counts, elements) = match is_rectangle {
        true => ("`rows`, `columns`", "`#[row]` and `#[column]` elements"),
        false => ("`n`", "`#[each]` elements"),
    };
    let has = format!(
        "not in scope in the body `lower_bound`, which runs before any feature of a pair is folded; it can use `dot_upper` and `dot_lower`, `i`, `j`, {counts}, `features`, elements, scalars and shared slices: store what it needs of the features, such as their norms, in {elements}"
    );
    let missing = |name: &str, kind| used(scan, name, kind, || format!("`{name}` is {has}"));
    let k = missing("k", Use::Variable);
    let parameter_problem = |parameter: &Parameter| {
        let name = parameter.plain_name();
        match parameter.kind.role() {
            Role::Features(End::Each) => {
                used(scan, &name, Use::Ends, || format!("`{name}.i` and `{name}.j` are {has}"))
            }
            Role::Features(_) if is_type(parameters, &name) => None,
            Role::Features(_) => missing(&name, Use::Ends).or_else(|| missing(&name, Use::Number)),
            Role::Neighbours(_) => missing(&name, Use::Result),
            _ => None,
        }
    };
    let fold_problem = |fold: &Fold| {
        let name = fold.plain_name();
        missing(&name, Use::Number).filter(|_| !names::OF_LOWER.contains(&name.as_str()))
    };
    let parameter_problems = parameters.iter().filter_map(parameter_problem);
    let fold_problems = folds.iter().filter_map(fold_problem);
    in_order(k.into_iter().chain(parameter_problems).chain(fold_problems))
}

/// The problem of the first use of a name of this kind, if it is used so.
fn used(scan: &Scan, name: &str, kind: Use, message: impl FnOnce() -> String) -> Option<Problem> {
    scan.uses(name, kind).map(|line| Problem { line, message: message() })
}

/// Sorts the problems by line.
fn in_order(problems: impl Iterator<Item = Problem>) -> Vec<Problem> {
    let mut problems: Vec<_> = problems.collect();
    problems.sort_by_key(|problem| problem.line);
    problems
}

/// Whether the name is also that of a struct in the kernel's source.
fn is_type(parameters: &[Parameter], name: &str) -> bool {
    let is_named = |each: &Parameter| each.cuda.origin == Origin::User && each.cuda.name == name;
    parameters.iter().any(is_named)
}
