//! Each map's prologue over a range of rows, run on the CPU: the blocks of the map's launches find each tile of the range
//! exactly once, and no other tile. The map of persistent blocks also for two sets.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use td_kernel_geometry::{
    DEFAULT_EPSILON, Domain, Form, MAPS, Map, PRODUCTS, Prologue, Root, Shape, Space, WIDE,
    triangle,
};

/// The built-in parts of CUDA that the sources need.
const CUDA: &str = r#"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
#define __device__
#define __forceinline__ inline
using std::min;
struct Place { unsigned int x, y; };
static Place blockIdx, gridDim;
static inline float __int_as_float(int bits) { float x; std::memcpy(&x, &bits, 4); return x; }
static inline int __float_as_int(float x) { int bits; std::memcpy(&bits, &x, 4); return bits; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
using std::fmaf; using std::sqrt;
static void found(unsigned int row, unsigned int col) { std::printf("%u %u\n", row, col); }
"#;

/// Reads cases, and prints the tiles of each and a line `end`.
const MAIN: &str = r#"
int main()
{
    unsigned int text, n, columns, row_begin, row_end, rows;
    // Grids are cut to a window, for cases with more blocks than can be run.
    unsigned int from_x, to_x, from_y, to_y;
    while (std::scanf("%u %u %u %u %u %u %u %u %u %u %u %u", &text, &n, &columns, &row_begin, &row_end, &rows, &gridDim.x, &gridDim.y,
                      &from_x, &to_x, &from_y, &to_y) == 12) {
        std::vector<unsigned int> table;
        for (unsigned int row = 0; row < rows; ++row)
            for (unsigned int col = 0; col <= row; ++col)
                table.push_back(row << 16 | col);
        for (blockIdx.y = from_y; blockIdx.y < to_y; ++blockIdx.y)
            for (blockIdx.x = from_x; blockIdx.x < to_x; ++blockIdx.x)
                texts[text](n, columns, row_begin, row_end, table.data());
        std::puts("end");
    }
}
"#;

/// The elements per side of a block's tile.
const TILE: u32 = 8;

/// What a block does with its tile, and with its tiles if it is persistent.
const ONE: &str = "    found(tile_i, tile_j);\n";
const PERSISTENT: &str =
    "    for (unsigned long long lambda = blockIdx.x; lambda < units; lambda += gridDim.x)
        found(locate(lambda).i, locate(lambda).j);
";

/// A source to test.
struct Text {
    map: &'static dyn Map,
    form: Form,
    wide: bool,
}

fn texts() -> Vec<Text> {
    let mut texts = Vec::new();
    for map in MAPS.iter().copied().filter(|map| map.has_row_ranges()) {
        let roots = if map.takes_root() { Root::NAMES } else { &["exact"] };
        let grids: &[bool] = if map.has_linear_grid() { &[false, true] } else { &[false] };
        for root in roots.iter().map(|name| Root::new(name, DEFAULT_EPSILON).unwrap()) {
            for &linear in grids {
                let (domain, space) = (Domain::Rows, Space::Block);
                let form = Form::new(domain, space).with_root(root).with_linear(linear);
                texts.push(Text { map, form, wide: false });
                if map.takes_root() && root == Root::Exact {
                    texts.push(Text { map, form, wide: true });
                }
            }
        }
    }
    for domain in [Domain::Rows, Domain::RectangleRows] {
        texts.push(Text { map: PRODUCTS, form: Form::new(domain, Space::Block), wide: false });
    }
    texts
}

/// All sources in one program, each in its own namespace.
fn program(texts: &[Text]) -> String {
    let mut program = CUDA.to_owned();
    for (index, Text { map, form, wide }) in texts.iter().enumerate() {
        let Prologue { helpers, open, walk, .. } = map.prologue(form);
        let define = if *wide { "#define TD_WIDE\n" } else { "" };
        let close = walk.map_or("", |walk| walk.close);
        let body = if map.name() == PRODUCTS.name() { PERSISTENT } else { ONE };
        writeln!(
            program,
            "{define}namespace text{index} {{\n{helpers}
static void run(unsigned int n, unsigned int columns, unsigned int row_begin, unsigned int row_end, const unsigned int *table)
{{
    constexpr unsigned int TILE = {TILE};
    (void)n, (void)columns, (void)row_begin, (void)row_end, (void)table;
{open}{body}{close}}}
}}
#undef TD_WIDE",
            helpers = helpers.concat()
        )
        .unwrap();
    }
    let names: Vec<_> = (0..texts.len()).map(|index| format!("text{index}::run")).collect();
    format!(
        "{program}static void (*const texts[])(unsigned int, unsigned int, unsigned int, unsigned int, const unsigned int *) = {{ {} }};{MAIN}",
        names.join(", ")
    )
}

/// A range of rows of elements, and the blocks of its launch that are run.
struct Case {
    text: usize,
    rows: [u32; 2],
    shape: Shape,
    window: Option<[u64; 4]>,
}

impl Case {
    fn new(texts: &[Text], text: usize, [begin, end]: [u32; 2], resident: u32) -> Case {
        let Form { root, linear, domain, .. } = texts[text].form;
        let (first, rows) = (begin / TILE, end.div_ceil(TILE));
        let shape = Shape::blocks(rows).with_first(first).with_root(root).with_linear(linear);
        let shape = match domain.is_rectangle() {
            true => shape.with_columns(1 + (begin + 5 * end) % 21),
            false => shape,
        };
        Case { text, rows: [begin, end], shape: shape.with_resident(resident), window: None }
    }
}

