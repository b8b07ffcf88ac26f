//! Every map, root, sweep, kind of parameter and kind of output.

use td_kernel::maps::{MAPS, Root};

use super::*;

/// The distance of two points, into one kind of slots.
pub(crate) fn distance(output: &str) -> String {
    demo(
        &format!("#[each] p: &[[f32; 4]], out: &mut {output}<f32>"),
        "
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    out = sqrtf(dx * dx + dy * dy + dz * dz + dw * dw);
    ",
    )
}

/// Counts pairs.
pub(crate) const COUNT: (&str, &str) = (
    "#[each] p: &[[f32; 4]], total: &mut Sum<u64>",
    " float dx = p.i.x - p.j.x; if (fabsf(dx) < p.i.w) total += 1; ",
);

/// Forces on both bodies of each pair, and their energy.
pub(crate) const FORCES: (&str, &str) = (
    "#[each] p: &[[f32; 4]], softening: f32, #[each] force: &mut Sum<[f32; 3]>, energy: &mut Sum<f32>",
    "
    float dx = p.j.x - p.i.x, dy = p.j.y - p.i.y, dz = p.j.z - p.i.z;
    float w = rsqrtf(dx * dx + dy * dy + dz * dz + softening), s = p.i.w * p.j.w * w * w * w;
    float3 f = make_float3(s * dx, s * dy, s * dz);
    force.i += f;
    force.j -= f;
    energy += -p.i.w * p.j.w * w;
    ",
);

fn range(attribute: &str, item: &str) -> String {
    rows(attribute, item).unwrap()
}

/// The last variant, which has a filter where the item has a lower bound.
fn filter(item: &str) -> String {
    sources("", item).pop().unwrap().whole
}

/// The kernel of the README, with its helpers.
#[test]
fn edm() {
    let item = r##"
/// Euclidean distance of every pair of points.
pub unsafe fn edm(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}
"##;
    compare("edm", &source("map = \"ltm\"", item));
}

#[test]
fn kernels() {
    let mut shown = Snapshots::new();
    maps(&mut shown);
    parameters(&mut shown);
    columns(&mut shown);
    slots(&mut shown);
    elements(&mut shown);
    folds(&mut shown);
    neighbours(&mut shown);
    filters(&mut shown);
    cpu(&mut shown);
    names::check(shown.sources);
}

fn maps(shown: &mut Snapshots) {
    let item = &distance("Packed");
    shown.whole("bb", &source("map = \"bb\", tile = 0", item));
    shown.new_lines("ltm", &source("map = \"ltm\", tile = 0", item));
    for map in MAPS {
        let name = map.name();
        let key = format!("map = \"{name}\"");
        if !["bb", "ltm"].contains(&name) {
            shown.new_lines(name, &source(&format!("{key}, tile = 0"), item));
        }
        let diagonal = source(&format!("{key}, diagonal = true, block = 32"), item);
        shown.new_lines(&format!("{name} diagonal"), &diagonal);
        if map.has_linear_grid() {
            let linear = source(&format!("{key}, grid = \"linear\", tile = 0"), item);
            shown.new_lines(&format!("{name} linear"), &linear);
        }
        if map.has_thread_space() {
            let thread = source(&format!("{key}, space = \"thread\""), item);
            shown.new_lines(&format!("{name} thread"), &thread);
        }
        let range = rows(&format!("{key}, tile = 0"), item);
        assert_eq!(range.is_some(), map.has_row_ranges(), "{name}");
        if let Some(range) = range {
            shown.new_lines(&format!("{name} range"), &range);
        }
    }
    shown.new_lines("ltm linear range", &range("grid = \"linear\", tile = 0", item));
    for name in Root::NAMES {
        let root = source(&format!("sqrt = \"{name}\", tile = 0"), item);
        shown.new_lines(&format!("root {name}"), &root);
    }
    let epsilon = source("sqrt = \"sqrt\", epsilon = 0.00025, tile = 0", item);
    shown.new_lines("root epsilon", &epsilon);
    assert_eq!(rows("", &distance("Square")), None);
    assert_eq!(rows("space = \"thread\"", item), None);
    shown.compare("maps");
}

