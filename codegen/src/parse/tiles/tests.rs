use super::*;

/// Slots of up to three sizes, structs among them, beside small and large elements.
fn all_sizes() -> Vec<Sizes> {
    let one = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32].map(Some).into_iter().chain([None]);
    let one: Vec<Option<u32>> = one.collect();
    let mut all = Vec::new();
    for &a in &one {
        all.push(vec![a]);
        for &b in &one {
            all.push(vec![a, b]);
            all.extend(one.iter().map(|&c| vec![a, b, c]));
        }
    }
    let with = |slots: &Vec<Option<u32>>, has_small_elements| Sizes {
        fold_bytes: 0,
        panels: 0,
        mirrored: Vec::new(),
        wide_bytes: None,
        feature_bytes: None,
        has_results: false,
        has_neighbours: false,
        slots: slots.clone(),
        has_small_elements,
        has_structs: false,
        has_room_for_eight: true,
        has_matrix: false,
        kept_bytes: Some(16),
    };
    all.iter().flat_map(|slots| [with(slots, true), with(slots, false)]).collect()
}

#[test]
fn threads_split_tiles_evenly() {
    for sizes in all_sizes() {
        for sweep in [Sweep::Rows, Sweep::Mirror] {
            for side in (32..=256).step_by(32) {
                let Tiling { columns, neighbours, height, .. } = of(sweep, side, &sizes);
                let (width, what) = (side / columns, format!("{sweep:?} {side} {:?}", sizes.slots));
                let threads = width * height;
                assert_eq!(
                    (side % columns, columns % neighbours, side % height),
                    (0, 0, 0),
                    "{what}"
                );
                assert!(threads.is_multiple_of(32) && threads >= 64, "{what}: {threads} threads");
                // Larger mirrored tiles do not fit in shared memory.
                let fits = sweep == Sweep::Rows || side <= 128;
                assert!(threads <= 1024 || !fits, "{what}: {threads} threads");
                let is_in_a_warp = width <= 32 && width.is_power_of_two();
                let is_small = sweep == Sweep::Rows || side == 32;
                assert!(
                    is_direct(neighbours, &sizes) || is_in_a_warp || !is_small,
                    "{what}: rows of {width} threads, which are in no warp"
                );
            }
        }
    }
}

#[test]
fn vectors_are_aligned() {
    for sizes in all_sizes() {
        for side in (32..=256).step_by(32) {
            let Tiling { neighbours, height, .. } = of(Sweep::Rows, side, &sizes);
            // For packed rows; the rows of a square start at multiples of twice this.
            let start = height / 2;
            for size in sizes.slots.iter().flatten() {
                let own = size * neighbours;
                let vector = match own {
                    own if is_vector(own) => own,
                    own if own.is_multiple_of(16) => 16,
                    // Stored one by one.
                    _ => continue,
                };
                let what = format!("{side} {:?}: {size}", sizes.slots);
                assert!((start * size).is_multiple_of(vector), "{what}");
                assert!(start.is_multiple_of(neighbours) || vector == 16, "{what}");
            }
        }
    }
}
