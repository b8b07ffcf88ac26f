//! The table of what does not go with ways of visiting and of launching, against the code generator: what is in the table is refused,
//! and everything else has a source. Its snapshot has each message about a combination once, with the first combination that is
//! refused so.

use std::mem::take;

use proc_macro2::{TokenStream, TokenTree};
use rayon::prelude::*;
use td_kernel_codegen::Refused;
use td_kernel_tests::NoFiles;
use td_kernel_tests::catalogue::{self, CatalogueFiles, Entry};
use td_kernel_tests::parallel::CheckEach;

/// A name in the table, its parameters, and its statements.
type Part = [&'static str; 3];

/// Many sets, the outputs of pairs of one set, and those of columns that need all rows. The other outputs of two sets follow from
/// these.
const OUTPUTS: &str = r#"
`Sets<T>` | #[each] q: &Sets<f32>, o: &mut Sum<u32> | o += q.i < q.j;
`&mut [T]` | o: &mut [f32] | o[i] = 1;
`Packed<T>` | o: &mut Packed<f32> | o = 1;
`Square<T>` | o: &mut Square<f32> | o = 1;
`Matrix<T>` | o: &mut Matrix<f32> | o = 1;
`Sum<T>` | o: &mut Sum<f32> | o += 1;
`Histogram<T>` | o: &mut Histogram<u64> | o.add(i);
`Max<T>` | o: &mut Max<f32> | o.offer(1);
`Min<T>` | o: &mut Min<f32> | o.offer(1);
`Reduce` of all pairs | o: &mut Reduce<State> | o.join(State{});
`Pairs` | o: &mut Pairs | o.push();
`Pairs<T>` | o: &mut Pairs<f32> | o.push(1);
`Sums<T>` | #[each] o: &mut Sums<f32> | o.i += 1;
`Minima<T>` | #[each] o: &mut Minima<f32> | o.i.offer(1);
`Maxima<T>` | #[each] o: &mut Maxima<f32> | o.i.offer(1);
`Sums` of more than four numbers | #[each] w: &[[f32; 8]], #[each] o: &mut Sums<[f32; 8]> | o.i += w.j;
`ArraySums<T>` | #[each] w: &Arrays<f32>, #[each] o: &mut ArraySums<f32> | o.i += w.j;
`Reduce` of elements | #[each] o: &mut Reduce<State> | o.i.join(State{}); o.j.join(State{});
`Nearest<T, K>` | #[each] o: &mut Nearest<f32, 3> | o.push(1);
`Reduce` of columns | #[column] o: &mut Reduce<State> | o.join(State{});
`Nearest<T, K>` | #[column] o: &mut Nearest<f32, 3> | o.push(1);
`Sums<T>` | #[column] o: &mut Sums<f32> | o += 1;
`Minima<T>` | #[column] o: &mut Minima<f32> | o.offer(1);
`Maxima<T>` | #[set] o: &mut Maxima<f32> | o.offer(1);
"#;

/// States of rows and of columns, which are also those of elements.
const OF_ROWS: &str = "`Reduce` of rows";
const OF_COLUMNS: &str = "`Reduce` of columns";

/// The ways of launching any kernel.
const LAUNCHES: [&str; 6] = [
    "given pairs",
    "ranges of rows",
    "`chunks`",
    "several devices or processes",
    "one launch of one set or two on several devices at once",
    "`tune`",
];

/// Ways that refuse no output: tests of lists, devices, processes and reports launch them. And ways of keys beside a bound or states,
/// whose refusals `ui-tests` has.
const OTHERS: [&str; 9] = [
    "`keep`",
    "`report`",
    "GPUs beside a CPU",
    "`chunks` on several devices",
    "a `Packed` or `Matrix` on several devices",
    "devices that several processes share",
    "`deterministic` with a `lower_bound` over boxes",
    "`deterministic` with `Features` and a `lower_bound`",
    "`deterministic` with a `Reduce` of rows or columns",
];

/// A way of launching near pairs, for outputs that go with given pairs.
const KEEP: &str = "`keep` with `deterministic`";

/// The ways of visiting: their parameters, and the statements that use them.
const VISITS: &str = r#"
`Sets` | #[each] p: &Sets<f32> | if (p.i < p.j) return;
`FeatureSets` | #[each] p: &FeatureSets<f32>, #[fold] s: f32 | if (s < 1) return;
`keep` with `deterministic` | #[each] p: &[f32], bins: &mut Histogram<f32> | bins.add(0, p.i - p.j);
`lower_bound` over boxes | #[each] p: &[f32] | if (p.i < p.j) return;
`lower_bound` over features | #[each] p: &Features<f32>, #[fold] s: f32 | if (s < 1) return;
`#[dot]` | #[each] p: &Features<f32>, #[dot] dot: f32 | if (dot < 1) return;
the body `quick` | #[each] p: &Features<f32>, #[fold] s: f32, #[dot] dot: f32 | if (s < 1) return;
beside `Nearest` | #[each] p: &[f32], #[each] near: &mut Nearest<f32, 9> | near.push(p.i - p.j);
beside `Reduce` of elements | #[each] p: &[f32], #[each] state: &mut Reduce<State> | state.i.join(State{p.j}); state.j.join(State{p.i});
beside a `Nearest` or `Reduce` in many sets | #[each] p: &Sets<f32>, #[each] state: &mut Reduce<State> | state.i.join(State{p.j}); state.j.join(State{p.i});
beside `Reduce` of rows or columns | #[row] p: &[f32], #[row] state: &mut Reduce<State> | state.join(State{p});
beside `Reduce` of rows | #[row] p: &[f32], #[row] state: &mut Reduce<State> | state.join(State{p});
beside `ArraySums` | #[each] p: &[f32], #[each] v: &Arrays<f32>, #[each] sums: &mut ArraySums<f32> | sums.i += p.j * v.j; sums.j += p.i * v.i;
"#;

/// Ways of launching, and a kernel each for reasons that the combinations do not have: keys, parameters and bodies.
const OTHER_LAUNCHES: &str = r##"
ranges of rows | space = "thread" | s: &mut Sum<u64>) { r#"s += 1;"# }
ranges of rows | map = "rec" | s: &mut Sum<u64>) { r#"s += 1;"# }
ranges of rows | | #[row] p: &[f32], #[column] q: &[f32], #[row] o: &mut Nearest<f32, 3>) { r#"o.push(p - q);"# }
`keep` | | #[each] p: &[f32], s: &mut Sum<u64>) { let pair = r#"s += 1;"#; let lower_bound = r#"box_square(p.i, p.j)"#; }
`#[dot]` | deterministic = true | #[each] p: &Features<f32>, s: &mut Sum<f32>, #[dot] d: f32) { r#"s += d;"# }
`#[dot]` | | #[row] p: &Features<f16>, #[column] q: &Features<bf16>, s: &mut Sum<f32>, #[dot] d: f32) { r#"s += d;"# }
`#[dot]` | | #[each] p: &Features<f32>, #[each] o: &mut Sums<[f32; 8]>, #[dot] d: f32) { r#"o.i[0] += d;"# }
`#[dot]` | | #[each] p: &Features<f32>, o: &mut Reduce<State>, #[dot] d: f32) { r#"o.join(State{d});"# }
"##;

/// Keys: a part of their name in the table, the keys, a parameter that they need, and its statement.
const KEYS: &str = r#"
lists by element (from the second launch on) |  | , #[each] z: &mut Sums<f32> | z.i += 1;
the sweep `mirror` | sweep = "mirror" | , z: &mut Square<f32> | z = 1;
the sweep `rows` | sweep = "rows" | , z: &mut Square<f32> | z = 1;
the sweep `columns` | sweep = "columns" |  |
the sweep `rotate` | sweep = "rotate" | , #[each] z: &mut Sums<f32> | z.i += 1;
slots and results in one tile, with `tile` or the sweep `rows` | tile = 96 | , z: &mut Packed<f32> | z = 1;
`space = "thread"` without `diagonal` | space = "thread" |  |
`deterministic` with the map `walk` or `auto` | deterministic = true, map = "walk" | , z: &mut Histogram<f32> | z.add(0, 1.0f);
"#;

/// Forms in the table and a kernel of each: keys, parameters and bodies.
const FORMS: &str = r##"
one set | | #[each] p: &[f32], o: &mut Sum<f32>) { r#"o += p.i * p.j;"# }
two sets | | #[row] p: &[f32], #[column] q: &[f32], o: &mut Sum<f32>) { r#"o += p * q;"# }
`Sets` | | #[each] p: &Sets<f32>, o: &mut Sum<f32>) { r#"o += p.i * p.j;"# }
`FeatureSets` | | #[each] p: &FeatureSets<f32>, #[fold] s: f32, o: &mut Sum<f32>) { let feature = r#"s += p.i;"#; let pair = r#"o += s;"#; }
`Features` | | #[each] p: &Features<f32>, #[fold] s: f32, o: &mut Sum<f32>) { let feature = r#"s += p.i;"#; let pair = r#"o += s;"#; }
beside `Nearest` | | #[each] p: &[f32], #[each] o: &mut Nearest<f32, 3>) { r#"o.push(p.i - p.j);"# }
beside `Reduce` of elements | | #[each] p: &[f32], #[each] o: &mut Reduce<State>) { r#"o.i.join(State{p.j}); o.j.join(State{p.i});"# }
beside `Reduce` of rows, two sets | | #[row] p: &[f32], #[column] q: &[f32], #[row] o: &mut Reduce<State>) { r#"o.join(State{p * q});"# }
`deterministic` with a `lower_bound` | deterministic = true,  | #[each] p: &[f32], o: &mut Sum<f32>) { let pair = r#"o += p.i;"#; let lower_bound = r#"box_distance(p.i, p.j)"#; }
lists by element | | #[each] p: &[f32], #[each] o: &mut Sums<f32>) { r#"o.i += p.j; o.j += p.i;"# }
"##;

/// A value of each key that a kernel of one set can have.
const VALUES: &str = r#"map = "rb"; sqrt = "newton"; epsilon = 1e-4, sqrt = "rsqrt"; grid = "linear"; space = "thread"; diagonal = true; sweep = "columns"; tile = 64; block = 16; deterministic = true"#;

/// The rows of a table of this file.
fn rows<const N: usize>(table: &'static str) -> Vec<[&'static str; N]> {
    let row = |line: &'static str| {
        let mut cells = line.split('|').map(str::trim);
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    };
    table.lines().skip(1).map(row).collect()
}

