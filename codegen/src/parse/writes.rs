//! Writes to slices that read a slot and write it again, while other pairs may do the same.

use crate::model::{Parameter, Role};
use crate::scan::{Problem, Scan};

/// The first such write to each slice.
pub(super) fn problems(parameters: &[Parameter], scan: &Scan) -> Vec<Problem> {
    parameters.iter().filter_map(|parameter| write_problem(parameter, scan)).collect()
}

fn write_problem(parameter: &Parameter, scan: &Scan) -> Option<Problem> {
    if parameter.kind.role() != Role::Memory {
        return None;
    }
    let name = parameter.plain_name();
    let (line, operator) = scan.shared_update(&name)?;
    let update = match operator.as_str() {
        "=" => format!("computing `{name}[…]` from its old value"),
        _ => format!("`{operator}` on `{name}`"),
    };
    let instead = match operator.as_str() {
        "+=" | "++" => format!("write `atomicAdd(&{name}[…], …)`"),
        "-=" | "--" => {
            format!("write `atomicSub(&{name}[…], …)`, or `atomicAdd` with a negative value")
        }
        "&=" => format!("write `atomicAnd(&{name}[…], …)`"),
        "|=" => format!("write `atomicOr(&{name}[…], …)`"),
        "^=" => format!("write `atomicXor(&{name}[…], …)`"),
        _ => "use an atomic function, such as `atomicAdd` or `atomicCAS`".into(),
    };
    Some(Problem {
        line,
        message: format!(
            "{update} loses updates, because several pairs may change the same value at the same time: {instead}; if only one pair changes it, read the old value into a variable and write `{name}[…] = …`"
        ),
    })
}
