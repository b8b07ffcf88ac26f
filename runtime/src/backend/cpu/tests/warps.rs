use super::{compile, launch};

#[test]
fn shuffles_match_ptx() {
    let program = compile(
        r#"extern "C" __global__ void kernel(int width, int by, int *out) {
            const int lane = threadIdx.x;
            int *mine = out + 4 * lane;
            mine[0] = __shfl_sync(0xffffffffu, 100 + lane, by + lane, width) - 100;
            mine[1] = __shfl_up_sync(0xffffffffu, 100 + lane, by, width) - 100;
            mine[2] = __shfl_down_sync(0xffffffffu, 100.5 + lane, by, width) - 100.5;
            mine[3] = __shfl_xor_sync(0xffffffffu, 100.0f + lane, by, width) - 100.0f;
        }"#,
    );
    for width in [1_i32, 2, 4, 8, 16, 32] {
        for by in [0_i32, 1, 3, 8, 17, 31] {
            let mut out = [[-1_i32; 4]; 32];
            launch!(program, [1; 3], [32, 1, 1], width, by, out.as_mut_ptr()).unwrap();
            for lane in 0..32 {
                let start = lane / width * width;
                let end = start + width - 1;
                let or_own = |source: i32, inside: bool| if inside { source } else { lane };
                let expected = [
                    start + (by + lane) % width,
                    or_own(lane - by, lane - by >= start),
                    or_own(lane + by, lane + by <= end),
                    or_own(lane ^ by, lane ^ by <= end),
                ];
                assert_eq!(out[lane as usize], expected, "lane {lane}, {width} wide, by {by}");
            }
        }
    }
}

#[test]
fn votes_count_active_lanes() {
    let program = compile(
        r#"extern "C" __global__ void kernel(unsigned int *out) {
            const unsigned int t = threadIdx.x;
            if (t % 32 == 3) return;
            unsigned int *mine = out + 6 * t;
            mine[0] = __ballot_sync(0xffffffffu, t % 2);
            mine[1] = __any_sync(0xffffffffu, t == 40);
            mine[2] = __all_sync(0xffffffffu, t != 40);
            mine[3] = __activemask();
            if (t % 32 < 8) {
                mine[4] = __ballot_sync(0xffu, t % 4 == 0);
                mine[5] = __activemask();
            } else {
                mine[4] = __ballot_sync(0xffffff00u, t % 4 == 0);
                mine[5] = __activemask();
            }
        }"#,
    );
    // The second warp has only 18 threads.
    let mut out = [[0_u32; 6]; 50];
    launch!(program, [1; 3], [50, 1, 1], out.as_mut_ptr()).unwrap();
    for (t, seen) in out.iter().enumerate() {
        let lanes: u32 = (if t < 32 { u32::MAX } else { 0x3_ffff }) & !8;
        let half = if t % 32 < 8 { 0xff } else { 0xffff_ff00 };
        let expected = [
            0xaaaa_aaaa & lanes,
            u32::from(t >= 32),
            u32::from(t < 32),
            lanes,
            0x1111_1111 & lanes & half,
            lanes & half,
        ];
        if t % 32 != 3 {
            assert_eq!(*seen, expected, "thread {t}");
        }
    }
}

#[test]
fn diverged_lanes_shuffle_apart() {
    let program = compile(
        r#"extern "C" __global__ void kernel(int *out) {
            const int lane = threadIdx.x;
            int value = lane;
            // The even lanes exchange three times while the odd ones do so once, and between
            // two exchanges of all: no value may be overtaken.
            value += __shfl_xor_sync(0xffffffffu, value, 1);
            if (lane % 2 == 0) {
                for (int round = 0; round < 3; ++round)
                    value += __shfl_xor_sync(0x55555555u, value, 2);
            } else {
                value += __shfl_xor_sync(0xaaaaaaaau, value, 2);
            }
            __syncwarp();
            out[lane] = __shfl_sync(0xffffffffu, value, (lane + 1) % 32);
        }"#,
    );
    let mut out = [0_i32; 32];
    launch!(program, [1; 3], [32, 1, 1], out.as_mut_ptr()).unwrap();
    let pair = |lane: usize| (lane + (lane ^ 1)) as i32;
    let after = |lane: usize| {
        let both = pair(lane) + pair(lane ^ 2);
        if lane.is_multiple_of(2) { 4 * both } else { both }
    };
    let expected: Vec<i32> = (0..32).map(|lane| after((lane + 1) % 32)).collect();
    assert_eq!(out.as_slice(), expected);
}

