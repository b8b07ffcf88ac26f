//! The table of outputs that do not go with ways of visiting, against the code generator: what is in the table is refused, and
//! everything else has a source.

use rayon::prelude::*;
use td_kernel_tests::NoFiles;
use td_kernel_tests::parallel::CheckEach;

/// A name in the table, its parameters, and its statements.
type Part = (&'static str, &'static str, &'static str);

/// The outputs of pairs of one set. Those of two sets follow from them.
const OUTPUTS: &[Part] = &[
    ("`&mut [T]`", "o: &mut [f32]", "o[i] = 1;"),
    ("`Packed<T>`", "o: &mut Packed<f32>", "o = 1;"),
    ("`Square<T>`", "o: &mut Square<f32>", "o = 1;"),
    ("`Matrix<T>`", "o: &mut Matrix<f32>", "o = 1;"),
    ("`Sum<T>`", "o: &mut Sum<f32>", "o += 1;"),
    ("`Histogram<T>`", "o: &mut Histogram<u64>", "o.add(i);"),
    ("`Max<T>`", "o: &mut Max<f32>", "o.offer(1);"),
    ("`Min<T>`", "o: &mut Min<f32>", "o.offer(1);"),
    ("`Reduce` of all pairs", "o: &mut Reduce<State>", "o.join(State{});"),
    ("`Pairs`", "o: &mut Pairs", "o.push();"),
    ("`Pairs<T>`", "o: &mut Pairs<f32>", "o.push(1);"),
    ("`Sums<T>`", "#[each] o: &mut Sums<f32>", "o.i += 1;"),
    ("`Minima<T>`", "#[each] o: &mut Minima<f32>", "o.i.offer(1);"),
    ("`Maxima<T>`", "#[each] o: &mut Maxima<f32>", "o.i.offer(1);"),
    (
        "`Sums` of more than four numbers",
        "#[each] w: &[[f32; 8]], #[each] o: &mut Sums<[f32; 8]>",
        "o.i += w.j;",
    ),
    ("`ArraySums<T>`", "#[each] w: &Arrays<f32>, #[each] o: &mut ArraySums<f32>", "o.i += w.j;"),
    (
        "`Reduce` of elements",
        "#[each] o: &mut Reduce<State>",
        "o.i.join(State{}); o.j.join(State{});",
    ),
    ("`Nearest<T, K>`", "#[each] o: &mut Nearest<f32, 3>", "o.push(1);"),
];

/// The ways of visiting: their parameters, and the statements that use them.
const VISITS: &[Part] = &[
    ("`Sets`", "#[each] p: &Sets<f32>", "if (p.i < p.j) return;"),
    ("`FeatureSets`", "#[each] p: &FeatureSets<f32>, #[fold] s: f32", "if (s < 1) return;"),
    ("given pairs", "#[each] p: &[f32]", "if (p.i < p.j) return;"),
    ("`lower_bound` over boxes", "#[each] p: &[f32]", "if (p.i < p.j) return;"),
    (
        "`lower_bound` over features",
        "#[each] p: &Features<f32>, #[fold] s: f32",
        "if (s < 1) return;",
    ),
    ("`#[dot]`", "#[each] p: &Features<f32>, #[dot] dot: f32", "if (dot < 1) return;"),
    (
        "beside `Nearest`",
        "#[each] p: &[f32], #[each] near: &mut Nearest<f32, 9>",
        "near.push(p.i - p.j);",
    ),
    (
        "beside `Reduce` of elements",
        "#[each] p: &[f32], #[each] state: &mut Reduce<State>",
        "state.i.join(State{p.j}); state.j.join(State{p.i});",
    ),
    (
        "beside `Reduce` of rows or columns",
        "#[row] p: &[f32], #[row] state: &mut Reduce<State>",
        "state.join(State{p});",
    ),
    (
        "beside `ArraySums`",
        "#[each] p: &[f32], #[each] v: &Arrays<f32>, #[each] sums: &mut ArraySums<f32>",
        "sums.i += p.j * v.j; sums.j += p.i * v.i;",
    ),
];

/// A kernel with a way of visiting and an output.
fn kernel(
    (visit, of_visit, use_of_visit): Part,
    (output, of_output, use_of_output): Part,
) -> String {
    let mut bodies = vec![("pair", format!("{use_of_visit} {use_of_output}"))];
    if of_visit.contains("#[fold]") {
        bodies.push(("feature", "s += p.i * p.j;".to_owned()));
    }
    match visit {
        "`lower_bound` over boxes" => bodies.push(("lower_bound", "p.i.lo - p.j.hi".to_owned())),
        "`lower_bound` over features" => bodies.push(("lower_bound", "-dot_upper".to_owned())),
        _ => {}
    }
    let bodies = match &bodies[..] {
        [(_, only)] => format!("r#\"{only}\"#"),
        several => {
            several.iter().map(|(name, body)| format!("let {name} = r#\"{body}\"#; ")).collect()
        }
    };
    let one_set = format!("unsafe fn f({of_visit}, {of_output}) {{ {bodies} }}");
    if output != "`Matrix<T>`" && visit != "beside `Reduce` of rows or columns" {
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
    rows.replace("p.j", "q").replacen(", ", &format!(", #[column] q: &{elements}, "), 1)
}

#[test]
fn table_is_what_the_generator_does() {
    let rows = td_kernel_codegen::support();
    for ((name, ..), column) in
        VISITS.iter().map(|part| (part, 0)).chain(OUTPUTS.iter().map(|part| (part, 1)))
    {
        assert!(name == &"`Sum<T>`" || rows.iter().any(|row| row[column].contains(name)), "{name}");
    }
    let all = VISITS.iter().flat_map(|visit| OUTPUTS.iter().map(move |output| (*visit, *output)));
    let all: Vec<_> = all.collect();
    all.into_par_iter().check_each(|(visit, output)| {
        let names = [visit.0, output.0];
        if names == ["beside `Nearest`", "`Nearest<T, K>`"] {
            return;
        }
        let item = kernel(visit, output);
        let prelude = "prelude = r#\"State join(State a, State b) { return a; }\"#";
        let keys = if item.contains("State") { prelude } else { "" };
        let (keys, item) = (keys.parse().unwrap(), item.parse().unwrap());
        let sources = match names[0] {
            "given pairs" => {
                td_kernel_codegen::pairs_sources(keys, item, &NoFiles).map(|all| all.is_empty())
            }
            _ => td_kernel_codegen::cuda_sources(keys, item, &NoFiles).map(|all| all.is_empty()),
        };
        let is_refused =
            rows.iter().any(|row| row[0].contains(names[0]) && row[1].contains(names[1]));
        let text = kernel(visit, output);
        match sources {
            Ok(is_empty) => assert_eq!(is_empty, is_refused, "{names:?}: {text}"),
            Err(error) => assert!(is_refused, "{names:?}: {text}\n{error}"),
        }
    });
}