fn parameters(shown: &mut Snapshots) {
    for (name, parameters, body) in [
        (
            "each",
            "#[each] p: &[f32], #[each] q: &[[f64; 4]], out: &mut Packed<u8>",
            "out = p.i < p.j && q.i.w < q.j.w;",
        ),
        (
            "slices",
            "weights: &[f64], seen: &mut [u32]",
            "if (weights[i] > weights[j]) atomicAdd(&seen[i], 1);",
        ),
        (
            "scalars",
            "factor: f32, shift: [f32; 2], out: &mut Packed<f32>",
            "out = factor * i + shift.x * n;",
        ),
        (
            "packed",
            "out: &mut Packed<u32>, high: &mut Packed<[i16; 2]>",
            "out = j; high = make_short2(i, j);",
        ),
        (
            "halves",
            "#[each] p: &[f16], #[each] q: &[[half::bf16; 3]], by: f16, out: &mut Packed<f16>",
            "out = (p.i - p.j) * q.i.z * by;",
        ),
        (
            "sums",
            "count: &mut Sum<u64>, energy: &mut Sum<f64>, steps: &mut Sum<i64>",
            "count += 1; energy += 0.5; steps += -1;",
        ),
        (
            "pairs",
            "#[each] p: &[f32], close: &mut Pairs",
            "if (fabsf(p.i - p.j) < 1) close.push();",
        ),
        (
            "pairs of values",
            "#[each] p: &[f32], close: &mut Pairs<f64>",
            "if (fabsf(p.i - p.j) < 1) close.push(p.i);",
        ),
        (
            "structs",
            "#[each] p: &[shapes::Sphere], count: &mut Sum<u32>",
            "count += p.i.r > p.j.r;",
        ),
        ("square", "#[each] p: &[f32], out: &mut Square<f32>", "out = p.i - p.j;"),
        ("forces", FORCES.0, FORCES.1),
    ] {
        let text = source("map = \"bb\", sweep = \"classic\", block = 16", &demo(parameters, body));
        shown.new_lines(name, &text);
    }
    let deterministic = "map = \"bb\", sweep = \"classic\", block = 16, diagonal = true";
    shown.new_lines("forces diagonal", &source(deterministic, &demo(FORCES.0, FORCES.1)));
    let file = "unsafe fn demo(value: &mut Packed<f32>) { include_str!(\"pair.cu\") }";
    shown.new_lines("include_str", &source("map = \"bb\", tile = 0", file));
    let rectangle = cross("Matrix<f32>", "out = query.x - data.x;");
    shown.new_lines("rectangle", &source("sweep = \"classic\"", &rectangle));
    // A struct of Rust's, a prelude and constants, whose values rustc puts into the source.
    use td_kernel_tests::{given, structs};
    shown.new_lines("nested structs", structs::mixed::SOURCE);
    shown.new_lines("prelude", given::histogram::SOURCE);
    shown.new_lines("constants", given::bits::SOURCE);
    shown.compare("parameters");
}

/// Two sets, whose points have other names than those of one set.
fn cross(output: &str, body: &str) -> String {
    demo(
        &format!("#[row] query: &[[f32; 4]], #[column] data: &[[f32; 4]], out: &mut {output}"),
        &format!(" {body} "),
    )
}

fn columns(shown: &mut Snapshots) {
    let count = &demo(COUNT.0, COUNT.1);
    let list = count.replace("Sum<u64>", "Pairs").replace("total += 1", "total.push()");
    let values = count
        .replace("Sum<u64>", "Pairs<f32>, large: &mut Pairs<[f64; 4]>")
        .replace("total += 1;", "{ total.push(dx); large.push({dx, dx, dx, dx}); }");
    let energy = &count.replace("Sum<u64>", "Sum<f32>").replace("+= 1", "+= dx");
    shown.whole("count", &source("", count));
    shown.new_lines("count in a range", &range("", count));
    shown.new_lines("list, diagonal", &source("diagonal = true", &list));
    shown.new_lines("lists of values", &source("", &values));
    shown.new_lines("energy", &source("", energy));
    shown.new_lines("count by walk", &source("map = \"walk\"", count));
    shown.new_lines("energy by walk in a range", &range("map = \"walk\"", energy));
    let count = &cross("Sum<u64>", "if (fabsf(query.x - data.x) < data.w) out += 1;");
    let list = cross("Pairs", "if (fabsf(query.x - data.x) < data.w) out.push();");
    shown.new_lines("count of two sets", &source("", count));
    let in_range = range("", count);
    shown.new_lines("count of two sets in a range", &in_range);
    shown.new_lines("list of two sets", &source("", &list));
    shown.compare("columns");
}