#[test]
fn warps_do_not_wait_for_each_other() {
    let program = compile(
        r#"extern "C" __global__ void kernel(unsigned int *out) {
            const unsigned int warp = threadIdx.x / 32;
            unsigned int sum = 0;
            for (unsigned int round = 0; round <= warp; ++round)
                sum += __popc(__ballot_sync(0xffffffffu, threadIdx.x % 2));
            __syncthreads();
            out[threadIdx.x] = sum;
        }"#,
    );
    let mut out = [0_u32; 256];
    launch!(program, [1; 3], [256, 1, 1], out.as_mut_ptr()).unwrap();
    assert!((0..256).all(|t| out[t] == 16 * (t as u32 / 32 + 1)));
}

#[test]
fn reductions_and_matches_see_all_lanes() {
    let program = compile(
        r#"extern "C" __global__ void kernel(int *out) {
            const int lane = threadIdx.x;
            if (lane >= 30) return;
            int *mine = out + 8 * lane;
            int all_same = 5;
            mine[0] = __reduce_add_sync(0xffffffffu, lane - 10);
            mine[1] = __reduce_min_sync(0xffffffffu, lane - 10);
            mine[2] = __reduce_max_sync(0xffffffffu, static_cast<unsigned int>(lane));
            mine[3] = __match_any_sync(0xffffffffu, lane % 3);
            mine[4] = __match_all_sync(0xffffffffu, 2.5, &all_same);
            mine[5] = all_same;
            mine[6] = __match_all_sync(0xffffffffu, lane, &all_same);
            mine[7] = all_same;
        }"#,
    );
    let mut out = [[-1_i32; 8]; 30];
    launch!(program, [1; 3], [32, 1, 1], out.as_mut_ptr()).unwrap();
    for (lane, seen) in out.iter().enumerate() {
        let thirds = (0..30).filter(|l| l % 3 == lane % 3).map(|l| 1 << l).sum();
        assert_eq!(*seen, [135, -10, 29, thirds, 0x3fff_ffff, 1, 0, 0], "lane {lane}");
    }
}

#[test]
fn missing_lane_is_an_error() {
    let missing = [
        "if (lane != 9) __syncwarp(); else __syncthreads();",
        "__shfl_sync(lane < 16 ? 0xffffu : 0xffffffffu, lane, 0); __syncthreads();",
        "if (lane < 16) __ballot_sync(0xffffffffu, 1); else __shfl_sync(0xffffffffu, lane, 0);",
        "if (lane == 0) __syncwarp(0x2u);",
    ];
    let cases: String = missing
        .iter()
        .enumerate()
        .map(|(number, statement)| format!("if (which == {number}) {{ {statement} }}\n"))
        .collect();
    let program = compile(&format!(
        "extern \"C\" __global__ void kernel(int which) {{
            const int lane = threadIdx.x;\n{cases}}}"
    ));
    for (which, waiting) in [32, 32, 32, 1].into_iter().enumerate() {
        let error = launch!(program, [1; 3], [32, 1, 1], which as i32).unwrap_err();
        let expected = format!(": {waiting} of 32 threads of block");
        assert!(error.to_string().contains(&expected), "{which}: {error}");
    }
    launch!(program, [1; 3], [32, 1, 1], 4_i32).unwrap();
}
