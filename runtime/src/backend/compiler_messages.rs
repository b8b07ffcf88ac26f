//! Makes compiler messages about a kernel readable for the author of its body.

mod errors;
mod mistakes;
#[cfg(test)]
mod tests;

/// The note about sums.
const SUM: &str = "a sum takes `+=` or `-=` and a value, for a vector with all components; it cannot be assigned, read or incremented, and only a sum with `#[each]` has `.i` and `.j`";

/// The note about histograms.
const HISTOGRAM: &str = "a `Histogram` takes `h.add(bin)`, or `h.add(bin, weight)`; it cannot be indexed, assigned or read";

/// The note about lists of pairs without values.
const WITHOUT_VALUES: &str =
    "a `Pairs` lists pairs without values: write `x.push();`, or make it a `Pairs<T>`";

/// Types that only the generated source has, and the note for each.
const TYPES: &[(&str, &str)] = &[
    ("td_each<", "a parameter with `#[each]` has the pair's two elements, `.i` and `.j`"),
    ("td_sum<", SUM),
    (
        "td_totals<",
        "the total of an array takes `x += {a, b, …}` with all of its numbers, `x += weight * v`, or `x[k] += value`",
    ),
    ("td_sums<", SUM),
    ("td_float_sum", SUM),
    ("td_partial", SUM),
    ("td_tally", SUM),
    (
        "td_ends<",
        "a sum with `#[each]` has `.i` and `.j`: write `x.i += …` for element i and `x.j += …` for element j; so has a `Reduce`: write `x.i.join(…)` and `x.j.join(…)`",
    ),
    (
        "td_offers<",
        "a minimum or maximum with `#[each]` takes `x.offer(value)` for both elements, or `x.i.offer(a)` and `x.j.offer(b)`",
    ),
    (
        "td_offer_with_index<",
        "a minimum or maximum of an element takes `.offer(value)`; the index is added automatically",
    ),
    ("td_least<", "a minimum of an element takes `.offer(value)`"),
    ("td_greatest<", "a maximum of an element takes `.offer(value)`"),
    (
        "td_offered<",
        "a `Max` or `Min` takes `x.offer(value)`; it cannot be assigned or read, and the pair is added automatically",
    ),
    ("td_bins", HISTOGRAM),
    ("td_part_bins<", HISTOGRAM),
    ("td_block_bins<", HISTOGRAM),
    ("td_counts", HISTOGRAM),
    ("td_weighted_counts", HISTOGRAM),
    ("td_weights<", HISTOGRAM),
    (
        "td_joined<",
        "a `Reduce` takes `x.join(state)`, with `#[each]` `x.i.join(state)` and `x.j.join(state)`; it cannot be assigned or read",
    ),
    ("td_near<", "a `Nearest` takes `x.push(value)`; with `#[each]` this is for both elements"),
    ("td_pushed", WITHOUT_VALUES),
    ("td_pushed_in_set", WITHOUT_VALUES),
    (
        "td_pushed_of",
        "a `Pairs<T>` lists each pair with a value of type `T`: write `x.push(value);`",
    ),
];

/// Messages for arguments that do not fit, the call on the line below them, and the note for it. They name no type of the
/// generated source, or an unrelated one. `unless` names a type whose own note is enough.
struct Call {
    says: &'static [&'static str],
    call: &'static str,
    unless: Option<&'static str>,
    note: &'static str,
}

const CALLS: &[Call] = &[
    // A value pushed on a list without values.
    Call {
        says: &["too many arguments in function call"],
        call: ".push(",
        unless: Some("td_pushed"),
        note: WITHOUT_VALUES,
    },
    Call {
        says: &["too many arguments in function call"],
        call: ".offer(",
        unless: Some("td_offer_with_index<"),
        note: "`.offer(value)` takes one value; the index of the other element is added automatically",
    },
    // A value of another type.
    Call {
        says: &[
            "no suitable constructor exists to convert",
            "no suitable conversion function",
            "cannot convert",
            "no viable conversion",
        ],
        call: ".offer(",
        unless: None,
        note: "`.offer(value)` takes a value of the type of its `Minima` or `Maxima`: a number, or for a vector all components at once, such as `make_float2(a, b)` for `[f32; 2]`",
    },
];

