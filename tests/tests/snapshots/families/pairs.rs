//! Some pairs only: those of a list, of near elements, and within sets.

use super::*;

/// Launches over given pairs.
pub(super) fn entries(shown: &mut Snapshots) {
    let forces = pairs_sources("", &demo(FORCES.0, FORCES.1));
    shown.new_lines("given pairs: forces", &forces[0]);
    shown.new_lines("loops: given pairs, forces", &forces[1]);
    shown.new_lines("given pairs by element: forces", &forces[2]);
    let mut show = |name: &str, attribute: &str, item: &str| {
        let kinds = ["given pairs: ", "loops: given pairs, ", "given pairs by element: "];
        for (kind, source) in kinds.iter().zip(pairs_sources(attribute, item)) {
            shown.new_lines(&format!("{kind}{name}"), &source);
        }
    };
    let lists = "#[each] p: &[f32], bins: &mut Histogram<u64>, far: &mut Max<f32>, #[each] least: &mut Minima<(f32, u32)>, list: &mut Pairs, near: &mut Pairs<f32>";
    let body = " float x = p.i - p.j; bins.add(x); far.offer(x); least.offer(x); if (x > 0) { list.push(); near.push(x); } ";
    show("lists and extremes", "", &demo(lists, body));
    shown.compare("entries");
}

/// Kernels with a lower bound over boxes. The last variant is the one for near tiles.
pub(super) fn near(shown: &mut Snapshots) {
    let item = |parameters: &str, pair: &str, lower: &str| {
        format!(
            "unsafe fn demo({parameters}) {{ let pair = r#\"{pair}\"#; let lower_bound = r#\"{lower}\"#; }}"
        )
    };
    let touching = item(
        "#[each] p: &[Ball], margin: f32, count: &mut Sum<u64>, near: &mut Pairs<f32>",
        "
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    const float gap = sqrtf(x * x + y * y + z * z) - p.i.radius - p.j.radius;
    if (gap <= margin) {
        count += 1;
        near.push(gap);
    }
    ",
        " box_distance(p.i, p.j) - p.i.hi.radius - p.j.hi.radius - margin ",
    );
    // A struct has one more, for elements that fit no tile.
    let keys = "order = \"x, y, z\"";
    let of_cpu = loops(keys, &touching);
    let lists = list_sources(keys, &touching);
    let mut touching = sources(keys, &touching).into_iter();
    let touching = touching.find(|source| source.text.contains("_scatter(")).unwrap().text;
    shown.new_lines("near", &touching);
    let nearest = item(
        "#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 10>",
        "float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    near.push(x * x + y * y + z * z);",
        "box_square(p.i, p.j)",
    );
    let of_gpu = sources("", &nearest).pop().unwrap().text;
    shown.new_lines("near: the ten nearest", &of_gpu);
    shown.new_lines("loops: near", &of_cpu);
    shown.new_lines("loops: near, the ten nearest", &loops("", &nearest));
    shown.new_lines("near: a kept list", &lists[0]);
    shown.compare("near");
}