/// The tokens of a kernel's keys and of its function.
fn tokens(keys: &str, item: &str) -> (TokenStream, TokenStream) {
    let prelude = "prelude = r#\"State join(State a, State b) { return a; }\"#, ";
    let prelude = if item.contains("State") { prelude } else { "" };
    (format!("{prelude}{keys}").parse().unwrap(), item.parse().unwrap())
}

/// A kernel with a way of visiting and an output.
fn kernel(
    [visit, of_visit, use_of_visit]: Part,
    [output, of_output, use_of_output]: Part,
) -> String {
    let mut bodies = vec![("pair", format!("{use_of_visit} {use_of_output}"))];
    if of_visit.contains("#[fold]") {
        bodies.push(("feature", "s += p.i * p.j;".to_owned()));
    }
    match visit {
        "`lower_bound` over boxes" | KEEP => {
            bodies.push(("lower_bound", "box_distance(p.i, p.j)".to_owned()));
        }
        "`lower_bound` over features" => bodies.push(("lower_bound", "-dot_upper".to_owned())),
        "the body `quick`" => {
            bodies.push(("quick", format!("if (dot < 1) return exact(); {use_of_output}")));
        }
        _ => {}
    }
    let bodies = match &bodies[..] {
        [(_, only)] => format!("r#\"{only}\"#"),
        several => {
            several.iter().map(|(name, body)| format!("let {name} = r#\"{body}\"#; ")).collect()
        }
    };
    let one_set = format!("unsafe fn f({of_visit}, {of_output}) {{ {bodies} }}");
    let is_of_columns = of_output.starts_with("#[column]");
    if output != "`Matrix<T>`" && !is_of_columns && !visit.starts_with("beside `Reduce` of rows") {
        return one_set;
    }
    // The elements of rows, beside a second parameter for those of columns.
    let of_one =
        [("p.i", "p"), ("w.j", "w"), ("v.i", "v"), ("v.j", "v"), ("o.i.", "o."), ("o.i ", "o ")];
    let of_sums = [
        ("sums.i ", "sums "),
        ("sums.j ", "sums "),
        ("state.i.", "state."),
        ("state.j.", "state."),
    ];
    let rows = one_set.replace("#[each]", "#[row]");
    let rows = of_one.iter().chain(&of_sums).fold(rows, |text, (of, row)| text.replace(of, row));
    let elements = of_visit.split(['&', ',']).nth(1).unwrap();
    let sets = rows.replace("p.j", "q").replacen(", ", &format!(", #[column] q: &{elements}, "), 1);
    match visit {
        "beside `Reduce` of rows or columns" if is_of_columns => {
            sets.replace("#[row] state", "#[column] state")
        }
        _ => sets,
    }
}

