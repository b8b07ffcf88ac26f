//! Kernels with nearest neighbours whose number a launch sets, lists of near pairs, and bounds of boxes that do not compile.

use rayon::prelude::*;
use td_kernel::{Device, nvrtc};
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::{OPTIONS, catalogue, sources};

use super::{HOPPER, compiles_for};

/// A number of neighbours that a launch sets: the sizes for which kernels are compiled.
#[test]
fn numbers_at_run_time_compile() {
    let points = "unsafe fn near(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32>) { r#\" float d = p.i.x - p.j.x; near.push(d * d); \"# }";
    let boxes = "unsafe fn near(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32>) { let pair = r#\" near.push(fabsf(p.i.x - p.j.x)); \"#; let lower_bound = r#\" box_distance(p.i, p.j) \"#; }";
    let sets = points.replace("&[[f32; 3]]", "&Sets<[f32; 3]>");
    let [points, boxes, sets] = [points, boxes, &sets].map(|item| sources("", item));
    let in_tiles = boxes.iter().find(|source| source.text.contains("Map near_rows"));
    let texts = [&points[0].text, &in_tiles.unwrap().text, &sets[0].text];
    [8, 16, 32, 64, 128, 256].par_iter().check_each(|count| {
        for text in texts {
            let defined =
                text.replace("#define TD_NEAREST 16", &format!("#define TD_NEAREST {count}"));
            assert!(*count == 16 || defined != *text);
            compiles_for(&format!("{count} neighbours"), &defined, &[80, 90]);
        }
    });
}

/// What lists near pairs for launches that keep a list. Other kernels have squares, sums of distances or nearest neighbours.
#[test]
fn kept_lists_compile() {
    let device = Device::cpu().unwrap();
    let lists = catalogue::all().into_iter().filter_map(|entry| {
        let kernel = (entry.kernel)(&device).unwrap();
        let list = kernel.info().near.as_ref()?.list.as_ref().ok()?;
        Some((entry.name, list.variant.source.text()))
    });
    let lists: Vec<_> = lists.collect();
    assert!(lists.len() > 1, "{lists:?}");
    lists.par_iter().check_each(|(name, text)| {
        assert!(text.contains("moved("), "{text}");
        compiles_for(name, text, &[80, HOPPER]);
    });
}

/// A body rounds the integers, so a bound of exact distances would miss pairs.
#[test]
fn integers_beside_floats_have_no_distance() {
    let item = "unsafe fn close(#[row] p: &[i32], #[column] q: &[f32], near: &mut Pairs) { let pair = r#\" if (p < q) near.push(); \"#; let lower_bound = r#\" box_distance(p, q) \"#; }";
    let near = sources("", item).pop().unwrap();
    assert_errors! { nvrtc::compile("close", &near.text, OPTIONS, 90) => "write f64 in place of f32"; }
}
