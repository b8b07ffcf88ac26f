#!/usr/bin/env bash
# Runs what `cargo xtask bundle` built, on a machine with an NVIDIA driver, NVRTC and Python with
# numpy and torch. Every step runs, whatever failed before it; the table at the end shows the results.
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

# checked NAME COMMAND... -- ARGUMENTS...: runs a command, and check.py on what it wrote.
checked() {
    local name=$1 command=()
    shift
    while [ "$1" != -- ]; do
        command+=("$1")
        shift
    done
    shift
    if step "$name" "${command[@]}"; then
        step "check $name" "$python" check.py "$@"
    else
        skip "check $name" "$name failed"
    fi
}

: >"$summary"
row step result seconds
step unpack tar -xzf executables.tar.gz || exit 1

# Results of an earlier run must not be taken for this run's, and large ones need not be copied back.
data=$(mktemp -d) || exit 1
trap 'rm -rf "$data"' EXIT
# Hundreds of kernels: the checkers reuse what the tests have compiled.
export TD_KERNEL_CACHE=$data/cache

step tests ./gpu --nocapture --test-threads=4
if [ "$(nvidia-smi --list-gpus | wc -l)" -ge 2 ]; then
    step 'tests of two GPUs' ./gpu --nocapture --ignored
else
    skip 'tests of two GPUs' 'there is one'
fi

many=(--device cuda --random 30720)
checked edm ./edm "${many[@]}" --output "$data/distances.npy" --save-input "$data/points.csv" \
    -- edm "$data/points.csv" "$data/distances.npy"
rm -f "$data/distances.npy"
checked collision ./collision "${many[@]}" --output "$data/pairs.csv" --save-input "$data/spheres.csv" \
    -- collision "$data/spheres.csv" "$data/pairs.csv" "$out/collision.log"
# The forces at the start and after some steps; and the atoms of the protein for longer.
checked forces ./forces "${many[@]}" --steps 10 --output "$data/forces.xyz" -- forces "$data/forces.xyz"
step 'forces protein' ./forces --device cuda --steps 2000
many=(--device cuda --random 50001)
step 'cross within' ./cross "${many[@]}" --within 0.05 --output "$data/close.csv"
checked cross ./cross "${many[@]}" --save-input "$data/set.csv" --output "$data/nearest.csv" \
    -- cross "$data/set.csv" "$data/nearest.csv" "$data/close.csv" "$out/cross-within.log"

# Every metric, on rows of which some features are alike; their width is no multiple of four.
rows=$data/alike.npy
step 'rows of similarity' "$python" -c "import numpy, sys
numpy.save(sys.argv[1], numpy.random.default_rng(1).normal(size=(5000, 301)).round(1))" "$rows"
for metric in euclidean manhattan cosine correlation hamming; do
    checked "similarity $metric" ./similarity --device cuda --input "$rows" --metric "$metric" \
        --output "$data/$metric.npy" \
        -- similarity "$metric" "$rows" "$data/$metric.npy" "$out/similarity-$metric.log"
    [ "$metric" = hamming ] && continue
    checked "knn $metric" ./knn --device cuda --input "$rows" --metric "$metric" --k 20 --output "$data/$metric.csv" \
        -- knn "$metric" "$rows" "$data/$metric.csv" "$out/knn-$metric.log"
done

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
    tests=(./gpu --nocapture --test-threads=1)
    for tool in memcheck initcheck synccheck; do
        checker "$tool" tests "${tests[@]}" small
    done
    # The racecheck of CUDA 13.0 was seen to hang where threads launch on several streams after many kernels: each such
    # test has a process of its own.
    checker racecheck tests "${tests[@]}" --skip sharing small
    for test in small_threads_share_a_kernel small_streams_wait_for_each_other; do
        checker racecheck "$test" "${tests[@]}" --exact "sharing::$test"
    done
    # The device is given explicitly: a fallback to the CPU would leave nothing to check.
    for example in edm collision similarity knn; do
        checker memcheck "$example" "./$example" --device cuda
    done
    checker memcheck forces ./forces --device cuda --steps 3
    checker memcheck cross ./cross --device cuda --within 1
else
    skip 'the four checkers' 'compute-sanitizer is not on PATH'
fi

printf '\n'
cat "$summary"
[ "$failures" -eq 0 ]