/// The sweeps `rows` and `mirror`, which write slots.
fn slots(shown: &mut Snapshots) {
    // With tiles of one size fewer lines differ.
    const TILE: &str = "tile = 64";
    let packed = &distance("Packed");
    let square = &distance("Square");
    let bytes = demo("#[each] p: &[f32], out: &mut Packed<u8>", " out = p.i < p.j; ");
    let halves = demo("#[each] p: &[f16], out: &mut Packed<f16>", " out = p.i - p.j; ");
    let vectors = "#[each] p: &[[f32; 3]], out: &mut Packed<[f32; 3]>";
    let vectors = &demo(vectors, " out = make_float3(p.i.x - p.j.x, p.i.y, p.i.z); ");
    let indices = demo("out: &mut Packed<u64>", " out = i * n + j; ");
    shown.whole("rows", &source(TILE, packed));
    shown.new_lines("rows in a range, diagonal", &range("diagonal = true, tile = 64", packed));
    let walk = source("diagonal = true, map = \"walk\", tile = 64", packed);
    shown.new_lines("rows by walk, diagonal", &walk);
    shown.new_lines("rows of bytes", &source(TILE, &bytes));
    shown.new_lines("rows of halves", &source(TILE, &halves));
    shown.new_lines("rows of vectors", &source(TILE, vectors));
    shown.new_lines("rows of indices", &source(TILE, &indices));
    shown.new_lines("rows of a square", &source("sweep = \"rows\", tile = 64", square));
    let diagonal = source("sweep = \"rows\", diagonal = true, tile = 64", square);
    shown.new_lines("rows of a square, diagonal", &diagonal);
    let matrix = cross("Matrix<f32>", "out = query.x - data.x;");
    shown.new_lines("matrix", &source(TILE, &matrix));
    shown.new_lines("matrix in a range", &range(TILE, &matrix));
    let bytes = "#[column] weight: &[u8], out: &mut Matrix<u8>, total: &mut Sum<u32>";
    let bytes = demo(bytes, " out = weight + i; total += rows * columns; ");
    shown.new_lines("matrix of bytes", &source(TILE, &bytes));

    shown.whole("mirror", &source("", square));
    shown.new_lines("mirror, diagonal", &source("diagonal = true", square));
    let two = demo(
        "#[each] p: &[f32], out: &mut Square<f32>, b: &mut Square<f32>",
        " out = p.i; b = p.j; ",
    );
    shown.new_lines("mirror of two squares", &source("", &two));
    let vectors = vectors.replace("Packed", "Square");
    shown.new_lines("mirror of vectors", &source("", &vectors));
    shown.compare("slots");
}

/// The sweep `rotate`, and results of elements in other sweeps.
fn elements(shown: &mut Snapshots) {
    let forces = &demo(FORCES.0, FORCES.1);
    shown.whole("rotate", &source("", forces));
    let deterministic = source("deterministic = true", forces);
    shown.new_lines("rotate, deterministic", &deterministic);
    shown.new_lines("rotate in a range", &range("tile = 64", forces));
    let nearest =
        "#[each] p: &[f32], #[each] near: &mut Min<(f32, u32)>, #[each] widest: &mut Max<[i16; 2]>";
    let body = " near.offer(fabsf(p.i - p.j)); widest.i.offer(make_short2(i, j)); ";
    let nearest = source("map = \"walk\"", &demo(nearest, body));
    shown.new_lines("nearest by rotate", &nearest);
    let nearest =
        "#[row] query: &[[f32; 4]], #[column] data: &[[f32; 4]], #[row] near: &mut Min<(f32, u32)>";
    let nearest = demo(nearest, " near.offer(query.x - data.x); ");
    shown.new_lines("nearest of rows", &source("", &nearest));
    let degrees = "#[row] query: &[[f32; 4]], #[column] data: &[[f32; 4]], #[row] of_row: &mut Sum<u32>, #[column] of_column: &mut Sum<u32>";
    let degrees = demo(degrees, " if (query.x < data.x) { of_row += 1; of_column += 1; } ");
    shown.new_lines("degrees of rows and columns", &source("tile = 32", &degrees));
    shown.compare("elements");
}

const DIFFERENCE: &str = "float d = p.i - p.j; sum += d * d;";

