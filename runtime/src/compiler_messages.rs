//! What compilers say about a kernel, made readable for the author of its body.

/// What an element's sum is.
const SUM_OF_ELEMENT: &str = "the sum of one element: write `+=` or `-=` and a value; it cannot be assigned or read, and has `.i` and `.j` only with `#[each]`";

/// Types that only the generated text has, and what each is in the user's terms.
const TYPES: &[(&str, &str)] = &[
    ("td_each<", "an `#[each]` parameter: the pair's two elements are its `.i` and `.j`"),
    ("td_sum<", "a `Sum` parameter: write its name, `+=` and a value"),
    ("td_wide_sum<", "a `Sum` parameter: write its name, `+=` and a value"),
    ("td_float_sum", "a `Sum` parameter: write its name, `+=` and a value"),
    ("td_partial", "a `Sum` parameter: write its name, `+=` and a value"),
    ("td_tally", "a `Sum` parameter: write its name, `+=` and a value"),
    (
        "td_ends<",
        "an `#[each]` result: write `.i` or `.j` after its name, then `+=` or `-=` and a value",
    ),
    ("td_added<", SUM_OF_ELEMENT),
    ("td_added2<", SUM_OF_ELEMENT),
    ("td_added3<", SUM_OF_ELEMENT),
    ("td_added4<", SUM_OF_ELEMENT),
    (
        "td_offers<",
        "an `#[each]` `Min` or `Max`: write `.offer(value)` for both elements, or `.i.offer(a)` and `.j.offer(b)`",
    ),
    (
        "td_partnered<",
        "a `Min` or `Max` of an element: write `.offer(value)`; the index comes by itself",
    ),
    ("td_least<", "a `Min` of an element: write `.offer(value)`"),
    ("td_greatest<", "a `Max` of an element: write `.offer(value)`"),
    (
        "td_pushed",
        "a `Pairs` parameter, whose pairs have no values: write its name and `.push();`, or make it a `Pairs<T>`",
    ),
    (
        "td_pushed_of",
        "a `Pairs<T>` parameter, whose pairs have a value of that type each: write its name and `.push(value);`",
    ),
];

/// What a compiler says of a value that is pushed on a list without values, and the call on the line below. It names no
/// type.
const TOO_MANY: (&str, &str) = ("too many arguments in function call", ".push(");

/// What compilers say when a body takes a member of a pointer.
const POINTERS: &[&str] = &["must have class type", "pointer type"];

/// The messages, with notes on each name that comes from the generated text and not from the user.
pub(crate) fn explained(kernel: &str, log: &str) -> String {
    let errors: Vec<&str> = log.lines().filter(|line| line.contains("error")).collect();
    let is_named = |name: &str| errors.iter().any(|line| has_name(line, name));
    let pushes_value = log.lines().zip(log.lines().skip(1)).any(|(message, line)| {
        message.contains(TOO_MANY.0) && line.contains(TOO_MANY.1) && !is_named("td_pushed")
    });
    let push = pushes_value.then(|| {
        "a `Pairs` parameter lists pairs without values: write `.push();`, or make it a `Pairs<T>`".to_owned()
    });
    let types = TYPES.iter().filter(|(name, _)| is_named(name));
    let types =
        types.map(|(name, meaning)| format!("`{}` is {meaning}", name.trim_end_matches('<')));
    let takes_members = errors.iter().any(|line| POINTERS.iter().any(|words| line.contains(words)));
    let pointer = takes_members.then(|| {
        "only parameters with `#[each]` have `.i` and `.j`; one with `#[row]` or `#[column]` is the pair's element itself, and another slice is a pointer to all of its elements".to_owned()
    });
    let file = format!("{kernel}.cu");
    let is_generated =
        |line: &str| line.strip_prefix(&file).is_some_and(|rest| rest.starts_with(':'));
    let generated = log
        .lines()
        .any(is_generated)
        .then(|| format!("`{file}` is the generated text, which `{kernel}::SOURCE` holds"));
    let notes: String = types
        .chain(push)
        .chain(pointer)
        .chain(generated)
        .map(|note| format!("\nnote: {note}"))
        .collect();
    format!("{}{notes}", log.trim_end())
}

/// Whether the name is in the line, and not only as the beginning of a longer name.
fn has_name(line: &str, name: &str) -> bool {
    let is_rest = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        // A name that is listed with its `<` has ended.
        name.ends_with('<') || !line[at + name.len()..].starts_with(is_rest)
    })
}

#[cfg(test)]
mod tests {
    use super::explained;

    #[test]
    fn wrong_uses_of_results_are_explained() {
        for (log, note) in [
            (
                "a.rs:3: error: no operator \"+=\" matches these operands: const td_ends<td_added<float, float> &> += float",
                "`td_ends` is an `#[each]` result: write `.i` or `.j` after its name",
            ),
            (
                "a.rs:3: error: class \"td_offers<td_least<float, td_float_order> &>\" has no member \"push\"",
                "`td_offers` is an `#[each]` `Min` or `Max`: write `.offer(value)` for both",
            ),
            (
                "a.rs:3: error: no operator \"=\" matches these operands: td_added3<float3, td_added<float, float>> = float3",
                "`td_added3` is the sum of one element: write `+=` or `-=` and a value",
            ),
        ] {
            let explained = explained("f", log);
            assert!(explained.contains(note), "{explained}");
        }
    }

    /// What NVRTC and a C++ compiler say of pushes that do not fit their lists.
    #[test]
    fn wrong_pushes_are_explained() {
        let valued = "\nnote: `td_pushed_of` is a `Pairs<T>` parameter, whose pairs have a value of that type each: write its name and `.push(value);`";
        let plain = "\nnote: `td_pushed` is a `Pairs` parameter, whose pairs have no values: write its name and `.push();`, or make it a `Pairs<T>`";
        let unnamed = "\nnote: a `Pairs` parameter lists pairs without values: write `.push();`, or make it a `Pairs<T>`";
        for (log, note) in [
            (
                "a.rs:3: error: function \"td_pushed_of<T>::push() [with T=float]\" cannot be referenced -- it is a deleted function",
                valued,
            ),
            (
                "a.rs:3: error: use of deleted function 'void td_pushed_of<T>::push() [with T = float]'",
                valued,
            ),
            ("a.rs:2: error: no matching function for call to 'td_pushed::push(float)'", plain),
            (
                "a.rs:2: error: too many arguments in function call\n   list.push(1.0f);\n             ^",
                unnamed,
            ),
            (
                "a.rs:2: error: too many arguments in function call\n   sqrtf(1, 2);\n            ^",
                "",
            ),
        ] {
            assert_eq!(explained("edm", log), format!("{log}{note}"));
        }
    }

    #[test]
    fn types_of_the_generated_text_are_explained() {
        let log = "src/main.rs:9: error: class \"td_each<float4>\" has no member \"k\"";
        let text = explained("edm", log);
        assert_eq!(
            text,
            format!(
                "{log}\nnote: `td_each` is an `#[each]` parameter: the pair's two elements are its `.i` and `.j`"
            )
        );
        assert_eq!(explained("edm", "src/medm.cu:3: error: no"), "src/medm.cu:3: error: no");
        let text = explained("edm", "edm.cu:3: error: no\n");
        assert_eq!(
            text,
            "edm.cu:3: error: no\nnote: `edm.cu` is the generated text, which `edm::SOURCE` holds"
        );
    }
}
