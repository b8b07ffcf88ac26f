//! Attributes and functions from bytes: each byte chooses one alternative of the grammar, so that inputs resemble kernels with
//! single errors.

/// The unused bytes. When none are left, each choice is the first one.
pub(crate) struct Choices<'a>(pub(crate) &'a [u8]);

impl<'a> Choices<'a> {
    fn byte(&mut self) -> usize {
        match self.0.split_first() {
            Some((&byte, rest)) => {
                self.0 = rest;
                byte.into()
            }
            None => 0,
        }
    }

    fn of(&mut self, choices: &[&str]) -> String {
        choices[self.byte() % choices.len()].to_owned()
    }

    /// True one time in `rate`; never when no bytes are left.
    fn rarely(&mut self, rate: usize) -> bool {
        self.byte() % rate == rate - 1
    }

    /// A string of the fuzzer's bytes.
    fn raw(&mut self) -> String {
        let length = (self.byte() % 24).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }

    fn some(
        &mut self,
        most: usize,
        between: &str,
        mut each: impl FnMut(&mut Self) -> String,
    ) -> String {
        let count = self.byte() % (most + 1);
        (0..count).map(|_| each(self)).collect::<Vec<_>>().join(between)
    }
}

/// The words of a list. Two spaces or more separate them, since some have one within them.
fn words(list: &str) -> Vec<&str> {
    list.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect()
}

const KEYS: &[&str] = &[
    "map", "sqrt", "epsilon", "space", "grid", "diagonal", "sweep", "block", "tile",
    "deterministic", "fmad", "order", "prelude", "constants", "crate", "r#map", "self", "mpa",
    "größe",
];

const VALUES: &str = r#"
    "ltm"  "utm"  "rb"  "rec"  "h"  "walk"  "table"  "bb"  "auto"  "exact"  "sqrt"  "newton"
    "rsqrt"  "block"  "thread"  "balanced"  "linear"  "rows"  "columns"  "mirror"  "fold"  "classic"
    true  false  0  8  16  32  64  96  256  1e-4  0.5  -1e-4  1e999  0f32  99999999999  16u8
    ::td_kernel  crate::a  <T as U>::V  ""  r"ltm"  b"ltm"  'l'  c"ltm"  1 + 1  { 1 }  |x| x
    if a { b }  __group__("ltm")  __group__(32)
"#;

/// Texts, files and constants as values.
const TEXTS: &[&str] = &[
    "r\"#define x 1\ninline float f(float d) { return d; }\"",
    "include_str!(\"pair.cu\")",
    "(A: f32 = 1.0, p: usize = a::B)",
];

/// The tokens between the parentheses of the attribute.
pub(crate) fn attribute(choices: &mut Choices<'_>) -> String {
    choices.some(6, " ", |choices| {
        if choices.rarely(24) {
            return choices.raw();
        }
        let key = choices.of(KEYS);
        let sign = choices.of(&["=", "=", "=", "=", "=", "=", "==", "", "(", ":"]);
        let value = choices.of(&[&words(VALUES)[..], TEXTS].concat());
        let end = choices.of(&[",", ",", ",", ",", ",", "", ",,", ";"]);
        format!("{key} {sign} {value} {end}")
    })
}

const NAMES: &[&str] = &[
    "p", "q", "d", "s", "x", "i", "j", "n", "row", "td_x", "__x", "r#type", "r#fn", "größe", "k",
    "features", "NULL", "template", "launch", "variant", "self_", "p_all", "d_packed",
];

/// The item that the attribute is on.
pub(crate) fn item(choices: &mut Choices<'_>) -> String {
    if choices.rarely(24) {
        return choices.raw();
    }
    let outer = choices.some(2, " ", |choices| {
        choices.of(&[
            "/// Text.", "#[doc = \"a\"]", "#[cfg(a)]", "#[inline]", "#[allow(b)]",
            "#[cfg_attr(a, b)]", "#[each]", "#[must_use = 1]",
        ])
    });
    let visibility = choices.of(&["", "pub", "pub(crate)", "pub(in crate::a)", "default", "crate"]);
    let modifiers = choices.of(&[
        "unsafe",
        "unsafe",
        "unsafe",
        "unsafe",
        "",
        "const unsafe",
        "async unsafe",
        "unsafe extern",
        "unsafe extern \"C\"",
        "safe",
        "gen",
    ]);
    let keyword =
        choices.of(&["fn", "fn", "fn", "fn", "fn", "fn", "fn", "struct", "mod", "static"]);
    let name = match choices.rarely(2) {
        true => choices.of(NAMES),
        false => "kernel".into(),
    };
    let generics =
        choices.of(&["", "", "", "", "", "", "<T>", "<'a>", "<const N: usize>", "<>", "<T: U<V>>"]);
    let parameters = choices.some(5, "", parameter);
    let output = choices.of(&["", "", "", "", "", "", "-> f32", "-> ()", "-> !", "-> impl A"]);
    let bounds = choices.of(&["", "", "", "", "", "", "where T: A", "where", "where f32: A,"]);
    let body = match choices.rarely(12) {
        true => choices.raw(),
        false => choices.of(BODIES),
    };
    format!(
        "{outer}\n{visibility} {modifiers} {keyword} {name} {generics} ({parameters}) {output} {bounds} {body}"
    )
}

