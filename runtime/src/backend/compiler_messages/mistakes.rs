//! Notes on mistakes that are common among Rust authors, or among those who have used another kind of parameter. The compilers'
//! own messages about them do not help.

use super::errors::CompilerError;

/// Messages for a member of a pointer or of a number.
const POINTERS: &[&str] =
    &["must have class type", "pointer type", "non-class type", "is not a structure or union"];

/// Messages for an undeclared name, before and after the name.
const UNDECLARED: &[[&str; 2]] = &[
    ["identifier \"", "\" is undefined"],
    ["'", "' was not declared in this scope"],
    ["use of undeclared identifier '", "'"],
    ["'", "' does not name a type"],
    ["unknown type name '", "'"],
];

/// Messages for a value that a body returns.
const RETURNED: &[&str] = &[
    "return value type does not match",
    "return-statement with a value",
    "should not return a value",
];

/// Messages for an operator that a type does not have.
const OPERATORS: &[&str] = &[
    "no operator \"",
    "no match for 'operator",
    "invalid operands to binary",
    "invalid argument type",
];

/// Messages for a variable with the name of a parameter.
const REDECLARED: &[&str] =
    &["shadows a parameter", "has already been declared in the current scope", "redefinition of '"];

/// Messages for an index.
const INDEXED: &[&str] =
    &["no operator \"[]\"", "no match for 'operator[]'", "does not provide a subscript operator"];

/// Messages for a call with the wrong arguments, before the function's name.
const CALLED: &[&str] = &[
    "no instance of function template \"",
    "no instance of overloaded function \"",
    "no matching function for call to '",
];

/// Rust's methods of floats, and CUDA's functions of other names.
const FUNCTIONS: &[(&str, &str)] = &[
    ("ln", "logf(x)"),
    ("max", "fmaxf(x, y)"),
    ("min", "fminf(x, y)"),
    ("mul_add", "fmaf(x, y, z)"),
    ("powf", "powf(x, y)"),
    ("powi", "powf(x, 2.0f)"),
];

/// Methods of floats that CUDA has under the same name, with an `f` for floats.
const SAME: &[&str] = &[
    "acos", "asin", "atan", "cbrt", "ceil", "cos", "cosh", "exp", "exp2", "floor", "log10", "log2",
    "round", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
];

/// Whether the error is about a member of a value without members.
pub(super) fn is_of_pointer(error: &CompilerError<'_>) -> bool {
    mentions(error, POINTERS)
}

/// The undeclared name.
pub(super) fn undeclared<'a>(error: &'a CompilerError<'_>) -> Option<&'a str> {
    UNDECLARED
        .iter()
        .find_map(|[before, after]| Some(error.message.split_once(before)?.1.split_once(after)?.0))
}

/// The note for this error, if it is a common mistake.
pub(super) fn note(kernel: &str, source: &str, error: &CompilerError<'_>) -> Option<String> {
    let parameters = parameters(kernel, source);
    if let Some(name) = undeclared(error) {
        return name_hint(name, parameters, source, error);
    }
    if mentions(error, RETURNED) && !error.is_of_prelude {
        return Some("a body cannot return a value: assign it to an output, as in `out = value;`, and end the pair with `return;`".into());
    }
    if mentions(error, REDECLARED) && !error.is_of_prelude {
        return Some("a body cannot declare a variable with the name of a parameter, or named `i`, `j`, `n`, `rows` or `columns` (the pair's indices and the numbers of elements): choose another name".into());
    }
    // The other messages about `++` name the type.
    if error.message.contains("declared for postfix") {
        return Some("sums and vectors do not support `++` and `--`: write `+= 1` or `-= 1` after the name of a sum or of a vector's component".into());
    }
    box_hint(error).or_else(|| method_hint(parameters, error)).or_else(|| vector_hint(error))
}

/// The note for a member of a box, or for a distance of boxes with the wrong arguments.
fn box_hint(error: &CompilerError<'_>) -> Option<String> {
    let is_box = error.message.contains("td_single<") || error.message.contains("td_box<");
    if is_box && has_no_member(error) {
        return Some("the elements of the body `lower_bound` are boxes, with the least and the greatest of each member: write `p.i.lo.x` or `p.i.hi.x`".into());
    }
    let called = CALLED.iter().find_map(|before| Some(error.message.split_once(before)?.1))?;
    let is_distance = called.starts_with("box_") || first_name(called).ends_with("_distance");
    is_distance.then(|| "distances take two boxes, as in `box_distance(p.i, p.j)`; `periodic_distance(p.i, p.j, x, y, z)` also takes the period of each coordinate".into())
}

fn has_no_member(error: &CompilerError<'_>) -> bool {
    error.message.contains("has no member") || error.message.contains("no member named")
}

/// The note for an undeclared name.
fn name_hint(
    name: &str,
    parameters: &str,
    source: &str,
    error: &CompilerError<'_>,
) -> Option<String> {
    let is_let = name == "let" || declares(source, name);
    let is_rectangle = source.contains("const unsigned int columns");
    let is_number = matches!(name, "i" | "j" | "n" | "rows" | "columns");
    Some(match name {
        _ if is_let => "this is C++, which declares a variable with its type: write `float d = …;` instead of `let d = …;`".into(),
        _ if error.is_of_prelude && (is_number || super::has_name(parameters, name)) => format!(
            "a prelude cannot use the kernel's parameters or indices: add a parameter for `{name}` to its function, and pass the value in the body"
        ),
        "n" if is_rectangle => "a kernel over two sets has `rows` and `columns`, the numbers of elements, instead of `n`".into(),
        "rows" | "columns" if !is_rectangle => {
            "a kernel over one set has `n`, the number of elements, instead of `rows` and `columns`".into()
        }
        _ => return None,
    })
}