/// Runs the cases, and returns the tiles of each.
fn run(texts: &[Text], cases: &[Case], name: &str) -> Vec<Vec<[u32; 2]>> {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("ranges.cpp"), folder.join("ranges"));
    std::fs::write(&source, program(texts)).unwrap();
    let compiled = td_kernel_tests::compiler()
        .args(["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&binary, &source])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut input = String::new();
    for Case { text, rows: [begin, end], shape, window } in cases {
        let map = texts[*text].map;
        let launches = map.launches(shape);
        let grid = launches.first().map_or([0, 0], |launch| [launch.grid.x, launch.grid.y]);
        let [a, b, c, d] = window.unwrap_or([0, grid[0], 0, grid[1]]);
        let table = if map.has_table() { shape.rows } else { 0 };
        // A kernel for a range does not read n, so this value must not matter.
        let n = u32::MAX;
        let columns = shape.columns.map_or(0, |columns| TILE * columns - 3);
        writeln!(
            input,
            "{text} {n} {columns} {begin} {end} {table} {} {} {a} {b} {c} {d}",
            grid[0], grid[1]
        )
        .unwrap();
    }
    let mut child =
        Command::new(binary).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let mut found = vec![Vec::new()];
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        match line.split_once(' ') {
            Some((row, col)) => {
                found.last_mut().unwrap().push([row.parse().unwrap(), col.parse().unwrap()]);
            }
            None => found.push(Vec::new()),
        }
    }
    assert_eq!(found.pop().unwrap(), [[0; 2]; 0]);
    assert_eq!(found.len(), cases.len());
    found
}

#[test]
fn sources_find_every_range() {
    let texts = texts();
    let mut cases = Vec::new();
    for text in 0..texts.len() {
        for end in 1..=9 * 8 {
            for begin in (0..end).filter(|begin| begin % 8 < 2 || begin + 2 > end) {
                let resident = 1 + (begin * 7 + end * 3) % 23;
                cases.push(Case::new(&texts, text, [begin, end], resident));
            }
        }
    }
    let found = run(&texts, &cases, "every");
    for (case, mut tiles) in cases.iter().zip(found) {
        let Case { text, rows, shape, .. } = case;
        tiles.sort_unstable();
        let expected: Vec<_> = (shape.first..shape.rows)
            .flat_map(|row| (0..shape.columns.unwrap_or(row + 1)).map(move |col| [row, col]))
            .collect();
        let Text { map, form, .. } = &texts[*text];
        assert_eq!(tiles, expected, "{} {form:?} rows {rows:?}", map.name());
    }
}

/// Parts of large launches, with 32-bit λ up to the last one and 64-bit λ past it, compared with the map's reference
/// implementation.
#[test]
fn large_ranges_match_the_reference() {
    let texts = texts();
    let mut cases = Vec::new();
    for (text, Text { map, form, wide }) in texts.iter().enumerate() {
        let last = u32::MAX - 255;
        let ranges: &[[u32; 2]] = match map.name() {
            // The program's table takes 4 bytes for each block.
            "table" => &[[40_001, 56_001]],
            "rb" | "bb" => &[[3, 524_280], [524_200, 524_280], [400_003, 500_009]],
            _ if form.root != Root::Exact => &[[15_001, 15_500], [8, 15_003]],
            // A block has many tiles.
            "persistent" => &[[3, 5000], [30_003, 30_100], [8_000_011, 8_000_030]],
            _ if *wide && form.linear => &[[524_281, 600_001], [16_000_009, 16_000_500]],
            _ if *wide => &[[524_281, 600_001], [last - 1000, last], [16_000_009, 90_000_000]],
            _ => &[[3, 524_200], [524_200, 524_270], [400_003, 500_009]],
        };
        for &rows in ranges {
            let case = Case::new(&texts, text, rows, 100_000);
            let launches = map.launches(&case.shape);
            assert_eq!(launches.len(), 1);
            let grid = launches[0].grid;
            assert!(grid.blocks(Space::Block, TILE).is_some(), "{} {rows:?}", map.name());
            if map.takes_root() && !wide {
                let lambdas = triangle(case.shape.first) + grid.units();
                assert!(map.name() == "walk" || lambdas <= WIDE, "{rows:?}");
            }
            // The first and the last blocks, and some between.
            let spans = |length: u64| {
                let end = |at: u64| [at.min(length), (at + 3).min(length)];
                [end(0), end(length / 2), end(length.saturating_sub(3))]
            };
            for [a, b] in spans(grid.x) {
                for [c, d] in spans(grid.y) {
                    // The walk's runs must be short.
                    let walks = map.name() == "walk";
                    let resident = if walks { u32::MAX >> 1 } else { 100_000 };
                    let mut shape = case.shape.with_resident(resident);
                    if walks && shape.units() > 1 << 32 {
                        shape.first = shape.rows - 200;
                    }
                    let begin = if walks { shape.first * 8 } else { rows[0] };
                    cases.push(Case {
                        rows: [begin, rows[1]],
                        shape,
                        window: Some([a, b, c, d]),
                        ..case
                    });
                }
            }
        }
    }
    let found = run(&texts, &cases, "large");
    let mut count = 0;
    for (case, tiles) in cases.iter().zip(found) {
        let Text { map, form, .. } = &texts[case.text];
        let launch = &map.launches(&case.shape)[0];
        let [a, b, c, d] = case.window.unwrap();
        let mut expected = Vec::new();
        for y in c..d {
            for x in a..b {
                map.tiles(&case.shape, launch, [x, y], &mut |tile| {
                    expected.push([tile.row, tile.col]);
                });
            }
        }
        count += expected.len();
        assert_eq!(tiles, expected, "{} {form:?} rows {:?}", map.name(), case.rows);
    }
    assert!(count > 1000, "only {count} tiles were compared");
}
