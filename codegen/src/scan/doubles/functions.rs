//! The types of CUDA's numeric functions.

/// Functions that return a float for floats and a double for doubles, by names without the `f` of the form for floats.
const OVERLOADED: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos",
    "cosh", "cospi", "cyl_bessel_i0", "cyl_bessel_i1", "erf", "erfc", "erfcinv", "erfcx", "erfinv",
    "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod",
    "hypot", "j0", "j1", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "logb", "nearbyint",
    "nextafter", "normcdf", "normcdfinv", "pow", "rcbrt", "remainder", "rint", "round", "rsqrt",
    "scalbn", "sin", "sinh", "sinpi", "sqrt", "tan", "tanh", "tgamma", "trunc", "y0", "y1",
];

/// Functions that have only a double version by these names, also for float arguments.
const OF_DOUBLES: &[&str] = &["norm3d", "norm4d", "rhypot", "rnorm3d", "rnorm4d"];

/// Functions that have float, double and integer versions by one name.
const OF_ALL: &[&str] = &["abs", "max", "min"];

/// Functions that return an integer or a boolean for any arguments.
const TO_INTEGERS: &[&str] =
    &["ilogb", "isfinite", "isinf", "isnan", "llrint", "llround", "lrint", "lround", "signbit"];

/// The type of a function's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    /// A float, from floats.
    Floats,
    /// A double, from doubles.
    Doubles,
    /// A float from floats, otherwise a double, also from integers.
    Overloaded,
    /// A double, also from floats.
    OfDoubles,
    /// The type of its arguments.
    OfAll,
    /// An integer.
    ToInteger,
    /// A vector of floats.
    FloatVector,
    /// A vector of doubles.
    DoubleVector,
    /// A vector of integers.
    IntegerVector,
}

/// The type of the function of this name, if known.
pub(super) fn function(name: &str) -> Option<Function> {
    let has = |names: &[&str], name: &str| names.contains(&name);
    let of_floats = |base: &str| has(OVERLOADED, base) || has(OF_DOUBLES, base);
    // Names of rounded arithmetic end in their rounding mode.
    let is_rounded = ["_rn", "_rz", "_ru", "_rd"].iter().any(|end| name.ends_with(end));
    Some(match name {
        _ if has(OVERLOADED, name) => Function::Overloaded,
        _ if has(OF_DOUBLES, name) => Function::OfDoubles,
        _ if has(OF_ALL, name) => Function::OfAll,
        _ if has(TO_INTEGERS, name) => Function::ToInteger,
        "__fdividef" | "fdividef" | "__saturatef" => Function::Floats,
        // The version for floats is `__fmaf_rn`.
        _ if is_rounded && name.starts_with("__fma_") => Function::Doubles,
        _ if is_rounded && name.starts_with("__float2") => Function::ToInteger,
        _ if is_rounded && name.starts_with("__f") => Function::Floats,
        _ if is_rounded && name.starts_with("__d") && !name.starts_with("__double2") => {
            Function::Doubles
        }
        _ => match name.strip_prefix("make_") {
            Some(vector) if vector.starts_with("float") => Function::FloatVector,
            Some(vector) if vector.starts_with("double") => Function::DoubleVector,
            Some(_) => Function::IntegerVector,
            None => {
                let base = name.strip_suffix('f')?;
                let is_known = of_floats(base) || base.strip_prefix("__").is_some_and(of_floats);
                is_known.then_some(Function::Floats)?
            }
        },
    })
}

/// The name of the form for floats.
pub(super) fn of_floats(name: &str) -> String {
    if OF_ALL.contains(&name) { name.to_owned() } else { format!("{name}f") }
}