/// Whether the source declares this name as Rust does.
fn declares(source: &str, name: &str) -> bool {
    source.lines().any(|line| {
        let rest = line.trim_start().strip_prefix("let ").map(str::trim_start);
        let rest = rest.map(|rest| rest.strip_prefix("mut ").unwrap_or(rest).trim_start());
        rest.is_some_and(|rest| first_name(rest) == name)
    })
}

/// The note for a method of a slot or a number.
fn method_hint(parameters: &str, error: &CompilerError<'_>) -> Option<String> {
    let is_member = is_of_pointer(error) || (has_no_member(error) && has_vector(error));
    if !is_member {
        return None;
    }
    let (owner, method) = methods(error.code).find(|(owner, method)| {
        !matches!(*method, "push" | "offer") || is_slot(parameters, owner)
    })?;
    if matches!(method, "push" | "offer") {
        return Some(format!(
            "assign the value to the slot: write `{owner} = value` instead of `{owner}.{method}(value)`"
        ));
    }
    if !is_of_pointer(error) {
        return None;
    }
    let same = SAME.contains(&method).then(|| format!("{method}f(x)"));
    let known = FUNCTIONS.iter().find(|(known, _)| *known == method);
    let function = match method {
        "abs" => Some("fabsf(x)".to_owned()),
        _ => same.or(known.map(|(_, function)| (*function).to_owned())),
    };
    Some(match function {
        Some(function) => format!(
            "numbers do not have methods in C++: write CUDA's function `{function}` instead of `x.{method}(…)`"
        ),
        None => {
            "numbers do not have methods in C++: use CUDA's functions, such as `fabsf(x)` and `sqrtf(x)`"
                .into()
        }
    })
}

/// The note for a vector's missing index, member or operator.
fn vector_hint(error: &CompilerError<'_>) -> Option<String> {
    let is_member = has_no_member(error);
    if is_member && error.message.contains("td_wide<") {
        return Some(
            "an array of more than four numbers has no members: index it, as in `p.i[0]`".into(),
        );
    }
    // Here a vector is only an argument.
    if error.message.contains("td_") || error.operands.contains("td_") {
        return None;
    }
    let (name, count) = vector(&error.message).or_else(|| vector(error.operands))?;
    if mentions(error, INDEXED) || is_member {
        let members = ["`.x`", "`.y`", "`.z`", "`.w`"][..count].split_last()?;
        let members = format!("{} and {}", members.1.join(", "), members.0);
        return Some(format!(
            "an array of {count} numbers is a vector in CUDA: a `{name}` has the members {members} and cannot be indexed"
        ));
    }
    let is_of_operator = mentions(error, OPERATORS);
    is_of_operator.then(|| {
        format!("a `{name}` is a vector, and CUDA does not define operators for vectors: compute each component, as in `p.i.x - p.j.x`")
    })
}

fn mentions(error: &CompilerError<'_>, words: &[&str]) -> bool {
    words.iter().any(|words| error.message.contains(words))
}

fn has_vector(error: &CompilerError<'_>) -> bool {
    vector(&error.message).or_else(|| vector(error.operands)).is_some()
}

/// The first CUDA vector type in the message, and its number of components.
fn vector(text: &str) -> Option<(&str, usize)> {
    const NUMBERS: &[&str] = &[
        "char", "uchar", "short", "ushort", "int", "uint", "longlong", "ulonglong", "float",
        "double",
    ];
    text.split(|c: char| !is_of_name(c)).find_map(|name| {
        let (at, digit) = name.char_indices().next_back()?;
        let count = digit.to_digit(10).filter(|count| (2..=4).contains(count))?;
        NUMBERS.contains(&&name[..at]).then_some((name, count as usize))
    })
}

/// The parameters of the kernel's pair function, as declared in its source.
fn parameters<'a>(kernel: &str, source: &'a str) -> &'a str {
    let declared = source.split_once(&format!("void {kernel}_pair("));
    declared.and_then(|(_, rest)| Some(rest.split_once("\n{")?.0)).unwrap_or_default()
}

/// Whether the parameter of this name is a slot: a reference to a plain value.
fn is_slot(parameters: &str, name: &str) -> bool {
    let mut all = parameters.split([',', ')']);
    all.any(|each| {
        each.trim()
            .strip_suffix(name)
            .is_some_and(|ty| ty.ends_with('&') && !ty.contains("td_") && !ty.contains('>'))
    })
}

/// The method calls in a line: the receiver, if it is a name, and the method.
fn methods(code: &str) -> impl Iterator<Item = (&str, &str)> {
    code.match_indices('.').filter_map(|(at, _)| {
        let method = first_name(&code[at + 1..]);
        let is_called = code[at + 1 + method.len()..].trim_start().starts_with('(');
        let is_method = is_called && method.starts_with(|c: char| c.is_ascii_lowercase());
        is_method.then(|| (last_name(&code[..at]), method))
    })
}

fn first_name(text: &str) -> &str {
    &text[..text.find(|c| !is_of_name(c)).unwrap_or(text.len())]
}

fn last_name(text: &str) -> &str {
    &text[text
        .rfind(|c| !is_of_name(c))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))..]
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