/// Pairs within many sets.
pub(super) fn sets(shown: &mut Snapshots) {
    let distance = demo(
        "#[each] p: &Sets<[f32; 3]>, out: &mut Packed<f32>",
        "
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    out = sqrtf(x * x + y * y + z * z);
    ",
    );
    shown.new_lines("sets", &source("", &distance));
    shown.new_lines("loops: sets", &loops("", &distance));
    let gathered = demo(
        "#[each] p: &Sets<f32>, #[each] w: &[u8], energy: &mut Sum<f32>, list: &mut Pairs<u32>, bins: &mut Histogram<u64>",
        " energy += p.i * w.j; if (p.i < p.j) list.push(set); bins.add(w.i); ",
    );
    shown.new_lines("sets: sum, list and histogram", &source("", &gathered));
    let extremes = demo(
        "#[each] p: &Sets<f32>, #[set] most: &mut Maxima<f32>, #[set] near: &mut Minima<(f32, u32)>",
        " most.offer(p.i + p.j); near.offer(p.i - p.j); ",
    );
    shown.new_lines("sets: extremes of sets", &source("", &extremes));
    let cross = demo(
        "#[row] p: &Sets<[f32; 3]>, #[column] q: &Sets<[f32; 3]>, out: &mut Matrix<f32>",
        "
    const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    out = sqrtf(x * x + y * y + z * z);
    ",
    );
    shown.new_lines("sets: rows and columns", &source("", &cross));
    let exact = demo(
        "#[each] p: &Sets<f32>, #[each] force: &mut Sums<[f32; 2]>, #[each] energy: &mut Sums<f64>",
        " force.i.x += p.j; force.j.y -= p.i; energy.i += p.j; ",
    );
    let keys = "deterministic = true";
    shown.new_lines("sets: exact sums", &source(keys, &exact));
    let nearest = |count: &str| {
        let parameters =
            format!("#[each] p: &Sets<[f32; 3]>, #[each] near: &mut Nearest<f32{count}>");
        let body = "
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    near.push(x * x + y * y + z * z);
    ";
        demo(&parameters, body)
    };
    shown.new_lines("sets: the ten nearest", &source("", &nearest(", 10")));
    shown.new_lines("loops: sets: the ten nearest", &loops("", &nearest(", 10")));
    shown.compare("sets");
}

/// States that a function of the prelude joins.
pub(super) fn reduce(shown: &mut Snapshots) {
    let keys = r##"prelude = r#"
State join(State a, State b)
{
    return {a.total + b.total};
}
"#"##;
    let two_sets = demo(
        "#[row] q: &[[f32; 3]], #[column] p: &[[f32; 3]], #[row] out: &mut Reduce<State>",
        " out.join({expf(q.x - p.x)}); ",
    );
    let one_set = demo(
        "#[each] p: &[[f32; 3]], #[each] out: &mut Reduce<State>",
        "
    float x = p.i.x - p.j.x;
    out.i.join({x});
    out.j.join({-x});
    ",
    );
    shown.new_lines("reduce: two sets", &source(keys, &two_sets));
    shown.new_lines("reduce: one set", &source(keys, &one_set));
    shown.new_lines("loops: reduce: one set", &loops(keys, &one_set));
    let of_features = "unsafe fn demo(#[each] p: &Features<f32>, #[fold] d: f32, #[each] out: &mut Reduce<State>) {
        let feature = r#\" d = fmaf(p.i, p.j, d); \"#;
        let pair = r#\" out.i.join({d}); out.j.join({-d}); \"#;
    }";
    shown.new_lines("reduce: one set over features", &source(keys, of_features));
    let all = demo(
        "#[each] p: &[[f32; 3]], out: &mut Reduce<State>",
        " out.join({expf(p.i.x - p.j.x)}); ",
    );
    shown.new_lines("reduce: all pairs", &source(keys, &all));
    shown.new_lines("loops: reduce: all pairs", &loops(keys, &all));
    shown.compare("reduce");
}

/// Elements with features within many sets. The first variant has the largest tiles.
pub(super) fn feature_sets(shown: &mut Snapshots) {
    let distance = "#[each] p: &FeatureSets<f32>, #[fold] sum: f32, out: &mut Packed<f32>";
    let distance = fold(distance, DIFFERENCE, "out = sqrtf(sum);", "");
    shown.new_lines("features of sets", &source("", &distance));
    shown.new_lines("loops: features of sets", &loops("", &distance));
    let cross = "#[row] p: &FeatureSets<f32>, #[column] q: &FeatureSets<f32>, #[fold] sum: f32, out: &mut Matrix<f32>, #[row] least: &mut Minima<(f32, u32)>";
    let cross = fold(cross, "sum += p * q;", "out = sum; least.offer(sum);", "");
    shown.new_lines("features of sets: rows and columns", &source("", &cross));
    shown.compare("feature_sets");
}