#[test]
fn table_is_what_the_generator_does() {
    let table = td_kernel_codegen::support();
    let entries: Vec<_> =
        catalogue::all().into_iter().map(|entry| (entry, refused(&entry))).collect();
    let launches = LAUNCHES.map(|name| [name, "#[each] p: &[f32]", "if (p.i < p.j) return;"]);
    let (visits, outputs) = ([rows(VISITS), launches.to_vec()].concat(), rows(OUTPUTS));
    for ([name, ..], column) in
        visits.iter().map(|part| (part, 0)).chain(outputs.iter().map(|part| (part, 1)))
    {
        let is_in = table.iter().any(|row| row[column].contains(name));
        assert!(name == &"`Sum<T>`" || is_in, "{name}");
    }
    let all = visits.iter().flat_map(|visit| outputs.iter().map(move |output| (*visit, *output)));
    let all: Vec<(Part, Part)> = all.collect();
    let refused = all.into_par_iter().check_each(|(visit, output)| {
        let names = [visit[0], output[0]];
        let is_listed = |visit: &str| {
            let is_of = |row: &&[String; 3]| {
                let is_of_elements =
                    names[1] == OF_COLUMNS && row[1].contains("`Reduce` of elements");
                is_of_elements || row[1].contains(names[1])
            };
            table.iter().filter(is_of).any(|row| row[0].contains(visit))
        };
        // What the table has by the other name.
        let is_second = match names {
            [visit, "`Sets<T>`"] => visit.starts_with("beside") || visit.ends_with("Sets`"),
            // States of columns have a row of their own beside those of rows.
            [visit, OF_COLUMNS] => {
                ["beside `Reduce` of elements", "beside a `Nearest` or `Reduce` in many sets"]
                    .contains(&visit)
            }
            _ => false,
        };
        let of_boxes = ["given pairs", "`lower_bound` over boxes"];
        let is_of_sets = visit[0].ends_with("Sets`") || !output[1].starts_with("#[set]");
        if is_second || !is_of_sets || (names[0] == KEEP && of_boxes.into_iter().any(is_listed)) {
            return None;
        }
        let is_product = names[0] == "the body `quick`" && is_listed("`#[dot]`");
        let is_refused = is_listed(names[0]) || is_product;
        let item = kernel(visit, output);
        let keys = if names[0] == KEEP { "deterministic = true" } else { "" };
        let (attribute, text) = tokens(keys, &item);
        let sources = match td_kernel_codegen::cuda_sources(attribute, text, &NoFiles) {
            Ok(sources) => sources,
            Err(error) => {
                let is_of_launches = LAUNCHES.contains(&names[0]);
                assert!(is_refused && !is_of_launches, "{names:?}: {item}\n{error}");
                return Some((names, messages(error)));
            }
        };
        let refused = &sources[0].refused;
        let why = reason(refused, names[0]);
        let (attribute, text) = tokens(keys, &item);
        let is_without = match names[0] {
            "given pairs" => {
                let sources = td_kernel_codegen::pairs_sources(attribute, text, &NoFiles);
                sources.unwrap().is_empty()
            }
            KEEP => {
                let sources = td_kernel_codegen::list_sources(attribute, text, &NoFiles);
                sources.unwrap().is_empty()
            }
            "ranges of rows" => {
                let has_rows = sources.iter().any(|source| source.has_rows);
                // Those of many sets are for parts of a large set, and those of columns for several devices.
                let is_other = names[1] == "`Sets<T>`" || output[1].starts_with("#[column]");
                assert!(is_other || has_rows == refused.rows.is_none(), "{item}");
                why.is_some()
            }
            "`chunks`" => {
                let text = td_kernel_codegen::td_kernel(attribute, text, &NoFiles).to_string();
                let has = text.contains("fn chunks") && !text.contains("InChunks");
                // Results without a slot for each pair have no chunks of their own.
                let is_slot = ["`Packed<T>`", "`Matrix<T>`"].contains(&names[1]);
                assert!(is_slot || !has, "{item}");
                if is_slot { !has } else { is_refused }
            }
            _ => why.is_some(),
        };
        assert_eq!(is_without, is_refused, "{names:?}: {item}");
        // The tests of chunks launch them.
        if why.is_some() || visit[0] == "`chunks`" {
            return why.map(|why| (names, vec![format!("    {why}\n")]));
        }
        let is_launched = |of: &Refused| reason(of, visit[0]).is_none();
        let is_run = entries.iter().any(|(entry, of)| has(entry, visit, output) && is_launched(of));
        (!is_run).then(|| (names, Vec::new()))
    });
    let (untried, refused): (Vec<_>, Vec<_>) =
        refused.into_iter().flatten().partition(|(_, messages)| messages.is_empty());
    assert!(untried.is_empty(), "no kernel of the catalogue has {untried:#?}");
    let others =
        (["other launches", "of any kernel"], reasons(td_kernel_codegen::other_launches()));
    let by_keys = rows(OTHER_LAUNCHES).into_iter().map(|[name, keys, function]| {
        let (attribute, text) = tokens(keys, &format!("unsafe fn f({function}"));
        let sources = td_kernel_codegen::cuda_sources(attribute, text, &NoFiles).unwrap();
        let Refused { rows, kept, products, .. } = &sources[0].refused;
        let why = rows.iter().chain(kept).chain(products);
        ([name, keys], why.map(|why| format!("    {why}\n")).collect())
    });
    compare(refused.into_iter().chain([others]).chain(by_keys));
}

