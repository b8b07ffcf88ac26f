//! Every map, root, sweep, kind of parameter and kind of output.

mod features;
mod pairs;

use td_kernel_geometry::{MAPS, Root};

use self::features::{DIFFERENCE, filters, folds, products};
use self::pairs::{entries, feature_sets, near, reduce, sets};
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
    "#[each] p: &[[f32; 4]], softening: f32, #[each] force: &mut Sums<[f32; 3]>, energy: &mut Sum<f32>",
    "
    float dx = p.j.x - p.i.x, dy = p.j.y - p.i.y, dz = p.j.z - p.i.z;
    float w = rsqrtf(dx * dx + dy * dy + dz * dz + softening), s = p.i.w * p.j.w * w * w * w;
    float3 f = make_float3(s * dx, s * dy, s * dz);
    force.i += f;
    force.j -= f;
    energy += -p.i.w * p.j.w * w;
    ",
);

#[test]
fn kernels() {
    let mut shown = Snapshots::new();
    maps(&mut shown);
    given(&mut shown);
    columns(&mut shown);
    slots(&mut shown);
    elements(&mut shown);
    folds(&mut shown);
    filters(&mut shown);
    cpu(&mut shown);
    products(&mut shown);
    near(&mut shown);
    arrays(&mut shown);
    entries(&mut shown);
    sets(&mut shown);
    reduce(&mut shown);
    feature_sets(&mut shown);
}

fn maps(shown: &mut Snapshots) {
    let item = &distance("Packed");
    shown.whole("bb", &source("map = \"bb\", tile = 0", item));
    shown.new_lines("ltm", &source("map = \"ltm\", tile = 0", item));
    let diagonal = source("map = \"ltm\", diagonal = true, block = 32", item);
    shown.new_lines("ltm diagonal", &diagonal);
    for map in MAPS {
        let name = map.name();
        let key = format!("map = \"{name}\"");
        if !["bb", "ltm"].contains(&name) {
            shown.new_lines(name, &source(&format!("{key}, tile = 0"), item));
        }
        if map.has_linear_grid() {
            let linear = source(&format!("{key}, grid = \"linear\", tile = 0"), item);
            shown.new_lines(&format!("{name} linear"), &linear);
        }
        if name == "ltm" {
            let thread = source(&format!("{key}, space = \"thread\""), item);
            shown.new_lines(&format!("{name} thread"), &thread);
        }
        let first = sources(&format!("{key}, tile = 0"), item).remove(0);
        assert_eq!(first.has_rows, map.has_row_ranges(), "{name}");
    }
    for name in Root::NAMES {
        let root = source(&format!("sqrt = \"{name}\", tile = 0"), item);
        shown.new_lines(&format!("root {name}"), &root);
    }
    let epsilon = source("sqrt = \"sqrt\", epsilon = 0.00025, tile = 0", item);
    shown.new_lines("root epsilon", &epsilon);
    for (keys, item) in [("", &distance("Square")), ("space = \"thread\"", item)] {
        assert!(!sources(keys, item).remove(0).has_rows);
    }
    shown.compare("maps");
}

/// Kernel parameters besides elements, and the attribute's inputs.
fn given(shown: &mut Snapshots) {
    // Rustc puts the struct and the constants' values into the source.
    shown.new_lines("struct, constants, prelude", td_kernel_tests::preludes::histogram::SOURCE);
    shown.compare("given");
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
    let values = count.replace("Sum<u64>", "Pairs<f32>").replace("total += 1", "total.push(dx)");
    shown.new_lines("count", &source("", count));
    shown.new_lines("list of values", &source("", &values));
    let far = count.replace("Sum<u64>", "Max<f32>").replace("total += 1", "total.offer(dx)");
    shown.new_lines("extreme", &source("", &far));
    histograms(shown);
    shown.compare("columns");
}

fn histograms(shown: &mut Snapshots) {
    let counts = &demo(
        "#[each] p: &[[f32; 4]], out: &mut Histogram<u64>",
        " float dx = p.i.x - p.j.x; out.add(out.linear(fabsf(dx), 0, 10)); ",
    );
    let weights = &counts.replace("<u64>", "<f32>").replace("10));", "10), p.i.w * p.j.w);");
    shown.new_lines("counts", &source("", counts));
    shown.new_lines("floats", &source("", weights));
    shown.new_lines("floats, deterministic", &source("deterministic = true", weights));
}

