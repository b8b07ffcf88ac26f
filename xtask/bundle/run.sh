#!/usr/bin/env bash
# Runs what `cargo xtask bundle` built, on a machine with an NVIDIA driver and NVRTC. Every step runs, whatever failed before
# it; the table at the end shows the results. The measurements compare with numpy, torch and others, where Python has them.
#
# usage: run.sh [OUTPUT FOLDER]     (default: out, beside this script)
#
# Each step's output is also in the output folder, as STEP.log, and the table as summary.txt, which
# grows step by step. PYTHON names another Python than python3, and COMMIT the bundle's commit.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
mkdir -p "${1:-$here/out}" || exit 1
out=$(cd "${1:-$here/out}" && pwd) || exit 1
cd "$here" || exit 1

python=${PYTHON:-python3}
summary=$out/summary.txt
failures=0

# row STEP RESULT SECONDS
row() {
    printf '%-28s  %-7s  %7s\n' "$1" "$2" "$3" >>"$summary"
}

# step NAME COMMAND...: shows the command, runs it, keeps its output and notes how it ended.
step() {
    local name=$1 start=$SECONDS result=ok
    shift
    printf '\n== %s\n$ %s\n' "$name" "$*"
    "$@" 2>&1 | tee "$out/${name// /-}.log"
    if [ "${PIPESTATUS[0]}" -ne 0 ]; then
        result=FAILED
        failures=$((failures + 1))
    fi
    row "$name" "$result" $((SECONDS - start))
    [ "$result" = ok ]
}

# skip NAME REASON
skip() {
    printf '\n== %s\nskipped: %s\n' "$1" "$2"
    row "$1" skipped 0
}

: >"$summary"
row step result seconds
step unpack tar -xzf executables.tar.gz || exit 1

cache=$(mktemp -d) || exit 1
trap 'rm -rf "$cache"' EXIT
# Hundreds of kernels: the checkers reuse what the tests have compiled.
export TD_KERNEL_CACHE=$cache

step tests ./gpu --nocapture --test-threads=4
if [ "$(nvidia-smi --list-gpus | wc -l)" -ge 2 ]; then
    step 'tests of two GPUs' ./gpu --nocapture --ignored
else
    skip 'tests of two GPUs' 'there is one'
fi
# They run the examples with many elements, and compute the results again in double precision.
for group in tables files; do
    step "examples of $group" env EXAMPLES_DEVICE=cuda "./tests/$group" --nocapture
done
step 'forces protein' ./examples/forces --device cuda --steps 2000

# Results of an earlier run must not be reused. Targets are judged even where a step of the measurement failed: the file grows
# record by record.
results=$out/results
rm -rf "$results"
noted=(--output "$results" ${COMMIT:+--commit "$COMMIT"})
step targets ./td-bench targets --python "$python" "${noted[@]}"
step 'check targets' ./td-bench show "$results/targets.json"
step limits ./td-bench limits "${noted[@]}"
step figures ./td-bench figures --sizes 1024,4096,30720 --rounds 7 "${noted[@]}"
step ladder ./td-bench ladder --sizes 128,256,512,1024 "${noted[@]}"
step peers ./td-bench peers --sizes 30720 --python "$python" "${noted[@]}"
step report ./td-bench report "$results"

# The checkers are slow, so they see the small tests and the examples' own small data.
# A checker that does not end is a failure, and the others still run.
checker() {
    step "$1 $2" timeout 1800 compute-sanitizer --tool "$1" --error-exitcode 9 "${@:3}"
}
if command -v compute-sanitizer >/dev/null; then
    tests=(--nocapture --test-threads=1)
    for tool in memcheck initcheck synccheck; do
        checker "$tool" tests ./gpu "${tests[@]}" small
    done
    # The racecheck of CUDA 13.0 was seen to hang where threads launch on several streams after many kernels: each such
    # test has a process of its own.
    checker racecheck tests ./gpu-few "${tests[@]}" --skip sharing small
    for test in small_threads_share_a_kernel small_streams_wait_for_each_other; do
        checker racecheck "$test" ./gpu-few "${tests[@]}" --exact "sharing::$test"
    done
    # The device is given explicitly: a fallback to the CPU would leave nothing to check.
    for example in edm collision correlation similarity knn; do
        checker memcheck "$example" "./examples/$example" --device cuda
    done
    checker memcheck forces ./examples/forces --device cuda --steps 3
    checker memcheck cross ./examples/cross --device cuda --within 1
else
    skip 'the four checkers' 'compute-sanitizer is not on PATH'
fi

printf '\n'
cat "$summary"
[ "$failures" -eq 0 ]
