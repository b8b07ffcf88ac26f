//! Every sweep, with the outputs that it is for.

use td_kernel_tests::{rows, sources};

use super::{COUNT, EDM, ENERGY, cpu, cuda, text};

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

/// With fused products, a pair's bits would depend on the loops around it, and so on n, on where a range of rows cuts a tile,
/// and on the half of a square.
#[test]
fn only_the_key_fuses_products() {
    let fuses = |source: &str| !source.contains("\n// NVRTC option: --fmad=false\n");
    let square = EDM.replace("Packed", "Square");
    for (item, sweeps) in [
        (EDM, &["classic", "rows"][..]),
        (&square, &["classic", "rows", "mirror"]),
        (COUNT, &["classic", "columns"]),
        (FORCES, &["classic", "rotate"]),
    ] {
        for sweep in sweeps {
            for fmad in [false, true] {
                for each in sources(&format!("sweep = \"{sweep}\", fmad = {fmad}"), item) {
                    assert_eq!(fuses(&each.whole), fmad, "{sweep}");
                    assert!(each.rows.is_none_or(|rows| fuses(&rows) == fmad), "{sweep}");
                    assert_eq!(each.loops.contains("\n// C++ option: -ffp-contract=fast\n"), fmad);
                }
            }
        }
    }
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
    let lower = r##"unsafe fn nearest(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] norm: &[f32], #[each] near: &mut Nearest<f32, 10>) { let feature = r#" float d = p.i - p.j; sum += d * d; "#; let pair = r#" near.push(sum); "#; let lower = r#" norm.i + norm.j - 2.0f * (dot + dot_error) "#; }"##;
    text("near_filter", &sources("", lower).pop().unwrap().whole);
    let queries = r##"unsafe fn nearest(#[row] query: &Features<f32>, #[column] point: &Features<f32>, #[fold] sum: f32, #[row] query_norm: &[f32], #[column] point_norm: &[f32], #[row] near: &mut Nearest<f32, 10>) { let feature = r#" float d = query - point; sum += d * d; "#; let pair = r#" near.push(sum); "#; let lower = r#" query_norm + point_norm - 2.0f * (dot + dot_error) "#; }"##;
    text("near_filter_rectangle", &sources("", queries).pop().unwrap().whole);
}

/// Lists, sums and results of elements behind a lower bound: of one set, and of rows of two.
#[test]
fn pairs_behind_a_filter() {
    let close = r##"unsafe fn close(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] norm: &[f32], limit: f32, near: &mut Pairs) { let feature = r#" float d = p.i - p.j; sum += d * d; "#; let pair = r#" if (sum <= limit) near.push(); "#; let lower = r#" norm.i + norm.j - 2.0f * (dot + dot_error) - limit "#; }"##;
    text("filter_pairs", &sources("", close).pop().unwrap().whole);
    let alike = r##"unsafe fn alike(#[row] query: &Features<f32>, #[column] point: &Features<f32>, #[fold] product: f32, least: f32, found: &mut Pairs<f32>, total: &mut Sum<u64>, #[row] degree: &mut Sum<u32>) { let feature = r#" product += query * point; "#; let pair = r#" if (product >= least) { found.push(product); total += 1; degree += 1; } "#; let lower = r#" least - (dot + dot_error) "#; }"##;
    text("filter_pairs_rows", &sources("", alike).pop().unwrap().rows.unwrap());
}
