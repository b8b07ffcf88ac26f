use super::{compile, launch};

#[test]
fn returned_threads_do_not_block_barriers() {
    let program = compile(
        r#"extern "C" __global__ void kernel(unsigned int left, int *out) {
            if (threadIdx.x >= left && threadIdx.x % 64 != 63) return;
            out[threadIdx.x] = __syncthreads_count(1);
            if (threadIdx.x % 2) return;
            __syncthreads();
            out[threadIdx.x] = __syncthreads_count(threadIdx.x < 4);
        }"#,
    );
    for left in [0_u32, 1, 31, 32, 33, 96, 128] {
        let mut out = [-1_i32; 128];
        launch!(program, [1; 3], [128, 1, 1], left, out.as_mut_ptr()).unwrap();
        let stays = |t: u32| t < left || t % 64 == 63;
        let first = (0..128).filter(|&t| stays(t)).count() as i32;
        let second = left.min(4).div_ceil(2) as i32;
        for t in 0..128 {
            let expected = match (stays(t), t % 2) {
                (false, _) => -1,
                (true, 1) => first,
                (true, _) => second,
            };
            assert_eq!(out[t as usize], expected, "left = {left}, thread {t}");
        }
    }
}

#[test]
fn barriers_reduce_predicates() {
    let program = compile(
        r#"extern "C" __global__ void kernel(int from, int *out) {
            const int t = threadIdx.x;
            out[4 * t] = __syncthreads_count(t >= from ? -7 : 0);
            out[4 * t + 1] = __syncthreads_and(t >= from);
            out[4 * t + 2] = __syncthreads_or(t >= from);
            out[4 * t + 3] = __syncthreads_count(t % 2);
        }"#,
    );
    for from in [0_i32, 1, 50, 99, 100] {
        let mut out = vec![[-1_i32; 4]; 100];
        launch!(program, [1; 3], [100, 1, 1], from, out.as_mut_ptr()).unwrap();
        let expected = [100 - from, i32::from(from == 0), i32::from(from < 100), 50];
        assert!(out.iter().all(|seen| *seen == expected), "from {from}: {out:?}");
    }
}

#[test]
fn missing_barrier_is_an_error() {
    let program = compile(
        r#"extern "C" __global__ void kernel(unsigned int bad, unsigned int *finished) {
            __syncthreads();
            if (blockIdx.x == bad && threadIdx.x < 32) __syncwarp();
            if (blockIdx.x == bad && threadIdx.x == 5) __shfl_sync(0x3u, 1, 0);
            else __syncthreads();
            atomicAdd(finished, 1u);
        }"#,
    );
    let mut finished = 0_u32;
    for _ in 0..3 {
        let launched = launch!(program, [40, 2, 1], [100, 1, 1], 3_u32, &raw mut finished);
        let error = launched.unwrap_err().to_string();
        let (waiting, _) = error.split_once(" wait forever").unwrap();
        assert_eq!(waiting, "kernel `test`: 100 of 100 threads of block (3, 0)");
    }
    // The failed launches leave nothing behind.
    finished = 0;
    launch!(program, [40, 1, 1], [100, 1, 1], 99_u32, &raw mut finished).unwrap();
    assert_eq!(finished, 4000);
}

#[test]
fn failure_stops_new_blocks() {
    let program = compile(
        r#"extern "C" __global__ void kernel(unsigned int *started) {
            if (threadIdx.x == 0) atomicAdd(started, 1u);
            if (blockIdx.x == 10 && threadIdx.x == 1) __shfl_sync(3u, 1, 0);
            __syncwarp(3u);
        }"#,
    );
    let mut started = 0_u32;
    let error = launch!(program, [1 << 20, 1, 1], [2, 1, 1], &raw mut started).unwrap_err();
    assert!(error.to_string().contains(": 2 of 2 threads of block"));
    assert!(started < 1 << 18, "{started} blocks started");
}
