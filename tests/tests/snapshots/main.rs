//! The generated CUDA, and one Rust expansion, for people to review as text.
//!
//! `cargo xtask bless` accepts a change; the change is then in the commit, for its reviewer to read.
#![allow(clippy::unwrap_used, clippy::panic)]

use td_kernel::maps::{MAPS, Root};
use td_kernel_tests::{NoFiles, loops, rows, source, sources, tokens};

const EDM: &str = r##"
/// Euclidean distance of every pair of points.
pub unsafe fn edm(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(dx * dx + dy * dy + dz * dz + dw * dw);
    "#
}
"##;

const ADD: &str = r##"unsafe fn add(total: &mut Sum<u32>) { r#" total += i ^ j; "# }"##;

/// Compares the CUDA of a kernel with its snapshot.
fn cuda(name: &str, attribute: &str, item: &str) {
    text(name, &source(attribute, item));
}

fn text(name: &str, text: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn edm() {
    cuda("edm", r#"map = "ltm", sqrt = "rsqrt""#, EDM);
}

#[test]
fn every_map() {
    for map in MAPS {
        let name = map.name();
        cuda(&format!("map_{name}"), &format!("map = \"{name}\", tile = 0"), EDM);
        if map.has_linear_grid() {
            let grid = format!("map = \"{name}\", grid = \"linear\", tile = 0");
            cuda(&format!("map_{name}_linear"), &grid, EDM);
        }
        if map.has_thread_space() {
            let space = format!("map = \"{name}\", space = \"thread\"");
            cuda(&format!("map_{name}_thread"), &space, EDM);
        }
        cuda(
            &format!("map_{name}_diagonal"),
            &format!("map = \"{name}\", diagonal = true, block = 32"),
            EDM,
        );
    }
}

#[test]
fn every_root() {
    for name in Root::NAMES {
        cuda(&format!("root_{name}"), &format!("sqrt = \"{name}\", tile = 0"), ADD);
    }
    cuda("root_epsilon", r#"sqrt = "sqrt", epsilon = 0.00025, tile = 0"#, ADD);
}

#[test]
fn every_parameter() {
    let kinds = [
        (
            "each",
            r##"unsafe fn near(#[each] x: &[f32], #[each] y: &[[f64; 4]], out: &mut Packed<u8>) { r#" out = x.i < x.j && y.i.w < y.j.w; "# }"##,
        ),
        (
            "slices",
            r##"unsafe fn mark(weights: &[f64], seen: &mut [u32]) { r#" if (weights[i] > weights[j]) atomicAdd(&seen[i], 1); "# }"##,
        ),
        (
            "scalar",
            r##"unsafe fn scale(factor: f32, shift: [f32; 2], out: &mut Packed<f32>) { r#" out = factor * i + shift.x * n; "# }"##,
        ),
        (
            "packed",
            r##"unsafe fn both(low: &mut Packed<u32>, high: &mut Packed<[i16; 2]>) { r#" low = j; high = make_short2(i, j); "# }"##,
        ),
        (
            "halves",
            r##"unsafe fn scaled(#[each] x: &[f16], #[each] y: &[[half::bf16; 3]], by: f16, out: &mut Packed<f16>) { r#" out = (x.i - x.j) * y.i.z * by; "# }"##,
        ),
        (
            "sums",
            r##"unsafe fn add(count: &mut Sum<u64>, energy: &mut Sum<f64>, steps: &mut Sum<i64>) { r#" count += 1; energy += 0.5; steps += -1; "# }"##,
        ),
        (
            "pairs",
            r##"unsafe fn list(#[each] x: &[f32], close: &mut Pairs) { r#" if (fabsf(x.i - x.j) < 1) close.push(); "# }"##,
        ),
        (
            "pairs_of",
            r##"unsafe fn list(#[each] x: &[f32], close: &mut Pairs<f64>) { r#" if (fabsf(x.i - x.j) < 1) close.push(x.i); "# }"##,
        ),
        (
            "struct",
            r##"unsafe fn touch(#[each] s: &[shapes::Sphere], count: &mut Sum<u32>) { r#" count += s.i.r > s.j.r; "# }"##,
        ),
        ("include", r##"unsafe fn file(value: &mut Packed<f32>) { include_str!("pair.cu") }"##),
    ];
    for (kind, item) in kinds {
        cuda(&format!("parameter_{kind}"), "block = 8", item);
    }
    // By the sweep that a kernel has without keys: neighbours of 16 bits are stored as vectors.
    let rows = r##"unsafe fn differences(#[each] x: &[f16], out: &mut Packed<f16>) { r#" out = x.i - x.j; "# }"##;
    cuda("halves_in_rows", "tile = 64", rows);
}

const COUNT: &str = r##"
unsafe fn contacts(#[each] s: &[[f32; 4]], total: &mut Sum<u64>) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        total += 1;
    "#
}
"##;

/// The most blocks and threads of a multiprocessor: on sm_75, sm_80, sm_86, sm_89, sm_90 and sm_120.
const RESIDENT: &[(u32, u32)] =
    &[(16, 1024), (32, 2048), (16, 1536), (24, 1536), (32, 2048), (24, 1536)];

/// A multiprocessor takes only this many blocks at a time, and blocks of one warp would leave it with too few warps.
#[test]
fn blocks_have_enough_warps_to_fill_a_multiprocessor() {
    use td_kernel_tests::variants::{listed, packed, square};
    let sources = listed::SOURCES.iter().chain(packed::SOURCES).chain(square::SOURCES);
    for source in sources {
        let (_, bounds) = source.split_once("__launch_bounds__(").unwrap();
        let threads: u32 = bounds.split_once(',').unwrap().0.parse().unwrap();
        for &(blocks, most) in RESIDENT {
            let title = source.lines().nth(1).unwrap();
            assert!(blocks * threads >= most, "{title} {blocks} x {threads} < {most}");
        }
    }
}

const ENERGY: &str = r##"
unsafe fn energy(#[each] q: &[[f32; 4]], total: &mut Sum<f32>) {
    r#"
    float dx = q.i.x - q.j.x, dy = q.i.y - q.j.y, dz = q.i.z - q.j.z;
    total += q.i.w * q.j.w * rsqrtf(dx * dx + dy * dy + dz * dz);
    "#
}
"##;

#[test]
fn every_sweep() {
    let list = COUNT
        .replace("total: &mut Sum<u64>", "found: &mut Pairs")
        .replace("total += 1", "found.push()");
    cuda("columns_count", "", COUNT);
    cuda("columns_list", "diagonal = true", &list);
    let list_of = COUNT
        .replace("total: &mut Sum<u64>", "found: &mut Pairs<f32>, large: &mut Pairs<[f64; 4]>")
        .replace("total += 1;", "{ found.push(dx); large.push({dx, dy, dz, r}); }");
    cuda("columns_list_of", "", &list_of);
    cuda("columns_energy", "", ENERGY);
    cuda("columns_walk", "tile = 32, map = \"walk\"", COUNT);
    cuda("rows", "", EDM);
    cuda("rows_diagonal_walk", "diagonal = true, map = \"walk\"", EDM);
    let square = EDM.replace("Packed", "Square");
    cuda("rows_square", "sweep = \"rows\"", &square);
    cuda("rows_square_diagonal", "sweep = \"rows\", diagonal = true", &square);
    cuda("mirror", "", &square);
    cuda("mirror_diagonal", "diagonal = true", &square);
    let two = r##"unsafe fn two(#[each] p: &[f32], a: &mut Square<f32>, b: &mut Square<f32>) { r#" a = p.i; b = p.j; "# }"##;
    cuda("mirror_two", "", two);
    cuda("classic_square", "sweep = \"classic\"", &square);
    let adjacent = r##"unsafe fn adjacent(#[each] x: &[f32], near: &mut Packed<u8>) { r#" near = fabsf(x.i - x.j) < 0.5f; "# }"##;
    cuda("rows_bytes", "", adjacent);
    let offset = r##"unsafe fn offset(#[each] p: &[[f32; 3]], d: &mut Packed<[f32; 3]>) { r#" d = make_float3(p.i.x - p.j.x, p.i.y - p.j.y, p.i.z - p.j.z); "# }"##;
    cuda("rows_segments", "", offset);
    cuda("mirror_segments", "", &offset.replace("Packed", "Square"));
    let i_and_j = r##"unsafe fn order(rank: &mut Packed<u64>) { r#" rank = i * n + j; "# }"##;
    cuda("rows_indices", "", i_and_j);
}

const CROSS: &str = r##"
unsafe fn cross(#[row] query: &[[f32; 3]], #[column] data: &[[f32; 3]], distance: &mut Matrix<f32>) {
    r#"
    float dx = query.x - data.x, dy = query.y - data.y, dz = query.z - data.z;
    distance = sqrtf(dx * dx + dy * dy + dz * dz);
    "#
}
"##;

/// Pairs of two sets.
#[test]
fn rectangles() {
    cuda("rectangle_rows", "", CROSS);
    cuda("rectangle_classic", "sweep = \"classic\"", CROSS);
    let count = r##"unsafe fn count(#[row] query: &[f32], #[column] data: &[[f32; 2]], near: &mut Sum<u64>) { r#" if (fabsf(query - data.x) < data.y) near += 1; "# }"##;
    cuda("rectangle_columns", "", count);
    let list = r##"unsafe fn list(#[row] query: &[f32], #[column] data: &[f32], limit: f32, near: &mut Pairs) { r#" if (fabsf(query - data) < limit) near.push(); "# }"##;
    cuda("rectangle_list", "tile = 64", list);
    let indices = r##"unsafe fn index(#[column] weight: &[u8], out: &mut Matrix<u8>, total: &mut Sum<u32>) { r#" out = weight + i; total += rows * columns; "# }"##;
    cuda("rectangle_bytes", "", indices);
    text("rectangle_range_rows", &rows("", CROSS).unwrap());
    text("rectangle_range_columns", &rows("", count).unwrap());
}

/// The text of each map that has ranges of rows, and of each sweep that has a text for them.
#[test]
fn ranges_of_rows() {
    for map in MAPS {
        let name = map.name();
        let found = rows(&format!("map = \"{name}\", tile = 0"), EDM);
        assert_eq!(found.is_some(), map.has_row_ranges(), "{name}");
        if let Some(found) = found {
            text(&format!("range_{name}"), &found);
        }
    }
    text("range_ltm_linear", &rows("grid = \"linear\", tile = 0", EDM).unwrap());
    text("range_rows", &rows("diagonal = true", EDM).unwrap());
    text("range_columns", &rows("", COUNT).unwrap());
    text("range_columns_walk", &rows("map = \"walk\"", ENERGY).unwrap());
    let square = EDM.replace("Packed", "Square");
    assert_eq!((rows("", &square), rows("space = \"thread\"", EDM)), (None, None));
}

/// With fused products, a slot's bits would depend on the text, and so on n, on where a range of rows cuts a tile, and
/// on the half of a square.
#[test]
fn no_text_with_slots_fuses_products() {
    let fuses = |source: &str| !source.contains("\n// NVRTC option: --fmad=false\n");
    let square = EDM.replace("Packed", "Square");
    for (item, sweeps) in
        [(EDM, &["classic", "rows"][..]), (&square, &["classic", "rows", "mirror"])]
    {
        for sweep in sweeps {
            for each in sources(&format!("sweep = \"{sweep}\""), item) {
                assert!(
                    !fuses(&each.whole) && !each.rows.is_some_and(|rows| fuses(&rows)),
                    "{sweep}"
                );
            }
        }
    }
    // Kernels that only sum or list are compiled with CUDA's default.
    assert!(sources("", COUNT).iter().all(|each| fuses(&each.whole)));
}

/// The text that a struct's definition is joined to, when rustc evaluates the constant.
#[test]
fn structs() {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!("structs", td_kernel_tests::structs::mixed::SOURCE);
    });
}

/// Compares a Rust expansion with its snapshot.
fn rust(name: &str, expansion: proc_macro2::TokenStream) {
    let file = syn::parse2(expansion).unwrap();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!(name, prettyplease::unparse(&file));
    });
}

