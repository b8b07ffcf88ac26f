//! The parameters: of the pair function, as its body names them, and of the kernel, as a launch
//! passes them.

use super::sum;
use crate::model::{Kernel, Kind, Parameter};

/// Where a line of parameters is too long to read.
const WIDTH: usize = 110;

/// `i`, `j` and `n`, as far as the body uses them: nothing is passed in vain.
pub(super) fn indices(kernel: &Kernel) -> Vec<&'static str> {
    let names = &kernel.body.scan.names;
    // An included file can use any of them.
    let all = names.contains("include");
    ["i", "j", "n"].into_iter().filter(|name| all || names.contains(*name)).collect()
}

/// The parameters of the pair function.
pub(super) fn pair(kernel: &Kernel) -> Vec<String> {
    let indices = indices(kernel).into_iter().map(|name| format!("const unsigned int {name}"));
    let parameters = kernel.parameters.iter().flat_map(|each| {
        let (name, cuda) = (each.plain_name(), &each.cuda.name);
        let value = match each.kind {
            Kind::Each => format!("const td_each<{cuda}> {name}"),
            Kind::Slice => format!("const {cuda} *const __restrict__ {name}"),
            Kind::SliceMut => format!("{cuda} *const {name}"),
            Kind::Scalar => format!("const {cuda} {name}"),
            Kind::Packed | Kind::Square => format!("{cuda} &{name}"),
            Kind::Sum => format!("{} &{name}", sum::added_to(kernel, each).1),
            Kind::Pairs => format!("td_pushed &{name}"),
        };
        [value].into_iter().chain(length(kernel, each))
    });
    indices.chain(parameters).collect()
}

/// The parameter that has a slice's length, where the body asks for it.
fn length(kernel: &Kernel, slice: &Parameter) -> Option<String> {
    kernel.length_of(slice).map(|name| format!("const unsigned long long {name}"))
}

/// The head of the kernel function.
pub(super) fn kernel(kernel: &Kernel) -> String {
    let mut parameters = vec!["const unsigned int n".to_owned()];
    parameters.extend(kernel.options.variant.map.parameters().iter().map(|&each| each.to_owned()));
    for each in &kernel.parameters {
        let (name, cuda) = (each.plain_name(), &each.cuda.name);
        match each.kind {
            Kind::Each => parameters.push(format!("const {cuda} *const __restrict__ {name}_all")),
            Kind::Slice => {
                parameters.push(format!("const {cuda} *const __restrict__ {name}_arg"));
                parameters.extend(length(kernel, each));
            }
            Kind::SliceMut => {
                parameters.push(format!("{cuda} *const {name}_arg"));
                parameters.extend(length(kernel, each));
            }
            Kind::Scalar => parameters.push(format!("const {cuda} {name}_arg")),
            Kind::Packed => parameters.push(format!("{cuda} *const __restrict__ {name}_packed")),
            Kind::Square => {
                parameters.push(format!("{cuda} *const __restrict__ {name}_square"));
                parameters.push(format!("const {cuda} {name}_diagonal"));
            }
            Kind::Sum => parameters.push(format!("{} *const {name}_total", sum::slot(each))),
            Kind::Pairs => parameters.extend([
                format!("{cuda} *const {name}_list"),
                format!("unsigned long long *const {name}_count"),
                format!("const unsigned long long {name}_capacity"),
            ]),
        }
    }
    let threads: u32 = kernel.options.threads().iter().product();
    // At least one block a multiprocessor, which asks for nothing: without it the compiler spills registers
    // of some kernels, to have more blocks side by side.
    let head = format!("extern \"C\" __global__ void __launch_bounds__({threads}, 1)\n");
    format!("{head}{}\n", call(&super::entry(kernel), &parameters, ""))
}

/// `name(a, b)`, with each argument on a line of its own where one line is too long.
pub(super) fn call(name: &str, arguments: &[String], indent: &str) -> String {
    let line = format!("{name}({})", arguments.join(", "));
    if indent.len() + line.len() <= WIDTH {
        return line;
    }
    let separator = format!(",\n{indent}    ");
    format!("{name}(\n{indent}    {})", arguments.join(&separator))
}