fn folds(shown: &mut Snapshots) {
    let distance = "#[each] p: &Features<f32>, #[fold] sum: f32, out: &mut Packed<f32>";
    let distance = &fold(distance, DIFFERENCE, "out = sqrtf(sum);", "");
    shown.whole("fold", &source("", distance));
    shown.new_lines("fold in a range", &range("tile = 32", distance));
    let cosine = "#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[fold] sum: f32, #[row] of_p: &[f64], #[column] of_q: &[f64], out: &mut Matrix<f32>";
    let cosine = fold(cosine, "sum += p * q;", "out = 1 - sum * of_p * of_q;", "");
    shown.new_lines("fold of two sets", &source("", &cosine));
    let hamming =
        "#[each] p: &Features<u8>, #[fold(start = \"~0u\")] sum: u32, out: &mut Square<u16>";
    let hamming = fold(hamming, "sum -= p.i != p.j;", "out = ~sum;", "");
    shown.new_lines("fold to a square", &source("diagonal = true, map = \"rb\"", &hamming));
    let nearest = "#[row] p: &Features<[i8; 4]>, #[column] q: &Features<[i8; 4]>, #[fold] sum: i32, #[row] near: &mut Max<(i32, u32)>, #[column] degree: &mut Sum<u32>";
    let nearest =
        fold(nearest, "sum = __dp4a(p, q, sum);", "near.offer(sum); degree += sum > 0;", "");
    shown.new_lines("fold to results", &source("", &nearest));
    let close = "#[each] p: &Features<f64>, weights: &[f64], radius: f64, #[fold] sum: f64, near: &mut Pairs<f64>, count: &mut Sum<u64>";
    let feature = "double d = p.i - p.j; sum += weights[k] * d * d;";
    let close =
        fold(close, feature, "if (sum < radius * features) { near.push(sum); count += 1; }", "");
    shown.new_lines("fold to a list", &source("tile = 32", &close));
    shown.compare("folds");
}

/// A kernel over features that looks for neighbours.
fn nearest_by_features(lower: &str) -> String {
    let norm = if lower.is_empty() { "" } else { "#[each] norm: &[f32], " };
    let parameters = format!(
        "#[each] p: &Features<f32>, #[fold] sum: f32, {norm}#[each] near: &mut Nearest<f32, 10>"
    );
    fold(&parameters, DIFFERENCE, "near.push(sum);", lower)
}

/// Neighbours in every sweep that has them, with bounds of every type.
fn neighbours(shown: &mut Snapshots) {
    let points =
        demo("#[each] p: &[f32], #[each] near: &mut Nearest<f32, 10>", " near.push(p.i - p.j); ");
    shown.whole("neighbours", &source("", &points));
    let numbers = demo(
        "#[each] p: &[i32], #[each] near: &mut Nearest<i16, 1>",
        " near.push(abs(p.i - p.j)); ",
    );
    let classic = source("sweep = \"classic\", diagonal = true", &numbers);
    shown.new_lines("neighbours by classic", &classic);
    let queries =
        "#[row] query: &[u32], #[column] data: &[u32], #[row] near: &mut Nearest<u8, 100>";
    let queries = demo(queries, " if (query != data) near.push(__popc(query ^ data)); ");
    shown.new_lines("neighbours of two sets", &source("", &queries));
    shown.new_lines("neighbours by features", &source("", &nearest_by_features("")));
    shown.compare("neighbours");
}

/// Kernels with a lower bound: neighbours, and lists with sums and results of rows.
fn filters(shown: &mut Snapshots) {
    let norms = "norm.i + norm.j - 2.0f * (dot + dot_error)";
    shown.whole("filter", &filter(&nearest_by_features(norms)));
    let queries = "#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[fold] sum: f32, #[row] norm: &[f32], #[column] q_norm: &[f32], #[row] near: &mut Nearest<f32, 10>";
    let feature = "float d = p - q; sum += d * d;";
    let queries =
        fold(queries, feature, "near.push(sum);", "norm + q_norm - 2.0f * (dot + dot_error)");
    shown.new_lines("filter of two sets", &filter(&queries));
    let close = "#[each] p: &Features<f32>, #[fold] sum: f32, #[each] norm: &[f32], limit: f32, near: &mut Pairs";
    let close =
        fold(close, DIFFERENCE, "if (sum <= limit) near.push();", &format!("{norms} - limit"));
    shown.new_lines("filter for a list", &filter(&close));
    let alike = "#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[fold] sum: f32, limit: f32, near: &mut Pairs<f32>, total: &mut Sum<u64>, #[row] degree: &mut Sum<u32>";
    let pair = "if (sum >= limit) { near.push(sum); total += 1; degree += 1; }";
    let alike = fold(alike, "sum += p * q;", pair, "limit - (dot + dot_error)");
    let alike = sources("", &alike).pop().unwrap().rows.unwrap();
    shown.new_lines("filter for a list of two sets in a range", &alike);
    shown.compare("filters");
}