#[test]
fn expansion() {
    let item = r##"
    /// Counts the spheres that touch.
    pub unsafe fn touch(#[each] s: &[Sphere], scale: f32, out: &mut Packed<u8>, count: &mut Sum<u32>, list: &mut Pairs) {
        r#" if (scale * s.i.r > s.j.r) { count += 1; list.push(); out = 1; } "#
    }"##;
    rust(
        "expansion",
        td_kernel_codegen::td_kernel(tokens("crate = ::my::td"), tokens(item), &NoFiles),
    );
}

/// The items of a kernel over the pairs of two sets, of which one is not told by an argument.
#[test]
fn expansion_of_rectangle() {
    let item = r##"
    unsafe fn degree(#[row] query: &[[f32; 2]], limit: f32, total: &mut Sum<u32>) {
        r#" if (query.x * j < limit) total += 1; "#
    }"##;
    rust("expansion_rectangle", td_kernel_codegen::td_kernel(tokens(""), tokens(item), &NoFiles));
}

#[test]
fn derive() {
    let item = "#[repr(C, align(16))] struct Body { center: [f32; 3], parts: [inner::Part; 2], mass: f64 }";
    rust("derive", td_kernel_codegen::device_type(tokens(item)));
}

#[test]
fn the_same_input_gives_the_same_text() {
    assert_eq!(source("", EDM), source("", EDM));
}