/// Fails if the table has a way that no test here names.
#[test]
fn tests_have_each_way() {
    let tables = [VISITS, KEYS, FORMS].map(rows::<4>).concat().into_iter().map(|[name, ..]| name);
    let names: Vec<_> = tables.chain(LAUNCHES).chain(OTHERS).chain([KEEP]).collect();
    for [ways, ..] in td_kernel_codegen::support() {
        for way in ways.split(", ") {
            let has_way = names.iter().any(|name| name.contains(way) || way.starts_with(name));
            assert!(has_way, "no test has {way}");
        }
    }
}

/// What the launches of an entry do not support.
fn refused(entry: &Entry) -> Refused {
    let (attribute, text) = (entry.keys.parse().unwrap(), entry.item.parse().unwrap());
    let sources = td_kernel_codegen::cuda_sources(attribute, text, &CatalogueFiles).unwrap();
    sources[0].refused.clone()
}

/// Why launches do not support one of their ways.
fn reason<'a>(refused: &'a Refused, way: &str) -> Option<&'a String> {
    match way {
        "given pairs" => refused.pairs.as_ref(),
        KEEP => refused.kept.as_ref(),
        "ranges of rows" => refused.rows.as_ref(),
        "several devices or processes" => refused.devices.as_ref(),
        "one launch of one set or two on several devices at once" => refused.divided.as_ref(),
        "`tune`" => refused.tuning.as_ref(),
        _ => None,
    }
}