/// The loops for CPUs.
fn cpu(shown: &mut Snapshots) {
    shown.whole("loops", &loops("", &distance("Packed")));
    for (name, attribute, parameters, body) in [
        (
            "collisions",
            "",
            "#[each] p: &[[f32; 4]], out: &mut Sum<u32>, energy: &mut Sum<f32>, close: &mut Pairs, near: &mut Pairs<f32>",
            "float x = p.i.x - p.j.x, r = p.i.w + p.j.w; if (x * x > r * r) return; out += 1; energy += r; close.push(); near.push(x);",
        ),
        (
            "forces",
            "",
            "#[each] p: &[[f32; 2]], cutoff: f32, #[each] force: &mut Sum<[f32; 2]>",
            "float x = p.i.x - p.j.x; if (x > cutoff) return; float2 f = make_float2(x, x); force.i += f; force.j -= f;",
        ),
        (
            "nearest",
            "",
            "#[each] p: &[f32], nearest: &mut Pairs<Body>, #[each] near: &mut Min<(f32, u32)>",
            "near.offer(fabsf(p.i - p.j)); if (p.i == p.j) nearest.push({});",
        ),
        (
            "similar",
            "deterministic = true",
            "#[each] p: &[Body], w: &[f32], out: &mut Square<f32>, total: &mut Sum<f32>, #[each] sum: &mut Sum<f32>",
            "out = w[p.i.kind * p.j.kind]; total += out; sum.i += out;",
        ),
        (
            "costs of two sets",
            "",
            "#[row] a: &[[f32; 2]], #[column] b: &[[f32; 2]], #[column] shift: &[f32], out: &mut Matrix<f32>, #[row] least: &mut Min<f32>, #[column] degree: &mut Sum<u32>",
            "out = fabsf(a.x - b.x) + shift; least.offer(out); degree += out < 1;",
        ),
        (
            "neighbours",
            "",
            "#[each] p: &[[f32; 2]], #[each] near: &mut Nearest<f32, 4>",
            "near.push(p.i.x - p.j.x);",
        ),
        (
            "neighbours of rows",
            "",
            "#[row] a: &[u8], #[column] b: &[u8], #[row] near: &mut Nearest<u8, 4>",
            "if (a <= b) near.push(b - a);",
        ),
    ] {
        let text = loops(attribute, &demo(parameters, &format!(" {body} ")));
        shown.new_lines(&format!("loops: {name}"), &text);
    }
    shown.new_lines("loops: prelude", td_kernel_tests::given::energies::CPU_SOURCE);
    let distance = "#[each] p: &Features<f32>, #[fold] sum: f32, out: &mut Packed<f32>";
    shown.whole("loops of folds", &loops("", &fold(distance, DIFFERENCE, "out = sqrtf(sum);", "")));
    let near = loops("diagonal = true", &nearest_by_features(""));
    shown.new_lines("loops of folds: neighbours, diagonal", &near);
    let gathered = "#[row] a: &Features<i8>, #[column] b: &Features<i8>, w: &[i32], #[fold(start = \"1\")] sum: i32, #[fold] last: u32, total: &mut Sum<f32>, #[row] nearest: &mut Min<(i32, u32)>, #[column] near: &mut Sum<f32>, close: &mut Pairs<i32>, out: &mut Matrix<i32>";
    let pair =
        "total += sum; nearest.offer(sum); near += sum; if (sum < 5) close.push(last); out = sum;";
    let gathered = fold(gathered, "sum += w[k] * a * b; last = k;", pair, "");
    let gathered = loops("deterministic = true", &gathered);
    shown.new_lines("loops of folds: gathered", &gathered);
    shown.compare("loops");
}