/// Forces on both bodies of each pair, and their energy.
const FORCES: &str = r##"
unsafe fn forces(
    #[each] p: &[[f32; 4]],
    softening: f32,
    #[each] force: &mut Sum<[f32; 3]>,
    energy: &mut Sum<f32>,
) {
    r#"
    float dx = p.j.x - p.i.x, dy = p.j.y - p.i.y, dz = p.j.z - p.i.z;
    float w = rsqrtf(dx * dx + dy * dy + dz * dz + softening), s = p.i.w * p.j.w * w * w * w;
    float3 f = make_float3(s * dx, s * dy, s * dz);
    force.i += f;
    force.j -= f;
    energy += -p.i.w * p.j.w * w;
    "#
}
"##;

#[test]
fn results_of_each() {
    cuda("rotate_forces", "", FORCES);
    cuda("rotate_deterministic", "deterministic = true", FORCES);
    cuda("classic_forces", "block = 8, diagonal = true", FORCES);
    text("rotate_rows", &rows("tile = 64", FORCES).unwrap());
    let nearest = r##"unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Min<(f32, u32)>, #[each] widest: &mut Max<[i16; 2]>) { r#" near.offer(fabsf(x.i - x.j)); widest.i.offer(make_short2(i, j)); "# }"##;
    cuda("rotate_nearest", "map = \"walk\", tile = 64", nearest);
}

