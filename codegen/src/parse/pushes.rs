//! Pushes that pass the pair's indices, which are implicit. Compilers report other arguments that do not fit.

use crate::model::{Parameter, Role};
use crate::scan::{Problem, Scan, Use};

/// Each push of more than a value, on a list or on nearest neighbours.
pub(super) fn problems(parameters: &[Parameter], scan: &Scan) -> Vec<Problem> {
    parameters.iter().flat_map(|parameter| push_problems(parameter, scan)).collect()
}

fn push_problems(parameter: &Parameter, scan: &Scan) -> Vec<Problem> {
    let value = match parameter.kind.role() {
        Role::Gathered if parameter.kind.about().written == ".push()" => "",
        Role::Gathered | Role::Neighbours(_) => "value",
        _ => return Vec::new(),
    };
    let name = parameter.plain_name();
    if scan.uses(&name, Use::Variable).is_none() {
        return Vec::new();
    }
    let problem = |(line, count)| Problem {
        line,
        message: format!(
            "`{name}.push` has {count} arguments, but the pair's indices are implicit: write `{name}.push({value})`"
        ),
    };
    scan.pushes(&name).into_iter().filter(|(_, count)| *count > 1).map(problem).collect()
}