/// Each of these keys with each output: it is refused if the table says so. What else is refused has a search, arrays or states, which
/// have ways of their own.
#[test]
fn keys_are_refused_by_the_table() {
    let table = td_kernel_codegen::support();
    for [key, keys, parameter, statement] in rows(KEYS) {
        assert!(table.iter().any(|row| row[0].contains(key)), "the table has no {key}");
        for [output, of_output, use_of_output] in rows(OUTPUTS) {
            let of_others = ["#[column]", "#[set]", "Matrix"];
            let is_of_pairs = !of_others.iter().any(|other| of_output.contains(other));
            let own = ["Nearest", "Arrays", "#[each] o: &mut Reduce"];
            let has_own = own.iter().any(|own| of_output.contains(own));
            if !is_of_pairs || has_own || of_output.contains("Sets<") {
                continue;
            }
            let is_listed = table.iter().any(|row| row[0].contains(key) && row[1].contains(output));
            let parameters = format!("#[each] p: &[f32]{parameter}, {of_output}");
            let item = format!(
                "unsafe fn f({parameters}) {{ r#\"if (p.i < p.j) return; {statement} {use_of_output}\"# }}"
            );
            assert_eq!(is_refused(key, keys, &item), is_listed, "{keys}: {item}");
        }
    }
}