/// Folds over features: each kind of output, types of several sizes, and a fold that starts at a number.
#[test]
fn folds() {
    let distance = r##"unsafe fn distance(#[each] p: &Features<f32>, #[fold] sum: f32, distance: &mut Packed<f32>) { let feature = r#" float d = p.i - p.j; sum += d * d; "#; let pair = r#" distance = sqrtf(sum); "#; }"##;
    cuda("fold_distance", "", distance);
    text("fold_rows", &rows("tile = 32", distance).unwrap());
    let cosine = r##"unsafe fn cosine(#[row] a: &Features<f32>, #[column] b: &Features<f32>, #[fold] dot: f32, #[row] of_a: &[f64], #[column] of_b: &[f64], out: &mut Matrix<f32>) { let feature = r#" dot += a * b; "#; let pair = r#" out = 1 - dot * of_a * of_b; "#; }"##;
    cuda("fold_rectangle", "tile = 64", cosine);
    let hamming = r##"unsafe fn hamming(#[each] p: &Features<u8>, #[fold(start = "~0u")] left: u32, out: &mut Square<u16>) { let feature = r#" left -= p.i != p.j; "#; let pair = r#" out = ~left; "#; }"##;
    cuda("fold_square", "diagonal = true, map = \"rb\"", hamming);
    let nearest = r##"unsafe fn nearest(#[row] query: &Features<[i8; 4]>, #[column] point: &Features<[i8; 4]>, #[fold] dot: i32, #[row] near: &mut Max<(i32, u32)>, #[column] degree: &mut Sum<u32>) { let feature = r#" dot = __dp4a(query, point, dot); "#; let pair = r#" near.offer(dot); degree += dot > 0; "#; }"##;
    cuda("fold_nearest", "", nearest);
    let close = r##"unsafe fn close(#[each] p: &Features<f64>, weights: &[f64], radius: f64, #[fold] sum: f64, near: &mut Pairs<f64>, count: &mut Sum<u64>) { let feature = r#" double d = p.i - p.j; sum += weights[k] * d * d; "#; let pair = r#" if (sum < radius * features) { near.push(sum); count += 1; } "#; }"##;
    cuda("fold_list", "tile = 32", close);
}

#[test]
fn results_of_two_sets() {
    let nearest = r##"unsafe fn nearest(#[row] query: &[[f32; 2]], #[column] point: &[[f32; 2]], #[row] near: &mut Min<(f32, u32)>) { r#" near.offer(hypotf(query.x - point.x, query.y - point.y)); "# }"##;
    cuda("rectangle_nearest", "", nearest);
    let degrees = r##"unsafe fn degrees(#[row] a: &[f32], #[column] b: &[f32], #[row] of_row: &mut Sum<u32>, #[column] of_column: &mut Sum<u32>) { r#" if (a < b) { of_row += 1; of_column += 1; } "# }"##;
    cuda("rectangle_degrees", "tile = 32", degrees);
}