const BODIES: &[&str] = &[
    "{ r\"x = 1;\" }",
    "{ r#\"d = p.i - p.j;\"# }",
    "{ r\"if (p.i < p.j) s += 1;\" }",
    "{ r\"x.push();\" }",
    "{ include_str!(\"pair.cu\") }",
    "{ ::core::include_str!(\"pair.cu\") }",
    "{ include_str!(1) }",
    "{ include_str!(\"no.cu\") }",
    "{ __group__(r\"x = 1;\") }",
    "{ \"x = 1;\" }",
    "{ r\"\" }",
    "{ r\"}\n{\" }",
    "{ r\"x = 1;\"; }",
    "{ r\"a\" r\"b\" }",
    "{ let feature = r\"s += p.i - p.j;\"; let pair = r\"d = s;\"; }",
    "{ let pair = r\"d = q;\"; let feature = r\"q += x * k;\"; }",
    "{ let feature = r\"}\"; }",
    "{ let feature = r\"s += p.i * p.j;\"; let pair = r\"near.push(s);\"; let lower_bound = r\"-dot_upper\"; }",
    "{ let pair = r\"near.push(x.i - x.j);\"; let lower_bound = r\"box_distance(x.i, x.j) - x.i.hi.r\"; }",
    "{ let mut pair = r\"\"; let feature = 1; x }",
    "{ r\"d = s * q_error;\" }",
    "{ br\"x = 1;\" }",
    "{ r\"x = 1;\"suffix }",
    "{ #![inner] r\"x = 1;\" }",
    "{ concat!(\"a\") }",
    "{}",
    ";",
    "",
];

/// Wrong attributes of parameters.
const MARKERS: &str = r#"
    #[each] #[each]  #[each()]  #[each = 1]  #[cfg(a)]  #[a::each]  #[row] #[each]
    #[fold(start = "1")]  #[fold(start = ")")]  #[fold()]  #[fold] #[each]  #[dot(1)]
    #[dot] #[fold]
"#;

fn parameter(choices: &mut Choices<'_>) -> String {
    if choices.rarely(32) {
        return choices.raw();
    }
    let marker = match choices.rarely(8) {
        true => choices.of(&words(MARKERS)),
        false => choices.of(&["", "#[each]", "", "#[row]", "#[column]", "#[fold]", "#[dot]"]),
    };
    let pattern = match choices.rarely(12) {
        true => choices.of(&["_", "mut x", "ref x", "(a, b)", "x @ _", "self", "&self", "..."]),
        false => choices.of(NAMES),
    };
    let ty = typed(choices, 3);
    let end = choices.of(&[",", ",", ",", ",", ",", ",", ",", "", ",,"]);
    match choices.rarely(32) {
        true => format!("{marker} {pattern} {end}"),
        false => format!("{marker} {pattern}: {ty} {end}"),
    }
}

/// Types around an element, which stands for `@`.
const SHAPES: &str = "
    &[@]  &[@]  &mut [@]  @  &mut Packed<@>  &mut Packed<@>  &mut Square<@>  &mut Square<@>
    &mut Matrix<@>  &mut Sum<@>  &mut Pairs  Packed<@>  &Packed<@>  &mut Packed  &mut Pairs<@>
    &mut td_kernel::Packed<@>  &'a [@]  &mut Packed<@, @>  &mut Packed<A = @>  & &[@]  [@]  (@)
    (@, @)  *const @  fn(@) -> @  impl A<@>  dyn A  [@; 2]  &(&[@])  __group__(&[@])  !  _  @::B
    <@ as A>::B  &mut Sum<'a>  &mut Histogram<@>  &mut Max<@>  &mut Min<@>  &mut Minima<@>
    &Arrays<@>  &mut ArraySums<@>  &mut Reduce<@>  &mut Nearest<@, 10>  &mut Nearest<@, 0>
    &mut Maxima<(@, u32)>  &mut Minima<(@, @)>  &mut Maxima  &Features<@>  &mut Features<@>
    Features
";

fn typed(choices: &mut Choices<'_>, depth: usize) -> String {
    if depth == 0 || choices.rarely(48) {
        return choices.raw();
    }
    let shape = choices.of(&words(SHAPES));
    let mut text = String::new();
    for (at, part) in shape.split('@').enumerate() {
        if at > 0 {
            text += &element(choices, depth);
        }
        text += part;
    }
    text
}

const PRIMITIVES: &str = "
    f32  f64  i8  i16  i32  i64  u8  u16  u32  u64  usize  bool  char  f16  half::bf16
    core::primitive::f16  i128  String  str
";

fn element(choices: &mut Choices<'_>, depth: usize) -> String {
    match choices.byte() % 24 {
        0..8 => choices.of(&words(PRIMITIVES)),
        8..14 => {
            let number =
                choices.of(&["f32", "f64", "f16", "i8", "u16", "i32", "u64", "bool", "Own"]);
            let length =
                choices.of(&words("2  3  4  1  5  0  N  2usize  { 2 }  99999999999999999999"));
            format!("[{number}; {length}]")
        }
        14..20 => choices.of(&[
            "Own", "a::Own", "row", "x", "y", "float4", "r#struct", "Größe", "__A", "td_A", "Self",
            "Own<f32>", "Packed", "__group__(f32)", "(f32)",
        ]),
        _ => typed(choices, depth - 1),
    }
}