/// Whether a kernel is refused, or visits lists in their order and not by element.
fn is_refused(way: &str, keys: &str, item: &str) -> bool {
    let (attribute, text) = tokens(keys, item);
    match way {
        _ if way.starts_with("lists by element") => {
            td_kernel_codegen::pairs_sources(attribute, text, &NoFiles)
                .is_ok_and(|sources| sources.len() < 3)
        }
        _ => td_kernel_codegen::cuda_sources(attribute, text, &NoFiles).is_err(),
    }
}

/// Each form with each key: the key is refused if the table says so.
#[test]
fn keys_of_forms_are_refused_by_the_table() {
    let table = td_kernel_codegen::support();
    for [forms, own, function] in rows(FORMS) {
        let item = format!("unsafe fn f({function}");
        let is_of_form = |row: &&[String; 3]| forms.split(", ").any(|form| row[0].contains(form));
        for keys in VALUES.split("; ") {
            let key = format!("`{}`", keys.split(' ').next().unwrap());
            let is_listed = table.iter().filter(is_of_form).any(|row| row[1].contains(&key));
            // The others have no sums of floats, or the key in another row.
            if key != "`deterministic`" || forms == "lists by element" {
                let keys = format!("{own}{keys}");
                assert_eq!(is_refused(forms, &keys, &item), is_listed, "{keys}: {item}");
            }
        }
    }
}