/// Sums of arrays for each element.
fn arrays(shown: &mut Snapshots) {
    let of_two = "unsafe fn demo(#[row] x: &[f32], #[column] y: &[f32], #[column] v: &[[f32; 16]], #[row] out: &mut Sums<[f32; 16]>) { r#\" out += expf(-(x - y) * (x - y)) * v; \"# }";
    let of_one = &demo(
        "#[each] x: &[f32], #[each] v: &[[f32; 16]], #[each] out: &mut Sums<[f32; 16]>",
        " float w = expf(-fabsf(x.i - x.j)); out.i += w * v.j; out.j += w * v.i; ",
    );
    shown.new_lines("rows", &source("", of_two));
    shown.new_lines("one set", &source("diagonal = true", of_one));
    let given = of_two.replace("&[[f32; 16]]", "&Arrays<f32>");
    let given = &given.replace("Sums<[f32; 16]>", "ArraySums<f32>");
    shown.new_lines("widths that a launch gives", &source("", given));
    let over_features = "unsafe fn demo(#[each] p: &Features<f32>, #[fold] s: f32, #[each] v: &[[f32; 16]], #[each] out: &mut Sums<[f32; 16]>) { let feature = r#\" s = fmaf(p.i, p.j, s); \"#; let pair = r#\" out.i += s * v.j; out.j += s * v.i; \"#; }";
    shown.new_lines("one set over features", &source("", over_features));
    shown.new_lines("one set on the CPU", &loops("diagonal = true", of_one));
    shown.compare("arrays");
}

/// The sweeps `rows` and `mirror`, which write slots.
fn slots(shown: &mut Snapshots) {
    // With tiles of one size fewer lines differ.
    const TILE: &str = "tile = 64";
    let packed = &distance("Packed");
    let square = &distance("Square");
    shown.new_lines("rows", &source(TILE, packed));
    let matrix = cross("Matrix<f32>", "out = query.x - data.x;");
    shown.new_lines("matrix", &source(TILE, &matrix));
    shown.new_lines("mirror", &source("", square));
    let results = demo(
        "#[each] p: &[f32], d: &mut Packed<f32>, #[each] least: &mut Minima<(f32, u32)>, #[each] total: &mut Sums<f32>",
        " d = p.i - p.j; least.offer(d); total.i += d; total.j -= d; ",
    );
    shown.new_lines("rows with results", &source("", &results));
    shown.compare("slots");
}

/// The sweep `rotate`, and results of elements in other sweeps.
fn elements(shown: &mut Snapshots) {
    let forces = &demo(FORCES.0, FORCES.1);
    shown.new_lines("rotate", &source("tile = 128", forces));
    let nearest = "#[each] p: &[[f32; 4]], #[each] near: &mut Minima<(f32, u32)>";
    let nearest = demo(nearest, " near.offer(p.i.x - p.j.x); ");
    shown.new_lines("nearest", &source("tile = 128", &nearest));
    neighbours(shown);
    shown.compare("elements");
}

/// Neighbours in the sweeps that have them.
fn neighbours(shown: &mut Snapshots) {
    let points = "#[each] p: &[f32], #[each] near: &mut Nearest<f32, 10>";
    shown.new_lines("neighbours", &source("", &demo(points, " near.push(p.i - p.j); ")));
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
            "#[each] p: &[[f32; 2]], cutoff: f32, #[each] force: &mut Sums<[f32; 2]>",
            "float x = p.i.x - p.j.x; if (x > cutoff) return; float2 f = make_float2(x, x); force.i += f; force.j -= f;",
        ),
        (
            "neighbours",
            "",
            "#[each] p: &[[f32; 2]], #[each] near: &mut Nearest<f32, 4>",
            "near.push(p.i.x - p.j.x);",
        ),
    ] {
        let text = loops(attribute, &demo(parameters, &format!(" {body} ")));
        shown.new_lines(&format!("loops: {name}"), &text);
    }
    let distance = "#[each] p: &Features<f32>, #[fold] sum: f32, out: &mut Packed<f32>";
    shown.new_lines(
        "loops of folds",
        &loops("", &fold(distance, DIFFERENCE, "out = sqrtf(sum);", "")),
    );
    shown.compare("loops");
}