/// The compilers' messages for a function that gets floats and doubles or integers together.
const MIXED: &[&str] = &["more than one instance of overloaded function", "call of overloaded '"];

const MIXED_NOTE: &str = "CUDA has this function for floats and for doubles: write all arguments in one type, as in `min(x, 1.0f)`, and for floats use the name for floats, as in `powf(x, 2.0f)`";

/// How a kernel gets functions, structs and constants of its author.
const OWN: &str = "put your own functions, structs and constants into the kernel's prelude, `#[td_kernel(prelude = r#\"…\"#)]` or `prelude = include_str!(\"functions.cuh\")`, and Rust constants into `constants(CUTOFF: f32 = crate::CUTOFF)` beside it";

/// What the bodies of a kernel over features can use.
const TEXTS: &str = "in a kernel over features, the body `feature` can use one feature of each element, `k`, `features`, folds, scalars and shared slices; the body `pair` can use all of the kernel's parameters except features, but not `k`; the body `quick`, with `#[dot]` and `#[fold]`, can use the same except folds, and the product, its error bound and `exact()`; the body `lower_bound` can use `dot_upper`, `dot_lower`, elements, scalars and shared slices";

/// The code before the start value of a fold: an assignment in the GPU's source, a constant in the CPU's.
const STARTS: &[&str] = &["_fold[r][c] = ", "_start = "];

/// The messages about a kernel's source, with notes on names that the generated source defines.
pub(crate) fn explained(kernel: &str, source: &str, log: &str) -> String {
    // NVRTC names the operands of an operator on a separate line.
    let is_error = |line: &&str| line.contains("error") || line.contains("operand types are: ");
    let errors: Vec<&str> = log.lines().filter(is_error).collect();
    let is_named = |name: &str| errors.iter().any(|line| has_name(line, name));
    let is_called = |Call { says, call, unless, .. }: &&Call| {
        let is_said = |message: &str| says.iter().any(|words| message.contains(words));
        let mut pairs = log.lines().zip(log.lines().skip(1));
        pairs.any(|(message, line)| {
            message.contains("error") && is_said(message) && line.contains(call)
        }) && !unless.is_some_and(is_named)
    };
    let calls = CALLS.iter().filter(is_called).map(|call| call.note.to_owned());
    let mut types: Vec<_> = TYPES.iter().filter(|(name, _)| is_named(name)).collect();
    types.dedup_by_key(|(_, note)| *note);
    let types = types.into_iter().map(|(_, note)| (*note).to_owned());
    let is_mixed = |line: &&str| MIXED.iter().any(|words| line.contains(words));
    let mixed = errors.iter().any(is_mixed).then(|| MIXED_NOTE.to_owned());
    let errors = errors::parse(source, log);
    let (mut meant, mut others) = (Vec::new(), Vec::new());
    for error in &errors {
        match mistakes::note(kernel, source, error) {
            Some(note) if meant.contains(&note) => {}
            Some(note) => meant.push(note),
            None => others.push(error),
        }
    }
    let pointer = others.iter().any(|error| mistakes::is_of_pointer(error)).then(|| {
        "only parameters with `#[each]` have `.i` and `.j`; a parameter with `#[row]` or `#[column]` is the pair's element itself, and any other slice is a pointer to all of its elements".to_owned()
    });
    let has_texts = source.contains(&format!("{kernel}_feature("));
    let is_undeclared = others.iter().any(|error| mistakes::undeclared(error).is_some());
    let texts = (has_texts && is_undeclared).then(|| TEXTS.to_owned());
    let own = is_undeclared.then(|| OWN.to_owned());
    let generated = [("cu", "SOURCE"), ("cpp", "CPU_SOURCE")].into_iter().filter_map(
        |(extension, constant)| {
            let file = format!("{kernel}.{extension}");
            let is_generated =
                |line: &str| line.strip_prefix(&file).is_some_and(|rest| rest.starts_with(':'));
            log.lines().any(is_generated).then(|| {
                format!("`{file}` is the generated source, stored in `{kernel}::{constant}`")
            })
        },
    );
    let notes: String = types
        .chain(calls)
        .chain(meant)
        .chain(mixed)
        .chain(pointer)
        .chain(texts)
        .chain(own)
        .chain(starts(kernel, source, log))
        .chain(generated)
        .map(|note| format!("\nnote: {note}"))
        .collect();
    format!("{}{notes}", without_candidates(log.trim_end()))
}