/// Whether a kernel has a way of visiting and an output beside what that way is. The catalogue's drivers launch each kernel in each way.
fn has(entry: &Entry, [visit, of_visit, _]: Part, [output, of_output, _]: Part) -> bool {
    let outputs = entry.parameters.iter().map(|[marker, ty]| label(marker, ty));
    let outputs: Vec<_> = outputs.collect();
    if output == "`Sets<T>`" {
        return entry.parameters.iter().any(|[_, ty]| ty.starts_with("&Sets"));
    }
    let count = |name: &str| outputs.iter().filter(|each| *each == name).count();
    let has_type = |name: &str| entry.parameters.iter().any(|[_, ty]| ty.starts_with(name));
    let has_rows = count(OF_ROWS) + count(OF_COLUMNS) > 0;
    let is_visited = match visit {
        "`Sets`" => has_type("&Sets"),
        "`FeatureSets`" => has_type("&FeatureSets"),
        KEEP if !entry.keys.contains("deterministic") => false,
        "`lower_bound` over boxes" | KEEP => entry.has_bound && !has_type("&Features"),
        "`lower_bound` over features" => entry.has_bound && has_type("&Features"),
        "`#[dot]`" => entry.item.contains("#[dot]"),
        "the body `quick`" => entry.item.contains("let quick"),
        _ if LAUNCHES.contains(&visit) => true,
        "beside `Reduce` of rows or columns" => has_rows,
        "beside `Reduce` of rows" => count(OF_ROWS) > 0,
        "beside a `Nearest` or `Reduce` in many sets" => {
            has_type("&Sets") && outputs.iter().any(|each| each.starts_with("`Reduce`"))
        }
        _ => outputs.iter().any(|each| {
            visit == format!("beside {}", each.replace("<T, K>", "").replace("<T>", ""))
        }),
    };
    let own = of_visit
        .rsplit(", ")
        .next()
        .filter(|_| visit.starts_with("beside"))
        .and_then(|own| own.split_once(": "));
    let own = own.map_or(String::new(), |(name, ty)| {
        label(name.split([']', '[']).nth(1).unwrap_or_default(), ty)
    });
    // Those of columns are beside those of rows or of columns. Those of rows are states of elements, too.
    let own = if visit == "beside `Reduce` of rows or columns" && output == OF_COLUMNS {
        output.to_owned()
    } else {
        own
    };
    let output = if output.ends_with("of elements") && has_rows { OF_ROWS } else { output };
    let marker =
        of_output.split(['[', ']']).nth(1).filter(|marker| ["set", "column"].contains(marker));
    let has_marker = |marker| {
        entry.parameters.iter().any(|[own, ty]| *own == marker && label(own, ty) == output)
    };
    is_visited && marker.is_none_or(has_marker) && count(output) > usize::from(own == output)
}

/// The name in the table of an output with this marker and type.
fn label(marker: &str, ty: &str) -> String {
    let ty = ty.replace(char::is_whitespace, "");
    let Some(kind) = ty.strip_prefix("&mut") else { return ty };
    let name = kind.split('<').next().unwrap_or_default();
    let length = kind.rsplit(';').next().and_then(|rest| rest.split(']').next()?.parse().ok());
    match (name, marker) {
        ("Reduce", "") => "`Reduce` of all pairs".to_owned(),
        ("Reduce", "each") => "`Reduce` of elements".to_owned(),
        ("Reduce", "row") => OF_ROWS.to_owned(),
        ("Reduce", _) => OF_COLUMNS.to_owned(),
        ("Nearest", _) => "`Nearest<T, K>`".to_owned(),
        ("Sums", _) if length > Some(4) => "`Sums` of more than four numbers".to_owned(),
        _ if kind.starts_with('[') => "`&mut [T]`".to_owned(),
        _ if kind.contains('<') => format!("`{name}<T>`"),
        _ => format!("`{name}`"),
    }
}

/// Compares the refused combinations' messages with the snapshot beside those of other mistakes.
fn compare(refused: impl Iterator<Item = ([&'static str; 2], Vec<String>)>) {
    let mut shown = String::new();
    for ([visit, output], messages) in refused {
        let mut title = format!("{visit}: {output}\n");
        for message in messages {
            if !shown.contains(&message) {
                shown += &(take(&mut title) + &message);
            }
        }
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "../../../ui-tests/messages" }, {
        insta::assert_snapshot!("support", shown);
    });
}

/// The texts of tokens, each on a line.
fn reasons(tokens: TokenStream) -> Vec<String> {
    let of_token = |token| match token {
        TokenTree::Group(group) => reasons(group.stream()),
        TokenTree::Literal(text) => vec![format!("    {}\n", text.to_string().trim_matches('"'))],
        _ => Vec::new(),
    };
    tokens.into_iter().flat_map(of_token).collect()
}

/// The messages of an error, each on a line.
fn messages(error: TokenStream) -> Vec<String> {
    let (mut found, mut is_message) = (Vec::new(), false);
    for token in error {
        match token {
            TokenTree::Ident(name) => is_message = name == "compile_error",
            TokenTree::Group(group) if is_message => {
                let text: syn::LitStr = syn::parse2(group.stream()).unwrap();
                found.push(format!("    {}\n", text.value()));
                is_message = false;
            }
            TokenTree::Group(group) => found.extend(messages(group.stream())),
            _ => {}
        }
    }
    found
}