/// Nearest neighbours in every sweep that they have, of one set and of two, with bounds of every type.
#[test]
fn nearest_neighbours() {
    let points = r##"unsafe fn nearest(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 10>) { r#" float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z; near.push(dx * dx + dy * dy + dz * dz); "# }"##;
    cuda("near_columns", "", points);
    let numbers = r##"unsafe fn nearest(#[each] x: &[i32], #[each] near: &mut Nearest<i16, 1>) { r#" near.push(abs(x.i - x.j)); "# }"##;
    cuda("near_classic", "block = 8, diagonal = true", numbers);
    let queries = r##"unsafe fn nearest(#[row] query: &[u32], #[column] data: &[u32], #[row] near: &mut Nearest<u8, 100>) { r#" if (query != data) near.push(__popc(query ^ data)); "# }"##;
    cuda("near_rectangle", "tile = 32", queries);
    let features = r##"unsafe fn nearest(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 10>) { let feature = r#" float d = p.i - p.j; sum += d * d; "#; let pair = r#" near.push(sum); "#; }"##;
    cuda("near_fold", "", features);
    cpu("loops_near", "diagonal = true", features);
    // Without features, the CPU runs the same text as a GPU.
    assert!([points, numbers, queries].iter().all(|item| loops("", item).is_none()));
}

/// The text for the CPU.
fn cpu(name: &str, attribute: &str, item: &str) {
    text(name, &loops(attribute, item).unwrap());
}

#[test]
fn plain_loops() {
    cpu(
        "loops_distance",
        "",
        r##"unsafe fn distance(#[each] p: &Features<f32>, #[fold] sum: f32, distance: &mut Packed<f32>) { let feature = r#" float d = p.i - p.j; sum += d * d; "#; let pair = r#" distance = sqrtf(sum); "#; }"##,
    );
    cpu(
        "loops_gathered",
        "deterministic = true",
        r##"unsafe fn gathered(#[row] a: &Features<i8>, #[column] b: &Features<i8>, w: &[i32], #[fold(start = "1")] sum: i32, #[fold] last: u32, total: &mut Sum<f32>, #[row] nearest: &mut Min<(i32, u32)>, #[column] near: &mut Sum<f32>, close: &mut Pairs<i32>, out: &mut Matrix<i32>) { let feature = r#" sum += w[k] * a * b; last = k; "#; let pair = r#" total += sum; nearest.offer(sum); near += sum; if (sum < 5) close.push(last); out = sum; "#; }"##,
    );
}

#[test]
fn plain_pairs() {
    cpu(
        "pairs_edm",
        "",
        r##"unsafe fn edm(#[each] p: &[[f32; 3]], distance: &mut Packed<f32>) { r#" float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z; distance = sqrtf(x * x + y * y + z * z); "# }"##,
    );
    cpu(
        "pairs_collisions",
        "",
        r##"unsafe fn collisions(#[each] p: &[[f32; 4]], found: &mut Sum<u32>, energy: &mut Sum<f32>, close: &mut Pairs, near: &mut Pairs<f32>) { r#" float x = p.i.x - p.j.x, r = p.i.w + p.j.w; if (x * x > r * r) return; found += 1; energy += r; close.push(); near.push(x); "# }"##,
    );
    cpu(
        "pairs_forces",
        "",
        r##"unsafe fn forces(#[each] p: &[[f32; 2]], cutoff: f32, #[each] force: &mut Sum<[f32; 2]>) { r#" float x = p.i.x - p.j.x, y = p.i.y - p.j.y, d = x * x + y * y; if (d > cutoff) return; float2 f = make_float2(x / d, y / d); force.i += f; force.j -= f; "# }"##,
    );
    cpu(
        "pairs_nearest",
        "",
        r##"unsafe fn nearest(#[each] p: &[f32], nearest: &mut Pairs<Body>, #[each] near: &mut Min<(f32, u32)>) { r#" near.offer(fabsf(p.i - p.j)); if (p.i == p.j) nearest.push({}); "# }"##,
    );
    cpu(
        "pairs_square",
        "deterministic = true",
        r##"unsafe fn similar(#[each] p: &[Body], w: &[f32], similarity: &mut Square<f32>, total: &mut Sum<f32>, #[each] sum: &mut Sum<f32>) { r#" similarity = w[p.i.kind * p.j.kind]; total += similarity; sum.i += similarity; "# }"##,
    );
    cpu(
        "pairs_rectangle",
        "",
        r##"unsafe fn costs(#[row] a: &[[f32; 2]], #[column] b: &[[f32; 2]], #[column] shift: &[f32], cost: &mut Matrix<f32>, #[row] least: &mut Min<f32>, #[column] degree: &mut Sum<u32>) { r#" cost = fabsf(a.x - b.x) + fabsf(a.y - b.y) + shift; least.offer(cost); degree += cost < 1; "# }"##,
    );
}