/// The log without the lists of functions that a call does not match: for `min(x, 1)` they are a hundred lines.
fn without_candidates(log: &str) -> String {
    let mut is_candidate = false;
    let kept = log.lines().filter(|line| {
        // Indented lines and indented notes belong to the message before them.
        if !line.starts_with([' ', '\t']) && !line.contains("note:   ") {
            is_candidate = line.contains("note: candidate");
        }
        !is_candidate
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// Notes on folds with wrong start values: errors on the lines of the generated source that start them.
fn starts(kernel: &str, source: &str, log: &str) -> Vec<String> {
    let mut notes = Vec::new();
    for message in log.lines().filter(|line| line.contains("error")) {
        let name = ["cu", "cpp"].into_iter().find_map(|extension| {
            let place = message.strip_prefix(&format!("{kernel}.{extension}:"))?;
            let number: usize = place.split_once(':')?.0.parse().ok()?;
            let line = line_of(source, number)?;
            let (before, start) = STARTS.iter().find_map(|start| line.split_once(start))?;
            let name = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
            // A long line continues below.
            Some((name, start.strip_suffix(';').unwrap_or("…")))
        });
        let note = name.map(|(name, start)| {
            format!(
                "the start value of `{name}`, `#[fold(start = \"{start}\")]`, is not valid for its type: write constants of this type"
            )
        });
        notes.extend(note.filter(|note| !notes.contains(note)));
    }
    notes
}

/// The line of this number in the compiler's count. Struct definitions are not counted: a `#line` of their own follows them
/// (`device_type/definition.rs`).
fn line_of(source: &str, number: usize) -> Option<&str> {
    let mut lines = source.lines();
    let jump = source.lines().position(|line| line.starts_with("#line ")).and_then(|at| {
        let to: usize = lines.clone().nth(at)?.strip_prefix("#line ")?.trim().parse().ok()?;
        Some((at, to)).filter(|_| number >= to)
    });
    match jump {
        Some((at, to)) => lines.nth(at + 1 + number - to),
        None => lines.nth(number.checked_sub(1)?),
    }
}

/// Whether the line contains the name, other than as the beginning of a longer name.
fn has_name(line: &str, name: &str) -> bool {
    let is_rest = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        let (before, rest) = (&line[..at], &line[at + name.len()..]);
        // The sum in `td_ends<td_sum<…> &>` is a part of another type, whose note is enough.
        let opened = TYPES.iter().filter(|(outer, _)| outer.ends_with('<'));
        let opened: usize = opened.map(|(outer, _)| before.matches(outer).count()).sum();
        if opened > before.matches('>').count() {
            return false;
        }
        // A name listed with its `<` is complete. g++ spells `p.i` as `p.td_each<float>::i`.
        let is_listed = name.ends_with('<');
        let is_path =
            is_listed && rest.split_once('>').is_some_and(|(_, rest)| rest.starts_with("::"));
        !is_path && (is_listed || !rest.starts_with(is_rest))
    })
}
